"""What of a body looks: chest, neck and head as a chain, where its eyes are, how far each part turns."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

from mathutils import Quaternion, Vector

from ..ik.aim import Angles, Facing, TurnedChain, angles_of, level, nodding, summed
from ..rig.edited_pose import EditedPose
from ..rig.names import read_name
from ..rig.rig import Rig
from ..space.curves import share_of

FORWARD = Vector((0.0, -1.0, 0.0))
# A body that leans by up to this much still looks about the world's upright; what lies looks about its own.
LEVELLED = radians(40.0)
# Joints nearer than this share of the leg are one.
ONE_PLACE = 0.004
# Neck lengths in legs at which a body has a person's neck, and one that turns freely: on two legs, on more.
NECK_OF_TWO, NECK_OF_MORE = (0.3, 0.6), (0.0, 0.45)
MANY_LEGS = 6
# A line within 45 degrees of the facing can be a line of sight.
AHEAD = 0.7


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a head turns against its body, past which yaw it gives a target up, and who makes the turn.

    `chest` is the chest's share of the turn, `neck` the neck's of what the chest leaves, `nod` the same of looking up
    and down; the head makes the rest.
    """

    yaw: float
    up: float
    down: float
    give_up: float
    chest: float
    neck: float
    nod: float


PERSON = Bounds(radians(75.0), radians(29.0), radians(40.0), radians(110.0), 0.2, 1.0 / 3.0, 1.0 / 3.0)
# A long neck is lowered and raised as a whole, and the head with it.
LONG_NECK = Bounds(radians(100.0), radians(55.0), radians(80.0), radians(135.0), 0.2, 0.65, 1.0)
STIFF = Bounds(radians(30.0), radians(20.0), radians(25.0), radians(90.0), 0.2, 1.0 / 3.0, 1.0 / 3.0)


def bounds_of(rig: Rig) -> Bounds:
    """What suits a body: by its legs and the length of its neck."""
    bones, neck = rig.skeleton.bones, (*rig.neck, rig.head)
    if not rig.neck and len(rig.legs) >= MANY_LEGS:
        return STIFF
    length = sum((bones[j].head - bones[i].head).length for i, j in zip(neck, neck[1:], strict=False))
    low, high = NECK_OF_TWO if len(rig.legs) <= 2 else NECK_OF_MORE
    share = share_of(length / max(rig.leg_length, 1e-6), low, high)

    def mixed(name: str) -> float:
        person, free = getattr(PERSON, name), getattr(LONG_NECK, name)
        return float(person + (free - person) * share)

    return Bounds(*(mixed(name) for name in ("yaw", "up", "down", "give_up", "chest", "neck", "nod")))


@dataclass(frozen=True, slots=True)
class Eye:
    """An eye's bone, and the way it looks at rest in the bone's own axes."""

    bone: int
    forward: Vector


@dataclass(frozen=True, slots=True)
class View:
    """A chain as it is posed: its joints, which way its head faces, and what brings model space to that frame."""

    chain: TurnedChain
    facing: Facing
    inverse: Quaternion
    parts: tuple[float, ...]
    nods: tuple[float, ...]

    def turns(self, end: Angles) -> list[Quaternion]:
        """What each bone turns by for the head to face `end`."""
        return nodding(self.facing, end, self.parts, self.nods)


@dataclass(frozen=True, slots=True)
class LookChain:
    """The bones that turn a head, lowest first, with their parts of its yaw and of its nods.

    `carrier` is the bone against which the head turns (-1: the model itself), `unrest` takes its rest rotation off and
    `unrest_head` the head's. `place` (between the eyes) and `forward` (the line of sight at rest) are in the last
    bone's axes.
    """

    bones: tuple[int, ...]
    parts: tuple[float, ...]
    nods: tuple[float, ...]
    carrier: int
    unrest: Quaternion
    unrest_head: Quaternion
    place: Vector
    forward: Vector
    eyes: tuple[Eye, ...]

    def frame(self, pose: EditedPose) -> Quaternion:
        """The chest's facing, held upright: what yaw and pitch are told against."""
        carried = pose.turn(self.carrier) @ self.unrest if self.carrier >= 0 else Quaternion()
        return level(carried, LEVELLED)

    def view(self, pose: EditedPose) -> View:
        """The chain as this pose has it."""
        frame = self.frame(pose)
        head = pose.model(self.bones[-1])
        chain = TurnedChain([pose.head(i) for i in self.bones], head @ self.place)
        inverse = frame.inverted()
        facing = Facing(frame, angles_of(inverse @ (head.to_quaternion() @ self.forward)))
        return View(chain, facing, inverse, self.parts, self.nods)

    def turn(self, pose: EditedPose, turns: list[Quaternion]) -> None:
        """Turn each bone by its own turn, model space, on top of what the pose has."""
        before = [pose.turn(i) for i in self.bones]
        for i, turn, was in zip(self.bones, turns, before, strict=True):
            pose.set_turn(i, turn @ was)


