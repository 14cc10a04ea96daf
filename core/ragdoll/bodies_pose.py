"""A pose as bodies, and bodies as a pose: exact both ways for the bones that bodies stand for.

Bodies are joined without gaps: each lies where its parent's joint has it, turned as its bone is. A body that stands for
several bones is turned as they are on average; when bodies come back, those bones share what its bend has changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathutils import Matrix, Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from .plan import Body, RagdollPlan


def bodies_of(plan: RagdollPlan, pose: EditedPose, to_world: Matrix) -> tuple[float, ...]:
    """Where all bodies of a pose are: seven numbers each (middle, turn w x y z), after `to_world` (a rigid motion)."""
    turns = [_moved(body, pose) for body in plan.bodies]
    middles = _middles(plan, pose, turns)
    whole = to_world.to_quaternion()
    numbers: list[float] = []
    for body, turn, middle in zip(plan.bodies, turns, middles, strict=True):
        numbers.extend(to_world @ middle)
        numbers.extend((whole @ turn @ Quaternion(body.rest.turn)).normalized())
    return tuple(numbers)


def posed_by(
    plan: RagdollPlan,
    pose: EditedPose,
    to_world: Matrix,
    bodies: Sequence[float],
    weights: Sequence[float] = (),
) -> None:
    """Change a pose so that its bodies lie as told (numbers as from `bodies_of`).

    `weights` say how much of each body is taken, 0 to 1 (none given: all of all); of what is not taken the joints stay
    as they are posed, carried along by what they hang on. Bones that have no body keep their own pose under theirs.
    """
    back = to_world.inverted()
    whole = back.to_quaternion()
    was = [_moved(body, pose) for body in plan.bodies]
    first = _middles(plan, pose, was)[0]
    told = [
        whole @ Quaternion(bodies[7 * k + 3 : 7 * k + 7]).normalized() @ Quaternion(body.rest.turn).inverted()
        for k, body in enumerate(plan.bodies)
    ]
    now: list[Quaternion] = []
    for k, body in enumerate(plan.bodies):
        weight = weights[k] if weights else 1.0
        carried = was[k] if body.parent < 0 else now[body.parent] @ was[body.parent].inverted() @ was[k]
        turn = told[k] if weight >= 1.0 else (_between(carried, told[k], weight) if weight > 0.0 else carried)
        now.append(turn)
        if weight <= 0.0:
            continue
        place = back @ Vector(bodies[7 * k : 7 * k + 3])
        if body.parent < 0:
            _carry(plan.carrier, pose, turn @ was[k].inverted(), first, first.lerp(place, weight))
        elif k in plan.placed:
            middle = pose.moved(body.bones[0]) @ Vector(body.rest.origin)
            _carry(body.bones[0], pose, turn @ _moved(body, pose).inverted(), middle, middle.lerp(place, weight))
        elif len(body.bones) == 1:
            pose.set_turn(body.bones[0], turn @ _rest_turn(pose, body.bones[0]))
        else:
            _share(plan, pose, k, turn, was, now, told)


def _rest_turn(pose: EditedPose, bone: int) -> Quaternion:
    return pose.skeleton.bones[bone].rest.to_quaternion()


def _bone_moved(pose: EditedPose, bone: int) -> Quaternion:
    """How a bone is turned from its rest pose, model space."""
    return pose.turn(bone) @ _rest_turn(pose, bone).inverted()


def _moved(body: Body, pose: EditedPose) -> Quaternion:
    """How a body is turned from its rest pose, model space: as its bones are on average."""
    if len(body.bones) == 1:
        return _bone_moved(pose, body.bones[0])
    return _average([_bone_moved(pose, bone) for bone in body.bones])


def _average(turns: Sequence[Quaternion]) -> Quaternion:
    total = turns[0].copy()
    for turn in turns[1:]:
        total += turn if total.dot(turn) >= 0.0 else -turn
    return total.normalized()


def _middles(plan: RagdollPlan, pose: EditedPose, turns: Sequence[Quaternion]) -> list[Vector]:
    """Where each body's middle is, model space."""
    middles: list[Vector] = []
    for k, (body, turn) in enumerate(zip(plan.bodies, turns, strict=True)):
        rest = Vector(body.rest.origin)
        if body.joint is None or k in plan.placed:
            middles.append(pose.moved(body.bones[0]) @ rest)
            continue
        joint = Vector(body.rest.to_scene(body.zero.from_scene(body.joint.frame.origin)))
        parent = plan.bodies[body.parent]
        carried = middles[body.parent] + turns[body.parent] @ (joint - Vector(parent.rest.origin))
        middles.append(carried + turn @ (rest - joint))
    return middles


