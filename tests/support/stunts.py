"""Moves made by hand, with a run before and after, to see and to measure the poses that they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import hypot, pi, sin

from mathutils import Vector
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Place, Travel
from surefoot.core.layers.moves import MovePoser
from surefoot.core.layers.request import Contact, Move
from surefoot.core.move_presets import moves
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.world.extruded import Extruded, Flat

FAR = 1e4
UP = (0.0, 0.0, 1.0)
SIDES = (("L", 1.0), ("R", -1.0))


@dataclass(frozen=True)
class Part:
    """A stretch of a stunt: how long it takes, where the feet are at a share of it, and what of a move is asked then.

    `speed` is along the ground, for the gait, where no move is asked.
    """

    seconds: float
    place: Callable[[float], tuple[float, float, float, float]]
    move: Callable[[float], Move] | None = None
    aloft: bool = False


@dataclass(frozen=True)
class Stunt:
    """Parts one after the other; `boxes` are what is in the way: two corners each."""

    parts: tuple[Part, ...]
    boxes: tuple[tuple[tuple[float, float, float], tuple[float, float, float]], ...] = ()
    world: object = field(default_factory=Flat)


@dataclass
class Shown:
    """One frame."""

    time: float
    part: int
    share: float
    travel: Travel
    ground: Ground
    pose: EditedPose
    move: Move | None


def perform(rig: Rig, stunt: Stunt, fps: float = 60.0, config: CharacterConfig | None = None) -> Iterator[Shown]:
    """All frames of a stunt."""
    character = Character(rig, config or CharacterConfig())
    poser = MovePoser(rig, moves())
    memory = poser.start()
    dt = 1.0 / fps
    x, y, z, heading = stunt.parts[0].place(0.0)
    travel = Travel(Place(x, y, z, heading))
    gait = character.gait.start(travel, stunt.world)
    total = sum(part.seconds for part in stunt.parts)
    frames = round(total * fps)
    for n in range(frames + 1):
        k, share = _part_at(stunt, n * dt)
        part = stunt.parts[k]
        x, y, z, heading = part.place(share)
        before = travel
        moved = (x - before.place.x, y - before.place.y, z - before.place.z)
        velocity = tuple(value / dt for value in moved) if n else (0.0, 0.0, 0.0)
        move = part.move(share) if part.move else None
        aloft = part.aloft or move is not None
        travel = replace(before, place=Place(x, y, z, heading), velocity=velocity, aloft=aloft)

        def predict(seconds: float, at: float = n * dt) -> Place:
            k, share = _part_at(stunt, at + seconds)
            return Place(*stunt.parts[k].place(share))

        if n:
            character.gait.tick(gait, travel, predict, stunt.world, dt, "AUTO")
        base, _ = character.poser.pose(gait, travel, character.gait.pattern_of(gait))
        pose = EditedPose.of_frame(rig.skeleton, base)
        poser.apply(pose, memory, move, base.ground, base.feet, dt if n else 0.0)
        yield Shown(n * dt, k, share, travel, base.ground, pose, move)


def _part_at(stunt: Stunt, time: float) -> tuple[int, float]:
    for k, part in enumerate(stunt.parts):
        if time < part.seconds - 1e-9 or k == len(stunt.parts) - 1:
            return k, min(1.0, time / part.seconds)
        time -= part.seconds
    raise AssertionError


def run(start: float, end: float, speed: float, z: float = 0.0, x: float = 0.0) -> Part:
    """Straight along -Y from one y to another."""
    return Part(abs(end - start) / speed, lambda u: (x, start + (end - start) * u, z, 0.0))


def still(seconds: float, x: float, y: float, z: float) -> Part:
    """In one place."""
    return Part(seconds, lambda _: (x, y, z, 0.0))


def vault(rig: Rig, height: float = 0.95, depth: float = 0.35, speed: float = 4.0, variant: str = "LEFT") -> Stunt:
    """A run over a block: a parabola that clears both its edges."""
    s = rig.leg_length / 0.9
    height, depth, speed = height * s, depth * s, speed * s**0.5
    before, after = 0.8 * s, 0.8 * s
    length = before + depth + after
    top = height + 0.12 * s
    side = {"LEFT": 1.0, "RIGHT": -1.0}.get(variant, 0.0)

    # z = rise * 4 u (1 - u), so that both edges are cleared.
    u = before / length
    rise = top / (4.0 * u * (1.0 - u)) if u < 0.5 else top

    def place(u: float) -> tuple[float, float, float, float]:
        return 0.0, -length * u, rise * 4.0 * u * (1.0 - u), 0.0

    def move(u: float) -> Move:
        weight = 1.0 if 0.3 <= u <= 0.6 else 0.0
        used = [(k, v) for k, v in SIDES if v * side >= 0.0]
        y = -before - min(0.22 * s, 0.5 * depth)
        contacts = tuple(Contact(f"hand.{k}", (0.24 * s * v, y, height), UP, weight) for k, v in used)
        return Move("VAULT", u, variant, height, speed, contacts if weight else ())

    run_up, out = 1.2 * speed, 1.2 * speed
    over = Part(length / (0.9 * speed), place, move)
    parts = (run(run_up, 0.0, speed), over, run(-length, -length - out, 0.9 * speed))
    return Stunt(parts, (((-1.2 * s, -before, 0.0), (1.2 * s, -before - depth, height)),))


def climb(rig: Rig, height: float = 1.2, speed: float = 3.0, seconds: float = 0.0) -> Stunt:
    """A run to a wall and up onto it."""
    s = rig.leg_length / 0.9
    height, speed = height * s, speed * s**0.5
    near, onto, high = 0.40 * s, 0.45 * s, height >= 1.6 * s
    seconds = (seconds or (1.2 if high else 0.9)) * s**0.5

    def place(u: float) -> tuple[float, float, float, float]:
        up = min(1.0, u / 0.6)
        over = max(0.0, (u - 0.55) / 0.45)
        rise = up * up * (3.0 - 2.0 * up)
        return 0.0, -(near + onto) * (over * over * (3.0 - 2.0 * over)), height * rise, 0.0

    def move(u: float) -> Move:
        weight = 1.0 if u < 0.72 else 0.0
        contacts = tuple(Contact(f"hand.{k}", (0.2 * s * v, -near, height), UP, weight) for k, v in SIDES)
        foot = min(1.0, max(0.0, (u - 0.5) / 0.1)) * min(1.0, max(0.0, (0.92 - u) / 0.1))
        step = Contact("foot.R", (-0.1 * s, -near - 0.2 * s, height), UP, foot, (0.0, -1.0, 0.0))
        shown = (*(contacts if weight else ()), *((step,) if foot else ()))
        return Move("CLIMB", u, "HIGH" if high else "LOW", height, speed, shown)

    end = near + onto
    world = Extruded([(-FAR, 0.0, near, 0.0), (near, 0.0, near, height), (near, height, FAR, height)])
    parts = (run(1.5 * speed, 0.0, speed), Part(seconds, place, move), still(1.0, 0.0, -end, height))
    return Stunt(parts, (((-1.2 * s, -near, 0.0), (1.2 * s, -near - 1.5 * s, height)),), world)


def hang(rig: Rig, seconds: float = 1.5, *, feet: bool = True) -> Stunt:
    """A jump to an edge, a pull-in, hanging, a shimmy to the left and a climb up."""
    s, t = rig.leg_length / 0.9, (rig.leg_length / 0.9) ** 0.5
    height, near, low = 3.0 * s, 0.37 * s, 2.05 * s
    speed, way = 1.1 * s / t, 1.1 * s

    def contacts(x: float, *, feet: bool) -> tuple[Contact, ...]:
        hands = tuple(Contact(f"hand.{k}", (x + 0.2 * s * v, -near, height), UP) for k, v in SIDES)
        soles = tuple(
            Contact(f"foot.{k}", (x + 0.12 * s * v, -near, height - down * s), (0.0, 1.0, 0.0))
            for k, v, down in (("L", 1, 1.62), ("R", -1, 1.78))
        )
        return (*hands, *(soles if feet else ()))

    def jump(u: float) -> tuple[float, float, float, float]:
        return 0.0, 0.6 * s * (1.0 - u), (height - low + 0.1 * s) * (1.0 - (1.0 - u) ** 2), 0.0

    def pull(u: float) -> tuple[float, float, float, float]:
        return 0.0, 0.0, height - low + 0.1 * s * (1.0 - u), 0.0

    def stay(u: float) -> tuple[float, float, float, float]:
        return 0.0, 0.0, height - low, 0.0

    def aside(u: float) -> tuple[float, float, float, float]:
        return way * u, 0.0, height - low, 0.0

    def shimmy(u: float) -> Move:
        phase = (u * way / (0.55 * s)) % 1.0
        return Move("SHIMMY", phase, "LEFT", 0.0, speed, contacts(way * u, feet=feet))

    parts = (
        still(0.3, 0.0, 0.6 * s, 0.0),
        Part(0.35 * t, jump, aloft=True),
        Part(0.15 * t, pull, lambda u: Move("PULL_IN", u, "", 0.0, 0.0, contacts(0.0, feet=False))),
        Part(seconds, stay, lambda u: Move("HANG", u, "", 0.0, 0.0, contacts(0.0, feet=feet))),
        Part(way / speed, aside, shimmy),
        replace(still(0.8, way, 0.0, height - low), move=lambda u: Move("HANG", u, contacts=contacts(way, feet=feet))),
    )
    return Stunt(parts, (((-1.6 * s, -near, 0.0), (2.6 * s, -near - 0.6 * s, height)),))


def wall_run(rig: Rig, speed: float = 5.5, variant: str = "LEFT") -> Stunt:
    """A jump beside a wall, a run along it, and down again. LEFT: the wall is to the left (+X)."""
    s, t = rig.leg_length / 0.9, (rig.leg_length / 0.9) ** 0.5
    speed, side = speed * t, 1.0 if variant == "LEFT" else -1.0
    stride = 2.4 * s

    def arc(u: float) -> tuple[float, float, float, float]:
        time = 1.1 * t * u
        return 0.0, -0.3 * speed * t - speed * time, 0.4 * s + 3.6 * s / t * time - 3.5 * s / t / t * time * time, 0.0

    def rise(u: float) -> tuple[float, float, float, float]:
        return 0.0, -0.3 * speed * t * u, 0.4 * s * u * (2.0 - u), 0.0

    end = arc(1.0)

    def fall(u: float) -> tuple[float, float, float, float]:
        return 0.0, end[1] - speed * 0.12 * u, end[2] * (1.0 - u), 0.0

    parts = (
        run(1.2 * speed, 0.0, speed),
        Part(0.3 * t, rise, aloft=True),
        Part(1.1 * t, arc, lambda u: Move("WALL_RUN", (speed * 1.1 * t * u / stride) % 1.0, variant, 0.0, speed)),
        Part(0.12, fall, aloft=True),
        run(end[1] - speed * 0.12, end[1] - speed * 1.2, speed),
    )
    wall = 0.42 * s * side
    return Stunt(parts, (((wall, 2.0, 0.0), (wall + 0.5 * side, end[1] - 2.0, 4.0 * s)),))


def along(name: str, rig: Rig, seconds: float, speed: float, rise: float = 0.0, variant: str = "") -> Stunt:
    """A move on the way, over nothing: a slide, a roll (from a fall), a leap."""
    s, t = rig.leg_length / 0.9, (rig.leg_length / 0.9) ** 0.5
    speed, seconds = speed * s / t, seconds * t
    length = speed * seconds

    def place(u: float) -> tuple[float, float, float, float]:
        return 0.0, -length * u, rise * s * sin(pi * u), 0.0

    parts = (
        run(1.2 * speed, 0.0, speed),
        Part(seconds, place, lambda u: Move(name, u, variant, 0.0, speed)),
        run(-length, -length - speed, speed),
    )
    return Stunt(parts)


def distance(a: Vector, b: Vector) -> float:
    """Metres."""
    return hypot(*(a - b))
