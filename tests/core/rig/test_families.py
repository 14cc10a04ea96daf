"""Every family of names on a whole person: its roles in full, that no other family wins, and however it is written."""

from dataclasses import replace

import pytest
from support.extension import ROOT
from support.families import Family, families
from support.rigs import renamed
from surefoot.core.rig.conventions import match_of, read_conventions, score_of
from surefoot.core.rig.outline import outline_of
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
FAMILIES = families()
# Of one spelling: nothing in the names tells these two apart.
SPELT_ALIKE = {"Mixamo": {"MotionBuilder"}}


def roles(skeleton: Skeleton) -> dict[str, tuple[str, ...]]:
    return understand(skeleton, CONVENTIONS).rig.roles


def renaming(family: Family, change) -> tuple[Skeleton, dict[str, tuple[str, ...]]]:
    """The family's person with changed names, and what its roles then are."""
    return renamed(family.skeleton, change), {
        role: tuple(change(name) for name in bones) for role, bones in family.roles.items()
    }


@pytest.mark.parametrize("title", FAMILIES)
def test_each_bone_of_a_family_has_its_role_and_twist_bones_and_helpers_have_none(title):
    family = FAMILIES[title]
    assert roles(family.skeleton) == family.roles


@pytest.mark.parametrize("title", FAMILIES)
def test_no_other_family_explains_as_much_of_it(title):
    family = FAMILIES[title]
    outline = outline_of(family.skeleton)
    score = {
        item.name: score_of(match_of(outline, item))
        for item in CONVENTIONS
        if item.may_be(outline.names) and match_of(outline, item).legs
    }
    own = score.pop(family.convention)
    assert all(other < own for name, other in score.items() if name not in SPELT_ALIKE.get(family.convention, ()))
    assert understand(family.skeleton, CONVENTIONS).rig.convention == family.convention


@pytest.mark.parametrize("title", FAMILIES)
@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_the_case_of_letters_says_nothing(title, case):
    skeleton, expected = renaming(FAMILIES[title], case)
    assert roles(skeleton) == expected
    assert understand(skeleton, CONVENTIONS).rig.convention == FAMILIES[title].convention


@pytest.mark.parametrize("title", FAMILIES)
@pytest.mark.parametrize("prefix", ["Char01|", "ns:sub:", "Hero_01:"])
def test_a_namespace_says_nothing(title, prefix):
    skeleton, expected = renaming(FAMILIES[title], lambda name: prefix + name)
    assert roles(skeleton) == expected


@pytest.mark.parametrize("title", FAMILIES)
def test_numbers_that_were_put_behind_say_nothing(title):
    skeleton, expected = renaming(FAMILIES[title], lambda name: f"{name}.001")
    assert roles(skeleton) == expected


@pytest.mark.parametrize("title", FAMILIES)
def test_bones_that_mark_the_ends_of_fingers_toes_and_head_get_no_role(title):
    family = FAMILIES[title]
    bones = list(family.skeleton.bones)
    for i, bone in enumerate(family.skeleton.bones):
        if not family.skeleton.children[i]:
            rest = bone.rest.copy()
            rest.translation = bone.tail
            bones.append(replace(bone, name=f"{bone.name}_end", parent=i, rest=rest))
    assert roles(Skeleton(tuple(bones))) == family.roles


@pytest.mark.parametrize("title", FAMILIES)
def test_right_limbs_before_left_ones_are_the_same(title):
    family = FAMILIES[title]
    order: list[int] = []
    waiting = [i for i, bone in enumerate(family.skeleton.bones) if bone.parent < 0]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(family.skeleton.children[order[-1]])
    place = {old: new for new, old in enumerate(order)}
    bones = (family.skeleton.bones[i] for i in order)
    turned = Skeleton(tuple(replace(bone, parent=place.get(bone.parent, -1)) for bone in bones))
    assert roles(turned) == family.roles


@pytest.mark.parametrize("title", FAMILIES)
def test_the_whole_family_is_read_without_a_problem(title):
    assert understand(FAMILIES[title].skeleton, CONVENTIONS).rig.problems == ()


@pytest.mark.parametrize("prefix", ["mixamorig:", "mixamorig7:", "mixamorig_", "Char01|", "ns:sub:", ""])
def test_the_roles_of_a_mixamo_rig_are_the_same_with_any_prefix(prefix):
    skeleton, expected = renaming(FAMILIES["Mixamo / Ready Player Me"], lambda name: prefix + name)
    assert roles(skeleton) == expected


def test_four_bones_of_a_finger_of_which_none_is_known_as_its_end_are_four_joints():
    skeleton, expected = renaming(
        FAMILIES["Mixamo / Ready Player Me"], lambda name: name.replace("LeftHandIndex", "LeftHand_Pointer_Index")
    )
    found = roles(skeleton)["index.L"]
    assert found == (*expected["index.L"], "LeftHand_Pointer_Index4")


def test_legs_that_only_serve_inverse_kinematics_are_no_legs():
    rig = understand(FAMILIES["MMD"].skeleton, CONVENTIONS).rig
    assert [leg.role for leg in rig.legs] == ["leg.L", "leg.R"]
    assert "左足ＩＫ" not in {name for bones in rig.roles.values() for name in bones}
