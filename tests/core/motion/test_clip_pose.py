"""A clip as poses over a track: together they give the clip again, at any frame, wherever and however it stood."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin

import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from support.layered import understood
from support.performers import clip_of, on_the_spot, one_stride, rig_of
from support.rigs import snake_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.clip_pose import ClipPoses, clip_poses
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.skeleton import Skeleton

WHO = ("person", "dog", "spider")
PERIODS = {"person": 1.1}


def shown(poses: ClipPoses, frame: float, floor: float, home: tuple[float, float, float]) -> np.ndarray:
    """The motion of each bone from rest to the world that a pose over its track gives, (B, 4, 4)."""
    pose = poses.at(frame)
    x, y, heading = poses.spot(frame)
    at = Matrix.Translation((home[0], home[1], -floor)) @ Matrix.Rotation(home[2], 4, "Z")
    at = at @ Matrix.Translation((x, y, 0.0)) @ Matrix.Rotation(heading, 4, "Z")
    return np.array([[list(row) for row in at @ pose.moved(i)] for i in range(len(poses.skeleton))])


def difference(clip: Clip, poses: ClipPoses, home: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> float:
    """How far heads and turns are from the clip's at most, metres and matrix entries, over some of its frames."""
    heads = np.array([[*bone.head, 1.0] for bone in clip.rig.skeleton.bones])
    worst = 0.0
    for frame in range(0, len(clip), 7):
        now, was = shown(poses, frame, clip.rig.floor, home), clip.moved[frame]
        worst = max(worst, np.abs(now[:, :3, :3] - was[:, :3, :3]).max())
        worst = max(worst, np.abs(np.einsum("bij,bj->bi", now - was, heads)).max())
    return float(worst)


def placed(clip: Clip, x: float, y: float, heading: float) -> Clip:
    """The clip as if it had been played elsewhere."""
    at = Matrix.Translation((x, y, 0.0)) @ Matrix.Rotation(heading, 4, "Z")
    return replace(clip, moved=np.array(at, dtype=np.float64) @ clip.moved)


def changed(clip: Clip, skeleton: Skeleton) -> Clip:
    """The same motion of the same bones over another skeleton of as many."""
    return replace(clip, rig=replace(clip.rig, skeleton=skeleton))


@pytest.mark.parametrize("who", WHO)
def test_poses_over_their_track_are_the_clip_again(who: str):
    clip = clip_of(who)
    assert difference(clip, clip_poses(clip, (0.0, 0.0, 0.0), (0.0,))) < 1e-5


@pytest.mark.parametrize("who", WHO)
def test_a_clip_told_from_elsewhere_has_the_same_poses(who: str):
    here = clip_poses(clip_of(who), (0.0, 0.0, 0.0), (0.0,))
    home = (3.0, -2.0, 2.0)
    there = clip_poses(placed(clip_of(who), *home), home, (0.0,))
    assert np.abs(there.rotations - here.rotations).max() < 1e-5
    assert np.abs(there.locations - here.locations).max() < 1e-5
    assert np.abs(there.track - here.track).max() < 1e-5


def test_without_a_home_the_track_begins_at_nothing():
    assert clip_poses(placed(clip_of("person"), 3.0, -2.0, 2.0)).track[0] == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


def test_bones_that_do_not_turn_with_their_parents_are_posed_too():
    clip = clip_of("person")
    bones = clip.rig.skeleton.bones
    loose = {clip.rig.head, *(arm.bones[0] for arm in clip.rig.arms), *(leg.foot for leg in clip.rig.legs)}
    skeleton = Skeleton(tuple(replace(bone, inherit_rotation=i not in loose) for i, bone in enumerate(bones)))
    clip = changed(clip, skeleton)
    assert difference(clip, clip_poses(clip, (0.0, 0.0, 0.0), (0.0,))) < 1e-5


