"""Makes the repository importable as `surefoot`, in a plain Python (core tests) and in Blender's.

The repository root is the extension package, whatever its folder is called. Here it becomes a package named
`surefoot` whose `__init__.py` has not run, so that `surefoot.core` can be imported without Blender; the tests in
tests/addon run it (see the conftest there).
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.extension import ROOT, as_package

IN_BLENDER = importlib.util.find_spec("bpy") is not None
WORKER = os.environ.get("PYTEST_XDIST_WORKER")
if WORKER and "BLENDER_USER_RESOURCES" in os.environ:
    # Processes that test side by side do not see each other's saved presets and mappings.
    _own = Path(os.environ["BLENDER_USER_RESOURCES"]) / WORKER
    _own.mkdir(parents=True, exist_ok=True)
    os.environ["BLENDER_USER_RESOURCES"] = str(_own)
if IN_BLENDER:
    import bpy  # before mathutils: the wheel allows no other order


as_package()

_exit_code = 0


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Tests of the add-on need Blender: without it their folder is left out whole."""
    if not IN_BLENDER and collection_path == ROOT / "tests" / "addon":
        return True
    return None


def pytest_report_header() -> str:
    """Says at the top of the run which mathutils it uses."""
    return f"surefoot: in Blender {bpy.app.version_string}" if IN_BLENDER else "surefoot: core, without Blender"


def pytest_sessionfinish(exitstatus: int) -> None:
    """Keeps the run's verdict for the way out."""
    global _exit_code  # noqa: PLW0603 - pytest hands the verdict to one hook and ends in another
    _exit_code = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends a Blender run at once: the 4.5 wheel hangs at exit while a class of ours is still known to it."""
    if IN_BLENDER:
        config.get_terminal_writer().flush()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_exit_code)


def pytest_configure(config: pytest.Config) -> None:
    """Names our markers."""
    config.addinivalue_line("markers", "grid: one walk of the grid that is too long for a quick run (-m 'not grid')")
    config.addinivalue_line("markers", "prints_traceback: the test makes Blender print an exception on purpose")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Fails a test in which Blender printed an exception: from a handler or a draw function it goes no further."""
    report = yield
    printed = report.capstdout + report.capstderr
    expected = item.get_closest_marker("prints_traceback") is not None
    if report.passed and not expected and "Traceback (most recent call last)" in printed:
        report.outcome = "failed"
        report.longrepr = f"Blender printed an exception during {report.when}:\n{printed}"
    return report


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder that holds the extension."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real characters and mocap; the test is skipped, visibly, where it is absent."""
    shared = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared"))
    data = shared / "data"
    if not data.is_dir():
        pytest.skip(f"No real data at {data}; set SUREFOOT_SHARED to the folder that holds data/.")
    return data
