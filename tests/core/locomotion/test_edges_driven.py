"""A character with legs at edges and on walls, driven by a pad: the same at every frame rate, and from any copy."""

from __future__ import annotations

from math import dist

import pytest
from support.extension import ROOT
from support.ledges import FACE, TOP, block, thin, wall, yard
from support.rigs import person_skeleton
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.intent import Inputs, Pad, Place
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.rooms import Block
from surefoot.core.world.solid import Solid

FPS = (15, 24, 60, 120)
SPEED = 3.0
UP = (0.0, -1.0)


@pytest.fixture(scope="module")
def rig() -> Rig:
    return understand(person_skeleton(), read_conventions(ROOT / "presets" / "rigs")).rig


def character_of(rig: Rig) -> Character:
    return Character(rig, CharacterConfig(director="INPUT", body="CAPSULE", parkour=True))


def size_of(rig: Rig) -> float:
    return rig.leg_length / 0.9


def scaled(rig: Rig, *blocks: Block) -> Solid:
    s = size_of(rig)
    return yard(*(Block(tuple(v * s for v in b.low), tuple(v * s for v in b.high)) for b in blocks))


class Run:
    """A character that is driven through a world; `states` are those of all frames."""

    def __init__(self, rig: Rig, world: Solid, fps: float = 60.0) -> None:
        self.character, self.world, self.fps = character_of(rig), world, fps
        self.inputs = Inputs(speed=SPEED * size_of(rig) ** 0.5)
        self.memory: Memory = self.character.start(Place(0.0, 0.0, 0.0, 0.0), self.inputs, world)
        self.states: list[tuple[str, str]] = []

    def frame(self, pad: Pad) -> Run:
        count = ticks_per_frame(self.fps)
        inputs = Inputs(speed=self.inputs.speed, pad=pad)
        for _ in range(count):
            self.character.tick(self.memory, inputs, self.world, 1.0 / self.fps / count)
        state = self.memory.state
        self.states.append((state.state, state.step))
        return self

    def go(self, seconds: float, x: float = 0.0, y: float = 0.0, **pressed: bool) -> Run:
        for _ in range(round(seconds * self.fps)):
            self.frame(Pad(x, y, **pressed))
        return self

    def hang(self) -> Run:
        """Jump at the wall, and hang."""
        self.go(0.2, *UP).go(0.2, *UP, jump=True)
        for _ in range(round(2.0 * self.fps)):
            self.frame(Pad(*UP))
            if self.states[-1] == ("HANGING", ""):
                return self
        raise AssertionError(self.states)

    @property
    def parts(self) -> list[tuple[str, str]]:
        return [now for before, now in zip([("", ""), *self.states], self.states, strict=False) if before != now]

    @property
    def place(self) -> tuple[float, float, float]:
        return self.memory.capsule.feet


@pytest.mark.parametrize("fps", FPS)
def test_it_jumps_hangs_goes_along_and_climbs_up(rig: Rig, fps: float):
    run = Run(rig, scaled(rig, wall(3.7)), fps).hang()
    run.go(0.2).go(1.0, 1.0, 0.0).go(0.3)
    along = run.place[0] / size_of(rig)
    assert along == pytest.approx(1.1, abs=0.05)
    run.frame(Pad(*UP, go_up=True)).go(2.0)
    names = [name for name, _ in run.parts]
    assert names.index("HANGING") < names.index("CLIMBING")
    assert run.memory.capsule.state == "ON_GROUND"
    assert run.place[2] == pytest.approx(3.7 * size_of(rig), abs=1e-3)


def test_at_all_frame_rates_it_takes_the_same_moves_and_ends_at_the_same_place(rig: Rig):
    ends, moves = [], []
    for fps in FPS:
        run = Run(rig, scaled(rig, block(1.0, -3.0, 3.7, depth=3.0)), fps).hang()
        run.go(0.4).go(2.6, 1.0, 0.0).go(0.4)
        ends.append(run.place)
        # A frame at 15 a second is long: the shortest parts may fall between two.
        moves.append([part for part in run.parts if part != ("HANGING", "PULL_IN")][-4:])
    assert all(move == moves[0] for move in moves)
    assert max(dist(end, ends[0]) for end in ends) < 0.05


def test_from_a_copy_at_any_moment_it_goes_on_to_the_bit(rig: Rig):
    world = scaled(rig, block(0.7, -3.0, 3.7, depth=3.0), block(4.0, 1.7, 3.9, depth=3.0))

    def pads(run: Run, start: int, end: int) -> None:
        for n in range(start, end):
            run.frame(Pad(1.0, 0.0, go_up=n == 8))

    whole = Run(rig, world).hang()
    begun = whole.memory.copy()
    pads(whole, 0, 60)
    assert "LEAPING" in [name for name, _ in whole.parts]
    for cut in (5, 9, 25, 45):
        again = Run(rig, world)
        again.memory = begun.copy()
        pads(again, 0, cut)
        again.memory = again.memory.copy()
        pads(again, cut, 60)
        assert again.place == whole.place
        assert again.memory.travel == whole.memory.travel
        assert again.memory.state == whole.memory.state


@pytest.mark.parametrize("fps", FPS)
def test_it_jumps_back_and_lands_on_its_feet(rig: Rig, fps: float):
    run = Run(rig, scaled(rig, thin(3.7)), fps).hang().go(0.2)
    run.go(0.1, 0.0, 1.0).frame(Pad(0.0, 1.0, go_up=True)).go(3.0)
    names = [name for name, _ in run.parts]
    assert "JUMPING_OFF" in names
    assert run.memory.capsule.state == "ON_GROUND"
    assert run.place[1] > FACE * size_of(rig) + 1.0


def test_a_hold_rests_the_legs_and_they_stand_again_after_it(rig: Rig):
    run = Run(rig, scaled(rig, wall(TOP))).hang().go(0.5)
    run.frame(Pad(crouch=True)).go(2.5)
    assert run.memory.capsule.state == "ON_GROUND"
    pose = run.character.frame(run.memory, run.inputs, run.world, 1.0 / 60.0)
    feet = [foot for foot in pose.feet if foot.planted]
    assert len(feet) == 2
