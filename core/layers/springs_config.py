"""The settings of the springs: what swings, and how."""

from __future__ import annotations

from dataclasses import dataclass

from ..space.settings import setting


@dataclass(frozen=True, slots=True)
class SpringsConfig:
    """What swings, and how."""

    bones: str = setting(
        "",
        "What swings: tails, ears, antennae, hair, props, or names of roles and bones with all that hangs on them; "
        "empty: all that is found",
    )
    frequency: float = setting(
        0.0,
        "How many times a second it swings when it is let go; 0: as things of its kind and length do. Low is heavy and "
        "long, high is stiff: it follows the pose",
        unit="Hz",
        low=0.0,
        high=30.0,
    )
    halflife: float = setting(
        0.0,
        "In how many seconds a swing fades to half; 0: as things of its kind do. Short is dead, long goes on and on",
        unit="s",
        low=0.0,
        high=10.0,
    )
    falloff: float = setting(
        0.5,
        "How much slower the tip swings than the root, as a share: the tip drags behind. 0 swings as one stiff piece",
        low=0.0,
        high=0.9,
    )
    inertia: float = setting(
        1.0,
        "How much of the body's travel is felt, its starts, stops and bumps; at 0 only what the pose and turns do",
        low=0.0,
        high=1.0,
    )
    gravity: float = setting(
        0.0,
        "How much gravity bends it down from where the pose has it, as a share of the earth's; at 1 a soft thing hangs",
        low=0.0,
        high=4.0,
    )
    drag: float = setting(
        0.5,
        "How strongly the air takes hold of it: bends it back by the body's speed, and along with the wind; at 0 there "
        "is no air",
        low=0.0,
        high=20.0,
    )
    wind: float = setting(0.0, "The wind's speed; what it does goes by drag too", unit="m/s", low=0.0, high=60.0)
    wind_heading: float = setting(
        0.0, "Where the wind blows to, seen from above: 0 is -Y, 90 is +X", unit="deg", low=-6.2832, high=6.2832
    )
    gusts: float = setting(0.5, "The share of the wind that comes and goes", low=0.0, high=1.0)
    seed: int = setting(1, "Another number gives other gusts", low=0, high=1000000)
    limit: float = setting(
        0.0,
        "The farthest it leans from the pose, which it nears softly; 0: as things of its kind do",
        unit="deg",
        low=0.0,
        high=2.6,
    )
    radius: float = setting(
        0.02,
        "How thick it is where it touches body and ground, for a leg of 0.9 m; too thick lifts it off all it lies on",
        unit="m",
        low=0.0,
        high=0.5,
    )
    collide: bool = setting(True, "Keep it out of the body's own head, chest, pelvis and thighs")
    ground: bool = setting(True, "Keep it above the ground")
    jump: float = setting(
        1.0,
        "A longer way than this from one frame to the next is a cut, after which it hangs at rest; more for bodies "
        "larger than a person",
        unit="m",
        low=0.05,
        high=100.0,
    )
