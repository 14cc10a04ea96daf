"""From a skeleton to a Rig: legs, sides, order, facing, trunk, corrections, and what is said about odd rigs."""

from dataclasses import replace
from math import pi, radians

import pytest
from mathutils import Matrix, Vector
from support.extension import ROOT
from support.rigs import (
    beetle_skeleton,
    bird_skeleton,
    dog_skeleton,
    hexapod_skeleton,
    horse_skeleton,
    person_skeleton,
    renamed,
    spider_skeleton,
)
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
ANIMALS = {
    "person": (person_skeleton, ["leg.L", "leg.R"]),
    "dog": (dog_skeleton, ["front_leg.L", "front_leg.R", "hind_leg.L", "hind_leg.R"]),
    "hexapod": (hexapod_skeleton, [f"{row}_leg.{side}" for row in ("front", "middle", "hind") for side in "LR"]),
    "spider": (spider_skeleton, [f"leg{row}.{side}" for row in (1, 2, 3, 4) for side in "LR"]),
    "horse": (horse_skeleton, ["front_leg.L", "front_leg.R", "hind_leg.L", "hind_leg.R"]),
    "bird": (bird_skeleton, ["leg.L", "leg.R"]),
    "beetle": (beetle_skeleton, [f"{row}_leg.{side}" for row in ("front", "middle", "hind") for side in "LR"]),
}


def rig_of(skeleton, **others):
    return understand(skeleton, CONVENTIONS, **others).rig


def nameless(skeleton):
    return renamed(skeleton, lambda name: f"Bone.{(skeleton.index[name] * 37) % 101:03d}")


def name_of(rig, bone):
    return rig.skeleton.bones[bone].name


def chain(*points, name="bone", parent="", bones=None):
    """Bones from point to point; `bones` holds (name, parent, head, tail) and grows."""
    bones = [] if bones is None else bones
    for k, (head, tail) in enumerate(zip(points, points[1:], strict=False)):
        bones.append((f"{name}{k}", parent, Vector(head), Vector(tail)))
        parent = f"{name}{k}"
    return bones


def skeleton_from(rows):
    index = {name: i for i, (name, _, _, _) in enumerate(rows)}
    made = []
    for name, parent, head, tail in rows:
        along = tail - head
        turn = Vector((0.0, 1.0, 0.0)).rotation_difference(along if along.length else Vector((0.0, 1.0, 0.0)))
        rest = turn.to_matrix().to_4x4()
        rest.translation = head
        made.append(Bone(name, index.get(parent, -1), rest, along.length))
    return Skeleton(tuple(made))


def table(left, right):
    """Two legs of given joints (x is mirrored for the right) under a body."""
    rows = chain((0, 0.1, 1.0), (0, 0, 1.2), name="body")
    chain(*left, name="a", parent="body0", bones=rows)
    chain(*[(-x, y, z) for x, y, z in right], name="b", parent="body0", bones=rows)
    return skeleton_from(rows)


PERSON_LEG = [(0.1, 0, 1.0), (0.1, -0.03, 0.5), (0.1, 0.02, 0.08), (0.1, -0.15, 0.02)]


@pytest.mark.parametrize("animal", ANIMALS)
@pytest.mark.parametrize("named", [True, False])
def test_legs_come_front_to_back_and_left_before_right(animal, named):
    build, roles = ANIMALS[animal]
    skeleton = build() if named else nameless(build())
    rig = rig_of(skeleton)
    assert [leg.role for leg in rig.legs] == roles
    assert all(leg.side == ("L" if leg.tip.x > 0 else "R") for leg in rig.legs)
    hips = [leg.hip.y + leg.tip.y for leg in rig.legs]
    assert hips == sorted(hips)


@pytest.mark.parametrize("animal", ANIMALS)
@pytest.mark.parametrize("yaw", [0.5 * pi, pi, -0.5 * pi, radians(37.0)])
def test_a_rig_of_any_facing_is_turned_to_face_minus_y(animal, yaw):
    skeleton = nameless(ANIMALS[animal][0]())
    found = understand(skeleton.moved(Matrix.Rotation(yaw, 4, "Z")), CONVENTIONS)
    straight = understand(skeleton, CONVENTIONS)
    assert abs((found.turned + yaw + pi) % (2 * pi) - pi) < 1e-5
    for leg, same in zip(found.rig.legs, straight.rig.legs, strict=True):
        assert (leg.tip - same.tip).length < 1e-5
        assert leg.bones == same.bones


