"""Where a foot will stand: what the ground offers near the place that the stride asks for."""

from collections.abc import Callable
from math import atan, cos, degrees, hypot, pi, radians, sin

import pytest
from mathutils import Vector
from support.grid import rig_of
from surefoot.core.control.intent import Place
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.foot import FootGeometry, Foothold, rotation_at
from surefoot.core.gait.footsteps import RETREATS, FootholdFinder, carried
from surefoot.core.gait.shape import LegShape, make_legs, shape_of
from surefoot.core.world.solids import Empty, Extruded, Flat, Gap, Hole, Moving, Ramp, Solid, Stairs, Union

LEVEL = Vector((0.0, 0.0, 0.0))
HERE = Place(0.0, 0.0, 0.0, 0.0)
POINT = make_legs(4, 0.8, 0.3, 0.9).legs[0]
FOOT = shape_of(rig_of("person")).legs[0]


def finder(**settings: float) -> FootholdFinder:
    """A finder for a leg of 0.9 m, for which the settings are stated."""
    return FootholdFinder(GaitConfig(**settings), 0.9)


def find(
    ground: Solid, leg: LegShape = POINT, ahead: float = 0.0, home: Foothold | None = None, **settings: float
) -> Foothold:
    """The foothold for a body here that wants its foot `ahead` metres further along -Y, and has it at `home`."""
    return finder(**settings).find(ground, leg, HERE, (0.0, -ahead), LEVEL, home)


def standing(leg: LegShape) -> Foothold:
    """The foot of a body here, at its rest place on level ground."""
    return finder().find(Flat(), leg, HERE, (0.0, 0.0), LEVEL)


def ends(leg: LegShape, hold: Foothold) -> tuple[Vector, Vector]:
    """Heel and ball of the flat foot on its foothold, world."""
    ball, rotation = Vector(hold[:3]), rotation_at(hold.heading, hold.normal)
    return FootGeometry(leg).heel_place(ball, rotation, 0.0), ball


def step(height: float, near: float, far: float) -> Union:
    """Level ground with a box across the way from `near` to `far` metres ahead."""
    return Union(Flat(), Extruded([(near, 0.0, near, height), (near, height, far, height), (far, height, far, 0.0)]))


@pytest.mark.parametrize("leg", [POINT, FOOT], ids=["point", "foot"])
@pytest.mark.parametrize("heading", [0.0, 1.0, -2.5])
def test_on_level_ground_a_foot_stands_where_the_stride_asks(leg: LegShape, heading: float):
    place = Place(3.0, -7.0, 0.0, heading)
    hold = finder().find(Flat(), leg, place, (0.2, -0.1), LEVEL)
    c, s = cos(heading), sin(heading)
    x, y = 3.0 + c * leg.ball[0] - s * leg.ball[1] + 0.2, -7.0 + s * leg.ball[0] + c * leg.ball[1] - 0.1
    assert hold[:4] == pytest.approx((x, y, 0.0, heading), abs=1e-6)
    assert hold.normal == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)
    assert hold.grounded


@pytest.mark.parametrize("height", [-0.4, -0.1, 0.1, 0.3])
def test_a_foot_steps_on_ground_that_is_raised_or_lowered_there(height: float):
    ahead = 0.5
    near = -POINT.ball[1] + ahead - 0.2
    ground = Extruded([(-9.0, 0.0, near, 0.0), (near, 0.0, near, height), (near, height, 9.0, height)])
    assert find(ground, ahead=ahead).z == pytest.approx(height)


@pytest.mark.parametrize("height", [0.4, 1.0])
def test_ground_higher_than_a_step_up_is_not_stepped_on(height: float):
    at = -POINT.ball[1] + 0.5
    assert find(step(height, at - 0.1, at + 0.1), ahead=0.5, step_up=0.35).z == pytest.approx(0.0)


