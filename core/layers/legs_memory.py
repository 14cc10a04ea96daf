"""What the layer that puts feet on the ground remembers from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..space.copying import copier
from ..world.world import Anchor

Flat = tuple[float, float]
Triple = tuple[float, float, float]


@dataclass(slots=True)
class FootMemory:
    """One foot. `heel` and `ball` are where the pose had the sole's ends at the frame before, world space.

    `ground` are the heights of the ground that heel and ball keep to (world), `over` the same over the plane under the
    body, `settled` whether they stand on it, `slope` how the sole lies; `carried` is the velocity of the ground.

    `on_heel` says about which end the foot turns, `shift` how far that end is from where the pose has it (world, along
    the ground), `turned` how far the foot is turned from there about the upright. Under that end the ground rises by
    `rise` (per metre, model space), and goes along as fast as `carried` (world). `drawn` is how far it was taken
    in the air, up a slope and nearer to a leg that is too short, `lifted` how high it stands over the ground.
    In a contact that is held it is `pinned` (world), with an `anchor` on ground that moves, and while it is flat it
    heads for `heading`; after it shift and turn go from `faded` to nothing in the time since, `free`.

    One in the air that is known to come down at `aimed` (its ball, world) goes there with a shift of `aim`; of
    that `placed` is for the sake of ground that it stands on, and not of a slope, of which there are `slopes` (0 to 1)
    where it goes by that alone.

    `short` is how far the hip was too high for the leg, without what a hold asks for, and by itself. `stood` and
    `lift` are time and mean height of heel and ball while they stand still, `level` at which height they do so over
    the rig's floor, as learned from so many `samples`.
    """

    heel: Triple | None = None
    ball: Triple | None = None
    ground: Flat = (0.0, 0.0)
    over: Flat = (0.0, 0.0)
    settled: tuple[bool, bool] = (False, False)
    slope: Flat = (0.0, 0.0)
    on_heel: bool = False
    heel_down: bool = False
    ball_down: bool = False
    leaving: float = 0.0
    shift: Flat = (0.0, 0.0)
    carried: Flat = (0.0, 0.0)
    rise: Flat = (0.0, 0.0)
    pinned: Flat | None = None
    anchor: Anchor | None = None
    drawn: Flat = (0.0, 0.0)
    lifted: float = 0.0
    turned: float = 0.0
    heading: float | None = None
    faded: Triple = (0.0, 0.0, 0.0)
    free: float = 0.0
    aim: Flat | None = None
    aimed: Flat = (0.0, 0.0)
    placed: Flat = (0.0, 0.0)
    slopes: float | None = None
    short: Flat = (0.0, 0.0)
    stood: Flat = (0.0, 0.0)
    lift: Flat = (0.0, 0.0)
    level: Flat = (0.0, 0.0)
    samples: tuple[int, int] = (0, 0)

    @property
    def down(self) -> bool:
        """Whether any of its sole is on the ground."""
        return self.heel_down or self.ball_down

    @property
    def left(self) -> bool:
        """Whether it has left the ground at this very frame."""
        return not self.down and self.free <= 0.0


@dataclass(slots=True)
class LegsMemory:
    """All feet, and the body: how far it is lowered and how fast, how much `more` for a foot that stands and how
    fast that goes, how it lies.

    `seen` is False until the first frame. `floor` is how far the clip's floor is over the rig's, as far as it is
    applied.
    """

    feet: list[FootMemory] = field(default_factory=list)
    seen: bool = False
    airborne: bool = False
    drop: float = 0.0
    drop_speed: float = 0.0
    more: float = 0.0
    more_speed: float = 0.0
    slope: Flat = (0.0, 0.0)
    floor: float = 0.0
    reason: str = ""

    def copy(self) -> LegsMemory:
        """An independent copy."""
        other = _copied(self)
        other.feet = [_copied_foot(foot) for foot in self.feet]
        return other


_copied, _copied_foot = copier(LegsMemory), copier(FootMemory)
