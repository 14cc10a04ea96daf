"""Each number of an activity preset changes what a body does."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from support.acting import agent
from surefoot.core.actions.acted_pose import ActedPose
from surefoot.core.actions.acting import Acting, ActMemory
from surefoot.core.actions.config import ActivityConfig, BowConfig, LungeConfig, RestConfig
from surefoot.core.activity_presets import activities_of, activity_presets, is_upright, kind_of
from surefoot.core.control.intent import AgentWish, Intent, Place, Travel
from surefoot.core.presets import PresetError
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.world.solids import Flat

OF_FOUR = {"bow.sink", "rest.front", "rest.first"}
OF_BIRDS = {"rest.pitch"}
TIMED = {"lunge.every"}
FAR = {"rest.height": 0.6, "rest.first": -1.0}
GROUPS = {"bow": BowConfig, "rest": RestConfig, "lunge": LungeConfig}
NUMBERS = [f"{group}.{item.name}" for group, config in GROUPS.items() for item in fields(config)]
TABLE = {"version": 1, "name": "FOUR", "title": "Four"}


def posed(name: str, config: ActivityConfig, memory: ActMemory) -> list[tuple[float, ...]]:
    rig = agent(name).rig
    pose = EditedPose.rest(rig.skeleton)
    own = agent(name).activities
    ActedPose(rig, config, own.leg, own.tempo, upright=is_upright(rig)).lay(pose, memory)
    return [(*pose.turn(i), *pose.head(i)) for i in range(len(rig.skeleton))]


def moments(name: str) -> list[ActMemory]:
    """In the middle of a bow, of a rest, and of both ends of a lunge."""
    tempo = agent(name).activities.tempo
    kneels = 1.0 if name == "person" else 0.0
    bow = ActMemory(weights=(0.7, 0.0, 0.0, kneels, 0.0), late=kneels)
    rest = ActMemory(weights=(0.0, 0.0, 0.0, 0.8, 0.0), late=0.5)
    return [bow, rest, ActMemory(lunge=0.28 * tempo), ActMemory(lunge=0.6 * tempo)]


@pytest.mark.parametrize("number", [number for number in NUMBERS if number not in TIMED])
def test_it_changes_the_pose(number: str):
    name = "dog" if number in OF_FOUR else "bird" if number in OF_BIRDS else "person"
    group, field = number.split(".")
    usual = agent(name).activities.config
    config = getattr(usual, group)
    value = getattr(config, field)
    other = replace(usual, **{group: replace(config, **{field: 0.6 * value if value else 0.2})})
    if number in FAR:
        other = replace(usual, rest=replace(config, **{field: FAR[number]}))
    assert any(posed(name, usual, moment) != posed(name, other, moment) for moment in moments(name))


@pytest.mark.parametrize("field", ["head_time", "rest_time"])
def test_half_the_time_is_twice_as_soon(field: str):
    config = agent("dog").activities.config
    activity = "EAT" if field == "head_time" else "REST"

    def weight(time: float, seconds: float) -> float:
        acting, memory = Acting(replace(config, **{field: time}), 0.9, (0.5, 0.0)), ActMemory()
        travel, stands = Travel(Place(0.0, 0.0, 0.0, 0.0)), Intent((0.0, 0.0), 0.0)
        for _ in range(round(seconds * 60)):
            acting.tick(memory, AgentWish(activity=activity), stands, travel, Flat(), 1.0 / 60.0)
        return max(memory.weights)

    assert weight(0.2, 0.4) == pytest.approx(weight(0.4, 0.8), abs=1e-9)


def test_the_neck_is_raised_on_the_alert_as_far_as_is_said():
    config = agent("dog").activities.config
    alert = ActMemory(weights=(0.0, 0.0, 0.0, 0.0, 1.0))
    assert posed("dog", config, alert) != posed("dog", replace(config, alert_neck=0.0), alert)


def test_each_kind_of_body_has_its_file():
    kinds = {kind_of(agent(name).rig) for name in ("person", "bird", "dog", "horse", "spider", "beetle")}
    assert kinds == set(activity_presets()) == {"PERSON", "BIRD", "FOUR", "MANY"}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"version": 2}, "version 2"),
        ({"name": ""}, "needs a name"),
        ({"purr": {}}, "purr is not known"),
        ({"bow": {"purr": 1.0}}, "bow.purr is not known"),
        ({"bow": {"neck": "low"}}, "bow.neck must be a number"),
        ({"bow": {"neck": 500.0}}, "bow.neck is 500.0"),
        ({"bow": []}, "bow must be a table"),
        ({"activities": {"head_time": 0.0}}, "activities.head_time is 0.0"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_place(more: dict[str, object], words: str):
    with pytest.raises(PresetError, match=words):
        activities_of(TABLE | more, "four.toml")
