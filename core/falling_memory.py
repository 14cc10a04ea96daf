"""What is set and what is remembered of a body that physics has, or that was hit without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .control.fall_row import FallState
from .ragdoll.flinch import Flinch
from .space.copying import copier
from .space.settings import setting

Flat = tuple[float, ...]
USUAL = "USUAL"


@dataclass(frozen=True, slots=True)
class FallConfig:
    """How a character takes hits and falls."""

    falls: bool = setting(
        True, "Hits move it, and physics lets it stagger, fall and lie; off, it walks on as if nothing had happened"
    )
    fall_numbers: str = setting(USUAL, "The numbers of its hits, its balance and its falls, by their name")
    fall_base: Literal["WAITS", "GOES_ON"] = setting(
        "WAITS",
        "What a clip does while physics has the body: it waits, or it goes on and is further along when the body "
        "stands again. A rig that is followed never waits",
    )
    get_up_style: Literal["ORDINARY", "QUICK"] = setting(
        "ORDINARY", "How it gets up: by hands and knees, or with one push straight onto its feet"
    )


@dataclass(slots=True)
class FallMemory:
    """Plain numbers. `begins` is the run of physics that it is in, 0 none.

    `seen` is where the centre of mass was when it was last told, without the gait's own sway, `since` seconds ago, and
    `velocity` how fast it goes over the ground (world, plan). `bodies` are the solids as they were told last, `weights`
    how much of each physics has, `at` the travel's place and heading then, `floors` the heights of
    the floor under what of a body that lies carries loose parts; `back` is for how many seconds they are
    still shown after physics has let go, and `held` the feet that stay where that left them. `rise` is how far it is in
    getting up.

    `alarm` is how much its arms are out (0 to 1), and `ahead` where to.

    Of hits without physics: `push` is the speed that is still to be caught, `flinches` what bends away, `look` where it
    looks and for how many seconds yet, `head` that layer's memory, `gaze` how it turns the bones that look, for physics
    to drive them there. `off` is how far it is from where its director
    carries it, `adrift` that this is to be found out.
    """

    state: FallState = "ANIMATED"
    begins: int = 0
    seen: Flat = ()
    since: float = 0.0
    velocity: tuple[float, float] = (0.0, 0.0)
    bodies: Flat = ()
    weights: Flat = ()
    at: Flat = ()
    floors: Flat = ()
    back: float = 0.0
    held: tuple[int, ...] = ()
    rise: Any = None
    alarm: float = 0.0
    ahead: tuple[float, float] = (0.0, 0.0)
    push: tuple[float, float] = (0.0, 0.0)
    flinches: tuple[Flinch, ...] = ()
    look: Flat = ()
    head: Any = None
    gaze: Flat = ()
    off: tuple[float, float] = (0.0, 0.0)
    adrift: bool = False

    @property
    def over(self) -> bool:
        """True where there is nothing left to remember."""
        shown = self.bodies or self.rise is not None or self.flinches or self.look or self.alarm > 0.0
        moved = self.push != (0.0, 0.0) or self.off != (0.0, 0.0) or self.adrift
        return self.state == "ANIMATED" and not shown and not moved

    def copy(self) -> FallMemory:
        """An independent copy."""
        other = _copied(self)
        other.rise = None if self.rise is None else self.rise.copy()
        other.head = None if self.head is None else self.head.copy()
        return other


_copied = copier(FallMemory)
