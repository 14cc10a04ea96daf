"""One run of physics of one character: from the moment that it is handed over, frame by frame, to what is recorded.

    with PhysicsRun(plan, config, fps, gravity, colliders) as run:
        run.begin(bodies_before, bodies_now, dt)
        row = run.frame(targets_now, targets_next, hits)

Bodies and targets are seven numbers a body in the order of the plan (where its middle is and its turn w, x, y, z),
world, metres. Between two calls the user's scene may be walked: each one works in a context of its own. The state
machine says before each step how strong the muscles are and how firmly the body is held; nothing here decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathutils import Quaternion, Vector

from ..core.control.fall_row import FallRow
from ..core.ragdoll.config import ActiveConfig
from ..core.ragdoll.drive import Drive
from ..core.ragdoll.hits import shoved
from ..core.ragdoll.machine import ActiveMemory, ActiveRagdoll
from ..core.ragdoll.plan import RagdollPlan
from ..core.space.rigid import Triple
from .physics_bodies import Bodies, State, extent, meeting, numbers_of, rotation_vector, states_of
from .physics_colliders import Colliders, Solid, StandIns, sunk
from .physics_motors import Motors
from .physics_scene import EARTH, HUMAN, HUMAN_MASS, PhysicsScene, Scaled

DOWN = (0.0, 0.0, -EARTH)

Hit = tuple[int, Triple]
"""The place of a body in the plan (-1: the first, and with it the whole) and the velocity that it is hit with, m/s."""


class PhysicsRun:
    """Physics of one body. `limp`: it lets go of itself; `weights`: how much of each body physics has (empty: all)."""

    def __init__(
        self,
        plan: RagdollPlan,
        config: ActiveConfig,
        fps: float,
        gravity: Triple = DOWN,
        colliders: Colliders | None = None,
    ) -> None:
        """`fps` are the user's frames a second, `gravity` metres a second squared."""
        self.plan, self.config = plan, config
        self.colliders = colliders or Colliders()
        self.limp = False
        self.weights: tuple[float, ...] = ()
        self.machine = ActiveRagdoll(plan, config, Vector(gravity).length)
        self.memory: ActiveMemory = self.machine.start()
        self._scaled = Scaled(HUMAN / extent(plan), HUMAN_MASS / plan.mass, (0.0, 0.0, 0.0))
        self._scene = PhysicsScene(fps, gravity, self._scaled.length)
        self._past: list[State] = []

    def __enter__(self) -> PhysicsRun:
        self._scene.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._scene.__exit__()

    def begin(self, bodies_before: Sequence[float], bodies_now: Sequence[float], dt: float) -> None:
        """Hand the body over as it is now, with the speeds that it has come with since `dt` seconds before."""
        self._scaled = self._scaled._replace(origin=tuple(bodies_now[:3]))
        scene, scaled = self._scene, self._scaled
        with scene.context():
            self._bodies = bodies = Bodies(scene, self.plan, scaled, meeting(self.plan, bodies_now))
            self._motors = Motors(scene, self.plan, self.config, bodies, scaled)
            solids = self._outside(bodies_now)
            self._things = StandIns(scene, solids, scaled)
            self._things.spare(scene, bodies.objects, sunk(self.plan, bodies_now, solids, 1.0 / scaled.length))
            scene.step()
            self._motors.turn_anchor()
            now, before = states_of(bodies_now, scaled), states_of(bodies_before, scaled)
            earlier = _on(now, _speeds(before, now, dt), -scene.dt)
            for states, time in ((earlier, -scene.dt), (now, 0.0)):
                bodies.place(states)
                self._things.lead(time)
                scene.step()
            bodies.start(earlier, now, scene.dt)
            self._motors.bind()
            self._past = before
            bodies.hold(self._held())
            self._things.let_go()

    def frame(self, targets_now: Sequence[float], targets_next: Sequence[float], hits: Sequence[Hit] = ()) -> FallRow:
        """One frame of the user's on, while the motion goes from `targets_now` to `targets_next`."""
        scene, scaled = self._scene, self._scaled
        ends = states_of(targets_next, scaled)
        way = _Way(self._past, states_of(targets_now, scaled), ends)
        self._past = way.now
        events: tuple[str, ...] = ()
        with scene.context():
            if self.limp:
                self.machine.limp(self.memory)
            held = self._held()
            self._bodies.hold(held)
            self._things.enter(self.colliders.moved)
            self._throw(hits, held)
            start, drive = way.at(0.0), self._limbs(self.machine.drive(self.memory))
            if self.memory.meant:
                # The motion is taken up where it is now: that it is elsewhere than it was foreseen is no speed of it.
                self.memory.meant = numbers_of(start, scaled)
            for k in range(scene.steps):
                share = (k + 1) / scene.steps
                end = way.at(share)
                if k or not hits:
                    self._motors.drive(self._bodies, start, end, drive)
                if any(held):
                    self._bodies.place(end, held)
                self._things.move(share)
                scene.step()
                self._bodies.read(scene.dt)
                if k == 0 and hits:
                    self._bodies.hold(held)
                drive = self._limbs(self._told(end))
                events += tuple(event for event in drive.events if event not in events)
                start = end
        return self._row(drive, events)

    def _outside(self, bodies: Sequence[float]) -> list[Solid]:
        """The colliders without those that are around the body (a capsule of its own): they would throw it out."""
        trunk = [tuple(bodies[7 * i : 7 * i + 3]) for i in {0, self.machine.top}]
        return [
            solid
            for solid in self.colliders.solids
            if solid.is_ground or not any(solid.holds((x, y, z)) for x, y, z in trunk)
        ]

    def _told(self, end: Sequence[State]) -> Drive:
        """What the machine says after a step; it has no part in a body of which only limbs hang."""
        if self._held()[0]:
            return self.machine.drive(self.memory)
        bodies, targets = numbers_of(self._bodies.states, self._scaled), numbers_of(end, self._scaled)
        return self.machine.update(self.memory, self._scene.dt, bodies, targets)

    def _held(self) -> list[bool]:
        """Which bodies go where the motion has them: all from the first on that physics has nothing of."""
        if not self.weights:
            return [False] * len(self.plan.bodies)
        held: list[bool] = []
        for i, body in enumerate(self.plan.bodies):
            above = body.parent < 0 or held[body.parent]
            held.append(above and self.weights[i] <= 0.0)
        return held

    def _limbs(self, drive: Drive) -> Drive:
        """The machine's word, where limbs hang by themselves or are held stiff on a body that falls. What is let go of
        is held by nothing from then on.
        """
        if self.limp:
            drive = drive._replace(assist=0.0)
        if not self.weights:
            return drive
        held = self._held()
        if held[0]:
            return drive._replace(strengths=tuple(0.0 for _ in self.weights), assist=0.0)
        strengths = (max(s, 1.0 - w) for s, w in zip(drive.strengths, self.weights, strict=True))
        return drive._replace(strengths=tuple(strengths))

    def _throw(self, hits: Sequence[Hit], held: Sequence[bool]) -> None:
        """Add speeds: for one step all bodies are led on with them, and are let go after."""
        if not hits:
            return
        bodies, length = self._bodies, self._scaled.length
        speeds = [(bodies.speed(i), bodies.spin(i)) for i in range(len(self.plan.bodies))]
        for body, velocity in hits:
            self.machine.hit(self.memory, max(body, 0), velocity)
            for i, gained in enumerate(shoved(self.plan, max(body, 0), velocity, self.config)):
                speeds[i] = (speeds[i][0] + Vector(gained) * length, speeds[i][1])
        bodies.hold([True] * len(speeds))
        bodies.place(_on(bodies.states, speeds, self._scene.dt), [not is_held for is_held in held])

    def _row(self, drive: Drive, events: tuple[str, ...]) -> FallRow:
        if drive.state == "GETTING_UP":
            return FallRow(drive.state, drive.since, events=events)
        bodies = numbers_of(self._bodies.states, self._scaled)
        return FallRow(drive.state, drive.since, bodies, self._shown(), events, drive.push)

    def _shown(self) -> tuple[float, ...]:
        """How much of each body is shown as physics has it. A trunk takes along all that hangs on it."""
        shares = tuple(min(1.0, max(0.0, weight)) for weight in self.weights)
        if not shares or self._held()[0]:
            return shares
        return () if shares[0] >= 1.0 else shares[:1] * len(shares)


