"""Footholds may be given instead of found: hand-placed steps, holds of a wall."""

from surefoot.core.control.intent import Place, Travel
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.foot import Foothold
from surefoot.core.gait.gait import ProceduralGait
from surefoot.core.gait.shape import make_legs
from surefoot.core.presets import auto_gait, gait_names, pattern
from surefoot.core.world.solids import Empty, Flat

DT = 1.0 / 60.0


def _gait() -> ProceduralGait:
    patterns = {name: item for name in gait_names() if (item := pattern(name, 2)) is not None}
    return ProceduralGait(make_legs(2, 0.0, 0.2, 0.9), GaitConfig(), patterns, auto_gait(2))


def _walk(world: object, given: dict[str, Foothold], seconds: float = 1.5) -> list[tuple[str, Foothold]]:
    """Where each foot landed, in order."""
    gait = _gait()
    travel = Travel(Place(0.0, 0.0, 0.0, 0.0), velocity=(0.0, -1.0, 0.0))
    memory, landed = gait.start(travel, world), []
    for n in range(round(seconds / DT)):
        here = Place(0.0, -1.0 * (n + 1) * DT, 0.0, 0.0)
        gait.tick(
            memory,
            Travel(here, velocity=(0.0, -1.0, 0.0)),
            lambda t, h=here: h._replace(y=h.y - t),
            world,
            DT,
            given=given,
        )
        for kind, role in memory.events:
            if kind == "LANDING":
                foot = memory.feet[[leg.role for leg in gait.shape.legs].index(role)]
                landed.append((role, foot.hold))
    return landed


def test_a_foot_lands_on_the_foothold_that_is_given_to_its_leg():
    stone = Foothold(0.12, -0.5, 0.08, 0.0, (0.0, 0.0, 1.0), None, True)
    landed = _walk(Flat(), {"leg.L": stone})
    assert [hold for role, hold in landed if role == "leg.L"][0] == stone


def test_legs_without_a_given_foothold_find_their_own():
    stone = Foothold(0.12, -0.5, 0.08, 0.0, (0.0, 0.0, 1.0), None, True)
    landed = _walk(Flat(), {"leg.L": stone})
    found = [hold for role, hold in landed if role == "leg.R"]
    assert found and all(hold.z == 0.0 and hold.grounded for hold in found)


def test_given_footholds_need_no_ground_at_all():
    stones = {
        "leg.L": Foothold(0.1, -0.5, 0.3, 0.0, (0.0, 0.0, 1.0), None, True),
        "leg.R": Foothold(-0.1, -0.9, 0.3, 0.0, (0.0, 0.0, 1.0), None, True),
    }
    assert dict(_walk(Empty(), stones)) == stones
