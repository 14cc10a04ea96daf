"""A walking capsule that is told something new every moment, over meshes of a scene, and what became of it."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random
from typing import NamedTuple

import bpy
import numpy as np
from support.mesh_judge import Judge
from support.obstacle_field import SIZE, Thing, ground_height
from surefoot.addon.scene_world import SceneWorld
from surefoot.core.control.capsule import move, put
from surefoot.core.control.capsule_memory import Wish
from surefoot.core.control.movement import MovementConfig
from surefoot.core.world.world import World

SECONDS = 20.0
RATES = (24, 30, 60, 120)
SPEEDS = (0.7, 1.4, 1.4, 3.0, 6.0, 9.0)
PARTS = 4
"""Ways are measured so many times a second: who shivers on the spot gets nowhere."""
CHUNK = 24
UNDER = 0.4
"""So far under the ground nobody gets whom it holds, metres."""


class Walked(NamedTuple):
    """`end` and `worst`: how deep it stood in something at the end, and at the worst of the moments looked at, metres.

    `inside` names what is wrong with where it ended, `crossed` counts ticks in which its axis went through a face,
    `share` is its way against that of the same wishes with nothing in the way.
    """

    end: float
    worst: float
    inside: str
    crossed: int
    share: float


def add_things(things: list[Thing]) -> SceneWorld:
    """The scene with these meshes, as characters ask it."""
    for thing in things:
        mesh = bpy.data.meshes.new(thing.kind)
        mesh.from_pydata(thing.corners.tolist(), [], thing.faces.tolist())
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(thing.kind, mesh))
    bpy.context.view_layer.update()
    made = SceneWorld()
    made.refresh(bpy.context.evaluated_depsgraph_get(), 1)
    return made


def wishes(seed: int, rate: int) -> list[Wish]:
    """What it is told in 20 seconds: new directions, speeds, jumps, crouches, at times nothing."""
    chance, found = Random(seed), []
    heading = chance.uniform(0.0, 2.0 * pi)
    while len(found) < SECONDS * rate:
        heading += pi if chance.random() < 0.1 else chance.gauss(0.0, 1.2)
        speed = 0.0 if chance.random() < 0.05 else chance.choice(SPEEDS)
        crouch = chance.random() < 0.2
        velocity = (speed * cos(heading), speed * sin(heading))
        for k in range(max(1, round(chance.uniform(0.1, 1.5) * rate))):
            found.append(Wish(velocity, jump=k == 0 and chance.random() < 0.3, crouch=crouch))
    return found[: round(SECONDS * rate)]


def free_way(world: World, told: list[Wish], config: MovementConfig, rate: int) -> float:
    """How far the same wishes bring it where nothing is in the way."""
    return _walk(world, told, config, rate, None)[0]


def walk(world: World, judge: Judge, seed: int, config: MovementConfig, plane: World) -> Walked:
    """One random walk of 20 seconds from the middle of a field; `plane` is empty ground."""
    rate = RATES[seed % len(RATES)]
    told = wishes(seed, rate)
    way, places = _walk(world, told, config, rate, judge)
    depths = [judge.depth(feet, height, config.radius) for feet, height in places[:: max(1, rate // 8)]]
    feet, height = places[-1]
    end = judge.depth(feet, height, config.radius)
    crossed = sum(_crossings(judge, places[k : k + CHUNK + 1], config.radius) for k in range(0, len(places), CHUNK))
    share = way / max(free_way(plane, told, config, rate), 1e-9)
    return Walked(end, max(*depths, end), _wrong(judge, feet, height, config), crossed, share)


def _walk(
    world: World, told: list[Wish], config: MovementConfig, rate: int, judge: Judge | None
) -> tuple[float, list[tuple[tuple[float, float, float], float]]]:
    memory, way, places = put((0.0, 0.0, 0.05), config, world), 0.0, []
    last = memory.feet
    for number, wish in enumerate(told):
        move(memory, wish, config, world, 1.0 / rate)
        places.append((memory.feet, memory.height))
        if (number + 1) % (rate // PARTS) == 0:
            way += hypot(memory.feet[0] - last[0], memory.feet[1] - last[1])
            last = memory.feet
    return way, places


def _crossings(judge: Judge, places: list[tuple[tuple[float, float, float], float]], radius: float) -> int:
    """In how many of these ticks a point of the axis went through a face."""
    spots = np.array([feet for feet, _ in places])
    tallest = max(height for _, height in places)
    near = judge.part(spots.min(axis=0), spots.max(axis=0) + (0.0, 0.0, tallest))
    return sum(_crosses(near, a, b, radius) for a, b in zip(places, places[1:], strict=False))


def _crosses(judge: Judge, before, after, radius: float) -> bool:
    """True where a point of the axis went through a face."""
    (x, y, z), tall = before
    (u, v, w), now = after
    low, high = ((x, y, z + radius), (u, v, w + radius)), ((x, y, z + tall - radius), (u, v, w + now - radius))
    return any(start != end and judge.is_crossed(start, end) for start, end in (low, high))


def _wrong(judge: Judge, feet: tuple[float, float, float], height: float, config: MovementConfig) -> str:
    """What is wrong with where it is: within something closed, out of the field, under the ground."""
    x, y, z = feet
    if max(abs(x), abs(y)) > SIZE:
        return "outside"
    if z < ground_height(x, y) - UNDER:
        return "under the ground"
    middles = (z + config.radius, z + 0.5 * height, z + height - config.radius)
    return "enclosed" if any(judge.is_enclosed((x, y, level)) for level in middles) else ""
