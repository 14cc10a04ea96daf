"""What a body can fall on and be hit by, as numbers, and its stand-ins in the private scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Quaternion, Vector

from ..core.ragdoll.plan import RagdollPlan
from ..core.space.rigid import Frame, Triple, Turn
from .physics_bodies import LAYERS, State, box_mesh, connect, new_link, new_object, place_object
from .physics_scene import NAME, PhysicsScene, Scaled

Kind = Literal["STILL", "MOVING", "ACTIVE"]
SUNK = 0.1
"""What is sunk so deep into a solid (metres, at a person's size) is not pushed out of it: that would be a blow."""
MARGIN = 0.02
"""A mesh is hollow, and what is quick gets through: it has a skin so thick (at a person's size), and lies below it."""


@dataclass(frozen=True)
class Solid:
    """A thing of the user's scene that bodies collide with. World, metres; its own axes, no scale.

    `shape` is Blender's name of it; MESH and CONVEX_HULL have `places` (n, 3) and `corners` (m, 3) about its middle,
    the others a `size`. `uid` tells which it is in samples. ACTIVE ones go by themselves once the run has begun, with
    `speed` and `spin`; MOVING ones go where they are sampled. `is_ground`: characters stand on it.
    """

    uid: int
    kind: Kind
    shape: str
    place: Triple
    turn: Turn
    size: Triple = (0.0, 0.0, 0.0)
    places: np.ndarray | None = None
    corners: np.ndarray | None = None
    friction: float = 0.8
    bounce: float = 0.0
    mass: float = 1.0
    damping: tuple[float, float] = (0.04, 0.1)
    groups: tuple[bool, ...] = (True,) * LAYERS
    speed: Triple = (0.0, 0.0, 0.0)
    spin: Triple = (0.0, 0.0, 0.0)
    is_ground: bool = False

    def numbers(self) -> bytes:
        """All that physics makes of it, whatever it is called and in whichever session."""
        told = (self.kind, self.shape, self.place, self.turn, self.size, self.friction, self.bounce, self.mass)
        rest = (self.damping, self.groups, self.speed, self.spin, self.is_ground)
        arrays = [b"" if array is None else array.tobytes() for array in (self.places, self.corners)]
        return repr((told, rest)).encode() + b"".join(arrays)

    def holds(self, place: Triple) -> bool:
        """True for a place inside of its box."""
        return self.depth(place) > 0.0

    def depth(self, place: Triple) -> float:
        """How far a place is inside of its box, metres; negative outside."""
        frame = Frame(self.place, self.turn)
        size = self.size if self.places is None else tuple((2.0 * abs(self.places).max(axis=0)).tolist())
        return min(0.5 * long - abs(n) for n, long in zip(frame.from_scene(place), size, strict=True))


@dataclass
class Colliders:
    """All that a run takes place among. `moved` is where moving ones are at the frame that is entered, by uid."""

    solids: tuple[Solid, ...] = ()
    moved: dict[int, tuple[Triple, Turn]] = field(default_factory=dict)

    @property
    def moving(self) -> bool:
        """True where some of them have to be sampled at every frame."""
        return any(solid.kind == "MOVING" for solid in self.solids)

    def digest(self) -> bytes:
        """A checksum of all that they are, and of where the moving ones are now."""
        order = [solid.uid for solid in self.solids]
        whole = sha256()
        for solid in self.solids:
            whole.update(solid.numbers())
        whole.update(repr([self.moved.get(uid) for uid in order]).encode())
        return whole.digest()


class StandIns:
    """The solids in the private scene."""

    def __init__(self, scene: PhysicsScene, solids: Sequence[Solid], scaled: Scaled) -> None:
        self._scaled = scaled
        self._solids = tuple(solids)
        self._objects = [self._make(scene, solid) for solid in solids]
        scene.settle()
        for obj, solid in zip(self._objects, solids, strict=True):
            self._set_up(obj, solid)
        self._dt = scene.dt
        self._known = {solid.uid: _state(solid.place, solid.turn, scaled) for solid in self._solids}
        self._ways: list[tuple[Object, State, State]] = []

    def spare(self, scene: PhysicsScene, bodies: Sequence[Object], inside: Sequence[tuple[int, Solid]]) -> None:
        """Let these bodies (their places) and solids pass through each other."""
        by_solid = {id(solid): obj for solid, obj in zip(self._solids, self._objects, strict=True)}
        links = [new_link(scene, Vector(), Quaternion()) for _ in inside]
        scene.settle()
        for link, (i, solid) in zip(links, inside, strict=True):
            connect(link, "GENERIC", bodies[i], by_solid[id(solid)]).disable_collisions = True

    def lead(self, time: float) -> None:
        """Loose ones to where they are so much before or after the run begins: led, they come to have their speed."""
        for obj, solid in zip(self._objects, self._solids, strict=True):
            if solid.kind == "ACTIVE":
                (place, turn), spin = self._known[solid.uid], Vector(solid.spin)
                place = place + Vector(solid.speed) * (self._scaled.length * time)
                place_object(obj, place, Quaternion(spin, spin.length * time) @ turn if spin.length else turn)

    def let_go(self) -> None:
        """Loose ones go by themselves from here."""
        for obj, solid in zip(self._objects, self._solids, strict=True):
            if solid.kind == "ACTIVE":
                obj.rigid_body.kinematic = False

    def enter(self, moved: Mapping[int, tuple[Triple, Turn]]) -> None:
        """A frame begins, at whose end the moving ones are there."""
        self._ways = []
        for obj, solid in zip(self._objects, self._solids, strict=True):
            if solid.kind == "MOVING" and solid.uid in moved:
                before, then = self._known[solid.uid], _state(*moved[solid.uid], self._scaled)
                self._known[solid.uid] = then
                self._ways.append((obj, before, then))

    def move(self, share: float) -> None:
        """Moving ones to a share of their way through the frame."""
        for obj, (place, turn), (end, turned) in self._ways:
            place_object(obj, place.lerp(end, share), turn.slerp(turned, share))

    def _make(self, scene: PhysicsScene, solid: Solid) -> Object:
        x, y, z = (n * self._scaled.length for n in solid.size)
        mesh = box_mesh((x, y, z)) if solid.places is None else self._mesh(solid.shape, solid.places, solid.corners)
        obj = new_object("Collider", mesh)
        place_object(obj, self._scaled.into(solid.place), Quaternion(solid.turn))
        scene.add_body(obj)
        return obj

    def _mesh(self, shape: str, places: np.ndarray, corners: np.ndarray | None) -> bpy.types.Mesh:
        """A mesh at the private scene's size; what is hollow has lost its skin."""
        places = places * self._scaled.length
        corners = np.empty((0, 3), int) if corners is None else corners
        if shape == "MESH":
            faces = places[corners]
            normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
            lengths = np.linalg.norm(normals, axis=1, keepdims=True)
            faces = (faces - MARGIN * (normals / np.maximum(lengths, 1e-12))[:, None, :])[lengths[:, 0] > 1e-12]
            places, corners = faces.reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)
        mesh = bpy.data.meshes.new(NAME)
        mesh.vertices.add(len(places))
        mesh.vertices.foreach_set("co", places.astype(np.float32).ravel())
        mesh.loops.add(corners.size)
        mesh.loops.foreach_set("vertex_index", corners.astype(np.int32).ravel())
        mesh.polygons.add(len(corners))
        mesh.polygons.foreach_set("loop_start", np.arange(0, corners.size, 3, dtype=np.int32))
        mesh.update(calc_edges=True)
        return mesh

    def _set_up(self, obj: Object, solid: Solid) -> None:
        body = obj.rigid_body
        body.type = "PASSIVE" if solid.kind == "STILL" else "ACTIVE"
        body.kinematic = solid.kind != "STILL"
        body.collision_shape = solid.shape
        body.use_margin, body.collision_margin = True, MARGIN if solid.shape == "MESH" else 0.0
        body.mass = max(solid.mass * self._scaled.mass, 1e-3)
        body.friction, body.restitution = solid.friction, solid.bounce
        body.linear_damping, body.angular_damping = solid.damping
        body.use_deactivation = False
        body.collision_collections = solid.groups


def _state(place: Triple, turn: Turn, scaled: Scaled) -> State:
    return scaled.into(place), Quaternion(turn)


def sunk(plan: RagdollPlan, bodies: Sequence[float], solids: Sequence[Solid], size: float) -> list[tuple[int, Solid]]:
    """The bodies (their places in the plan) that begin deep inside of solids, with those. `size` in persons' heights.

    What is hollow has no inside.
    """
    found = []
    for solid in (solid for solid in solids if solid.shape != "MESH"):
        for i, body in enumerate(plan.bodies):
            depth = solid.depth((bodies[7 * i], bodies[7 * i + 1], bodies[7 * i + 2]))
            if depth > 0.0 and depth + 0.5 * min(body.size) > SUNK * size:
                found.append((i, solid))
    return found
