"""What the scene says of a character's route and of the goal that it is sent to, at a frame.

Read from F-curves where that is exact at any frame, else from an evaluated depsgraph, as all inputs are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix

from ..core.control.intent import Place, RouteSpot
from ..core.space.angles import heading_of, turn_between, wrapped
from .ground_set import TimeDependence
from .keyed_values import fcurves_of, is_plain_place, keyed_value, plain_matrix, setting_is_animated
from .layer_keys import animated_settings
from .roster import director_of, is_carried
from .route_properties import KEYED, SENT
from .texts import text

SENT_PATH = "surefoot.sent"
NUMBERS = {item[3]: item[0] for item in SENT}

Known = Callable[[Object], Place | None]
"""Where a character is that is computed along, if the object is one."""


def live_spots(obj: Object) -> list[tuple[int, Any]]:
    """The spots of a character that walks a route, each with its place in the list; those whose object is gone are
    passed over.
    """
    if director_of(obj) != "ROUTE":
        return []
    spots = enumerate(obj.surefoot.route)
    return [(i, spot) for i, spot in spots if spot.aim == "PLACE" or spot.target is not None]


def may_be_sent(obj: Object) -> bool:
    """True for a character that has a goal, and goes to it at some time."""
    settings = obj.surefoot
    if settings.goal is None or is_carried(obj):
        return False
    return settings.sent != "NO" or setting_is_animated(obj, SENT_PATH)


def spot_objects(obj: Object) -> list[Object]:
    """The objects whose places a character reads as spots of its route, or as its goal."""
    found = [spot.target for _, spot in live_spots(obj) if spot.aim == "OBJECT"]
    if may_be_sent(obj):
        found.append(obj.surefoot.goal)
    return list(dict.fromkeys(found))


def spots_are_plain(obj: Object) -> bool:
    """True where all its spots can be had at any frame without evaluating it."""
    seen = spot_objects(obj)
    if not seen:
        return True
    time = TimeDependence()
    return all(is_plain_place(each, time) for each in seen)


def route_at(
    obj: Object, at: float, metres: float, known: Known, depsgraph: Depsgraph | None = None
) -> tuple[RouteSpot, ...]:
    """The spots at a curve time, metres. With a depsgraph it is read, else F-curves are."""
    shown = None if depsgraph is None else obj.evaluated_get(depsgraph).surefoot.route
    made = []
    for i, spot in live_spots(obj):
        if shown is not None:
            pace, wait = shown[i].pace, shown[i].wait
        else:
            path = f"surefoot.route[{i}]."
            pace, wait = (keyed_value(obj, path + name, 0, at, getattr(spot, name)) for name in KEYED)
        if spot.aim == "PLACE":
            x, y, z = (value * metres for value in spot.place)
            place = Place(x, y, z, spot.heading)
        else:
            place = _place_of(spot.target, at, metres, known, depsgraph)
        made.append(RouteSpot(place, spot.turns, max(pace, 0.0), max(wait, 0.0)))
    return tuple(made)


def goal_at(
    obj: Object, at: float, metres: float, known: Known, depsgraph: Depsgraph | None = None
) -> RouteSpot | None:
    """Where it is sent at a curve time; None while it is not."""
    if not may_be_sent(obj):
        return None
    if depsgraph is not None:
        sent = obj.evaluated_get(depsgraph).surefoot.sent
    else:
        numbers = {name: number for number, name in NUMBERS.items()}
        sent = NUMBERS.get(int(keyed_value(obj, SENT_PATH, 0, at, numbers[obj.surefoot.sent])), "NO")
    if sent == "NO":
        return None
    return RouteSpot(_place_of(obj.surefoot.goal, at, metres, known, depsgraph), sent == "FACE")


def _place_of(seen: Object, at: float, metres: float, known: Known, depsgraph: Depsgraph | None) -> Place:
    found = known(seen)
    if found is not None:
        return found
    matrix = plain_matrix(seen, at) if depsgraph is None else seen.evaluated_get(depsgraph).matrix_world
    return place_at(matrix, metres)


def place_at(matrix: Matrix, metres_per_unit: float) -> Place:
    """Where an object is, and where its -Y axis looks on the ground plan."""
    x, y, z = matrix.translation
    forward = -matrix.col[1]
    return Place(x * metres_per_unit, y * metres_per_unit, z * metres_per_unit, heading_of(forward.x, forward.y))


def lerp_place(before: Place | None, after: Place | None, share: float) -> Place | None:
    """A place at a share of the way from one frame to the next."""
    if before is None or after is None:
        return after if share >= 0.5 else before
    x, y, z = (a + (b - a) * share for a, b in zip(before[:3], after[:3], strict=True))
    return Place(x, y, z, wrapped(before.heading + turn_between(before.heading, after.heading) * share))


def lerp_route(before: tuple[RouteSpot, ...], after: tuple[RouteSpot, ...], share: float) -> tuple[RouteSpot, ...]:
    """The spots at a share of the way from one frame to the next."""
    if before == after or len(before) != len(after):
        return after
    return tuple(
        now._replace(
            place=lerp_place(was.place, now.place, share) or now.place,
            pace=was.pace + (now.pace - was.pace) * share,
            wait=was.wait + (now.wait - was.wait) * share,
        )
        for was, now in zip(before, after, strict=True)
    )


def route_signature(obj: Object) -> tuple[Any, ...]:
    """All that is set by hand on the route, to be compared; what is animated is left to the inputs."""
    if not obj.surefoot.route:
        return ()
    animated = animated_settings(obj, "route")
    values: list[Any] = []
    for i, spot in enumerate(obj.surefoot.route):
        values += [spot.aim, tuple(spot.place), spot.heading, spot.turns]
        values.append(None if spot.target is None else spot.target.session_uid)
        values += [None if f"surefoot.route[{i}].{name}" in animated else getattr(spot, name) for name in KEYED]
    return tuple(values)


def _is_sent(obj: Object) -> bool:
    """True where its settings, or keys of its own Action, send it anywhere."""
    curves = fcurves_of(obj)
    curve = curves.find(SENT_PATH) if curves is not None else None
    keyed = curve is not None and any(point.co.y >= 1.0 for point in curve.keyframe_points)
    return bool(obj.surefoot.sent != "NO" or keyed)


def lost_spots(obj: Object, scene: Scene) -> list[str]:
    """What its route, or the goal that it is sent to, lacks, in sentences."""
    found = []
    settings = obj.surefoot
    for spot in settings.route if director_of(obj) == "ROUTE" else ():
        if spot.aim == "OBJECT" and spot.target is None:
            found.append(text("spot_lost", name=obj.name, spot=spot.name))
        elif spot.aim == "OBJECT" and scene.objects.get(spot.target.name) != spot.target:
            found.append(text("not_there", name=obj.name, followed=spot.target.name, scene=scene.name))
    if settings.goal is None and _is_sent(obj) and not is_carried(obj):
        found.append(text("goal_lost", name=obj.name))
    return found
