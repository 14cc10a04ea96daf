"""A character hit, let go limp, told to get up: what a script calls, and the operators do.

shove(obj, ...)         a hit at a frame
limp(obj, ...)          from a frame on physics has it, or parts of it
get_up(obj, ...)        at a frame it gets up, if it lies
hit_remove(obj, place)  one hit less
clear_falls(obj)        no hits, no limpness, nothing recorded

Each only says what is to be; Simulate, a bake or a render in background computes what becomes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import cos, hypot, isfinite, radians, sin
from typing import Any

from bpy.types import Object

from .changes import hints
from .fall_properties import LIMP, fall_changed
from .held_keys import edits_from
from .layer_keys import remap, why_not_moved
from .ragdoll_plan import plan_of
from .refusal import RefusedError
from .saved_state import channelbag_of, curves_of
from .send import key_choice, key_from, scene_to_change
from .texts import text

LIGHT, HARD = 1.0, 4.0
"""A shove that makes a person step, and one that fells it, metres a second."""
PARTS = tuple(name.removeprefix("limp_") for name in LIMP)


def shove(
    obj: Object,
    direction: Sequence[float] | float = (0.0, 1.0, 0.0),
    strength: float = 1.5,
    part: str = "",
    frame: int | None = None,
) -> Any:
    """Hit a character at a frame (not given: the shown one); returns the hit, which is in its list.

    `direction` is a vector of the world, or a heading in degrees: 0 pushes along -Y, 90 along +X. `strength` is the
    speed that it gives, metres a second, `part` the body part that it hits: empty, the trunk with all that it carries.
    """
    scene = scene_to_change(obj)
    number = scene.frame_current if frame is None else frame
    settings = obj.surefoot
    if number < settings.frame_start:
        raise RefusedError(text("hit_before_start", name=obj.name, first=settings.frame_start, frame=number))
    if isinstance(direction, (int, float)):
        direction = (sin(radians(direction)), -cos(radians(direction)), 0.0)
    if hypot(*direction) <= 0.0:
        raise RefusedError(text("hit_no_direction", name=obj.name))
    if not all(map(isfinite, (*direction, strength))):
        raise RefusedError(text("hit_no_number", name=obj.name))
    parts = parts_of(obj) if part else ()
    if part and part not in parts:
        raise RefusedError(text("no_such_part", name=obj.name, part=part, parts=", ".join(parts)))
    with _from(obj, number):
        hit = settings.hits.add()
        hit.name = text("shove_name") if not part else f"{text('shove_name')} {part}"
        hit.frame, hit.direction, hit.strength, hit.part = number, direction, strength, part
        settings.active_hit = len(settings.hits) - 1
    return hit


def hit_remove(obj: Object, place: int) -> None:
    """Remove a hit with its keys; those of the hits behind it go along with them."""
    scene_to_change(obj)
    settings = obj.surefoot
    if not 0 <= place < len(settings.hits):
        raise RefusedError(text("no_hit_there", name=obj.name, place=place))

    def moved(i: int) -> int | None:
        return None if i == place else i - (i > place)

    reason = why_not_moved(obj, moved, "hits")
    if reason:
        raise RefusedError(reason)
    name = settings.hits[place].name
    try:
        settings.hits.remove(place)
    except TypeError as error:
        # In an override, what the library has can be switched off, but stays.
        raise RefusedError(text("layer_of_library", layer=name, name=obj.name)) from error
    remap(obj, moved, "hits")
    settings.active_hit = max(0, min(place, len(settings.hits) - 1))
    fall_changed(settings, None)


def limp(obj: Object, frame: int | None = None, parts: Sequence[str] = PARTS, share: float = 1.0, over: int = 0) -> int:
    """From a frame on (not given: the shown one) physics has so much of these parts of a character: body, head, arms,
    legs, tail. Returns the frame.

    Keys say it, so that it can be handed back by keys; `over` are the frames in which the share goes over.
    """
    number = scene_to_change(obj).frame_current if frame is None else frame
    unknown = next((part for part in parts if part not in PARTS), None)
    if unknown is not None:
        raise RefusedError(text("no_such_part", name=obj.name, part=unknown, parts=", ".join(PARTS)))
    with _from(obj, number), edits_from(obj, number):
        for part in parts:
            key_from(obj, f"surefoot.limp_{part}", share, number, over)
    return number


def get_up(obj: Object, frame: int | None = None, style: str = "") -> int:
    """At a frame (not given: the shown one) a character gets up, as soon as it lies; returns the frame.

    What was limp is so no more. `style` is how it gets up from now on: ORDINARY or QUICK, empty: as it is.
    """
    number = scene_to_change(obj).frame_current if frame is None else frame
    if style:
        obj.surefoot.get_up_style = style
    with _from(obj, number), edits_from(obj, number):
        for name in LIMP:
            if _is_limp_at(obj, name, number):
                key_from(obj, f"surefoot.{name}", 0.0, number, 0)
        key_choice(obj, "surefoot.get_up", "NOW", number)
    return number


def clear_falls(obj: Object) -> None:
    """Forget a character's hits, its keys of limpness and getting up, and what physics made of it."""
    scene_to_change(obj)
    settings, animation = obj.surefoot, obj.animation_data
    if animation is not None:
        paths = {*(f"surefoot.{name}" for name in LIMP), "surefoot.get_up"}
        bag = channelbag_of(animation.action, animation.action_slot)
        for curve in curves_of(animation.action, animation.action_slot):
            if curve.data_path in paths or curve.data_path.startswith("surefoot.hits["):
                bag.fcurves.remove(curve)
    for name in ("hits", "active_hit", *LIMP, "get_up", "fall_record"):
        settings.property_unset(name)
    hints.curves = True
    fall_changed(settings, None)


def parts_of(obj: Object) -> tuple[str, ...]:
    """The body parts that a hit on a character can name; none where it has no bodies."""
    try:
        return tuple(body.role for body in plan_of(obj).bodies)
    except RefusedError:
        return ()


@contextmanager
def _from(obj: Object, frame: int) -> Iterator[None]:
    """Change what a character's falls go by from a frame on: what is known before it holds."""
    uid = obj.session_uid
    marked = uid in hints.falls
    yield
    if not marked:
        hints.falls.pop(uid, None)
    hints.stale[uid] = min(frame, hints.stale.get(uid, frame))


def _is_limp_at(obj: Object, name: str, frame: int) -> bool:
    animation, path = obj.animation_data, f"surefoot.{name}"
    curves = curves_of(animation.action, animation.action_slot) if animation is not None else ()
    curve = next((item for item in curves if item.data_path == path), None)
    return bool(getattr(obj.surefoot, name) if curve is None else curve.evaluate(frame))
