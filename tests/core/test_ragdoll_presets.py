"""The kinds of bodies that ship, and how a file that is wrong is refused."""

import pytest
from surefoot.core.presets import PRESETS, PresetError, read_toml
from surefoot.core.ragdoll.proportions import KINDS
from surefoot.core.ragdoll_presets import body_kinds, check_kind


def table():
    return read_toml(PRESETS / "ragdoll" / "person.toml")


def test_every_kind_ships():
    assert tuple(body_kinds()) == KINDS


def test_a_persons_shares_are_de_levas_and_add_up_to_one():
    parts = body_kinds()["person"].parts
    both = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")
    total = sum(parts[name].mass for name in ("pelvis", "spine", "chest", "head"))
    assert total + 2.0 * sum(parts[name].mass for name in both) == pytest.approx(1.0, abs=0.002)


def test_a_part_has_the_row_of_its_own_name_before_that_of_its_kind():
    four = body_kinds()["four"]
    assert four.row("front_shin") is four.parts["front_shin"]
    assert four.row("hind_shin") is four.parts["shin"]
    assert four.row("neck_2") is four.parts["neck"]
    assert four.row("segment4") is four.parts["segment"]
    assert four.row("wing") is four.parts["any"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 9}, "version 9"),
        ({"name": "horse"}, "a name out of"),
        ({"height": -1.0}, "height is -1.0"),
        ({"parts": {}}, "a row called any"),
        ({"parts": {"any": {"mass": 1.0}}}, "needs mass, low, high and friction"),
        ({"parts": {"any": {"mass": 1.0, "low": [0, 0, 0], "high": [0, 95, 0], "friction": 0.3}}}, "y is 95"),
        ({"parts": {"any": {"mass": 1.0, "low": [5, 0, 0], "high": [0, 0, 0], "friction": 0.3}}}, "low must not"),
    ],
)
def test_a_kind_that_is_wrong_is_refused_with_its_file_and_the_reason(change, reason):
    with pytest.raises(PresetError, match=reason) as refused:
        check_kind(table() | change, "mine.toml")
    assert "mine.toml" in str(refused.value)
