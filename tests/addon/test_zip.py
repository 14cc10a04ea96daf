"""What a user gets: the zip as Blender's own tool builds it, installed into an empty user folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.extension import ROOT

from tools import package

# What the extension leaves in Blender, before it was ever enabled, while it is, after it was disabled, and once again.
PROGRAM = """
import json, os, sys, bpy
NAME = "bl_ext.user_default.surefoot"

def traces():
    kinds = [name for name in dir(bpy.types) if name.upper().startswith("SUREFOOT")]
    handlers = [f"{name}: {one.__module__}" for name in dir(bpy.app.handlers)
                if isinstance(getattr(bpy.app.handlers, name), list)
                for one in getattr(bpy.app.handlers, name) if "surefoot" in one.__module__]
    owners = (bpy.types.Object, bpy.types.Scene, bpy.types.WindowManager, bpy.types.Armature, bpy.types.Action)
    properties = [f"{owner.__name__}.{name}" for owner in owners for name in dir(owner) if "surefoot" in name.lower()]
    commands = [name for name in dir(bpy.ops.surefoot)]
    return sorted(kinds + handlers + properties + commands)

seen = [traces()]
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
seen.append(traces())
bpy.ops.preferences.addon_disable(module=NAME)
seen.append(traces())
bpy.ops.preferences.addon_enable(module=NAME)
seen.append(traces())
bpy.ops.preferences.addon_disable(module=NAME)
seen.append(traces())
print("TRACES", json.dumps(seen))
sys.stdout.flush()
os._exit(0)
"""

# An upgrade while the extension is disabled, in one session: Blender itself runs only the entry point again.
UPGRADE = """
import os, sys, bpy
NAME = "bl_ext.user_default.surefoot"
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
bpy.ops.preferences.addon_disable(module=NAME)
bpy.ops.extensions.package_install_files(filepath=sys.argv[2], repo="user_default", enable_on_install=False)
bpy.ops.preferences.addon_enable(module=NAME)
print("UPGRADED", getattr(sys.modules[NAME + ".core.tick"], "UPGRADED", False))
sys.stdout.flush()
os._exit(0)
"""


def in_blender(program: str, *arguments: Path, user: Path) -> str:
    """What the program prints in a Blender of its own with this user folder; it must end well."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, "BLENDER_USER_RESOURCES": str(user)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    assert "Traceback" not in text, text
    return done.stdout


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip."""
    goal = tmp_path_factory.mktemp("zip") / "surefoot.zip"
    tool = package.extension_tool(Path(sys.executable))
    command = [sys.executable, str(tool), "build", "--source-dir", str(ROOT), "--output-filepath", str(goal)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return goal


@pytest.fixture(scope="module")
def traces(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What Blender knows of the extension at five moments: never, enabled, disabled, enabled, disabled."""
    printed = in_blender(PROGRAM, archive, user=tmp_path_factory.mktemp("user"))
    return json.loads(next(line for line in printed.splitlines() if line.startswith("TRACES"))[len("TRACES") :])


def test_blender_s_own_validator_accepts_the_zip(archive: Path):
    tool = package.extension_tool(Path(sys.executable))
    done = subprocess.run(
        [sys.executable, str(tool), "validate", str(archive)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_zip_holds_the_extension_and_nothing_of_its_workshop(archive: Path):
    names = zipfile.ZipFile(archive).namelist()
    assert {name.split("/")[0] for name in names} - package.CONTENT == set()
    assert [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".blend1"))] == []


def test_the_zip_holds_every_module_and_preset(archive: Path):
    inside = set(zipfile.ZipFile(archive).namelist())
    files = [path for folder in ("core", "addon", "presets") for path in (ROOT / folder).rglob("*")]
    wanted = {path.relative_to(ROOT).as_posix() for path in files if path.suffix in (".py", ".toml")}
    assert wanted - inside == set()


def test_the_zip_is_smaller_than_one_and_a_half_megabytes(archive: Path):
    assert archive.stat().st_size < 1_500_000


def test_enabled_from_the_zip_it_is_there(traces: list[list[str]]):
    assert "Object.surefoot" in traces[1]


def test_disabled_it_leaves_nothing_behind(traces: list[list[str]]):
    assert traces[2] == traces[0] == traces[4] == []


def test_enabled_again_it_is_the_same_as_the_first_time(traces: list[list[str]]):
    assert traces[3] == traces[1]


def test_an_upgrade_within_one_session_runs_the_new_code_of_every_module(archive: Path, tmp_path: Path):
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) + (b"\nUPGRADED = True\n" if name == "core/tick.py" else b""))
    assert "UPGRADED True" in in_blender(UPGRADE, archive, newer, user=tmp_path)
