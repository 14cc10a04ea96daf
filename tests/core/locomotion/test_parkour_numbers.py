"""Every number of the states: what the usual preset says, and that each of them could not be left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from math import cos, radians, sin
from typing import Any

import pytest
from support.clinger import Clinger, hung
from support.ledges import FACE, TOP, block, thin, wall, yard
from support.runner import AHEAD, Runner, past, pressing
from support.surroundings import box, on_floor
from surefoot.core.control.intent import Pad
from surefoot.core.control.movement import MovementConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.locomotion.machine import request_of
from surefoot.core.parkour_presets import USUAL, parkour
from surefoot.core.world.rooms import Block

USUALLY: dict[str, dict[str, float]] = {
    "machine": {"window": 0.2, "sprints_from": 2.0, "run_lasts": 0.25, "grabs_rising": 1.5},
    "surroundings": {
        "walk_ahead": 0.7, "walk_reach": 1.9, "sprint_ahead": 1.6, "sprint_reach": 2.2, "climb_reach": 2.1,
        "hang_reach": 2.35,
    },
    "vault": {
        "shortest": 0.35, "longest": 0.8, "keeps": 0.9, "hand_from": 0.3, "hand_to": 0.6, "one_hand": 0.5,
        "hand_fades": 0.1, "hand_reaches": 0.25,
    },
    "climb": {"by_itself": 1.5, "low": 1.6, "hands_to": 0.75, "hand_fades": 0.15},
    "hang": {
        "lowest": 1.5, "below": 2.05, "pull_in": 0.15, "shimmy": 1.1, "step": 0.15, "corner": 0.3, "back_out": 3.5,
        "back_up": 0.8, "no_grab": 0.4,
    },
    "leap": {"far": 2.2, "higher": 1.3, "lower": 1.0, "lasts": 0.45, "over": 0.3, "hands": 0.4},
    "wall_run": {
        "slowest": 4.0, "parallel": radians(60.0), "reach": 0.45, "off_ground": 0.35, "gravity": 7.0, "lift": 0.7,
        "longest": 1.1, "jump_out": 4.5, "jump_up": 0.85, "kept": 0.8, "no_wall": 0.35,
    },
}  # fmt: skip


@pytest.mark.parametrize(("table", "name"), [(table, name) for table, names in USUALLY.items() for name in names])
def test_the_usual_preset_says_so(table: str, name: str):
    assert getattr(getattr(parkour(USUAL), table), name) == pytest.approx(USUALLY[table][name])


Shown = tuple[Any, ...]


def _asked(one: Runner | Clinger) -> Shown:
    """What the pose is told, and where the body is."""
    move = request_of(one.memory, one.travel, one.config, one.world).move
    told = () if move is None else (move.variant, move.contacts)
    return (one.memory.state, *one.capsule.feet, one.travel.place.heading, *told)


def vaulted(config: ParkourConfig) -> list[Shown]:
    """Over a fence, slanting."""
    seen: list[Shown] = []
    angle = radians(25.0)
    pad = Pad(sin(angle), -cos(angle))

    def watch(one: Runner) -> Pad:
        seen.append(_asked(one))
        return pressing(past(-0.7), pad)(one)

    Runner(on_floor(box(1.0, 0.45, gap=1.2, width=30.0)), heading=angle, config=config).go(1.3, watch)
    return seen


def vaulted_late(config: ParkourConfig) -> list[Shown]:
    """Over a fence that has stopped it a quarter of a second before."""
    runner = Runner(on_floor(box(1.0, 0.1, gap=1.2)), fps=120, config=config)
    runner.go(1.0, AHEAD, until=lambda one: one.time > 0.2 and one.pace == 0.0)
    runner.go(0.22, AHEAD).go(0.3, AHEAD._replace(go_up=True))
    return [_asked(runner)]


def climbed(config: ParkourConfig) -> list[Shown]:
    """Onto a block as high as where the pose changes."""
    seen: list[Shown] = []

    def watch(one: Runner) -> Pad:
        seen.append(_asked(one))
        return pressing(past(-0.6))(one)

    Runner(on_floor(box(1.4, gap=1.2)), config=config).go(2.0, watch)
    return seen


def clinging(body: Clinger, seconds: float, wish: tuple[float, float], **pressed: bool) -> list[Shown]:
    """What is told for so long."""
    seen = []
    for _ in range(round(seconds * body.rate)):
        body.tick(wish, **pressed)
        seen.append(_asked(body))
    return seen


def hung_to_the_left(config: ParkourConfig) -> list[Shown]:
    """Along an edge."""
    return clinging(hung(yard(wall()), config=config), 0.8, (1.0, 0.0))


def hung_over_a_bulge(config: ParkourConfig) -> list[Shown]:
    """An edge under which the wall stands out."""
    world = yard(wall(), block(6.0, -6.0, TOP - 1.7, face=FACE + 0.22))
    body = Clinger(world, (0.0, FACE + 0.65, TOP - 1.9), config=config, aloft=True)
    return clinging(body, 0.5, (0.0, -1.0))


def around_a_thin_end(config: ParkourConfig) -> list[Shown]:
    """Around the end of a wall that is a hand wide."""
    return clinging(hung(yard(block(0.6, -3.0, depth=0.28)), config=config), 1.6, (1.0, 0.0))


def leapt_to_one_further_back(config: ParkourConfig) -> list[Shown]:
    """Across a gap to an edge that is behind the wall's face."""
    world = yard(block(0.5, -3.0, depth=0.1), block(4.0, 1.5, face=FACE - 0.3, depth=1.0))
    return clinging(hung(world, config=config), 0.3, (1.0, 0.0), go_up=True)


