"""Root motion: travel comes onto a carrier, goes back, is taken out; the body stays where it was."""

from __future__ import annotations

from math import pi, radians, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.moved_rigs import PERSON, Y_UP, act, curve, curve_paths, moved_about, person, points, worlds

PELVIS = (0.0, 0.0, 0.95)
BODY = ("pelvis", "head", "hand.L", "toe.R")
AXES = {"": (None, 1.0), "Y up, 0.01": (Y_UP, 0.01), "100 times": (None, 100.0), "Y up": (Y_UP, 1.0)}


def walking(rig: bpy.types.Object, count: int = 60, *, turn=None, scale: float = 1.0, sway: float = 0.0, yaw=None):
    """A walk along -Y with an uneven speed and a bounce of 6 cm, all on the pelvis; two strides."""
    times = np.arange(count, dtype=np.float64)

    def place(t: float) -> tuple[float, float, float]:
        return sway * sin(2 * pi * t / 30), -0.05 * t - 0.02 * sin(2 * pi * t / 15), 0.95 + 0.03 * sin(2 * pi * t / 15)

    moves = moved_about(place, yaw or (lambda t: 0.05 * sin(2 * pi * t / 30)), PELVIS, times)
    swing = [Matrix.Translation(PELVIS) @ Matrix.Rotation(0.5 * sin(2 * pi * t / 30), 4, "X") for t in times]
    down = Matrix.Translation([-number for number in PELVIS])
    thigh = [m @ s @ down for m, s in zip(moves, swing, strict=True)]
    return act(rig, {"pelvis": moves, "thigh.L": thigh}, turn=turn, scale=scale)


@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("carrier", ["ROOT_BONE", "OBJECT"])
def test_extracted_the_body_stays_where_it_was_on_every_frame(carrier: str, axes: str):
    from surefoot.addon.root_motion import root_extract

    turn, scale = AXES[axes]
    rig = person(turn=turn, scale=scale)
    walking(rig, turn=turn, scale=scale)
    frames = range(1, 61)
    before = worlds(rig, BODY, frames)
    result = root_extract(rig, carrier=carrier)
    assert result.notes == ()
    assert np.abs(points(worlds(rig, BODY, frames)) - points(before)).max() < 1e-4
    carried = worlds(rig, ["root"], frames)[:, 0, :3, 3]
    travelled = (before[-1, 0, :3, 3] - before[0, 0, :3, 3]) * [1, 1, 0]
    assert carried[-1] - carried[0] == pytest.approx(travelled, abs=1e-4)
    assert np.abs(carried[:, 2]).max() < 1e-5


def test_the_root_is_keyed_linearly_on_every_sampled_frame():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    walking(rig)
    root_extract(rig)
    keyed = curve(rig, 'pose.bones["root"].location', 1)
    assert [key.co.x for key in keyed.keyframe_points] == list(range(1, 61))
    assert {key.interpolation for key in keyed.keyframe_points} == {"LINEAR"}


def test_the_pelvis_keeps_its_bounce_and_the_root_stays_on_the_floor():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    walking(rig)
    root_extract(rig)
    found = worlds(rig, ["pelvis", "root"], range(1, 61))[..., :3, 3]
    assert np.ptp(found[:, 0, 2]) == pytest.approx(0.06, abs=1e-3)
    assert np.abs(found[:, 1, 2]).max() < 1e-6
    relative = found[:, 0] - found[:, 1]
    assert np.ptp(relative[:, :2], axis=0).max() < 1e-4


def test_smoothed_the_root_goes_evenly_and_the_sway_stays_on_the_pelvis():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    walking(rig, sway=0.04)
    before = worlds(rig, BODY, range(1, 61))
    root_extract(rig, smooth=True, smooth_seconds=30 / 24)
    found = worlds(rig, [*BODY, "root"], range(1, 61))
    assert np.abs(points(found[:, :-1]) - points(before)).max() < 1e-4
    root, pelvis = found[:, -1, :3, 3], found[:, 0, :3, 3]
    assert np.ptp(root[:, 0]) < 2 * 0.005
    assert np.ptp((pelvis - root)[:, 0]) == pytest.approx(0.08, abs=0.01)


