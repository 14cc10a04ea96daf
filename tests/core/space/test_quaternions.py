import numpy as np
import pytest
from mathutils import Quaternion, Vector
from surefoot.core.space import quaternions as quat


@pytest.fixture
def some():
    rng = np.random.default_rng(7)
    return quat.normalised(rng.normal(size=(2, 40, 4))), rng.normal(size=(40, 3))


def test_products_and_turned_vectors_are_those_of_mathutils(some):
    (a, b), v = some
    for i in range(len(v)):
        qa, qb = Quaternion(a[i]), Quaternion(b[i])
        np.testing.assert_allclose(quat.mul(a, b)[i], qa @ qb, atol=1e-6)
        np.testing.assert_allclose(quat.rotate(a, v)[i], qa @ Vector(v[i]), atol=1e-6)
        np.testing.assert_allclose(quat.to_matrix(a)[i], qa.to_matrix(), atol=1e-6)


def test_the_inverse_undoes(some):
    (a, _), v = some
    np.testing.assert_allclose(quat.rotate(quat.inverse(a), quat.rotate(a, v)), v, atol=1e-12)


def test_a_matrix_gives_its_quaternion_back_up_to_sign(some):
    (a, _), _ = some
    half_turns = np.eye(4)[1:]
    for q in (a, half_turns):
        back = quat.from_matrix(quat.to_matrix(q))
        np.testing.assert_allclose(np.abs(np.sum(back * q, axis=-1)), 1.0, atol=1e-12)


def test_axis_and_angle_turn_by_the_right_hand():
    q = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.array([np.pi / 2.0, np.pi]))
    np.testing.assert_allclose(quat.rotate(q, np.array([1.0, 0.0, 0.0])), [[0, 1, 0], [-1, 0, 0]], atol=1e-15)


def test_slerp_goes_the_short_way_at_even_speed(some):
    (a, b), _ = some
    for t in (0.0, 0.3, 1.0):
        ours = quat.slerp(a, b, t)
        for i in range(len(a)):
            assert abs(Quaternion(a[i]).slerp(Quaternion(b[i]), t).dot(Quaternion(ours[i]))) == pytest.approx(
                1.0, abs=1e-6
            )


def test_slerp_between_equal_rotations_stays():
    q = quat.normalised(np.array([0.3, 0.2, -0.5, 0.1]))
    np.testing.assert_allclose(quat.slerp(q, -q, 0.4), q, atol=1e-12)


def test_a_zero_quaternion_becomes_the_identity():
    np.testing.assert_array_equal(quat.normalised(np.zeros((2, 4))), [[1, 0, 0, 0]] * 2)
