"""What a bone's name says."""

import pytest
from surefoot.core.rig.names import read_name, read_names

PREFIXES = ["mixamorig:", "mixamorig7:", "mixamorig_", "Char01|", "ns:sub:", ""]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_any_namespace_or_prefix_is_taken_off(prefix):
    names = read_names([prefix + name for name in ("Hips", "Spine", "LeftUpLeg", "LeftLeg", "RightUpLeg")])
    assert [(name.key, name.side) for name in names] == [
        ("hips", ""),
        ("spine", ""),
        ("upleg", "L"),
        ("leg", "L"),
        ("upleg", "R"),
    ]


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("thigh.L", "L"),
        ("thigh_l", "L"),
        ("L_Thigh", "L"),
        ("LeftThigh", "L"),
        ("Bip01 L Thigh", "L"),
        ("J_Bip_L_Thigh", "L"),
        ("左thigh", "L"),
        ("thigh_r", "R"),
        ("Right thigh", "R"),
        ("rightthigh", "R"),
        ("thigh.R.001", "R"),
        ("DEF-thigh.R", "R"),
        ("thigh", ""),
    ],
)
def test_a_side_is_read_wherever_the_family_puts_it(text, side):
    name = read_name(text)
    assert (name.key, name.side) == ("thigh", side)


def test_numbers_say_nothing_about_what_a_bone_is():
    assert {read_name(text).key for text in ("Head", "Head.001", "head_01", "Head12")} == {"head"}


@pytest.mark.parametrize("text", ["HeadTop_End", "Foot.L_end", "Toes_tip_L", "Bip01HeadNub", "ball_leaf_l"])
def test_a_bone_that_marks_an_end_is_known(text):
    assert read_name(text).end


@pytest.mark.parametrize("text", ["thigh_twist_01_l", "ik_foot_l", "PoleTarget.L", "kneeIK.l", "upperarm_Roll_L"])
def test_a_helper_is_known(text):
    assert read_name(text).helper


@pytest.mark.parametrize("text", ["Tail1", "LowerBack", "Hips", "Torso"])
def test_a_part_of_the_body_is_no_helper(text):
    name = read_name(text)
    assert not name.helper
    assert not name.end


def test_a_place_in_a_row_is_left_out_of_the_bare_key():
    name = read_name("Front_Leg_Upper_L")
    assert (name.key, name.bare) == ("frontlegupper", "legupper")


def test_a_name_that_is_only_a_place_keeps_it():
    assert read_name("Back").bare == "back"


@pytest.mark.parametrize("text", ["", "...", "💥", "123", "L", "腕"])
def test_a_name_without_words_is_still_read(text):
    assert read_name(text).helper is False
