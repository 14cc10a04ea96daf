"""Moves that no gait has, posed: what is held, how it is taken and left, what is never shown. Moves made by hand."""

from __future__ import annotations

from math import pi, sin
from typing import Any

import pytest
from mathutils import Quaternion, Vector
from support import stunts
from support.extension import ROOT
from support.performers import clip_of
from support.rigs import person_skeleton
from surefoot.core.layers.moves import MovePoser
from surefoot.core.layers.moves_body import BodyOfKeys
from surefoot.core.layers.moves_memory import MovesMemory
from surefoot.core.layers.request import Contact, Move
from surefoot.core.motion.clip_pose import clip_poses
from surefoot.core.move_presets import moves
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.space.inertialization import rotation_offset

DT = 1.0 / 60.0
HERE = Ground(0.0, 0.0, 0.0, 0.0)
UP = (0.0, 0.0, 1.0)
EDGE = (0.2, -0.37, 2.05)
HANDS = tuple(Contact(f"hand.{k}", (v * EDGE[0], EDGE[1], EDGE[2]), UP) for k, v in (("L", 1.0), ("R", -1.0)))
HANG = Move("HANG", contacts=HANDS)


def person(**kind: Any) -> Rig:
    return understand(person_skeleton(**kind), read_conventions(ROOT / "presets" / "rigs")).rig


class Shown:
    """A body that stands at rest, but for its moves."""

    def __init__(self, rig: Rig | None = None, **more: Any) -> None:
        self.rig = rig or person()
        self.poser = MovePoser(self.rig, moves(), **more)
        self.memory = self.poser.start()
        self.pose = EditedPose.rest(self.rig.skeleton)
        self.changed = False
        self.show(None, dt=0.0)

    def show(self, move: Move | None, frames: int = 1, dt: float = DT, ground: Ground = HERE) -> Shown:
        for _ in range(frames):
            self.pose = EditedPose.rest(self.rig.skeleton)
            self.changed = self.poser.apply(self.pose, self.memory, move, ground, (), dt, aloft=move is not None)
        return self

    def palm(self, side: str) -> Vector:
        return self.poser.limbs.known[f"hand.{side}"].place(self.pose)


def test_without_a_move_the_pose_is_left_to_the_bit():
    body = Shown()
    pose = EditedPose.rest(body.rig.skeleton)
    pose.set_basis(3, Quaternion((0.9, 0.1, 0.2, 0.3)).normalized(), Vector((0.1, 0.2, 0.3)))
    before = pose.held()
    assert not body.poser.apply(pose, body.memory, None, HERE, (), DT)
    assert all(a is b for a, b in zip(pose.rotations, before[0], strict=True))
    assert pose.locations == before[1]


def test_when_a_move_has_died_out_nothing_of_it_is_left():
    body = Shown().show(HANG, 60).show(None, 60)
    assert not body.changed
    assert body.pose.rotations == EditedPose.rest(body.rig.skeleton).rotations


def test_a_move_that_lasts_is_its_key_pose():
    body, key = Shown().show(Move("HANG"), 90), EditedPose.rest(person().skeleton)
    BodyOfKeys(body.rig).pose(key, moves()["HANG"].of("").at(0.0))
    assert max((body.pose.head(i) - key.head(i)).length for i in range(len(body.rig.skeleton))) < 1e-4


@pytest.mark.parametrize("kind", [{}, {"arms": "T"}, {"legs": "STRAIGHT"}])
def test_hands_are_within_two_centimetres_of_the_edge_while_it_hangs(kind: dict):
    body = Shown(person(**kind)).show(HANG, 30)
    for _ in range(60):
        body.show(HANG)
        for contact in HANDS:
            assert (body.palm(contact.limb[-1]) - Vector(contact.place)).length < 0.02


def test_the_body_comes_within_reach_of_what_it_holds():
    high = HANG._replace(contacts=tuple(c._replace(place=(c.place[0], -0.5, 2.25)) for c in HANDS))
    body = Shown().show(high, 60)
    assert (body.palm("L") - Vector(high.contacts[0].place)).length < 0.02