@pytest.mark.parametrize("animal", ANIMALS)
def test_names_and_shape_give_the_same_legs(animal):
    build, _ = ANIMALS[animal]
    by_name, by_shape = rig_of(build()), rig_of(nameless(build()))
    assert [(leg.bones, leg.foot, leg.toes) for leg in by_name.legs] == [
        (leg.bones, leg.foot, leg.toes) for leg in by_shape.legs
    ]
    assert (by_name.body, by_name.root, by_name.head) == (by_shape.body, by_shape.root, by_shape.head)


def test_the_same_rig_is_understood_whatever_the_order_of_its_bones():
    rows = [(b.name, b.parent) for b in person_skeleton().bones]
    names = [name for name, _ in rows]
    late = sorted(range(len(rows)), key=lambda i: (depth(rows, i), names[i][::-1]), reverse=False)
    place = {old: new for new, old in enumerate(late)}
    bones = person_skeleton().bones
    shuffled = Skeleton(tuple(replace(bones[i], parent=place.get(bones[i].parent, -1)) for i in late))
    assert rig_of(shuffled).roles == rig_of(person_skeleton()).roles


def depth(rows, i):
    return 0 if rows[i][1] < 0 else 1 + depth(rows, rows[i][1])


def test_a_person_has_roles_from_pelvis_to_hand():
    roles = rig_of(person_skeleton()).roles
    assert roles["pelvis"] == ("pelvis",)
    assert roles["spine"] == ("spine.001", "spine.002", "chest")
    assert roles["neck"] == ("neck",)
    assert roles["head"] == ("head",)
    assert roles["root"] == ("root",)
    for side in "LR":
        for part in ("thigh", "shin", "foot", "toe", "shoulder", "upper_arm", "forearm", "hand"):
            assert roles[f"{part}.{side}"] == (f"{part}.{side}",)


def test_front_and_hind_bones_of_a_dog_have_roles_of_their_own():
    roles = rig_of(dog_skeleton()).roles
    assert roles["front_shin.L"] == ("front_shin.L",)
    assert roles["hind_metatarsal.R"] == ("foot.R",)
    assert roles["hind_foot.R"] == ("toe.R",)
    assert roles["tail"] == ("tail.001", "tail.002", "tail.003", "tail.004")


def test_a_dog_stands_on_its_toes_with_three_segments():
    for leg in rig_of(nameless(dog_skeleton())).legs:
        assert leg.stance == "DIGITIGRADE"
        assert len(leg.bones) == 3
        assert leg.foot >= 0


@pytest.mark.parametrize("named", [True, False])
def test_a_horse_bends_three_segments_and_stands_on_hooves_behind_its_fetlocks(named):
    skeleton = horse_skeleton()
    rig = rig_of(skeleton if named else nameless(skeleton))
    names = [bone.name for bone in skeleton.bones]
    front, hind = rig.legs[0], rig.legs[2]
    assert [names[i] for i in front.bones] == ["upper_arm.L", "forearm.L", "forefoot.L"]
    assert [names[i] for i in hind.bones] == ["thigh.L", "lower_leg.L", "hind_foot.L"]
    assert [names[i] for i in (front.foot, *front.toes, hind.foot, *hind.toes)] == [
        "f_toe.L",
        "f_hoof.L",
        "r_toe.L",
        "r_hoof.L",
    ]
    assert [names[i] for i in rig.neck] == ["neck.001", "neck.002", "neck.003"]
    assert [names[i] for i in rig.tails[0]] == ["tail.001", "tail.002", "tail.003", "tail.004"]


@pytest.mark.parametrize("named", [True, False])
def test_a_birds_neck_begins_over_its_wings_and_its_toes_stay_down(named):
    skeleton = bird_skeleton()
    rig = rig_of(skeleton if named else nameless(skeleton))
    names = [bone.name for bone in skeleton.bones]
    assert [names[i] for i in (*rig.neck, rig.head)] == ["neck.001", "neck.002", "neck.003", "neck.004", "head"]
    assert [names[i] for i in rig.legs[0].toes] == ["toe_front.L"]
    assert {names[arm.bones[0]] for arm in rig.arms} == {"wing.001.L", "wing.001.R"}


def test_a_spider_stands_on_points():
    for leg in rig_of(spider_skeleton()).legs:
        assert (leg.stance, leg.foot, leg.toes) == ("POINT", -1, ())
        assert leg.sole.heel == leg.sole.ball == leg.sole.toe
        assert (leg.sole.ball - leg.tip).length < 1e-6


