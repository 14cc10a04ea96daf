"""Area awareness: what a look concludes of walls, fences, boxes, bars and ledges, and how little it asks for it."""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi, radians

import pytest
from support.surroundings import CONFIG, FACE, around, box, on_floor, profile, seen, stance, turned
from surefoot.core.world.asking import MOST_CAPSULES, MOST_RAYS
from surefoot.core.world.compound import Empty, Union
from surefoot.core.world.extruded import Flat, Ramp, Stairs
from surefoot.core.world.rooms import Block
from surefoot.core.world.surroundings import NO_WAY_UNDER, TOO_TALL, look
from surefoot.core.world.terrain import Hills

FENCE = box(1.0, 0.1)


def test_on_open_ground_nothing_is_seen():
    assert [seen(world).verdict for world in (Flat(), Empty(), Hills(), Ramp(0.5))] == ["NOTHING"] * 4


def test_a_fence_is_vaulted_and_its_edges_and_landing_are_where_they_are():
    look = seen(on_floor(FENCE))
    assert look.verdict == "VAULT"
    assert look.face.gap == pytest.approx(FACE)
    assert look.face.normal == pytest.approx((0.0, 1.0, 0.0))
    assert look.top.edge == pytest.approx((0.0, -FACE, 1.0))
    assert look.height == pytest.approx(1.0)
    # Its depth is known to a quarter of the distance between two rays, and never taken too short.
    assert 0.1 <= look.depth <= 0.1 + 1.1 / 5 / 4
    assert look.crossing.landing.place[2] == pytest.approx(0.0)
    # As far behind as the body was before it.
    assert look.crossing.landing.place[1] == pytest.approx(-FACE - look.depth - FACE)


@pytest.mark.parametrize("depth", [0.01, 0.04, 0.2, 0.5, 1.0])
def test_what_is_thin_and_hip_high_is_vaulted_however_thin(depth: float):
    assert seen(on_floor(box(0.9, depth))).verdict == "VAULT"


@pytest.mark.parametrize(("height", "verdict"), [(0.54, "STEP"), (0.57, "VAULT"), (1.19, "VAULT"), (1.21, "EDGE")])
def test_a_fence_is_stepped_onto_below_a_step_and_vaulted_up_to_the_hip(height: float, verdict: str):
    assert seen(on_floor(box(height, 0.1))).verdict == verdict


@pytest.mark.parametrize(("depth", "verdict"), [(1.05, "VAULT"), (1.2, "CLIMB")])
def test_a_long_low_block_is_a_platform(depth: float, verdict: str):
    look = seen(on_floor(box(1.0, depth)))
    assert look.verdict == verdict
    assert (look.depth == inf) == (verdict == "CLIMB")


@pytest.mark.parametrize(("depth", "verdict"), [(0.24, "EDGE"), (0.31, "CLIMB")])
def test_a_top_is_stood_on_where_it_is_deep_enough(depth: float, verdict: str):
    assert seen(on_floor(box(1.5, depth))).verdict == verdict


# How far each sensor looks and reaches: 0.7 and 1.9 m walking, 1.6 and 2.2 sprinting, 2.1 and 2.35 in the air.


@pytest.mark.parametrize(("name", "ahead"), [("WALK", 0.7), ("SPRINT", 1.6), ("AIR", 0.7)])
def test_a_sensor_looks_so_far_ahead(name: str, ahead: float):
    near, far = (seen(on_floor(box(1.5, gap=ahead + more)), name) for more in (-0.02, 0.02))
    assert (near.verdict, far.verdict) == ("CLIMB", "NOTHING")


@pytest.mark.parametrize(("name", "reach"), [("WALK", 1.9), ("SPRINT", 2.2), ("AIR", 2.1)])
def test_a_sensor_reaches_so_high_to_climb(name: str, reach: float):
    below, above = (seen(on_floor(box(reach + more)), name) for more in (-0.02, 0.02))
    assert below.verdict == "CLIMB"
    assert above.verdict in {"REFUSED", "EDGE"}