def test_what_is_out_of_all_reach_is_not_gone_after():
    far = HANG._replace(contacts=tuple(c._replace(place=(c.place[0], -4.0, 3.0)) for c in HANDS))
    body, free = Shown().show(far, 60), Shown().show(Move("HANG"), 60)
    assert (body.pose.head(body.rig.body) - free.pose.head(free.rig.body)).length < 1e-4


def test_arms_that_hang_are_all_but_straight_with_their_elbows_out_of_the_wall():
    body = Shown().show(HANG, 60)
    for arm in body.rig.arms:
        shoulder, elbow, wrist = (body.pose.head(i) for i in (*arm.bones, arm.hand))
        length = (elbow - shoulder).length + (wrist - elbow).length
        assert 0.9 < (wrist - shoulder).length / length < 0.99
        assert elbow.y > EDGE[1]


def test_a_hand_takes_hold_and_lets_go_in_its_own_time():
    body = Shown().show(Move("HANG"), 60)
    places = [body.palm("L")]
    for move in [HANG] * 30 + [Move("HANG")] * 30:
        places.append(body.show(move).palm("L"))
    ways = [b - a for a, b in zip(places, places[1:], strict=False)]
    kicks = [(b - a).length / DT for a, b in zip(ways, ways[1:], strict=False)]
    assert (places[31] - Vector(HANDS[0].place)).length < 0.02
    assert max(kicks) < 1.3


def test_a_place_that_jumps_is_followed_without_a_jump():
    body = Shown().show(HANG, 60)
    there = HANG._replace(contacts=(HANDS[0]._replace(place=(0.4, -0.37, 2.05)), HANDS[1]))
    before, steps = body.palm("L"), []
    for _ in range(24):
        now = body.show(there).palm("L")
        steps.append((now - before).length)
        before = now
    assert max(steps) < 0.06
    assert (before - Vector((0.4, -0.37, 2.05))).length < 0.02


def test_a_hold_that_moves_is_held():
    body, worst = Shown().show(HANG, 60), 0.0
    for n in range(60):
        x = 0.5 * sin(0.5 * pi * n * DT) ** 2
        ground = Ground(x, 0.0, 0.0, 0.0)
        moved = HANG._replace(contacts=tuple(c._replace(place=(c.place[0] + x, *c.place[1:])) for c in HANDS))
        body.show(moved, ground=ground)
        worst = max(worst, (body.palm("L") + Vector((x, 0.0, 0.0)) - Vector(moved.contacts[0].place)).length)
    assert worst < 0.02


@pytest.mark.parametrize(("name", "variant"), [("VAULT", "LEFT"), ("CLIMB", "HIGH"), ("HANG", ""), ("ROLL", "")])
def test_a_cut_goes_on_as_it_went_and_no_bone_kicks(name: str, variant: str):
    body = Shown().show(Move("SLIDE", 0.5), 60)
    turns, speeds = [body.pose.rotations[:]], []
    for _ in range(4):
        body.show(Move(name, 0.4, variant))
        turns.append(body.pose.rotations[:])
    for before, now in zip(turns, turns[1:], strict=False):
        speeds.append([Vector(rotation_offset(b, a)) / DT for a, b in zip(before, now, strict=True)])
    assert max(speed.length for speed in speeds[0]) < 1e-3
    pairs = zip(speeds, speeds[1:], strict=False)
    kicks = [(b - a).length for one, two in pairs for a, b in zip(one, two, strict=True)]
    assert max(kicks) < 6.0


STUNTS = {
    "vault": stunts.vault,
    "vault, the other hand": lambda rig: stunts.vault(rig, variant="RIGHT"),
    "vault, both hands": lambda rig: stunts.vault(rig, variant="TUCK", depth=0.8),
    "climb": lambda rig: stunts.climb(rig, 1.0),
    "high climb": lambda rig: stunts.climb(rig, 2.0),
    "hang": lambda rig: stunts.hang(rig, 0.5),
    "wall run": lambda rig: stunts.wall_run(rig, variant="RIGHT"),
    "slide": lambda rig: stunts.along("SLIDE", rig, 0.8, 4.5),
    "roll": lambda rig: stunts.along("ROLL", rig, 0.6, 4.0),
    "leap": lambda rig: stunts.along("LEAP", rig, 0.45, 3.0, 0.3, "RIGHT"),
    "jump back": lambda rig: stunts.along("JUMP_BACK", rig, 0.5, 3.0, 0.3),
    "wall jump": lambda rig: stunts.along("WALL_JUMP", rig, 0.5, 3.0, 0.3, "LEFT"),
}


