"""Tails, ears, antennae, hair and props that lag behind and swing.

Each bone is a damped oscillator about the direction in which the pose has it, in world space, solved in closed form
from frame to frame: frequency and decay are what is set, at any frame rate. It feels how its chain's root speeds up,
slows down and turns (evenly in between two frames), gravity, wind, and the air that it travels through. Bones only
turn, so their lengths stay; spheres of the body and the ground keep them out.

Sources: D. Holden, "Spring-It-On: The Game Developer's Spring-Roll-Call" (2021) for exact springs; M. Mueller et al.,
"Position Based Dynamics" (2007) for putting right what penetrates and taking away the speed into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import LayerInput
from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from ..rig.rig import Problem, Rig
from ..space.copying import copier
from ..space.dampers import damp
from ..space.oscillator import step
from .hanging import hanging_of
from .layer import Moment
from .spheres import Blocked, Cone, blocked_by, blocked_under, body_spheres, clear_of
from .spring_bones import LEG, SpringBone, spring_chains
from .springs_config import SpringsConfig
from .swing import STILL, Swing, bend, stopped, swung
from .wind import wind_at

GRAVITY = Vector((0.0, 0.0, -9.81)).freeze()
ALONG = Vector((0.0, 1.0, 0.0)).freeze()
UP = Vector((0.0, 0.0, 1.0)).freeze()
# How quickly it ceases to feel anything, and begins to again, as a halflife; and what is little enough to be nothing.
_LET_GO = 0.12
_UNFELT = 0.01
# The square of the smallest turn that is written, radians.
_SMALLEST = 1e-12
# A surface steeper than this (its normal's share upward) is no ground to lie on, but it holds up what is over it.
_UPRIGHT = 0.1


@dataclass(slots=True)
class SpringsMemory:
    """The last frame: `origin` of model space in the world; the rest world space from there.

    Of each chain the root's place and felt velocity, of each bone its swing and where its joint was, of each sphere its
    middle. `felt` is how much is felt now, `time` the wind's.
    """

    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    roots: tuple[Vector, ...] = ()
    velocities: tuple[Vector, ...] = ()
    swings: tuple[Swing, ...] = ()
    joints: tuple[Vector, ...] = ()
    centers: tuple[Vector, ...] = ()
    felt: float = 1.0
    time: float = 0.0
    reason: str = ""

    def copy(self) -> SpringsMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(SpringsMemory)


class _Space(NamedTuple):
    """One frame in the world's directions, from model space's origin: the posed bones, their joints, the spheres'
    middles, the turn to the world, what pushes and pulls on each chain, which of them are near the ground, and how
    much of a turn is felt.
    """

    models: list[Matrix]
    heads: list[Vector]
    centers: tuple[Vector, ...]
    turn: Quaternion
    pushes: list[Vector]
    pulls: list[Vector | None]
    floors: list[bool]
    felt: float


class Springs:
    """The layer: all that swings on one rig."""

    def __init__(self, rig: Rig, config: SpringsConfig) -> None:
        self._config = config
        self._jump = config.jump * max(rig.leg_length / LEG, 1.0)
        found, self.problems = hanging_of(rig, config.bones)
        if not found and not self.problems:
            reason = "Springs found neither tail, ears nor anything else that hangs on this rig."
            self.problems = (Problem("", reason, "Name bones in its settings, or take the layer off."),)
        spheres = body_spheres(rig) if config.collide else ()
        chains = spring_chains(rig, config, found, spheres)
        bones = [item for chain in chains for item in chain.bones]
        used = sorted({place for item in bones for place, _ in item.spheres})
        self._spheres = tuple(spheres[place] for place in used)
        self._bones = tuple(
            item._replace(spheres=tuple((used.index(place), radius) for place, radius in item.spheres))
            for item in bones
        )
        self._sizes = tuple(chain.size for chain in chains)
        numbers = [item.chain for item in bones]
        self._roots = tuple(numbers.index(k) for k in range(len(chains)))

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """All bones that swing turn."""
        return tuple(sorted(item.bone for item in self._bones)), ()

    def start(self) -> SpringsMemory:
        """Nothing seen yet: at rest where the first pose will have it."""
        return SpringsMemory()

    def apply(self, pose: EditedPose, memory: SpringsMemory, moment: Moment, wish: LayerInput) -> None:
        """One frame on, however long it is."""
        if not self._bones:
            return
        # All is read before anything turns: what hangs on what hangs is led by the pose as well.
        models = [pose.model(item.bone) for item in self._bones]
        turn = moment.to_world.to_quaternion()
        heads = [turn @ matrix.to_translation() for matrix in models]
        centers = tuple(turn @ (pose.moved(item.bone) @ item.center) for item in self._spheres)
        # At the first frame after one that it rests in, all is taken to have moved so for ever.
        knows = bool(memory.velocities)
        travels, pushes = self._moved(memory, moment, wish, [heads[i] for i in self._roots])
        pulls = self._pulls(memory, travels)
        floors = [self._near_ground(moment, k, heads[i]) for k, i in enumerate(self._roots)]
        felt = memory.felt if knows else 0.0
        self._swing(pose, memory, moment, _Space(models, heads, centers, turn, pushes, pulls, floors, felt))
        memory.centers = centers

    def _moved(
        self, memory: SpringsMemory, moment: Moment, wish: LayerInput, roots: list[Vector]
    ) -> tuple[list[Vector], list[Vector]]:
        """How fast each chain's root travels, and by how much it got slower of what is felt (m/s, world).

        The memory goes on to this frame, and forgets its swings where it begins anew.
        """
        config, dt, ground, last = self._config, moment.dt, moment.ground, memory.origin
        shift = Vector((ground.x - last[0], ground.y - last[1], ground.z - last[2]))
        moves = [here - there + shift for here, there in zip(roots, memory.roots, strict=False)]
        memory.origin, memory.roots = (ground.x, ground.y, ground.z), tuple(roots)
        on = 1.0 if wish.on else 0.0
        if dt <= 0.0 or not moves or max(move.length_squared for move in moves) > self._jump**2:
            memory.swings, memory.velocities, memory.felt = (), (), on
            return [Vector(moment.velocity)] * len(roots), [STILL] * len(roots)
        felt = damp(memory.felt, on, _LET_GO, dt)
        memory.felt = on if abs(felt - on) < _UNFELT else felt
        memory.time += dt
        unfelt = shift * (1.0 - config.inertia)
        velocities = tuple((move - unfelt) / dt for move in moves)
        pushes = [STILL] * len(roots)
        if memory.velocities and memory.felt > 0.0:
            pushes = [(a - b) * memory.felt for a, b in zip(memory.velocities, velocities, strict=True)]
        memory.velocities = velocities
        return [move / dt for move in moves], pushes

    def _pulls(self, memory: SpringsMemory, travels: list[Vector]) -> list[Vector | None]:
        """What pulls on each chain, m/s^2, world: gravity, and the air against its travel and with the wind."""
        config = self._config
        if memory.felt <= 0.0 or not (config.gravity or config.drag):
            return [None] * len(travels)
        steady = GRAVITY * config.gravity
        if config.wind:
            wind = wind_at(config.wind, config.wind_heading, config.gusts, config.seed, memory.time)
            steady = steady + wind * config.drag
        return [(steady - travel * config.drag) * memory.felt for travel in travels]

    def _near_ground(self, moment: Moment, chain: int, head: Vector) -> bool:
        """True where a chain could reach the ground: one question to the world."""
        if not self._config.ground:
            return False
        reach = self._sizes[chain] + self._bones[self._roots[chain]].thick
        return moment.world.nearest(_in_world(moment, head), reach) is not None

    def _swing(self, pose: EditedPose, memory: SpringsMemory, moment: Moment, space: _Space) -> None:
        """All bones one frame on, from the roots to the tips."""
        before = memory.swings
        meets = bool(space.centers) or any(space.floors)
        after: list[Swing] = []
        joints: list[Vector] = []
        turns: list[Quaternion] = []
        for k, item in enumerate(self._bones):
            frame = space.turn @ space.models[k].to_quaternion()
            posed = frame @ ALONG
            pull = space.pulls[item.chain]
            goal = posed if pull is None else _pulled(posed, pull * item.give)
            lean = rate = turning = STILL
            if before:
                push = space.pushes[item.chain]
                push = push if push is STILL else push / item.lever
                motion = step(*item.rates, moment.dt), moment.dt
                lean, rate, turning = swung(before[k], posed, goal, push, space.felt, motion)
            bent = bend(lean, goal, posed, item.limit)
            turned = NO_TURN if bent.length_squared < _SMALLEST else Quaternion(bent)
            swing = Swing(posed, goal, lean, rate, turning, turned @ posed)
            if meets:
                joints.append(_carried(item, space.heads, joints, turns, k))
                kept = self._kept_out(k, swing, joints[k], memory, moment, space)
                if kept is not swing:
                    swing, turned = kept, posed.rotation_difference(kept.along)
            after.append(swing)
            turns.append(turned)
            above = turns[item.above] if item.turns_along else NO_TURN
            if turned is not NO_TURN or above is not NO_TURN:
                # The bone's own turn under its parent's, from world directions to the bone's axes.
                own = frame.conjugated() @ (above.conjugated() @ turned) @ frame
                basis = (pose.rotations[item.bone] @ own).normalized()
                pose.set_basis(item.bone, basis, pose.locations.get(item.bone))
        memory.swings, memory.joints = tuple(after), tuple(joints)

    def _kept_out(
        self, k: int, swing: Swing, joint: Vector, memory: SpringsMemory, moment: Moment, space: _Space
    ) -> Swing:
        """A bone outside of all spheres and above the ground, as far as a turn gets it there; as it is if it was so."""
        item = self._bones[k]
        cones: list[Blocked] = []
        for place, radius in item.spheres:
            cone = blocked_by(space.centers[place] - joint, item.length, radius)
            if cone is not None:
                before = None
                if memory.joints and memory.swings:
                    # Sphere and joint have moved: the bone's last direction goes along with the way between them.
                    last = memory.centers[place] - memory.joints[k]
                    before = last.rotation_difference(cone.axis) @ memory.swings[k].along
                cones.append((cone, before))
        if space.floors[item.chain]:
            cone = self._ground_under(item, joint, swing.along, moment, space)
            if cone is not None:
                cones.append((cone, None))
        along, ways = clear_of(cones, swing.along)
        if not ways:
            return swing
        swing = swing._replace(along=along)
        for way in ways:
            swing = stopped(swing, way, item.limit)
        return swing

    def _ground_under(
        self, item: SpringBone, joint: Vector, along: Vector, moment: Moment, space: _Space
    ) -> Cone | None:
        """The directions in which the ground is; one ray straight down on the bone's tip.

        It is asked for from the height of the chain's root: what is under that is ground, and nothing falls through.
        """
        up = space.turn @ UP
        tip = joint + along * item.length
        rise = max((space.heads[self._roots[item.chain]] - tip).dot(up), 0.0) + item.thick
        hit = moment.world.cast_ray(_in_world(moment, tip + up * rise), -up, rise + item.thick)
        if hit is None:
            return None
        normal = hit.normal if hit.normal.dot(up) > _UPRIGHT else up
        height = (_in_world(moment, joint) - hit.position).dot(normal)
        return blocked_under(normal, height - item.thick, item.length)


def _in_world(moment: Moment, place: Vector) -> Vector:
    """A place that is told from model space's origin in the world's directions, in the world."""
    ground = moment.ground
    return Vector((ground.x + place.x, ground.y + place.y, ground.z + place.z))


def _pulled(posed: Vector, pull: Vector) -> Vector:
    """Where a bone comes to rest that its spring holds one way and something pulls another."""
    goal = posed + pull
    return goal.normalized() if goal.length_squared > _SMALLEST else posed


def _carried(item: SpringBone, heads: list[Vector], joints: list[Vector], turns: list[Quaternion], k: int) -> Vector:
    """Where a bone's joint is, on what carries it as that now points."""
    above = item.above
    return heads[k] if above < 0 else joints[above] + turns[above] @ (heads[k] - heads[above])