def test_a_larger_step_up_makes_it_a_foothold():
    at = -POINT.ball[1] + 0.5
    assert find(step(0.4, at - 0.1, at + 0.1), ahead=0.5, step_up=0.5).z == pytest.approx(0.4)


@pytest.mark.parametrize(("angle", "walkable"), [(40.0, True), (44.0, True), (47.0, False), (60.0, False)])
def test_ground_of_up_to_45_degrees_is_walkable(angle: float, walkable: bool):
    place = Place(0.0, 0.0, 0.0, pi / 2.0)
    hold = finder(step_up=3.0, step_down=3.0).find(
        Ramp(radians(angle), heading=pi / 2.0), POINT, place, (0.0, 0.0), LEVEL
    )
    assert hold.grounded is walkable


def test_where_ground_is_missing_a_foot_stands_closer_to_where_it_was():
    """The pit begins just ahead of the foot: of the shares of the way that are tried the first with ground is taken."""
    rest = -POINT.ball[1]
    ground = Extruded([(-9.0, 0.0, rest + 0.3, 0.0)])
    hold = find(ground, ahead=0.5, home=standing(POINT))
    share = max(share for share in RETREATS if share * 0.5 < 0.3)
    assert hold.grounded
    assert -hold.y == pytest.approx(rest + share * 0.5)


@pytest.mark.parametrize("leg", [POINT, FOOT], ids=["point", "foot"])
def test_over_a_pit_a_foot_keeps_the_height_that_was_expected(leg: LegShape):
    place = Place(1.0, 2.0, 0.3, 0.5)
    slope = Vector((0.1, -0.2, 0.0))
    hold = finder().find(Empty(), leg, place, (0.2, -0.3), slope)
    assert not hold.grounded
    assert hold.anchor is None
    assert hold.z == pytest.approx(0.3 + 0.1 * (hold.x - 1.0) - 0.2 * (hold.y - 2.0))


@pytest.mark.parametrize("width", [0.001, 0.01, 0.02])
@pytest.mark.parametrize("leg", [POINT, FOOT], ids=["point", "foot"])
def test_a_seam_or_a_gap_of_2_cm_is_no_hole(leg: LegShape, width: float):
    at = -leg.ball[1] + 0.3
    hold = find(Gap(width, start=at - width / 2.0), leg, ahead=0.3)
    assert hold.grounded
    assert (hold.z, -hold.y) == pytest.approx((0.0, at), abs=0.021)


def test_a_hole_wider_than_a_foot_is_one():
    at = -POINT.ball[1] + 0.3
    hold = find(Gap(0.3, start=at - 0.15), POINT, ahead=0.3, home=standing(POINT))
    assert hold.grounded
    assert -hold.y < at - 0.15


def test_in_the_middle_of_a_hole_without_any_ground_near_nothing_is_grounded():
    assert not find(Hole(0.0, 0.0, 6.0, 6.0), POINT, ahead=0.3).grounded


@pytest.mark.parametrize("offset", [0.0, 0.004, 0.012, -0.004, -0.012])
def test_a_point_foot_keeps_off_the_edge_of_a_tread(offset: float):
    at = -POINT.ball[1] + 0.3
    hold = find(Stairs(0.17, 0.3, count=3, start=at + offset), POINT, ahead=0.3)
    assert abs(-hold.y - (at + offset)) > 0.005
    assert hold.z == pytest.approx(0.17 if -hold.y > at + offset else 0.0)


@pytest.mark.parametrize("overhang", [0.03, 0.06, 0.1, 0.14])
def test_the_ball_stays_on_the_tread_that_the_heel_stands_on(overhang: float):
    """Going down: the wanted place has the ball in the air beyond the edge. The foot moves back until it stands."""
    edge = -FOOT.ball[1] + 0.3 - overhang
    ground = Stairs(-0.17, 0.3, count=3, start=edge)
    hold = find(ground, FOOT, ahead=0.3)
    heel, ball = ends(FOOT, hold)
    assert ball.z == pytest.approx(ground.height(ball.x, ball.y), abs=1e-4)
    if -heel.y < edge:
        assert heel.z == pytest.approx(0.0, abs=1e-4)
        assert -ball.y < edge


