"""Vaults and climbs over rocks: blocks, drums and boulders, askew and worn by noise, met at all paces."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import hypot, pi
from random import Random

import bpy
import pytest
from mathutils import Euler, Matrix, Vector, noise
from support.runner import AHEAD, Runner
from support.stage import add_ground
from support.surroundings import stance
from surefoot.addon.scene_world import SceneWorld
from surefoot.core.control.intent import Pad
from surefoot.core.world.surroundings import look

MOVES = {"VAULT": "VAULTING", "CLIMB": "CLIMBING"}
FACE = -2.5
DEEP, FINE = 0.02, 24
SEEDS = 12
"""Most boulders give no hold; two of these do."""


class OnMeshes(Runner):
    """A runner in a scene that stands still."""

    def show(self) -> None:
        """Nothing moves."""


def _skin(shape: Callable[[Vector], Vector]) -> tuple[list[Vector], list[tuple[int, ...]]]:
    """A cube of side 1, its sides in little squares, bent into a shape: places and faces."""
    places: list[Vector] = []
    faces: list[tuple[int, ...]] = []
    shares = [k / FINE - 0.5 for k in range(FINE + 1)]
    for axis, side in product(range(3), (-0.5, 0.5)):
        first = len(places)
        for u, v in product(shares, shares):
            place = [u, v]
            place.insert(axis, side)
            places.append(shape(Vector(place)))
        for i, j in product(range(FINE), range(FINE)):
            corner = first + i * (FINE + 1) + j
            ring = (corner, corner + FINE + 1, corner + FINE + 2, corner + 1)
            faces.append(ring if (side > 0.0) is (axis != 1) else ring[::-1])
    return places, faces


def _round(place: Vector) -> Vector:
    """From a cube to a drum that stands."""
    flat = hypot(place.x, place.y)
    by = max(abs(place.x), abs(place.y)) / flat if flat > 0.0 else 1.0
    return Vector((place.x * by, place.y * by, place.z))


def _ball(place: Vector) -> Vector:
    """From a cube to a ball."""
    return place.normalized() * max(map(abs, place))


SHAPES: dict[str, Callable[[Vector], Vector]] = {"block": Vector, "drum": _round, "boulder": _ball}


def add_rock(seed: int, kind: str, *, thin: bool) -> None:
    """A rock whose near side is about at FACE, hip-high and thin, or a platform: askew, coarse and rough."""
    chance = Random(seed)
    tall = chance.uniform(0.75, 1.05) if thin else chance.uniform(1.1, 1.9)
    deep = chance.uniform(0.2, 0.8) if thin else chance.uniform(1.8, 3.0)
    turn = Euler((chance.uniform(-0.12, 0.12), chance.uniform(-0.12, 0.12), chance.uniform(-0.7, 0.7)))
    high = tall if kind != "boulder" else 2.0 * tall
    size = Matrix.Diagonal((3.0, deep, high, 1.0))
    to_world = Matrix.Translation((0.0, FACE - 0.5 * deep, 0.5 * tall - 0.05)) @ turn.to_matrix().to_4x4() @ size
    if kind == "boulder":
        to_world.translation.z = 0.0
    coarse, rough = chance.uniform(0.03, 0.18), chance.uniform(0.01, 0.05)
    offset = Vector((seed * 7.3, 1.7, 0.4))
    noise.seed_set(1 + seed)  # else it is another rock in every process
    places, faces = _skin(SHAPES[kind])
    worn = []
    for place in places:
        at = to_world @ place
        worn.append(at + coarse * noise.noise_vector(1.3 * at + offset) + rough * noise.noise_vector(5.0 * at + offset))
    mesh = bpy.data.meshes.new("Rock")
    mesh.from_pydata(worn, [], faces)
    bpy.context.collection.objects.link(bpy.data.objects.new("Rock", mesh))


def met(seed: int) -> tuple[OnMeshes, str]:
    """Run at it, and press as soon as it is seen that one can go over or up."""
    bpy.context.view_layer.update()
    world = SceneWorld()
    world.refresh(bpy.context.evaluated_depsgraph_get(), 1)
    runner = OnMeshes(world, speed=(1.4, 3.0, 4.5)[seed % 3])
    said: list[str] = []

    def pad(one: Runner) -> Pad:
        if said or one.capsule.feet[1] > FACE + 1.5:
            return AHEAD
        who = stance(one.capsule.feet, 0.0, one.travel.velocity[:2])
        verdict = look(world, who, "WALK", one.config.surroundings).verdict
        if verdict in MOVES:
            said.append(verdict)
        return AHEAD._replace(go_up=bool(said))

    over = set(MOVES.values())
    runner.go(5.0, pad, until=lambda one: bool(one.moves) and one.memory.state not in over)
    return runner, said[0] if said else ""


def depth(runner: Runner) -> float:
    """How deep the capsule is in something."""
    (x, y, z), radius, height = runner.capsule.feet, runner.movement.radius, runner.capsule.height
    deepest = 0.0
    for k in range(10):
        hit = runner.world.nearest(Vector((x, y, z + radius + (height - 2.0 * radius) * k / 9.0)), 2.0 * radius)
        if hit is not None:
            deepest = max(deepest, radius + hit.distance if hit.back else radius - hit.distance)
    return deepest


@pytest.mark.parametrize("thin", [True, False])
@pytest.mark.parametrize("kind", ["block", "drum", "boulder"])
def test_over_and_up_rocks_it_does_what_it_saw_and_ends_on_its_feet_in_nothing(kind: str, thin: bool):
    done = []
    for seed in range(SEEDS):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        add_ground()
        add_rock(seed, kind, thin=thin)
        runner, verdict = met(seed)
        assert runner.moves == ([MOVES[verdict]] if verdict else []), seed
        assert depth(runner) <= DEEP, seed
        runner.go(0.3)
        assert runner.capsule.state == "ON_GROUND", seed
        assert depth(runner) <= DEEP, seed
        assert abs(runner.travel.place.heading) < pi, seed
        done += runner.moves
    if kind == "block":
        assert len(done) >= 0.9 * SEEDS
    assert done
