"""A walking person as a BVH file, written in code: its joints from an understood rig, its turns frame by frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from support.performers import clip_of
from surefoot.core.motion.clip import Clip

CHANNELS = "Zrotation Xrotation Yrotation"


def walk_bvh(path: Path, frames: int = 60, first: int = 0, drift: float = 0.0) -> Path:
    """Write so many frames of the person's walk, metres, Y up; carried aside at a speed."""
    clip = clip_of("person")
    moved = clip.moved[first : first + frames].copy()
    moved[:, :, 0, 3] += (drift * np.arange(frames) / clip.fps)[:, None]
    path.write_text(_text(Clip(clip.rig, clip.fps, moved)), encoding="utf-8")
    return path


def _text(clip: Clip) -> str:
    bones, lines, order = clip.rig.skeleton.bones, ["HIERARCHY"], []
    root = clip.rig.body

    def joint(i: int, above: int) -> None:
        head = _up(bones[i].head - (bones[above].head if above >= 0 else bones[i].head * 0.0))
        lines.extend([f"{'ROOT' if above < 0 else 'JOINT'} {bones[i].name}", "{", f"OFFSET {_numbers(head)}"])
        places = "Xposition Yposition Zposition " if above < 0 else ""
        lines.append(f"CHANNELS {len(places.split()) + 3} {places}{CHANNELS}")
        order.append((i, above))
        below = [j for j, bone in enumerate(bones) if bone.parent == i]
        for j in below:
            joint(j, i)
        if not below:
            lines.extend(["End Site", "{", f"OFFSET {_numbers(_up(bones[i].tail - bones[i].head))}", "}"])
        lines.append("}")

    joint(root, -1)
    lines += ["MOTION", f"Frames: {len(clip)}", f"Frame Time: {1.0 / clip.fps:.9f}"]
    columns = []
    for i, above in order:
        turn = clip.rotation(i)
        if above < 0:
            columns += list(_up_rows(clip.place(i, bones[i].head)).T)
        else:
            turn = np.swapaxes(clip.rotation(above), -1, -2) @ turn
        columns += _zxy(AXES @ turn @ AXES.T)
    return "\n".join([*lines, *(_numbers(row) for row in np.array(columns).T)]) + "\n"


# From Z up, facing -Y, to Y up, facing Z.
AXES = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def _up(vector) -> np.ndarray:
    return AXES @ np.array(vector)


def _up_rows(rows: np.ndarray) -> np.ndarray:
    return rows @ AXES.T


def _zxy(turns: np.ndarray) -> list[np.ndarray]:
    """Degrees about Z, then X, then Y of the joint, as a file with these channels has them: R = Rz Rx Ry."""
    x = np.arcsin(np.clip(turns[:, 2, 1], -1.0, 1.0))
    z = np.arctan2(-turns[:, 0, 1], turns[:, 1, 1])
    y = np.arctan2(-turns[:, 2, 0], turns[:, 2, 2])
    return [np.degrees(angle) for angle in (z, x, y)]


def _numbers(values) -> str:
    return " ".join(f"{float(value):.6f}" for value in values)
