"""Every move of a person that reads the level, driven by a script, and what its changes of state do to bones.

A change is a frame that shows another state than the one before, another part of it, or another move of it. Judged are
the turns of all bones, over their parents and in the world, into that frame and out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector
from support.extension import ROOT
from support.level_runs import Acted, Boxes, Scene, act, ahead, climbing, hanging, vaulting
from support.rigs import person_skeleton
from surefoot.core.control.intent import NO_PAD, Pad
from surefoot.core.layers.moves_limbs import Limbs
from surefoot.core.layers.request import Contact
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.space.inertialization import rotation_offset

FPS = 60.0
STILL = (Quaternion(), Quaternion())
TOP = 3.7
INTO, LEFT, RIGHT, BACK = (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0)
Presses = Callable[[str, int, float], Pad]
"""What is pressed in a hang: by the state, how many frames it has hung by now, and the feet's height."""


class Change(NamedTuple):
    """A change of state at a frame: between what, and the largest step of a bone's angular velocity (rad/s)."""

    frame: int
    before: str
    after: str
    step: float
    bone: str


@cache
def person() -> Rig:
    """Somebody with arms."""
    return understand(person_skeleton(), read_conventions(ROOT / "presets" / "rigs")).rig


def hung(boxes: Boxes, presses: Presses, seconds: float = 4.5, at: float = 1.2) -> Scene:
    """A jump at the first box, two metres ahead, and what is pressed once it hangs there."""
    since = {"hung": 0}

    def script(memory, y: float) -> Pad:
        state = "" if memory.state is None else memory.state.state
        if not since["hung"] and state != "HANGING":
            return Pad(*INTO, jump=y > at)
        since["hung"] += 1
        return presses(state, since["hung"], memory.capsule.feet[2])

    return Scene(boxes, script, 3.0, seconds)


def wall(left: float = 3.0, right: float = -3.0, top: float = TOP, face: float = -2.0, deep: float = 4.0) -> tuple:
    """A box with its face towards the body, from one x to another."""
    return (right, face - deep, 0.0), (left, face, top)


def beside(at: float) -> tuple:
    """A box with its face towards the body from its side, so far to the left (negative: to the right)."""
    return ((at, -3.0, 0.0), (at + 1.8, 2.5, TOP)) if at > 0.0 else ((at - 1.8, -3.0, 0.0), (at, 2.5, TOP))


def pressing(way: tuple[float, float], at: int = 40, **pressed: bool) -> Presses:
    """Something pressed for a moment, a while after the edge was caught; the way stays."""
    return lambda _, n, __: Pad(*way, **pressed) if at <= n < at + 3 else Pad(*way) if n >= at else NO_PAD


def shimmying(way: tuple[float, float], since: int = 40, until: int = 130) -> Presses:
    """Along the edge for a while, and at rest again."""
    return lambda _, n, __: Pad(*way) if since <= n < until else NO_PAD


def walled(
    presses: Callable[[float, str], Pad], speed: float = 6.0, seconds: float = 3.5, length: float = 30.0
) -> Scene:
    """A run along a wall to the left; what is pressed by how far it came and its state."""

    def script(memory, y: float) -> Pad:
        return presses(y, "" if memory.state is None else memory.state.state)

    return Scene((((0.55, -length, 0.0), (1.2, 1.0, 5.0)),), script, speed, seconds)


def wall_jumping() -> Scene:
    """A run along a wall and a jump off it."""
    since = {"runs": 0}

    def presses(y: float, state: str) -> Pad:
        since["runs"] += state == "WALL_RUNNING"
        return ahead(jump=3.0 < y < 4.0, sprint=True, go_up=since["runs"] > 30)

    return walled(presses)


def dropping_off() -> Scene:
    """A run along a wall that is let go of."""
    since = {"runs": 0}

    def presses(y: float, state: str) -> Pad:
        since["runs"] += state == "WALL_RUNNING"
        return NO_PAD if since["runs"] > 25 else ahead(jump=3.0 < y < 4.0, sprint=True)

    return walled(presses)


