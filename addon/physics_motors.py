"""Muscles and the hand that holds a body up: motors in the joints, and between some bodies and a still anchor.

A motor of Blender's turns a child against its parent about one axis as fast as it is told, with a torque up to its
largest ("max impulse" is a torque, or a force). Three of them about the joint's axes are a muscle. They are told
anew before each step, on the evaluated constraints: whoever writes to the original ones makes Blender free them while
they are in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

from bpy.types import Object
from mathutils import Matrix, Quaternion, Vector

from ..core.ragdoll import hits
from ..core.ragdoll.config import ActiveConfig
from ..core.ragdoll.drive import Drive, follows, hold_upright, joint_torque, pull, relative_velocity
from ..core.ragdoll.plan import RagdollPlan
from ..core.space.rigid import Triple
from .physics_bodies import (
    NONE,
    Bodies,
    State,
    box_mesh,
    connect,
    new_link,
    new_object,
    rotation_vector,
    set_up_body,
)
from .physics_scene import EARTH, PhysicsScene, Scaled

UNTURNED = Quaternion()
ASKEW = Quaternion((0.3, 0.5, 0.8), 1e-4)
"""How the anchor is turned, so that no body that is turned by neat angles lies along an axis of its."""
NO_AXIS = 1e-6
NOT = (0.0, 0.0, 0.0)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
FLEXES, HEADS = ((X, Z), (Y, X), (Z, X)), ((X, Z), (Y, Z), (Z, X))
"""What three motors turn about, each with the axis of its child's that must never come to lie along that: all numbers
of the simulation would be lost. A joint flexes far, about X. A trunk that stands may head anywhere, about Z.
"""


class _Muscle(NamedTuple):
    """A joint's motors: the places of its child and parent in the plan (-1: the anchor), the heavier's mass, and of
    each motor the axes that make its own as the joint is turned.
    """

    child: int
    parent: int
    heavier: float
    friction: float
    axes: tuple[tuple[Vector, Vector], ...]


class Motors:
    """All motors of a plan's bodies. `bind` once the simulation has begun."""

    def __init__(
        self, scene: PhysicsScene, plan: RagdollPlan, config: ActiveConfig, bodies: Bodies, scaled: Scaled
    ) -> None:
        self._scene, self._config = scene, config
        # Torques go with weights and lengths; a body without weight is as strong as on earth.
        self._pull = scene.gravity.length / EARTH or scaled.length
        self._mass, self._weighs = sum(bodies.masses), plan.mass
        self._per_newton, self._length = scaled.length * scaled.mass, scaled.length
        self._held = plan.held
        self._anchor = self._add_anchor()
        self._muscles: list[_Muscle] = []
        self._pairs: list[tuple[Object, Object, Object]] = []
        self._add_all(plan, bodies, scaled._replace(origin=(0.0, 0.0, 0.0)))
        scene.settle()
        for k, (obj, *ends) in enumerate(self._pairs):
            link = connect(obj, "MOTOR", *ends)
            kind = "ang" if k < self._turning else "lin"
            setattr(link, f"use_motor_{kind}", True)
            setattr(link, f"motor_{kind}_target_velocity", 0.0)
            setattr(link, f"motor_{kind}_max_impulse", 0.0)
        self._links: list[Any] = []
        self._told = [(NOT, 0.0)] * len(self._muscles)
        self._wanted: dict[int, Quaternion] = {}
        self._wanted_of: Sequence[State] = ()

    def _add_anchor(self) -> Object:
        """A body that never moves and that nothing meets."""
        anchor = new_object("Anchor", box_mesh((0.1, 0.1, 0.1)))
        self._scene.add_body(anchor)
        self._scene.settle()
        set_up_body(anchor.rigid_body, "BOX", 1.0)
        anchor.rigid_body.collision_collections = NONE
        return anchor

    def _add_all(self, plan: RagdollPlan, bodies: Bodies, here: Scaled) -> None:
        """The motors of the joints, then those that turn and those that move what is held."""
        inverse = [Quaternion(body.zero.turn).inverted() for body in plan.bodies]
        places = [here.into(body.zero.origin) for body in plan.bodies]
        hanging, masses = hits.hanging(plan), [body.mass for body in plan.bodies]
        heft = bodies.masses[0] / masses[0]
        for i, body in enumerate(plan.bodies):
            if body.joint is None:
                continue
            at, turn = here.into(body.joint.frame.origin), Quaternion(body.joint.frame.turn)
            ends = (bodies.objects[i], bodies.objects[body.parent])
            axes = self._add(at, turn, ends, inverse[i], inverse[body.parent])
            heavier = max(masses[i], masses[body.parent])
            # Whatever it hangs on, a light limb sinks by its own weight, and yet comes to rest.
            friction = body.joint.friction * sqrt(min(1.0, hanging[i] / heavier))
            # A leg is as strong as what it swings is heavy.
            moved = max(heavier, hanging[i]) if hits.is_of(body.limb, hits.LEG) else heavier
            self._muscles.append(_Muscle(i, body.parent, moved * heft, friction * heavier / moved, axes))
        for i in plan.held:
            ends = (bodies.objects[i], self._anchor)
            axes = self._add(places[i], UNTURNED, ends, inverse[i], UNTURNED, HEADS)
            self._muscles.append(_Muscle(i, -1, self._mass, 0.0, axes))
        self._turning = len(self._pairs)
        for i in plan.held:
            self._add(places[i], UNTURNED, (self._anchor, bodies.objects[i]), UNTURNED, UNTURNED)

    def _add(
        self,
        at: Vector,
        turn: Quaternion,
        ends: tuple[Object, Object],
        first: Quaternion,
        second: Quaternion,
        order: Sequence[tuple[Triple, Triple]] = FLEXES,
    ) -> tuple[tuple[Vector, Vector], ...]:
        """Three Empties whose X are axes of a frame (`order`: each one's X and Z); of each the third axis as seen from
        the first body, and the first as seen from the second.
        """
        axes = []
        for x, z in order:
            one, three = turn @ Vector(x), turn @ Vector(z)
            turned = Matrix((one, three.cross(one), three)).transposed().to_quaternion()
            self._pairs.append((new_link(self._scene, at, turned), *ends))
            axes.append((first @ three, second @ one))
        return tuple(axes)

    def turn_anchor(self) -> None:
        """Once all is joined as it was made: turn the anchor out of line."""
        self._anchor.rotation_quaternion = ASKEW

    def bind(self) -> None:
        """Find the constraints as they are simulated. Only inside of the scene's context."""
        depsgraph = self._scene.depsgraph
        self._links = [pair[0].evaluated_get(depsgraph).rigid_body_constraint for pair in self._pairs]

    def drive(self, bodies: Bodies, targets: Sequence[State], ends: Sequence[State], drive: Drive) -> None:
        """Tell all motors what to do in the coming step, in which the targets go from `targets` to `ends`."""
        states, config, strengths = bodies.states, self._config, drive.strengths
        known = self._wanted if self._wanted_of is targets else {}
        self._wanted_of, self._wanted = ends, {}
        joints = len(self._muscles) - len(self._held)
        for k, (child, parent, heavier, friction, axes) in enumerate(self._muscles):
            follow, torque = 1.0, 0.0
            if k < joints:
                follow = follows(strengths[child], friction, config)
                torque = joint_torque(strengths[child], friction, heavier, config) * self._pull
                if not follow:
                    # It only resists, wherever its motion is.
                    self._tell(k, NOT, torque)
                    continue
            own, above = states[child][1], states[parent][1] if parent >= 0 else UNTURNED
            now = known[k] if k in known else _seen(targets, child, parent)
            then = self._wanted[k] = _seen(ends, child, parent)
            along = above @ (rotation_vector(then @ now.conjugated()) / self._scene.dt)
            if k < joints:
                w = Vector(relative_velocity(above, own, now, along, config.joint_gain)) * follow
            else:
                speeds, torque = hold_upright(own, now, along, drive, self._mass / len(self._held), self._pull, config)
                w = Vector(speeds)
            self._tell(k, _shared(w, own, above if parent >= 0 else ASKEW, axes), torque)
        if self._held:
            self._hold(bodies, targets, ends, drive)

    def _hold(self, bodies: Bodies, targets: Sequence[State], ends: Sequence[State], drive: Drive) -> None:
        """The assist's straight motors, from the anchor to what is held (so their speeds count the other way)."""
        dt, length, share = self._scene.dt, self._length, 1.0 / len(self._held)
        for k, i in enumerate(self._held):
            offset = (targets[i][0] - bodies.states[i][0]) / length
            along = (ends[i][0] - targets[i][0]) / (length * dt)
            held = pull(offset, along, bodies.speed(i) / length, drive, share, self._weighs * share, self._config)
            start = self._turning + 3 * k
            for link, speed, most in zip(self._links[start : start + 3], held.velocity, held.limits, strict=True):
                link.motor_lin_target_velocity = -speed * length
                link.motor_lin_max_impulse = most * self._per_newton

    def _tell(self, k: int, speeds: Triple, torque: float) -> None:
        """A joint's motors their speeds and their torque; what they know is not told again."""
        known, self._told[k] = self._told[k], (speeds, torque)
        if known == self._told[k]:
            return
        for link, speed in zip(self._links[3 * k : 3 * k + 3], speeds, strict=True):
            link.motor_ang_target_velocity = speed
            if known[1] != torque:
                link.motor_ang_max_impulse = torque


def _seen(targets: Sequence[State], child: int, parent: int) -> Quaternion:
    """How a child is to be turned as its parent sees it."""
    turn = targets[child][1]
    return targets[parent][1].conjugated() @ turn if parent >= 0 else turn


def _shared(w: Vector, own: Quaternion, above: Quaternion, axes: Sequence[tuple[Vector, Vector]]) -> Triple:
    """How fast each of a joint's motors has to turn, for all of them to turn it by `w` (world)."""
    if not w.x and not w.y and not w.z:
        return NOT
    found = []
    for az, bx in axes:
        a = own @ az
        a = a.cross(above @ bx).cross(a)
        length = a.length
        found.append(w.dot(a) / length if length > NO_AXIS else 0.0)
    return found[0], found[1], found[2]
