"""Saved mappings: what a file must hold, which rigs it is of, and what its pairs do."""

from __future__ import annotations

import numpy as np
import pytest
from support.retargeting import arms_at, direction_errors, rig_of_skeleton, wild_clip
from support.rigs import person_skeleton, renamed
from surefoot.core.preset_text import preset_text
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.mapping import (
    MAX_BYTES,
    MappedRig,
    MappingError,
    Pair,
    RigNames,
    SavedMapping,
    digest_of,
    fitting,
    mapping_table,
    read_mapping,
)
from surefoot.core.retarget.retarget import retarget_clip

FREE = RetargetConfig(feet="FREE")
PERSON = rig_of_skeleton(person_skeleton())
NAMES = tuple(bone.name for bone in PERSON.skeleton.bones)


def mapping(**changes) -> SavedMapping:
    """A mapping from a person to itself."""
    given = {
        "name": "Walker",
        "find_by": "BONES",
        "rig": MappedRig(digest_of(NAMES), "Rigify", (("thigh.L", "thigh.L"),)),
        "source": MappedRig(digest_of(NAMES), "Rigify"),
        "pairs": (),
        **changes,
    }
    return SavedMapping(**given)


def read(text: str) -> SavedMapping:
    return read_mapping(text.encode(), "mine.toml")


RIG = f'[rig]\nbones = "{digest_of(NAMES)}"\nconvention = "Rigify"\n'
HEAD = 'version = 1\nname = "Walker"\nfind_by = "BONES"\n'


@pytest.mark.parametrize("name", ["thigh.L", 'arm "big".L', "c:\\hand", "leg[0]", "💥", "左足ＩＫ", "\x7f\t", "a = b"])
def test_a_mapping_is_read_back_as_it_was_written_whatever_bones_are_called(name):
    written = mapping(
        rig=MappedRig(digest_of([name]), "Rigify", (("thigh.L", name),)), pairs=(Pair(name, "hips"), Pair("tail", ""))
    )
    assert read(preset_text(mapping_table(written))) == written


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version = ", "no valid TOML"),
        ("version = 2\n", "version 2 is not known"),
        ("version = true\n", "version True is not known"),
        ('version = "1"\n', "version '1' is not known"),
        (HEAD, "rig must be a table"),
        (HEAD.replace("BONES", "NAME") + RIG, "find_by is 'NAME'"),
        (HEAD.replace('"Walker"', '""') + RIG, "name must be a text of 1 to 255"),
        (HEAD.replace("Walker", "w" * 256) + RIG, "name must be a text of 1 to 255"),
        (HEAD + "color = 1\n" + RIG, "color is not known"),
        (HEAD + RIG.replace(digest_of(NAMES), "hello"), "rig.bones is no digest"),
        (HEAD + '[rig]\nconvention = "Rigify"\n', "rig.bones is missing"),
        (HEAD.replace("BONES", "CONVENTION") + RIG.replace('"Rigify"', '""'), "rig.convention is missing"),
        (HEAD + RIG + 'roles = "thigh.L"\n', "rig.roles must be a list of tables"),
        (HEAD + RIG + '[[rig.roles]]\nrole = "wing"\nbone = "a"\n', "rig.roles, line 1: 'wing' is no role"),
        (HEAD + RIG + '[[rig.roles]]\nrole = "head"\nbone = 3\n', "rig.roles, line 1: bone must be a text"),
        (HEAD + RIG + '[[rig.roles]]\nrole = "head"\nbone = "a"\nx = 1\n', "rig.roles, line 1: x is not known"),
        (HEAD + RIG + '[[rig.roles]]\nrole = "head"\nbone = "a"\n' * 2, "rig.roles, line 2: 'head' is there twice"),
        (HEAD + RIG + '[[pairs]]\ntarget = "a"\nsource = "b"\n', "pairs need a source"),
        (
            HEAD + RIG + RIG.replace("rig", "source") + '[[pairs]]\nsource = "b"\n',
            "pairs, line 1: target must be a text",
        ),
        (
            HEAD + RIG + RIG.replace("rig", "source") + '[[pairs]]\ntarget = "a"\n' * 2,
            "pairs, line 2: 'a' is there twice",
        ),
        (HEAD + RIG + '[[rig.roles]]\nrole = "head"\nbone = "a"\n' * 501, "rig.roles has 501 lines"),
    ],
)
def test_a_file_that_is_no_mapping_is_refused_with_its_name_the_place_and_the_reason(text, told):
    with pytest.raises(MappingError) as refused:
        read(text)
    assert str(refused.value).startswith("mine.toml")
    assert told in str(refused.value)