def test_two_and_a_half_turns_are_one_even_curve_to_900_degrees():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    rig.pose.bones["root"].rotation_mode = "XYZ"
    walking(rig, 121, yaw=lambda t: radians(900.0) * t / 120)
    before = worlds(rig, BODY, range(1, 122))
    root_extract(rig)
    yaw = curve(rig, 'pose.bones["root"].rotation_euler', 2)
    values = np.degrees([key.co.y for key in yaw.keyframe_points])
    assert values[-1] - values[0] == pytest.approx(900.0, abs=0.01)
    assert np.diff(values).min() > 0.0
    assert np.diff(values).max() < 30.0
    assert np.abs(points(worlds(rig, BODY, range(1, 122))) - points(before)).max() < 1e-4


@pytest.mark.parametrize("carrier", ["ROOT_BONE", "OBJECT"])
def test_put_back_the_motion_is_the_one_before(carrier: str):
    from surefoot.addon.root_motion import root_extract, root_put_back

    rig = person()
    rig.location, rig.rotation_quaternion = (1.0, 2.0, 0.0), Quaternion((0, 0, 1), 0.7)
    walking(rig)
    frames = range(1, 61)
    names = [plan.name for plan in PERSON]
    before, stood = worlds(rig, names, frames), rig.matrix_world.copy()
    channels = [curve(rig, 'pose.bones["pelvis"].location', i) for i in range(3)]
    values = np.array([[key.co.y for key in item.keyframe_points] for item in channels])
    root_extract(rig, carrier=carrier, axes=frozenset({"X", "Y", "Z", "YAW"}))
    assert np.ptp(worlds(rig, ["pelvis"], frames)[:, 0, :3, 3], axis=0)[2] == pytest.approx(0.06, abs=1e-3)
    root_put_back(rig, carrier=carrier, axes=frozenset({"X", "Y", "Z", "YAW"}))
    assert np.abs(worlds(rig, names, frames) - before).max() < 1e-5
    assert np.abs(np.array(rig.matrix_world) - np.array(stood)).max() < 1e-5
    channels = [curve(rig, 'pose.bones["pelvis"].location', i) for i in range(3)]
    assert np.abs(np.array([[key.co.y for key in item.keyframe_points] for item in channels]) - values).max() < 1e-5


def test_travel_on_the_object_comes_in_one_piece_onto_the_root_bone_by_way_of_the_pelvis():
    from surefoot.addon.root_motion import root_extract, root_put_back

    rig = person()
    bob = moved_about(lambda t: (0, 0, 0.95 + 0.02 * sin(t)), lambda _: 0.0, PELVIS, np.arange(49.0))
    action = act(rig, {"pelvis": bob})
    from surefoot.addon.key_writing import write_keys
    from surefoot.addon.pose_channels import Channel
    from surefoot.addon.saved_state import channelbag_of

    bag = channelbag_of(action, rig.animation_data.action_slot)
    write_keys(bag, [Channel("location", 1, "")], np.array([1.0, 49.0]), np.array([[0.0], [-4.0]]))
    before = worlds(rig, BODY, range(1, 50))
    root_put_back(rig, carrier="OBJECT")
    assert np.abs(points(worlds(rig, BODY, range(1, 50))) - points(before)).max() < 1e-4
    assert np.abs(np.array(rig.matrix_world.translation)).max() < 1e-6
    root_extract(rig, carrier="ROOT_BONE")
    found = worlds(rig, [*BODY, "root"], range(1, 50))
    assert np.abs(points(found[:, :-1]) - points(before)).max() < 1e-4
    assert found[-1, -1, 1, 3] == pytest.approx(-4.0, abs=1e-4)


def idle(rig: bpy.types.Object, count: int = 97):
    """A body that sways by 5 cm to each side, ending at another phase than it began, over feet that stay."""
    from support.moved_rigs import standing

    return standing(rig, lambda t: (0.05 * sin(2 * pi * t / 64), 0.0, -0.06), count)


