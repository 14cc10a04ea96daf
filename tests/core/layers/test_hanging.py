"""What hangs on a body: found by role, by name and by shape, or as told."""

import os
from pathlib import Path

import pytest
from mathutils import Vector
from support.extension import ROOT
from support.real_rigs import is_complete, load_rigs
from support.rigs import beetle_skeleton, dog_skeleton, person_skeleton, renamed, spider_skeleton
from support.springs import conventions, rig_of, with_chain
from surefoot.core.layers.hanging import hanging_of
from surefoot.core.rig.understand import understand

SHARED_DATA = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared")) / "data"
BACK, DOWN = Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, -1.0))


def found(rig, text=""):
    things, problems = hanging_of(rig, text)
    assert problems == ()
    return [(thing.kind, *(rig.skeleton.bones[i].name for i in thing.bones)) for thing in things]


def test_a_dog_has_two_ears_and_a_tail():
    tail = ("tails", "tail.001", "tail.002", "tail.003", "tail.004")
    assert found(rig_of(dog_skeleton())) == [("ears", "ear.L"), ("ears", "ear.R"), tail]


def test_a_beetle_has_antennae_and_a_spider_and_a_person_have_nothing():
    assert found(rig_of(beetle_skeleton())) == [("antennae", "antenna.L"), ("antennae", "antenna.R")]
    assert found(rig_of(spider_skeleton())) == []
    assert found(rig_of(person_skeleton())) == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [("tails", ["tails"]), ("ears", ["ears", "ears"]), ("tail, ear.L", ["ears", "tails"]), ("tail.003", ["tails"])],
)
def test_words_choose_among_groups_roles_and_bones(text, kinds):
    assert [thing[0] for thing in found(rig_of(dog_skeleton()), text)] == kinds


def test_a_bone_swings_with_all_that_hangs_on_it():
    assert found(rig_of(dog_skeleton()), "tail.003") == [("tails", "tail.003", "tail.004")]


def test_a_word_that_is_not_there_is_said_and_the_rest_is_taken():
    things, problems = hanging_of(rig_of(dog_skeleton()), "tails, trunk")
    assert [thing.kind for thing in things] == ["tails"]
    (problem,) = problems
    assert "'trunk'" in problem.reason
    assert "tails" in problem.remedy


@pytest.mark.parametrize(
    ("name", "kind"),
    [("J_Sec_Hair1", "hair"), ("Ponytail", "hair"), ("cape", "props"), ("SkirtFront", "props"), ("Ear_L", "ears")],
)
def test_names_tell_what_a_thing_is(name, kind):
    skeleton = with_chain(person_skeleton(), name, "head", Vector((0.0, 0.1, 1.7)), DOWN, (0.1, 0.1))
    assert found(rig_of(skeleton)) == [(kind, f"{name}.000", f"{name}.001")]


def test_a_row_of_three_bones_without_a_telling_name_hangs_and_two_do_not():
    for count, things in ((3, 1), (2, 0)):
        skeleton = with_chain(person_skeleton(), "Bone", "chest", Vector((0.0, 0.2, 1.4)), DOWN, (0.1,) * count)
        assert [thing[0] for thing in found(rig_of(skeleton))] == ["props"] * things


@pytest.mark.parametrize("name", ["jaw", "wing", "tongue", "eyelid_lid", "ik_pole"])
def test_what_muscles_move_does_not_hang(name):
    skeleton = with_chain(person_skeleton(), name, "head", Vector((0.0, -0.1, 1.6)), -BACK, (0.1,) * 4)
    assert found(rig_of(skeleton)) == []


def test_a_sleeve_on_an_arm_hangs_and_the_hand_does_not():
    hand = person_skeleton().bones[person_skeleton().index["forearm.L"]].tail
    skeleton = with_chain(person_skeleton(), "sleeve.L", "forearm.L", hand, DOWN, (0.1,))
    assert found(rig_of(skeleton)) == [("props", "sleeve.L.000")]


def test_a_tail_is_found_by_shape_where_names_mean_nothing():
    skeleton = dog_skeleton()
    rig = rig_of(renamed(skeleton, lambda name: f"Bone.{skeleton.index[name]:03d}"))
    assert [thing[0] for thing in found(rig)] == ["tails"]
    assert len(found(rig)[0]) == 5


def test_real_rigs_swing_by_what_hangs_on_them():
    if not SHARED_DATA.is_dir() or not is_complete(SHARED_DATA):
        pytest.skip(f"No dumped rigs of {SHARED_DATA}: run tests/support/real_rigs.py in a Blender Python.")
    kinds = {}
    for name, real in load_rigs().items():
        rig = understand(real.skeleton, conventions(), real.vertices).rig
        kinds[name] = [thing.kind for thing in hanging_of(rig, "")[0]]
    assert kinds["mesh2motion_fox.glb"] == ["ears", "ears", "tails"]
    assert kinds["mesh2motion_horse.glb"] == ["ears", "ears", "tails"]
    assert kinds["quaternius_Wolf.fbx"] == kinds["quaternius_Velociraptor.fbx"] == ["tails"]
    assert kinds["metarig/horse"].count("hair") == 6
    for plain in ("kaykit_Knight.glb", "mh_default_163bones.glb", "ue_ThirdPersonRun.fbx", "mesh2motion_snake.glb"):
        assert kinds[plain] == []
