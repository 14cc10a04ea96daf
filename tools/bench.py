"""`dev.py bench`: runs the benchmarks in Blender and prints what they measured.

A benchmark is a function in tests/benchmarks/bench_*.py whose name begins with `bench_`. It starts in an empty file
with the add-on enabled, and returns {what was measured, with its unit: number}. Numbers that are compared across
machines are ratios to something measured in the same run.

This file is also the program that runs inside Blender's environment.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "benchmarks"
Bench = Callable[[], dict[str, float]]


def bench(only: str) -> int:
    """Start this file in Blender's environment; the exit code."""
    from tools import environments, steps  # noqa: PLC0415 - inside Blender only this file runs, not its package

    executable = environments.make_blender(environments.DEFAULT_BLENDER[environments.own_python()])
    steps.heading("Benchmarks")
    with tempfile.TemporaryDirectory(prefix="surefoot-") as user:
        return steps.run([executable, Path(__file__), only], minutes=60.0, BLENDER_USER_RESOURCES=user)


def found(only: str) -> Iterator[tuple[str, Bench]]:
    """The benchmarks whose file or name holds the text `only`, by file and then in the order they are written."""
    for path in sorted(FOLDER.glob("bench_*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, value in vars(module).items():
            label = f"{path.stem.removeprefix('bench_')}: {name.removeprefix('bench_').replace('_', ' ')}"
            if name.startswith("bench_") and callable(value) and only in f"{path.stem} {name}":
                yield label, value


def run_inside(only: str) -> int:
    """Run and print; the number of benchmarks that failed."""
    import bpy  # noqa: PLC0415 - only there in Blender's environment

    sys.path.insert(0, str(ROOT / "tests"))
    from support.extension import as_extension  # noqa: PLC0415 - found through the line above

    extension = as_extension()
    print(f"Blender {bpy.app.version_string}", flush=True)
    failed = 0
    for label, benchmark in found(only):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        extension.register()
        print(f"\n{label}", flush=True)
        try:
            for what, value in benchmark().items():
                print(f"  {what:<64} {value:>14,.3f}", flush=True)
        except Exception:  # noqa: BLE001 - one benchmark that fails must not hide the others
            traceback.print_exc()
            failed += 1
        finally:
            extension.unregister()
    return failed


if __name__ == "__main__":
    code = run_inside(sys.argv[1] if len(sys.argv) > 1 else "")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1 if code else 0)  # the 4.5 wheel can hang at exit
