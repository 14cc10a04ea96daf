"""A rig with constraints of its own: what is seen is what the clip has as far as they let it, and they stay."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix
from support.retargeting import wild_clip
from support.stage import add_person
from support.written_clips import farthest, played, reading_of, values_of, written

AS_SHOWN = 3e-5


@pytest.fixture
def rig():
    bpy.context.scene.render.fps = 60
    return add_person()


def add_mark(place=(0.4, -0.2, 0.3)):
    mark = bpy.data.objects.new("Mark", None)
    bpy.context.scene.collection.objects.link(mark)
    mark.matrix_world = Matrix.LocRotScale(place, Euler((0.3, -0.2, 0.5)), None)
    bpy.context.view_layer.update()
    return mark


def turns_off(shown, clip, name):
    """How far a bone is turned from where the clip has it, degrees, (F,)."""
    i = clip.rig.skeleton.index[name]
    between = np.swapaxes(shown.rotation(i), 1, 2) @ clip.rotation(i)
    return np.degrees(np.arccos(np.clip(0.5 * (np.trace(between, axis1=1, axis2=2) - 1.0), -1.0, 1.0)))


def constraints_of(rig):
    return [
        (bone.name, item.name, item.type, item.mute, item.influence)
        for bone in rig.pose.bones
        for item in bone.constraints
    ]


def test_a_child_of_another_object_with_an_inverse_ends_where_the_clip_has_it(rig):
    mark = add_mark()
    bones = rig.pose.bones
    for name, influence in (("hand.L", 1.0), ("foot.R", 1.0), ("pelvis", 1.0), ("head", 0.4)):
        item = bones[name].constraints.new("CHILD_OF")
        item.target, item.influence = mark, influence
        item.inverse_matrix = Matrix.Translation((0.1, 0.0, 0.0)) @ Matrix.Rotation(0.4, 4, "X")
    bpy.context.view_layer.update()
    before = constraints_of(rig)
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    # A foot and a hand that are connected cannot leave their places; their turn is had all the same.
    done = written(rig, reading, clip, travel="PELVIS")
    shown = played(rig, reading, range(1, 21))
    for name in ("pelvis", "chest", "hand.R", "foot.L"):
        i = reading.rig.skeleton.index[name]
        assert np.abs(shown.moved[:, i] - clip.moved[:, i]).max() < 1e-3, (name, done.notes)
    for name in ("hand.L", "foot.R", "head"):
        assert turns_off(shown, clip, name).max() < 0.5, name
    assert constraints_of(rig) == before


def test_within_the_limits_of_a_constraint_the_bone_is_where_the_clip_has_it_and_beyond_it_is_said(rig):
    item = rig.pose.bones["foot.L"].constraints.new("LIMIT_ROTATION")
    item.use_limit_x, item.min_x, item.max_x = True, radians(-6.0), radians(6.0)
    item.owner_space = "LOCAL"
    reading = reading_of(rig)
    free = wild_clip(reading.rig, 40, amount=0.05)
    assert written(rig, reading, free).notes == ()
    assert farthest(played(rig, reading, range(1, 41)), free) < AS_SHOWN
    clip = wild_clip(reading.rig, 40, amount=0.9)
    done = written(rig, reading, clip)
    shown = played(rig, reading, range(1, 41))
    off = turns_off(shown, clip, "foot.L")
    assert off.min() < 0.05
    assert off.max() > 5.0
    assert turns_off(shown, clip, "toe.L").max() < 0.1
    note = next(note for note in done.notes if note.startswith("foot.L"))
    assert f"{off.max():.1f} degrees" in note
    assert not item.mute


def test_what_a_constraint_decides_alone_is_said_and_its_children_still_turn_as_the_clip_has_them(rig):
    mark = add_mark()
    rig.pose.bones["chest"].constraints.new("COPY_ROTATION").target = mark
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    done = written(rig, reading, clip)
    shown = played(rig, reading, range(1, 21))
    assert any(note.startswith("chest") and "Copy Rotation" in note for note in done.notes)
    for name in ("neck", "head", "upper_arm.L", "hand.R", "foot.L", "pelvis"):
        assert turns_off(shown, clip, name).max() < 0.05, name
    located = {path.split('"')[1] for path, _ in values_of(rig) if path.endswith(".location") and "pose" in path}
    assert located <= {"root", "pelvis"}


def test_a_leg_that_ik_bends_in_part_is_said_and_its_foot_still_turns_as_the_clip_has_it(rig):
    mark = add_mark((0.2, -0.3, 0.4))
    item = rig.pose.bones["shin.L"].constraints.new("IK")
    item.target, item.chain_count, item.influence = mark, 2, 0.3
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20, amount=0.3)
    done = written(rig, reading, clip)
    shown = played(rig, reading, range(1, 21))
    assert turns_off(shown, clip, "foot.L").max() < 0.05
    i = reading.rig.skeleton.index["shin.L"]
    knee = reading.rig.skeleton.bones[i].head
    away = np.linalg.norm(shown.place(i, knee) - clip.place(i, knee), axis=-1).max()
    note = next(note for note in done.notes if note.startswith("shin.L"))
    assert "'IK'" in note
    assert f"{100.0 * away:.1f} cm" in note
    assert (item.influence, item.mute) == (pytest.approx(0.3), False)


def test_muted_constraints_drivers_and_their_order_are_left_as_they_are(rig):
    mark, hand = add_mark(), rig.pose.bones["hand.L"]
    muted = hand.constraints.new("COPY_ROTATION")
    muted.target, muted.mute = mark, True
    off = hand.constraints.new("COPY_LOCATION")
    off.target, off.influence = mark, 0.0
    driver = rig.pose.bones["toe.R"].driver_add("rotation_quaternion", 2)
    driver.driver.expression = "0.1"
    before = constraints_of(rig)
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    done = written(rig, reading, clip)
    assert constraints_of(rig) == before
    assert len(rig.animation_data.drivers) == 1
    shown = played(rig, reading, range(1, 21))
    toe = reading.rig.skeleton.index["toe.R"]
    others = [i for i in range(1, len(reading.rig.skeleton)) if i != toe]
    assert np.abs(shown.moved - clip.moved)[:, others].max() < AS_SHOWN
    assert [note for note in done.notes if "toe.R" in note]
    assert len(done.notes) == 1
