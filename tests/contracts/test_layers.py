"""What holds for every kind of layer, whatever it does: run over the whole registry."""

from __future__ import annotations

import dataclasses
from math import isfinite
from typing import Any

import pytest
from mathutils import Matrix, Quaternion, Vector
from support.layered import BODIES, Body, layered_kinds, made_settings
from surefoot.core.control.intent import LayerInput, Spot
from surefoot.core.layers.aim import AimConfig
from surefoot.core.layers.layer import STAGES, LayerKind, LayerSettings
from surefoot.core.layers.reach import ReachConfig, suited_limb
from surefoot.core.layers.registry import LAYERS
from surefoot.core.layers.stack import Stack, copied
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.space.settings import range_errors

KINDS = layered_kinds()
SPOTS = {
    "within reach": Spot(0.3, -0.5, 1.2),
    "far away": Spot(80.0, -30.0, 5.0),
    "behind": Spot(0.1, 3.0, 1.5),
    "straight above": Spot(0.0, 0.0, 9.0),
    "at the body": Spot(0.0, 0.0, 0.0),
    "nothing": None,
}


@pytest.fixture(params=KINDS, ids=lambda kind: kind.kind)
def kind(request: pytest.FixtureRequest) -> LayerKind:
    return request.param


@pytest.fixture(params=BODIES)
def body(request: pytest.FixtureRequest) -> Body:
    return BODIES[request.param]()


def stack_of(body: Body, kind: LayerKind, mask: str = "") -> Stack:
    return Stack(body.rig, [LayerSettings(kind.kind, made_settings(kind, body), mask)])


def run(
    body: Body, stack: Stack, wish: LayerInput, frames: int = 12, *, mirrored: bool = False, **arguments: Any
) -> list[EditedPose]:
    """The poses of a few frames of a body that sways as it goes."""
    memories, poses = stack.start(), []
    for n in range(frames):
        pose = body.pose(n, mirrored=mirrored)
        stack.apply(pose, memories, body.moment(n, **arguments), [wish])
        poses.append(pose)
    return poses


def numbers(pose: EditedPose) -> list[float]:
    """All that a pose holds."""
    places = [value for i in sorted(pose.locations) for value in pose.locations[i]]
    return [value for turn in pose.rotations for value in turn] + places


def test_the_registry_names_each_kind_once_and_in_the_order_of_the_stages():
    assert [kind.kind for kind in LAYERS.values()] == list(LAYERS)
    stages = [STAGES.index(kind.stage) for kind in LAYERS.values()]
    assert stages == sorted(stages)


def test_a_kind_says_what_it_does(kind: LayerKind):
    assert kind.title
    assert len(kind.about) > 20
    assert not kind.about.endswith(".")
    assert dataclasses.is_dataclass(kind.config)
    assert range_errors(kind.config()) == []


def test_a_weight_of_nothing_changes_nothing_to_the_bit(kind: LayerKind, body: Body):
    for pose, plain in zip(
        run(body, stack_of(body, kind), LayerInput(0.0, True, SPOTS["within reach"])), body.poses(12), strict=True
    ):
        assert numbers(pose) == numbers(plain)


def test_only_driven_bones_are_touched(kind: LayerKind, body: Body):
    stack = stack_of(body, kind)
    rotated, located = stack.driven()
    for pose, plain in zip(run(body, stack, LayerInput(1.0, True, SPOTS["within reach"])), body.poses(12), strict=True):
        assert {i for i, turn in enumerate(pose.rotations) if turn != plain.rotations[i]} <= rotated
        moved = {i for i in {*pose.locations, *plain.locations} if pose.locations.get(i) != plain.locations.get(i)}
        assert moved <= located


def test_masked_bones_are_untouched_to_the_bit(kind: LayerKind, body: Body):
    whole = stack_of(body, kind)
    driven = sorted(whole.driven()[0])
    if not driven:
        pytest.skip("It moves nothing of this body.")
    name = body.rig.skeleton.bones[driven[0]].name
    stack = stack_of(body, kind, f"all -{name}")
    kept = {driven[0], *body.rig.skeleton.below[driven[0]]}
    for pose, plain in zip(run(body, stack, LayerInput(1.0, True, SPOTS["within reach"])), body.poses(12), strict=True):
        for i in kept:
            assert pose.rotations[i] == plain.rotations[i]
            assert pose.locations.get(i) == plain.locations.get(i)


@pytest.mark.parametrize("spot", SPOTS)
@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_whatever_it_aims_at_all_numbers_are_numbers(kind: LayerKind, body: Body, spot: str, weight: float):
    for pose in run(body, stack_of(body, kind), LayerInput(weight, True, SPOTS[spot])):
        assert all(map(isfinite, numbers(pose)))
        assert all(turn.magnitude == pytest.approx(1.0, abs=1e-4) for turn in pose.rotations)


@pytest.mark.parametrize("shape", ["straight", "folded", "flat"])
def test_a_straight_a_folded_and_a_body_without_length_have_results(kind: LayerKind, shape: str):
    for make in BODIES.values():
        body = make().reshaped(shape)
        for pose in run(body, stack_of(body, kind), LayerInput(1.0, True, SPOTS["within reach"]), 4):
            assert all(map(isfinite, numbers(pose)))


