"""How a body with a shape moves: the numbers of one movement preset."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sqrt

from ..space.settings import setting

LEG = 0.9
LENGTHS = (
    "radius", "standing_height", "crouch_height", "highest_step", "stick", "floor_tier", "padding", "jump_height",
)  # fmt: skip
SPEEDS = ("jump_speed", "air_speed", "heavy_landing", "landing_hold")
MASSES = ("mass", "strength", "carrier_mass")
ROUNDING = 1e-6
"""So much less upright a normal of single precision may be."""


@dataclass(frozen=True, slots=True)
class MovementConfig:
    """The walking capsule: metres, seconds, radians, for legs of 0.9 m. Its origin is its lowest point, the feet."""

    radius: float = setting(
        0.35,
        "Half the width of the body. Wide ones do not pass doors, thin ones stand on edges with half a foot in the air",
        unit="m",
        low=0.05,
        high=5.0,
    )
    standing_height: float = setting(
        1.8, "How tall it stands. It is never lower than it is wide", unit="m", low=0.1, high=20.0
    )
    crouch_height: float = setting(
        1.0, "How tall it is crouched. As low as it is wide, it is a ball", unit="m", low=0.1, high=20.0
    )
    slope_limit: float = setting(
        radians(45.0),
        "The steepest ground to walk on; it slides down what is steeper. At 0 it only stands on level floors, near "
        "90 degrees it walks up walls",
        unit="deg",
        low=0.0,
        high=radians(89.0),
    )
    highest_step: float = setting(
        0.55,
        "The highest step that it takes without a jump. At 0 every kerb stops it, far over a knee it walks onto tables",
        unit="m",
        low=0.0,
        high=5.0,
    )
    stick: float = setting(
        0.5,
        "How far down it is pulled to the floor when it walks off an edge; it falls where the floor is lower. At 0 it "
        "leaves the ground on every slope down and stair",
        unit="m",
        low=0.0,
        high=5.0,
    )
    floor_tier: float = setting(
        0.25,
        "How far over the floor it still walks as to its pose, where it has not jumped. At 0 every small drop shows a "
        "fall, at high values it runs on in the air",
        unit="m",
        low=0.0,
        high=5.0,
    )
    mass: float = setting(
        80.0,
        "How heavy it is: so much of its run goes over to a rigid body that it runs against. A light one comes to rest "
        "at each crate, a heavy one hardly feels it",
        unit="kg",
        low=0.1,
        high=1e5,
    )
    strength: float = setting(
        100.0,
        "How hard it pushes rigid bodies. What resists more than that is a wall; at 0 all are",
        unit="N",
        low=0.0,
        high=1e6,
    )
    carrier_mass: float = setting(
        20.0,
        "The least mass of a rigid body that carries who stands on it. At 0 every crate does, at high values none; "
        "what is passive or animated always does",
        unit="kg",
        low=0.0,
        high=1e6,
    )
    padding: float = setting(
        0.02,
        "How far it keeps from walls. At 0 it touches and may catch on what is uneven",
        unit="m",
        low=0.0,
        high=0.5,
    )
    recovery: float = setting(
        0.5,
        "The share of how deep it stands in something that it comes out of in a sixtieth of a second. At 0 it stays "
        "inside, at 1 it jumps out at once",
        low=0.0,
        high=1.0,
    )
    gravity: float = setting(
        18.0, "How fast its fall speeds up. Games take about twice the real 9.81", unit="m/s2", low=0.0, high=100.0
    )
    jump_speed: float = setting(
        8.0, "How fast it leaves the ground upward in a jump; at 0 it does not jump", unit="m/s", low=0.0, high=50.0
    )
    jump_height: float = setting(
        0.0,
        "How high its jumps are, whatever gravity is; at 0 the jump's speed says it",
        unit="m",
        low=0.0,
        high=50.0,
    )
    air_control: float = setting(
        5.0,
        "How fast a wish changes the flight. At 0 a jump cannot be corrected, at high values it flies",
        unit="m/s2",
        low=0.0,
        high=100.0,
    )
    air_speed: float = setting(
        1.6,
        "The speed that a wish in the air may reach at least, also after a jump from standing; else that of the "
        "take-off",
        unit="m/s",
        low=0.0,
        high=50.0,
    )
    heavy_landing: float = setting(
        9.5,
        "From this speed downward on a landing is heavy: it stops the run and goes down to the ground with the hands. "
        "At low values each jump ends so, at high ones no fall is ever too deep",
        unit="m/s",
        low=0.5,
        high=100.0,
    )
    landing_hold: float = setting(
        0.4,
        "How long a heavy landing holds it down. At 0 it only slows it, at high values it stays crouched",
        unit="s",
        low=0.0,
        high=5.0,
    )
    crouch_rate: float = setting(
        10.0, "How fast the visible height follows, a second. Small values lag, large ones pop", low=0.1, high=100.0
    )
    coyote_time: float = setting(
        0.12,
        "How long after it walked off an edge it may still jump",
        unit="s",
        low=0.0,
        high=1.0,
    )
    jump_buffer: float = setting(
        0.15,
        "How long before it lands a jump may be asked for",
        unit="s",
        low=0.0,
        high=1.0,
    )

    def sized(self, leg: float) -> MovementConfig:
        """The same for a body with legs of this length: lengths go with it, speeds and times of jumps with its root,
        masses and forces with its cube.
        """
        scale = leg / LEG
        powers = {**dict.fromkeys(LENGTHS, 1.0), **dict.fromkeys(SPEEDS, 0.5), **dict.fromkeys(MASSES, 3.0)}
        return replace(self, **{name: getattr(self, name) * scale**power for name, power in powers.items()})

    @property
    def upright(self) -> float:
        """How upright a normal of ground that can be walked on is at least."""
        return cos(self.slope_limit) - ROUNDING

    @property
    def take_off(self) -> float:
        """The speed upward of a jump."""
        return sqrt(2.0 * self.gravity * self.jump_height) if self.jump_height > 0.0 else self.jump_speed

    def height(self, *, crouched: bool) -> float:
        """The capsule's height, never under its width."""
        return max(self.crouch_height if crouched else self.standing_height, 2.0 * self.radius)
