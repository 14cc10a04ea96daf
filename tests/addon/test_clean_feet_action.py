"""Feet of an Action are held in a new Action beside it; what is written is what counts, between frames too."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.file_contents import contents, differences
from support.sliding_walks import keys_of, knees, reading_of, shown_clip, slides, sliding_person
from support.stage import add_person
from surefoot.addon.clean_feet import CleanOptions, clean_feet
from surefoot.addon.refusal import RefusedError
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.clean_feet import contacts_of as contacts
from surefoot.core.retarget.retarget import retarget_clip


def cleaned(rig, action=None, **options):
    return clean_feet(rig, action, options=CleanOptions(**options))


def action_of(rig):
    return rig.animation_data.action


@pytest.fixture(params=["PELVIS", "ROOT_BONE", "OBJECT"])
def rig(request):
    """A sliding person whose travel lies on the pelvis, the root bone or the object."""
    return sliding_person(request.param)


def test_feet_that_slid_stand_in_what_is_written(rig):
    before = shown_clip(rig)
    result = cleaned(rig)
    after, found = shown_clip(rig), contacts(before)
    assert action_of(rig).name == result.action == "Walk Clean"
    for was, now, foot in zip(slides(before, found), slides(after, found), result.report.feet, strict=True):
        assert was >= 0.02
        assert now <= min(0.003, was / 5.0)
        assert foot.slide_before == pytest.approx(was, rel=0.15)
        assert foot.slide_after == pytest.approx(now, abs=5e-4)


def test_between_frames_no_planted_sole_moves_or_sinks(rig):
    found = contacts(shown_clip(rig))
    cleaned(rig)
    halves, whole = shown_clip(rig, 0.5), shown_clip(rig)
    for leg, each in zip(halves.rig.legs, found, strict=True):
        for place, spans in ((halves.heel(leg), each.of("heel")), (halves.ball(leg), each.of("ball"))):
            for span in spans or ():
                rows = slice(2 * int(np.ceil(span.start)), 2 * int(span.end) + 1)
                inside = place[rows, :2]
                assert np.linalg.norm(inside - np.median(inside, axis=0), axis=1).max() <= 0.003
        lowest = [min(clip.heel(leg)[:, 2].min(), clip.ball(leg)[:, 2].min()) for clip in (halves, whole)]
        assert lowest[0] >= lowest[1] - 0.001


def test_contacts_stay_within_two_frames_and_knees_do_not_pop(rig):
    before = shown_clip(rig)
    cleaned(rig)
    after = shown_clip(rig)
    for a, b in zip(contacts(before), contacts(after), strict=True):
        assert [(s.start, s.end) for s in a.foot] == [
            (pytest.approx(s.start, abs=2.0), pytest.approx(s.end, abs=2.0)) for s in b.foot
        ]
    for was, now in zip(knees(before), knees(after), strict=True):
        assert np.abs(np.diff(now)).max() <= np.abs(np.diff(was)).max() + 1.0


def test_steps_of_the_knee_at_contact_edges_are_no_larger_than_inside(rig):
    """Ramps: at most 1.5 times the largest step that the knee makes within contacts."""
    found = contacts(shown_clip(rig))
    cleaned(rig)
    for bend, each in zip(knees(shown_clip(rig)), found, strict=True):
        steps = np.abs(np.diff(bend))
        inside = max(steps[int(s.start) + 2 : int(s.end) - 2].max() for s in each.foot if s.end - s.start > 8)
        edges = [int(edge) for s in each.foot for edge in (s.start, s.end) if 2 < edge < len(steps) - 3]
        assert max(steps[edge - 2 : edge + 2].max() for edge in edges) <= 1.5 * inside + 1.0


def test_in_push_off_the_ball_stays_and_no_leg_reaches_farther_than_it_did(rig):
    before = shown_clip(rig)
    cleaned(rig)
    after, seen = shown_clip(rig), 0
    for leg, each in zip(before.rig.legs, contacts(before), strict=True):
        reach = [np.linalg.norm(c.joints(leg)[:, -1] - c.joints(leg)[:, 0], axis=1) for c in (before, after)]
        assert (reach[1] <= 1.01 * reach[0]).all()
        for span in each.of("ball") or ():
            heels = [heel.end for heel in each.of("heel") or () if heel.end < span.end]
            if heels and span.start <= max(heels) <= span.end - 4.0:
                rows = slice(int(max(heels)) + 1, int(span.end))
                assert np.ptp(after.ball(leg)[rows, :2], axis=0).max() < 0.002
                assert np.ptp(after.joints(leg)[rows, -1, 2]) > 0.02
                seen += 1
    assert seen >= 4


def test_a_second_run_changes_no_curve(rig):
    first = cleaned(rig)
    once = keys_of(bpy.data.actions[first.action])
    second = cleaned(rig)
    again = keys_of(bpy.data.actions[second.action]) if second.action else once
    assert once.keys() == again.keys()
    assert max(np.abs(again[key] - once[key]).max() for key in once) <= 1e-5


def test_only_curves_of_legs_and_body_change_and_the_former_action_stays(rig):
    former, before = action_of(rig), keys_of(action_of(rig))
    result = cleaned(rig)
    after = keys_of(bpy.data.actions[result.action])
    changed = {key for key in after if key not in before or not np.array_equal(before[key], after[key])}
    bones = {path.split('"')[1] for path, _ in changed}
    assert before.keys() <= after.keys()
    assert bones <= {"pelvis", *(f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe") for side in "LR")}
    assert len(changed) == result.curves
    assert {key: rows.tolist() for key, rows in keys_of(former).items()} == {k: v.tolist() for k, v in before.items()}
    assert former.use_fake_user


def test_frames_at_which_nothing_moves_keep_their_values_to_the_bit():
    from surefoot.addon.motion_source import read_motion
    from surefoot.core.retarget.clean_feet import clean_feet
    from surefoot.core.retarget.feet_config import CleanFeetConfig

    rig, config, feet = sliding_person(drift=0.02), CleanFeetConfig(ramp=0.02, heights="FREE"), frozenset({"leg.L"})
    before, clip = keys_of(action_of(rig)), read_motion(rig).clip
    still = (clean_feet(clip, config, feet=feet)[0].moved == clip.moved).all(axis=(1, 2, 3))
    assert 20 <= still.sum() <= len(clip) - 20
    after = keys_of(bpy.data.actions[cleaned(rig, config=config, feet=feet).action])
    for key, rows in before.items():
        assert np.array_equal(rows[still], after[key][still]), key


def test_turned_off_nothing_changes_to_the_bit():
    rig = sliding_person()
    before = contents()
    result = cleaned(rig, feet=frozenset())
    assert (result.action, result.curves) == ("", 0)
    assert result.notes == ("No foot is chosen, so nothing was held.",)
    assert contents() == before


def test_one_foot_alone_is_held():
    rig = sliding_person()
    before = shown_clip(rig)
    cleaned(rig, feet=frozenset({"leg.R"}))
    after = slides(shown_clip(rig), contacts(before))
    assert after[0] >= 0.02
    assert after[1] <= 0.003


def test_heights_are_left_where_that_is_asked_for():
    from surefoot.core.retarget.feet_config import CleanFeetConfig

    rig = sliding_person()
    before = shown_clip(rig)
    cleaned(rig, config=CleanFeetConfig(heights="FREE"))
    after = shown_clip(rig)
    for leg, each in zip(before.rig.legs, contacts(before), strict=True):
        for span in each.of("ball") or ():
            rows = slice(int(span.start) + 1, int(span.end))
            assert np.abs(after.ball(leg)[rows, 2] - before.ball(leg)[rows, 2]).max() <= 0.004


def test_replaced_the_action_itself_is_changed_and_no_other_made():
    rig = sliding_person()
    count, before = len(bpy.data.actions), keys_of(action_of(rig))
    result = cleaned(rig, replace=True)
    assert (result.action, len(bpy.data.actions)) == ("Walk", count)
    assert any(not np.array_equal(before[key], rows) for key, rows in keys_of(action_of(rig)).items())


def test_other_curves_slots_groups_and_cycles_come_along():
    rig = sliding_person()
    action = action_of(rig)
    rig["mood"] = 0.5
    rig.keyframe_insert('["mood"]', frame=7)
    other = action.slots.new("OBJECT", "Somebody Else")
    from surefoot.addon.saved_state import channelbag_of

    curve = channelbag_of(action, action.slots[0]).fcurves.find('pose.bones["thigh.L"].rotation_quaternion', index=1)
    curve.modifiers.new("CYCLES")
    curve.group.name = "My Legs"
    result = cleaned(rig)
    made = bpy.data.actions[result.action]
    bag = channelbag_of(made, next(slot for slot in made.slots if slot.identifier != other.identifier))
    new = bag.fcurves.find(curve.data_path, index=1)
    assert [slot.identifier for slot in made.slots] == [slot.identifier for slot in action.slots]
    assert bag.fcurves.find('["mood"]') is not None
    assert ([item.type for item in new.modifiers], new.group.name) == (["CYCLES"], "My Legs")


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "YZX", "AXIS_ANGLE", "QUATERNION"])
def test_rotation_modes_stay_and_between_frames_bones_go_straight_on(mode):
    rig = sliding_person(mode=mode)
    before, astray = shown_clip(rig), strays(shown_clip(rig, 0.5))
    old = keys_of(action_of(rig))
    result = cleaned(rig)
    assert max(slides(shown_clip(rig), contacts(before))) <= 0.003
    new = keys_of(bpy.data.actions[result.action])
    assert {path.rpartition(".")[2] for path, _ in new} == {path.rpartition(".")[2] for path, _ in old}
    # Axis and angle stray by themselves where the angle is small, as that of a foot is which is held flat.
    assert strays(shown_clip(rig, 0.5)) <= max(2.0 * astray, 0.002)


def strays(clip):
    """How much farther from a neighbouring frame any bone is half way to the next, than 0.75 of the way to that."""
    turns = clip.moved[:, :, :3, :3]
    step = np.abs(turns[2::2] - turns[:-2:2]).max(axis=(2, 3))
    away = np.maximum(*(np.abs(turns[1::2] - side).max(axis=(2, 3)) for side in (turns[:-2:2], turns[2::2])))
    return float((away - 0.75 * step).max())


def test_an_action_that_is_not_on_the_rig_is_cleaned_and_not_put_on():
    rig = sliding_person()
    action = action_of(rig)
    rig.animation_data.action = None
    result = cleaned(rig, action)
    assert action_of(rig) is None
    assert bpy.data.actions[result.action].use_fake_user
    rig.animation_data.action = bpy.data.actions[result.action]
    assert max(foot.slide_after for foot in result.report.feet) <= 0.003


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_any_size_and_turn_of_the_object_will_do(scale):
    rig = sliding_person(rotation_euler=(0.0, 0.0, 2.0), location=(3.0, -2.0, 0.0), scale=(scale,) * 3)
    result = cleaned(rig)
    for foot in result.report.feet:
        assert foot.slide_before > 0.0
        assert foot.slide_after <= foot.slide_before / 5.0


def carried(fps, ahead, heights, aside=0.0):
    """A person at rest who is carried along the ground and up, as an Action."""
    from surefoot.addon.action_writing import ActionOptions, write_clip
    from surefoot.core.motion.clip import Clip

    bpy.context.scene.render.fps = fps
    rig = add_person()
    reading = reading_of(rig)
    moved = np.tile(np.identity(4), (len(ahead), len(reading.rig.skeleton), 1, 1))
    moved[:, :, 0, 3] = np.broadcast_to(aside, len(ahead))[:, None]
    moved[:, :, 1, 3], moved[:, :, 2, 3] = -ahead[:, None], heights[:, None]
    bones = range(len(reading.rig.skeleton))
    write_clip(rig, reading, Clip(reading.rig, float(fps), moved), bones, ActionOptions(travel="PELVIS"))
    return rig


def test_an_idle_whose_feet_go_with_the_hips_stands():
    """Hips that sway by 10 cm in 30 frames take the feet along; held, those stay within a millimetre."""
    rig = carried(30, np.zeros(31), np.zeros(31), np.linspace(0.0, 0.1, 31))
    result = cleaned(rig)
    for foot in result.report.feet:
        assert foot.slide_before > 0.045
        assert foot.slide_after < 0.001
    assert result.notes == ()


def test_a_gliding_foot_and_a_jump_are_no_contacts_and_no_floor():
    """Planted, then 1 m/s along the ground, then both feet half a metre up for 20 frames each, then down again."""
    heights = np.concatenate([np.zeros(40), np.full(20, 0.5), np.zeros(20)])
    ahead = np.concatenate([np.zeros(20), np.arange(1, 21) / 24.0, np.full(40, 20.0 / 24.0)])
    rig = carried(24, ahead, heights)
    from surefoot.addon.motion_source import read_motion

    for each in contacts(read_motion(rig).clip):
        spans = [(span.start, span.end) for span in each.foot]
        assert spans[0] == (pytest.approx(0.0, abs=1.0), pytest.approx(19.0, abs=1.0))
        assert all(start >= 39.0 for start, _ in spans[1:])
    assert abs(cleaned(rig).report.floor) <= 0.005


def test_feet_that_never_stand_are_said_and_nothing_is_written():
    rig = carried(24, np.zeros(40), 0.5 * 9.81 * (np.arange(40) / 24.0) ** 2)
    result = cleaned(rig)
    assert result.action == ""
    assert {note for note in result.notes if "never stands" in note} == {
        f"{role} never stands still on the floor, so it was not held." for role in ("leg.L", "leg.R")
    }


def test_an_armature_without_legs_is_refused():
    from support.armatures import BonePlan, build_armature

    rig = build_armature((BonePlan("a", "", (0, 0, 0), (0, 0, 1)),))
    rig.pose.bones["a"].keyframe_insert("location", frame=1)
    with pytest.raises(RefusedError, match="has no feet to measure"):
        cleaned(rig)


def test_legs_that_constraints_move_are_refused_with_the_remedy():
    rig = sliding_person()
    item = rig.pose.bones["shin.L"].constraints.new("LIMIT_ROTATION")
    item.use_limit_x, item.owner_space = True, "LOCAL"
    before = len(bpy.data.actions)
    with pytest.raises(RefusedError, match=r"Constraints or drivers move .*shin\.L.* Bake the Action first"):
        cleaned(rig)
    assert len(bpy.data.actions) == before


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (lambda rig: rig.animation_data_clear(), "plays no Action"),
        (lambda rig: setattr(rig.animation_data, "action", bpy.data.actions.new("Empty")), "has no keys|moves no bone"),
    ],
)
def test_nothing_to_clean_is_refused(prepare, reason):
    rig = sliding_person()
    prepare(rig)
    with pytest.raises(RefusedError, match=reason):
        cleaned(rig)


def test_an_unknown_foot_is_refused_with_those_that_are_there():
    rig = sliding_person()
    with pytest.raises(RefusedError, match=r"has no foot called paw\. It has leg\.L, leg\.R"):
        cleaned(rig, feet=frozenset({"paw"}))


def test_nothing_else_in_the_file_changes():
    rig = sliding_person()
    bpy.context.scene.frame_set(40)
    before = contents()
    result = cleaned(rig, action_of(rig))
    lines = differences(before, contents())
    allowed = ("actions/Walk/", f"actions/{result.action}", f"objects/{rig.name}/animation_data.action")
    assert [line for line in lines if not line.startswith(allowed)] == []



def test_on_a_generated_control_rig_the_legs_controls_are_keyed_and_the_feet_stand():
    from support.rigify_rigs import generated_rig
    from surefoot.addon.action_writing import ActionOptions, write_clip
    from surefoot.addon.motion_source import read_motion

    bpy.context.scene.render.fps = 60
    rig = generated_rig("human")
    clip = clip_on(rig)
    reading = clip[0]
    bones = range(len(reading.rig.skeleton))
    write_clip(rig, reading, clip[1], bones, ActionOptions(name="Walk", travel="ROOT_BONE"))
    before, former = read_motion(rig).clip, keys_of(action_of(rig))
    result = cleaned(rig)
    after, new = read_motion(rig).clip, keys_of(action_of(rig))
    for was, now in zip(slides(before, contacts(before)), slides(after, contacts(before)), strict=True):
        assert was >= 0.02
        assert now <= min(0.004, was / 5.0)
    changed = {path.split('"')[1] for (path, i), rows in new.items() if not same(former.get((path, i)), rows)}
    assert not any(name.startswith(("DEF-", "ORG-", "MCH-")) for name in changed - {"MCH-shin_ik.L", "MCH-shin_ik.R"})
    # What hangs on the body goes down with it and does nothing else.
    for arm in reading.rig.arms:
        apart = np.abs(after.arm_joints(arm) - before.arm_joints(arm)).max()
        assert apart <= result.report.lowered + 0.001
    assert result.action == "Walk Clean"
    again = cleaned(rig)
    if again.action:
        latest = keys_of(action_of(rig))
        assert max(np.abs(latest[key] - rows).max() for key, rows in new.items()) <= 1e-4


def same(one, other):
    return one is not None and one.shape == other.shape and np.abs(one - other).max() < 1e-5


def clip_on(rig):
    """The person's sliding walk on a rig of another build: by retarget, then carried aside."""
    from support.performers import clip_of
    from support.sliding_walks import DRIFT
    reading = reading_of(rig)
    source = clip_of("person")
    moved = retarget_clip(Clip(source.rig, source.fps, source.moved[:150]), reading.rig).clip.moved.copy()
    moved[:, :, 0, 3] += (DRIFT * np.arange(len(moved)) / source.fps)[:, None]
    return reading, Clip(reading.rig, source.fps, moved)


def test_a_leg_whose_foot_is_not_known_is_named_and_not_left_out_silently():
    rig = sliding_person()
    action = action_of(rig)
    for child in list(rig.children):
        bpy.data.objects.remove(child)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for name in {"foot.L", "toe.L", "foot.R", "toe.R"} & set(bones.keys()):
        bones.remove(bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    result = cleaned(rig, action)
    said = [note for note in result.notes if "has no foot bone that was understood" in note]
    assert [note.split()[0] for note in said] == ["leg.L", "leg.R"]
