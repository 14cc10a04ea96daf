"""Names of new Actions: predictable, short, and no longer each time."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("name", "source", "made"),
    [
        ("Walk", "", "Walk_Hero"),
        ("Walk.001", "Mocap", "Walk.001_Hero"),
        # From rig to rig, and back.
        ("Walk_Mocap", "Mocap", "Walk_Hero"),
        ("Walk_Mocap.001", "Mocap", "Walk_Hero"),
        ("Walk_Hero_Mocap", "Mocap", "Walk_Hero"),
        # Twice to the same.
        ("Walk_Hero", "Hero", "Walk_Hero"),
        ("Walk_Hero_Hero.002", "Mocap", "Walk_Hero"),
        ("_Hero", "Mocap", "_Hero_Hero"),
        ("W" * 80, "", "W" * 58 + "_Hero"),
        ("歩" * 30, "", "歩" * 19 + "_Hero"),
    ],
)
def test_a_motion_on_a_target_is_called_after_both_once(name: str, source: str, made: str) -> None:
    from surefoot.addon.action_names import on_target

    assert on_target(name, "Hero", source) == made
    assert len(made.encode()) <= 63


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Walk", "Walk Clean"),
        ("Walk Clean", "Walk Clean"),
        ("Walk Clean.001", "Walk Clean"),
        ("W" * 80, "W" * 57 + " Clean"),
    ],
)
def test_a_clean_up_is_named_once(name: str, made: str) -> None:
    from surefoot.addon.action_names import cleaned

    assert cleaned(name, "{action} Clean") == made
