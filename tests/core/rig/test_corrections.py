"""Roles set by hand: each moves its own limb's parts and nothing else."""

from __future__ import annotations

import pytest
from support.extension import ROOT
from support.families import families
from support.rigs import person_skeleton, renamed
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.corrections import stem_of
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
DAZ = families()["Daz Genesis 3 and 8"].skeleton
PLAIN = understand(DAZ, CONVENTIONS).rig.roles


def changed(**corrections) -> dict[str, tuple[str, ...]]:
    """The roles that differ from those without corrections."""
    corrections = {role.replace("_L", ".L").replace("_R", ".R"): bone for role, bone in corrections.items()}
    roles = understand(DAZ, CONVENTIONS, corrections=corrections).rig.roles
    return {role: roles.get(role, ()) for role in {*roles, *PLAIN} if roles.get(role) != PLAIN.get(role)}


@pytest.mark.parametrize(
    ("role", "bone", "others"),
    [
        ("shin_L", "lThighTwist", {"shin.L": ("lThighTwist",)}),
        ("toe_L", "lBigToe", {"toe.L": ("lBigToe",)}),
        ("shoulder_L", "lPectoral", {"shoulder.L": ("lPectoral",)}),
        ("upper_arm_L", "lShldrTwist", {"upper_arm.L": ("lShldrTwist",)}),
        ("forearm_L", "lForearmTwist", {"forearm.L": ("lForearmTwist",)}),
        ("hand_L", "lCarpal2", {"hand.L": ("lCarpal2",), "thumb.L": (), "index.L": (), "ring.L": (), "pinky.L": ()}),
        ("index_L", "lCarpal1", {"index.L": ("lCarpal1", "lIndex1", "lIndex2", "lIndex3")}),
        ("head", "neckUpper", {"head": ("neckUpper",), "neck": ("neckLower",)}),
        ("neck", "neckUpper", {"neck": ("neckUpper", "head")[:1], "spine": (*PLAIN["spine"], "neckLower")}),
        ("chest", "chestLower", {"chest": ("chestLower",)}),
        ("pelvis", "hip", {"pelvis": ("hip",)}),
        ("body", "pelvis", {"body": ("pelvis",)}),
    ],
)
def test_one_role_by_hand_changes_that_and_what_depends_on_it(role, bone, others):
    found = changed(**{role: bone})
    if role == "neck":
        others = {**others, "chest": ("neckLower",)}
    if role == "chest":
        others = {**others, "spine": PLAIN["spine"][:-1], "neck": ("chestUpper", *PLAIN["neck"])}
    assert found == others


def test_a_foot_by_hand_needs_no_thigh_by_hand():
    assert changed(foot_L="lMetatarsals")["foot.L"] == ("lMetatarsals",)


def test_a_whole_arm_by_hand_is_found_where_none_was():
    names = {
        f"{part}.{side}": f"{chr(97 + k)}{side}"
        for side in "LR"
        for k, part in enumerate(("shoulder", "upper_arm", "forearm", "hand"))
    }
    odd = renamed(person_skeleton(), lambda name: names.get(name, name))
    corrections = {f"{part}.L": names[f"{part}.L"] for part in ("shoulder", "upper_arm", "forearm", "hand")}
    roles = understand(odd, CONVENTIONS, corrections=corrections).rig.roles
    assert {role: roles[role] for role in corrections} == {role: (bone,) for role, bone in corrections.items()}


def test_a_forearm_that_does_not_hang_on_its_upper_arm_is_not_believed():
    assert changed(forearm_L="rForearmBend") == {}


def test_a_role_that_there_is_not_and_a_bone_that_there_is_not_are_said():
    rig = understand(DAZ, CONVENTIONS, corrections={"wing.L": "lHand", "head": "hat"}).rig
    assert [str(problem) for problem in rig.problems] == [
        "hat: It is set as head, but there is no such bone. Choose a bone again.",
        "lHand: It is set as wing.L, which is no role. Use one like thigh.L or head.",
    ]


@pytest.mark.parametrize(
    ("role", "stem"),
    [
        ("thigh.L", "thigh"),
        ("front_thigh.R", "thigh"),
        ("thigh3.L", "thigh"),
        ("upper_arm.L", "upper_arm"),
        ("finger2.R", "finger2"),
        ("thumb", "thumb"),
        ("tail", ""),
        ("forefoot", ""),
        ("", ""),
    ],
)
def test_a_role_without_side_pair_and_number(role, stem):
    assert stem_of(role) == stem
