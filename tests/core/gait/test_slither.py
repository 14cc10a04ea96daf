"""A body without legs follows the track of its head over the ground, whichever way that is led."""

from __future__ import annotations

from dataclasses import replace
from math import cos, degrees, radians, sin

import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.extension import ROOT
from support.rigs import dog_skeleton, snake_skeleton
from support.slithering import ORIGIN, Crawl, crawl, joints_of, snake_rig
from surefoot.core.character import Character, CharacterConfig, driven_bones
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.control.path import path_line
from surefoot.core.gait.slither import KEPT, MARK, RADIUS
from surefoot.core.gait.slither_config import SlitherConfig
from surefoot.core.gait.windings import Windings
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.pose import model_matrices
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.understand import understand
from surefoot.core.world.solids import Empty, Flat, Gap, Hills, Moving, Ramp, Stairs

LENGTH = 1.5
# Between two marks the track is straight: so far beside a bend of the least radius, and a millimetre for the joints.
BESIDE = 0.001 + (MARK * LENGTH) ** 2 / (8.0 * RADIUS * LENGTH)
LOW = Flat()
CURVE = path_line([(1.2 * sin(0.25 * t), -0.2 * t, 0.0) for t in range(80)])
CORNERS = path_line([(0, 0, 0), (0, -2, 0), (2, -2, 0), (2, 0, 0)])
STRAIGHT = CharacterConfig(slither=SlitherConfig(winding=0.0))


def along(path) -> dict:
    return {"config": CharacterConfig(director="PATH"), "inputs": lambda _time: Inputs(speed=0.6, path=path)}


def about_turn(time: float) -> Inputs:
    return Inputs(speed=0.6, target=Place(0.0, -3.0 if time < 4.0 else 3.0, 0.0, 0.0))


WAYS = {
    "ahead": lambda: crawl(LOW),
    "along a curve over hills": lambda: crawl(Hills(), 8.0, **along(CURVE)),
    "around corners": lambda: crawl(LOW, 9.0, **along(CORNERS)),
    "about-turn": lambda: crawl(LOW, 9.0, config=CharacterConfig(director="TARGET"), inputs=about_turn),
    "up stairs": lambda: crawl(Stairs(), 7.0),
    "backward": lambda: crawl(LOW, 8.0, inputs=lambda time: Inputs(speed=0.6 if time < 4.0 else -0.6)),
}


@pytest.fixture(scope="module", params=WAYS)
def way(request: pytest.FixtureRequest) -> Crawl:
    return WAYS[request.param]()


def test_every_joint_lies_on_the_track_of_the_head(way: Crawl):
    assert way.away().max() < BESIDE


def test_every_bone_keeps_its_length(way: Crawl):
    lengths = np.linalg.norm(np.diff(way.joints, axis=1), axis=-1)
    assert np.abs(lengths - way.character.rig.long_body.lengths).max() < 1e-5


def test_nothing_jumps_however_sharply_it_is_led(way: Crawl):
    # Up a step the head rises by 1.2 metres a metre, and the body goes along its track as much faster.
    steepest = 1.6
    assert way.steps().max() < 1.5 * 1.25 * 0.6 / way.fps * steepest
    speeds = way.steps() * way.fps
    assert np.abs(np.diff(speeds, axis=0)).max() < 0.8


def test_the_body_bends_smoothly_around_corners_and_about(way: Crawl):
    assert way.bends().max() < 60.0


def test_the_track_is_no_longer_than_the_body_has_use_for(way: Crawl):
    for memory in way.memories:
        marks = [*memory.gait.trail, memory.gait.head]
        assert KEPT * LENGTH <= marks[-1].along - marks[0].along < (KEPT + 2.0 * MARK) * LENGTH
        assert len(marks) < 1.3 * KEPT / MARK


def test_it_begins_as_it_rests_wherever_that_is():
    for place in (ORIGIN, Place(12.5, -7.25, 0.0, 2.2)):
        found = crawl(LOW, 0.0, place=place).joints[0]
        c, s = cos(place.heading), sin(place.heading)
        rests = np.array(snake_rig().long_body.joints)
        turn = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
        # The raised neck takes a little of the length.
        assert np.abs(found - rests @ turn.T - (place.x, place.y, 0.0))[6:].max() < 3e-3


