"""Why a bone has its role, and which others could have it."""

from __future__ import annotations

import pytest
from support.extension import ROOT
from support.families import families
from support.rigs import person_skeleton, renamed
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.explained import Explained
from surefoot.core.rig.fingers import is_finger
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
FAMILIES = families()


def explained(skeleton, corrections=None) -> Explained:
    corrections = corrections or {}
    return Explained(understand(skeleton, CONVENTIONS, corrections=corrections).rig, CONVENTIONS, corrections)


def nameless(skeleton):
    return renamed(skeleton, lambda name: f"Bone.{(skeleton.index[name] * 37) % 101:03d}")


def lines_of(found: Explained) -> dict[str, tuple[tuple[str, ...], str, str]]:
    return {line.role: (line.bones, line.why, line.family) for line in found.lines}


@pytest.mark.parametrize("title", FAMILIES)
def test_of_a_known_family_every_limb_is_by_its_names(title):
    family = FAMILIES[title]
    found = lines_of(explained(family.skeleton))
    limbs = [role for role in found if role.endswith((".L", ".R")) and found[role][0]]
    assert {found[role][1] for role in limbs} == {"NAME"}
    assert {found[role][2] for role in limbs if is_finger(role[:-2])} <= {family.convention, ""}
    assert {found[role][2] for role in limbs if not is_finger(role[:-2])} == {family.convention}


@pytest.mark.parametrize("title", FAMILIES)
def test_the_likeliest_bone_of_each_limbs_role_is_the_one_that_was_taken(title):
    family = FAMILIES[title]
    found = explained(family.skeleton)
    wrong = {}
    for line in found.lines:
        if line.bones and line.role not in ("root", "body", "spine", "chest", "pelvis", "neck"):
            best = found.candidates(line.role)[0]
            if best.bone != line.bones[0]:
                wrong[line.role] = (line.bones[0], best)
    assert wrong == {}


def test_without_names_every_role_is_by_shape():
    found = lines_of(explained(nameless(person_skeleton())))
    assert {why for bones, why, _ in found.values() if bones} == {"SHAPE"}


def test_what_is_set_by_hand_is_said_to_be():
    found = lines_of(explained(person_skeleton(), {"thigh.L": "thigh.L", "neck": "chest"}))
    assert found["thigh.L"][1] == "HAND"
    assert found["neck"][:2] == (("chest", "neck"), "HAND")
    assert found["thigh.R"][1] == "NAME"


def test_what_a_person_should_have_and_has_not_is_listed_as_missing():
    bones = person_skeleton()
    plain = renamed(bones, lambda name: {"shoulder.L": "x.L", "shoulder.R": "x.R"}.get(name, name))
    found = lines_of(explained(plain))
    assert found["shoulder.L"] == ((), "MISSING", "")
    assert found["shoulder.R"] == ((), "MISSING", "")


def test_for_a_missing_role_the_bone_between_its_neighbours_is_proposed_with_reasons():
    plain = renamed(person_skeleton(), lambda name: {"shoulder.L": "x.L"}.get(name, name))
    best = explained(plain).candidates("shoulder.L")[0]
    assert best.bone == "x.L"
    assert "it mirrors shoulder.R" in best.reasons
    assert "it carries upper_arm.L" in best.reasons


def test_a_bone_of_the_other_side_is_no_candidate_of_a_nameless_rig_and_the_last_of_a_named_one():
    found = [item.bone for item in explained(person_skeleton()).candidates("thigh.L")]
    assert found[0] == "thigh.L"
    assert "thigh.R" not in found[:2]


def test_scores_fall_and_are_shares_of_one():
    scores = [item.score for item in explained(person_skeleton()).candidates("shin.L")]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 < score <= 1.0 for score in scores)


def test_a_role_that_cannot_be_set_has_no_candidates():
    assert explained(person_skeleton()).candidates("wing.L") == ()


def test_roles_come_trunk_first_then_arms_then_legs_each_limb_together():
    roles = [line.role for line in explained(person_skeleton()).lines]
    assert roles[0] == "root"
    assert roles.index("head") < roles.index("shoulder.L") < roles.index("hand.L") < roles.index("shoulder.R")
    assert roles.index("hand.R") < roles.index("thigh.L") < roles.index("toe.L") < roles.index("thigh.R")
