"""What another add-on or a script wants of a character at a frame, and a function that writes it as keys.

Read from F-curves where that is exact at any frame, else from an evaluated depsgraph, as all inputs are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix

from ..core.control.intent import AgentWish, Place, Spot
from .agent_properties import ACTIVITIES, KEYED
from .ground_set import TimeDependence
from .keyed_values import is_plain_place, keyed_value, plain_matrix, setting_is_animated
from .layer_inputs import spot_of_object
from .refusal import RefusedError, why_not_character
from .roster import director_of
from .route import lerp_place, place_at
from .texts import text

PATH = "surefoot.agent."
NUMBERS = {item[3]: item[0] for item in ACTIVITIES}
HELD = frozenset({"enabled", "activity", "has_look_at"})
"""What holds from key to key."""

Known = Callable[[Object], Place | None]
KnownSpot = Callable[[Object, str], Spot | None]


def agent_objects(obj: Object) -> list[Object]:
    """The objects whose places a character reads that an agent directs."""
    if director_of(obj) != "AGENT":
        return []
    agent = obj.surefoot.agent
    return list(dict.fromkeys(seen for seen in (agent.look_at_object, agent.flee_object) if seen is not None))


def agent_is_plain(obj: Object) -> bool:
    """True where all of it can be had at any frame without evaluating it."""
    seen = agent_objects(obj)
    if not seen:
        return True
    time = TimeDependence()
    return all(is_plain_place(each, time) and not (each.type == "ARMATURE" and time.bends(each)) for each in seen)


def agent_at(
    obj: Object, at: float, metres: float, known: Known, known_spot: KnownSpot, depsgraph: Depsgraph | None = None
) -> AgentWish | None:
    """The wish at a curve time, metres; None for a character that no agent directs. With a depsgraph it is read."""
    if director_of(obj) != "AGENT":
        return None
    agent = obj.surefoot.agent
    shown = None if depsgraph is None else obj.evaluated_get(depsgraph).surefoot.agent

    def value(name: str) -> Any:
        if shown is not None:
            return getattr(shown, name)
        return _keyed(obj, name, at)

    x, y, z = (number * metres for number in value("position"))
    look = None
    if value("has_look_at"):
        look = Spot(*(number * metres for number in value("look_at")))
        if agent.look_at_object is not None:
            look = spot_of_object(agent.look_at_object, "", at, metres, known_spot, depsgraph)
    flee = Place(*(number * metres for number in value("flee_from")), 0.0)
    if agent.flee_object is not None:
        flee = _place_of(agent.flee_object, at, metres, known, depsgraph)
    return AgentWish(
        enabled=bool(value("enabled")),
        moves=agent.moves,
        velocity=tuple(value("velocity")[:2]),
        place=Place(x, y, z, value("heading")),
        turns=agent.turns,
        activity=value("activity"),
        look=look,
        flee_from=flee,
    )


def _keyed(obj: Object, name: str, at: float) -> Any:
    """A setting at a time of the object's curves."""
    own, path = getattr(obj.surefoot.agent, name), PATH + name
    if name == "activity":
        numbers = {identifier: number for number, identifier in NUMBERS.items()}
        return NUMBERS.get(int(keyed_value(obj, path, 0, at, numbers[own])), "NONE")
    if name in HELD:
        return keyed_value(obj, path, 0, at, float(own)) >= 0.5
    if KEYED[name] == 1:
        return keyed_value(obj, path, 0, at, own)
    return tuple(keyed_value(obj, path, k, at, own[k]) for k in range(KEYED[name]))


def _place_of(seen: Object, at: float, metres: float, known: Known, depsgraph: Depsgraph | None) -> Place:
    found = known(seen)
    if found is not None:
        return found
    matrix: Matrix = plain_matrix(seen, at) if depsgraph is None else seen.evaluated_get(depsgraph).matrix_world
    return place_at(matrix, metres)


def lerp_agent(before: AgentWish | None, after: AgentWish | None, share: float) -> AgentWish | None:
    """Between two frames: what has a number goes over, what is chosen is until the next frame."""
    if before is None or after is None or before == after:
        return after
    vx, vy = (a + (b - a) * share for a, b in zip(before.velocity, after.velocity, strict=True))
    return before._replace(
        velocity=(vx, vy),
        place=lerp_place(before.place, after.place, share),
        look=after.look,
        flee_from=lerp_place(before.flee_from, after.flee_from, share),
    )


def agent_signature(obj: Object) -> tuple[Any, ...]:
    """All that is set by hand, to be compared; what is animated is left to the inputs."""
    if director_of(obj) != "AGENT":
        return ()
    agent = obj.surefoot.agent
    values: list[Any] = [agent.moves, agent.turns]
    values += [None if seen is None else seen.session_uid for seen in (agent.look_at_object, agent.flee_object)]
    for name, count in KEYED.items():
        moves = setting_is_animated(obj, PATH + name)
        own = getattr(agent, name)
        values.append(None if moves else tuple(own) if count > 1 else own)
    return tuple(values)


def lost_objects(obj: Object, scene: Scene) -> list[str]:
    """What an agent's character looks at or runs from that is not in the scene, in sentences."""
    gone = [seen for seen in agent_objects(obj) if scene.objects.get(seen.name) != seen]
    return [text("not_there", name=obj.name, followed=seen.name, scene=scene.name) for seen in gone]


def tell(obj: Object, frame: int | None = None, **wishes: Any) -> None:
    """Let an agent's wishes hold: each given setting is written, and keyed at the frame if one is named.

    `tell(rig, 48, activity="EAT")`. What is chosen holds until its next key, numbers go over from key to key. Without
    a frame it holds for the whole run. The director becomes Agent.
    """
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    settings = obj.surefoot
    for name in wishes:
        if name not in KEYED and (frame is not None or name not in {"moves", "turns", "look_at_object", "flee_object"}):
            raise RefusedError(text("agent_unknown", setting=name, names=", ".join(KEYED)))
    if settings.director != "AGENT":
        settings.director = "AGENT"
    for name, value in wishes.items():
        setattr(settings.agent, name, value)
        if frame is not None:
            obj.keyframe_insert(PATH + name, frame=frame)
