"""The route of a character as a person and a script handle it: spots added, removed, moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpy.types import Object

from .layer_keys import Moved, remap, why_not_moved
from .refusal import RefusedError, why_not_character
from .texts import text


def spot_add(
    obj: Object,
    target: Object | None = None,
    *,
    place: tuple[float, float, float] | None = None,
    heading: float | None = None,
    turns: bool | None = None,
    pace: float = 0.0,
    wait: float = 0.0,
    name: str = "",
) -> Any:
    """Add a spot at the end of a character's route: an object's place, or one in the world (Blender units). Returns it.

    `heading` (radians, 0 faces -Y) is where to face at a place; given, it turns there unless `turns` says no. `pace` is
    in metres a second (0: the character's speed), `wait` in seconds.
    """
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    spot = obj.surefoot.route.add()
    spot.name = name or (target.name if target is not None else f"{text('spot_name')} {len(obj.surefoot.route)}")
    spot.aim = "OBJECT" if place is None else "PLACE"
    spot.target = target
    spot.place = place or (0.0, 0.0, 0.0)
    spot.heading = heading or 0.0
    spot.turns = heading is not None if turns is None else turns
    spot.pace, spot.wait = pace, wait
    obj.surefoot.active_spot = len(obj.surefoot.route) - 1
    return spot


def spot_remove(obj: Object, place: int) -> None:
    """Remove a spot with its keys; those of the spots behind it go along with them."""
    spots = obj.surefoot.route
    if not 0 <= place < len(spots):
        raise RefusedError(text("no_spot_there", name=obj.name, place=place))

    def moved(i: int) -> int | None:
        return None if i == place else i - (i > place)

    _renumber(obj, place, moved, lambda: spots.remove(place))
    obj.surefoot.active_spot = max(0, min(place, len(spots) - 1))


def spot_move(obj: Object, place: int, to: int) -> bool:
    """Move a spot; keys go along. False where the route ends."""
    spots = obj.surefoot.route
    if not (0 <= place < len(spots) and 0 <= to < len(spots)):
        return False
    step = 1 if to > place else -1

    def moved(i: int) -> int:
        if i == place:
            return to
        return i - step if min(place, to) <= i <= max(place, to) else i

    if place != to:
        _renumber(obj, place, moved, lambda: spots.move(place, to))
    obj.surefoot.active_spot = to
    return True


def _renumber(obj: Object, place: int, moved: Moved, change: Callable[[], None]) -> None:
    """Make a change to the list, and let the keys follow; a refusal, and no change, where either cannot be."""
    name = obj.surefoot.route[place].name
    reason = why_not_moved(obj, moved, "route")
    if reason:
        raise RefusedError(reason)
    try:
        change()
    except TypeError as error:
        # In an override, what the library has can be set, but stays where it is.
        raise RefusedError(text("layer_of_library", layer=name, name=obj.name)) from error
    remap(obj, moved, "route")
