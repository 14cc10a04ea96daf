"""Private Python environments under .env/: one for the core, one a Blender version, one for the checkers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.steps import ROOT, Stop, heading, run, say

# Blender's release -> the Python its wheel is made for: every release line from the oldest that is supported.
BLENDERS = {"4.5.15": "3.11", "5.0.1": "3.11", "5.1.2": "3.13", "5.2.3": "3.13", "5.3.0": "3.13"}
DEFAULT_BLENDER = {"3.11": "4.5.15", "3.13": "5.3.0"}
PYTEST = "pytest==9.2.0"
TESTERS = (PYTEST, "pytest-xdist==3.8.0")
CORE = {
    "3.11": ("mathutils==3.3.0", "numpy==1.26.4", *TESTERS),
    "3.13": ("mathutils==5.1.0", "numpy==2.5.5", *TESTERS),
}
# This numpy's type stubs still read as Python 3.11, the oldest Python that the extension runs on.
CHECKERS = ("ruff==0.17.6", "mypy==2.4.1", "fake-bpy-module==20261026", "numpy==2.2.6", PYTEST)
WHEEL_ADVICE = (
    "Blender's wheels exist for 64-bit Linux, Windows and macOS (Apple silicon), and are about 400 MB: "
    "check the connection and the space on the disk, then run the command again."
)


@dataclass(frozen=True)
class Environment:
    """A folder with a Python and packages of its own."""

    name: str
    python: str
    requirements: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Where it lives."""
        return ROOT / ".env" / self.name

    @property
    def executable(self) -> Path:
        """Its Python."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def ready(self) -> bool:
        """True if it was completed with just these requirements."""
        stamp = self.folder / "requirements.txt"
        return self.executable.exists() and stamp.is_file() and stamp.read_text().split() == list(self.requirements)

    def make(self) -> bool:
        """Build it where it is not ready; False if a package could not be installed."""
        if self.ready():
            return True
        heading(f"Environment {self.name}: Python {self.python} with {', '.join(self.requirements)}")
        base = find_python(self.python)
        if base is None:
            raise Stop(missing_python(self.python))
        shutil.rmtree(self.folder, ignore_errors=True)
        if run([base, "-m", "venv", self.folder], quiet=True):
            raise Stop(f"{base} cannot make an environment; on Debian and Ubuntu install python{self.python}-venv.")
        pip = [self.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if run([*pip, *self.requirements], quiet=True):
            return False
        (self.folder / "requirements.txt").write_text("\n".join(self.requirements) + "\n")
        return True


def core_environment(python: str) -> Environment:
    """The core alone, with mathutils from the package index."""
    return Environment(f"core-{python}", python, CORE[python])


def blender_environment(version: str) -> Environment:
    """Blender as a Python module."""
    return Environment(f"blender-{version}", BLENDERS[version], (f"bpy=={version}", *TESTERS))


def checker_environment(python: str) -> Environment:
    """The style and type checkers."""
    return Environment(f"checkers-{python}", python, CHECKERS)


def make_blender(version: str) -> Path:
    """The Python of a working Blender environment."""
    environment = blender_environment(version)
    if not environment.make():
        raise Stop(f"The package bpy {version} could not be installed. {WHEEL_ADVICE}")
    done = subprocess.run(
        [str(environment.executable), "-c", "import bpy, os, sys; sys.stdout.flush(); os._exit(0)"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Stop(f"Blender {version} does not start here:\n{done.stderr.strip()}\n{library_advice(done.stderr)}")
    return environment.executable


def library_advice(error: str) -> str:
    """What to do where a library of the system is missing."""
    if "cannot open shared object file" not in error:
        return "Delete the folder .env and run the command again."
    return (
        "On Debian and Ubuntu: apt-get install libx11-6 libxrender1 libxi6 libxfixes3 libxkbcommon0 "
        "libsm6 libice6 libgl1 libegl1"
    )


def own_python() -> str:
    """The supported Python to begin with: the one that runs this, else the newest that is found."""
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if own in DEFAULT_BLENDER:
        return own
    for python in sorted(DEFAULT_BLENDER, reverse=True):
        if find_python(python):
            return python
    raise Stop(f"This needs Python 3.11 or 3.13, and found only {own}. Install one of them and run the command again.")


def missing_python(python: str) -> str:
    """The sentence about a Python that is not there."""
    return f"No Python {python} was found (on PATH, in pyenv, or where its installer puts it)."


def find_python(python: str) -> str | None:
    """A Python of this version that can make environments."""
    for candidate in candidates(python):
        path = shutil.which(candidate)
        if path and works(path, python):
            return path
    return None


def candidates(python: str) -> list[str]:
    """Where a Python of this version may be, likeliest first."""
    home = Path.home()
    bare = python.replace(".", "")
    pyenv = Path(os.environ.get("PYENV_ROOT", home / ".pyenv")) / "versions"
    local = Path(os.environ.get("LOCALAPPDATA", home)) / "Programs" / "Python"
    return [
        getattr(sys, "_base_executable", sys.executable),
        f"python{python}",
        *(str(path / "bin" / "python") for path in sorted(pyenv.glob(f"{python}.*"), reverse=True)),
        f"/usr/bin/python{python}",
        f"/opt/homebrew/bin/python{python}",
        f"/usr/local/bin/python{python}",
        f"/Library/Frameworks/Python.framework/Versions/{python}/bin/python3",
        str(local / f"Python{bare}" / "python.exe"),
        f"C:/Python{bare}/python.exe",
        f"C:/Program Files/Python{bare}/python.exe",
    ]


def works(path: str, python: str) -> bool:
    """True if it starts, is this version, and can make environments with pip in them."""
    probe = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([path, "-c", probe], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        say(f"{path} could not be tried: {error}")
        return False
    return done.returncode == 0 and done.stdout.strip() == python