def test_an_idle_that_sways_over_its_feet_is_unchanged_in_place():
    from surefoot.addon.root_motion import in_place

    rig = person()
    idle(rig)
    names, frames = ["pelvis", "foot.L", "foot.R"], range(1, 98)
    before = worlds(rig, names, frames)
    assert np.ptp(before[:, 1, :3, 3], axis=0).max() < 1e-5
    in_place(rig)
    after = worlds(rig, names, frames)
    assert np.ptp(after[:, 1:, :3, 3], axis=0).max() < 0.002
    assert np.ptp(after[:, 0, 0, 3]) == pytest.approx(0.1, abs=0.002)


def test_in_place_a_walk_stays_near_its_start_and_keeps_bounce_and_sway():
    from surefoot.addon.root_motion import in_place, root_extract

    rig = person()
    walking(rig, 121, sway=0.04)
    extracted = rig.animation_data.action
    for first in (False, True):
        rig.animation_data.action = extracted
        if first:
            root_extract(rig)
        in_place(rig)
        found = worlds(rig, ["pelvis", "root"], range(1, 122))[..., :3, 3]
        assert np.ptp(found[:, 0, 1]) < 0.25
        assert np.ptp(found[:, 0, 0]) == pytest.approx(0.08, abs=0.02)
        assert np.ptp(found[:, 0, 2]) == pytest.approx(0.06, abs=1e-3)
        assert np.ptp(found[:, 1], axis=0).max() < 1e-5


def test_a_walk_in_a_bend_is_made_straight_along_its_first_direction_or_an_axis():
    from surefoot.addon.root_motion import straighten_heading

    rig = person()
    times = np.arange(121.0)

    def bend(t: float) -> tuple[float, float, float]:
        angle = radians(90.0) * t / 120
        return 3.0 * (1.0 - np.cos(angle)), -3.0 * np.sin(angle), 0.95

    source = act(rig, {"pelvis": moved_about(bend, lambda t: radians(90.0) * t / 120, PELVIS, times)})
    for toward, wanted in (("FIRST", (0.0, -1.0)), ("X", (1.0, 0.0)), ("-Y", (0.0, -1.0))):
        rig.animation_data.action = source
        straighten_heading(rig, toward=toward)
        way = worlds(rig, ["pelvis"], range(1, 122))[:, 0, :2, 3]
        gone = way[-1] - way[0]
        assert gone / np.linalg.norm(gone) == pytest.approx(wanted, abs=0.06 if toward == "FIRST" else 1e-4)
        assert np.linalg.norm(gone) == pytest.approx(radians(90.0) * 3.0, rel=0.02)


def test_climbing_is_taken_out_and_the_bounce_stays():
    from surefoot.addon.root_motion import remove_lift

    rig = person()
    times = np.arange(121.0)
    moves = moved_about(
        lambda t: (0.0, -0.05 * t, 0.95 + 0.01 * t + 0.03 * sin(2 * pi * t / 15)), lambda _: 0.0, PELVIS, times
    )
    source = act(rig, {"pelvis": moves})
    remove_lift(rig)
    heights = worlds(rig, ["pelvis"], range(1, 122))[:, 0, 2, 3]
    assert heights[-1] - heights[0] == pytest.approx(0.0, abs=0.05)
    assert np.ptp(heights[30:90]) == pytest.approx(0.06, abs=0.01)
    rig.animation_data.action = source
    remove_lift(rig, keep_bounce=False)
    assert np.ptp(worlds(rig, ["pelvis"], range(1, 122))[:, 0, 2, 3]) < 1e-4


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_a_root_bone_is_added_when_asked_for_and_nothing_else_moves(scale: float):
    from surefoot.addon.root_motion import root_extract

    rig = person(root=False, scale=scale)
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("Root", "root", "Root.001"):
        extra = rig.data.edit_bones.new(name)
        extra.head, extra.tail = (0.5 / scale, 0.5 / scale, 0.0), (0.5 / scale, 0.6 / scale, 0.0)
        extra.parent = rig.data.edit_bones["hand.L"]
    bpy.ops.object.mode_set(mode="OBJECT")
    walking(rig, scale=scale)
    names, rests = [bone.name for bone in rig.data.bones], {b.name: b.matrix_local.copy() for b in rig.data.bones}
    before = worlds(rig, names, range(1, 61))
    root_extract(rig, carrier="ROOT_BONE", add_root=True)
    added = rig.data.bones[next(iter({bone.name for bone in rig.data.bones} - set(names)))]
    assert rig.mode == "OBJECT"
    assert {bone.name for bone in rig.data.bones if bone.parent is None} == {added.name}
    assert all(np.abs(np.array(rig.data.bones[n].matrix_local - rests[n])).max() < 1e-5 / scale for n in names)
    assert np.abs(points(worlds(rig, names, range(1, 61))) - points(before)).max() < 1e-3
    assert 0.05 * 1.8 < added.length * scale < 0.3 * 1.8
    along = (rig.matrix_world.to_3x3() @ (added.tail_local - added.head_local)).normalized()
    assert along.to_tuple(5) == (0.0, 1.0, 0.0)
    assert (rig.matrix_world @ added.head_local).z == pytest.approx(0.02, abs=0.03)
    carried, body = worlds(rig, [added.name], range(1, 61))[:, 0, 1, 3], before[:, names.index("pelvis"), 1, 3]
    assert carried[-1] - carried[0] == pytest.approx(body[-1] - body[0], abs=1e-3)


