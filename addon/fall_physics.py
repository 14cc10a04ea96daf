"""Physics of one character as the job of falls asks for it: bodies and wishes in, a row for each frame out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..core.character import world_matrix
from ..core.control.fall_row import Blow, FallRow
from ..core.control.intent import Inputs, Place
from ..core.fall_presets import falls
from ..core.ragdoll.bodies_pose import bodies_of
from ..core.ragdoll.hits import is_of
from ..core.ragdoll.plan import RagdollPlan
from ..core.rig.edited_pose import EditedPose
from ..core.rig.pose import PoseFrame
from ..core.space.rigid import NO_TURN
from .changes import Walk
from .fall_properties import LIMBS
from .fall_struck import Struck
from .fall_wishes import Wishes
from .frame_cache import Snapshot
from .members import Member
from .performers import Performer
from .physics_colliders import Colliders, Solid
from .physics_gather import Placed, gather_colliders, sample_colliders
from .physics_run import PhysicsRun
from .refusal import RefusedError
from .scene_units import metres_per_unit
from .scenery import Scenery
from .texts import text
from .ticking import ticked

Bodies = tuple[float, ...]
WIDE = 20.0
"""A floor where there is none is so many times as wide as a body is tall."""
LIMP_AFTER = 0.3
"""So many seconds after no muscle is left and no arm braced, a body that fell is not driven any more."""
GETS_UP_AFTER = 0.3
"""Seconds that a body lies still before it gets up where it is told to at once."""


class Engine:
    """Physics that has a body, from a frame on: use `frame` for each one after it, and `close` in the end."""

    def __init__(self, plan: RagdollPlan, run: PhysicsRun) -> None:
        self.plan, self.run = plan, run
        self._by_hit = False
        self._targets: tuple[Bodies, Bodies] = ((), ())

    def frame(
        self, scenery: Scenery, member: Member, number: int, inputs: Inputs, hits: tuple[Blow, ...], wishes: Wishes
    ) -> FallRow:
        """The row of a frame, after hits at the frame before. One without bodies ends physics: it is getting up, or
        its animation's again.
        """
        run, state = self.run, self.run.memory.state
        self._by_hit = self._by_hit or bool(hits)
        if not wishes.is_limp and not self._by_hit:
            return FallRow("GETTING_UP" if wishes.get_up == "NOW" and state == "FALLEN" else "ANIMATED")
        if wishes.get_up == "NOW" and state == "FALLEN" and run.memory.calm > GETS_UP_AFTER:
            return FallRow("GETTING_UP")
        run.machine.gets_up = wishes.get_up != "NO" and not wishes.is_limp
        self._let_go(wishes)
        if any(solid.kind == "MOVING" for solid in run.colliders.solids):
            sample_colliders(run.colliders, scenery.scene)
        if not self._lies():
            self._targets = self._wanted(scenery, member, number, inputs)
        now, then = self._targets
        row = run.frame(now, then, [(self._place(hit), hit.velocity) for hit in hits])
        if row.state == "ANIMATED" and not wishes.is_limp:
            return row._replace(bodies=(), weights=())
        return self._shown(row, wishes)

    def strike(self, struck: Struck) -> None:
        """A thing of the scene is about to hit: its stand-in pushes the body, here its muscles and balance answer."""
        self._by_hit = True
        self.run.machine.hit(self.run.memory, struck.body, struck.velocity)

    def close(self) -> None:
        """Leave nothing behind."""
        Walk.physics -= 1
        self.run.__exit__(None, None, None)

    def _lies(self) -> bool:
        """True of a body that has been let go of for so long that nothing in it minds what it was to do."""
        memory, config = self.run.memory, self.run.config
        whole = not self.run.weights and bool(self._targets[1])
        let_go = max(config.fade_seconds, config.arms_seconds) + LIMP_AFTER
        return whole and memory.state == "FALLEN" and memory.since > let_go

    def _place(self, hit: Blow) -> int:
        return self.plan.place_of(hit.role) if hit.role else -1

    def _let_go(self, wishes: Wishes) -> None:
        """How much of each body is left to itself in the next frame."""
        run = self.run
        if not wishes.is_limp or self._by_hit:
            run.limp, run.weights = False, ()
            return
        shares = tuple(limb_share(body.limb, wishes.limp) for body in self.plan.bodies)
        run.limp, run.weights = shares[0] > 0.0, () if min(shares) >= 1.0 else shares

    def _wanted(self, scenery: Scenery, member: Member, number: int, inputs: Inputs) -> tuple[Bodies, Bodies]:
        """The bodies of the poses that the character would have by itself, at the frame before and at this one, where
        it goes on from where physics has it.
        """
        before = member.performer.cache.get(number - 1)
        if before is None:
            raise ValueError(f"Frame {number - 1} is not known.")
        inputs = replace(inputs, fall=before.inputs.fall, hits=())
        memory, performer = ticked(scenery, member, before, inputs), member.performer
        poses = (performer.character.wanted(*told) for told in ((before.memory, before.inputs), (memory, inputs)))
        now, then = (bodies_in(performer, self.plan, pose) for pose in poses)
        return now, then

    def _shown(self, row: FallRow, wishes: Wishes) -> FallRow:
        """A tail that its springs have is carried along, as it is posed."""
        if wishes.tail or not any(is_of(body.limb, "tail") for body in self.plan.bodies):
            return row
        weights = row.weights or (1.0,) * len(self.plan.bodies)
        shares = zip(self.plan.bodies, weights, strict=True)
        return row._replace(weights=tuple(0.0 if is_of(body.limb, "tail") else weight for body, weight in shares))


def engine_of(
    scenery: Scenery,
    member: Member,
    before: Snapshot,
    now: Snapshot,
    earlier: Mapping[int, Placed] | None = None,
    *,
    rising: bool,
) -> Engine:
    """Physics takes over the body as it is at a frame, with the speed that it has come with from the one before.

    `earlier` is where loose bodies of the scene were then. A body that is `rising` is not firm on its feet.
    """
    performer, scene, dt = member.performer, scenery.scene, 1.0 / scenery.fps
    plan = performer.config.ragdoll
    if plan is None:
        raise RefusedError(text("fall_no_bodies", name=member.obj.name))
    if now.memory.travel.jumped:
        before = now
    was, is_now = (bodies_in(performer, plan, performer.pose_of(item)) for item in (before, now))
    metres = metres_per_unit(scene)
    gravity = tuple(value * metres if scene.use_gravity else 0.0 for value in scene.gravity)
    middle = (is_now[0], is_now[1], is_now[2])
    around = gather_colliders(member.obj, scene, middle, earlier, dt, plan.height)
    if not any(solid.is_ground for solid in around.solids):
        around = Colliders((*around.solids, _as_if(now.memory.travel.place, plan.height)))
    run = PhysicsRun(plan, falls(performer.config.fall.fall_numbers).active, scenery.fps, gravity, around)
    run.__enter__()
    Walk.physics += 1
    engine = Engine(plan, run)
    try:
        if rising:
            run.memory.state = "GETTING_UP"
        run.begin(was, is_now, dt)
    except BaseException:
        engine.close()
        raise
    return engine


def _as_if(place: Place, tall: float) -> Solid:
    """Where there is no ground at all a character walks on at the height that it had: it falls onto that too."""
    wide = WIDE * tall
    return Solid(0, "STILL", "BOX", (place.x, place.y, place.z - 0.5 * wide), NO_TURN, (wide,) * 3, is_ground=True)


def bodies_in(performer: Performer, plan: RagdollPlan, pose: PoseFrame) -> tuple[float, ...]:
    """The bodies of a pose, world, metres."""
    return bodies_of(plan, EditedPose.of_frame(performer.reading.rig.skeleton, pose), world_matrix(pose.ground))


def limb_share(limb: str, limp: tuple[float, ...]) -> float:
    """How much of a limb physics has, by the shares of body, head, arms, legs and tail."""
    found = (share for kind, share in zip(LIMBS, limp, strict=True) if is_of(limb, kind))
    return next(found, limp[0])


def rises(member: Member, snapshot: Snapshot) -> bool:
    """True while the core raises the body, after a frame."""
    return member.performer.character.rises(snapshot.memory)