@pytest.mark.parametrize("gap", [0.0005, 0.002, 0.004])
def test_a_heel_close_before_a_riser_is_set_down_further_ahead_so_that_it_can_roll(gap: float):
    """Going down: the heel came down `gap` metres past the edge of the tread above. The foot rolls by up to 60 degrees
    over its toe joint, which is higher than the heel; that takes the heel back.
    """
    edge = -FOOT.ball[1] + 0.3 - FOOT.foot_length - gap
    hold = find(Stairs(-0.17, 0.3, count=3, start=edge), FOOT, ahead=0.3)
    ball, rotation = Vector(hold[:3]), rotation_at(hold.heading, hold.normal)
    backs = [-FootGeometry(FOOT).heel_place(ball, rotation, radians(pitch)).y for pitch in range(0, 61, 2)]
    assert hold.z == pytest.approx(-0.17)
    assert min(backs) > edge + 0.002
    assert -hold.y < -FOOT.ball[1] + 0.3 + 0.01


@pytest.mark.parametrize("gap", [0.015, 0.03, 0.045, 0.06, 0.075])
def test_toes_stay_out_of_a_riser_before_it_or_on_top_of_it(gap: float):
    """Going up: the wanted place has the ball `gap` metres before a riser; the toes are 7 cm longer. The nearer of both
    is taken: back by what the toes are in it, or up on the tread, the ball 2 cm over it.
    """
    riser = -FOOT.ball[1] + 0.3 + gap
    hold = find(Stairs(0.17, 0.3, count=3, start=riser), FOOT, ahead=0.3)
    before = riser + hold.y
    if hold.z == pytest.approx(0.17):
        assert before == pytest.approx(-0.02, abs=1e-4)
        assert gap < 0.5 * FOOT.toe
    else:
        assert hold.z == pytest.approx(0.0)
        assert FOOT.toe + 0.003 < before < max(gap, FOOT.toe + 0.006) + 1e-6


@pytest.mark.parametrize("height", [0.02, 0.03])
def test_toes_may_lie_on_what_is_low(height: float):
    at = -FOOT.ball[1] + 0.3 + 0.05
    ground = Union(Flat(), Extruded([(at, 0.0, at, height), (at, height, 9.0, height)]))
    assert -find(ground, FOOT, ahead=0.3).y == pytest.approx(at - 0.05, abs=1e-6)


def grounds() -> dict[str, Callable[[], Solid]]:
    """Grounds that a foot lies down on."""
    return {
        "flat": Flat,
        "up 20": lambda: Ramp(radians(20.0)),
        "down 20": lambda: Ramp(radians(-20.0)),
        "across 20": lambda: Ramp(radians(20.0), heading=pi / 2.0),
        "aslant 15": lambda: Ramp(radians(15.0), heading=0.7),
    }


@pytest.mark.parametrize("name", grounds())
@pytest.mark.parametrize("heading", [0.0, 0.8, pi])
def test_both_ends_of_a_sole_lie_on_a_slope(name: str, heading: float):
    """Pains O01: up and down alike, heel and ball within a millimetre of the ground."""
    ground = grounds()[name]()
    hold = finder(step_up=1.0, step_down=1.0).find(ground, FOOT, Place(0.0, 0.0, 0.0, heading), (0.1, 0.1), LEVEL)
    for end in ends(FOOT, hold):
        assert end.z == pytest.approx(ground.height(end.x, end.y), abs=0.001)