def test_from_the_air_an_edge_is_seen_up_to_where_it_can_be_hung_from():
    below, above = (seen(on_floor(box(2.35 + more)), "AIR") for more in (-0.02, 0.06))
    assert (below.verdict, above.verdict) == ("EDGE", "REFUSED")
    assert below.top.edge[2] == pytest.approx(2.33)
    assert above.reason == TOO_TALL


def test_a_ledge_of_two_metres_ten_is_only_climbed_at_a_sprint():
    ledge = on_floor(box(2.1, gap=0.6))
    assert (seen(ledge, "WALK").verdict, seen(ledge, "SPRINT").verdict) == ("REFUSED", "CLIMB")


@pytest.mark.parametrize(("name", "hands"), [("WALK", ()), ("SPRINT", ()), ("AIR", (2.15,))])
def test_its_rows_are_at_knee_hip_and_chest_and_higher_only_where_those_meet_nothing(name: str, hands: tuple):
    rows = (0.5, 0.9, 1.3, 1.7, *hands)
    level = {round(asked.start[2], 3) for asked in seen(Flat(), name, keep=True).asked}
    assert level == set(rows)
    asides = {round(asked.start[0], 3) for asked in seen(Flat(), name, keep=True).asked}
    assert asides == {0.0, 0.21, -0.21}
    first = seen(on_floor(box(1.5)), name, keep=True).asked[:9]
    assert {round(asked.start[2], 3) for asked in first} == {0.5, 0.9, 1.3}


# Faces.


@pytest.mark.parametrize("aside", [-0.2, 0.2])
def test_a_centre_ray_that_slips_through_a_seam_is_not_all_there_is(aside: float):
    panels = Union(
        Flat(),
        Block((-2.0, -FACE - 0.1, -1.0), (-0.03, -FACE, 1.0)),
        Block((0.03, -FACE - 0.1, -1.0), (2.0, -FACE, 1.0)),
    )
    look = seen(panels)
    assert look.verdict == "VAULT"
    assert look.top.edge[1] == pytest.approx(-FACE, abs=0.03)
    # Beside the seam it is the same.
    assert seen(panels, feet=(aside, 0.0, 0.0)).verdict == "VAULT"


def test_a_rail_between_two_rows_of_rays_is_seen():
    rail = Block((-2.0, -FACE - 0.05, 1.0), (2.0, -FACE, 1.06))
    look = seen(on_floor(rail))
    assert look.verdict == "VAULT"
    assert look.top.edge[2] == pytest.approx(1.06, abs=0.01)


@pytest.mark.parametrize("heading", [0.4, 1.3, -2.2, pi])
def test_turned_about_it_is_all_the_same(heading: float):
    look = look_at = seen(on_floor(turned(FENCE, heading)), heading=heading)
    assert look.verdict == "VAULT"
    x, y = around(heading, FACE)
    assert look_at.top.edge == pytest.approx((x, y, 1.0), abs=1e-5)


@pytest.mark.parametrize(("degrees", "verdict"), [(0.0, "VAULT"), (30.0, "VAULT"), (58.0, "VAULT"), (62.0, "NOTHING")])
def test_a_fence_is_met_at_an_angle_but_not_along_it(degrees: float, verdict: str):
    fence = on_floor(box(1.0, 0.1, width=20.0, gap=0.3))
    look = seen(fence, heading=radians(degrees))
    assert look.verdict == verdict
    if verdict == "VAULT":
        assert look.face.normal == pytest.approx((0.0, 1.0, 0.0))


def test_run_into_at_an_angle_it_drifts_half_a_window_of_its_speed_aside_before_it_is_square():
    # Two metres a second along the fence for 0.2 s, down to nothing: 0.2 m.
    look = seen(on_floor(box(1.0, 0.1, width=20.0, gap=0.4)), heading=radians(45.0), velocity=(2.0, -2.0))
    assert look.top.edge == pytest.approx((0.2, -0.4, 1.0), abs=1e-5)


