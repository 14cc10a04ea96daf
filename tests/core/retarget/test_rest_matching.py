"""What follows what on two rigs that differ, and that what is missing is said."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mathutils import Matrix
from support.retargeting import (
    about_point,
    arms_at,
    direction_errors,
    joints,
    posed_at_rest,
    rig_of_skeleton,
    rolled,
    still_clip,
    wild_clip,
    with_spine_of,
    without,
)
from support.rigs import dog_skeleton, person_skeleton, spider_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.rest_matching import Reference, match_rests
from surefoot.core.retarget.retarget import retarget_clip
from surefoot.core.rig.skeleton import Bone, Skeleton

FREE = RetargetConfig(feet="FREE")
PERSON = rig_of_skeleton(person_skeleton())
RESTS = {
    "T": lambda s: arms_at(s, 0.78),
    "N": lambda s: arms_at(s, -0.6),
    "star": lambda s: posed_at_rest(
        arms_at(s, 1.2), {"thigh.L": ("Y", -0.5), "thigh.R": ("Y", 0.5), "head": ("X", -0.2)}
    ),
    "one arm ahead": lambda s: posed_at_rest(s, {"upper_arm.L": ("Z", -0.8)}),
    "rolled T": lambda s: rolled(arms_at(s, 0.78)),
}


@pytest.mark.parametrize("ours", sorted(RESTS))
@pytest.mark.parametrize("theirs", sorted(RESTS))
def test_limbs_point_where_the_sources_do_between_any_two_rests(theirs, ours):
    source = rig_of_skeleton(RESTS[theirs](person_skeleton()))
    target = rig_of_skeleton(RESTS[ours](person_skeleton()))
    clip = wild_clip(source)
    done = retarget_clip(clip, target, FREE)
    assert direction_errors(clip, done.clip).shape[1] == 8
    assert direction_errors(clip, done.clip).max() <= 1e-3


def turned_only(rig, name, axis, angles):
    """A rig of which one bone, and all that hangs on it, turns about an axis (model space) through its joint."""
    clip = still_clip(rig, len(angles))
    i = rig.skeleton.index[name]
    motion = about_point(np.outer(angles, axis), np.array(rig.skeleton.bones[i].head))
    clip.moved[:, [i, *rig.skeleton.below[i]]] = motion[:, None]
    return clip


def test_twist_goes_along_and_never_jumps():
    angles = np.radians(np.linspace(0.0, 160.0, 21))
    forearm = PERSON.skeleton.bones[PERSON.skeleton.index["forearm.L"]]
    hand = PERSON.skeleton.bones[PERSON.skeleton.index["hand.L"]]
    axis = (hand.head - forearm.head).normalized()
    clip = turned_only(PERSON, "forearm.L", np.array(axis), angles)
    target = rig_of_skeleton(rolled(arms_at(person_skeleton(), 0.78)))
    done = retarget_clip(clip, target, FREE)
    i = target.skeleton.index["forearm.L"]
    turns = done.channels.rotations[:, i]
    assert (np.sum(turns[1:] * turns[:-1], axis=-1) > 0.99).all()
    first = np.sum(turns * turns[0], axis=-1)
    assert np.degrees(2.0 * np.arccos(np.clip(first, -1.0, 1.0))) == pytest.approx(np.degrees(angles), abs=0.01)


@pytest.mark.parametrize(("theirs", "ours"), [(3, 5), (5, 3), (3, 1), (1, 4), (4, 4)])
def test_a_back_of_other_bones_bends_by_as_much_and_points_as_far(theirs, ours):
    source = rig_of_skeleton(with_spine_of(person_skeleton(), theirs))
    target = rig_of_skeleton(with_spine_of(person_skeleton(), ours))
    assert (len(source.spine), len(target.spine)) == (theirs, ours)
    clip = wild_clip(source, amount=0.3)
    done = retarget_clip(clip, target, FREE)

    def chord(each):
        rig = each.rig
        start = each.place(rig.spine[0], rig.skeleton.bones[rig.spine[0]].head)
        between = each.place(rig.spine[-1], rig.skeleton.bones[rig.neck[0]].head) - start
        return between / np.linalg.norm(between, axis=-1, keepdims=True)

    assert np.abs(chord(clip) - chord(done.clip)).max() <= 1e-6
    # The neck is the neck, and the head faces where it did.
    assert np.abs(joints(done.clip, ["head"]) - joints(clip, ["head"])).max() <= 0.02
    i, j = source.head, target.head
    assert np.abs(clip.moved[:, i, :3, :3] - done.clip.moved[:, j, :3, :3]).max() <= 1e-6


def test_a_bend_of_the_whole_back_is_as_large_at_its_upper_end():
    source = rig_of_skeleton(with_spine_of(person_skeleton(), 3))
    target = rig_of_skeleton(with_spine_of(person_skeleton(), 6))
    clip = still_clip(source)
    for k, bone in enumerate(source.spine):
        motion = np.array(Matrix.Rotation(math.radians(10.0 * (k + 1)), 4, "Z"))
        clip.moved[:, [bone, *source.skeleton.below[bone]]] = motion
    done = retarget_clip(clip, target, FREE)
    twists = [math.degrees(Matrix(done.clip.moved[0, i, :3, :3].tolist()).to_euler().z) for i in target.spine]
    assert twists[0] == pytest.approx(10.0, abs=0.5)
    assert twists[-1] == pytest.approx(30.0, abs=0.5)
    assert twists == sorted(twists)


def test_a_leaning_rest_of_the_back_does_not_hunch_the_target():
    leaning = posed_at_rest(person_skeleton(), {"chest": ("X", 0.17), "neck": ("X", -0.17)})
    done = retarget_clip(still_clip(PERSON), rig_of_skeleton(leaning), FREE)
    # The whole back points where the source's does, and each bone keeps its share of the rest's curve.
    bent = done.channels.rotations[0, done.clip.rig.spine[-1]]
    assert math.degrees(2.0 * math.acos(min(1.0, abs(bent[0])))) <= 0.1


MISSING = {
    "shoulders": ("shoulder.L", "shoulder.R"),
    "toes": ("toe.L", "toe.R"),
    "hands": ("hand.L", "hand.R"),
    "neck": ("neck",),
}


@pytest.mark.parametrize("what", sorted(MISSING))
def test_what_the_source_lacks_stays_at_rest_and_is_named(what):
    source = rig_of_skeleton(without(person_skeleton(), *MISSING[what]))
    clip = wild_clip(source)
    done = retarget_clip(clip, PERSON, FREE)
    stayed = {item.bone: item.reason for item in done.report.stayed}
    lost = set() if what == "neck" else set(MISSING[what])
    assert set(stayed) == lost
    assert all("source has no" in reason for reason in stayed.values())
    index = [PERSON.skeleton.index[name] for name in lost]
    assert np.abs(done.channels.rotations[:, index, 1:]).max(initial=0.0) == 0.0
    assert np.median(direction_errors(clip, done.clip)) <= 1e-3


@pytest.mark.parametrize("what", sorted(MISSING))
def test_what_the_target_lacks_is_named_too(what):
    target = rig_of_skeleton(without(person_skeleton(), *MISSING[what]))
    done = retarget_clip(wild_clip(PERSON), target, FREE)
    unused = set() if what == "neck" else set(MISSING[what])
    assert unused <= set(done.report.unused)


def fingers(skeleton: Skeleton, count: int, ending: str = "") -> Skeleton:
    """A person with an index finger of so many bones on each hand."""
    bones = list(skeleton.bones)
    for side in "LR":
        above = skeleton.index[f"hand.{side}"]
        rest = bones[above].rest.copy()
        for k in range(count):
            rest = rest @ Matrix.Translation((0.0, bones[above].length if k == 0 else 0.03, 0.0))
            name = f"index.{k + 1:02d}{ending if k == count - 1 else ''}.{side}"
            bones.append(Bone(name, len(bones) - 1 if k else above, rest.copy(), 0.03))
    return Skeleton(tuple(bones))


@pytest.mark.parametrize(("theirs", "ours", "ending"), [(3, 3, ""), (3, 4, ""), (3, 4, "_end"), (4, 3, "")])
def test_fingers_curl_by_position_and_a_further_tip_stays(theirs, ours, ending):
    source = rig_of_skeleton(fingers(person_skeleton(), theirs))
    target = rig_of_skeleton(rolled(fingers(person_skeleton(), ours, ending)))
    clip = still_clip(source)
    chain = [source.skeleton.index[f"index.{k + 1:02d}.L"] for k in range(theirs)]
    hand = np.array(source.skeleton.bones[source.skeleton.index["hand.L"]].rest.to_3x3().col[0])
    for k, bone in enumerate(chain):
        angle = math.radians(60.0) * (k + 1) / theirs
        head = np.array(source.skeleton.bones[bone].head)
        clip.moved[:, bone] = about_point(hand[None] * angle, head)
    done = retarget_clip(clip, target, FREE)
    last = max(i for name, i in target.skeleton.index.items() if name.startswith("index") and name.endswith(".L"))
    turn = Matrix(done.clip.moved[0, last, :3, :3].tolist()).to_quaternion()
    assert math.degrees(turn.angle) == pytest.approx(60.0, abs=0.1)


@pytest.mark.parametrize("skeleton", [dog_skeleton, spider_skeleton])
def test_any_number_of_legs_goes_to_a_body_of_its_kind(skeleton):
    rig = rig_of_skeleton(skeleton())
    other = rig_of_skeleton(rolled(skeleton()))
    clip = wild_clip(rig, amount=0.2)
    done = retarget_clip(clip, other, FREE)
    assert np.abs(joints(done.clip) - joints(clip)).max() <= 1e-4


def test_a_person_on_a_dog_leads_its_body_and_says_what_stays():
    dog = rig_of_skeleton(dog_skeleton())
    clip = wild_clip(PERSON)
    matching = match_rests(PERSON, dog)
    done = retarget_clip(clip, dog)
    assert np.isfinite(done.clip.moved).all()
    assert any("no leg" in item.reason for item in matching.stayed)


def test_two_poses_that_are_set_alike_are_the_same_one():
    target = rig_of_skeleton(rolled(arms_at(person_skeleton(), 0.78)))
    theirs, ours = wild_clip(PERSON, seed=2), wild_clip(target, seed=3)
    reference = Reference(theirs.moved[37], ours.moved[12])
    done = retarget_clip(theirs, target, FREE, reference)
    assert np.abs(done.clip.moved[37, :, :3, :3] - ours.moved[12, :, :3, :3]).max() <= 1e-5
    # Later frames follow with the change from there.
    change = theirs.moved[60, :, :3, :3] @ theirs.moved[37, :, :3, :3].transpose(0, 2, 1)
    i, j = PERSON.skeleton.index["forearm.L"], target.skeleton.index["forearm.L"]
    assert np.abs(change[i] @ ours.moved[12, j, :3, :3] - done.clip.moved[60, j, :3, :3]).max() <= 1e-5


def test_order_of_bones_decides_nothing():
    clip = wild_clip(PERSON)
    skeleton = person_skeleton()
    order = sorted(range(len(skeleton)), key=lambda i: (len(list(skeleton.ancestors(i))), -i))
    place = {i: k for k, i in enumerate(order)}
    bones = []
    for i in order:
        bone = skeleton.bones[i]
        parent = place[bone.parent] if bone.parent >= 0 else -1
        bones.append(Bone(bone.name, parent, bone.rest, bone.length, bone.connected))
    shuffled = rig_of_skeleton(Skeleton(tuple(bones)))
    moved = clip.moved[:, order]
    names = [bone.name for bone in skeleton.bones]
    done = retarget_clip(Clip(shuffled, clip.fps, moved), PERSON, FREE)
    assert np.abs(joints(done.clip, names) - joints(clip, names)).max() <= 1e-5