def test_a_file_of_more_than_a_megabyte_is_refused_unread():
    with pytest.raises(MappingError, match=r"mine\.toml is larger than"):
        read_mapping(b"#" * (MAX_BYTES + 1), "mine.toml")


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(MappingError, match=r"mine\.toml is no valid TOML"):
        read_mapping(b"\xff\xfe\x00", "mine.toml")


def test_a_plain_list_of_roles_without_a_version_is_a_mapping_of_its_family():
    found = read('convention = "Mixamo"\n[roles]\n"thigh.L" = "LeftUpLeg"\n')
    assert found == SavedMapping("mine", "CONVENTION", MappedRig("", "Mixamo", (("thigh.L", "LeftUpLeg"),)))


def test_a_mapping_of_a_rig_fits_the_same_bones_in_any_order_and_no_others():
    saved = mapping(source=None)
    assert saved.fits(RigNames(NAMES[::-1]))
    assert not saved.fits(RigNames((*NAMES, "tail")))
    assert not saved.fits(RigNames(NAMES), RigNames(NAMES))


def test_a_mapping_of_a_pair_fits_that_pair_the_right_way_round():
    saved = mapping(source=MappedRig(digest_of(["a"])))
    assert saved.fits(RigNames(NAMES), RigNames(("a",)))
    assert not saved.fits(RigNames(("a",)), RigNames(NAMES))
    assert not saved.fits(RigNames(NAMES))


def test_a_mapping_of_a_family_fits_every_rig_of_it_and_none_of_no_family():
    saved = mapping(find_by="CONVENTION", source=None)
    assert saved.fits(RigNames(("a",), "Rigify"))
    assert not saved.fits(RigNames(("a",), "Mixamo"))
    assert not mapping(find_by="CONVENTION", source=None, rig=MappedRig("")).fits(RigNames(("a",), ""))


def test_the_mapping_of_the_bones_themselves_goes_before_that_of_their_family():
    exact, family = mapping(source=None, name="z"), mapping(source=None, name="a", find_by="CONVENTION")
    assert fitting([family, exact], RigNames(NAMES, "Rigify")) is exact
    assert fitting([family, exact], RigNames(("a",), "Rigify")) is family
    assert fitting([family, exact], RigNames(("a",), "Mixamo")) is None


def test_on_a_rig_with_another_prefix_the_bone_of_the_same_understood_name_is_meant():
    roles = (("thigh.L", "mixamorig:LeftUpLeg"), ("head", "mixamorig:Head"), ("hand.L", "mixamorig:LeftHand"))
    saved = mapping(rig=MappedRig("", "Mixamo", roles), find_by="CONVENTION", source=None)
    here = ["Hips", "LeftUpLeg", "RightUpLeg", "Spine", "Head"]
    assert saved.roles_on(here) == {"thigh.L": "LeftUpLeg", "head": "Head"}


def test_a_name_that_two_bones_may_be_is_not_guessed():
    saved = mapping(rig=MappedRig("", "Mixamo", (("head", "mixamorig:Head"),)), find_by="CONVENTION", source=None)
    assert saved.roles_on(["a:Head", "b:Head", "Hips", "Spine"]) == {}