@pytest.mark.parametrize("animal", ANIMALS)
def test_joints_are_the_heads_of_the_bones_that_bend_and_the_tip(animal):
    rig = rig_of(ANIMALS[animal][0]())
    for leg in rig.legs:
        heads = [rig.skeleton.bones[i].head for i in leg.bones]
        tip = rig.skeleton.bones[leg.foot].head if leg.foot >= 0 else rig.skeleton.bones[leg.bones[-1]].tail
        assert all((joint - head).length < 1e-6 for joint, head in zip(leg.joints, [*heads, tip], strict=True))


def test_split_bones_are_one_rigid_segment():
    leg = [(0.1, 0, 1.0), (0.1, -0.01, 0.75), (0.1, -0.03, 0.5), (0.1, 0.0, 0.3), (0.1, 0.02, 0.08), (0.1, -0.15, 0.02)]
    rig = rig_of(table(leg, leg))
    left = rig.legs[0]
    assert [name_of(rig, i) for i in left.bones] == ["a0", "a2"]
    assert [name_of(rig, i) for i in left.helpers] == ["a1", "a3"]
    assert name_of(rig, left.foot) == "a4"
    assert (left.joints[1] - Vector((0.1, -0.03, 0.5))).length < 1e-6


def test_a_foot_that_hangs_under_the_root_belongs_to_the_leg_that_ends_there():
    rows = chain((0, 0, 0), (0, 0.3, 0), name="root")
    chain((0, 0.1, 1.0), (0, 0, 1.2), name="body", parent="root0", bones=rows)
    for side, mark in ((1, "a"), (-1, "b")):
        joints = [(side * x, y, z) for x, y, z in PERSON_LEG]
        chain(*joints[:3], name=mark, parent="body0", bones=rows)
        ankle, shin = Vector(joints[2]), Vector(joints[2]) - Vector(joints[1])
        rows.append((f"{mark}_mark", f"{mark}1", ankle, ankle + shin))
        chain(joints[2], joints[3], name=f"{mark}foot", parent="root0", bones=rows)
        foot = Vector(joints[3]) - ankle
        rows.append((f"{mark}foot_mark", f"{mark}foot0", Vector(joints[3]), Vector(joints[3]) + foot))
    rig = rig_of(skeleton_from(rows))
    for leg, mark in zip(rig.legs, "ab", strict=True):
        assert leg.detached
        assert [name_of(rig, i) for i in leg.bones] == [f"{mark}0", f"{mark}1"]
        assert name_of(rig, leg.foot) == f"{mark}foot0"


def test_the_body_carries_all_legs_and_the_trunk():
    rows = chain((0, 0, 1.0), (0, 0, 1.1), name="base")
    chain((0, 0, 1.0), (0, 0, 0.95), name="hips", parent="base0", bones=rows)
    chain((0, 0, 1.1), (0, 0, 1.3), (0, 0, 1.5), name="spine", parent="base0", bones=rows)
    for side, mark in ((1, "a"), (-1, "b")):
        chain(*[(side * x, y, z) for x, y, z in PERSON_LEG], name=mark, parent="hips0", bones=rows)
    rig = rig_of(skeleton_from(rows))
    assert name_of(rig, rig.body) == "base0"
    assert name_of(rig, rig.pelvis) == "hips0"


def test_a_pelvis_high_over_the_floor_is_no_root():
    assert rig_of(table(PERSON_LEG, PERSON_LEG)).root == -1


def test_a_mirrored_rig_has_its_left_on_its_left_and_says_that_names_disagree():
    mirror = Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0))
    bones = person_skeleton().bones
    rig = rig_of(Skeleton(tuple(replace(bone, rest=mirror @ bone.rest @ mirror) for bone in bones)))
    assert name_of(rig, rig.leg("leg.L").bones[0]) == "thigh.R"
    assert rig.leg("leg.L").tip.x > 0
    assert any(problem.bone == "thigh.R" and "name says right" in problem.reason for problem in rig.problems)


def test_a_rig_alike_in_front_and_behind_says_so():
    leg = [(0.1, 0, 1.0), (0.1, 0, 0.5), (0.1, 0, 0.0)]
    rig = rig_of(table(leg, leg))
    assert any("look alike" in problem.reason for problem in rig.problems)
    assert not any(problem.blocking for problem in rig.problems)


def test_unequal_legs_are_both_legs_and_it_is_said():
    short = [(x, y, 1.0 - 0.7 * (1.0 - z)) for x, y, z in PERSON_LEG]
    rig = rig_of(
        table(PERSON_LEG, short), corrections={"thigh.L": "a0", "foot.L": "a2", "thigh.R": "b0", "foot.R": "b2"}
    )
    assert [leg.role for leg in rig.legs] == ["leg.L", "leg.R"]
    assert any("differ in length by 30 %" in problem.reason for problem in rig.problems)


