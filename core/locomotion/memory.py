"""What the machine remembers of the state that the body is in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..space.copying import copier
from ..space.rigid import Triple
from ..world.world import Anchor

StateName = Literal[
    "GROUNDED", "AIRBORNE", "CROUCHED",
    "VAULTING", "CLIMBING", "HANGING", "LEAPING", "WALL_RUNNING", "JUMPING_OFF", "SLIDING", "ROLLING",
]  # fmt: skip
"""GROUNDED, AIRBORNE and CROUCHED are the walking capsule's own: nothing else has the body."""

ORIGIN: Triple = (0.0, 0.0, 0.0)


@dataclass(slots=True)
class StateMemory:
    """The state and its way: plain numbers, world space, metres and seconds.

    `time` is since the state began, `lasts` how long it takes where that is known (else 0). `way` are the places that
    a kinematic move goes through, from the feet's place at its start; each state says which. `speed` is what it came
    in with along the ground. `normal` points level out of the wall or the obstacle, `edge` is the place on its top
    edge nearest to the body; `anchor` is a place on it that moves (`anchor_at`: where that was when the state began);
    `heading` is how the body faced then. `height`: the edge over the feet at the start. `side`: -1
    a wall to the right, 1 to the left, or the way along an edge (1 to the body's left). `phase` is of what goes round,
    0 to 1. `step` tells parts of a state apart (HANGING: "", "PULL_IN", "CORNER" …).
    `no_grab`, `no_wall`: seconds until an edge, or the wall `wall_normal`, may be taken again.
    `held`: "go up" was held when it began. `run` is how fast it ran on the ground, `since_run` seconds ago.
    """

    state: StateName = "GROUNDED"
    time: float = 0.0
    lasts: float = 0.0
    way: tuple[Triple, ...] = ()
    speed: float = 0.0
    normal: Triple = ORIGIN
    edge: Triple = ORIGIN
    anchor: Anchor | None = None
    anchor_at: Triple = ORIGIN
    heading: float = 0.0
    height: float = 0.0
    side: float = 0.0
    phase: float = 0.0
    step: str = ""
    no_grab: float = 0.0
    no_wall: float = 0.0
    wall_normal: Triple = ORIGIN
    held: bool = False
    run: float = 0.0
    since_run: float = 0.0
    reason: str = ""

    def copy(self) -> StateMemory:
        """An independent copy."""
        return _copied(self)

    def begin(self, state: StateName, lasts: float = 0.0) -> None:
        """Enter a state: its time starts now, the rest of its numbers are the state's to set."""
        self.state, self.time, self.lasts = state, 0.0, lasts
        self.step, self.phase, self.reason, self.anchor = "", 0.0, "", None

    def enter(self, state: StateName) -> None:
        """Be in a state of the walking capsule; why a press only jumped is told until it has landed."""
        reason = "" if self.state == "AIRBORNE" and state == "GROUNDED" else self.reason
        self.begin(state)
        self.reason = reason

    @property
    def progress(self) -> float:
        """How much of a move is done, from 0 to 1."""
        return min(1.0, self.time / self.lasts) if self.lasts > 0.0 else 0.0


_copied = copier(StateMemory)