def test_walking_ground_is_no_face_and_what_can_be_stepped_onto_is_none():
    assert seen(Ramp(radians(43.0))).verdict == "NOTHING"
    assert seen(Stairs(0.17, 0.3, count=20, start=0.3)).verdict in {"NOTHING", "STEP"}


# Tops.


def test_the_top_behind_a_bevelled_rim_is_found_by_the_ray_further_in():
    # A wall of 1.2 m, a bevel of 60 degrees over 0.15 m, then level at 1.46 m.
    look = seen(profile((0.6, 0.0), (0.6, 1.2), (0.75, 1.46), (5.0, 1.46)))
    assert look.verdict == "CLIMB"
    assert look.top.edge[2] == pytest.approx(1.46, abs=0.01)
    assert look.top.edge[1] == pytest.approx(-0.75, abs=0.02)


def test_a_leaning_wall_is_one_face_up_to_its_top():
    # 70 degrees steep, 1.5 m high.
    look = seen(profile((0.4, 0.0), (0.94, 1.5), (5.0, 1.5)), "SPRINT")
    assert look.verdict == "CLIMB"
    assert look.top.edge[2] == pytest.approx(1.5, abs=0.02)


def test_a_roof_without_a_level_top_is_none_to_go_to():
    look = seen(profile((0.6, 0.0), (0.6, 1.0), (1.2, 1.9), (1.8, 1.0), (1.8, 0.0), (5.0, 0.0)))
    assert look.verdict == "REFUSED"
    assert look.reason


def test_what_begins_inside_of_geometry_is_too_tall():
    for deep in (-1.0, 0.0, 0.2):
        look = seen(on_floor(box(5.0, low=deep)))
        assert (look.verdict, look.reason) == ("REFUSED", TOO_TALL)


def test_a_window_is_gone_through_over_its_sill():
    sill = Block((-3.0, -FACE - 0.3, -1.0), (3.0, -FACE, 0.8))
    lintel = Block((-3.0, -FACE - 0.3, 2.4), (3.0, -FACE, 3.0))
    assert seen(on_floor(sill, lintel)).verdict == "VAULT"


# Room.


def test_no_vault_where_the_tucked_body_has_no_room_over_it():
    under_a_shelf = on_floor(FENCE, Block((-2.0, -FACE - 0.5, 1.5), (2.0, -FACE + 0.3, 1.7)))
    assert seen(under_a_shelf).verdict != "VAULT"
    assert seen(under_a_shelf).reason


def test_no_vault_where_the_top_of_its_arch_has_no_room():
    # From so near over a block so long the arch is 0.3 m over the top in its middle, as a tucked body is under 2.0 m.
    long = box(1.0, 1.0, gap=0.5)
    low, high = (Block((-2.0, -1.4, under), (2.0, -0.6, 3.0)) for under in (1.95, 2.4))
    assert seen(on_floor(long)).verdict == "VAULT"
    assert seen(on_floor(long, high)).verdict == "VAULT"
    assert seen(on_floor(long, low)).verdict != "VAULT"


def test_what_cannot_be_vaulted_for_its_landing_may_still_be_climbed():
    cliff = Block((-2.0, -1.6, -9.0), (2.0, 5.0, 0.0))
    assert seen(Union(cliff, box(1.0, 1.0))).verdict == "CLIMB"


def test_no_vault_where_a_beam_hangs_before_the_fence():
    beam = Block((-2.0, -FACE + 0.1, 1.5), (2.0, -FACE + 0.2, 1.7))
    assert seen(on_floor(FENCE, beam)).reason == "There is no room over it."


def test_no_vault_where_a_standing_body_has_no_room_behind_it():
    look = seen(on_floor(FENCE, Block((-2.0, -5.0, -1.0), (2.0, -FACE - 0.5, 3.0))))
    assert look.verdict == "EDGE"
    assert look.reason == "There is no room to land behind it."


