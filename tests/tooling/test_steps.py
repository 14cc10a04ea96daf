"""What a run of dev.py counts and says at its end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.checks import counts
from tools.environments import find_python, works
from tools.steps import Tally, run


def test_the_last_line_is_the_sum_over_all_steps(capsys: pytest.CaptureFixture[str]):
    tally = Tally()
    tally.add("one", 1.0, passed=3, skipped=1)
    tally.add("two", 1.0, passed=4)
    assert (tally.summary(), capsys.readouterr().out.splitlines()[-1]) == (0, "7 passed, 0 failed, 1 skipped")


def test_one_failure_makes_the_exit_code_1():
    tally = Tally()
    tally.add("one", 1.0, passed=3)
    tally.add("two", 1.0, failed=1)
    assert tally.summary() == 1


def test_results_are_counted_from_the_file_of_the_run(tmp_path: Path):
    results = tmp_path / "results.xml"
    results.write_text('<testsuites><testsuite tests="9" failures="2" errors="1" skipped="3"/></testsuites>')
    assert counts(results) == (3, 3, 3)


def test_a_child_that_does_not_end_is_stopped_with_code_124():
    assert run([sys.executable, "-c", "import time; time.sleep(60)"], minutes=0.02) == 124


def test_a_child_s_exit_code_is_handed_on():
    assert run([sys.executable, "-c", "raise SystemExit(7)"]) == 7


def test_children_use_one_thread_for_linear_algebra():
    program = "import os; raise SystemExit(int(os.environ['OMP_NUM_THREADS'] + os.environ['OPENBLAS_NUM_THREADS']))"
    assert run([sys.executable, "-c", program]) == 11


def test_a_python_of_another_version_is_not_taken():
    other = "3.13" if sys.version_info[:2] == (3, 11) else "3.11"
    assert not works(sys.executable, other)


def test_a_python_that_nobody_has_is_not_found():
    assert find_python("3.99") is None
