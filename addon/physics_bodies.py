"""A plan's solids and joints in the private scene, and where they are.

All are made in the plan's zero pose, since that is what a joint's limits count from, and brought to any other after.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, sqrt

import bpy
import numpy as np
from bpy.types import Object, RigidBodyConstraint, RigidBodyObject
from mathutils import Matrix, Quaternion, Vector

from ..core.ragdoll.overlaps import lying, overlap
from ..core.ragdoll.plan import Body, Joint, RagdollPlan
from ..core.space.rigid import NO_TURN, Frame, Triple
from .physics_scene import NAME, PhysicsScene, Scaled

ANGULAR_DAMPING = 0.1
LAYERS = 20
ALL, NONE = (True,) * LAYERS, (False,) * LAYERS
ORIGIN = (0.0, 0.0, 0.0)
NEARLY = 0.0025

State = tuple[Vector, Quaternion]
"""Where a body's middle is and how it is turned, in the private scene."""


def extent(plan: RagdollPlan) -> float:
    """How large a body is, metres: its height, or how far it spreads in its zero pose if that is more."""
    places = np.array([body.zero.origin for body in plan.bodies])
    return max(plan.height, float(np.ptp(places, axis=0).max()), 1e-6)


class Bodies:
    """A plan's solids and the joints between them. Lengths and masses as `scaled` has them, origin at the model's.

    `apart` are pairs that do not collide, beside neighbours.
    """

    def __init__(
        self, scene: PhysicsScene, plan: RagdollPlan, scaled: Scaled, apart: Sequence[tuple[int, int]] = ()
    ) -> None:
        self._scene = scene
        self.masses = [body.mass * scaled.mass for body in plan.bodies]
        here = scaled._replace(origin=ORIGIN)
        self.objects = [_solid(scene, body, here) for body in plan.bodies]
        joints = [(i, body.parent, body.joint) for i, body in enumerate(plan.bodies) if body.joint is not None]
        links = [_empty(scene, body.joint.frame, here) for body in plan.bodies if body.joint is not None]
        parting = [_empty(scene, Frame(ORIGIN, NO_TURN), here) for _ in apart]
        scene.settle()
        for obj, body, mass in zip(self.objects, plan.bodies, self.masses, strict=True):
            set_up_body(obj.rigid_body, body.shape, mass)
        for obj, (child, parent, joint) in zip(links, joints, strict=True):
            _limit(connect(obj, "GENERIC_SPRING", self.objects[child], self.objects[parent]), joint)
        for obj, (one, other) in zip(parting, apart, strict=True):
            connect(obj, "GENERIC", self.objects[one], self.objects[other]).disable_collisions = True
        self._buffer = np.empty(0, np.float32)
        self.states: list[State] = []
        self._before, self._dt = self.states, scene.dt

    def place(self, states: Sequence[State], which: Sequence[bool] = ()) -> None:
        """Put bodies (all, or these) where they are to be after the next step; they must be held."""
        for i, obj in enumerate(self.objects):
            if not which or which[i]:
                place_object(obj, *states[i])

    def hold(self, held: Sequence[bool]) -> None:
        """Which bodies go where they are put, and which go by themselves."""
        for obj, is_held in zip(self.objects, held, strict=True):
            if obj.rigid_body.kinematic != is_held:
                obj.rigid_body.kinematic = is_held

    def read(self, dt: float) -> None:
        """Take from Blender where the bodies are after a step of `dt` seconds."""
        objects = self._scene.bodies.objects
        if len(self._buffer) != 16 * len(objects):
            self._buffer = np.empty(16 * len(objects), np.float32)
        objects.foreach_get("matrix_world", self._buffer)
        rows = self._buffer[: 16 * len(self.objects)].tolist()
        self._before, self.states, self._dt = self.states, [], dt
        for k in range(0, len(rows), 16):
            a, b, c, _, d, e, f, _, g, h, i, _, x, y, z, _ = rows[k : k + 16]
            turn = Matrix(((a, d, g), (b, e, h), (c, f, i))).to_quaternion()
            self.states.append((Vector((x, y, z)), turn))

    def start(self, before: list[State], now: list[State], dt: float) -> None:
        """Where the bodies are, and where they were `dt` seconds before."""
        self._before, self.states, self._dt = before, now, dt

    def speed(self, i: int) -> Vector:
        """How fast a body's middle moved in the step that ended."""
        return (self.states[i][0] - self._before[i][0]) / self._dt

    def spin(self, i: int) -> Vector:
        """How fast a body turned in the step that ended."""
        return rotation_vector(self.states[i][1] @ self._before[i][1].conjugated()) / self._dt