def test_where_the_far_landing_has_no_room_it_lands_close_behind():
    look = seen(on_floor(FENCE, Block((-2.0, -6.0, -1.0), (2.0, -FACE - 1.0, 3.0))))
    assert look.verdict == "VAULT"
    assert look.crossing.landing.place[1] == pytest.approx(-FACE - look.depth - 0.45, abs=1e-6)


def test_no_vault_into_an_abyss():
    cliff = Block((-2.0, -FACE - 0.1, -9.0), (2.0, 5.0, 0.0))
    look = seen(Union(cliff, FENCE))
    assert look.verdict == "EDGE"
    assert look.reason == "There is no floor to land on behind it."


def test_the_floor_behind_a_vault_may_be_a_metre_lower_and_no_more():
    verdicts = []
    for depth in (0.95, 1.05):
        verdicts.append(seen(profile((0.6, 0.0), (0.6, 1.0), (0.7, 1.0), (0.7, -depth), (6.0, -depth))).verdict)
    assert verdicts == ["VAULT", "EDGE"]


@pytest.mark.parametrize(("drop", "verdict"), [(0.2, "CLIMB"), (0.4, "VAULT")])
def test_a_top_ends_where_it_drops_by_thirty_centimetres(drop: float, verdict: str):
    steps = profile((0.6, 0.0), (0.6, 1.0), (1.0, 1.0), (1.0, 1.0 - drop), (6.0, 1.0 - drop))
    assert seen(steps).verdict == verdict


def test_from_a_long_way_off_it_lands_no_more_than_a_metre_twenty_behind():
    look = seen(on_floor(box(1.0, 0.1, gap=1.5)), "SPRINT")
    assert look.crossing.landing.place[1] == pytest.approx(-1.5 - look.depth - 1.2)


@pytest.mark.parametrize(("ceiling", "verdict"), [(1.8, "EDGE"), (1.9, "VAULT")])
def test_over_a_top_the_tucked_body_is_eighty_centimetres_tall(ceiling: float, verdict: str):
    shelf = Block((-2.0, -FACE - 0.3, ceiling), (2.0, -FACE + 0.2, ceiling + 0.2))
    assert seen(on_floor(FENCE, shelf)).verdict == verdict


def test_no_climb_where_a_standing_body_has_no_room_on_top():
    look = seen(on_floor(box(1.5), Block((-2.0, -5.0, 2.6), (2.0, -FACE, 3.0))))
    assert (look.verdict, look.reason) == ("EDGE", "There is no room to stand on its top.")


def test_no_climb_where_a_shelf_is_over_the_way_up():
    look = seen(on_floor(box(1.7), Block((-2.0, -0.2, 1.9), (2.0, 2.0, 2.1))))
    assert look.verdict in {"EDGE", "REFUSED"}
    assert look.reason


def test_a_wall_on_a_low_block_makes_no_vault_of_it():
    look = seen(on_floor(box(0.9, 0.6), Block((-2.0, -FACE - 0.6, 0.9), (2.0, -FACE - 0.4, 3.0))))
    assert look.verdict == "EDGE"


# Under it.


def test_a_bar_that_cannot_be_gone_over_is_gone_under():
    assert seen(on_floor(box(3.0, 0.3, low=1.0))).verdict == "LOW_BAR"


def test_nobody_goes_under_a_bar_that_is_too_low():
    look = seen(on_floor(box(3.0, 0.3, low=0.7)))
    assert look.verdict == "REFUSED"
    assert look.reason in {NO_WAY_UNDER, TOO_TALL}


def test_a_bar_over_which_one_vaults_is_not_gone_under():
    assert seen(on_floor(box(1.1, 0.1, low=0.95))).verdict == "VAULT"


# What it asks.


# These have tests of their own above, in worlds made for them.
OWN = {"air_ahead", "landing_drop", "square"}


