"""What of a foot touches the ground: from skin where there is some, else from bones and the rest floor."""

from dataclasses import replace

import numpy as np
import pytest
from mathutils import Matrix
from support.extension import ROOT
from support.rigs import dog_skeleton, person_skeleton
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rest_vertices import RestVertices
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
# A shoe: 8 cm behind the ankle to 20 cm before it, 1.5 cm under the rest floor, 8 cm wide.
HEEL, TOE, LOW, WIDE = 0.08, -0.20, -0.015, 0.04


def shoes(skeleton, weight=1.0):
    """The soles and uppers of both feet as vertices of foot and toe."""
    points, bones = [], []
    for side in "LR":
        foot, toe = skeleton.index[f"foot.{side}"], skeleton.index[f"toe.{side}"]
        ankle, joint = skeleton.bones[foot].head, skeleton.bones[toe].head
        for y in np.linspace(HEEL, TOE, 15):
            for x in (-WIDE, WIDE):
                for z in (LOW, ankle.z):
                    points.append((ankle.x + x, ankle.y + y, z))
                    bones.append(toe if ankle.y + y < joint.y else foot)
    return RestVertices(np.array(points), np.array(bones), np.full(len(points), weight))


def straight_feet():
    """A person whose feet point straight ahead."""
    bones = list(person_skeleton().bones)
    index = person_skeleton().index
    for side in "LR":
        ankle = bones[index[f"foot.{side}"]].head
        for part in ("toe", "foot"):
            bone = bones[index[f"{part}.{side}"]]
            head, tail = bone.head, bone.tail
            head.x = tail.x = ankle.x
            turn = (bone.tail - bone.head).rotation_difference(tail - head).to_matrix().to_4x4()
            rest = turn @ bone.rest.to_3x3().to_4x4()
            rest.translation = head
            bones[index[f"{part}.{side}"]] = replace(bone, rest=rest, length=(tail - head).length)
    return Skeleton(tuple(bones))


def sole(skeleton, vertices=None):
    rig = understand(skeleton, CONVENTIONS, vertices).rig
    return rig.leg("leg.L").sole, rig


def test_heel_and_toe_are_the_ends_of_the_skin_and_the_ball_is_under_the_toe_joint():
    skeleton = straight_feet()
    ankle = skeleton.bones[skeleton.index["foot.L"]].head
    joint = skeleton.bones[skeleton.index["toe.L"]].head
    found, rig = sole(skeleton, shoes(skeleton))
    assert found.source == "MESH"
    assert tuple(found.heel) == pytest.approx((ankle.x, ankle.y + HEEL, LOW), abs=1e-5)
    assert tuple(found.toe) == pytest.approx((ankle.x, ankle.y + TOE, LOW), abs=1e-5)
    assert tuple(found.ball) == pytest.approx((ankle.x, joint.y, LOW), abs=1e-5)
    assert rig.floor == pytest.approx(LOW, abs=1e-6)


@pytest.mark.parametrize("ankle_height", [0.04, 0.09, 0.15])
def test_the_sole_is_as_far_under_the_ankle_as_the_skin_reaches(ankle_height):
    skeleton = straight_feet()
    rest = skeleton.bones[skeleton.index["foot.L"]].head.z
    lifted = skeleton.moved(Matrix.Translation((0.0, 0.0, ankle_height - rest)))
    found, rig = sole(lifted, shoes(lifted))
    assert rig.leg("leg.L").tip.z - found.heel.z == pytest.approx(ankle_height - LOW, abs=1e-5)


def test_skin_that_other_bones_move_is_no_sole():
    skeleton = straight_feet()
    stray = shoes(skeleton)
    far = RestVertices(
        np.append(stray.points, [[0.0, 0.0, -5.0]], axis=0),
        np.append(stray.bones, skeleton.index["head"]),
        np.append(stray.weights, 1.0),
    )
    assert sole(skeleton, far)[0].heel.z == pytest.approx(LOW, abs=1e-6)


