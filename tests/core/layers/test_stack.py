"""The stack: order, weights, masks and what each layer is told."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import pytest
from mathutils import Quaternion, Vector
from support.layered import BODIES, Body
from surefoot.core.control.intent import LayerInput, Spot
from surefoot.core.layers import stack as stack_module
from surefoot.core.layers.layer import LayerKind, LayerSettings, Moment
from surefoot.core.layers.request import Request
from surefoot.core.layers.stack import Stack, copied
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Problem, Rig
from surefoot.core.space.settings import setting

Z = Vector((0.0, 0.0, 1.0))


@dataclass(frozen=True)
class TurnConfig:
    """A layer for these tests: it turns the head about the vertical."""

    angle: float = setting(0.5, "How far the head is turned", low=-3.0, high=3.0)


@dataclass(slots=True)
class TurnMemory:
    frames: int = 0
    reason: str = ""

    def copy(self) -> TurnMemory:
        return TurnMemory(self.frames, self.reason)


class Turn:
    problems: tuple[Problem, ...] = ()

    def __init__(self, rig: Rig, config: TurnConfig) -> None:
        self.head, self.config = rig.head, config

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return (self.head,), ()

    def start(self) -> TurnMemory:
        return TurnMemory()

    def apply(self, pose: EditedPose, memory: TurnMemory, _moment: Moment, _wish: LayerInput) -> None:
        memory.frames += 1
        memory.reason = f"Frame {memory.frames}."
        pose.turn_by(self.head, Quaternion(Z, self.config.angle))


class Tilt(Turn):
    """The same about the line from left to right; not the same before and after the other."""

    def apply(self, pose: EditedPose, memory: TurnMemory, _moment: Moment, _wish: LayerInput) -> None:
        memory.frames += 1
        pose.turn_by(self.head, Quaternion((1.0, 0.0, 0.0), self.config.angle))


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = LayerKind("TURN", "Turn", "Turns the head, for tests", "LOOK", TurnConfig, Turn)
    tilt = LayerKind("TILT", "Tilt", "Tilts the head, for tests", "REACH", TurnConfig, Tilt)
    monkeypatch.setattr(stack_module, "LAYERS", {"TURN": turn, "TILT": tilt})


@pytest.fixture
def body() -> Body:
    return BODIES["person"]()


def laid(body: Body, layers: list[LayerSettings], *wishes: LayerInput) -> EditedPose:
    pose, stack = body.pose(0), Stack(body.rig, layers)
    stack.apply(pose, stack.start(), body.moment(0), wishes)
    return pose


def test_stages_decide_the_order_whatever_the_list_says(body: Body):
    turn, tilt = LayerSettings("TURN", TurnConfig(0.5)), LayerSettings("TILT", TurnConfig(0.5))
    one, two = laid(body, [turn, tilt]), laid(body, [tilt, turn])
    assert one.rotations == two.rotations
    wanted = body.pose(0)
    wanted.turn_by(body.rig.head, Quaternion((1.0, 0.0, 0.0), 0.5) @ Quaternion(Z, 0.5))
    assert one.turn(body.rig.head).rotation_difference(wanted.turn(body.rig.head)).angle < 1e-5


def test_each_layer_gets_the_wish_at_its_place_in_the_list(body: Body):
    turn, tilt = LayerSettings("TURN", TurnConfig(0.5)), LayerSettings("TILT", TurnConfig(0.5))
    pose = laid(body, [tilt, turn], LayerInput(0.0), LayerInput(1.0))
    wanted = body.pose(0)
    wanted.turn_by(body.rig.head, Quaternion(Z, 0.5))
    assert pose.turn(body.rig.head).rotation_difference(wanted.turn(body.rig.head)).angle < 1e-6


@pytest.mark.parametrize("weight", [0.25, 0.5, 0.75])
def test_a_weight_makes_its_share_of_the_turn(body: Body, weight: float):
    pose, plain = laid(body, [LayerSettings("TURN", TurnConfig(0.8))], LayerInput(weight)), body.pose(0)
    turned = pose.turn(body.rig.head).rotation_difference(plain.turn(body.rig.head)).angle
    assert turned == pytest.approx(0.8 * weight, abs=1e-5)


def test_at_no_weight_a_layer_forgets_and_begins_anew(body: Body):
    stack = Stack(body.rig, [LayerSettings("TURN", TurnConfig())])
    memories = stack.start()
    for weight in (1.0, 1.0, 0.0, 1.0):
        stack.apply(body.pose(0), memories, body.moment(0), [LayerInput(weight)])
    assert memories[0].frames == 1


def test_a_mask_that_names_nothing_known_is_a_problem_that_says_what_it_may_name(body: Body):
    stack = Stack(body.rig, [LayerSettings("TURN", TurnConfig(), "flipper")])
    assert "'flipper'" in str(stack.problems[0])
    assert "upper_body" in str(stack.problems[0])
    assert not stack.problems[0].blocking


def test_a_masked_bone_is_not_among_the_driven(body: Body):
    assert Stack(body.rig, [LayerSettings("TURN", TurnConfig())]).driven()[0] == {body.rig.head}
    assert Stack(body.rig, [LayerSettings("TURN", TurnConfig(), "legs")]).driven()[0] == set()


def test_reasons_are_told_in_the_order_of_the_settings(body: Body):
    stack = Stack(body.rig, [LayerSettings("TILT", TurnConfig()), LayerSettings("TURN", TurnConfig())])
    memories = stack.start()
    stack.apply(body.pose(0), memories, body.moment(0), [])
    assert stack.reasons(memories) == ["Frame 1."]


def test_copied_memories_do_not_change_with_the_first_ones(body: Body):
    stack = Stack(body.rig, [LayerSettings("TURN", TurnConfig())])
    memories = stack.start()
    kept = copied(memories)
    stack.apply(body.pose(0), memories, body.moment(0), [])
    assert (kept[0].frames, memories[0].frames) == (0, 1)


def test_a_state_that_suspends_a_kind_switches_its_wish_off_and_no_other_s(body: Body):
    seen: dict[str, bool] = {}

    def watch(name: str):
        def apply(_self: Turn, _pose: EditedPose, _memory: TurnMemory, _moment: Moment, wish: LayerInput) -> None:
            seen[name] = wish.on

        return apply

    stack = Stack(body.rig, [LayerSettings("TURN", TurnConfig()), LayerSettings("TILT", TurnConfig())])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Turn, "apply", watch("TURN"))
        patch.setattr(Tilt, "apply", watch("TILT"))
        stack.apply(body.pose(0), stack.start(), body.moment(0), [], Request(let_go=("TURN",)))
    assert seen == {"TURN": False, "TILT": True}


def test_a_state_takes_a_share_of_a_layer_s_weight(body: Body):
    stack = Stack(body.rig, [LayerSettings("TURN", TurnConfig(0.8))])
    pose, plain = body.pose(0), body.pose(0)
    stack.apply(pose, stack.start(), body.moment(0), [LayerInput(0.5)], Request(weights=(("TURN", 0.5),)))
    turned = pose.turn(body.rig.head).rotation_difference(plain.turn(body.rig.head)).angle
    assert turned == pytest.approx(0.2, abs=1e-5)


@pytest.mark.parametrize("weight", [nan, inf, -inf])
def test_a_weight_that_is_no_number_changes_nothing_to_the_bit(body: Body, weight: float):
    pose = laid(body, [LayerSettings("TURN", TurnConfig(0.8))], LayerInput(weight))
    assert pose.rotations == body.pose(0).rotations


@pytest.mark.parametrize(
    "spot", [Spot(nan, 0.0, 1.0), Spot(0.0, 0.0, inf), Spot(0.0, 0.0, 1.0, (nan, 0.0, 0.0, 0.0))], ids=str
)
def test_a_target_that_is_nowhere_is_no_target(body: Body, spot: Spot):
    seen: list[LayerInput] = []

    def watch(_self: Turn, _pose: EditedPose, _memory: TurnMemory, _moment: Moment, wish: LayerInput) -> None:
        seen.append(wish)

    stack = Stack(body.rig, [LayerSettings("TURN", TurnConfig())])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Turn, "apply", watch)
        stack.apply(body.pose(0), stack.start(), body.moment(0), [LayerInput(1.0, spot=spot, progress=nan)])
    assert seen == [LayerInput(1.0, spot=None, progress=0.0)]