def sliding(bar: bool) -> Scene:
    """A slide at a run, under a bar or over nothing."""
    boxes = (((-2.0, -5.3, 1.0), (2.0, -5.0, 2.2)),) if bar else ()
    return Scene(boxes, lambda _, y: ahead(crouch=not bar and 3.0 < y < 3.3, go_up=bar and 4.35 < y < 4.6), 4.0, 3.0)


def falling_off(height: float, speed: float = 4.0) -> Scene:
    """A run off a block, on whose top the body begins."""
    boxes = (((-3.0, -4.0, 0.0), (3.0, 3.0, height)),)
    return Scene(boxes, lambda *_: ahead(), speed, 3.2, height)


def jumping(speed: float) -> Scene:
    """A jump on the way."""
    return Scene((), lambda _, y: ahead(jump=y > 1.0), speed, 2.0)


SCENES: dict[str, Callable[[], Scene]] = {
    "a vault from a walk": lambda: vaulting(speed=1.6),
    "a vault from a run": lambda: vaulting(speed=4.0),
    "a vault from a sprint": lambda: vaulting(speed=5.5),
    "a vault over a low fence": lambda: vaulting(0.7, 0.2, 3.0),
    "a vault over a wide block": lambda: vaulting(0.9, 0.8),
    "a low climb from a walk": lambda: climbing(1.2, 1.6),
    "a low climb from a run": lambda: climbing(1.2, 4.0),
    "a high climb from a walk": lambda: climbing(1.7, 1.6),
    "a high climb from a run": lambda: climbing(2.0, 4.0),
    "a hang, a shimmy, a climb up": hanging,
    "a hang from a run": lambda: hung((wall(),), lambda *_: NO_PAD, 2.5, 0.9),
    "a hang from a lower edge": lambda: hung((wall(top=3.2),), lambda *_: NO_PAD, 2.5),
    "a shimmy to the right": lambda: hung((wall(),), shimmying(RIGHT)),
    "a shimmy to an end": lambda: hung((wall(left=0.8), wall(3.0, 0.8, TOP + 0.5)), shimmying(LEFT, 40, 130)),
    "around a narrow pillar": lambda: hung((wall(left=0.8, right=-0.6),), shimmying(LEFT, 40, 200)),
    "around an outside corner": lambda: hung((wall(left=0.9),), shimmying(LEFT, 40, 170)),
    "around an outside corner to the right": lambda: hung((wall(right=-0.9),), shimmying(RIGHT, 40, 170)),
    "around an outside corner that comes later": lambda: hung((wall(left=1.1),), shimmying(LEFT, 40, 200), 5.0),
    "around an outside corner that comes soon": lambda: hung((wall(left=0.7),), shimmying(LEFT, 40, 170)),
    "into an inside corner": lambda: hung((wall(), beside(1.2)), shimmying(LEFT, 40, 170)),
    "into an inside corner that comes soon": lambda: hung((wall(), beside(1.15)), shimmying(LEFT, 40, 170)),
    "into an inside corner that comes later": lambda: hung((wall(), beside(1.4)), shimmying(LEFT, 40, 200), 5.0),
    "into an inside corner to the right": lambda: hung((wall(), beside(-1.3)), shimmying(RIGHT, 40, 200), 5.0),
    "a leap to the left": lambda: hung((wall(0.6, -2.0), wall(3.6, 1.7, TOP + 0.4)), pressing(LEFT, go_up=True), 2.4),
    "a leap to the right and down": lambda: hung(
        (wall(2.0, -0.6), wall(-1.8, -3.6, TOP - 0.6)), pressing(RIGHT, go_up=True), 2.4
    ),
    "a leap up": lambda: hung(
        (wall(deep=0.1), ((-3.0, -2.3, TOP + 0.8), (3.0, -2.0, TOP + 1.0))), pressing(INTO, go_up=True)
    ),
    "a jump back": lambda: hung((wall(),), pressing(BACK, go_up=True)),
    "an edge that is let go of": lambda: hung((wall(),), pressing((0.0, 0.0), crouch=True)),
    "a run along a wall to its time's end": lambda: walled(lambda y, _: ahead(jump=3.0 < y < 4.0, sprint=True)),
    "a run along a wall to its end": lambda: walled(lambda y, _: ahead(jump=3.0 < y < 4.0, sprint=True), length=8.0),
    "a run along a wall that is dropped off": dropping_off,
    "a wall jump": wall_jumping,
    "a slide under a bar": lambda: sliding(True),
    "a jump at a bar": lambda: Scene(
        (((-2.0, -5.3, 1.0), (2.0, -5.0, 2.2)),), lambda _, y: ahead(jump=4.2 < y < 4.4), 4.0, 3.0
    ),
    "a slide over nothing": lambda: sliding(False),
    "a roll": lambda: falling_off(3.0),
    "a landing from a block": lambda: falling_off(1.5),
    "a jump at a run": lambda: jumping(4.0),
}


