"""Eyes that turn to a target before the head does."""

from dataclasses import replace
from math import degrees, pi

from mathutils import Matrix, Vector
from support.layered import understood
from support.looking import LOOK, looks, rig_of, walking_looks
from support.rigs import person_skeleton
from surefoot.core.control.intent import Spot
from surefoot.core.layers.look_at import LookAt
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.skeleton import Bone, Skeleton


def with_eyes() -> Skeleton:
    """A person with a bone for each eye."""
    skeleton = person_skeleton()
    head = skeleton.index["head"]
    eyes = []
    for side, x in (("L", 0.032), ("R", -0.032)):
        rest = Matrix.Rotation(pi, 4, "Z")
        rest.translation = Vector((x, -0.08, 1.65))
        eyes.append(Bone(f"eye.{side}", head, rest, 0.02))
    return Skeleton((*skeleton.bones, *eyes))


def lines(rig, pose):
    """Where each eye is and looks."""
    for side in "LR":
        bone = rig.skeleton.index[f"eye.{side}"]
        yield pose.head(bone), (pose.tail(bone) - pose.head(bone)).normalized()


def eyes_off(rig, pose, spot):
    return [degrees(line.angle(Vector(spot[:3]) - place, 0.0)) for place, line in lines(rig, pose)]


def test_each_eye_converges_on_the_target():
    rig = understood(with_eyes())
    spot = Spot(0.2, -0.8, 1.55)
    look = looks(rig, lambda _time: spot, 0.0)[0]
    assert max(eyes_off(rig, look.pose, spot)) < 0.1
    left, right = (line for _, line in lines(rig, look.pose))
    assert left.x < right.x


def test_the_eyes_are_there_before_the_head():
    rig = understood(with_eyes())
    spot = Spot(0.6, -1.5, 1.6)
    found = looks(rig, lambda time: spot if time > 0.1 else None, 1.0)
    eyes = next(look.time for look in found if max(eyes_off(rig, look.pose, spot)) < 2.0)
    head = next(look.time for look in found if look.off(spot) < 2.0)
    assert eyes - 0.1 < 0.6 * (head - 0.1)


def test_eyes_turn_no_further_than_thirty_five_degrees_from_where_the_face_looks():
    rig = understood(with_eyes())
    spot = Spot(3.0, -0.6, 1.65)
    for look in looks(rig, lambda time: spot if time > 0.1 else None, 1.0):
        assert max(degrees(line.angle(look.facing)) for _, line in lines(rig, look.pose)) < 35.5


def test_eyes_come_back_with_the_head():
    rig = understood(with_eyes())
    spot = Spot(0.6, -1.5, 1.6)
    found = looks(rig, lambda time: spot if time < 1.0 else None, 4.0)
    assert found[-1].pose.rotations == EditedPose.rest(rig.skeleton).rotations


def test_eyes_stay_where_they_are_if_they_are_not_wanted():
    rig = understood(with_eyes())
    index = rig.skeleton.index
    assert {index["eye.L"], index["eye.R"]} <= set(LookAt(rig, LOOK).driven()[0])
    assert {index["eye.L"], index["eye.R"]}.isdisjoint(LookAt(rig, replace(LOOK, eyes=False)).driven()[0])


def test_eyes_that_give_a_target_up_come_back_with_the_head_and_do_not_snap():
    """A snake that crawls past a thing beside its way, its eyes at their limits to the side."""
    rig, spot = rig_of("snake"), Spot(-0.3, -1.0, 0.1)
    found = walking_looks("snake", lambda _time: spot, 4.0, 24.0, 0.5)
    gone = next(n for n, look in enumerate(found) if "too far round" in look.reason)
    for name in ("eye.L", "eye.R"):
        turns = [look.pose.rotations[rig.skeleton.index[name]] for look in found[gone - 1 :]]
        steps = [degrees(a.rotation_difference(b).angle) for a, b in zip(turns, turns[1:], strict=False)]
        assert max(steps) < 12.0
        assert degrees(turns[0].rotation_difference(turns[-1]).angle) > 12.0