def look_chain(rig: Rig, bounds: Bounds, own: frozenset[int] | None = None) -> LookChain | None:
    """The chain that turns the head of a rig, of `own` bones only if they are given; None if it has no head."""
    if rig.head < 0:
        return None
    bones, skeleton = rig.skeleton.bones, rig.skeleton
    head, neck = _skull(rig)
    above = set(skeleton.ancestors(head))
    chest = rig.spine[-1] if rig.spine and rig.spine[-1] in above and rig.spine[-1] not in neck else -1
    carrier = chest if chest >= 0 else bones[(*neck, head)[0]].parent
    if own is not None:
        neck = tuple(i for i in neck if i in own)
    free = own is None or chest in own
    turned = (chest,) if free and chest >= 0 and bounds.chest > 0.0 and not _carries_legs(rig, chest) else ()
    count, chests = len(neck), [bounds.chest] * len(turned)
    rest = 1.0 - sum(chests)
    of_neck, of_nod = (rest * share if neck else 0.0 for share in (bounds.neck, bounds.nod))
    # The upper bones of a neck turn more than those at its base, from where it is lowered: they all go along.
    ranks = [2.0 * (rank + 1) / (count * (count + 1)) for rank in range(count)]
    shares = [*chests, *(of_neck * rank for rank in ranks), rest - of_neck]
    nods = [*chests, *(of_nod * rank for rank in reversed(ranks)), rest - of_nod]
    eyes = _eyes(rig, head)
    unrest = bones[head].rest.inverted()
    return LookChain(
        (*turned, *neck, head),
        summed(shares),
        summed(nods),
        carrier,
        bones[carrier].rest.to_quaternion().inverted() if carrier >= 0 else Quaternion(),
        bones[head].rest.to_quaternion().inverted(),
        unrest @ _between_eyes(rig, head, eyes),
        bones[head].rest.to_quaternion().inverted() @ _line_of_sight(rig, eyes),
        eyes,
    )


def _skull(rig: Rig) -> tuple[int, tuple[int, ...]]:
    """The bone that turns the head, and the neck below it: a face that begins where its skull does only goes along."""
    bones, head, neck = rig.skeleton.bones, rig.head, rig.neck
    while neck and bones[head].parent == neck[-1]:
        if (bones[head].head - bones[neck[-1]].head).length > ONE_PLACE * rig.leg_length:
            break
        head, neck = neck[-1], neck[:-1]
    return head, neck


def _carries_legs(rig: Rig, bone: int) -> bool:
    return any(bone in rig.skeleton.ancestors(leg.bones[0]) for leg in rig.legs)


def _eyes(rig: Rig, head: int) -> tuple[Eye, ...]:
    """A left and a right eye under the head, by name; none unless both are there."""
    bones, found = rig.skeleton.bones, dict[str, int]()
    for i in rig.skeleton.below[head]:
        name = read_name(bones[i].name)
        looks = name.key in ("eye", "eyeball") or name.key.endswith("faceeye")
        if looks and name.side and not name.end and name.side not in found:
            found[name.side] = i
    if len(found) < 2:
        return ()
    return tuple(
        Eye(i, bones[i].rest.to_quaternion().inverted() @ (_sight_of(rig, i) or FORWARD))
        for i in (found["L"], found["R"])
    )


def _sight_of(rig: Rig, bone: int) -> Vector | None:
    """The way from an eye's joint to its far end, if that is ahead: eyes may also lie across or hang."""
    line = (rig.skeleton.bones[bone].tail - rig.skeleton.bones[bone].head).normalized()
    return line if line.dot(FORWARD) > AHEAD else None


def _line_of_sight(rig: Rig, eyes: tuple[Eye, ...]) -> Vector:
    """The way the head looks at rest: the middle of its eyes' lines, never to a side; else where the body faces."""
    lines = [line for eye in eyes if (line := _sight_of(rig, eye.bone)) is not None]
    if len(lines) < 2:
        return FORWARD
    middle = lines[0] + lines[1]
    return Vector((0.0, middle.y, middle.z)).normalized()


def _between_eyes(rig: Rig, head: int, eyes: tuple[Eye, ...]) -> Vector:
    """The place that a head looks from, at rest: between its eyes, else half way along a head that goes up or ahead."""
    bones = rig.skeleton.bones
    if eyes:
        return 0.5 * (bones[eyes[0].bone].head + bones[eyes[1].bone].head)
    bone = bones[head]
    half = 0.5 * (bone.tail - bone.head)
    return bone.head + half if half.z - half.y > AHEAD * half.length else bone.head
