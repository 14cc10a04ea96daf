"""What activities look like on a kind of body: all numbers of them, read from a preset."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import radians

from ..space.settings import setting


@dataclass(frozen=True, slots=True)
class HeadDownConfig:
    """How a head works at the ground. Seconds are for a 0.9 m leg."""

    height: float = setting(
        0.02, "How far over the ground the mouth is, in legs. Large values miss it", low=-0.1, high=0.5
    )
    period: float = setting(1.6, "Seconds from one lift of the head to the next", unit="s", low=0.1, high=20.0)
    low: float = setting(0.6, "The share of that time in which the mouth is at the ground", low=0.05, high=1.0)
    lift: float = setting(0.0, "How far the head is lifted then, as a share of its way down", low=0.0, high=1.0)
    bobs: float = setting(2.0, "How often it bobs while it is low, in each period; a whole number", low=0.0, high=40.0)
    bob: float = setting(radians(6.0), "How far it nods up with each bob", unit="deg", low=0.0, high=radians(45.0))
    sweep: float = setting(
        0.0, "How far it sweeps to each side while it is low", unit="deg", low=0.0, high=radians(60.0)
    )
    sweeps: float = setting(1.0, "How often it sweeps there and back in a period; a whole number", low=0.0, high=20.0)


@dataclass(frozen=True, slots=True)
class BowConfig:
    """How a body comes down with its head: at most so far. Elevations are of a line ahead: up is positive."""

    neck: float = setting(
        radians(-60.0), "Where the neck points at its lowest", unit="deg", low=radians(-120.0), high=radians(90.0)
    )
    head: float = setting(
        radians(-60.0), "Where the muzzle points then", unit="deg", low=radians(-120.0), high=radians(90.0)
    )
    spine: float = setting(0.0, "How far an upright spine bends ahead in all", unit="deg", low=0.0, high=radians(150.0))
    body: float = setting(0.0, "How far the body tips ahead about its hips", unit="deg", low=0.0, high=radians(90.0))
    sink: float = setting(0.0, "How far the legs give way, of four the front ones, in legs", low=0.0, high=0.9)
    kneel: float = setting(
        0.0, "How much of its rest it takes before it bows, 1 for one that kneels", low=0.0, high=1.0
    )
    hands: float = setting(0.0, "1 for hands that come to the ground beside the head", low=0.0, high=1.0)


@dataclass(frozen=True, slots=True)
class RestConfig:
    """How a body rests on folded legs."""

    height: float = setting(0.35, "How high its hips are then, in legs; of four legs the hind ones", low=0.02, high=1.0)
    front: float = setting(0.35, "The same of the hips of its front legs", low=0.02, high=1.0)
    back: float = setting(0.0, "How far back the body goes on its way down, in legs", low=-1.0, high=1.0)
    first: float = setting(0.0, "1 where the hind legs fold first, -1 the front ones, 0 both", low=-1.0, high=1.0)
    pitch: float = setting(0.0, "How far two legs' body tips ahead", unit="deg", low=radians(-60.0), high=radians(60.0))
    neck: float = setting(0.0, "How far the neck is lowered", unit="deg", low=radians(-60.0), high=radians(90.0))
    heel: float = setting(0.0, "How far heels come up over their toes", unit="deg", low=0.0, high=radians(120.0))
    hands: float = setting(0.0, "1 for hands that lie on the thighs", low=0.0, high=1.0)


@dataclass(frozen=True, slots=True)
class LungeConfig:
    """How a body lunges. Seconds are for a 0.9 m leg, lengths in legs."""

    seconds: float = setting(1.1, "How long a lunge takes, with its return", unit="s", low=0.1, high=10.0)
    every: float = setting(1.7, "From one to the next while the attack goes on", unit="s", low=0.1, high=60.0)
    back: float = setting(0.1, "How far it draws back first", low=0.0, high=0.5)
    ahead: float = setting(
        0.3, "How far the body goes ahead; legs that are too short for it go down", low=0.0, high=1.0
    )
    sink: float = setting(0.1, "How far it crouches for it on all its legs", low=0.0, high=0.6)
    body: float = setting(0.0, "How far it tips ahead", unit="deg", low=radians(-60.0), high=radians(60.0))
    spine: float = setting(0.0, "How far an upright spine bends ahead", unit="deg", low=0.0, high=radians(90.0))
    neck: float = setting(
        radians(10.0), "Where the neck points at its farthest", unit="deg", low=radians(-90.0), high=radians(90.0)
    )
    head: float = setting(0.0, "Where the muzzle points then", unit="deg", low=radians(-90.0), high=radians(90.0))
    hands: float = setting(0.0, "1 for hands that go ahead", low=0.0, high=1.0)


@dataclass(frozen=True, slots=True)
class ActivityConfig:
    """All activities of a kind of body."""

    eat: HeadDownConfig = field(default_factory=HeadDownConfig)
    drink: HeadDownConfig = field(default_factory=HeadDownConfig)
    sniff: HeadDownConfig = field(default_factory=HeadDownConfig)
    bow: BowConfig = field(default_factory=BowConfig)
    rest: RestConfig = field(default_factory=RestConfig)
    lunge: LungeConfig = field(default_factory=LungeConfig)
    head_time: float = setting(
        0.22, "Seconds in which a head is half way down or up, for a 0.9 m leg", unit="s", low=0.01, high=5.0
    )
    rest_time: float = setting(
        0.45, "Seconds in which a body has half lain down or got up, for a 0.9 m leg", unit="s", low=0.01, high=5.0
    )
    alert_neck: float = setting(
        radians(12.0), "How far the neck is raised on the alert", unit="deg", low=0.0, high=radians(60.0)
    )
    alert_sweep: float = setting(
        radians(50.0), "How far to each side it looks round on the alert", unit="deg", low=0.0, high=radians(120.0)
    )