def test_no_bones_is_a_blocking_problem():
    rig = rig_of(Skeleton(()))
    assert [problem.blocking for problem in rig.problems] == [True]


def test_a_rig_without_legs_is_told_why_it_cannot_walk():
    rig = rig_of(skeleton_from(chain((0, 0, 0.5), (0, 0, 1.5), name="ball")))
    assert rig.legs == ()
    assert rig.long_body is None
    assert [problem.blocking for problem in rig.problems] == [True]
    assert "No legs" in rig.problems[0].reason


def test_one_leg_is_told_why_it_cannot_walk():
    rows = chain((0, 0.1, 1.0), (0, 0, 1.2), name="body")
    chain((0, 0, 1.0), (0, -0.03, 0.5), (0, 0.02, 0.08), (0, -0.15, 0.02), name="a", parent="body0", bones=rows)
    rig = rig_of(skeleton_from(rows))
    assert [leg.role for leg in rig.legs] == ["leg"]
    assert any(problem.blocking and "one leg" in problem.reason for problem in rig.problems)


def test_a_segment_without_length_is_named():
    leg = [(0.1, 0, 1.0), (0.1, -0.03, 0.5), (0.1, -0.03, 0.5), (0.1, 0.02, 0.08), (0.1, -0.15, 0.02)]
    corrections = {
        f"{part}.{side}": f"{mark}{k}" for side, mark in ("La", "Rb") for part, k in (("thigh", 0), ("shin", 1))
    }
    corrections |= {"foot.L": "a2", "foot.R": "b2"}
    rig = rig_of(table(leg, leg), corrections=corrections)
    assert any(
        problem.blocking and problem.bone == "a0" and "without length" in problem.reason for problem in rig.problems
    )


def test_legs_under_different_roots_have_no_body_and_it_is_said():
    rows = chain(*PERSON_LEG, name="a")
    chain(*[(-x, y, z) for x, y, z in PERSON_LEG], name="b", bones=rows)
    corrections = {"thigh.L": "a0", "foot.L": "a2", "thigh.R": "b0", "foot.R": "b2"}
    rig = rig_of(skeleton_from(rows), corrections=corrections)
    assert rig.body == -1
    assert any(problem.blocking and "no common bone" in problem.reason for problem in rig.problems)


def test_a_correction_by_hand_makes_a_leg_of_a_chain_that_ends_in_the_air():
    arm = [(0.2, -1.0, 1.0), (0.2, -1.1, 0.8), (0.2, -1.0, 0.6), (0.2, -1.1, 0.55)]
    rows = [*zip_rows(table(PERSON_LEG, PERSON_LEG))]
    chain((0, 0, 1.2), (0, -1.0, 1.1), name="spine", parent="body0", bones=rows)
    chain(*arm, name="c", parent="spine0", bones=rows)
    chain(*[(-x, y, z) for x, y, z in arm], name="d", parent="spine0", bones=rows)
    skeleton = skeleton_from(rows)
    assert len(rig_of(skeleton).legs) == 2
    corrections = {"front_thigh.L": "c0", "front_foot.L": "c2", "front_thigh.R": "d0", "front_foot.R": "d2"}
    rig = rig_of(skeleton, corrections=corrections)
    assert [leg.role for leg in rig.legs] == ["front_leg.L", "front_leg.R", "hind_leg.L", "hind_leg.R"]
    assert name_of(rig, rig.legs[0].foot) == "c2"


def zip_rows(skeleton):
    for bone in skeleton.bones:
        parent = skeleton.bones[bone.parent].name if bone.parent >= 0 else ""
        yield bone.name, parent, bone.head, bone.tail


def test_a_correction_with_a_bone_that_is_gone_is_said_and_left_out():
    rig = rig_of(person_skeleton(), corrections={"thigh.L": "gone", "head": "away"})
    assert [leg.role for leg in rig.legs] == ["leg.L", "leg.R"]
    assert {problem.bone for problem in rig.problems} == {"gone", "away"}


def test_the_head_set_by_hand_is_believed():
    rig = rig_of(person_skeleton(), corrections={"head": "neck"})
    assert rig.roles["head"] == ("neck",)


@pytest.mark.parametrize("name", ["person", "dog", "horse", "bird"])
def test_a_rig_that_stands_on_its_head_is_told_to_be_turned_over(name):
    over = ANIMALS[name][0]().moved(Matrix.Rotation(pi, 4, "X"))
    problem = rig_of(over).problems[0]
    assert problem.blocking
    assert "stands on its head" in str(problem)
    assert "Turn it over" in problem.remedy