def test_a_pair_leads_a_bone_by_another_one_than_its_role_says():
    clip = wild_clip(PERSON)
    done = retarget_clip(clip, PERSON, FREE, mapping=mapping(pairs=(Pair("head", "hand.L"),)))
    i, j = PERSON.skeleton.index["head"], PERSON.skeleton.index["hand.L"]
    assert np.abs(done.clip.moved[:, i, :3, :3] - clip.moved[:, j, :3, :3]).max() <= 1e-6
    assert done.report.mapping == "Walker"
    assert [(line.target, line.source) for line in done.report.matched if line.how == "HAND"] == [
        (("head",), ("hand.L",))
    ]
    assert all("head" not in line.target for line in done.report.matched if line.how != "HAND")


def test_a_bone_that_is_set_to_stay_at_rest_keeps_its_rest_under_its_parent_and_is_listed():
    clip = wild_clip(PERSON)
    done = retarget_clip(clip, PERSON, FREE, mapping=mapping(pairs=(Pair("hand.L"),)))
    i, above = PERSON.skeleton.index["hand.L"], PERSON.skeleton.index["forearm.L"]
    assert np.abs(done.clip.moved[:, i] - done.clip.moved[:, above]).max() <= 1e-9
    assert i not in done.driven
    assert [line.reason for line in done.report.stayed if line.bone == "hand.L"] == [
        "it was set by hand to stay at rest"
    ]


def test_pairs_that_say_what_is_matched_anyway_change_nothing():
    target = rig_of_skeleton(arms_at(person_skeleton(), 0.78))
    clip = wild_clip(PERSON)
    names = [f"{part}.{side}" for part in ("upper_arm", "forearm", "thigh", "shin") for side in "LR"]
    plain = retarget_clip(clip, target, FREE)
    paired = retarget_clip(clip, target, FREE, mapping=mapping(pairs=tuple(Pair(name, name) for name in names)))
    assert np.array_equal(plain.clip.moved, paired.clip.moved)


def test_a_limb_that_is_paired_crosswise_points_where_its_source_points_between_two_rests():
    target = rig_of_skeleton(arms_at(person_skeleton(), 0.78))
    clip = wild_clip(PERSON)
    pairs = tuple(
        Pair(f"{part}.{side}", f"{part}.{other}")
        for part in ("upper_arm", "forearm")
        for side, other in (("L", "R"), ("R", "L"))
    )
    done = retarget_clip(clip, target, FREE, mapping=mapping(pairs=pairs))
    for pair in pairs:
        ours, theirs = (
            np.einsum(
                "fij,j->fi",
                moving.moved[:, rig.skeleton.index[name], :3, :3],
                np.array(
                    rig.skeleton.bones[rig.skeleton.index[name]].tail
                    - rig.skeleton.bones[rig.skeleton.index[name]].head
                ),
            )
            for moving, rig, name in ((done.clip, target, pair.target), (clip, PERSON, pair.source))
        )
        cosine = (ours * theirs).sum(-1) / np.linalg.norm(ours, axis=-1) / np.linalg.norm(theirs, axis=-1)
        assert cosine.min() > 1.0 - 1e-6


def test_pairs_of_bones_that_are_not_there_change_nothing():
    clip = wild_clip(PERSON)
    plain = retarget_clip(clip, PERSON, FREE)
    paired = retarget_clip(clip, PERSON, FREE, mapping=mapping(pairs=(Pair("wing", "head"), Pair("head", "wing"))))
    assert np.array_equal(plain.clip.moved, paired.clip.moved)


def test_pairs_work_on_rigs_that_are_called_otherwise_but_of_the_family():
    spaced = rig_of_skeleton(renamed(person_skeleton(), lambda name: f"Hero:{name}"))
    clip = wild_clip(PERSON)
    done = retarget_clip(clip, spaced, FREE, mapping=mapping(pairs=(Pair("hand.L", ""),)))
    assert "Hero:hand.L" in {line.bone for line in done.report.stayed}
    assert direction_errors(clip, retarget_clip(clip, PERSON, FREE).clip).max() <= 1e-3
