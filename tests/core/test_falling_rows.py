"""What rows of a record may be like: none, of a limb, wrong, at an end; bodies that cannot fall; scrubbing."""

from __future__ import annotations

from dataclasses import replace
from math import dist, nan, radians

import pytest
from mathutils import Matrix
from support.falling import DT, Faller, carried, laid, row, same_signs, turned_over
from support.following import poses_of
from support.performers import clip_of
from surefoot.core.character import CharacterConfig, world_matrix
from surefoot.core.control.fall_row import FallRow
from surefoot.core.control.intent import Inputs, LayerInput, Place, Spot
from surefoot.core.falling_memory import FallConfig
from surefoot.core.from_rig import SourceRig
from surefoot.core.layers.layer import LayerSettings
from surefoot.core.layers.look_at import LookAtConfig
from surefoot.core.layers.springs_config import SpringsConfig
from surefoot.core.motion.clip_pose import clip_poses
from surefoot.core.ragdoll.bodies_pose import bodies_of
from surefoot.core.rig.edited_pose import EditedPose


def down_with(faller: Faller, seconds: float = 0.5) -> tuple[float, ...]:
    """It lies, as it is told."""
    bodies = laid(faller.bodies())
    for _ in range(round(seconds / DT)):
        faller.tick(row("FALLEN", bodies))
    return bodies


def test_without_any_row_nothing_changes_to_the_bit():
    plain, with_solids = (Faller("person", Inputs(speed=1.2)) for _ in range(2))
    plain.character = type(plain.character)(plain.rig, replace(plain.character.config, ragdoll=None))
    for faller in (plain, with_solids):
        faller.wait(2.0)
    assert repr(plain.memory) == repr(with_solids.memory)
    frames = [faller.character.pose(faller.memory) for faller in (plain, with_solids)]
    assert frames[0].numbers() == frames[1].numbers()