def test_a_moved_and_turned_way_is_the_same_way():
    first, place = crawl(LOW, 4.0), Place(30.0, -20.0, 0.0, radians(130.0))
    second = crawl(LOW, 4.0, place=place)
    c, s = cos(place.heading), sin(place.heading)
    turn = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
    assert np.abs(first.joints @ turn.T + (place.x, place.y, 0.0) - second.joints).max() < 2e-5


@pytest.mark.parametrize("way_of", ["ahead", "along a curve over hills"])
def test_more_frames_a_second_make_the_same_way(way_of: str):
    ground, led = (Hills(), along(CURVE)) if "hills" in way_of else (LOW, {})
    few, many = crawl(ground, 4.0, fps=24.0, **led), crawl(ground, 4.0, fps=120.0, **led)
    assert np.abs(few.joints - many.joints[::5]).max() < 0.006


def test_without_speed_it_lies_still_to_the_bit():
    found = crawl(Hills(), 2.0, speed=0.0)
    assert np.array_equal(found.joints[0], found.joints[-1])


def test_stopped_it_lies_still_to_the_bit_in_its_windings():
    found = crawl(LOW, 7.0, inputs=lambda time: Inputs(speed=0.6 if time < 4.0 else 0.0))
    assert np.ptp(found.joints[-1][:, 0]) > 0.1
    assert np.array_equal(found.joints[-40], found.joints[-1])


def test_going_on_from_a_copy_gives_the_same_to_the_bit():
    character, world, inputs = Character(snake_rig(), CharacterConfig()), Hills(), Inputs(speed=0.6)
    memory = character.start(ORIGIN, inputs, world)
    for _ in range(100):
        character.tick(memory, inputs, world, 1.0 / 60.0)
    kept = memory.copy()
    poses = []
    for item in (memory, kept):
        for _ in range(100):
            character.tick(item, inputs, world, 1.0 / 60.0)
        poses.append(joints_of(snake_rig(), character.pose(item)))
    assert repr(kept) == repr(memory)
    assert np.array_equal(*poses)


def test_on_level_ground_the_body_lies_as_far_over_it_as_at_rest():
    over = crawl(LOW, 4.0).over(LOW, first=6)
    assert np.abs(over).max() < 3e-4


@pytest.mark.parametrize(
    ("ground", "sinks", "lifts"),
    [(Hills(), 0.001, 0.006), (Ramp(radians(20.0)), 0.001, 0.007), (Stairs(), 0.001, 0.1)],
    ids=["hills", "ramp", "stairs"],
)
def test_it_goes_over_the_ground_without_sinking_in(ground, sinks: float, lifts: float):
    found = crawl(ground, 7.0)
    assert found.over(ground).min() > -sinks
    assert found.over(ground, first=6).max() < lifts


def test_over_ground_that_is_missing_it_goes_on_at_the_height_that_it_had():
    found = crawl(Gap(0.5), 5.0)
    assert found.joints[-1, 0, 1] < -2.0
    assert found.joints[:, 6:, 2].max() < 0.03
    assert found.joints[:, :, 2].min() > 0.0


def test_the_head_is_raised_as_set_and_the_body_behind_it_is_not():
    flat, high = (
        crawl(LOW, 0.0, config=CharacterConfig(slither=SlitherConfig(head_raise=share, head_level=0.0))).joints[0]
        for share in (0.0, 0.1)
    )
    assert high[0, 2] - flat[0, 2] == pytest.approx(0.1 * LENGTH, abs=0.01)
    assert np.abs(high[8:, 2] - flat[8:, 2]).max() < 1e-3


def test_a_level_head_is_less_steep_than_the_neck_on_a_slope():
    def pitch(level: float) -> float:
        config = CharacterConfig(slither=SlitherConfig(head_level=level))
        nose, behind = crawl(Ramp(radians(25.0)), 4.0, config=config).joints[-1][:2]
        return degrees(np.arcsin((nose - behind)[2] / np.linalg.norm(nose - behind)))

    assert pitch(0.0) > 20.0
    assert abs(pitch(1.0)) < 10.0


def test_the_windings_are_a_serpenoid_curve():
    curve = Windings(radians(40.0), 1.0)
    steps = np.linspace(0.0, 1.0, 4001)
    beside = np.array([curve.beside(p) for p in steps])
    turns = np.arctan2(np.diff(beside), np.diff(steps) * curve.period)
    ways = np.hypot(np.diff(beside), np.diff(steps) * curve.period)
    assert ways.sum() == pytest.approx(1.0, abs=1e-3)
    middles = np.cumsum(ways) - 0.5 * ways
    assert np.abs(turns - radians(40.0) * np.cos(2.0 * np.pi * middles)).max() < radians(2.0)
    assert np.abs(beside[:2000] + beside[2000:4000]).max() < 1e-6


