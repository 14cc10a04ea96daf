"""The page of what goes wrong elsewhere names tests that there are."""

from __future__ import annotations

import re

from support.extension import ROOT

PAGE = ROOT / "docs" / "pains.md"


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