def test_no_root_bone_is_added_unasked_or_to_armature_data_that_others_use():
    from surefoot.addon.refusal import RefusedError
    from surefoot.addon.root_motion import root_extract

    rig = person(root=False)
    action = walking(rig)
    root_extract(rig)
    assert "Root" not in rig.data.bones
    rig.animation_data.action = action
    bpy.data.objects.new("Other", rig.data)
    with pytest.raises(RefusedError, match="used by other objects"):
        root_extract(rig, carrier="ROOT_BONE", add_root=True)
    assert "Root" not in rig.data.bones


def test_locked_channels_are_neither_changed_nor_keyed_and_the_loss_is_said():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    walking(rig)
    rig.pose.bones["root"].lock_location[1] = True
    result = root_extract(rig, axes=frozenset({"X", "Y"}))
    assert curve(rig, 'pose.bones["root"].location', 1) is None
    assert any("root" in note for note in result.notes)


def test_curves_that_lead_nowhere_are_kept():
    from surefoot.addon.root_motion import root_extract
    from surefoot.addon.saved_state import channelbag_of

    rig = person()
    action = walking(rig)
    bag = channelbag_of(action, rig.animation_data.action_slot)
    lost = [('pose.bones["gone"].location', 0), ("location", 7), ('pose.bones["pelvis"].location', 9)]
    for path, index in lost:
        bag.fcurves.new(path, index=index).keyframe_points.insert(5, 1.0)
    bag.fcurves.new('["empty"]')
    root_extract(rig)
    assert all(curve(rig, path, index) is not None for path, index in [*lost, ('["empty"]', 0)])


def test_an_object_under_a_turned_and_scaled_parent_carries_the_travel_as_well():
    from surefoot.addon.root_motion import root_extract, root_put_back

    rig = person()
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.matrix_world = Matrix.Translation((3, 1, 0)) @ Matrix.Rotation(0.8, 4, "Z") @ Matrix.Scale(2.0, 4)
    rig.parent = parent
    walking(rig)
    frames = range(1, 61)
    before = worlds(rig, BODY, frames)
    assert root_extract(rig, carrier="OBJECT").notes == ()
    assert np.abs(points(worlds(rig, BODY, frames)) - points(before)).max() < 1e-4
    root_put_back(rig, carrier="OBJECT")
    assert np.abs(points(worlds(rig, BODY, frames)) - points(before)).max() < 1e-4


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_rigify_controls_carry_travel_and_every_bone_of_the_body_stays(kind: str):
    from support.rigify_rigs import generated_rig
    from support.stage import add_ground
    from surefoot.addon.bake import BakeOptions, bake
    from surefoot.addon.root_motion import in_place, root_extract
    from surefoot.addon.setup import setup
    from surefoot.addon.travel_stage import reading_of

    add_ground()
    rig = generated_rig(kind)
    setup(rig, bpy.context.scene)
    rig.surefoot.travel, rig.surefoot.preview = "OBJECT", True
    bake(rig, BakeOptions(1, 30))
    names = [bone.name for bone in reading_of(rig).rig.skeleton.bones if bone.name != "root"]
    before, keyed = worlds(rig, names, range(1, 31)), curve_paths(rig)
    result = root_extract(rig, carrier="ROOT_BONE")
    assert result.notes == ()
    assert np.abs(points(worlds(rig, names, range(1, 31))) - points(before)).max() < 1e-4
    mechanism = ('pose.bones["DEF-', 'pose.bones["ORG-', 'pose.bones["MCH-')
    assert not any(path.startswith(mechanism) for path in curve_paths(rig) - keyed)
    in_place(rig)
    found = worlds(rig, ["root", "torso"], range(1, 31))[..., :3, 3]
    assert np.ptp(found[:, 0], axis=0).max() < 1e-4
    assert np.ptp(found[:, 1, :2], axis=0).max() < 0.35