def test_skin_that_a_foot_hardly_moves_is_no_sole():
    skeleton = straight_feet()
    assert sole(skeleton, shoes(skeleton, weight=0.1))[0].source == "BONES"


def test_without_skin_the_sole_lies_on_the_rest_floor():
    skeleton = person_skeleton()
    found, rig = sole(skeleton)
    joint = skeleton.bones[skeleton.index["toe.L"]].head
    assert found.source == "BONES"
    assert rig.floor == 0.0
    assert tuple(found.ball) == pytest.approx((joint.x, joint.y, 0.0), abs=1e-5)
    assert found.heel.y > skeleton.bones[skeleton.index["foot.L"]].head.y
    assert found.toe.y < found.ball.y


def test_a_rest_pose_off_the_origin_has_its_floor_under_its_feet():
    low = min(bone.tail.z for bone in person_skeleton().bones if bone.name.startswith(("foot", "toe")))
    rig = sole(person_skeleton().moved(Matrix.Translation((0.0, 0.0, -0.9))))[1]
    assert rig.floor == pytest.approx(low - 0.9, abs=1e-5)


def test_the_sole_moves_with_foot_and_toes():
    skeleton = person_skeleton()
    found, _ = sole(skeleton)
    assert (found.heel_bone, found.ball_bone) == (skeleton.index["foot.L"], skeleton.index["toe.L"])


def test_a_paw_stands_before_its_joint():
    rig = understand(dog_skeleton(), CONVENTIONS).rig
    for leg in rig.legs:
        assert leg.sole.ball.y < leg.tip.y
        assert leg.sole.heel.y == pytest.approx(leg.tip.y, abs=1e-6)


def test_a_foot_lifted_at_rest_keeps_the_sole_of_its_pair():
    skeleton = straight_feet()
    moved = {skeleton.index["foot.L"], skeleton.index["toe.L"]}
    lift = Matrix.Translation((0.0, 0.0, 0.1))
    bones = tuple(replace(b, rest=lift @ b.rest) if i in moved else b for i, b in enumerate(skeleton.bones))
    rig = understand(Skeleton(bones), CONVENTIONS).rig
    left, right = rig.leg("leg.L"), rig.leg("leg.R")
    assert left.tip.z - left.sole.ball.z == pytest.approx(right.tip.z - right.sole.ball.z, abs=1e-5)


def test_skin_of_one_side_only_is_mirrored_to_the_other():
    skeleton = straight_feet()
    skin = shoes(skeleton)
    left = skin.points[:, 0] > 0.0
    half = RestVertices(skin.points[left], skin.bones[left], skin.weights[left])
    whole, mirrored = (understand(skeleton, CONVENTIONS, item).rig.leg("leg.R").sole for item in (skin, half))
    assert mirrored.source == "MESH"
    for one, other in ((whole.heel, mirrored.heel), (whole.ball, mirrored.ball), (whole.toe, mirrored.toe)):
        assert (one - other).length < 1e-5
    assert (mirrored.heel_bone, mirrored.ball_bone) == (skeleton.index["foot.R"], skeleton.index["toe.R"])


def test_a_skin_of_sticks_along_the_bones_tells_of_no_heel_so_bones_do():
    skeleton = straight_feet()
    bones, points, owners = skeleton.bones, [], []
    for name in ("foot.L", "toe.L", "foot.R", "toe.R"):
        bone = bones[skeleton.index[name]]
        for share in np.linspace(0.0, 1.0, 6):
            for aside in (-0.005, 0.005):
                x, y, z = bone.head.lerp(bone.tail, float(share))
                points.append((x + aside, y, z))
                owners.append(skeleton.index[name])
    sticks = RestVertices(np.array(points), np.array(owners), np.ones(len(points)))
    found, _ = sole(skeleton, sticks)
    assert found.source == "BONES"
    assert found.heel.y > bones[skeleton.index["foot.L"]].head.y