def test_a_bone_that_leaves_its_place_is_located():
    clip = clip_of("person")
    thigh = clip.rig.legs[0].bones[0]
    moved = clip.moved.copy()
    hung = [thigh, *clip.rig.skeleton.descendants(thigh)]
    moved[:, hung, 2, 3] += 0.05 * np.sin(np.arange(len(clip)))[:, None]
    clip = replace(clip, moved=moved)
    poses = clip_poses(clip, (0.0, 0.0, 0.0), (0.0,))
    assert thigh in poses.located
    assert difference(clip, poses) < 1e-5


@pytest.mark.parametrize("factor", [0.1, 20.0])
def test_a_larger_or_smaller_rig_has_the_same_turns(factor: float):
    clip = clip_of("person")
    scaled = scaled_clip(clip, factor)
    here, there = (clip_poses(each, (0.0, 0.0, 0.0), (0.0,)) for each in (clip, scaled))
    # Contacts are found to a frame, and the track is averaged over a stride.
    assert np.abs(there.rotations - here.rotations).max() < 2e-3
    assert np.abs(there.locations - factor * here.locations).max() < 2e-3 * factor
    assert difference(scaled, there) < 2e-5 * max(1.0, factor)


def scaled_clip(clip: Clip, factor: float) -> Clip:
    """The clip of a rig of another size."""
    bones = []
    for bone in clip.rig.skeleton.bones:
        rest = bone.rest.copy()
        rest.translation = rest.translation * factor
        bones.append(replace(bone, rest=rest, length=bone.length * factor))
    legs = tuple(
        replace(
            leg,
            joints=tuple(joint * factor for joint in leg.joints),
            sole=replace(leg.sole, heel=leg.sole.heel * factor, ball=leg.sole.ball * factor, toe=leg.sole.toe * factor),
        )
        for leg in clip.rig.legs
    )
    rig = replace(
        clip.rig,
        skeleton=Skeleton(tuple(bones)),
        legs=legs,
        floor=clip.rig.floor * factor,
        leg_length=clip.rig.leg_length * factor,
    )
    moved = clip.moved.copy()
    moved[..., :3, 3] *= factor
    return Clip(rig, clip.fps / factor**0.5, moved)


def test_a_mirrored_clip_has_mirrored_turns():
    """Mirrored in the plane x = 0: a turn's axis keeps x and changes y and z, and bones change sides."""
    clip = clip_of("person")
    names = [bone.name for bone in clip.rig.skeleton.bones]
    other = [clip.rig.skeleton.index[swapped(name)] for name in names]
    flip = np.diag([-1.0, 1.0, 1.0, 1.0])
    mirrored = replace(clip, moved=(flip @ clip.moved @ flip)[:, other])
    poses = clip_poses(mirrored, (0.0, 0.0, 0.0), (0.0,))
    assert difference(mirrored, poses) < 1e-5
    straight = clip_poses(clip, (0.0, 0.0, 0.0), (0.0,))
    assert np.abs(poses.track[:, 0] + straight.track[:, 0]).max() < 5e-3
    assert np.abs(poses.track[:, 1:] - straight.track[:, 1:] * [1.0, -1.0]).max() < 5e-3


def swapped(name: str) -> str:
    """The bone of the other side."""
    for one, two in ((".L", ".R"), (".R", ".L")):
        if name.endswith(one):
            return name[:-2] + two
    return name


@pytest.mark.parametrize("who", WHO)
def test_no_quaternion_changes_its_side_from_frame_to_frame(who: str):
    rotations = clip_poses(clip_of(who)).rotations
    assert np.sum(rotations[1:] * rotations[:-1], axis=-1).min() > 0.0


