import pytest
from surefoot.core.space import curves

STEP = 1e-5


def slope(curve, t):
    return (curve(t + STEP) - curve(t - STEP)) / (2.0 * STEP)


@pytest.mark.parametrize("curve", [curves.smoothstep, curves.smootherstep])
def test_easing_goes_from_0_to_1_without_speed_at_its_ends(curve):
    assert (curve(-1.0), curve(0.0), curve(0.5), curve(1.0), curve(2.0)) == (0.0, 0.0, 0.5, 1.0, 1.0)
    assert slope(curve, 0.0) == pytest.approx(0.0, abs=1e-4)
    assert slope(curve, 1.0) == pytest.approx(0.0, abs=1e-4)


def test_a_path_has_the_asked_ends_and_speeds():
    def path(t):
        return curves.hermite(2.0, -1.0, 5.0, 4.0, t)

    assert (path(0.0), path(1.0)) == pytest.approx((2.0, 5.0))
    assert slope(path, 0.0) == pytest.approx(-1.0, abs=1e-6)
    assert slope(path, 1.0) == pytest.approx(4.0, abs=1e-6)


def test_a_share_is_held_between_its_ends_and_an_empty_span_is_a_step():
    assert (curves.share_of(1.0, 2.0, 4.0), curves.share_of(3.0, 2.0, 4.0), curves.share_of(9.0, 2.0, 4.0)) == (
        0,
        0.5,
        1,
    )
    assert (curves.share_of(1.9, 2.0, 2.0), curves.share_of(2.0, 2.0, 2.0)) == (0.0, 1.0)
