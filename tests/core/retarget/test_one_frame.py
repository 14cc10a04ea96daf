"""One frame alone is moved to another rig as whole clips are."""

from __future__ import annotations

import numpy as np
import pytest
from support.performers import clip_of
from support.retargeting import (
    arms_at,
    rig_of_skeleton,
    rolled,
    wild_clip,
    with_legs,
    with_spine_of,
    with_twist_bones,
    without,
    without_axes,
)
from support.rigs import dog_skeleton, person_skeleton, snake_skeleton, spider_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.one_frame import Carried, FrameTransfer, Points, RestFrames
from surefoot.core.retarget.parts import mover_of
from surefoot.core.retarget.rest_matching import match_rests
from surefoot.core.retarget.transfer import scaling_of, transfer
from surefoot.core.rig.rig import Rig
from surefoot.core.space.quaternions import to_matrices

PEOPLE = {
    "itself": person_skeleton,
    "another size": lambda: with_legs(person_skeleton(), 0.7, 1.1, 1.2),
    "rolled": lambda: rolled(person_skeleton()),
    "bones that point up": lambda: without_axes(person_skeleton()),
    "arms down": lambda: arms_at(person_skeleton(), -0.9),
    "five bones of a spine": lambda: with_spine_of(person_skeleton(), 5),
    "one bone of a spine": lambda: with_spine_of(person_skeleton(), 1),
    "twist bones": lambda: with_twist_bones(person_skeleton(), "thigh.L", "forearm.R"),
    "no shoulders": lambda: without(person_skeleton(), "shoulder.L", "shoulder.R"),
}
OTHERS = {"dog": dog_skeleton, "spider": spider_skeleton, "snake": snake_skeleton}


def places_of(rig: Rig, rotations: np.ndarray, locations: dict[int, tuple[float, float, float]]) -> np.ndarray:
    """What bones of these channels are moved by from rest, (bones, 4, 4), in double precision."""
    bones = rig.skeleton.bones
    moved = np.empty((len(bones), 4, 4))
    for i, bone in enumerate(bones):
        rest = np.array(bone.rest, dtype=np.float64)
        basis = np.identity(4)
        basis[:3, :3] = to_matrices(rotations[i])
        basis[:3, 3] = locations.get(i, (0.0, 0.0, 0.0))
        above = moved[bone.parent] if bone.parent >= 0 else np.identity(4)
        moved[i] = above @ rest @ basis @ np.linalg.inv(rest)
    return moved


def frames_of(clip: Clip, target: Rig, rests: str = "DIRECTIONS", floor: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A clip on a target as arrays have it and one frame at a time: what moves the bones of its body."""
    matching = match_rests(clip.rig, target, rests)
    scaling = scaling_of(clip.rig, target, floor, rests)._replace(ground=target.floor)
    whole = transfer(clip, matching, scaling).moved
    one, frames, mover = FrameTransfer(matching, scaling), RestFrames(target), mover_of(target)
    below = [mover, *target.skeleton.below[mover]]
    found = []
    for moved in clip.moved:
        posed = one.turned(moved, floor)
        location = frames.location(mover, posed.shift, posed)
        found.append(places_of(target, frames.rotations(posed), {mover: location})[below])
    return whole[:, below], np.array(found)


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("rests", ["DIRECTIONS", "MATCH"])
def test_every_bone_is_where_the_whole_clip_has_it(name: str, rests: str):
    source = rig_of_skeleton(person_skeleton())
    whole, single = frames_of(wild_clip(source, 40), rig_of_skeleton(PEOPLE[name]()), rests, floor=0.1)
    assert np.abs(single - whole).max() < 1e-6


@pytest.mark.parametrize("name", OTHERS)
def test_so_it_is_on_any_number_of_legs(name: str):
    source, target = rig_of_skeleton(OTHERS[name]()), rig_of_skeleton(rolled(OTHERS[name]()))
    whole, single = frames_of(wild_clip(source, 20, 0.3), target)
    assert np.abs(single - whole).max() < 1e-6


def test_points_are_where_the_bones_carry_them():
    target = rig_of_skeleton(with_legs(person_skeleton(), 0.8, 1.2))
    clip = clip_of("person")
    matching = match_rests(clip.rig, target)
    scaling = scaling_of(clip.rig, target, 0.0)._replace(ground=target.floor)
    moved = transfer(Clip(clip.rig, clip.fps, clip.moved[30:31]), matching, scaling).moved[0]
    soles = [(leg.sole.ball_bone, leg.sole.ball) for leg in target.legs]
    soles += [(target.head, target.skeleton.bones[target.head].tail)]
    carried = Carried(target, soles).of(FrameTransfer(matching, scaling).turned(clip.moved[30], 0.0))
    assert np.abs(carried - Points(soles).of(moved)).max() < 1e-6


def test_the_channels_are_unit_turns():
    target = rig_of_skeleton(rolled(person_skeleton()))
    clip = wild_clip(rig_of_skeleton(person_skeleton()), 5)
    one = FrameTransfer(match_rests(clip.rig, target), scaling_of(clip.rig, target, 0.0))
    rows = RestFrames(target).rotations(one.turned(clip.moved[3], 0.0))
    assert np.abs(np.linalg.norm(rows, axis=1) - 1.0).max() < 1e-12
