"""Limbs of a move kept out of what is solid: an end that is inside is brought out, a knee or an elbow swung out.

Key poses know nothing of the level. What of them is inside of something comes out by the nearest way; a limb that holds
on to a surface gives by no more than it may miss it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import atan2, inf
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import Ground
from ..rig.rig import Rig
from ..space.dampers import spring
from ..space.vectors import cross, triple
from ..world.world import World
from .moves_elbows import swung
from .moves_freed import END, LOWER, UPPER, Push, freed
from .moves_limbs import Limbs
from .moves_memory import NONE, NOWHERE, Cleared, MovesMemory
from .moves_touching import TouchingLimb

UP = Vector((0.0, 0.0, 1.0))
# What is inside by more than this share of the leg is in something else than what it goes over.
DEEPEST = 0.35
# A hand that holds gives by this share of the leg, 1.3 cm for a person, a foot by 1.3 times that.
GIVES = 0.014
# A hand may be in what it holds by this share of the leg.
SINKS = 0.008
# A knee or an elbow is swung out by at most so much (radians).
SWINGS = 1.3
# A limb is half out of the way after so long, seconds for a 0.9 m leg.
EASES = 0.03
# What moves a limb by less (metres, radians) moves it not; a middle that no turn brings out (shares of the leg) stays.
OVER, LEAST = 1e-5, 0.03
# A way out that leads so much upward comes out of a floor.
UPRIGHT = 0.7
# So often an end is brought out: what is out of one face may be in the next.
TIMES = 3
# How thick limbs are, from the line between their joints outward: upper and lower half of arms, of legs, and the trunk;
# shares of the leg.
ARM, LEG, TRUNK = (0.055, 0.05), (0.066, 0.052), 0.12
# So near before something a limb begins to give, shares of the leg: so it comes out of the way without a jolt.
SOFT, SOFT_END = 0.06, 0.02
# Where along the upper half of a limb it is looked whether it is free, and along the lower one of an arm and of a leg.
UPPERS, FOREARMS, SHINS = (0.35, 0.7, 1.0), (0.25, 0.5, 0.75, 1.0), (0.12, 0.3, 0.55, 0.8, 1.0)
# With what hangs on it the trunk gives way for these parts of a limb.
ROOTS = (0.0, 0.15)
# Between those it is looked so often for what is nearest to something.
HALVES = 3
# A limb that has hold by so much may have its hand or foot in what it holds.
HOLDS = 0.45
# The end of a limb that holds gives by so much less. What points straight into a wall drops by so much on its way
# aside.
HELD, DROPS = 0.97, 0.4
# What lags may be in something by so much, shares of the leg.
SPARE = 0.013
# By more it is not left in there even where that jolts it.
UTMOST = 0.018
# So often such a one is brought out: how far its joints let it come is seen only then.
AGAIN = 6
# A wall so far from the hips is in the way of a body on the ground, and so is an edge that a foot is so far under;
# shares of the leg.
NEARBY, UNDER = 0.75, 0.04


class Place(NamedTuple):
    """Where and when a pose is. Without a `world` nothing is in the way, and what was gives way. `walls` alone are in
    the way of hands and feet of a body that leaves a floor or comes down on it; on a `floor` a body lies with its skin.
    What is in by less than `spare` (metres) may stay, and nothing gives early.
    """

    ground: Ground
    world: World | None
    dt: float
    walls: bool = False
    floor: bool = False
    spare: float = 0.0


class Out(NamedTuple):
    """The way out of something, and how far free of it a place is (metres, negative inside)."""

    way: Vector
    free: float


AWAY = Out(Vector(), inf)


class Clear:
    """The limbs of one rig. Immutable: what changes is in a memory's rows, one a limb that is out of its way."""

    def __init__(self, rig: Rig, limbs: Limbs) -> None:
        self.limbs, self.size = limbs, rig.leg_length
        self.halflife = EASES * (rig.leg_length / 0.9) ** 0.5
        unrest = rig.skeleton.unrest
        self._points = {}
        for role, limb in limbs.known.items():
            ends = [(limb.end, limb.root), (limb.end, limb.touch.point)]
            if limb.is_hand and limb.touch.bone >= 0:
                ends.append((limb.end, Vector((0.0, rig.skeleton.bones[limb.end].length, 0.0))))
            self._points[role] = (*ends, *((bone, unrest[bone] @ point) for bone, point in limb.sole))
        hips = [leg.hip for leg in rig.legs]
        self._hips = sum(hips, Vector()) / len(hips) if hips else rig.skeleton.bones[rig.body].head
        self._trunk = (rig.body, *rig.spine, *((rig.head,) if rig.head >= 0 else ()))

    def is_near(self, pose: EditedPose, ground: Ground, world: World) -> bool:
        """True where something is so near to the hips of a body on the ground that limbs may come into it, or where a
        foot is over its edge.
        """
        hips = world_of(ground) @ (pose.moved(self.limbs.body) @ self._hips)
        if world.nearest(hips, NEARBY * self.size) is not None:
            return True
        feet = (limb.place(pose).z for limb in self.limbs.known.values() if not limb.is_hand)
        return min(feet, default=0.0) < -UNDER * self.size

    def shift(self, pose: EditedPose, memory: MovesMemory, place: Place) -> None:
        """Bring the trunk out of what is solid, with all that hangs on it, in its own time."""
        at, out = world_of(place.ground), Vector()
        if place.world is not None:
            thick, soft = TRUNK * self.size, SOFT * self.size
            points = [pose.moved(self.limbs.body) @ self._hips, *(pose.head(i) for i in self._trunk)]
            points += [pose.tail(i) for i in self._trunk[-1:]]
            ways = [self._way(at @ point, place, thick, soft).way for point in points]
            for limb in self.limbs.known.values():
                first, second = limb.limb.joints(pose)[:2]
                root = (ARM if limb.is_hand else LEG)[0] * self.size
                ways += [self._way(at @ first.lerp(second, share), place, root, soft).way for share in ROOTS]
            out = max(ways, key=lambda way: way.length)
        was = next((row for row in memory.cleared if row.limb == ""), NOWHERE)
        row = self._eased(was, out, 0.0, place.dt)
        rest = tuple(row for row in memory.cleared if row.limb)
        memory.cleared = rest if row is None else (row, *rest)
        if row is not None:
            self.limbs.shift(pose, at.to_quaternion().inverted() @ Vector(row.out))

    def keep(self, pose: EditedPose, memory: MovesMemory, place: Place, held: Mapping[str, float]) -> None:
        """Bring all limbs out of what is solid, in their own time; `held` is how much each has hold of something."""
        at = world_of(place.ground)
        before = {row.limb: row for row in memory.cleared}
        rows = [row for row in memory.cleared if not row.limb]
        for role, limb in self.limbs.known.items():
            was, out, swing, holds = before.get(role, NOWHERE), Vector(), 0.0, held.get(role, 0.0)
            if self._meets(pose, limb, at, place):
                out, swing = self._free(pose, role, at, place, holds)
            row = self._eased(was._replace(limb=role), out, swing, place.dt)
            if row is not None:
                out, most = Vector(row.out), self._most(holds, is_hand=limb.is_hand)
                self._lay(pose, role, at, out * (most / out.length) if out.length > most else out, row.swing)
                rows.append(row)
        memory.cleared = tuple(rows)

    def guard(self, pose: EditedPose, place: Place, held: Mapping[str, float], spare: float = SPARE) -> None:
        """Bring out at once what is deeper in something than it may ever be (`spare`, a share of the leg), as a limb
        that lags may be.
        """
        at, tight = world_of(place.ground), place._replace(spare=spare * self.size)
        for role, limb in self.limbs.known.items():
            for _ in range(AGAIN if self._meets(pose, limb, at, tight) else 0):
                out, swing = self._free(pose, role, at, tight, held.get(role, 0.0))
                if out.length <= OVER and not swing:
                    break
                self._lay(pose, role, at, out, swing)

    def _meets(self, pose: EditedPose, limb: TouchingLimb, at: Matrix, place: Place) -> bool:
        """False for a limb that nothing is near to."""
        if place.world is None:
            return False
        joints = [*limb.limb.joints(pose), limb.place(pose), *(pose.moved(bone) @ point for bone, point in limb.sole)]
        centre = (joints[0] + joints[-1]) * 0.5
        reach = max((joint - centre).length for joint in joints) + (LEG[0] + SOFT + 0.1) * self.size
        return place.world.nearest(at @ centre, reach) is not None

    def _lay(self, pose: EditedPose, role: str, at: Matrix, out: Vector, swing: float) -> None:
        """Move a limb's end (world), turned as it is, and turn its middle about the line to it."""
        if out.length > OVER:
            self.limbs.push(pose, role, at.to_quaternion().inverted() @ out)
        if abs(swing) > OVER:
            swung(pose, self.limbs.known[role], swing)

    def _most(self, held: float, *, is_hand: bool) -> float:
        """How far a limb's end gives way, metres, by how much it holds."""
        return self.size * (DEEPEST + ((GIVES if is_hand else 1.3 * GIVES) - DEEPEST) * held)

    def _eased(self, was: Cleared, out: Vector, swing: float, dt: float) -> Cleared | None:
        """A limb on its way out of something, or back; None where it is on its own way."""
        if dt <= 0.0:
            row = Cleared(was.limb, triple(out), NONE, swing, 0.0)
        else:
            pairs = [spring(a, v, b, self.halflife, dt) for a, v, b in zip(was.out, was.speed, out, strict=True)]
            (x, u), (y, v), (z, w) = pairs
            gap = out - Vector((x, y, z))
            if gap.length > SPARE * self.size and gap.dot(out) > 0.0:
                # So deep it does not stay, however quickly it came.
                x, y, z = out - gap * (SPARE * self.size / gap.length)
            turned, turns = spring(was.swing, was.swing_speed, swing, self.halflife, dt)
            row = Cleared(was.limb, (x, y, z), (u, v, w), turned, turns)
        return row if max(*map(abs, row.out), abs(row.swing)) > OVER else None

    def _free(self, pose: EditedPose, role: str, at: Matrix, place: Place, held: float) -> tuple[Vector, float]:
        """How a limb is free: how far its end is moved (world), and its middle turned about the line to it."""
        limb = self.limbs.known[role]
        before = [at @ joint for joint in limb.limb.joints(pose)]
        # Toes that lag bend, they do not keep a foot off what it stands on.
        points = [one for one in self._points[role] if not place.spare or one[0] == limb.end]
        ends = [at @ (pose.model(bone) @ point) - before[-1] for bone, point in points]
        if len(before) != 3:
            return self._end_out(before, ends, place, held), 0.0
        lengths = (before[1] - before[0]).length, (before[2] - before[1]).length
        aside = at.to_quaternion() @ Vector((limb.limb.side, 0.0, -DROPS)).normalized()
        joints, pushes = before, list[Push]()
        for _ in range(TIMES):
            more = self._pushes(limb, joints, ends, place, held)
            if not more:
                break
            pushes += more
            joints = freed(joints, lengths, pushes, 1.0 - HELD * held, aside)
        out = joints[2] - before[2]
        most = self._most(held, is_hand=limb.is_hand)
        if out.length > most:
            out *= most / out.length
        return out, self._swung(pose, role, at, out, joints[1]) if joints is not before else 0.0

    def _end_out(self, joints: list[Vector], ends: list[Vector], place: Place, held: float) -> Vector:
        """How far the end of a limb of more or fewer segments than two is moved, so that it is free."""
        whole, soft = Vector(), SOFT_END * self.size * (1.0 - held)
        for _ in range(TIMES):
            ways = [self._way(joints[-1] + end + whole, place, 0.0, soft, joints[0]).way for end in ends]
            whole += max(ways, key=lambda way: way.length)
        return whole

    def _pushes(
        self, limb: TouchingLimb, joints: list[Vector], ends: list[Vector], place: Place, held: float
    ) -> list[Push]:
        """All that pushes a limb now."""
        found = []
        thick = tuple(value * self.size for value in (ARM if limb.is_hand else LEG))
        soft, least = SOFT * self.size, SOFT_END * self.size * (1.0 - held)
        lowers = FOREARMS if limb.is_hand else SHINS
        for part, shares in ((UPPER, UPPERS), (LOWER, lowers if held < HOLDS else lowers[:-1])):
            first, last = joints[part], joints[part + 1]

            def out(share: float, ends: tuple[Vector, Vector] = (first, last), part: int = part) -> Out:
                return self._way(ends[0].lerp(ends[1], share), place, thick[part], soft, joints[0])

            seen = [(share, out(share)) for share in shares]
            if any(one.free < soft for _, one in seen):
                seen.append(_nearest(seen, out))
            for share, one in seen:
                if one.way.length > OVER:
                    found.append(_push(part, share, Vector(), first.lerp(last, share), one.way))
        sinks = SINKS * held * self.size if limb.is_hand else 0.0
        for end in ends:
            way = self._way(joints[2] + end, place, -sinks, least, joints[0]).way
            if way.length > OVER:
                found.append(_push(END, 0.0, end, joints[2] + end, way))
        return found

    def _swung(self, pose: EditedPose, role: str, at: Matrix, out: Vector, middle: Vector) -> float:
        """By how much a limb whose end is moved has to be turned so that its middle comes near a place (radians)."""
        limb, kept = self.limbs.known[role], pose.held()
        self._lay(pose, role, at, out, 0.0)
        root, own, end = limb.limb.joints(pose)
        pose.take(kept, {*limb.limb.bones, limb.end})
        line = end - root
        if line.length <= OVER:
            return 0.0
        line = line.normalized()
        pair = [way - line * way.dot(line) for way in (own - root, at.inverted() @ middle - root)]
        if min(way.length for way in pair) < LEAST * self.size:
            return 0.0
        angle = atan2(line.dot(cross(*pair)), pair[0].dot(pair[1]))
        return max(-SWINGS, min(SWINGS, angle))

    def _way(self, point: Vector, place: Place, thick: float, soft: float, root: Vector | None = None) -> Out:
        """From a point that is nearer to something than it is `thick`, or inside, to where it is free; within `soft`
        before that it begins to give. What has its `root` outside goes back the way that it came in.
        """
        if place.world is None:
            return AWAY
        hit = place.world.nearest(point, DEEPEST * self.size)
        if root is not None and (hit is None or hit.back):
            way = point - root
            entry = place.world.cast_ray(root, way.normalized(), way.length) if way.length > OVER else None
            if entry is not None and not entry.back:
                depth = (entry.position - point).dot(entry.normal)
                hit = entry._replace(position=point + entry.normal * depth, back=True) if depth > 0.0 else hit
        if hit is None:
            return AWAY
        out = hit.position - point if hit.back else point - hit.position
        gap = out.length
        way = out / gap if gap > OVER else hit.normal
        if way.z > UPRIGHT:
            if place.walls and thick <= 0.0:
                return AWAY
            thick, soft = (0.0, 0.0) if place.floor else (thick, 0.0 if place.walls else soft)
        free = (-gap if hit.back else gap) - thick + place.spare
        if place.spare:
            return Out(way * max(0.0, -free), free)
        if free >= soft:
            return Out(Vector(), free)
        return Out(way * (-free if free <= -soft else (soft - free) ** 2 / (4.0 * soft)), free)


def _nearest(seen: Sequence[tuple[float, Out]], out: Callable[[float], Out]) -> tuple[float, Out]:
    """The place between those that were looked at that is nearest to something: before a corner it is neither."""
    k = min(range(len(seen)), key=lambda k: seen[k][1].free)
    low, high = seen[max(0, k - 1)][0], seen[min(len(seen) - 1, k + 1)][0]
    best = seen[k]
    for _ in range(HALVES):
        for share in (0.5 * (low + best[0]), 0.5 * (best[0] + high)):
            one = out(share)
            if one.free < best[1].free:
                best = share, one
        quarter = 0.25 * (high - low)
        low, high = max(low, best[0] - quarter), min(high, best[0] + quarter)
    return best


def _push(part: int, share: float, off: Vector, place: Vector, way: Vector) -> Push:
    normal = way.normalized()
    return Push(part, share, off, normal, place.dot(normal) + way.length)


def world_of(ground: Ground) -> Matrix:
    """Where model space stands in the world."""
    return Matrix.Translation(ground[:3]) @ Quaternion(UP, ground.heading).to_matrix().to_4x4()
