"""A tail, a neck or a trunk that brings its tip to a target."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import pytest
from mathutils import Matrix, Quaternion, Vector
from support.layered import BODIES, understood
from support.rigs import horse_skeleton, person_skeleton
from support.tails import hooked, tailed
from surefoot.core.control.intent import LayerInput, Spot
from surefoot.core.ik.chain_bones import joints_of
from surefoot.core.layers.chain import ChainConfig, ChainLayer, chain_bones
from surefoot.core.layers.layer import Moment
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.world.solids import Flat

MILLIMETRE = 1e-3
Target = Callable[[float], Vector | None]


@lru_cache
def dog() -> Rig:
    return BODIES["dog"]().rig


def root_of(rig: Rig) -> Vector:
    return EditedPose.rest(rig.skeleton).head(rig.tails[0][0])


def length_of(rig: Rig) -> float:
    joints = joints_of(EditedPose.rest(rig.skeleton), rig.tails[0])
    return sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))


def wagging(rig: Rig, time: float, angle: float) -> EditedPose:
    pose = EditedPose.rest(rig.skeleton)
    for k, i in enumerate(rig.tails[0]):
        pose.set_basis(i, Quaternion((0.0, 0.0, 1.0), angle * math.sin(9.4 * time - 0.5 * k)))
    return pose


def moment(n: int, fps: float) -> Moment:
    dt = 0.0 if n == 0 else 1.0 / fps
    return Moment(dt, Ground(0.0, 0.0, 0.0, 0.0), Matrix(), Matrix(), Flat())


@dataclass
class Frame:
    """One frame: when, the tail's joints and rotations, what the motion below had, what the layer says."""

    time: float
    joints: list[Vector]
    turns: list[Quaternion]
    below: list[Quaternion]
    reason: str


def played(
    rig: Rig,
    config: ChainConfig,
    target: Target,
    *,
    seconds: float = 4.0,
    fps: float = 60.0,
    wag: float = 0.2,
    on: Callable[[float], bool] = lambda _: True,
    still: float | None = None,
) -> list[Frame]:
    """A dog that wags its tail while the tail has a target (model space); or stands `still` as at that time."""
    layer = ChainLayer(rig, config)
    memory, frames = layer.start(), []
    for n in range(round(seconds * fps) + 1):
        time = n / fps
        pose = wagging(rig, time if still is None else still, wag)
        below = [pose.rotations[i] for i in layer.bones]
        spot = target(time)
        wish = LayerInput(1.0, on(time), None if spot is None else Spot(*spot))
        layer.apply(pose, memory, moment(n, fps), wish)
        turns = [pose.turn(i) for i in layer.bones]
        frames.append(Frame(time, joints_of(pose, layer.bones), turns, below, memory.reason))
        if not on(time) and not memory.turns:
            assert [pose.rotations[i] for i in layer.bones] == below
    return frames


def apart(a: Quaternion, b: Quaternion) -> float:
    return math.degrees(2.0 * math.acos(min(1.0, abs(a.dot(b)))))


def largest_step(frames: Sequence[Frame]) -> float:
    """The farthest that a bone turns from one frame to the next, degrees."""
    pairs = zip(frames, frames[1:], strict=False)
    return max(apart(a, b) for before, after in pairs for a, b in zip(before.turns, after.turns, strict=True))


def around(rig: Rig, share: float = 0.7, seconds: float = 8.0) -> Target:
    """A target that circles the tail's root, level, at a share of its length."""
    root, length = root_of(rig), length_of(rig)

    def at(time: float) -> Vector:
        angle = 2.0 * math.pi * time / seconds
        return root + Vector((math.sin(angle), math.cos(angle), 0.2)) * (share * length)

    return at


def leaping(rig: Rig) -> Target:
    """A target that is on the left for a second, then on the right."""
    root, length = root_of(rig), length_of(rig)
    return lambda time: root + Vector((0.7 if time % 2.0 < 1.0 else -0.7, 0.2, 0.2)) * length


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_the_tip_is_on_a_moving_target_in_every_frame_while_the_tail_wags(fps: float, share: float):
    target = around(dog(), share)
    for frame in played(dog(), ChainConfig(), target, fps=fps):
        assert (frame.joints[-1] - target(frame.time)).length < MILLIMETRE
        assert frame.reason == ""


def test_the_tip_is_on_a_target_within_the_joints_limits_by_ccd():
    root, length = root_of(dog()), length_of(dog())
    config = ChainConfig(solver="CCD")
    for frame in played(dog(), config, lambda time: root + Vector((0.3 * math.sin(time), 0.7, 0.2)) * length):
        assert (frame.joints[-1] - root).length == pytest.approx(
            (Vector((0.3 * math.sin(frame.time), 0.7, 0.2)) * length).length, abs=MILLIMETRE
        )


