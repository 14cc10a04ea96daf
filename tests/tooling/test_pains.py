"""The page of what goes wrong elsewhere names tests that there are."""

from __future__ import annotations

import re

import pytest
from support.extension import ROOT
from support.real_rigs import SHARED_DATA

PAGE = ROOT / "docs" / "pains.md"
REPORTS = SHARED_DATA.parent / "pains.md"
# The page's part for each part of the reports that names retargeting, feet of clips or root motion.
PARTS = {
    "A": "Feet",
    "C": "Rest poses, rolls, facing",
    "D": "Names and bones",
    "E": "Scale, axes, units",
    "F": "Rotations and locks",
    "G": "Control rigs",
    "I": "Actions, NLA, batches",
    "L": "Root motion and loops",
}


def test_each_test_that_the_page_names_is_there():
    named = re.findall(r"`(\w+/[\w/]+\.py)::(\w+)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 50
    gone = [
        f"{file}::{name}"
        for file, name in named
        if f"def test_{name}(" not in (ROOT / "tests" / file).read_text(encoding="utf-8")
    ]
    assert gone == []


def test_each_trouble_has_a_test_or_says_where_it_is_seen():
    rows = [
        line
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and "What" not in line[:7]
    ]
    assert len(rows) > 50
    assert [row for row in rows if len(row.strip("| ").split(" | ")) != 3 or "`" not in row.split(" | ")[-1]] == []


@pytest.mark.skipif(not REPORTS.is_file(), reason="The reports of the shared folder are not here.")
@pytest.mark.parametrize("letter", PARTS)
def test_each_report_of_a_trouble_has_a_line(letter):
    page, reports = PAGE.read_text(encoding="utf-8"), REPORTS.read_text(encoding="utf-8")
    part = page.split(f"## {PARTS[letter]}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ") and "What people" not in line]
    assert len(lines) == len(re.findall(rf"^### {letter}\d\d$", reports, flags=re.MULTILINE))
