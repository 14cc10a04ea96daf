"""What holds for every Memory: plain data that copies itself, stays bounded, and is all there is to go back to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from mathutils import Quaternion, Vector
from support.extension import ROOT
from support.falling import Faller, laid, row
from support.following import poses_of
from support.performers import clip_of
from support.rigs import dog_skeleton, person_skeleton, snake_skeleton, spider_skeleton
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.fall_row import Blow
from surefoot.core.control.intent import AgentWish, Inputs, Pad, Place, Spot
from surefoot.core.from_rig import SourceRig
from surefoot.core.motion.clip_pose import clip_poses
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block
from surefoot.core.world.solids import Hills

SKELETONS = {"person": person_skeleton, "dog": dog_skeleton, "spider": spider_skeleton, "snake": snake_skeleton}
PLAIN = (bool, int, float, str, type(None))
NUMBERS = (Vector, Quaternion, np.ndarray)
DT = 1.0 / 60.0
AHEAD = Inputs(speed=1.2)
# What a body of any number of legs knows of its flights and landings, and how low it carries its chest.
BODY = 5
# What a body that reads the level knows of its state, and of the poses of its moves.
READS = 150
# What an autopilot knows of its way: twelve legs of seven values, six moves that failed of five, and where it is.
PILOT = 12 * 7 + 6 * 5 + 20
# What is known of a hit, a push, four flinches, a look; the solids of a body that lies, eight values each; or how it
# lay and what it pushes itself up with, four values a bone, six a point of its floor, nine a hold.
HIT = 80
SOLID, BONE, RISE = 8, 4, 700


@dataclasses.dataclass
class Walker:
    """A character on hills with its memory."""

    character: Character
    world: Any
    memory: Memory | None
    inputs: tuple[Inputs, ...] = (AHEAD,)

    def walk(self, ticks: int, memory: Memory | None = None) -> None:
        """Tick on."""
        memory = memory or self.memory
        for _ in range(ticks):
            self.character.tick(memory, self.inputs[memory.ticks % len(self.inputs)], self.world, DT)


@pytest.fixture(params=[*SKELETONS, "parkour", "autopilot", "clip", "rig", "agent", "hit", "fallen", "rising"])
def walker(request: pytest.FixtureRequest) -> Walker:
    """One second into its walk, into the clip that it plays or another rig does that it follows, or into what an agent
    lets it do.
    """
    config = CharacterConfig()
    skeleton = SKELETONS.get("dog" if request.param == "agent" else request.param, person_skeleton)()
    rig = understand(skeleton, read_conventions(ROOT / "presets" / "rigs")).rig
    if request.param == "clip":
        config = CharacterConfig(base="CLIP", clip_poses=clip_poses(clip_of("person")))
    if request.param == "rig":
        config = CharacterConfig(base="RIG", source_rig=SourceRig(clip_of("person").rig, "person"))
        poses = poses_of(clip_of("person"))
        started = Walker(Character(rig, config), Hills(), None, tuple(Inputs(source=pose) for pose in poses))
        started.memory = started.character.start(Place(0.0, 0.0, 0.0, 0.0), started.inputs[0], started.world)
        started.walk(60)
        return started
    inputs = (AHEAD,)
    if request.param == "agent":
        config = CharacterConfig(director="AGENT")
        inputs = (Inputs(agent=AgentWish(activity="EAT", look=Spot(1.0, -2.0, 1.0))),)
    if request.param in ("hit", "fallen", "rising"):
        return _felled(request.param)
    if request.param == "parkour":
        return _in_a_level(rig)
    if request.param == "autopilot":
        return _on_its_way(rig)
    character, world = Character(rig, config), Hills()
    started = Walker(character, world, character.start(Place(0.0, 0.0, 0.0, 0.0), inputs[0], world), inputs)
    started.walk(60)
    return started


def _felled(how: str) -> Walker:
    """A body that is hit again and again, one that lies, one that is always getting up."""
    faller = Faller("person", Inputs(speed=1.2))
    faller.wait(0.5)
    rows = [None] if how == "hit" else [row("FALLEN", laid(faller.bodies()))]
    rows += [row("GETTING_UP")] * 30 if how == "rising" else []
    hits = (Blow((1.0, 0.5, 0.0)), Blow((0.5, 0.5, 0.0), "head"), Blow((0.5, 0.5, 0.0), "hand.L"))
    hits = hits if how == "hit" else ()
    inputs = tuple(replace(AHEAD, fall=each, hits=hits) for each in rows)
    started = Walker(faller.character, faller.world, faller.memory, inputs)
    started.walk(60)
    return started


def _in_a_level(rig: Rig) -> Walker:
    """A body that reads the level, in the middle of a vault."""
    config = CharacterConfig(body="CAPSULE", director="INPUT", parkour=True)
    character, world = Character(rig, config), Union(Flat(), Block((-2.0, -0.7, -1.0), (2.0, -0.6, 0.9)))
    pads = (Pad(0.0, -1.0), Pad(0.0, -1.0, go_up=True))
    inputs = tuple(Inputs(speed=1.2, pad=pad) for pad in (*[pads[0]] * 8, *[pads[1]] * 8))
    started = Walker(character, world, character.start(Place(0.0, 0.0, 0.0, 0.0), inputs[0], world), inputs)
    started.walk(30)
    assert started.memory is not None
    assert started.memory.state is not None
    assert started.memory.state.state == "VAULTING"
    return started


def _on_its_way(rig: Rig) -> Walker:
    """A body on a way of many legs that it has found, around walls."""
    config = CharacterConfig(body="CAPSULE", director="AUTOPILOT", parkour=True)
    character = Character(rig, config)
    walls = [
        Block((3.0 * side - 4.0, -3.0 * k - 2.3, -1.0), (3.0 * side + 4.0, -3.0 * k - 2.0, 9.0))
        for k, side in enumerate((-1.0, 1.0, -1.0, 1.0, -1.0, 1.0))
    ]
    world = Union(Block((-8.0, -24.0, -1.0), (8.0, 2.0, 0.0)), *walls)
    inputs = (Inputs(speed=2.0, target=Place(0.0, -22.0, 0.0, 0.0)),)
    started = Walker(character, world, character.start(Place(0.0, 0.0, 0.0, 0.0), inputs[0], world), inputs)
    started.walk(120)
    assert started.memory is not None
    assert started.memory.pilot is not None
    assert len(started.memory.pilot.legs) > 5
    return started


def leaves(value: Any, place: str = "memory") -> Iterator[tuple[str, Any]]:
    """Everything in a memory that is not a container, with its place."""
    if dataclasses.is_dataclass(value):
        for item in dataclasses.fields(value):
            yield from leaves(getattr(value, item.name), f"{place}.{item.name}")
    elif isinstance(value, tuple | list):
        for i, item in enumerate(value):
            yield from leaves(item, f"{place}[{i}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{place}[{key!r}]")
    else:
        yield place, value


def containers(value: Any) -> Iterator[Any]:
    """Everything in a memory that could be changed in place."""
    if isinstance(value, list | dict | np.ndarray | Vector | Quaternion):
        yield value
    if dataclasses.is_dataclass(value):
        if not value.__dataclass_params__.frozen:
            yield value
        value = [getattr(value, item.name) for item in dataclasses.fields(value)]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        for item in value:
            yield from containers(item)


def test_it_holds_plain_numbers_text_and_vectors_alone(walker: Walker):
    strange = [(place, value) for place, value in leaves(walker.memory) if not isinstance(value, PLAIN + NUMBERS)]
    assert strange == []


def test_what_adds_up_is_kept_in_double_precision(walker: Walker):
    place = walker.memory.travel.place
    assert [type(number) for number in place] == [float] * 4


def test_a_copy_equals_the_original(walker: Walker):
    assert repr(walker.memory.copy()) == repr(walker.memory)


def test_a_copy_shares_nothing_that_can_be_changed(walker: Walker):
    original = {id(item) for item in containers(walker.memory)}
    assert [item for item in containers(walker.memory.copy()) if id(item) in original] == []


def test_a_copy_stays_as_it_was_while_the_original_walks_on(walker: Walker):
    kept = walker.memory.copy()
    before = repr(kept)
    walker.walk(60)
    assert repr(kept) == before
    assert repr(walker.memory) != before


def test_walking_on_from_a_copy_gives_the_same_to_the_bit(walker: Walker):
    kept = walker.memory.copy()
    walker.walk(90)
    walker.walk(90, kept)
    assert repr(kept) == repr(walker.memory)


def test_posing_changes_nothing_in_it(walker: Walker):
    before = repr(walker.memory)
    walker.character.pose(walker.memory, walker.inputs[0])
    assert repr(walker.memory) == before


@pytest.mark.parametrize("ticks", [0, 1500])
def test_it_is_at_most_ninety_values_a_foot_or_a_track_of_the_body_s_length_always(walker: Walker, ticks: int):
    walker.walk(ticks)
    most = 0
    for _ in range(20):
        walker.walk(7)
        sizes = [len(value) if isinstance(value, NUMBERS) else 1 for _, value in leaves(walker.memory)]
        most = max(most, sum(sizes))
    track = 0 if walker.character.rig.long_body is None else 130 * 6
    reads = 0 if walker.memory.state is None else READS
    reads += 0 if walker.memory.pilot is None else PILOT
    fall = walker.memory.fall
    if fall is not None:
        solids = 0 if fall.rise is not None else SOLID * len(walker.character.falling.plan.bodies)
        reads += HIT + solids + (0 if fall.rise is None else RISE + BONE * len(walker.character.rig.skeleton))
    # Three more say whether there are poses of moves to remember, a way, and a fall.
    assert most <= 90 * (len(walker.character.rig.legs) + 1) + BODY + track + 3 + reads