def test_a_limb_alone_is_laid_by_its_weight_and_the_rest_walks_on():
    faller = Faller("person", Inputs(speed=1.2))
    faller.wait(1.0)
    other = Faller("person", Inputs(speed=1.2))
    other.wait(1.0)
    arm = [i for i, body in enumerate(faller.plan.bodies) if body.limb == "arm.L"]
    weights = tuple(1.0 if i in arm else 0.0 for i in range(len(faller.plan.bodies)))
    told = list(faller.bodies())
    raised = turned_over(faller.bodies(), Matrix.Rotation(radians(-80.0), 4, "X"))
    for i in arm:
        told[7 * i + 3 : 7 * i + 7] = raised[7 * i + 3 : 7 * i + 7]
    faller.tick(row("ANIMATED", tuple(told), weights=weights))
    other.tick()
    assert repr(faller.memory.gait) == repr(other.memory.gait)
    assert faller.memory.travel == other.memory.travel
    expected = list(other.bodies())
    for i in arm:
        expected[7 * i : 7 * i + 7] = told[7 * i : 7 * i + 7]
    shown = same_signs(faller.shown(), tuple(expected))
    for i, body in enumerate(faller.plan.bodies):
        close = pytest.approx(expected[7 * i + 3 : 7 * i + 7], abs=1e-4)
        assert shown[7 * i + 3 : 7 * i + 7] == close, body.role


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_weights_mix_a_body_that_lies_with_its_motion(share: float):
    faller = Faller("person")
    faller.wait(0.2)
    told, own = laid(faller.bodies()), faller.bodies()
    faller.tick(row("ACTIVE", told, weights=(share,) * len(faller.plan.bodies)))
    middle = own[2] + (told[2] - own[2]) * share
    assert faller.shown()[2] == pytest.approx(middle, abs=0.02)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda bodies: FallRow("ACTIVE", bodies=bodies[:-7]), "solids"),
        (lambda bodies: FallRow("ACTIVE", bodies=(*bodies, *bodies[:7])), "solids"),
        (lambda bodies: FallRow("ACTIVE", bodies=bodies, weights=(1.0,)), "solids"),
        (lambda bodies: FallRow("ACTIVE", bodies=(nan, *bodies[1:])), "numbers"),
        (lambda bodies: FallRow("FALLEN", bodies=bodies, weights=(nan,) * (len(bodies) // 7)), "numbers"),
        (lambda bodies: FallRow("ACTIVE", bodies=bodies, push=(nan, 0.0, 0.0)), "numbers"),
        (lambda bodies: FallRow("ACTIVE", bodies=(*bodies[:3], 0.0, 0.0, 0.0, 0.0, *bodies[7:])), "numbers"),
    ],
    ids=["too few", "too many", "weights", "no number", "no weight", "no push", "no turn"],
)  # fmt: skip
def test_a_row_that_cannot_be_followed_is_not_and_the_reason_is_said(wrong, says: str):
    faller, other = Faller("person", Inputs(speed=1.2)), Faller("person", Inputs(speed=1.2))
    for _ in range(60):
        faller.tick(wrong(faller.bodies()))
        assert says in faller.memory.reason
        other.tick()
    assert faller.memory.fall is None
    assert repr(faller.memory.gait) == repr(other.memory.gait)


def test_rows_of_a_body_without_solids_are_not_followed_either():
    faller = Faller("person")
    bodies = faller.bodies()
    faller.character = type(faller.character)(faller.rig, CharacterConfig())
    faller.tick(row("ACTIVE", bodies))
    assert "no solids" in faller.memory.reason


def test_a_getting_up_of_a_body_that_never_fell_is_none():
    faller = Faller("person")
    faller.tick(row("GETTING_UP"))
    assert faller.memory.fall is None


@pytest.mark.parametrize(
    ("kind", "config", "says"),
    [("snake", CharacterConfig(), "without legs"), ("spider", CharacterConfig(surfaces="WALLS"), "clings")],
)
def test_bodies_that_cannot_fall_say_so(kind: str, config: CharacterConfig, says: str):
    faller = Faller(kind, config=config)
    faller.wait(0.1)
    told = faller.bodies()
    for _ in range(3):
        faller.tick(row("FALLEN", told))
    assert says in faller.memory.reason
    assert faller.memory.fall is None


def test_switched_off_nothing_falls():
    faller = Faller("person", config=CharacterConfig(fall=FallConfig(falls=False)))
    faller.tick(row("FALLEN", laid(faller.bodies())))
    assert faller.memory.fall is None
    assert faller.shown() == faller.bodies()


def test_a_teleport_ends_a_fall():
    faller = Faller("person")
    faller.wait(0.2)
    down_with(faller)
    faller.tick(moved_to=Place(5.0, 5.0, 0.0, 0.0))
    assert faller.memory.fall is None
    assert faller.memory.travel.place[:2] == (5.0, 5.0)


@pytest.mark.parametrize(("base", "moves"), [("WAITS", False), ("GOES_ON", True)])
def test_a_clip_waits_for_a_body_that_lies_or_goes_on(base: str, moves: bool):
    config = CharacterConfig(base="CLIP", clip_poses=clip_poses(clip_of("person")), fall=FallConfig(fall_base=base))
    faller = Faller("person", config=config)
    faller.wait(0.5)
    told = laid(faller.bodies())
    before = faller.memory.clip.time
    for _ in range(30):
        faller.tick(row("FALLEN", told))
    assert same_signs(faller.shown(), told) == pytest.approx(told, abs=5e-5)
    assert faller.memory.clip.time - before == pytest.approx(0.5 if moves else 0.0)


@pytest.mark.parametrize("base", ["CLIP", "RIG"])
def test_bodies_that_no_gait_moves_stagger_fall_and_get_up_too(base: str):
    if base == "CLIP":
        sources: tuple = (None,)
        config = CharacterConfig(base="CLIP", clip_poses=clip_poses(clip_of("person")))
    else:
        sources = poses_of(clip_of("person"))
        config = CharacterConfig(base="RIG", source_rig=SourceRig(clip_of("person").rig, "person"))
    faller, n = Faller("person", Inputs(source=sources[0]), config=config), 0

    def go(each: FallRow | None) -> None:
        nonlocal n
        n += 1
        faller.inputs = Inputs(source=sources[n % len(sources)])
        faller.tick(each)

    for _ in range(30):
        go(None)
    begin = faller.bodies()
    for k in range(1, 21):
        go(row("ACTIVE", carried(begin, 0.01 * k)))
    assert same_signs(faller.shown(), carried(begin, 0.2)) == pytest.approx(carried(begin, 0.2), abs=5e-5)
    told = laid(carried(begin, 0.2))
    for _ in range(20):
        go(row("FALLEN", told))
    assert same_signs(faller.shown(), told) == pytest.approx(told, abs=5e-5)
    go(row("GETTING_UP"))
    while faller.character.rises(faller.memory):
        go(row("GETTING_UP"))
    place = faller.memory.travel.place
    assert dist(place[:2], told[:2]) < 1.0
    for _ in range(3):
        before = faller.memory.travel.place
        go(None)
        assert dist(before[:2], faller.memory.travel.place[:2]) < 0.1
    assert faller.memory.fall is None


def test_a_body_that_lies_looks_at_nothing_and_its_springs_swing_on():
    layers = (LayerSettings("LOOK_AT", LookAtConfig()), LayerSettings("SPRINGS", SpringsConfig()))
    faller = Faller("dog", config=CharacterConfig(layers=layers))
    wish = LayerInput(spot=Spot(2.0, -1.0, 0.5))
    faller.inputs = Inputs(layers=(wish, LayerInput()))
    faller.wait(1.0)
    told = laid(faller.bodies(), "Y", 90.0)
    tail = [i for i, body in enumerate(faller.plan.bodies) if body.limb == "tail"]
    weights, ends = tuple(0.0 if i in tail else 1.0 for i in range(len(faller.plan.bodies))), []
    for _ in range(30):
        faller.tick(row("FALLEN", told, weights=weights))
        frame = faller.character.frame(faller.memory, faller.inputs, faller.world, DT)
        pose = EditedPose.of_frame(faller.rig.skeleton, frame)
        shown = turned_over(bodies_of(faller.plan, pose, world_matrix(frame.ground)), Matrix())
        ends.append(shown[7 * tail[-1] : 7 * tail[-1] + 3])
    assert dist(ends[0], ends[-1]) > 0.002
    shown = same_signs(shown, told)
    for i, body in enumerate(faller.plan.bodies):
        if i not in tail:
            close = pytest.approx(told[7 * i : 7 * i + 7], abs=1e-4)
            assert shown[7 * i : 7 * i + 7] == close, body.role


def story(faller: Faller, keep: int) -> tuple[str, object]:
    """Walking, pushed, down, up, on; what it remembers in the end, and a copy of a tick on the way."""
    faller.wait(0.5)
    begin, kept, n = faller.bodies(), None, 0
    told = laid(begin)
    rows = [row("ACTIVE", carried(begin, 0.01 * k)) for k in range(20)]
    rows += [row("FALLEN", told)] * 20 + [row("GETTING_UP")] * 200 + [None] * 30
    for n, each in enumerate(rows):
        if n == keep:
            kept = faller.memory.copy()
        if n == keep + 300:
            break
        faller.tick(each)
    return repr(faller.memory), (kept, rows[keep:])


@pytest.mark.parametrize("keep", [0, 10, 30, 60, 230])
def test_scrubbed_to_any_tick_and_played_on_it_is_the_same_to_the_bit(keep: int):
    faller = Faller("dog", Inputs(speed=1.0))
    end, (kept, rows) = story(faller, keep)
    faller.memory = kept
    for each in rows:
        faller.tick(each)
    assert repr(faller.memory) == end
