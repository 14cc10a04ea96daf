"""Hits without physics: what is hit flinches, a harder one is caught by steps, and it looks where it came from."""

from __future__ import annotations

from dataclasses import replace
from math import dist, hypot

import pytest
from mathutils import Vector
from support.falling import DT, Faller
from support.performers import clip_of
from surefoot.core import falling_body
from surefoot.core.character import CharacterConfig
from surefoot.core.control.fall_row import Blow
from surefoot.core.control.intent import Inputs
from surefoot.core.control.path import path_line
from surefoot.core.motion.clip_pose import clip_poses
from surefoot.core.ragdoll.catch import CatchConfig, rate_of
from surefoot.core.ragdoll.config import RagdollConfig
from surefoot.core.ragdoll.flinch import FlinchConfig, bends
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.placed import world_matrix
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block

LEGGED = ("person", "dog", "spider")


def hit(faller: Faller, *blows: Blow) -> None:
    """A tick with hits."""
    faller.tick(hits=blows)


def top(faller: Faller) -> Vector:
    """Where the trunk's top is shown, seen from the body."""
    frame = faller.character.pose(faller.memory, faller.inputs)
    pose = EditedPose.of_frame(faller.rig.skeleton, frame)
    return pose.tail(faller.rig.spine[-1])


# Flinches.


def test_a_flinch_is_at_its_most_after_its_seconds_and_comes_from_nothing_and_goes_to_nothing():
    assert bends(0.11, 0.11) == pytest.approx(1.0)
    assert max(bends(0.001 * k, 0.11) for k in range(1000)) == pytest.approx(1.0)
    assert bends(0.0, 0.11) == 0.0
    assert bends(0.99, 0.11) < 0.01


@pytest.mark.parametrize("way", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
def test_a_trunk_that_is_hit_bends_away_from_the_hit_and_comes_back(way: tuple[float, float]):
    faller, other = Faller("person"), Faller("person")
    for each in (faller, other):
        each.wait(0.5)
    hit(faller, Blow((0.2 * way[0], 0.2 * way[1], 0.0)))
    other.tick()
    moved = []
    for _ in range(90):
        faller.tick()
        other.tick()
        moved.append((top(faller) - top(other)).dot(Vector((*way, 0.0))))
    assert max(moved) > 0.005
    assert min(moved) > -0.001
    assert moved[-1] == pytest.approx(0.0, abs=1e-4)


def test_a_small_hit_moves_no_foot_and_no_travel():
    faller, other = Faller("person", Inputs(speed=1.2)), Faller("person", Inputs(speed=1.2))
    for each in (faller, other):
        each.wait(1.0)
    hit(faller, Blow((0.2, 0.0, 0.0)))
    other.tick()
    for _ in range(60):
        assert replace(faller.memory.gait, events=()) == replace(other.memory.gait, events=())
        assert faller.memory.travel == other.memory.travel
        faller.tick()
        other.tick()


def test_a_hit_is_told_as_an_event():
    faller = Faller("person")
    hit(faller, Blow((0.2, 0.0, 0.0)))
    assert faller.memory.gait.events == (("HIT", ""),)


@pytest.mark.parametrize(("role", "part"), [("", "trunk"), ("chest", "trunk"), ("head", "head"), ("hand.L", "arm.L")])
def test_what_is_hit_is_what_flinches(role: str, part: str):
    faller = Faller("person")
    hit(faller, Blow((0.0, 0.4, 0.0), role))
    assert [flinch.part for flinch in faller.memory.fall.flinches] == [part]


def test_no_more_flinches_are_remembered_than_four():
    faller = Faller("person")
    for _ in range(9):
        hit(faller, Blow((0.3, 0.0, 0.0)), Blow((0.0, 0.3, 0.0), "head"))
    assert len(faller.memory.fall.flinches) == 4


def test_when_it_is_over_nothing_is_remembered_and_the_pose_is_its_own_to_the_bit():
    faller, other = Faller("person"), Faller("person")
    hit(faller, Blow((0.2, 0.1, 0.0)))
    other.tick()
    for each in (faller, other):
        each.wait(4.0)
    assert faller.memory.fall is None
    assert repr(faller.memory) == repr(other.memory)


def test_a_head_looks_where_the_hit_came_from():
    faller = Faller("person")
    faller.wait(0.5)
    hit(faller, Blow((-0.2, 0.0, 0.0)))

    def faces() -> Vector:
        frame = faller.character.frame(faller.memory, faller.inputs, faller.world, DT)
        pose = EditedPose.of_frame(faller.rig.skeleton, frame)
        turn = (world_matrix(frame.ground) @ pose.moved(faller.rig.head)).to_quaternion()
        return turn @ Vector((0.0, -1.0, 0.0))

    seen = []
    for _ in range(300):
        faller.tick()
        seen.append(faces())
    # It came from +X, which is on its left.
    assert max(way.x for way in seen[:75]) > 0.6
    assert abs(seen[-1].x) < 0.02


# Catching steps.


@pytest.mark.parametrize("kind", LEGGED)
@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 1.0), (-0.6, -0.8)])
def test_a_pushed_body_comes_to_rest_on_its_capture_point_with_its_feet_under_it(kind: str, way: tuple[float, float]):
    faller = Faller(kind)
    faller.wait(0.5)
    start, speed = faller.memory.travel.place, 0.8 * faller.character.gait.shape.tempo
    before, seen = faller.steps(), []
    hit(faller, Blow((speed * way[0], speed * way[1], 0.0)))
    for _ in range(240):
        faller.tick()
        seen.append(faller.feet())
    place, far = faller.memory.travel.place, speed / rate_of(faller.rig.leg_length)
    went = ((place.x - start.x) / far, (place.y - start.y) / far)
    assert went == pytest.approx(way, abs=0.12)
    assert faller.steps() - before >= len(faller.rig.legs)
    pairs = [(a, b) for one, two in zip(seen, seen[1:], strict=False) for a, b in zip(one, two, strict=True)]
    assert max(dist(a[1], b[1]) for a, b in pairs if a[0] and b[0]) == 0.0
    for leg, (planted, hold) in zip(faller.character.gait.shape.legs, faller.feet(), strict=True):
        assert planted
        assert hypot(hold[0] - place.x - leg.ball[0], hold[1] - place.y - leg.ball[1]) < 0.15 * faller.rig.leg_length


