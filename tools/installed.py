"""`dev.py demo`: the built zip installed into an empty Blender user folder, and a script run there."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tools import environments, package
from tools.steps import ROOT, Stop, heading, run, say

DEMO = ROOT / "tools" / "demo.py"
PARKOUR = ROOT / "tools" / "demo_parkour.py"
FALL = ROOT / "tools" / "demo_fall.py"
RESULTS = ROOT / "out" / "demo"

INSTALL = """
import os, sys, bpy
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
enabled = "bl_ext.user_default.surefoot" in bpy.context.preferences.addons
sys.stdout.flush()
os._exit(0 if enabled else 1)
"""

# Blender as a Python module starts with factory settings, so the installed extension is enabled here for the script.
RUN = """
import os, runpy, sys, traceback, bpy
bpy.ops.preferences.addon_enable(module="bl_ext.user_default.surefoot")
code = 0
try:
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    code = end.code if isinstance(end.code, int) else int(end.code is not None)
except Exception:
    traceback.print_exc()
    code = 1
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
"""


def demo(course: str = "") -> int:
    """Build, install, and run the demo (of a course or of falls, where one is named), which leaves its files in
    out/demo; the exit code.
    """
    archive = package.build()
    version = environments.DEFAULT_BLENDER[environments.own_python()]
    executable = environments.make_blender(version)
    RESULTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="surefoot-") as user:
        install(executable, archive, Path(user))
        heading(f"The demo, in Blender {version}")
        named = FALL if course == "fall" else PARKOUR
        script: list[str | Path] = [named, course, RESULTS] if course else [DEMO, RESULTS]
        code = run_with_extension(executable, script, user)
    say(f"\nThe demo ended with code {code}." if code else f"\nThe demo's files are in {RESULTS.relative_to(ROOT)}.")
    return code


def install(executable: Path, archive: Path, user: Path) -> None:
    """Install and enable the zip in the Blender user folder `user`."""
    heading(f"Installing {archive.name} into an empty user folder")
    if run([executable, "-c", INSTALL, archive], quiet=True, BLENDER_USER_RESOURCES=str(user)):
        raise Stop(f"Blender could not install or enable {archive.name}; see its lines above.")
    say("Installed and enabled.")


def run_with_extension(executable: Path, command: list[str | Path], user: str) -> int:
    """Run a script (and its arguments) in Blender with the installed extension enabled; its exit code."""
    return run([executable, "-c", RUN, *command], BLENDER_USER_RESOURCES=user)