@pytest.mark.parametrize("name", [name for name in CONFIG.__dataclass_fields__ if name not in OWN])
def test_every_number_of_it_says_something(name: str):
    """None of them could be left out: with another value some look ends otherwise."""
    changed = [replace(CONFIG, **{name: share * getattr(CONFIG, name)}) for share in (0.8, 1.25)]
    assert any(
        repr(seen(world, sensor, keep=True, config=config)) != repr(seen(world, sensor, keep=True))
        for world, sensor in every_sight()
        for config in changed
    )


def every_sight() -> list[tuple[object, str]]:
    worlds = [
        Flat(), on_floor(FENCE), on_floor(box(1.0, 1.0)), on_floor(box(1.5)), on_floor(box(2.1)), on_floor(box(5.0)),
        on_floor(box(3.0, 0.3, low=1.0)), on_floor(FENCE, Block((-2.0, -6.0, -1.0), (2.0, -FACE - 1.0, 3.0))),
        on_floor(FENCE, Block((-2.0, -5.0, -1.0), (2.0, -FACE - 0.4, 3.0))),
        profile((0.6, 0.0), (0.6, 1.2), (0.75, 1.46), (5.0, 1.46)), on_floor(box(1.06, 0.05, low=1.0)),
        Union(Flat(), Block((0.1, -FACE - 0.1, -1.0), (0.3, -FACE, 1.0))),
        on_floor(box(2.05, 0.6, low=1.9)), on_floor(box(1.0, 0.4, low=0.6, width=0.5)),
    ]  # fmt: skip
    return [(world, name) for world in worlds for name in ("WALK", "SPRINT", "AIR")]


def test_a_look_asks_at_most_thirty_rays_and_four_capsules_and_says_how_many():
    most = [0, 0]
    for world, name in every_sight():
        one = seen(world, name, keep=True)
        kinds = [asked.kind for asked in one.asked]
        assert (kinds.count("RAY"), kinds.count("CAPSULE")) == (one.rays, one.capsules)
        most = [max(most[0], one.rays), max(most[1], one.capsules)]
    assert most[0] <= MOST_RAYS == 30
    assert most[1] <= MOST_CAPSULES == 4
    # The bound is not what ends a look: none of these comes to it.
    assert most[0] < MOST_RAYS


def test_nothing_is_kept_of_a_look_unless_it_is_asked_for_and_keeping_changes_nothing():
    for world, name in every_sight():
        plain, kept = seen(world, name), seen(world, name, keep=True)
        assert plain.asked == ()
        assert repr(kept._replace(asked=())) == repr(plain)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_a_body_of_another_size_sees_a_world_of_its_size_the_same(scale: float):
    def grown(block: Block) -> Block:
        return Block(tuple(v * scale for v in block.low), tuple(v * scale for v in block.high))

    lengths = [item for item in CONFIG.__dataclass_fields__.values() if item.metadata["unit"] == "m"]
    config = replace(CONFIG, **{item.name: getattr(CONFIG, item.name) * scale for item in lengths})
    here = stance()
    large = here._replace(radius=0.35 * scale, standing=1.8 * scale, low=0.75 * scale, step=0.55 * scale)
    for block in (FENCE, box(1.0, 0.8), box(1.5), box(2.0), box(3.0, 0.3, low=1.0), box(1.06, 0.05, low=1.0)):
        for name in ("WALK", "SPRINT", "AIR"):
            plain = look(on_floor(block), here, name, CONFIG)
            other = look(on_floor(grown(block)), large, name, config)
            assert other.verdict == plain.verdict
            assert other.height == pytest.approx(plain.height * scale, abs=1e-4)


@pytest.mark.parametrize(("overlap", "lands"), [(0.012, True), (0.025, False)])
def test_a_place_to_land_is_one_where_less_than_two_centimetres_of_the_body_are_in_something(
    overlap: float, lands: bool
):
    # Posts on both sides of all the way behind the fence.
    posts = [
        Block((min(near, far), -9.0, -1.0), (max(near, far), -FACE - 0.2, 3.0))
        for near, far in ((0.35 - overlap, 2.0), (-0.35 + overlap, -2.0))
    ]
    assert (seen(on_floor(FENCE, *posts)).verdict == "VAULT") is lands
