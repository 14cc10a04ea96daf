"""What the person at the terminal sees: a heading for each step, its time, and one plain line at the end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Stop(Exception):
    """The command cannot go on; the text says why and what to do."""


@dataclass
class Tally:
    """Counts over a whole command."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    lines: list[str] = field(default_factory=list)

    def add(self, step: str, seconds: float, *, passed: int = 0, failed: int = 0, skipped: int = 0) -> None:
        """Add one step's counts."""
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        verdict = "FAILED" if failed else "ok"
        counts = f"{passed} passed, {failed} failed, {skipped} skipped"
        self.lines.append(f"  {verdict:<7} {step:<34} {counts:<42} {seconds:6.1f} s")

    def summary(self) -> int:
        """Print all steps and the last line; the exit code."""
        say("\nSummary")
        for line in self.lines:
            say(line)
        say(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed else 0


def say(text: str) -> None:
    """A line on the terminal, in order with what child processes print."""
    print(text, flush=True)


def heading(text: str) -> float:
    """Begin a step; the moment it began."""
    say(f"\n== {text}")
    return time.monotonic()


def child_environment(**more: str) -> dict[str, str]:
    """The variables of a child process: one thread for linear algebra, and text as UTF-8 everywhere."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return {**clean, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1", **more}


def run(command: list[str | Path], *, minutes: float = 30.0, cwd: Path = ROOT, quiet: bool = False, **env: str) -> int:
    """Run a child to its end with its output shown (`quiet`: only if it fails); its exit code, 124 after `minutes`."""
    sys.stdout.flush()
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env=child_environment(**env),
            timeout=minutes * 60.0,
            check=False,
            stdout=subprocess.PIPE if quiet else None,
            stderr=subprocess.STDOUT if quiet else None,
        )
    except subprocess.TimeoutExpired:
        say(f"It did not end within {minutes:g} minutes and was stopped.")
        return 124
    if quiet and done.returncode:
        say(done.stdout.decode("utf-8", "replace"))
    return done.returncode
