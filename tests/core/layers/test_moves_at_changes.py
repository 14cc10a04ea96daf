"""Every move of a person that is driven through a level: its changes of state jolt no bone, and what holds is there."""

from __future__ import annotations

import pytest
from mathutils import Vector
from support import state_changes
from support.state_changes import SCENES, acted, changes, held, off_edge, person, rims, shown_as

MOST = 6.0
WORDS = ("hang", "shimmy", "corner", "leap", "pillar", "back")
HANGS = [name for name in SCENES if any(word in name for word in WORDS)]
WALLS = [name for name in SCENES if "along a wall" in name or name == "a wall jump"]
HOLDS = 0.99
LATE = 6
"""So many frames a limb has held before it is asked whether it slides."""
MOVES = {
    "a vault from": "VAULT", "a vault over": "VAULT", "low climb": "CLIMB", "high climb": "CLIMB", "hang": "HANG",
    "shimmy": "SHIMMY", "corner": "CORNER", "pillar": "CORNER", "leap": "LEAP", "jump back": "JUMP_BACK",
    "let go": "HANG", "along a wall": "WALL_RUN", "wall jump": "WALL_JUMP", "slide": "SLIDE", "a roll": "ROLL",
}  # fmt: skip


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_does_what_it_is_called(name: str):
    shown = {frame.request.move.name for frame in acted(name) if frame.request.move is not None}
    wanted = {move for words, move in MOVES.items() if words in name and name != "a hang from a lower edge"}
    assert wanted <= shown


@pytest.mark.parametrize("name", SCENES)
def test_at_no_change_of_state_a_bone_s_angular_velocity_steps_by_more_than_six(name: str):
    found = list(changes(name))
    assert found
    for change in found:
        assert change.step <= MOST, change


@pytest.mark.parametrize("name", HANGS)
def test_hands_are_within_two_centimetres_of_the_edge_in_every_frame_of_a_hang(name: str):
    edges, size, seen = rims(name), person().leg_length / 0.9, 0
    for k, shown, contact, place in held(name):
        if shown.memory.state.state == "HANGING" and contact.limb.startswith("hand") and contact.weight >= HOLDS:
            seen += 1
            assert off_edge(place, edges) < 0.02 * size, (k, shown_as(shown), contact.limb)
    assert seen > 40 or name == "a hang from a lower edge"


@pytest.mark.parametrize("name", HANGS)
def test_there_is_no_frame_of_a_hang_in_which_no_hand_holds(name: str):
    for shown in acted(name):
        if shown.memory.state.state == "HANGING":
            holds = [c for c in shown.request.move.contacts if c.limb.startswith("hand") and c.weight >= HOLDS]
            assert holds, shown.time


@pytest.mark.parametrize("name", [*HANGS, *WALLS])
def test_feet_are_within_three_centimetres_of_the_wall_that_they_stand_on(name: str):
    size, seen = person().leg_length / 0.9, 0
    for k, shown, contact, place in held(name):
        state = shown.memory.state.state
        stands = any(hold.limb == contact.limb and hold.share >= HOLDS for hold in shown.memory.moves.holds)
        if state in ("HANGING", "WALL_RUNNING") and contact.limb.startswith("foot") and stands:
            seen += 1
            off = place - Vector(contact.place)
            assert abs(off.dot(Vector(contact.normal))) < 0.03 * size, (k, shown_as(shown), contact.limb)
    assert seen > 3 or name == "a hang from a lower edge"


@pytest.mark.parametrize("name", [*HANGS, *WALLS])
def test_what_has_hold_stays_where_it_is_held(name: str):
    """Places that stand still: a limb that holds one for a while does not slide on it."""
    size, before = person().leg_length / 0.9, {}
    for k, shown, contact, place in held(name):
        if shown.memory.state.state not in ("HANGING", "WALL_RUNNING"):
            continue
        last = before.get(contact.limb)
        still = last is not None and last[0] == k - 1 and (Vector(contact.place) - last[1]).length < 1e-4
        count = last[3] + 1 if still and contact.weight >= HOLDS else 0
        if count > LATE:
            assert (place - last[2]).length < 0.015 * size, (k, contact.limb)
        before[contact.limb] = (k, Vector(contact.place), place, count)


def test_both_hands_are_on_a_wide_block_in_the_middle_of_a_vault_over_it():
    seen, size = 0, person().leg_length / 0.9
    for _, shown, contact, place in held("a vault over a wide block"):
        if 0.42 < shown.request.move.progress < 0.55:
            seen += 1
            assert (place - Vector(contact.place)).length < 0.05 * size
    assert seen > 6


def test_a_vault_over_a_wide_block_goes_close_over_it_with_the_trunk_ahead():
    rig, size = person(), person().leg_length / 0.9
    top = 0.9 * size
    for _, shown, _, _ in held("a vault over a wide block"):
        if 0.42 < shown.request.move.progress < 0.55:
            at = state_changes.world_of(shown)
            hips, chest = (at @ shown.pose.head(i) for i in (rig.legs[0].bones[0], rig.arms[0].bones[-2]))
            assert top + 0.15 * size < hips.z < top + 0.5 * size
            # It leans ahead by more than by half of the way from hips to shoulders.
            assert hips.y - chest.y > 0.5 * (hips - chest).length
