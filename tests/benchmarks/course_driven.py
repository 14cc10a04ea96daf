"""Every piece of the course driven by recorded input, and whether what must come of it came.

    python tests/benchmarks/course_driven.py      in an environment with Blender
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support.extension import as_extension

extension = as_extension()
bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
extension.register()
from support.course_drives import DRIVES, OUTCOMES, course_with_walker, driven  # noqa: E402 - once it is registered


def told() -> list[str]:
    """A line a piece, with what failed."""
    rig, lines = course_with_walker(), []
    for label in DRIVES:
        run = driven(rig, label)
        word = "as it must" if OUTCOMES[label](run) else "FAILED"
        lines.append(f"{label:40} {word:11} {run.ahead[-1]:6.2f} m on, up to {max(run.heights):5.2f} m")
    return lines


if __name__ == "__main__":
    lines = told()
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    os._exit(int(any("FAILED" in line for line in lines)))