@pytest.mark.parametrize("way", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
def test_its_arms_go_out_as_it_staggers_to_where_it_goes_and_come_back(way: tuple[float, float]):
    faller, other = Faller("person"), Faller("person")
    for each in (faller, other):
        each.wait(0.3)
    hit(faller, Blow((1.4 * way[0], 1.4 * way[1], 0.0)))
    other.tick()
    hands = [i for i, body in enumerate(faller.plan.bodies) if body.role in ("hand.L", "hand.R")]

    def ahead(each: Faller) -> list[float]:
        shown = each.shown()
        return [sum((shown[7 * i + k] - shown[k]) * way[k] for k in (0, 1)) for i in hands]

    out = []
    for _ in range(30):
        faller.tick()
        other.tick()
        out.append(max(a - b for a, b in zip(ahead(faller), ahead(other), strict=True)))
    assert max(out) > 0.08
    faller.wait(5.0)
    assert faller.memory.fall is None


def test_the_legs_reach_their_feet_all_the_way():
    for kind in LEGGED:
        faller = Faller(kind)
        faller.wait(0.5)
        speed = 1.2 * faller.character.gait.shape.tempo
        hit(faller, Blow((speed, 0.3 * speed, 0.0)))
        for _ in range(120):
            faller.tick()
            report = faller.character.pose_and_report(faller.memory)[1]
            assert report.clamped == (), kind


def test_hits_add_up_and_yet_never_push_faster_than_they_may():
    faller = Faller("person")
    hit(faller, Blow((0.7, 0.0, 0.0)), Blow((0.7, 0.0, 0.0)))
    assert hypot(*faller.memory.travel.velocity) == pytest.approx(1.4, rel=0.06)
    hit(faller, Blow((60.0, 0.0, 0.0)))
    assert hypot(*faller.memory.travel.velocity) <= 2.0


def test_a_hit_on_a_limb_pushes_less():
    speeds = {}
    for role in ("chest", "head", "thigh.L", "hand.R"):
        faller = Faller("person")
        hit(faller, Blow((1.6, 0.0, 0.0), role))
        speeds[role] = faller.memory.travel.velocity[0]
    assert speeds["head"] == speeds["chest"]
    assert speeds["thigh.L"] == pytest.approx(0.5 * speeds["chest"], rel=0.01)
    assert speeds["hand.R"] == 0.0


def test_without_solids_it_steps_all_the_same():
    faller = Faller("person")
    faller.character = type(faller.character)(faller.rig, CharacterConfig())
    hit(faller, Blow((1.0, 0.0, 0.0)))
    faller.wait(2.0)
    assert faller.memory.travel.place.x > 0.25


def test_a_walker_that_is_pushed_keeps_its_speed_and_its_way():
    faller = Faller("person", Inputs(speed=1.2))
    faller.wait(2.0)
    start = faller.memory.travel.place
    hit(faller, Blow((1.0, 0.0, 0.0)))
    faller.wait(2.0)
    place = faller.memory.travel.place
    assert place.x - start.x == pytest.approx(1.0 / rate_of(faller.rig.leg_length), rel=0.1)
    assert place.y - start.y == pytest.approx(-1.2 * 121 * DT, abs=0.05)
    assert faller.memory.travel.velocity[:2] == pytest.approx((0.0, -1.2), abs=1e-6)


def test_no_push_makes_a_walker_run():
    faller = Faller("person")
    hit(faller, Blow((2.0, 0.0, 0.0)))
    gaits = set()
    for _ in range(60):
        faller.tick()
        gaits.add(faller.memory.gait.gait)
    assert gaits == {"WALK"}


def test_a_wall_stops_a_pushed_body_with_a_shape():
    world = Union(Flat(), Block((1.0, -2.0, -1.0), (1.4, 2.0, 3.0)))
    faller = Faller("person", world=world, config=CharacterConfig(body="CAPSULE"))
    faller.wait(0.2)
    for _ in range(4):
        hit(faller, Blow((1.5, 0.0, 0.0)))
        faller.wait(1.0)
    assert 0.25 < faller.memory.travel.place.x < 1.0 - 0.9 * faller.character.movement.radius


def test_a_body_that_is_pushed_off_its_path_comes_back_to_it():
    path = path_line([(0.0, 0.0, 0.0), (40.0, 0.0, 0.0)], closed=False)
    faller = Faller("person", Inputs(speed=1.2, path=path), config=CharacterConfig(director="PATH"))
    faller.wait(1.5)
    hit(faller, Blow((0.0, 1.0, 0.0)))
    seen = [faller.memory.travel.place]
    for _ in range(300):
        faller.tick()
        seen.append(faller.memory.travel.place)
    assert max(place.y for place in seen) > 0.2
    assert seen[-1].y == 0.0
    assert max(hypot(b.x - a.x, b.y - a.y) for a, b in zip(seen, seen[1:], strict=False)) < 1.6 * DT


def test_a_body_that_plays_a_clip_only_flinches():
    config = CharacterConfig(base="CLIP", clip_poses=clip_poses(clip_of("person")))
    faller, other = Faller("person", config=config), Faller("person", config=config)
    for each in (faller, other):
        each.wait(0.5)
    hit(faller, Blow((1.5, 0.0, 0.0)))
    other.tick()
    for each in (faller, other):
        each.wait(0.1)
    assert faller.memory.travel == other.memory.travel
    assert (top(faller) - top(other)).length > 0.02


def test_hits_are_the_same_to_the_bit_when_they_are_replayed():
    runs = []
    for _ in range(2):
        faller = Faller("dog", Inputs(speed=1.0))
        faller.wait(0.5)
        hit(faller, Blow((0.5, 0.4, 0.0), "head"))
        faller.wait(0.4)
        hit(faller, Blow((-0.3, 0.4, 0.0)))
        faller.wait(0.4)
        runs.append(repr(faller.memory))
    assert runs[0] == runs[1]


# Numbers.


CATCH = {"arms": 0.1, "quickest": 1.1, "quickest_at": 5.0, "steps_from": 3.0, "most_push": 0.5, "back_on_course": 0.05}
FLINCH = {"bend": 0.4, "most": 0.05, "seconds": 0.3, "look_seconds": 0.0}


def told(monkeypatch: pytest.MonkeyPatch, numbers: RagdollConfig) -> list:
    """A body on a path that is hit twice, with some numbers."""
    monkeypatch.setattr(falling_body, "falls", lambda _name: numbers)
    path = path_line([(0.0, 0.0, 0.0), (40.0, 0.0, 0.0)], closed=False)
    faller = Faller("person", Inputs(speed=1.2, path=path), config=CharacterConfig(director="PATH"))
    faller.wait(0.5)
    seen = []
    hit(faller, Blow((0.0, 1.2, 0.0)))
    for _ in range(120):
        faller.tick()
        frame = faller.character.frame(faller.memory, faller.inputs, faller.world, DT)
        seen.append((faller.memory.travel.place, frame.numbers()))
    return seen


@pytest.mark.parametrize("name", [*CATCH, *FLINCH])
def test_every_number_of_catching_and_flinching_counts(name: str, monkeypatch: pytest.MonkeyPatch):
    usual = RagdollConfig()
    if name in CATCH:
        other = RagdollConfig(catching=CatchConfig(**{name: CATCH[name]}))
    else:
        other = RagdollConfig(flinch=FlinchConfig(**{name: FLINCH[name]}))
    assert told(monkeypatch, other) != told(monkeypatch, usual)
