"""Masks by role."""

from __future__ import annotations

import pytest
from support.layered import BODIES
from surefoot.core.layers.masks import bone_mask, read_mask
from surefoot.core.rig.rig import Rig


@pytest.fixture
def person() -> Rig:
    return BODIES["person"]().rig


def names(rig: Rig, bones: frozenset[int]) -> set[str]:
    return {rig.skeleton.bones[i].name for i in bones}


def test_a_role_brings_all_that_hangs_on_it(person: Rig):
    found = names(person, bone_mask(person, ["upper_arm.L"]))
    assert {"upper_arm.L", "forearm.L", "hand.L"} <= found
    assert not any(name.endswith(".R") for name in found)


def test_without_what_is_below_it_is_the_bone_alone(person: Rig):
    assert names(person, bone_mask(person, ["upper_arm.L"], below=False)) == {"upper_arm.L"}


def test_upper_and_lower_body_are_all_of_it_and_share_no_bone(person: Rig):
    upper, lower = bone_mask(person, ["upper_body"]), bone_mask(person, ["lower_body"], below=False)
    assert upper | lower == frozenset(range(len(person.skeleton)))
    assert not upper & lower
    assert person.body in lower
    assert {person.head, *person.arms[0].bones} <= upper
    assert {i for leg in person.legs for i in leg.bones} <= lower


def test_a_minus_takes_bones_out_again(person: Rig):
    whole, without = bone_mask(person, ["upper_body"]), bone_mask(person, ["upper_body", "-head"])
    assert whole - without == bone_mask(person, ["head"])


def test_a_mask_that_begins_with_a_minus_is_all_but_that(person: Rig):
    mask, problems = read_mask(person, "-legs")
    assert problems == ()
    assert mask == frozenset(range(len(person.skeleton))) - bone_mask(person, ["legs"])


def test_an_empty_mask_is_no_mask(person: Rig):
    assert read_mask(person, " , ") == (None, ())


def test_of_a_mask_with_a_word_that_is_not_known_the_others_hold(person: Rig):
    mask, problems = read_mask(person, "head, wing")
    assert mask == bone_mask(person, ["head"])
    assert "'wing'" in str(problems[0])


def test_a_mask_of_nothing_known_moves_nothing(person: Rig):
    assert read_mask(person, "wing")[0] == frozenset()


@pytest.mark.parametrize("group", ["arms", "legs", "spine", "chest", "neck", "head", "all"])
def test_each_group_has_bones_of_a_person(person: Rig, group: str):
    assert bone_mask(person, [group])


def test_a_dog_s_tail_is_a_group():
    dog = BODIES["dog"]().rig
    assert {i for tail in dog.tails for i in tail} <= bone_mask(dog, ["tails"])


def test_a_word_that_is_nothing_is_told_by_name(person: Rig):
    with pytest.raises(KeyError, match="wing"):
        bone_mask(person, ["wing"])