def test_the_windings_come_with_speed_and_not_without():
    def width(speed: float, winding: float) -> float:
        config = CharacterConfig(slither=SlitherConfig(winding=winding))
        return float(np.ptp(crawl(LOW, 6.0 / max(speed, 0.3), speed, config=config).joints[-1][:, 0]))

    full = 2.0 * max(Windings(radians(35.0), 0.6 * LENGTH).beside(k / 64) for k in range(64))
    assert width(0.8, radians(35.0)) == pytest.approx(full, rel=0.03)
    assert width(0.05, radians(35.0)) < 0.2 * full
    assert width(0.8, 0.0) < 1e-4


def test_it_comes_about_and_reaches_a_target_behind_it():
    found = crawl(LOW, 14.0, config=CharacterConfig(director="TARGET"), inputs=about_turn)
    assert found.joints[-1, 0, 1] > 2.3


def test_it_keeps_to_a_curve_but_for_its_windings():
    found = crawl(LOW, 8.0, **(along(CURVE) | {"config": replace(STRAIGHT, director="PATH")}))
    line = np.array(CURVE.points)[:, :2]
    starts, ways = line[:-1], np.diff(line, axis=0)
    head = found.joints[48:, 1, None, :2] - starts
    shares = np.clip((head * ways).sum(-1) / (ways * ways).sum(-1), 0.0, 1.0)
    away = np.linalg.norm(head - shares[..., None] * ways, axis=-1).min(axis=1).max()
    assert away < 0.012


@pytest.mark.parametrize("radius", [0.3, 1.0])
def test_on_a_circle_head_and_tail_cut_nothing(radius: float):
    turns = np.linspace(0.0, 2.0 * np.pi, 361)
    circle = path_line([(radius * (1.0 - cos(a)), -radius * sin(a), 0.0) for a in turns], closed=True)
    led = along(circle) | {"config": replace(STRAIGHT, director="PATH")}
    found = crawl(LOW, 11.0, **led).joints[200:]
    away = np.hypot(found[..., 0] - radius, found[..., 1]) - radius
    assert np.abs(away[:, [0, 1, 10, 28]]).max() < 0.005


def test_put_elsewhere_it_lies_straight_there_and_says_so():
    to = Place(5.0, 5.0, 0.0, radians(90.0))

    def said(time: float) -> Inputs:
        return Inputs(0.6 if time < 1.95 else 0.0, moved_to=to if 1.95 < time < 1.975 else None)

    found = crawl(LOW, 3.0, inputs=said)
    (frame,) = [n for n, shown in enumerate(found.frames) if ("JUMP", "") in shown.events]
    assert np.abs(found.joints[frame][6:, 1] - 5.0).max() < 1e-4
    assert found.joints[frame, -1, 0] < found.joints[frame, 6, 0] < 5.0


def test_what_lies_on_moving_ground_goes_with_it():
    def placement(time: float) -> tuple[float, float, float, float]:
        return 0.5 * time, 0.0, 0.2 * time, 0.3 * time

    found = crawl(Moving(Flat(), placement), 3.0, speed=0.0)
    for n, joints in enumerate(found.joints):
        x, y, z, turn = placement(n / found.fps)
        c, s = cos(turn), sin(turn)
        own = (joints - (x, y, z)) @ np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
        assert np.abs(own - found.joints[0])[6:].max() < 2e-3


ROOTED = {"tail": 0, "head": 1, "middle": 2}


def plain_snake(root: str) -> Skeleton:
    """Twenty bones of 7 cm in a row, the first toward -Y, hung on one end or the middle; names mean nothing."""
    joints = [Vector((0.0, 0.07 * k, 0.03)) for k in range(21)]
    top = {"head": 0, "tail": 19, "middle": 9}[root]
    order = sorted(range(20), key=lambda k: (abs(k - top), k))
    bones, index = [], {}
    for k in order:
        forward = k < top or root == "tail"
        head, tail = (joints[k + 1], joints[k]) if forward else (joints[k], joints[k + 1])
        rest = Vector((0.0, 1.0, 0.0)).rotation_difference(tail - head).to_matrix().to_4x4()
        rest.translation = head
        parent = -1 if k == top else index[k + 1 if k < top else k - 1]
        index[k] = len(bones)
        bones.append(Bone(f"b{(k * 7) % 20}", parent, rest, 0.07))
    return Skeleton(tuple(bones))


