"""`dev.py test`: style, types, the core without Blender, everything in Blender."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path

from tools import environments
from tools.steps import ROOT, Stop, Tally, heading, run, say

EXTENSION = ("__init__.py", "core", "addon")
SETTINGS = ROOT / "pyproject.toml"
LONGEST = 60.0
"""So many minutes all tests in one Blender take at most, on a slow machine too."""
MOST_PROCESSES = 8
"""More Blenders side by side than this ask for more memory than they save time."""


def test(*, matrix: bool) -> int:
    """Run everything; the exit code."""
    tally = Tally()
    python = environments.own_python()
    style_and_types(python, tally)
    first = environments.DEFAULT_BLENDER[python]
    versions = [first, *(v for v in environments.BLENDERS if v != first)] if matrix else [first]
    core_tests(python, first, tally)
    for version in versions:
        if environments.find_python(environments.BLENDERS[version]) is None:
            heading(f"Tests in Blender {version}")
            say(environments.missing_python(environments.BLENDERS[version]) + " This Blender is left out.")
            tally.add(f"Blender {version}: no Python for it", 0.0, skipped=1)
            continue
        blender_tests(version, tally)
    return tally.summary()


def style_and_types(python: str, tally: Tally) -> None:
    """Ruff over the repository, mypy over the extension."""
    environment = environments.checker_environment(python)
    if not environment.make():
        raise Stop("The checkers could not be installed; check the connection and run the command again.")
    began = heading("Style: ruff")
    code = run([environment.executable, "-m", "ruff", "check", "."])
    tally.add("style (ruff)", time.monotonic() - began, passed=int(not code), failed=int(bool(code)))
    began = heading("Types: mypy")
    code = types(environment.executable)
    tally.add("types (mypy)", time.monotonic() - began, passed=int(not code), failed=int(bool(code)))


def types(python: Path) -> int:
    """Check the types of a copy named `surefoot`, since mypy takes a package's name from its folder."""
    place = ROOT / ".env" / "types"
    shutil.rmtree(place / "surefoot", ignore_errors=True)
    for name in EXTENSION:
        source, goal = ROOT / name, place / "surefoot" / name
        if source.is_dir():
            shutil.copytree(source, goal, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.is_file():
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, goal)
    return run([python, "-m", "mypy", "--config-file", SETTINGS, "--cache-dir", place / "cache"], cwd=place)


def core_tests(python: str, fallback: str, tally: Tally) -> None:
    """The core's tests without Blender; on Blender's mathutils where the package cannot be had."""
    environment = environments.core_environment(python)
    if environment.make():
        pytest("core without Blender", environment.executable, tally)
        return
    say(
        "The mathutils package could not be installed here (it may need a C compiler). "
        f"The core's tests run with the mathutils of Blender {fallback} instead."
    )
    tally.add("core without Blender: no mathutils", 0.0, skipped=1)


def blender_tests(version: str, tally: Tally) -> None:
    """All tests in one Blender, with a user folder of its own."""
    executable = environments.make_blender(version)
    with tempfile.TemporaryDirectory(prefix="surefoot-") as user:
        pytest(f"Blender {version}", executable, tally, BLENDER_USER_RESOURCES=user)


def pytest(step: str, python: Path, tally: Tally, **env: str) -> None:
    """One run of pytest, counted from its result file; a run that ends without one counts as a failure."""
    began = heading(f"Tests: {step}")
    results = ROOT / "out" / f"results {step}.xml"
    results.parent.mkdir(exist_ok=True)
    results.unlink(missing_ok=True)
    options = ["-q", "--continue-on-collection-errors", "--junitxml", results, *side_by_side()]
    code = run([python, "-X", "faulthandler", "-m", "pytest", *options], minutes=LONGEST, **env)
    seconds = time.monotonic() - began
    if not results.is_file():
        say(f"The run ended with code {code} before it could report.")
        tally.add(step, seconds, failed=1)
        return
    passed, failed, skipped = counts(results)
    if code and not failed:
        say(f"All tests passed, but the run ended with code {code}.")
        failed = 1
    tally.add(step, seconds, passed=passed, failed=failed, skipped=skipped)


def side_by_side() -> list[str]:
    """Options of pytest that share the test files among processes, one for each processor; a file stays together."""
    processes = min(MOST_PROCESSES, os.cpu_count() or 1)
    return ["--numprocesses", str(processes), "--dist", "loadfile"] if processes > 1 else []


def counts(results: Path) -> tuple[int, int, int]:
    """Passed, failed and skipped of a JUnit file."""
    total = failed = skipped = 0
    for suite in ET.parse(results).getroot().iter("testsuite"):
        total += int(suite.get("tests", 0))
        failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped += int(suite.get("skipped", 0))
    return total - failed - skipped, failed, skipped

