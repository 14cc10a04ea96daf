"""Every body on every body with a walk, a run, a jump and a get-up. Skips where the shared data was never dumped."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from support.retarget_matrix import BIPEDS, MOTIONS, body, cell, is_there, limits, over, performed
from surefoot.core.retarget.clean_feet import clean_feet
from surefoot.core.retarget.retarget import retarget_clip

KNOWN = tomllib.loads(Path(__file__).with_name("matrix_over.toml").read_text(encoding="utf-8"))["cells"]
# Builds of numpy and mathutils round differently, and contacts follow thresholds.
BETWEEN_BUILDS = 0.1
# One file of each body.
SINGLE = [
    name
    for name in BIPEDS
    if name
    not in (
        "mesh2motion_human_DEF_names.glb",
        "mh_game_engine_ue_names.glb",
        "mh_mixamo_names_tpose.fbx",
        "mh_vrm1_humanoid_names.vrm",
        "rigify/human",
    )
]

pytestmark = pytest.mark.skipif(
    not is_there(), reason="rigs and takes were never dumped: run real_rigs.py and real_clips.py"
)


def name_of(source: str, target: str, motion: str) -> str:
    return f"{motion}: {source} > {target}"


def known_of(name: str) -> dict[str, float]:
    return {kind: float(value) for kind, value in KNOWN.get(name, {}).items()}


@pytest.mark.parametrize("target", BIPEDS)
@pytest.mark.parametrize("source", BIPEDS)
@pytest.mark.parametrize("motion", sorted(MOTIONS))
def test_a_clip_on_another_body_points_stands_and_turns_as_it_did(motion, source, target):
    row, known = cell(source, target, motion), known_of(name_of(source, target, motion))
    worse = {kind: value for kind, value in over(row).items() if value > (1.0 + BETWEEN_BUILDS) * known.get(kind, 0.0)}
    assert worse == {}
    # What holds by now is struck off the list.
    kept = {kind for kind, limit in limits(row).items() if getattr(row, kind) <= (1.0 - BETWEEN_BUILDS) * limit}
    assert kept & known.keys() == set()


@pytest.mark.parametrize("target", SINGLE)
@pytest.mark.parametrize("source", ["mh_mixamo_names_apose.glb", "ue_ThirdPersonRun.fbx"])
@pytest.mark.parametrize("motion", sorted(MOTIONS))
def test_a_clean_up_after_it_finds_feet_that_stand(motion, source, target):
    done = retarget_clip(performed(source, motion), body(target)).clip
    slid = max(foot.slide_before for foot in clean_feet(done)[1].feet)
    assert slid * min(1.0, 0.9 / done.rig.leg_length) <= 0.003


def test_the_list_names_only_cells_that_there_are():
    names = {name_of(source, target, motion) for motion in MOTIONS for source in BIPEDS for target in BIPEDS}
    assert set(KNOWN) <= names
