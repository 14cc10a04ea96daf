"""Settings of the gait that belong to a character, whatever gait it walks."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians
from typing import Literal

from ..space.settings import setting

Lead = Literal["AUTO", "LEFT", "RIGHT"]


@dataclass(frozen=True, slots=True)
class GaitConfig:
    """How a character plans and takes its steps. Lengths in metres are for a 0.9 m leg and scale with the leg."""

    step_height: float = setting(
        0.0,
        "Height of a step over the ground between two footholds. 0 takes it from the gait; far above a third of "
        "the leg the character prances",
        unit="m",
        low=0.0,
        high=2.0,
    )
    step_up: float = setting(
        0.35,
        "Highest ledge over a foot that it may step on. Too low and stairs are walked into, too high and feet "
        "climb walls",
        unit="m",
        low=0.02,
        high=2.0,
    )
    step_down: float = setting(
        0.5,
        "Deepest ground under a foot that it may step down to. Too low and the feet tread air on stairs",
        unit="m",
        low=0.02,
        high=4.0,
    )
    walkable: float = setting(
        0.7,
        "Least upright part of a ground's normal to stand on: 0.7 is a slope of 45 degrees. 1 takes level ground "
        "only, near 0 even walls",
        low=0.05,
        high=1.0,
    )
    sole_tilt: float = setting(
        radians(30.0),
        "Most that a sole turns to lie on the ground. 0 keeps soles level; large values twist ankles on rough ground",
        unit="deg",
        low=0.0,
        high=radians(60.0),
    )
    resettle: float = setting(
        0.12,
        "How far, in leg lengths, a standing foot may be from its place under the body before it steps back. "
        "Very small values fidget, large ones leave the legs straddled",
        low=0.02,
        high=1.0,
    )
    pelvis_drop: float = setting(
        0.15,
        "Most that the pelvis sinks for a foothold that is low. 0 lets legs overstretch on uneven ground",
        unit="m",
        low=0.0,
        high=1.0,
    )
    extension: float = setting(
        0.9935,
        "Share of a leg's full length that a planned step uses. Near 1 knees lock, under 0.9 it crouches",
        low=0.7,
        high=0.994,
    )
    bob: float = setting(1.0, "How much the body rises and sinks, times the gait's own. 0 glides", low=0.0, high=3.0)
    sway: float = setting(
        1.0,
        "How much the body shifts over the standing feet, times the gait's own. 0 walks on rails",
        low=0.0,
        high=3.0,
    )
    lean: float = setting(
        1.0,
        "How much the body leans into speed changes and turns, times the gait's own. 0 stays upright",
        low=0.0,
        high=3.0,
    )
    lead: Lead = setting(
        "AUTO",
        "The front leg that lands last in canter and gallop. AUTO takes the one inside the curve; on the outer one a "
        "tight curve looks wrong",
        choices=("AUTO", "LEFT", "RIGHT"),
    )
    spine: float = setting(
        1.0,
        "How much a trunk on four legs bends and stretches, times the gait's own. 0 is one stiff block",
        low=0.0,
        high=2.0,
    )
    arm_swing: float = setting(
        1.0, "How much the arms swing against the legs, times the gait's own. 0 lets them hang", low=0.0, high=3.0
    )
    flight_arms: float = setting(
        1.0,
        "How far the arms of a body with a shape go up and out in jumps and falls. 0 keeps them at its sides, 1.5 is a "
        "cartoon",
        low=0.0,
        high=1.5,
    )
    flight_legs: float = setting(
        1.0,
        "How far it pulls its legs up and parts them in the air. 0 flies as it stands, 1.5 is a long jump",
        low=0.0,
        high=1.5,
    )
    landing_give: float = setting(
        1.0,
        "How far its legs give way in a landing. 0 lands on stilts, 1.5 goes down to the heels",
        low=0.0,
        high=1.5,
    )
    head_bob: float = setting(
        0.0,
        "How still a head is held in space between two thrusts a stride, as pigeons do: 0 rides along with the body, "
        "1 stands still. Takes two legs and a neck of two bones or more",
        low=0.0,
        high=1.0,
    )
    breath: float = setting(
        1.0, "How deep a standing body breathes. 0 holds its breath, 3 is out of breath", low=0.0, high=3.0
    )
    idle_shift: float = setting(
        1.0,
        "How far a standing body shifts its weight from leg to leg. 0 stands like a statue, 2 cannot stand still",
        low=0.0,
        high=2.0,
    )
    knee_follow: float = setting(0.5, "Where knees point: 0 with the body, 1 with the foot", low=0.0, high=1.0)