def leapt_by_a_slanting_wish(config: ParkourConfig) -> list[Shown]:
    """Across a gap, steering half into the wall."""
    world = yard(block(0.5, -3.0, depth=0.1), block(4.0, 1.5, depth=0.1))
    return clinging(hung(world, config=config), 0.3, (cos(radians(41.0)), -sin(radians(41.0))), go_up=True)


def ran(config: ParkourConfig) -> list[Shown]:
    """Along a wall, and off it by a jump."""
    near = MovementConfig().radius + 0.3
    world = yard(Block((-near - 1.0, -40.0, 0.0), (-near, 40.0, 12.0)))
    body = Clinger(world, (0.0, 0.0, 0.6), config=config, aloft=True, velocity=(0.0, -5.0, 3.0))
    seen = clinging(body, 0.5, (0.0, -1.0)) + clinging(body, 1.0 / 60.0, (0.0, -1.0), go_up=True)
    return seen + clinging(body, 0.4, (0.0, -1.0))


def ran_past_a_niche(config: ParkourConfig) -> list[Shown]:
    """Along a wall with a niche that its direction bends into by 24 degrees."""
    near, deep = MovementConfig().radius + 0.1, 0.22
    back = Block((-near - 2.0, -40.0, 0.0), (-near - deep, 40.0, 12.0))
    parts = [Block((-near - 1.0, low, 0.0), (-near, high, 12.0)) for low, high in ((-40.0, -2.2), (-1.6, 40.0))]
    body = Clinger(yard(back, *parts), (0.0, 0.0, 0.6), config=config, aloft=True, velocity=(0.0, -5.0, 3.0))
    return clinging(body, 0.8, (0.0, -1.0))


def dropped_beside(config: ParkourConfig) -> list[Shown]:
    """Rising past a thin edge at the speed at which one may still take hold."""
    body = Clinger(yard(thin()), (0.0, -0.45, TOP - 1.9), config=config, aloft=True, velocity=(0.0, 0.0, 1.5))
    return clinging(body, 1.0 / 60.0, (0.0, -1.0))


CHANGES: dict[tuple[str, str], Callable[[ParkourConfig], list[Shown]]] = {
    ("machine", "window"): vaulted,
    ("machine", "run_lasts"): vaulted_late,
    ("machine", "grabs_rising"): dropped_beside,
    ("vault", "one_hand"): vaulted,
    ("vault", "hand_fades"): vaulted,
    ("vault", "hand_reaches"): vaulted,
    ("vault", "hand_aside"): vaulted,
    ("climb", "speed"): climbed,
    ("climb", "hand_fades"): climbed,
    ("climb", "hand_aside"): climbed,
    ("climb", "hand_in"): climbed,
    ("climb", "low"): climbed,
    ("hang", "stride"): hung_to_the_left,
    ("hang", "hands"): hung_to_the_left,
    ("hang", "shimmy_start"): hung_to_the_left,
    ("hang", "bulge"): hung_over_a_bulge,
    ("hang", "narrowest"): around_a_thin_end,
    ("leap", "give"): leapt_to_one_further_back,
    ("leap", "sideways"): leapt_by_a_slanting_wish,
    ("wall_run", "snap"): ran,
    ("wall_run", "stride"): ran,
    ("wall_run", "turn"): ran,
    ("wall_run", "bend"): ran_past_a_niche,
}


@pytest.mark.parametrize(("table", "name"), CHANGES)
def test_none_of_them_could_be_left_out(table: str, name: str):
    """With a fifth less, or a quarter more, something else is done or told."""
    act, usual = CHANGES[table, name], ParkourConfig()
    numbers = getattr(usual, table)
    assert name in {item.name for item in fields(numbers)}
    was = act(usual)
    for share in (0.8, 1.25):
        changed = replace(numbers, **{name: share * getattr(numbers, name)})
        if act(replace(usual, **{table: changed})) != was:
            return
    pytest.fail(f"{table}.{name} changes nothing.")