def meeting(plan: RagdollPlan, bodies: Sequence[float]) -> list[tuple[int, int]]:
    """The pairs of a plan that do not collide, beside neighbours: its own, and those that overlap as they lie.

    Those would be thrown out of each other at the first step.
    """
    frames = [Frame(tuple(bodies[k : k + 3]), tuple(bodies[k + 3 : k + 7])) for k in range(0, len(bodies), 7)]
    solids = [lying(body.shape, body.size, frame) for body, frame in zip(plan.bodies, frames, strict=True)]
    found = list(plan.apart)
    for j, body in enumerate(plan.bodies):
        for i in range(j):
            if body.parent != i and (i, j) not in plan.apart and overlap(solids[i], solids[j], 0.0):
                found.append((i, j))
    return found


def rotation_vector(turn: Quaternion) -> Vector:
    """A turn as its axis times its angle, the short way."""
    w, x, y, z = turn[:]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    across = x * x + y * y + z * z
    # Of small turns half the angle is its sine, to a thousandth.
    share = 2.0 if across < NEARLY else 2.0 * atan2(sqrt(across), w) / sqrt(across)
    return Vector((x * share, y * share, z * share))


def place_object(obj: Object, place: Vector, turn: Quaternion) -> None:
    """Move an object; both are seen at the next evaluation."""
    obj.location = place
    obj.rotation_quaternion = turn


def states_of(bodies: Sequence[float], scaled: Scaled) -> list[State]:
    """Seven numbers a body (world, metres) as states of the private scene."""
    return [
        (scaled.into(bodies[k : k + 3]), Quaternion(bodies[k + 3 : k + 7]).normalized())
        for k in range(0, len(bodies), 7)
    ]


def numbers_of(states: Sequence[State], scaled: Scaled) -> tuple[float, ...]:
    """States of the private scene as seven numbers a body, world, metres."""
    s, (a, b, c) = 1.0 / scaled.length, scaled.origin
    numbers: list[float] = []
    for place, turn in states:
        # Slices are read at once, unpacked vectors number by number.
        x, y, z = place[:]
        numbers += (x * s + a, y * s + b, z * s + c)
        numbers += turn[:]
    return tuple(numbers)


def new_object(name: str, mesh: bpy.types.Mesh | None) -> Object:
    """An object of the private scene, turned by quaternions."""
    obj = bpy.data.objects.new(f"{NAME} {name}", mesh)
    obj.rotation_mode = "QUATERNION"
    return obj


def box_mesh(size: Triple) -> bpy.types.Mesh:
    """Two corners of a box: all that a simple shape is measured by."""
    mesh = bpy.data.meshes.new(NAME)
    x, y, z = (0.5 * n for n in size)
    mesh.from_pydata([(-x, -y, -z), (x, y, z)], [], [])
    return mesh


def set_up_body(body: RigidBodyObject, shape: str, mass: float) -> None:
    """A solid of ours, held where it is put until it is let go."""
    body.type, body.kinematic, body.collision_shape = "ACTIVE", True, shape
    body.mass = mass
    body.use_margin, body.collision_margin = True, 0.0
    # What the two have is multiplied: so the friction that the user gave a thing is the one in force.
    body.friction, body.restitution = 1.0, 0.0
    body.linear_damping, body.angular_damping = 0.0, ANGULAR_DAMPING
    body.use_deactivation = False
    body.collision_collections = ALL


def connect(obj: Object, kind: str, child: Object, parent: Object) -> RigidBodyConstraint:
    """A constraint of two bodies; with the child first its angles are the child's against the parent."""
    link = obj.rigid_body_constraint
    link.type, link.object1, link.object2 = kind, child, parent
    return link


def new_link(scene: PhysicsScene, place: Vector, turn: Quaternion) -> Object:
    """An Empty that will be a constraint."""
    obj = new_object("Link", None)
    place_object(obj, place, turn)
    scene.add_link(obj)
    return obj


def _empty(scene: PhysicsScene, frame: Frame, scaled: Scaled) -> Object:
    return new_link(scene, scaled.into(frame.origin), Quaternion(frame.turn))


def _solid(scene: PhysicsScene, body: Body, scaled: Scaled) -> Object:
    x, y, z = body.size
    s = scaled.length
    obj = new_object(body.role, box_mesh((x * s, y * s, z * s)))
    place_object(obj, scaled.into(body.zero.origin), Quaternion(body.zero.turn))
    scene.add_body(obj)
    return obj


def _limit(link: RigidBodyConstraint, joint: Joint) -> None:
    """Nothing gives along the axes, and about them as far as the joint goes.

    A spring link with no spring on keeps its limits several times better than one without.
    """
    for k, axis in enumerate("xyz"):
        setattr(link, f"use_limit_lin_{axis}", True)
        setattr(link, f"limit_lin_{axis}_lower", 0.0)
        setattr(link, f"limit_lin_{axis}_upper", 0.0)
        setattr(link, f"use_limit_ang_{axis}", True)
        setattr(link, f"limit_ang_{axis}_lower", joint.low[k])
        setattr(link, f"limit_ang_{axis}_upper", joint.high[k])