@pytest.mark.parametrize("wag", [0.0, 0.2])
def test_a_target_that_circles_the_tail_s_root_never_makes_it_snap(wag: float):
    frames = played(dog(), ChainConfig(), around(dog()), seconds=16.0, wag=wag)
    assert largest_step(frames) < (4.0 if wag == 0.0 else 8.0)


def test_a_target_that_comes_in_from_out_of_reach_bends_the_tail_softly():
    root, length = root_of(dog()), length_of(dog())
    frames = played(
        dog(),
        ChainConfig(),
        lambda time: root + Vector((0.0, 0.9 + 0.3 * math.cos(math.pi * time), 0.1)) * length,
        wag=0.0,
    )
    assert largest_step(frames) < 5.0


def test_a_target_that_jumps_is_swung_over_to_at_its_distance():
    rig = dog()
    frames = played(rig, ChainConfig(), leaping(rig), wag=0.0)
    root, length = root_of(rig), length_of(rig)
    assert largest_step(frames) < 14.0
    for frame in frames:
        assert (frame.joints[-1] - root).length > 0.6 * length
        if frame.time % 1.0 > 0.9:
            assert (frame.joints[-1] - leaping(rig)(frame.time)).length < 0.01 * length


def test_without_ease_it_jumps_along():
    rig = dog()
    for frame in played(rig, ChainConfig(ease=0.0), leaping(rig)):
        assert (frame.joints[-1] - leaping(rig)(frame.time)).length < MILLIMETRE


def test_let_go_it_comes_back_to_the_motion_below_from_a_standstill():
    rig = dog()
    near = root_of(rig) + Vector((0.2, 0.1, 0.05))
    frames = played(rig, ChainConfig(), lambda _: near, on=lambda time: time < 2.0, wag=0.0)
    steps = [largest_step(pair) for pair in zip(frames[119:], frames[120:], strict=False)]
    assert steps[0] < 3.0
    assert max(steps) < 12.0
    assert max(abs(b - a) for a, b in zip(steps, steps[1:], strict=False)) < 4.0
    rest = joints_of(EditedPose.rest(rig.skeleton), rig.tails[0])
    assert max((a - b).length for a, b in zip(frames[-1].joints, rest, strict=True)) < 1e-6


def test_it_takes_hold_from_where_it_is():
    rig = dog()
    near = root_of(rig) + Vector((0.2, 0.1, 0.05))
    frames = played(rig, ChainConfig(), lambda _: near, on=lambda time: time > 1.0, wag=0.0)
    assert largest_step(frames) < 12.0
    assert (frames[-1].joints[-1] - near).length < MILLIMETRE


def test_taking_hold_never_snaps_a_joint_that_the_motion_bends_past_its_limit():
    rig = dog()
    near = root_of(rig) + Vector((0.1, 0.25, 0.05))
    config = ChainConfig(solver="CCD", swing=0.1, base_swing=0.1, twist=0.0)
    frames = played(rig, config, lambda _: near, on=lambda time: time > 1.0, wag=0.6, still=0.2)
    assert largest_step(frames) < 6.0


def test_without_a_target_the_motion_below_is_left_to_the_bit():
    rig = dog()
    layer = ChainLayer(rig, ChainConfig())
    memory = layer.start()
    for n in range(30):
        pose, plain = wagging(rig, n / 60.0, 0.2), wagging(rig, n / 60.0, 0.2)
        layer.apply(pose, memory, moment(n, 60.0), LayerInput())
        assert pose.rotations == plain.rotations


def test_out_of_reach_it_says_how_much_is_missing():
    rig = dog()
    length = length_of(rig)
    frames = played(rig, ChainConfig(), lambda _: root_of(rig) + Vector((0.0, length + 0.25, 0.0)), seconds=1.0)
    assert frames[-1].reason == "The tip of tail.004 is 25 cm short of its target."


@pytest.mark.parametrize(("share", "distance"), [(0.1, 0.3), (0.55, 0.55), (1.5, 0.8)])
def test_the_tip_stays_between_the_inner_and_the_outer_limit(share: float, distance: float):
    rig = dog()
    config = ChainConfig(inner=0.3, outer=0.8, softness=0.0)
    frames = played(rig, config, lambda _: root_of(rig) + Vector((0.3, 0.9, 0.0)).normalized() * length_of(rig) * share)
    assert (frames[-1].joints[-1] - root_of(rig)).length == pytest.approx(distance * length_of(rig), abs=MILLIMETRE)


