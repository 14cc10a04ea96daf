"""A character on walls and ceilings: its tick in the frame of its grip, and its pose brought back to the scene.

sense    the world as the frame of the grip sees it, unrolled         control/clinging
decide   the director, seen along the surface                         control/led
move     the point crawls, the frame goes along                       control/clinging (feels the surface around)
plan     the gait's memory told in the frame as it is now, then on    gait/clinging
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .control.clinging import Grip, Unrolled, cling, feeler_of, take_hold
from .control.config import ControlConfig
from .control.intent import Inputs, Place, Travel
from .control.led import decide_along, predict_along
from .gait.retelling import retold
from .rig.pose import Ground, PoseFrame
from .rig.rig import Problem, Rig
from .space.rigid import Frame, turned
from .world.world import World

if TYPE_CHECKING:
    from .character import Character, Memory
    from .gait.memory import GaitMemory

LEAST_LEGS = 4
"""Fewer legs do not hold a body on a wall."""


def too_few_legs(count: int) -> tuple[Problem, ...]:
    """The sentence for a rig that is asked to walk on walls and has no legs for it."""
    reason = f"Walking on walls takes at least {LEAST_LEGS} legs; this rig has {count}."
    return (Problem("", reason, "It stays on the floor; set Surfaces to Floor, or choose another rig."),)


def span_of(rig: Rig, feet: float) -> float:
    """How much of a surface a body covers that clings to it, metres: its feet, or its trunk and head where those reach
    further, since they have to come past every corner.
    """
    limbs = {bone for leg in rig.legs for bone in (*leg.bones, *leg.toes, leg.foot)}
    limbs |= {bone for chain in (*rig.tails, *(arm.bones for arm in rig.arms)) for bone in chain}
    bones = rig.skeleton.bones
    middle = sum(leg.hip.y for leg in rig.legs) / len(rig.legs)
    trunk = [i for i in range(len(bones)) if rig.body in (i, *rig.skeleton.ancestors(i))]
    trunk = [i for i in trunk if not limbs & {i, *rig.skeleton.ancestors(i)}]
    return max([feet, *(2.0 * abs(end.y - middle) for i in trunk for end in (bones[i].head, bones[i].tail))])


def start_clinging(place: Place, config: ControlConfig, world: World) -> tuple[Travel, Grip, Unrolled]:
    """The body where it takes hold, and the world as it sees it from there."""
    travel, grip = take_hold(place, config, world)
    return travel, grip, _seen(world, grip, travel, config)


def _seen(world: World, grip: Grip, travel: Travel, config: ControlConfig) -> Unrolled:
    return Unrolled(world, grip, travel.place, feeler_of(config.leg, config.span)[0])


def tick_clinging(character: Character, memory: Memory, grip: Grip, inputs: Inputs, world: World, dt: float) -> None:
    """Advance a clinging character by one tick."""
    config, name = character.control, character.config.director
    intent = decide_along(name, memory.director, inputs, memory.travel, grip, config, dt)
    if inputs.moved_to is not None or not memory.travel.ground:
        travel, now = take_hold(inputs.moved_to or memory.travel.place, config, world)
        travel.jumped = travel.ground
    else:
        travel, now = cling(memory.travel, grip, intent, config, world, dt)
        retold(cast("GaitMemory", memory.gait), grip.frame, now.frame, travel.place[:3], now.sticks_out)

    def predict(seconds: float) -> Place:
        return predict_along(name, memory.director, inputs, travel, now, config, seconds)

    seen = _seen(world, now, travel, config)
    character.gait.tick(memory.gait, travel, predict, seen, dt, character.gait_at(inputs))
    if intent.event:
        memory.gait.events += ((intent.event, ""),)
    memory.travel, memory.grip = travel, now
    memory.reason = intent.reason or now.reason
    memory.ticks += 1


def in_scene(frame: PoseFrame, grip: Frame) -> PoseFrame:
    """A pose in the frame of a grip, brought to the scene."""
    ground = frame.ground
    frame.ground = Ground(*grip.to_scene(ground[:3]), ground.heading, grip.turn)
    frame.feet = tuple(
        foot._replace(foothold=grip.to_scene(foot.foothold), normal=turned(grip.turn, foot.normal))
        for foot in frame.feet
    )
    return frame
