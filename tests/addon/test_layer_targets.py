"""What a layer aims at may hang on a character by a constraint: shown, scrubbed and baked are then the same."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.stage import add_ground, add_person, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.layers import layer_add
from surefoot.addon.order import hangs_on_itself, leader_of, seen_of
from surefoot.addon.performers import performers


def hung_ball(kind: str, rig: bpy.types.Object, bone: str) -> bpy.types.Object:
    """An empty that hangs on a bone by a constraint of a kind, or by its parent."""
    ball = bpy.data.objects.new("Ball", None)
    bpy.context.scene.collection.objects.link(ball)
    if kind == "PARENT":
        ball.parent, ball.parent_type, ball.parent_bone = rig, "BONE", bone
        return ball
    item = ball.constraints.new(kind)
    holder = item.targets.new() if kind == "ARMATURE" else item
    holder.target, holder.subtarget = rig, bone
    return ball


def assert_played_is_scrubbed_refilled_and_baked(rig: bpy.types.Object, last: int = 30) -> None:
    played = {frame: pose_at(rig, frame) for frame in range(1, last + 1)}
    for frame in (last, 7, 18, 19, last):
        assert np.array_equal(pose_at(rig, frame), played[frame])
    performers.get(rig.session_uid).cache.clear()
    assert np.array_equal(pose_at(rig, 24), played[24])
    bake(rig, BakeOptions(1, last))
    for frame in (1, 2, 13, 24, last):
        assert pose_at(rig, frame) == pytest.approx(played[frame], abs=1e-5)


@pytest.mark.parametrize("kind", ["CHILD_OF", "COPY_LOCATION", "COPY_TRANSFORMS", "ARMATURE"])
def test_a_target_constrained_to_another_s_hand_is_baked_as_it_was_shown(kind: str):
    add_ground()
    rig, other = add_person(), add_person(place=(1.2, -0.2, 0.0))
    layer_add(rig, "LOOK_AT", target=hung_ball(kind, other, "hand.R"))
    rig.surefoot.preview = other.surefoot.preview = True
    assert_played_is_scrubbed_refilled_and_baked(rig)


@pytest.mark.parametrize("kind", ["CHILD_OF", "COPY_LOCATION", "PARENT"])
def test_a_target_constrained_to_the_own_hand_is_baked_as_it_was_shown(kind: str):
    rig = previewed_person()
    layer_add(rig, "REACH", target=hung_ball(kind, rig, "hand.L"))
    assert_played_is_scrubbed_refilled_and_baked(rig)


def test_a_target_on_an_empty_that_is_constrained_hangs_on_that_character():
    add_ground()
    rig, other = add_person(), add_person(place=(1.2, -0.2, 0.0))
    child = bpy.data.objects.new("Child", None)
    child.parent = hung_ball("CHILD_OF", other, "head")
    layer_add(rig, "LOOK_AT", target=child)
    cast = {item.session_uid: item for item in (rig, other)}
    assert seen_of(rig, bpy.context.scene, cast) == ((other.session_uid, False),)
    child.parent.constraints[0].mute = True
    assert seen_of(rig, bpy.context.scene, cast) == ()


def test_constraints_in_a_circle_end():
    rig = previewed_person()
    one, two = hung_ball("COPY_LOCATION", rig, "head"), hung_ball("COPY_ROTATION", rig, "head")
    one.constraints[0].target, two.constraints[0].target = two, one
    layer_add(rig, "LOOK_AT", target=one)
    assert not hangs_on_itself(rig, bpy.context.scene)
    two.constraints.new("CHILD_OF").target = rig
    assert hangs_on_itself(rig, bpy.context.scene)


def test_who_follows_what_is_constrained_to_another_s_hand_is_baked_as_shown():
    add_ground()
    rig, other = add_person(), add_person(place=(1.2, -2.0, 0.0))
    rig.surefoot.director, rig.surefoot.target = "TARGET", hung_ball("COPY_LOCATION", other, "hand.R")
    rig.surefoot.preview = other.surefoot.preview = True
    assert leader_of(rig, {item.session_uid: item for item in (rig, other)}) == (other.session_uid, False)
    assert_played_is_scrubbed_refilled_and_baked(rig)


def test_a_target_that_only_turns_to_another_is_not_carried_by_it():
    add_ground()
    rig, other = add_person(), add_person(place=(1.2, -2.0, 0.0))
    ball = bpy.data.objects.new("Ball", None)
    ball.constraints.new("TRACK_TO").target = other
    rig.surefoot.director, rig.surefoot.target = "TARGET", ball
    assert leader_of(rig, {item.session_uid: item for item in (rig, other)}) is None