def _between(a: Quaternion, b: Quaternion, share: float) -> Quaternion:
    """Part of the shorter way from one turn to another."""
    return a.slerp(b if a.dot(b) >= 0.0 else -b, share)


def _carry(bone: int, pose: EditedPose, turn: Quaternion, pivot: Vector, place: Vector) -> None:
    """Turn a bone about a point of model space, and bring that point to a place."""
    about = Matrix.Translation(place) @ turn.to_matrix().to_4x4() @ Matrix.Translation(-pivot)
    pose.set_model(bone, about @ pose.model(bone))


def _share(
    plan: RagdollPlan,
    pose: EditedPose,
    place: int,
    turn: Quaternion,
    was: Sequence[Quaternion],
    now: Sequence[Quaternion],
    told: Sequence[Quaternion],
) -> None:
    """Turn the bones of one body so that their average is `turn`: what its bend has changed by is shared evenly."""
    body = plan.bodies[place]
    count = len(body.bones)
    carried = turn @ was[place].inverted()
    posed = [carried @ moved for moved in _as_they_were(pose, body, was, now)]
    bend = _bend_changed(plan, pose, place, turn, was, now, told)
    for i in range(count):
        share = (i + 1.0) / (count + 1.0) - 0.5
        posed[i] = _turned_by(bend * share) @ posed[i]
    right = turn @ _average(posed).inverted()
    for bone, moved in zip(body.bones, posed, strict=True):
        pose.set_turn(bone, right @ moved @ _rest_turn(pose, bone))


def _as_they_were(
    pose: EditedPose, body: Body, was: Sequence[Quaternion], now: Sequence[Quaternion]
) -> list[Quaternion]:
    """How a body's bones were turned before their parent was changed."""
    back = was[body.parent] @ now[body.parent].inverted()
    return [back @ _bone_moved(pose, bone) for bone in body.bones]


def _bend_changed(
    plan: RagdollPlan,
    pose: EditedPose,
    place: int,
    turn: Quaternion,
    was: Sequence[Quaternion],
    now: Sequence[Quaternion],
    told: Sequence[Quaternion],
) -> Vector:
    """How the bend from a body's parent to what goes on after it has changed: a rotation vector, model space."""
    body = plan.bodies[place]
    below = set(pose.skeleton.below[body.bones[-1]])
    after = next((k for k, b in enumerate(plan.bodies) if b.parent == place and b.bones[0] in below), -1)
    above_was, above_now = was[body.parent], now[body.parent]
    if after >= 0:
        end_was, end_now = was[after], told[after]
    else:
        end_was = was[place] @ above_was.inverted() @ was[place]
        end_now = turn @ above_now.inverted() @ turn
    before = _rotation_vector(above_was.inverted() @ end_was)
    return above_now @ (_rotation_vector(above_now.inverted() @ end_now) - before)


def _rotation_vector(turn: Quaternion) -> Vector:
    turn = turn if turn.w >= 0.0 else -turn
    axis, angle = turn.to_axis_angle()
    return axis * angle


def _turned_by(vector: Vector) -> Quaternion:
    angle = vector.length
    return Quaternion(vector / angle, angle) if angle > 1e-9 else NO_TURN
