"""What a body does where it stands, with no clip: eat, drink, sniff, rest, attack, be on the alert."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from itertools import pairwise, product
from math import asin, degrees, hypot

import pytest
from support.acting import FPS, Acted, act, agent, from_to
from surefoot.core.actions.acted_pose import rhythm
from surefoot.core.actions.acting import Acting, ActMemory
from surefoot.core.actions.config import HeadDownConfig
from surefoot.core.actions.lunge import lunge_at
from surefoot.core.character import world_matrix
from surefoot.core.control.intent import AgentWish, Inputs, Intent, Place, Spot, Travel
from surefoot.core.world.solids import Flat, Ramp

FOUR = ("dog", "horse", "bird", "person")
ALL = (*FOUR, "spider", "beetle")
MOVING = ("EAT", "DRINK", "SNIFF", "REST", "ATTACK")
NOTHING = AgentWish()


ENDS = {"person": (4.2, 8.5), "horse": (3.0, 7.0)}
"""When an activity ends that began after half a second, and when the run does: kneeling first takes its time."""


@cache
def once(name: str, activity: str) -> Acted:
    """Half a second of nothing, the activity, and nothing again."""
    end, seconds = ENDS.get(name, (3.0, 6.5))
    return act(name, from_to(activity, 0.5, end), seconds)


@cache
def still(name: str) -> Acted:
    return act(name, NOTHING, ENDS.get(name, (3.0, 6.5))[1])


def leg_of(name: str) -> float:
    return agent(name).rig.leg_length


def middle(name: str) -> range:
    """The frames in which it is fully at it."""
    end = round(ENDS.get(name, (3.0, 6.5))[0] * FPS)
    return range(end - round(0.8 * FPS), end)


@pytest.mark.parametrize("activity", ["EAT", "DRINK", "SNIFF"])
@pytest.mark.parametrize("name", FOUR)
def test_a_head_comes_down_until_its_mouth_is_at_the_ground(name: str, activity: str):
    run = once(name, activity)
    kind = getattr(agent(name).activities.config, activity.lower())
    lowest = min(run.mouth(frame) for frame in middle(name))
    assert lowest == pytest.approx(kind.height * leg_of(name), abs=0.035 * leg_of(name))
    assert run.mouth(0) > 0.9 * leg_of(name)


@pytest.mark.parametrize("name", FOUR)
def test_what_drinks_is_lower_than_what_eats_and_what_sniffs_is_higher(name: str):
    kinds = agent(name).activities.config
    assert kinds.drink.height < kinds.eat.height < kinds.sniff.height or name == "bird"
    lows = [min(once(name, activity).mouth(f) for f in middle(name)) for activity in ("DRINK", "SNIFF")]
    assert lows[0] < lows[1]


@pytest.mark.parametrize("name", FOUR)
def test_a_head_that_eats_is_lifted_again_and_again_and_one_that_laps_stays_down(name: str):
    eats = act(name, AgentWish(activity="EAT"), 7.5)
    own = agent(name).activities
    period, begin = own.config.eat.period * own.tempo, 4 * FPS
    mouths = eats.mouths()[begin:]
    span = round(period * FPS)
    lifts = [max(mouths[k : k + span]) - min(mouths[k : k + span]) for k in range(0, len(mouths) - span, span)]
    assert min(lifts) > 0.08 * leg_of(name)
    if name != "bird":
        laps = act(name, AgentWish(activity="DRINK"), 5.0).mouths()[begin:]
        assert 0.0 < max(laps) - min(laps) < 0.06 * leg_of(name)


@pytest.mark.parametrize("name", FOUR)
def test_a_nose_that_sniffs_goes_to_both_sides(name: str):
    run = act(name, AgentWish(activity="SNIFF"), 5.5)
    rig = run.character.rig
    nose = run.character.activities.poses.mouth
    asides = [(pose.moved(rig.head) @ nose).x for pose in run.poses[4 * FPS :]]
    assert max(asides) > 0.03 * leg_of(name)
    assert min(asides) < -0.03 * leg_of(name)


@pytest.mark.parametrize("name", FOUR)
def test_a_body_rests_low_on_folded_legs_and_gets_up_again(name: str):
    run = once(name, "REST")
    heights = run.character.activities.poses.lowest
    rear = [run.hips(frame)[-1] for frame in middle(name)]
    assert min(rear) == pytest.approx(heights.rear, abs=0.03 * leg_of(name))
    assert heights.rear < 0.45 * leg_of(name)
    rests = still(name).poses[-1]
    assert max((run.poses[-1].head(i) - rests.head(i)).length for i in range(len(rests.skeleton))) < 4e-3 * leg_of(name)


@pytest.mark.parametrize("name", ALL)
def test_no_joint_of_a_resting_body_is_in_the_ground(name: str):
    run = once(name, "REST")
    rig, pose = run.character.rig, run.poses[middle(name).stop - 1]
    bones = {i for leg in rig.legs for i in leg.bones} | {i for tail in rig.tails for i in tail} | {rig.body}
    assert min(pose.head(i).z for i in bones) - rig.floor > 0.02 * rig.leg_length


@pytest.mark.parametrize("name", ["dog", "horse"])
def test_a_tail_goes_down_with_its_body_and_never_turns_over(name: str):
    poses, tail = once(name, "REST").poses, agent(name).rig.tails[0]
    ends = [[pose.tail(bone) for bone in tail] for pose in poses]
    steps = [(now - was).length for a, b in pairwise(ends) for was, now in zip(a, b, strict=True)]
    assert max(steps) < 0.1 * leg_of(name)


@pytest.mark.parametrize(
    ("name", "activity"),
    [*product(FOUR, MOVING), *product(("spider", "beetle"), ("REST", "ATTACK"))],
)
def test_feet_stay_where_they_stand_to_a_tenth_of_a_millimetre(name: str, activity: str):
    run = once(name, activity)
    places = still(name).balls(0)
    for frame in range(len(run.poses)):
        for ball, place in zip(run.balls(frame), places, strict=True):
            assert (ball - place).length < 1e-4


@pytest.mark.parametrize("activity", (*MOVING, "ALERT"))
@pytest.mark.parametrize("name", FOUR)
def test_it_begins_and_ends_without_a_jolt(name: str, activity: str):
    """No joint's speed changes by more from one frame to the next than a smooth move of its whole way in a fifth of a
    second has at most."""
    run, rig = once(name, activity), agent(name).rig
    bones = [rig.body, *rig.neck, *([rig.head] if rig.head >= 0 else []), *(i for leg in rig.legs for i in leg.bones)]
    for bone in bones:
        path = [pose.head(bone) for pose in run.poses]
        way = max((place - path[0]).length for place in path)
        jolts = [(a - 2.0 * b + c).length for a, b, c in zip(path, path[1:], path[2:], strict=False)]
        assert max(jolts) < 0.01 * leg_of(name) + 6.0 * way / (0.2 * agent(name).activities.tempo * FPS) ** 2


@pytest.mark.parametrize("name", ["dog", "bird", "person", "beetle"])
def test_before_and_long_after_it_the_pose_is_that_of_standing_to_the_bit(name: str):
    run, plain = once(name, "EAT"), still(name)
    before = round(0.5 * FPS) - 1
    assert run.frames[before].numbers() == plain.frames[before].numbers()
    assert run.frames[-1].numbers() == plain.frames[-1].numbers()


@pytest.mark.parametrize("name", FOUR)
def test_a_lunge_goes_back_then_ahead_and_comes_home(name: str):
    run = act(name, from_to("ATTACK", 0.5, 0.55), 3.0)
    rig, plain = run.character.rig, still(name)
    ahead = [plain.poses[f].head(rig.body).y - pose.head(rig.body).y for f, pose in enumerate(run.poses)]
    most, least = ahead.index(max(ahead)), ahead.index(min(ahead))
    assert least < most
    assert max(ahead) > 0.15 * leg_of(name)
    assert min(ahead) < -0.03 * leg_of(name)
    assert run.frames[-1].numbers() == plain.frames[len(run.frames) - 1].numbers()


def test_a_lunge_that_was_asked_for_in_one_tick_only_is_carried_out_and_one_that_goes_on_is_repeated():
    short = act("dog", from_to("ATTACK", 0.5, 0.51), 3.0)
    assert sum(was.lunge < 0.0 <= now.lunge for was, now in zip(short.acts, short.acts[1:], strict=False)) == 1
    long = act("dog", AgentWish(activity="ATTACK"), 6.5)
    config = agent("dog").activities
    begins = sum(now.lunge < was.lunge for was, now in zip(long.acts, long.acts[1:], strict=False))
    assert begins == int(6.5 / (config.config.lunge.every * config.tempo))


def test_a_person_s_hands_come_to_the_ground_and_to_the_thighs_and_go_ahead():
    rig = agent("person").rig
    hand = rig.arms[0].hand
    bow = once("person", "EAT").poses[middle("person").start]
    rest = once("person", "REST").poses[4 * FPS]
    assert bow.head(hand).z - rig.floor < 0.12
    knee, hip = rest.head(rig.legs[0].bones[1]), rest.head(rig.legs[0].bones[0])
    assert (rest.head(hand) - (0.4 * hip + 0.6 * knee)).length < 0.16
    lunge = act("person", from_to("ATTACK", 0.5, 0.55), 2.0)
    reaches = max(pose.head(rig.arms[0].bones[0]).y - pose.head(hand).y for pose in lunge.poses)
    assert reaches > 0.4


@pytest.mark.parametrize("name", FOUR)
def test_who_lies_gets_up_before_it_goes(name: str):
    def wish(time: float) -> AgentWish:
        return AgentWish(activity="REST" if time < 3.0 else "NONE", velocity=(0.0, -1.0) if time >= 3.0 else (0.0, 0.0))

    run = act(name, wish, 7.0, ticks=2)
    first = next(k for k, place in enumerate(run.places) if hypot(place.x, place.y) > 1e-6)
    assert run.acts[first - 1].rests < 0.06
    assert first > 3 * FPS + 6
    assert run.places[-1].y < -1.0


def test_it_goes_first_and_does_what_takes_standing_when_it_stands():
    goal = AgentWish(moves="PLACE", place=Place(0.0, -2.0, 0.0, 0.0), activity="EAT")
    run = act("dog", goal, 6.0, ticks=2)
    began = next(k for k, state in enumerate(run.acts) if state.down > 0.0)
    assert hypot(run.places[began].x, run.places[began].y + 2.0) < 0.01
    assert run.mouth() < 0.5 * leg_of("dog")


def test_a_dog_sniffs_in_a_slow_walk_and_its_feet_stand_as_without():
    run = act("dog", AgentWish(activity="SNIFF", velocity=(0.0, -0.5)), 4.0, ticks=2)
    plain = act("dog", AgentWish(velocity=(0.0, -0.5)), 4.0, ticks=2)
    assert min(run.mouths()[-FPS:]) < 0.12 * leg_of("dog")
    for one, other in zip(run.frames, plain.frames, strict=True):
        assert one.feet == other.feet
    assert max((a - b).length for a, b in zip(run.balls(), plain.balls(), strict=True)) < 1e-4


def test_a_dog_that_runs_does_not_sniff():
    run = act("dog", AgentWish(activity="SNIFF", velocity=(0.0, -3.0)), 3.0, ticks=2)
    assert run.acts[-1].down == 0.0


def raised(run: Acted, frame: int) -> float:
    """How steeply the neck goes up, radians."""
    rig, pose = run.character.rig, run.poses[frame]
    line = pose.head(rig.head) - pose.head(rig.neck[0])
    return asin(line.z / line.length)


@pytest.mark.parametrize("name", FOUR)
def test_on_the_alert_the_neck_is_raised_and_the_head_looks_to_both_sides(name: str):
    run, plain, rig = act(name, AgentWish(activity="ALERT"), 5.0), still(name), agent(name).rig
    more = [raised(run, frame) - raised(plain, frame) for frame in range(2 * FPS, 5 * FPS)]
    assert sum(more) / len(more) > 0.4 * agent(name).activities.config.alert_neck
    nose = run.character.activities.poses.mouth
    asides = [(pose.moved(rig.head) @ nose).x - pose.head(rig.head).x for pose in run.poses]
    assert max(asides) > 0.02 * leg_of(name)
    assert min(asides) < -0.02 * leg_of(name)


@pytest.mark.parametrize("name", FOUR)
def test_it_looks_at_what_it_is_told_to_look_at_and_not_while_its_head_is_down(name: str):
    seen = Spot(3.0, -3.0, 1.0)
    rig, nose = agent(name).rig, agent(name).activities.poses.mouth

    def aside(run: Acted) -> float:
        return (run.poses[-1].moved(rig.head) @ nose).x - run.poses[-1].head(rig.head).x

    assert aside(act(name, AgentWish(look=seen), 3.0)) > 0.02 * leg_of(name)
    assert abs(aside(act(name, AgentWish(look=seen, activity="DRINK"), 5.0))) < 0.02 * leg_of(name)


def test_a_mouth_finds_the_ground_on_a_slope():
    world = Ramp(0.15)
    for heading in (0.0, 3.14159):
        run = act("dog", AgentWish(activity="DRINK"), 4.0, world, place=Place(0.0, 0.0, 0.0, heading))
        rig, pose, frame = run.character.rig, run.poses[-1], run.frames[-1]
        mouth = world_matrix(frame.ground) @ (pose.moved(rig.head) @ run.character.activities.poses.mouth)
        ground = world.height_below(mouth.x, mouth.y, 5.0, 10.0)
        assert mouth.z - ground == pytest.approx(0.0, abs=0.05 * leg_of("dog"))


def test_one_that_is_not_enabled_stands_and_does_nothing():
    wish = AgentWish(enabled=False, activity="REST", velocity=(1.0, 0.0), look=Spot(3.0, 0.0, 1.0))
    assert act("dog", wish, 3.0).frames[-1].numbers() == act("dog", NOTHING, 3.0).frames[-1].numbers()


def test_what_has_no_legs_lies_already_and_does_nothing():
    assert agent("snake").activities is None
    inputs = Inputs(agent=AgentWish(activity="EAT"))
    memory = agent("snake").start(Place(0.0, 0.0, 0.0, 0.0), inputs, Flat())
    before = agent("snake").pose(memory).numbers()
    for _ in range(60):
        agent("snake").tick(memory, inputs, Flat(), 1.0 / 60.0)
    assert memory.act is None
    assert agent("snake").pose(memory).numbers() == before


def test_two_runs_and_one_from_a_copy_are_the_same_to_the_bit():
    one, two = (act("horse", from_to("REST", 0.2, 2.0), 4.0) for _ in range(2))
    assert [frame.numbers() for frame in one.frames] == [frame.numbers() for frame in two.frames]
    assert repr(one.memory) == repr(two.memory)
    assert repr(one.memory.copy()) == repr(one.memory)


def test_a_teleport_leaves_nothing_of_what_was_done():
    acting = Acting(agent("dog").activities.config, 0.55, (0.4, 0.0))
    memory = ActMemory(weights=(1.0, 0.0, 0.0, 0.0, 0.0), lunge=0.2, time=3.0, late=0.4)
    travel = Travel(Place(0.0, 0.0, 0.0, 0.0), jumped=True)
    acting.tick(memory, NOTHING, Intent((0.0, 0.0), 0.0), travel, Flat(), 1.0 / 60.0)
    assert repr(memory) == repr(ActMemory())


def test_switching_from_one_head_down_activity_to_another_keeps_the_head_down():
    run = act("dog", lambda time: AgentWish(activity="EAT" if time < 2.5 else "DRINK"), 5.0)
    downs = [state.down for state in run.acts[round(2.4 * FPS) :]]
    assert min(downs) == pytest.approx(1.0, abs=0.01)


def test_a_lunge_is_nothing_at_both_its_ends_and_all_ahead_in_between():
    assert lunge_at(-1.0, 1.0) == lunge_at(1.0, 1.0) == (0.0, 0.0, 0.0)
    assert lunge_at(0.54, 1.0).ahead == 1.0
    assert lunge_at(0.54, 1.0).back == 0.0


@pytest.mark.parametrize("item", [item.name for item in fields(HeadDownConfig) if item.name != "height"])
def test_each_number_of_a_rhythm_changes_it(item: str):
    usual = HeadDownConfig(lift=0.5, low=0.5, sweep=0.2)
    other = replace(usual, **{item: 0.0 if item == "bobs" else 0.7 * getattr(usual, item)})
    if item in ("lift",):
        assert rhythm(replace(usual, lift=0.0), 1.3)[0] == 0.0 < rhythm(usual, 1.3)[0]
        return
    times = [0.01 * k for k in range(400)]
    assert [rhythm(usual, time) for time in times] != [rhythm(other, time) for time in times]
    assert degrees(max(rhythm(usual, time)[2] for time in times)) == pytest.approx(degrees(usual.sweep), rel=0.01)