def test_letting_go_ends_where_nothing_was_asked(kind: LayerKind, body: Body):
    """A layer that was switched off leaves the pose to itself, within its own time."""
    if kind.targets == "NONE":
        pytest.skip("It aims at nothing.")
    stack = stack_of(body, kind)
    memories = stack.start()
    for n in range(600):
        pose = body.pose(0)
        stack.apply(pose, memories, body.moment(n, still=True), [LayerInput(1.0, n < 60, SPOTS["within reach"])])
    idle = stack.start()
    for n in range(600):
        other = body.pose(0)
        stack.apply(other, idle, body.moment(n, still=True), [LayerInput(1.0, False, None)])
    for turn, wanted in zip(pose.rotations, other.rotations, strict=True):
        assert turn.rotation_difference(wanted).angle < 0.02


def test_the_same_input_gives_the_same_bytes(kind: LayerKind, body: Body):
    wish = LayerInput(1.0, True, SPOTS["within reach"])
    one = [numbers(pose) for pose in run(body, stack_of(body, kind), wish)]
    two = [numbers(pose) for pose in run(body, stack_of(body, kind), wish)]
    assert one == two


def test_going_on_from_a_copied_memory_gives_the_same_bytes(kind: LayerKind, body: Body):
    wish = LayerInput(1.0, True, SPOTS["within reach"])
    stack = stack_of(body, kind)
    played = [numbers(pose) for pose in run(body, stack, wish)]
    memories = stack.start()
    again = []
    for n in range(12):
        kept = copied(memories)
        stack.apply(body.pose(n), memories, body.moment(n), [wish])
        memories = kept
        pose = body.pose(n)
        stack.apply(pose, memories, body.moment(n), [wish])
        again.append(numbers(pose))
    assert again == played


@pytest.mark.parametrize("heading", [1.1, -2.6])
def test_a_body_that_stands_elsewhere_and_turned_is_posed_the_same(kind: LayerKind, body: Body, heading: float):
    place = Vector((7.0, -3.0, 0.0))
    turn = Quaternion((0.0, 0.0, 1.0), heading)
    here = SPOTS["within reach"]
    there = place + turn @ Vector(here[:3])
    one = run(body, stack_of(body, kind), LayerInput(1.0, True, here))
    two = run(
        body,
        stack_of(body, kind),
        LayerInput(1.0, True, Spot(*there, tuple(turn))),
        at=Matrix.Translation(place) @ turn.to_matrix().to_4x4(),
    )
    for pose, other in zip(one, two, strict=True):
        for a, b in zip(pose.rotations, other.rotations, strict=True):
            assert a.rotation_difference(b).angle < 2e-3


def test_a_mirrored_body_with_a_mirrored_target_is_posed_in_the_mirror(kind: LayerKind, body: Body):
    if kind.kind in {"CLIP"} or not body.symmetric:
        pytest.skip("What it plays has no mirror image.")
    here = SPOTS["within reach"]
    settings = sided(made_settings(kind, body), body)
    mirrored = body.mirrored_settings(settings)
    one = run(body, Stack(body.rig, [LayerSettings(kind.kind, settings)]), LayerInput(1.0, True, here))
    spot = Spot(-here.x, here.y, here.z)
    two = run(body, Stack(body.rig, [LayerSettings(kind.kind, mirrored)]), LayerInput(1.0, True, spot), mirrored=True)
    for pose, other in zip(one, two, strict=True):
        for i, j in body.pairs():
            a, b = pose.tail(i), other.tail(j)
            assert (a - Vector((-b.x, b.y, b.z))).length < 5e-3 * body.rig.leg_length, body.rig.skeleton.bones[i].name


def sided(settings: Any, body: Body) -> Any:
    """Settings that name the right side where, left empty, they would take it."""
    if isinstance(settings, ReachConfig):
        return dataclasses.replace(settings, limb=suited_limb(body.rig))
    if isinstance(settings, AimConfig) and any(arm.side == "R" for arm in body.rig.arms):
        return dataclasses.replace(settings, first="arm.R")
    return settings


def test_a_body_twice_as_large_is_posed_in_the_same_angles(kind: LayerKind, body: Body):
    here = SPOTS["within reach"]
    large = body.scaled(2.0)
    one = run(body, stack_of(body, kind), LayerInput(1.0, True, here))
    two = run(large, stack_of(large, kind), LayerInput(1.0, True, Spot(2.0 * here.x, 2.0 * here.y, 2.0 * here.z)))
    if kind.stage == "SECONDARY":
        pytest.skip("A body twice as large does not swing as fast.")
    for pose, other in zip(one, two, strict=True):
        for a, b in zip(pose.rotations, other.rotations, strict=True):
            assert a.rotation_difference(b).angle < 0.02


def test_a_memory_is_flat_small_and_copies_itself(kind: LayerKind, body: Body):
    stack = stack_of(body, kind)
    memories = stack.start()
    for n in range(240):
        stack.apply(body.pose(n), memories, body.moment(n), [LayerInput(1.0, True, SPOTS["within reach"])])
    assert isinstance(memories[0].reason, str)
    assert count(memories[0]) < 2000
    copy = memories[0].copy()
    assert copy is not memories[0]
    assert dataclasses.asdict(copy).keys() == dataclasses.asdict(memories[0]).keys()


def count(value: Any) -> int:
    """How many numbers and texts something holds."""
    if dataclasses.is_dataclass(value):
        return sum(count(getattr(value, item.name)) for item in dataclasses.fields(value))
    if isinstance(value, tuple | list):
        return sum(map(count, value))
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    if isinstance(value, Vector | Quaternion):
        return len(value)
    assert isinstance(value, bool | int | float | str | type(None)), type(value)
    return 1