@pytest.mark.parametrize("angle", [-42.0, -35.0, 35.0, 42.0])
def test_a_sole_tilts_no_further_than_it_may_and_no_end_is_in_the_ground(angle: float):
    ground = Ramp(radians(angle))
    hold = find(ground, FOOT, sole_tilt=radians(20.0), step_up=2.0, step_down=2.0)
    assert degrees(atan(hypot(*hold.normal[:2]) / hold.normal[2])) == pytest.approx(20.0, abs=0.5)
    gaps = [end.z - ground.height(end.x, end.y) for end in ends(FOOT, hold)]
    assert -0.001 < min(gaps) < 0.008
    assert max(gaps) > 0.01


def test_a_crest_within_the_foot_is_no_slope():
    """A heel that would hang 10 cm lower does not turn the sole: the ball stands level."""
    edge = -FOOT.ball[1] - 0.05
    hold = find(Stairs(0.1, 0.5, count=1, start=edge), FOOT)
    assert hold.z == pytest.approx(0.1)
    assert hold.normal == pytest.approx((0.0, 0.0, 1.0))


def ride(time: float) -> tuple[float, float, float, float]:
    """A platform that rises, drifts and turns."""
    return 0.3 * time, -0.2 * time, time, 0.5 * time


def test_a_hold_on_still_ground_is_kept_as_it_is():
    ground = Flat()
    hold = find(ground, FOOT)
    assert carried(ground, hold) is hold


@pytest.mark.parametrize("leg", [POINT, FOOT], ids=["point", "foot"])
def test_moving_ground_carries_a_hold_to_the_rounding(leg: LegShape):
    """A minute of ticks: the foothold is where the platform's own frame has it, within 0.01 mm; so is its heading."""
    ground = Moving(Flat(), ride)
    hold = first = find(ground, leg, ahead=0.3)
    ticks = 3600
    for tick in range(1, ticks + 1):
        ground.set_time(tick / 60.0)
        hold = carried(ground, hold)
    x, y, z, turn = ride(60.0)
    c, s = cos(turn), sin(turn)
    expected = (x + c * first.x - s * first.y, y + s * first.x + c * first.y, z + first.z)
    assert hold[:3] == pytest.approx(expected, abs=1e-5)
    assert hold.heading == pytest.approx(first.heading + turn, abs=1e-6)


def test_ground_that_tilts_tilts_the_foot_with_it():
    class Tilting(Flat):
        """Level ground that says it moves, and whose anchors come back with another normal."""

        def moves(self, _surface: int) -> bool:
            return True

        def locate(self, anchor: object) -> object:
            hit = super().locate(anchor)
            return hit._replace(normal=Vector((0.0, sin(0.2), cos(0.2))))

    ground = Tilting()
    hold = find(ground, FOOT)
    after = carried(ground, hold)
    turned = rotation_at(0.0, hold.normal).rotation_difference(rotation_at(0.0, after.normal))
    assert turned.angle == pytest.approx(0.2, abs=1e-4)


def test_ground_that_is_gone_leaves_the_hold_where_it_was_and_ungrounded():
    class Gone(Flat):
        """Level ground that is deleted under the foot."""

        def moves(self, _surface: int) -> bool:
            return True

        def locate(self, _anchor: object) -> None:
            return None

    ground = Gone()
    hold = find(ground, FOOT)
    after = carried(ground, hold)
    assert after[:4] == hold[:4]
    assert not after.grounded


def test_lengths_of_the_settings_scale_with_the_leg():
    small = FootholdFinder(GaitConfig(step_up=0.35), 0.45)
    leg = make_legs(4, 0.4, 0.15, 0.45).legs[0]
    at = -leg.ball[1]
    for height, climbs in ((0.16, True), (0.19, False)):
        hold = small.find(step(height, at - 0.1, at + 0.1), leg, HERE, (0.0, 0.0), LEVEL)
        assert (hold.z == pytest.approx(height)) is climbs


def test_the_same_question_has_the_same_answer_to_the_bit():
    ground = Ramp(0.2, heading=0.7)
    assert find(ground, FOOT, ahead=0.31) == find(ground, FOOT, ahead=0.31)