def test_a_spin_is_continuous_in_turns_and_heading():
    """Two turns on the spot in 4 s: the heading adds up to 720 degrees, the pose does not turn at all."""
    clip = clip_of("person")
    moved = np.array([np.array(Matrix.Rotation(pi * k / 30.0, 4, "Z")) for k in range(121)], dtype=np.float64)
    spinning = Clip(clip.rig, 30.0, np.repeat(moved[:, None], len(clip.rig.skeleton), axis=1))
    poses = clip_poses(spinning, (0.0, 0.0, 0.0))
    assert poses.track[-1, 2] == pytest.approx(4.0 * pi, abs=1e-6)
    assert np.diff(poses.track[:, 2]).min() > 0.0
    assert difference(spinning, poses) < 1e-5


def test_who_goes_head_over_heels_keeps_the_way_that_it_faces():
    """A turn forward about the side in a second, a little askew, 1 m ahead: the heading does not go round with it."""
    clip = clip_of("person")
    rows = []
    for k in range(61):
        angle = 2.0 * pi * k / 60.0
        about = Matrix.Translation((0.0, 0.0, 0.9)) @ Matrix.Rotation(angle, 4, Vector((-1.0, 0.03, 0.02)))
        rows.append(np.array(Matrix.Translation((0.0, -k / 60.0, 0.0)) @ about @ Matrix.Translation((0.0, 0.0, -0.9))))
    moved = np.repeat(np.array(rows, dtype=np.float64)[:, None], len(clip.rig.skeleton), axis=1)
    rolling = Clip(clip.rig, 60.0, moved)
    poses = clip_poses(rolling, (0.0, 0.0, 0.0), (0.0,))
    assert np.abs(poses.track[:, 2]).max() < 0.2
    assert np.abs(poses.track[:, 0]).max() < 0.1
    assert difference(rolling, poses) < 1e-5


def test_between_two_frames_a_bone_is_half_way_of_its_turn():
    poses = clip_poses(clip_of("person"))
    before, middle, after = poses.at(20.0), poses.at(20.5), poses.at(21.0)
    for i in poses.rotated:
        expected = before.rotations[i].slerp(after.rotations[i], 0.5)
        assert middle.rotations[i].rotation_difference(expected).angle < 1e-3
    x = [poses.spot(frame) for frame in (20.0, 20.5, 21.0)]
    assert x[1] == pytest.approx(tuple(0.5 * (a + b) for a, b in zip(x[0], x[2], strict=True)), abs=1e-12)


def test_a_time_next_to_a_frame_is_that_frame_to_the_bit():
    poses = clip_poses(clip_of("person"))
    assert poses.at(33.0 - 1e-9).rotations == poses.at(33.0).rotations
    assert poses.spot(33.0 + 1e-9) == poses.spot(33.0)


def test_before_and_after_a_clip_that_does_not_repeat_its_ends_are_held():
    poses = clip_poses(clip_of("person"))
    last = len(poses) - 1.0
    assert poses.at(-5.0).rotations == poses.at(0.0).rotations
    assert poses.at(last + 50.0).rotations == poses.at(last).rotations
    assert poses.spot(last + 50.0) == poses.spot(last)


def loop() -> ClipPoses:
    """One stride of a person's walk, repeated."""
    return clip_poses(one_stride(clip_of("person"), PERIODS["person"])).joined()


def test_a_loop_begins_again_where_it_ends():
    poses = loop()
    assert poses.closed
    last = len(poses) - 1.0
    for frame in (0.0, 7.3):
        first, again = poses.at(frame), poses.at(frame + 3 * last)
        for i in poses.rotated:
            assert first.rotations[i].rotation_difference(again.rotations[i]).angle < 1e-3


def test_the_seam_of_a_loop_is_no_larger_a_step_than_those_beside_it():
    poses = loop()
    rows = poses.rotations
    steps = np.linalg.norm(np.diff(np.concatenate([rows, rows[1:2] * np.sign((rows[0] * rows[-1]).sum(-1))[:, None]]),
                                   axis=0), axis=-1).max(axis=1)  # fmt: skip
    assert steps[-1] <= 1.05 * max(steps[:3].max(), steps[-4:-1].max())
    assert np.abs(rows[0] - rows[-1] * np.sign((rows[0] * rows[-1]).sum(-1))[:, None]).max() < 1e-9


