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


@pytest.mark.parametrize("ends", [(0.0, 0.0), (0.0, -0.7), (0.3, 0.1)])
def test_an_arch_passes_over_its_edges_as_low_as_it_can(ends: tuple[float, float]):
    edges = ((0.7, 1.0), (1.2, 0.9))
    rise = curves.arch_over(2.0, ends, edges)

    def height(along: float) -> float:
        share = along / 2.0
        return ends[0] + (ends[1] - ends[0]) * share + 4.0 * rise * share * (1.0 - share)

    assert min(height(along) - edge for along, edge in edges) == pytest.approx(0.0, abs=1e-9)
    assert curves.arch_top(ends, rise) == pytest.approx(max(height(0.001 * k) for k in range(2001)), abs=1e-5)


def test_an_arch_over_what_is_under_its_line_is_the_line():
    assert curves.arch_over(2.0, (1.0, 1.0), ((1.0, 0.5),)) == 0.0
    assert curves.arch_top((0.0, 1.0), 0.0) == 1.0
    assert curves.arch_top((1.0, 0.0), 0.0) == 1.0