@cache
def acted(name: str) -> tuple[Acted, ...]:
    """All frames of a scene."""
    return tuple(act(person(), SCENES[name](), FPS))


def shown_as(shown: Acted) -> str:
    """What a frame shows: its state, the part of it, and the move. In the air a body may reach for an edge and think
    better of it: that is no other state.
    """
    state, move = shown.memory.state, shown.request.move
    if state is None:
        return ""
    part = state.step if state.state == "HANGING" else ""
    name = "" if move is None or state.state == "AIRBORNE" else move.name
    return " ".join(filter(None, (state.state, part, name)))


def spins(frames: Sequence[Acted], k: int) -> list[Vector]:
    """How fast each bone turns from a frame to the next (rad/s): over its parent, then in the world.

    What the body hangs on is the character as a whole, which turns as it may.
    """
    one, two = frames[k], frames[k + 1]
    before, after = (world_of(shown).to_quaternion() for shown in (one, two))
    rig = person()
    whole = set(rig.skeleton.ancestors(rig.body))
    pairs = enumerate(zip(one.pose.rotations, two.pose.rotations, strict=True))
    over = [STILL if i in whole or i == rig.body else pair for i, pair in pairs]
    world = [STILL if i in whole else (before @ one.pose.turn(i), after @ two.pose.turn(i)) for i in range(len(over))]
    return [Vector(rotation_offset(b, a)) * FPS for a, b in over + world]


def world_of(shown: Acted) -> Matrix:
    """Where model space stands in the world."""
    ground = shown.frame.ground
    return Matrix.Translation(ground[:3]) @ Matrix.Rotation(ground.heading, 4, "Z")


def changes(name: str) -> Iterator[Change]:
    """All changes of a scene."""
    frames = acted(name)
    names = [bone.name for bone in person().skeleton.bones]
    for k in range(2, len(frames) - 2):
        if shown_as(frames[k]) == shown_as(frames[k - 1]):
            continue
        worst = (0.0, "")
        for at in (k - 1, k):
            pairs = zip(spins(frames, at - 1), spins(frames, at), strict=True)
            steps = [((b - a).length, i) for i, (a, b) in enumerate(pairs)]
            step, i = max(steps)
            where = " in the world" if i >= len(names) else ""
            worst = max(worst, (step, f"{names[i % len(names)]}{where} {at - k:+d}"))
        yield Change(k, shown_as(frames[k - 1]), shown_as(frames[k]), *worst)


def rims(name: str) -> list[tuple[Vector, Vector]]:
    """The edges round the tops of a scene's boxes."""
    size, found = person().leg_length / 0.9, []
    for low, high in SCENES[name]().boxes:
        (x, y, _), (u, v, z) = ([value * size for value in corner] for corner in (low, high))
        around = [Vector((a, b, z)) for a, b in ((x, y), (u, y), (u, v), (x, v))]
        found += list(zip(around, around[1:] + around[:1], strict=True))
    return found


def off_edge(place: Vector, edges: Sequence[tuple[Vector, Vector]]) -> float:
    """How far a place is from the nearest of some edges (metres)."""
    gaps = []
    for a, b in edges:
        way = b - a
        share = min(1.0, max(0.0, (place - a).dot(way) / way.dot(way)))
        gaps.append((a + way * share - place).length)
    return min(gaps)


def held(name: str) -> Iterator[tuple[int, Acted, Contact, Vector]]:
    """Of every frame, all that a move has limbs touch, and where those are."""
    limbs = Limbs(person()).known
    for k, shown in enumerate(acted(name)):
        for contact in () if shown.request.move is None else shown.request.move.contacts:
            yield k, shown, contact, world_of(shown) @ limbs[contact.limb].place(shown.pose)