@pytest.mark.parametrize(("bulge", "way"), [("UP", (0, 0, 1)), ("DOWN", (0, 0, -1)), ("LEFT", (1, 0, 0))])
def test_it_bulges_to_the_side_that_is_asked(bulge: str, way: tuple[float, float, float]):
    rig = dog()
    root, length = root_of(rig), length_of(rig)
    goal = root + Vector((0.0, 0.6 * length, 0.0))
    joints = played(rig, ChainConfig(bulge=bulge), lambda _: goal, seconds=1.0)[-1].joints
    middle = sum(joints, Vector()) / len(joints) - root
    middle.y = 0.0
    assert middle.normalized().dot(Vector(way)) > 0.95


def test_at_few_and_at_many_frames_a_second_it_goes_the_same_way():
    target = around(dog())
    few = played(dog(), ChainConfig(), target, fps=24.0, wag=0.1)
    many = played(dog(), ChainConfig(), target, fps=120.0, wag=0.1)
    for k, frame in enumerate(few):
        for a, b in zip(frame.turns, many[5 * k].turns, strict=True):
            assert apart(a, b) < 3.0


def test_the_tail_goes_on_wagging_about_its_reach():
    frames = played(dog(), ChainConfig(), around(dog(), 0.6, 1e6), wag=0.3)[120:]
    middles = [frame.joints[2].x for frame in frames]
    assert max(middles) - min(middles) > 0.02


@pytest.mark.parametrize("recover", [0.0, 0.5])
def test_the_bend_does_not_creep_over_minutes(recover: float):
    frames = played(dog(), ChainConfig(recover=recover), around(dog(), seconds=2.0), seconds=60.0, wag=0.0, fps=24.0)
    # 24 frames a second and a circle in 2 seconds: 48 frames on all is as it was.
    for a, b in zip(frames[-1].turns, frames[-1 - 48 * 10].turns, strict=True):
        assert apart(a, b) < 0.5


def test_a_long_neck_and_its_head_reach_where_there_is_no_tail():
    rig = replace(understood(horse_skeleton()), tails=())
    bones, problems = chain_bones(rig, ChainConfig())
    assert bones == (*rig.neck, rig.head)
    assert problems == ()


def test_a_person_s_short_neck_is_no_chain_unless_it_is_named():
    rig = understood(person_skeleton())
    bones, problems = chain_bones(rig, ChainConfig())
    assert bones == ()
    assert "first and the last bone" in problems[0].remedy
    assert chain_bones(rig, ChainConfig(chain="neck"))[0] == (*rig.neck, rig.head)


def test_a_role_and_two_bones_name_a_chain():
    rig = dog()
    index = rig.skeleton.index
    assert chain_bones(rig, ChainConfig(chain="tail"))[0] == rig.tails[0]
    assert chain_bones(rig, ChainConfig(chain="neck"))[0] == (*rig.neck, rig.head)
    named = ChainConfig(first_bone="tail.002", last_bone="tail.004")
    assert chain_bones(rig, named)[0] == tuple(index[f"tail.00{k}"] for k in (2, 3, 4))


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (ChainConfig(chain="tail7"), "has no tail7"),
        (ChainConfig(first_bone="tail.001", last_bone="tial.004"), "tial.004"),
        (ChainConfig(first_bone="tail.001"), "only one end"),
        (ChainConfig(first_bone="tail.004", last_bone="tail.001"), "does not hang on tail.004"),
    ],
)
def test_a_chain_that_is_not_there_is_a_problem_that_says_what_to_do(config: ChainConfig, words: str):
    layer = ChainLayer(dog(), config)
    assert words in str(layer.problems[0])
    assert layer.problems[0].remedy
    assert layer.driven() == ((), ())
    pose = EditedPose.rest(dog().skeleton)
    layer.apply(pose, layer.start(), moment(0, 24.0), LayerInput(1.0, True, Spot(0.0, 0.0, 0.0)))
    assert pose.rotations == EditedPose.rest(dog().skeleton).rotations


def test_a_rig_without_tail_and_neck_says_so():
    layer = ChainLayer(replace(dog(), tails=(), neck=(), head=-1), ChainConfig())
    assert "neither a tail nor a long neck" in str(layer.problems[0])


@pytest.mark.parametrize("solver", ["FABRIK", "CCD"])
def test_a_tentacle_of_thirty_bones_follows_too(solver: str):
    skeleton = tailed(hooked(30, curl=2.0))
    rig = understood(skeleton)
    config = ChainConfig(first_bone="tail.001", last_bone="tail.030", solver=solver)
    layer = ChainLayer(rig, config)
    memory = layer.start()
    for n in range(60):
        pose = EditedPose.rest(rig.skeleton)
        goal = pose.head(layer.bones[0]) + Vector((0.3 * math.sin(0.05 * n), 0.3, 0.5 + 0.2 * math.cos(0.05 * n)))
        layer.apply(pose, memory, moment(n, 24.0), LayerInput(1.0, True, Spot(*goal)))
        assert (pose.tail(layer.bones[-1]) - goal).length < MILLIMETRE
