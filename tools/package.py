"""`dev.py build`: the zip that Blender installs, made and judged by Blender's own extension tool."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from tools import environments
from tools.steps import ROOT, Stop, heading, run, say

CONTENT = {"blender_manifest.toml", "__init__.py", "LICENSE", "README.md", "CHANGELOG.md", "core", "addon", "presets"}


def build() -> Path:
    """Make dist/surefoot-<version>.zip and validate it; its path."""
    blender = environments.DEFAULT_BLENDER[environments.own_python()]
    executable = environments.make_blender(blender)
    tool = extension_tool(executable)
    heading(f"The zip, by the extension tool of Blender {blender}")
    goal = ROOT / "dist" / f"surefoot-{manifest_version()}.zip"
    goal.parent.mkdir(exist_ok=True)
    if run([executable, tool, "validate", ROOT]):
        raise Stop("Blender's validator refuses blender_manifest.toml; see its line above.")
    if run([executable, tool, "build", "--source-dir", ROOT, "--output-filepath", goal]):
        raise Stop("Blender's tool could not build the zip; see its line above.")
    if run([executable, tool, "validate", goal]):
        raise Stop(f"Blender's validator refuses {goal.name}; see its line above.")
    strangers = sorted({name.split("/")[0] for name in zipfile.ZipFile(goal).namelist()} - CONTENT)
    if strangers:
        raise Stop(f"{', '.join(strangers)} would be in the zip: move it, or exclude it in blender_manifest.toml.")
    say(f"{goal.relative_to(ROOT)}: {goal.stat().st_size / 1024:.0f} kB, in Blender: Edit > Preferences > Get "
        "Extensions > Install from Disk, or drag it into the window.")
    return goal


def extension_tool(executable: Path) -> Path:
    """Blender's command line tool for extensions, in the environment of its wheel."""
    found = sorted(executable.parent.parent.glob("**/bl_pkg/cli/blender_ext.py"))
    if not found:
        raise Stop(f"No extension tool of Blender in {executable.parent.parent}; delete .env and run again.")
    return found[0]


def manifest_version() -> str:
    """The version that the manifest states."""
    manifest = (ROOT / "blender_manifest.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "([^"]+)"', manifest, re.MULTILINE)
    if found is None:
        raise Stop("blender_manifest.toml states no version.")
    return found.group(1)