def test_a_loop_goes_on_evenly_from_round_to_round():
    """1.3 m/s straight along -Y, whatever the round."""
    poses = loop()
    last = len(poses) - 1.0
    for rounds in (1, 2, 100):
        x, y, heading = poses.spot(rounds * last)
        assert y == pytest.approx(-1.3 * rounds * last / poses.fps, rel=0.01)
        assert abs(x) < 0.01 * rounds
        assert heading == pytest.approx(0.0, abs=1e-9)
    assert poses.spot(2.25 * last)[1] == pytest.approx(2.25 * poses.spot(last)[1], rel=1e-6)


def test_a_loop_that_turns_goes_round_in_a_circle():
    """A quarter turn to the left each round: after four it is where it began, facing as it did."""
    straight = one_stride(clip_of("person"), PERIODS["person"])
    count, radius = len(straight) - 1, 0.8
    moved = straight.moved.copy()
    speed = 1.3 * PERIODS["person"]
    for k in range(count + 1):
        s = k / count
        angle = 0.5 * pi * s
        # Take the straight way back, and lay the body on a circle instead.
        place = Matrix.Translation((radius * (1.0 - cos(angle)), -radius * sin(angle), 0.0))
        at = place @ Matrix.Rotation(angle, 4, "Z")
        back = Matrix.Translation((0.0, speed * s, 0.0))
        moved[k] = np.array(at @ back) @ moved[k]
    poses = clip_poses(replace(straight, moved=moved)).joined()
    assert poses.closed
    x, y, heading = poses.spot(4.0 * count)
    assert heading == pytest.approx(2.0 * pi, abs=0.05)
    assert np.hypot(x, y) < 0.05


def test_a_clip_that_does_not_close_can_repeat_all_the_same():
    poses = clip_poses(replace(clip_of("person"), moved=clip_of("person").moved[:100])).joined()
    assert not poses.closed
    end, start = poses.at(98.999), poses.at(0.0)
    for i in poses.rotated:
        assert end.rotations[i].rotation_difference(start.rotations[i]).angle < 5e-3
    assert np.abs(poses.rotations[:60] - clip_poses(
        replace(clip_of("person"), moved=clip_of("person").moved[:100])).rotations[:60]).max() < 1e-9  # fmt: skip


def test_the_lift_can_be_taken_out():
    clip = clip_of("person")
    moved = clip.moved.copy()
    moved[..., 2, 3] += np.linspace(0.0, 0.3, len(clip))[:, None]
    poses = clip_poses(replace(clip, moved=moved), (0.0, 0.0, 0.0), (0.0,)).without_lift()
    hips = clip.rig.legs[0].bones[0]
    body = clip.rig.body
    heights = [poses.at(frame).head(body).z for frame in range(0, len(clip), 10)]
    assert np.ptp(heights) < 0.02
    assert poses.at(0).head(hips).z == pytest.approx(clip_poses(clip).at(0).head(hips).z, abs=0.02)


def test_a_body_that_lies_with_its_feet_in_the_air_stands_on_no_floor_up_there():
    """Turned on its back, its feet rest a metre over its hips: the floor that was meant is taken."""
    clip = clip_of("spider")
    over = np.array(Matrix.Translation((0.0, 0.0, 0.1)) @ Matrix.Rotation(pi, 4, "Y"), dtype=np.float64)
    still = np.repeat(clip.moved[:1], 60, axis=0)
    poses = clip_poses(replace(clip, moved=over @ still), (0.0, 0.0, 0.0), (0.0,))
    assert poses.feet.floor is None
    assert poses.heights[0] < 0.2


