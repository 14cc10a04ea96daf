"""The states and their poses together: a person driven over blocks, onto platforms, along edges."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest
from mathutils import Matrix, Vector
from support.extension import ROOT
from support.level_runs import Acted, Scene, act, climbing, hanging, vaulting
from support.rigs import person_skeleton
from surefoot.core.character import Character, CharacterConfig, driven_bones
from surefoot.core.layers.moves_limbs import Limbs
from surefoot.core.locomotion.registry import STATES
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.understand import understand
from surefoot.core.space.inertialization import rotation_offset

SCENES = {
    "vault": vaulting,
    "sprint vault": lambda: vaulting(speed=5.5),
    "low climb": lambda: climbing(1.2),
    "high climb": lambda: climbing(2.0),
    "hang": hanging,
}
FPS = 60.0


@lru_cache
def person(size: float = 1.0) -> Rig:
    bones = tuple(
        Bone(b.name, b.parent, Matrix.Translation(b.head * (size - 1.0)) @ b.rest, b.length * size, b.connected)
        for b in person_skeleton().bones
    )
    return understand(Skeleton(bones), read_conventions(ROOT / "presets" / "rigs")).rig


@lru_cache
def acted(name: str, size: float = 1.0) -> tuple[Acted, ...]:
    return tuple(act(person(size), SCENES[name](), FPS))


def world_of(shown: Acted) -> Matrix:
    ground = shown.frame.ground
    return Matrix.Translation(ground[:3]) @ Matrix.Rotation(ground.heading, 4, "Z")


def state(shown: Acted) -> str:
    return shown.memory.state.state


def changes(frames: tuple[Acted, ...]) -> Iterator[int]:
    """The frames at which a state has the body that had it not before, or gives it back."""
    for k in range(2, len(frames) - 2):
        pair = {state(frames[k - 1]), state(frames[k])}
        if len(pair) > 1 and pair & set(STATES):
            yield k


def spins(frames: tuple[Acted, ...], k: int) -> list[Vector]:
    """How fast each bone turns from a frame to the next (radians a second)."""
    pairs = zip(frames[k].pose.rotations, frames[k + 1].pose.rotations, strict=True)
    return [Vector(rotation_offset(now, before)) * FPS for before, now in pairs]


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_does_what_it_is_called(name: str):
    moves = [shown.request.move.name for shown in acted(name) if shown.request.move is not None]
    wanted = {"vault": {"VAULT"}, "climb": {"CLIMB"}, "hang": {"PULL_IN", "HANG", "SHIMMY", "CLIMB"}}
    assert set(moves) == wanted[name.rpartition(" ")[2]]


@pytest.mark.parametrize("name", SCENES)
def test_at_a_change_of_state_no_bone_s_angular_velocity_steps_by_more_than_six(name: str):
    frames = acted(name)
    for k in changes(frames):
        # Into the frame of the change, and out of it.
        for at in (k - 1, k):
            before, after = spins(frames, at - 1), spins(frames, at)
            worst = max((b - a).length for a, b in zip(before, after, strict=True))
            assert worst <= 6.0, (state(frames[k - 1]), state(frames[k]), at - k)


@pytest.mark.parametrize("size", [1.0, 0.5, 2.0])
def test_hands_are_within_two_centimetres_of_the_edge_while_it_hangs(size: float):
    rig = person(size)
    limbs, since, seen = Limbs(rig).known, 0, 0
    for shown in acted("hang", size):
        move = shown.request.move
        since = since + 1 if move is not None and move.name in ("HANG", "SHIMMY") else 0
        held = {hold.limb for hold in shown.memory.moves.holds if hold.share > 0.999}
        for contact in move.contacts if since > 15 * size**0.5 else ():
            if contact.limb.startswith("hand") and contact.limb in held:
                seen += 1
                off = world_of(shown) @ limbs[contact.limb].place(shown.pose) - Vector(contact.place)
                assert off.length < 0.02 * size, shown.time
    assert seen > 60


def test_feet_are_within_three_centimetres_of_the_wall_while_it_hangs():
    limbs = Limbs(person()).known
    still = [shown for shown in acted("hang") if shown.request.move is not None and shown.request.move.name == "HANG"]
    for shown in still[20:40]:
        for contact in shown.request.move.contacts:
            off = world_of(shown) @ limbs[contact.limb].place(shown.pose) - Vector(contact.place)
            assert off.length < 0.03, contact.limb


@pytest.mark.parametrize(("name", "top"), [("low climb", 1.2), ("high climb", 2.0)])
def test_the_foot_that_comes_up_first_stands_on_the_top(name: str, top: float):
    rig, seen = person(), 0
    leg = rig.legs[1]
    ends = ((leg.sole.heel_bone, leg.sole.heel), (leg.sole.ball_bone, leg.sole.ball), (leg.toes[-1], leg.sole.toe))
    for shown in acted(name):
        held = {hold.limb: hold for hold in shown.memory.moves.holds}
        if "foot.R" in held and held["foot.R"].wanted and held["foot.R"].share > 0.99 and shown.request.move:
            seen += 1
            lowest = min((world_of(shown) @ shown.pose.moved(bone) @ place).z for bone, place in ends)
            assert abs(lowest - top * rig.leg_length / 0.9) < 0.03
    assert seen > 5


@pytest.mark.parametrize("name", ["vault", "sprint vault"])
def test_the_planted_hand_is_on_the_top_in_the_middle_of_a_vault(name: str):
    hand = Limbs(person()).known["hand.L"]
    planted = [shown for shown in acted(name) if shown.request.move and 0.44 < shown.request.move.progress < 0.58]
    assert planted
    for shown in planted:
        contact = shown.request.move.contacts[0]
        assert (world_of(shown) @ hand.place(shown.pose) - Vector(contact.place)).length < 0.05


@pytest.mark.parametrize("name", ["vault", "sprint vault"])
def test_in_a_vault_the_feet_pass_over_the_top_to_the_side_of_the_hand_that_is_free(name: str):
    rig = person()
    top = 0.95 * rig.leg_length / 0.9
    size = rig.leg_length / 0.9
    moving = [shown for shown in acted(name) if shown.request.move]
    over = [shown for shown in moving if -4.35 * size < shown.memory.travel.place.y < -4.1 * size]
    assert over
    for shown in over:
        for leg in rig.legs:
            x, _, z = world_of(shown) @ shown.pose.head(leg.foot)
            assert z > top
            assert x < 0.05


def points(rig: Rig, shown: Acted) -> list[Vector]:
    """Joints of all limbs, and the ends of the soles, in the world."""
    pose, places = shown.pose, []
    for leg in rig.legs:
        places += [pose.head(i) for i in (*leg.bones, leg.foot)]
        places += [pose.moved(leg.sole.heel_bone) @ leg.sole.heel, pose.moved(leg.sole.ball_bone) @ leg.sole.ball]
    for arm in rig.arms:
        places += [pose.head(i) for i in (*arm.bones, arm.hand)]
    places.append(pose.tail(rig.head))
    return [world_of(shown) @ place for place in places]


def depth(place: Vector, box: tuple, size: float) -> float:
    """How deep a place is in a box, metres; negative outside."""
    low, high = ([v * size for v in corner] for corner in box)
    return min(min(p - a, b - p) for p, a, b in zip(place, low, high, strict=True))


@pytest.mark.parametrize("name", ["sprint vault", "low climb", "high climb"])
def test_no_limb_goes_deeper_than_two_centimetres_into_what_it_goes_over(name: str):
    rig, scene = person(), SCENES[name]()
    size = rig.leg_length / 0.9
    for shown in acted(name):
        if shown.request.move is not None and shown.request.move.progress < 0.95:
            for place in points(rig, shown):
                assert depth(place, scene.boxes[0], size) < 0.025, (shown.time, place)


def test_a_run_that_is_gone_on_with_from_a_copy_is_the_same_to_the_bit():
    again = tuple(act(person(), SCENES["vault"](), FPS))
    assert [shown.pose.rotations for shown in again] == [shown.pose.rotations for shown in acted("vault")]


def test_the_bones_of_moves_are_driven_where_it_reads_the_level_and_nowhere_else():
    rig = person()
    names = [bone.name for bone in rig.skeleton.bones]
    plain, reading = (
        {names[i] for i in driven_bones(Character(rig, CharacterConfig(body="CAPSULE", parkour=parkour)))[0]}
        for parkour in (False, True)
    )
    assert plain < reading
    assert {"shoulder.L", "head"} <= reading - plain


def test_without_parkour_the_poses_are_those_of_the_walking_capsule_to_the_bit():
    scene = Scene(climbing(1.2).boxes, climbing(1.2).script, 4.0, 0.9)
    rig = person()
    given = [CharacterConfig(director="INPUT", body="CAPSULE", parkour=parkour) for parkour in (False, True)]
    without, reading = (tuple(act(rig, scene, FPS, config)) for config in given)
    on_ground = [k for k, shown in enumerate(reading) if state(shown) == "GROUNDED" and not shown.memory.moves.offsets]
    assert len(on_ground) > 40
    assert all(without[k].pose.rotations == reading[k].pose.rotations for k in on_ground)
