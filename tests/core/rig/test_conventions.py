"""Families of bone names: which one a skeleton follows, and what a wrong file is told."""

from pathlib import Path

import pytest
from support.extension import ROOT
from support.rigs import person_skeleton, renamed
from surefoot.core.rig.conventions import ConventionError, best_match, read_convention, read_conventions
from surefoot.core.rig.outline import outline_of
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
# The person's bones in each family's own spelling; {} is the side.
FAMILIES = {
    "Mixamo": ("mixamorig:{}UpLeg", "mixamorig:{}Leg", "mixamorig:{}Foot", "mixamorig:{}ToeBase", ("Left", "Right")),
    "Unreal": ("thigh_{}", "calf_{}", "foot_{}", "ball_{}", ("l", "r")),
    "VRM": ("J_Bip_{}_UpperLeg", "J_Bip_{}_LowerLeg", "J_Bip_{}_Foot", "J_Bip_{}_ToeBase", ("L", "R")),
    "VRM, plain words": ("{} leg", "{} knee", "{} ankle", "{} toe", ("Left", "Right")),
    "3ds Max Biped": ("Bip01 {} Thigh", "Bip01 {} Calf", "Bip01 {} Foot", "Bip01 {} Toe0", ("L", "R")),
    "DeepMimic": ("{}_hip", "{}_knee", "{}_ankle", "{}_toe", ("left", "right")),
    "KayKit": ("upperleg.{}", "lowerleg.{}", "foot.{}", "toes.{}", ("l", "r")),
    "Rigify": ("DEF-thigh.{}", "DEF-shin.{}", "DEF-foot.{}", "DEF-toe.{}", ("L", "R")),
    "CMU for 3ds Max": ("{}Hip", "{}Knee", "{}Ankle", "{}Toe", ("Left", "Right")),
}
# Families that spell legs in the same words; what else they have tells them apart.
SPELT_ALIKE = {"KayKit": ("KayKit", "Quaternius", "VRM"), "DeepMimic": ("DeepMimic", "CMU for 3ds Max")}


def in_family(family):
    *names, sides = FAMILIES[family]
    table = {
        f"{part}.{side}": name.format(spelt)
        for part, name in zip(("thigh", "shin", "foot", "toe"), names, strict=True)
        for side, spelt in zip("LR", sides, strict=True)
    }
    return renamed(person_skeleton(), lambda name: table.get(name, f"b{sum(map(ord, name))}_{name[-1]}"))


@pytest.mark.parametrize("family", FAMILIES)
def test_legs_are_read_in_the_spelling_of_each_family(family):
    match = best_match(outline_of(in_family(family)), CONVENTIONS)
    assert match.convention.name in SPELT_ALIKE.get(family, (family,))
    assert len(match.legs) == 2


def test_each_shipped_file_has_a_name_of_its_own():
    names = [convention.name for convention in CONVENTIONS]
    assert len(set(names)) == len(names) == len(list((ROOT / "presets" / "rigs").glob("*.toml")))


def test_thigh_and_shin_count_only_if_one_carries_the_other():
    person = person_skeleton()
    swapped = {"thigh.L": "shin.L", "shin.L": "thigh.L", "thigh.R": "shin.R", "shin.R": "thigh.R"}
    rigify = [item for item in CONVENTIONS if item.name == "Rigify"]
    assert best_match(outline_of(renamed(person, lambda name: swapped.get(name, name))), rigify) is None


def test_a_name_with_a_number_suffix_is_the_same_bone_and_an_end_is_none():
    names = {"head": "Head.001", "pelvis": "Hips.001", "spine.002": "Spine.002", "jaw": "HeadTop_End"}
    rig = understand(renamed(person_skeleton(), lambda name: names.get(name, name)), CONVENTIONS).rig
    assert rig.roles["head"] == ("Head.001",)
    assert rig.roles["pelvis"] == ("Hips.001",)
    assert "Spine.002" in rig.roles["spine"]


def test_meaningless_names_follow_no_convention():
    assert best_match(outline_of(renamed(person_skeleton(), lambda name: f"b{hash_of(name)}")), CONVENTIONS) is None


def hash_of(name):
    return sum((k + 1) * ord(letter) for k, letter in enumerate(name))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version = 2\nname = 'a'\n[bones]\n", "version"),
        ("version = 1\n[bones]\n", "name"),
        ("version = 1\nname = 'a'\n[bones]\nwing = ['w']\n", "wing"),
        ("version = 1\nname = 'a'\n[bones]\nthigh = 'thigh'\n", "thigh"),
        ("version = 1\nname = 'a'\nneeds = [1]\n[bones]\n", "needs"),
        ("version = ", "TOML"),
    ],
)
def test_a_file_that_is_no_convention_is_refused_with_its_name_and_the_place(tmp_path: Path, text, told):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConventionError, match=rf"mine\.toml.*{told}"):
        read_convention(path)