@pytest.mark.parametrize("name", STUNTS)
def test_no_knee_or_elbow_goes_past_straight_or_flips(name: str):
    rig = person()
    limbs = MovePoser(rig, moves()).limbs.known.values()
    for shown in stunts.perform(rig, STUNTS[name](rig), 30.0):
        for known in limbs:
            a, b, c = known.limb.joints(shown.pose)
            axis = shown.pose.turn(known.limb.bones[0]) @ known.limb.axes[0]
            bend = (b - a).cross(c - b).dot(axis) / ((b - a).length * (c - b).length)
            assert bend > -0.03, (shown.time, known.limb.role)


@pytest.mark.parametrize("name", ["vault", "climb", "slide", "roll"])
def test_back_on_the_ground_no_foot_is_deeper_than_two_centimetres(name: str):
    rig = person()
    stunt = STUNTS[name](rig)
    limbs = MovePoser(rig, moves()).limbs
    for shown in stunts.perform(rig, stunt, 60.0):
        if shown.part == len(stunt.parts) - 1 and shown.share < 0.4:
            for role in ("foot.L", "foot.R"):
                assert limbs._lowest(shown.pose, limbs.known[role]) > rig.floor - 0.02, (shown.time, role)


def test_two_runs_are_equal_to_the_bit_and_go_on_from_a_copy():
    rig = person()
    first = [shown.pose.rotations for shown in stunts.perform(rig, stunts.vault(rig), 60.0)]
    again = [shown.pose.rotations for shown in stunts.perform(rig, stunts.vault(rig), 60.0)]
    assert first == again
    body = Shown(rig).show(HANG, 7)
    kept = body.memory.copy()
    wanted = body.show(HANG, 9).pose.rotations
    body.memory = kept
    assert body.show(HANG, 9).pose.rotations == wanted


def test_the_memory_holds_plain_numbers_and_is_bounded():
    body = Shown()
    for move in (HANG, Move("VAULT", 0.4, "LEFT"), None, HANG):
        body.show(move, 3)
        assert isinstance(body.memory, MovesMemory)
        assert len(body.memory.shown) == 4 * len(body.poser.carrier.bones)
        assert len(body.memory.offsets) in (0, 3 * len(body.poser.carrier.bones))
        assert len(body.memory.holds) <= 4
        assert len(body.memory.cleared) <= 4


def test_at_the_first_frame_and_after_a_jump_it_is_as_if_it_had_always_been_so():
    body = Shown()
    body.show(HANG, dt=0.0)
    assert (body.palm("L") - Vector(HANDS[0].place)).length < 0.02
    assert not body.memory.offsets


def test_a_clip_is_posed_by_progress_with_its_lift_taken_out():
    clip = clip_poses(clip_of("person"))
    rig = person()
    body = Shown(rig, clips=(("HANG", clip),))
    body.show(Move("HANG", 0.5), 90)
    wanted = clip.without_lift().at(0.5 * (len(clip) - 1))
    assert max((body.pose.head(i) - wanted.head(i)).length for i in range(len(rig.skeleton))) < 1e-4


def test_a_move_without_a_clip_falls_back_to_its_key_pose():
    body = Shown(person(), clips=(("VAULT", clip_poses(clip_of("person"))),)).show(Move("HANG"), 90)
    key = EditedPose.rest(body.rig.skeleton)
    BodyOfKeys(body.rig).pose(key, moves()["HANG"].of("").at(0.0))
    assert max((body.pose.head(i) - key.head(i)).length for i in body.poser.body.driven()[0]) < 1e-4


def test_a_clip_of_another_rig_is_said_and_not_used():
    clip = clip_poses(clip_of("person"))
    other = person()
    bones = tuple(bone for bone in other.skeleton.bones if not bone.name.startswith("toe"))
    rig = understand(type(other.skeleton)(bones), read_conventions(ROOT / "presets" / "rigs")).rig
    poser = MovePoser(rig, moves(), clips=(("VAULT", clip),))
    assert [str(problem) for problem in poser.problems if "VAULT" in str(problem)]
    assert poser.clips.pose(Move("VAULT", 0.5)) is None
