"""A scene of our own with a rigid body world in it, made for one run of physics and gone after it.

Nobody sees it and nothing of the user's is linked into it: Blender crashes or lies where bodies and constraints are
changed while they are simulated in a scene that somebody plays. What is done to it, stepping included, is done in a
context of its own, since Blender marks the cache of the context's scene as out of date.

Physics works at the size of a person, whatever the size of the character (`Scaled`): joints and contacts have lengths
and speeds built in. Gravity grows alike, so that time stays the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from typing import NamedTuple

import bpy
from bpy.types import Depsgraph, Object, Scene
from mathutils import Vector

from ..core.space.rigid import Triple
from .changes import Walk

NAME = ".Surefoot Physics"
RATE = 120.0
SUBSTEPS, MOST_SUBSTEPS = 2, 20
ITERATIONS = 50
EARTH = 9.81
HUMAN, HUMAN_MASS = 1.75, 75.0
END = 100_000


class Scaled(NamedTuple):
    """The world in the private scene: lengths times `length`, masses times `mass`, its `origin` (metres) at zero."""

    length: float
    mass: float
    origin: Triple

    def into(self, place: Sequence[float]) -> Vector:
        """A place of the world in the private scene."""
        s, (x, y, z) = self.length, self.origin
        return Vector(((place[0] - x) * s, (place[1] - y) * s, (place[2] - z) * s))

    def out(self, x: float, y: float, z: float) -> Triple:
        """A place of the private scene in the world."""
        s, (a, b, c) = self.length, self.origin
        return x / s + a, y / s + b, z / s + c


class PhysicsScene:
    """The private scene: entered it is there and empty, left it is gone with all that was made for it.

    `steps` of `dt` seconds make one frame of the user's.
    """

    def __init__(self, fps: float, gravity: Triple, length: float) -> None:
        """Gravity in metres a second squared; `length` is what lengths are multiplied by."""
        self.steps = max(1, round(RATE / fps))
        self.dt = 1.0 / (fps * self.steps)
        self._fps = fps
        self.gravity = Vector(gravity) * length
        self._names: tuple[str, ...] = ()
        self._constraints: list[Object] = []
        self._objects: list[Object] = []

    def __enter__(self) -> PhysicsScene:
        scene = self._scene = bpy.data.scenes.new(NAME)
        try:
            self._prepare(scene)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """In this order: Blender crashes, or takes a body out of the user's world, where it is another."""
        scene = self._scene
        homes = [self.bodies, self.links] if scene.rigidbody_world is not None else []
        with self.context():
            if scene.rigidbody_world is not None:
                self._release()
                bpy.ops.rigidbody.world_remove()
        meshes = [obj.data for obj in self._objects if obj.data is not None]
        bpy.data.scenes.remove(scene)
        bpy.data.batch_remove(self._objects)
        bpy.data.batch_remove([mesh for mesh in meshes if mesh.users == 0])
        bpy.data.batch_remove(homes)

    def _prepare(self, scene: Scene) -> None:
        whole = max(1, round(self._fps))
        scene.render.fps, scene.render.fps_base = whole * self.steps, whole / self._fps
        scene.frame_start = 0
        with self.context():
            bpy.ops.rigidbody.world_add()
            # Without this nothing ever steps: it makes the scene's evaluation the active one.
            bpy.context.evaluated_depsgraph_get()
            world = scene.rigidbody_world
            self.bodies = world.collection = bpy.data.collections.new(f"{NAME} Bodies")
            self.links = world.constraints = bpy.data.collections.new(f"{NAME} Links")
            scene.collection.children.link(world.collection)
            scene.collection.children.link(world.constraints)
            world.point_cache.frame_start, world.point_cache.frame_end = 0, END
            # What is heavier for its size falls farther in a step.
            hurry = sqrt(max(1.0, self.gravity.length / EARTH))
            world.substeps_per_frame = min(MOST_SUBSTEPS, round(SUBSTEPS * hurry))
            world.solver_iterations = ITERATIONS
            scene.use_gravity, scene.gravity = True, self.gravity
            scene.frame_set(0)

    @contextmanager
    def context(self) -> Iterator[None]:
        """In here Blender's context is the private scene, and our own handlers stand aside."""
        outer, Walk.busy = Walk.busy, True
        try:
            with bpy.context.temp_override(scene=self._scene, view_layer=self._scene.view_layers[0]):
                yield
        finally:
            Walk.busy = outer

    @property
    def depsgraph(self) -> Depsgraph:
        """The private scene's evaluation."""
        return self._scene.view_layers[0].depsgraph

    def add_body(self, obj: Object) -> None:
        """Make an object a body; its settings come after `settle`."""
        self._objects.append(obj)
        self.bodies.objects.link(obj)

    def add_link(self, obj: Object) -> None:
        """Make an Empty a constraint; its settings come after `settle`."""
        self._objects.append(obj)
        self._constraints.append(obj)
        self.links.objects.link(obj)

    def settle(self) -> None:
        """Let Blender make bodies and constraints of what was added."""
        self._scene.view_layers[0].update()

    def step(self) -> None:
        """One step on. Only inside of `context`."""
        self._scene.frame_set(self._scene.frame_current + 1)

    def _release(self) -> None:
        """Take every constraint out of the simulation: a link without bodies is none after the next step."""
        depsgraph = bpy.context.evaluated_depsgraph_get()
        for obj in self._constraints:
            evaluated = obj.evaluated_get(depsgraph)
            link = evaluated.rigid_body_constraint
            if link is not None:
                link.object1 = evaluated
                link.type = link.type
        self.step()