class _Way:
    """The motion between two frames, bent as it came: a parabola through the last three."""

    def __init__(self, past: Sequence[State], now: Sequence[State], then: Sequence[State]) -> None:
        self.now = list(now)
        # Nearest to the middle one: a turn has two signs.
        self._rows = [
            (p0, q0 if q0.dot(q1) >= 0.0 else -q0, p1, q1, p2, q2 if q2.dot(q1) >= 0.0 else -q2)
            for (p0, q0), (p1, q1), (p2, q2) in zip(past, now, then, strict=True)
        ]

    def at(self, t: float) -> list[State]:
        """The targets at a share of the frame."""
        a, b, c = 0.5 * t * (t - 1.0), 1.0 - t * t, 0.5 * t * (t + 1.0)
        return [
            (p0 * a + p1 * b + p2 * c, (q0 * a + q1 * b + q2 * c).normalized()) for p0, q0, p1, q1, p2, q2 in self._rows
        ]


def _speeds(before: Sequence[State], now: Sequence[State], dt: float) -> list[tuple[Vector, Vector]]:
    return [
        ((b[0] - a[0]) / dt, rotation_vector(b[1] @ a[1].conjugated()) / dt) for a, b in zip(before, now, strict=True)
    ]


def _on(states: Sequence[State], speeds: Sequence[tuple[Vector, Vector]], dt: float) -> list[State]:
    """States so much later (or earlier) at these speeds."""
    found = []
    for (place, turn), (speed, spin) in zip(states, speeds, strict=True):
        angle = spin.length * dt
        found.append((place + speed * dt, Quaternion(spin, angle) @ turn if spin.length > 0.0 else turn.copy()))
    return found
