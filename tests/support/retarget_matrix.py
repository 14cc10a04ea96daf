"""Every body on every body: what a cell of the retarget's matrix is, and how it is measured.

A cell is (source rig, target rig, motion). The motion is captured; it is moved onto the source rig first and is then
that rig's own clip, which the target takes over with all defaults. Run as a script with a core Python it prints the
table; with `--over` the cells over a limit, as lines of tests/core/retarget/matrix_over.toml.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
    from support.extension import as_package

    as_package()

from support import real_rigs
from support.extension import ROOT
from support.real_clips import load_clip
from support.retargeting import direction_errors, meant_heights
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.spans import Contacts, Span
from surefoot.core.retarget.clean_feet import contacts_of, floor_of
from surefoot.core.retarget.retarget import Retargeted, retarget_clip
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.space.rotation_curves import euler_angles

BIPEDS = (
    "cryptovoxels.vrm",
    "gdquest_mannequiny.glb",
    "kaykit_Knight.glb",
    "khronos_CesiumMan.gltf",
    "mesh2motion_human_DEF_names.glb",
    "mesh2motion_human_male.glb",
    "quaternius_Animated_Human.fbx",
    "quaternius_Male_Suit.fbx",
    "ue_ThirdPersonRun.fbx",
    "mh_cmu_mb_names.glb",
    "mh_default_163bones.glb",
    "mh_game_engine_ue_names.fbx",
    "mh_game_engine_ue_names.glb",
    "mh_mixamo_names_apose.glb",
    "mh_mixamo_names_tpose.fbx",
    "mh_vrm1_humanoid_names.vrm",
    "metarig/human",
    "rigify/human",
)
# The take and its first frames.
MOTIONS = {"walk": ("Walk1", 300), "run": ("Run1", 240), "jump": ("jump", 107), "get-up": ("get_up", 227)}
# Shares of a leg or an arm that differ by less are the same proportions.
SAME = 0.02


@dataclass(frozen=True)
class Cell:
    """Degrees, shares of the leg length, and millimetres for a leg of 0.9 m or less.

    mean, worst: between directions of limb segments. height: how far what stands is from its height over the floor, at
    most, by the middle of each contact. slide: the farthest of a sole point from the middle of its contact, in any
    contact that the source has. flips: neighbouring quaternions on two sides. step: of Euler curves, at most.
    """

    mean: float
    worst: float
    height: float
    slide: float
    unreached: float
    flips: int
    step: float
    alike: bool


def is_there() -> bool:
    """Whether rigs and takes were dumped."""
    return (real_rigs.CACHE / "index.json").is_file() and all(load_clip(take) for take, _ in MOTIONS.values())


@lru_cache(maxsize=1)
def _rigs() -> dict[str, real_rigs.RealRig]:
    return real_rigs.load_rigs()


@lru_cache(maxsize=1)
def _conventions():
    return read_conventions(ROOT / "presets" / "rigs")


@lru_cache
def body(name: str) -> Rig:
    """What is understood of a dumped rig."""
    return understand(_rigs()[name].skeleton, _conventions(), _rigs()[name].vertices).rig


@lru_cache(maxsize=8)
def performed(source: str, motion: str) -> Clip:
    """A captured motion as a rig's own clip."""
    take, frames = MOTIONS[motion]
    clip = load_clip(take)
    assert clip is not None
    return retarget_clip(replace(clip, moved=clip.moved[:frames]), body(source)).clip


def cell(source: str, target: str, motion: str) -> Cell:
    """One rig's clip on another rig, measured."""
    clip = performed(source, motion)
    return measured(clip, retarget_clip(clip, body(target)))


def measured(clip: Clip, done: Retargeted) -> Cell:
    """What a retarget came to."""
    errors, contacts = direction_errors(clip, done.clip), contacts_of(clip)
    rig, turns = done.clip.rig, done.channels.rotations
    dots = np.sum(turns[1:] * turns[:-1], axis=-1)
    steps = [np.abs(np.diff(euler_angles(turns[:, i], "XYZ"), axis=0)).max() for i in done.driven]
    feet = done.report.feet.feet if done.report.feet else ()
    millimetres = 1e3 * min(1.0, 0.9 / rig.leg_length)
    return Cell(
        float(errors.mean()),
        float(errors.max()),
        height_error(clip, done, contacts) / rig.leg_length,
        millimetres * max((_slide(places, span) for places, span in _standing(done.clip, clip, contacts)), default=0.0),
        millimetres * max((foot.unreached for foot in feet), default=0.0),
        int((dots < 0.0).sum()),
        math.degrees(float(max(steps))),
        bool(np.abs(proportions(clip.rig) - proportions(rig)).max() <= SAME),
    )