def test_a_dog_s_travel_is_carried_as_a_person_s_is():
    from support.stage import add_ground, add_person
    from surefoot.addon.bake import BakeOptions, bake
    from surefoot.addon.root_motion import root_extract, root_put_back

    add_ground()
    rig = add_person("DOG")
    rig.surefoot.travel, rig.surefoot.preview = "OBJECT", True
    bake(rig, BakeOptions(1, 40))
    names = [bone.name for bone in rig.data.bones if bone.name != "root"]
    before = worlds(rig, names, range(1, 41))
    root_put_back(rig, carrier="OBJECT")
    root_extract(rig, smooth=True)
    after = worlds(rig, [*names, "root"], range(1, 41))
    assert np.abs(points(after[:, :-1]) - points(before)).max() < 1e-4
    assert after[-1, -1, 1, 3] - after[0, -1, 1, 3] == pytest.approx(before[-1, 0, 1, 3] - before[0, 0, 1, 3], abs=0.1)


@pytest.mark.parametrize("hindrance", ["constraint", "driver", "lock", "connected"])
def test_a_pelvis_that_something_else_places_is_refused_and_named(hindrance: str):
    from surefoot.addon.refusal import RefusedError
    from surefoot.addon.root_motion import in_place

    rig = person()
    walking(rig)
    pelvis = rig.pose.bones["pelvis"]
    if hindrance == "constraint":
        target = bpy.data.objects.new("Target", None)
        bpy.context.scene.collection.objects.link(target)
        target.location = (0.0, 0.0, 3.0)
        limit = pelvis.constraints.new("COPY_LOCATION")
        limit.target, limit.influence = target, 0.5
    elif hindrance == "driver":
        pelvis.driver_add("location", 0)
    elif hindrance == "lock":
        pelvis.lock_location = (True, True, True)
    else:
        bpy.ops.object.mode_set(mode="EDIT")
        rig.data.edit_bones["root"].tail = rig.data.edit_bones["pelvis"].head
        rig.data.edit_bones["pelvis"].use_connect = True
        bpy.ops.object.mode_set(mode="OBJECT")
        rig.location = (0.0, 0.0, 0.0)
        way = moved_about(lambda t: (0.1 * sin(t / 4), -0.05 * t, 0), lambda _: 0.0, (0, 0, 0), np.arange(60.0))
        act(rig, {"root": way})
    count = len(bpy.data.actions)
    with pytest.raises(RefusedError, match=r"pelvis cannot be kept"):
        in_place(rig)
    assert len(bpy.data.actions) == count


def test_what_repeats_goes_on_repeating_with_its_travel_on_the_root():
    from surefoot.addon.join_loop import join_loop
    from surefoot.addon.root_motion import root_extract

    rig = person()
    walking(rig, 31)
    join_loop(rig, last_frame="FIRST_AGAIN", extrapolation="CYCLE")
    before = worlds(rig, BODY, range(1, 92, 7))
    root_extract(rig)
    assert np.abs(points(worlds(rig, BODY, range(1, 92, 7))) - points(before)).max() < 2e-4
    root = worlds(rig, ["root"], [1, 91])[:, 0, 1, 3]
    assert root[1] - root[0] == pytest.approx(-0.05 * 90, abs=0.02)