def test_two_of_one_clip_are_equal_and_of_two_clips_are_not():
    one, two = clip_poses(clip_of("person")), clip_poses(clip_of("person"))
    assert one == two
    assert hash(one) == hash(two)
    assert one != clip_poses(replace(clip_of("person"), fps=30.0))
    assert one != one.joined()


@pytest.mark.parametrize(("who", "stride", "speed"), [("person", 1.1, 1.3), ("dog", None, 1.0), ("spider", None, 0.5)])
def test_stride_and_speed_of_a_clip_are_found(who: str, stride: float | None, speed: float):
    feet = clip_poses(clip_of(who)).feet
    assert feet.speed == pytest.approx(speed, rel=0.02)
    if stride is not None:
        assert (feet.stride[1] - feet.stride[0]) / 60.0 == pytest.approx(stride, abs=0.03)


def test_a_clip_on_the_spot_has_the_speed_of_the_ground_that_would_go_by():
    poses = clip_poses(on_the_spot(clip_of("person"), 1.3))
    assert poses.feet.speed == pytest.approx(1.3, rel=0.05)
    assert np.abs(poses.track[:, :2]).max() < 0.1


@pytest.mark.parametrize("who", WHO)
def test_feet_are_down_when_the_plan_had_them_down(who: str):
    from support.performers import performance

    poses, walk = clip_poses(clip_of(who)), performance(who)
    agree = [
        stepping.at(float(k)).planted == frame.feet[i].planted
        for k, frame in enumerate(walk.frames)
        for i, stepping in enumerate(poses.steppings)
    ]
    assert np.mean(agree) > (0.95 if who == "person" else 0.9)
    phases = [
        abs((poses.steppings[0].at(float(k)).phase - frame.feet[0].phase + 0.5) % 1.0 - 0.5)
        for k, frame in enumerate(walk.frames)
    ]
    assert np.mean(phases) < 0.04


def test_a_body_without_legs_has_clips_too():
    """A snake that bends to and fro in a second comes back to its first pose."""
    rig = understood(snake_skeleton())
    moved = []
    for k in range(61):
        pose = EditedPose.rest(rig.skeleton)
        for i in range(1, len(rig.skeleton)):
            pose.set_basis(i, Quaternion((0.0, 0.0, 1.0), 0.15 * sin(2.0 * pi * k / 60.0 + 0.5 * i)))
        moved.append([[list(row) for row in pose.moved(i)] for i in range(len(rig.skeleton))])
    clip = Clip(rig, 60.0, np.array(moved))
    poses = clip_poses(clip, (0.0, 0.0, 0.0), (0.0,))
    assert poses.closed
    assert difference(clip, poses) < 1e-5
    assert poses.steppings == ()


def test_a_single_frame_is_a_clip():
    clip = replace(clip_of("person"), moved=clip_of("person").moved[:1])
    poses = clip_poses(clip, (0.0, 0.0, 0.0), (0.0,))
    assert difference(clip, poses) < 1e-5
    assert poses.joined().at(17.0).rotations == poses.at(0.0).rotations


def test_a_rest_pose_turned_by_hand_is_found_in_the_basis():
    """One bone turned by 40 degrees about its own Y for good: that and nothing else is in the pose."""
    rig = rig_of("person")
    bone = rig.skeleton.index["head"]
    turn = Quaternion((0.0, 1.0, 0.0), 0.7)
    rest = rig.skeleton.bones[bone].rest
    moved = np.tile(np.identity(4), (3, len(rig.skeleton), 1, 1))
    moved[:, bone] = np.array(rest @ turn.to_matrix().to_4x4() @ rest.inverted())
    poses = clip_poses(Clip(rig, 24.0, moved))
    assert poses.rotated == (bone,)
    assert poses.located == ()
    assert poses.rotations[1, bone] == pytest.approx(tuple(turn), abs=1e-6)
    assert Vector(poses.spot(2.0)) == Vector((0.0, 0.0, 0.0))