def test_whichever_bone_is_the_root_the_body_lies_the_same():
    rigs = [understand(plain_snake(root), read_conventions(ROOT / "presets" / "rigs")).rig for root in ROOTED]
    ways = [crawl(Hills(), 3.0, rig=rig).joints for rig in rigs]
    assert max(np.abs(way - ways[0]).max() for way in ways) < 2e-5


@pytest.mark.parametrize("size", [0.03, 30.0])
def test_a_body_of_any_size_goes_its_own_way_alike(size: float):
    bones = [
        replace(bone, rest=scaled(bone.rest, size), length=bone.length * size) for bone in plain_snake("tail").bones
    ]
    rig = understand(Skeleton(tuple(bones)), read_conventions(ROOT / "presets" / "rigs")).rig
    found = crawl(LOW, 4.0, 0.5 * size, rig=rig)
    assert found.joints[-1, 0, 1] < -0.5 * size
    assert found.away().max() < BESIDE * size
    assert found.over(LOW, first=6) == pytest.approx(0.0, abs=5e-4 * size)


def scaled(rest: Matrix, size: float) -> Matrix:
    """A bone's rest in a rig of another size."""
    found = rest.copy()
    found.translation = rest.translation * size
    return found


def test_far_too_fast_it_stays_whole_and_its_memory_small():
    found = crawl(LOW, 1.0, 200.0)
    lengths = np.linalg.norm(np.diff(found.joints, axis=1), axis=-1)
    assert np.abs(lengths - found.character.rig.long_body.lengths).max() < 1e-4
    assert len(found.memories[-1].gait.trail) < 1.3 * KEPT / MARK


def test_without_any_ground_it_goes_on_at_its_height():
    found = crawl(Empty(), 3.0, place=Place(0.0, 0.0, 2.0, 0.0))
    assert found.joints[-1, 0, 1] < -1.0
    assert found.joints[..., 2].min() > 2.0
    assert "no ground" in found.memories[-1].reason


def test_all_bones_of_the_body_and_above_it_are_driven_and_its_top_is_put_in_place():
    rig = snake_rig()
    rotated, located = driven_bones(Character(rig, CharacterConfig()))
    assert set(rotated) == {*rig.long_body.bones, rig.root}
    assert located == (rig.body,)


def test_the_belly_stays_down():
    found = crawl(Hills(), 5.0)
    rig, frame = found.character.rig, found.frames[-1]
    matrices = model_matrices(rig.skeleton, frame)
    for i in rig.long_body.bones:
        bone = rig.skeleton.bones[i]
        up = (matrices[i].to_quaternion() @ bone.rest.to_quaternion().inverted()) @ Vector((0.0, 0.0, 1.0))
        assert up.z > cos(radians(40.0))


def test_a_gait_of_legs_is_said_to_be_none_for_it():
    (problem,) = Character(snake_rig(), CharacterConfig(gait="TROT")).problems
    assert "made for legs" in problem.reason
    assert Character(snake_rig(), CharacterConfig()).problems == ()


def test_walls_are_said_to_take_legs():
    (problem,) = Character(snake_rig(), CharacterConfig(surfaces="WALLS")).problems
    assert "at least 4 legs" in problem.reason


def test_settings_of_a_slithering_body_change_nothing_of_one_with_legs():
    rig = understand(dog_skeleton(), read_conventions(ROOT / "presets" / "rigs")).rig
    configs = CharacterConfig(), CharacterConfig(slither=SlitherConfig(winding=0.0, head_raise=0.1))
    poses = []
    for config in configs:
        character, world, inputs = Character(rig, config), Flat(), Inputs(speed=1.0)
        memory = character.start(ORIGIN, inputs, world)
        for _ in range(30):
            character.tick(memory, inputs, world, 1.0 / 60.0)
        poses.append(character.pose(memory).rotations)
    assert np.array_equal(*poses)


def test_a_rig_with_neither_legs_nor_a_long_body_is_refused():
    door = Skeleton(snake_skeleton().bones[:1])
    rig = understand(door, read_conventions(ROOT / "presets" / "rigs")).rig
    with pytest.raises(ValueError, match="No legs were found"):
        Character(rig, CharacterConfig())
