import math

import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.limbs import DOG_HIND, FOLDS, FORWARD, PERSON, bends, goal_at, total, vectors
from surefoot.core.ik.fold import FoldRest
from surefoot.core.ik.leg import LegRest, solve
from surefoot.core.ik.swing import Reach

STILL = Matrix.Identity(4)
SIDE = Vector((1.0, 0.0, 0.0))


def measured_bends(joints):
    segments = np.diff(np.array([tuple(j) for j in joints]), axis=0)
    cross = np.linalg.norm(np.cross(segments[:-1], segments[1:]), axis=-1)
    return np.arctan2(cross, np.sum(segments[:-1] * segments[1:], axis=-1))


@pytest.mark.parametrize("places", FOLDS.values(), ids=FOLDS)
@pytest.mark.parametrize("share", [0.6, 0.75, 0.9, 0.97])
def test_each_joint_keeps_its_share_of_the_whole_bend(places, share):
    answer = solve(LegRest.from_rest(vectors(places), FORWARD), STILL, goal_at(places, STILL, share))
    rest, now = measured_bends(places), measured_bends(answer.joints)
    assert answer.reach is Reach.EXACT
    np.testing.assert_allclose(now / now.sum(), rest / rest.sum(), rtol=1e-3)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9, 0.99])
def test_a_zigzag_stays_one(share):
    rest = bends(np.array(DOG_HIND), SIDE)
    answer = solve(LegRest.from_rest(vectors(DOG_HIND), FORWARD), STILL, goal_at(DOG_HIND, STILL, share, (0, -0.2, -1)))
    assert (np.sign(bends(np.array(answer.joints), SIDE)) == np.sign(rest)).all()


def test_a_stance_line_of_a_dogs_hind_leg_is_met_within_a_millimetre_and_the_hock_never_passes_straight():
    leg = LegRest.from_rest(vectors(DOG_HIND), FORWARD)
    for y in np.linspace(-0.12, 0.32, 45):
        goal = Vector((0.08, float(y), 0.06))
        answer = solve(leg, STILL, goal)
        assert (answer.joints[-1] - goal).length < 1e-3
        assert bends(np.array(answer.joints), SIDE)[1] < math.radians(-5.0)


@pytest.mark.parametrize("share", [0.4, 0.6, 0.8, 0.95])
def test_two_segments_fold_as_the_hinge_does(share):
    joints = vectors(PERSON)
    leg = LegRest.from_rest(joints, FORWARD)
    fold = FoldRest.from_rest(joints, SIDE)
    distance = share * total(PERSON)
    hinge = leg.span.straight + leg.span.flexion(distance)
    turn = fold.turns(fold.fold(distance))[1]
    assert turn.angle * math.copysign(1.0, turn.axis.dot(leg.axis)) == pytest.approx(hinge, abs=2e-4)


@pytest.mark.parametrize("places", FOLDS.values(), ids=FOLDS)
def test_the_fold_of_the_rest_distance_is_one(places):
    fold = FoldRest.from_rest(vectors(places), SIDE)
    assert fold.fold(math.dist(places[0], places[-1])) == pytest.approx(1.0, abs=2e-3)
    assert (fold.end(1.0) - (Vector(places[-1]) - Vector(places[0]))).length < 1e-6


@pytest.mark.parametrize("places", FOLDS.values(), ids=FOLDS)
def test_the_distance_falls_steadily_with_the_fold(places):
    fold = FoldRest.from_rest(vectors(places), SIDE)
    assert (np.diff(fold.spans) < 0.0).all()
    assert fold.spans[0] == pytest.approx(total(places), rel=1e-6)


def test_every_distance_between_the_ends_is_met():
    fold = FoldRest.from_rest(vectors(DOG_HIND), SIDE)
    for distance in np.linspace(fold.spans[-1], fold.spans[0], 500):
        assert fold.end(fold.fold(float(distance))).length == pytest.approx(float(distance), abs=1e-5 * fold.spans[0])


def test_a_joint_that_is_straight_at_rest_stays_straight():
    places = ((0, 0, 1.0), (0, -0.2, 0.7), (0, 0.0, 0.4), (0, 0.2, 0.1))
    answer = solve(LegRest.from_rest(vectors(places), FORWARD), STILL, Vector((0.0, 0.0, 0.3)))
    first, second = measured_bends(answer.joints)
    assert first > measured_bends(places)[0]
    assert second == pytest.approx(0.0, abs=1e-3)