def proportions(rig: Rig) -> np.ndarray:
    """Thigh, shin, the ankle's height, half the width of the hips and the foot's two halves over the leg's length."""
    leg = rig.legs[0]
    whole = sum(leg.lengths) + leg.tip.z - rig.floor
    reaches = [float((point - leg.tip).to_2d().length) for point in (leg.sole.heel, leg.sole.ball)]
    return np.array([*leg.lengths[:2], leg.tip.z - rig.floor, abs(leg.hip.x), *reaches]) / whole


def height_error(clip: Clip, done: Retargeted, contacts: list[Contacts]) -> float:
    """How far any contact is from where it is meant to stand over the floor, metres."""
    floor, worst = floor_of(clip, contacts), 0.0
    for theirs, each in zip(clip.rig.legs, contacts, strict=True):
        ours = done.clip.rig.leg(theirs.role)
        for point, meant in meant_heights(clip, floor, done, theirs).items():
            placed = getattr(done.clip, point)(ours)[:, 2]
            for span in each.of(point) or ():
                rows = _rows(span)
                worst = max(worst, abs(float(np.median(placed[rows] - meant[rows]))))
    return worst


def _standing(clip: Clip, source: Clip, contacts: list[Contacts]) -> Iterator[tuple[np.ndarray, Span]]:
    """A target's sole points with each contact that the source's have."""
    for theirs, each in zip(source.rig.legs, contacts, strict=True):
        ours = clip.rig.leg(theirs.role)
        for places, spans in ((clip.heel(ours), each.heel), (clip.ball(ours), each.ball)):
            for span in spans or ():
                yield places, span


def _slide(places: np.ndarray, span: Span) -> float:
    inside = places[_rows(span), :2]
    return float(np.linalg.norm(inside - np.median(inside, axis=0), axis=-1).max(initial=0.0))


def _rows(span: Span) -> slice:
    return slice(max(0, math.ceil(span.start - 1e-6)), math.floor(span.end + 1e-6) + 1)


LIMITS = {"mean": 4.0, "height": 0.01, "slide": 3.0, "flips": 0.0, "step": 180.0}
MEAN_ALIKE = 2.0


def limits(row: Cell) -> dict[str, float]:
    """The limits of a cell."""
    return {**LIMITS, "mean": MEAN_ALIKE if row.alike else LIMITS["mean"]}


def over(row: Cell) -> dict[str, float]:
    """What of a cell is over its limit."""
    return {name: float(getattr(row, name)) for name, limit in limits(row).items() if getattr(row, name) > limit}


def _main() -> None:
    """Every cell of the named sources (all by default) as a line; at the end the worst of each motion."""
    if "--over" in sys.argv:
        for motion, source, target in product(MOTIONS, BIPEDS, BIPEDS):
            found = over(cell(source, target, motion))
            if found:
                kinds = ", ".join(f"{kind} = {value:.4g}" for kind, value in found.items())
                sys.stdout.write(f'"{motion}: {source} > {target}" = {{ {kinds} }}\n')
        return
    rows: dict[str, list[tuple[str, Cell]]] = {motion: [] for motion in MOTIONS}
    for motion, found in rows.items():
        for source in sys.argv[1:] or BIPEDS:
            for target in BIPEDS:
                row = cell(source, target, motion)
                found.append((f"{source} > {target}", row))
                sys.stdout.write(
                    f"{motion:7}{source:32}{target:32}{row.mean:6.2f}{row.worst:7.1f} deg"
                    f"{100.0 * row.height:7.2f} %{row.slide:7.2f} mm{row.unreached:7.1f} mm{row.flips:3}{row.step:7.1f}"
                    f" {'alike' if row.alike else '     '} {over(row) or ''}\n"
                )
    for motion, found in rows.items():
        many = sum(bool(over(row)) for _, row in found)
        sys.stdout.write(f"{motion}: {len(found)} cells, {many} over a limit\n")
        for name in (*LIMITS, "worst", "unreached"):
            values = [float(getattr(row, name)) for _, row in found]
            where, value = max(((label, getattr(row, name)) for label, row in found), key=lambda pair: pair[1])
            sys.stdout.write(f"  {name}: median {np.median(values):.3f}, worst {value:.3f} ({where})\n")


if __name__ == "__main__":
    _main()
