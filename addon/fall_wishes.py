"""What the settings say of a character's falling at a frame: which hits come, what of it is limp, whether it gets up.

Read from F-curves where that is exact, else from an evaluated depsgraph, as all inputs are.
"""

from __future__ import annotations

from math import hypot, isfinite
from typing import Any, NamedTuple

from bpy.types import Depsgraph, Object, Scene

from ..core.control.fall_row import Blow
from .fall_properties import GET_UPS, LIMP
from .keyed_values import curve_time, driven_settings, fcurves_of, keyed_value

NUMBERS = {item[0]: item[3] for item in GET_UPS}
NAMES = {number: name for name, number in NUMBERS.items()}
LIMP_PATHS = tuple(f"surefoot.{name}" for name in LIMP)
STILL = 1e-3
"""Metres a second under which a hit is none."""


class Wishes(NamedTuple):
    """Of one frame: the hits that come at it; how much of body, head, arms, legs and tail is limp; `get_up` and its
    `style`, whether bodies of the scene hit, and whether physics has the tail.
    """

    hits: tuple[Blow, ...] = ()
    limp: tuple[float, ...] = (0.0,) * len(LIMP)
    get_up: str = "AUTO"
    style: str = "ORDINARY"
    bodies: bool = False
    tail: bool = True

    @property
    def is_limp(self) -> bool:
        """True where physics has anything of it without a hit."""
        return any(share > 0.0 for share in self.limp)

    @property
    def begins(self) -> bool:
        """True where physics is to begin."""
        return bool(self.hits) or self.is_limp


NO_WISHES = Wishes()


def may_fall(obj: Object) -> bool:
    """True where anything in the settings may give a body to physics at some time."""
    settings = obj.surefoot
    if not settings.falls:
        return False
    if settings.hits or settings.hit_by_bodies or any(getattr(settings, name) for name in LIMP):
        return True
    return _is_limp_animated(obj)


def _is_limp_animated(obj: Object) -> bool:
    """True where an Action, a strip or a driver has anything for the limpness of a character."""
    animation = obj.animation_data
    if animation is None:
        return False
    driven = driven_settings(obj)
    if driven and any((path, 0) in driven for path in LIMP_PATHS):
        return True
    found = [fcurves_of(obj)]
    for track in animation.nla_tracks:
        for action in (strip.action for strip in track.strips if strip.action is not None):
            found += [bag.fcurves for layer in action.layers for part in layer.strips for bag in part.channelbags]
    return any(curves.find(path) is not None for curves in found if curves is not None for path in LIMP_PATHS)


def wishes_at(obj: Object, scene: Scene, frame: int, depsgraph: Depsgraph | None = None) -> Wishes:
    """What the settings say at a frame. With a depsgraph, of that frame, it is read, else F-curves are."""
    if not may_fall(obj):
        return NO_WISHES
    settings, at = obj.surefoot, curve_time(scene, frame)
    shown = None if depsgraph is None else obj.evaluated_get(depsgraph).surefoot
    if shown is not None:
        limp, get_up = tuple(getattr(shown, name) for name in LIMP), shown.get_up
    else:
        limp = tuple(keyed_value(obj, f"surefoot.{name}", 0, at, getattr(settings, name)) for name in LIMP)
        get_up = NAMES.get(int(keyed_value(obj, "surefoot.get_up", 0, at, NUMBERS[settings.get_up])), "AUTO")
    hits = []
    for i, hit in enumerate(settings.hits):
        if hit.on and hit.frame == frame:
            path = f"surefoot.hits[{i}].strength"
            strength = keyed_value(obj, path, 0, at, hit.strength) if shown is None else shown.hits[i].strength
            hits += _blow(hit, strength)
    limp = tuple(min(max(share, 0.0), 1.0) if isfinite(share) else 0.0 for share in limp)
    style, tail = settings.get_up_style, settings.tail_physics == "PHYSICS"
    return Wishes(tuple(hits), limp, get_up, style, settings.hit_by_bodies, tail)


def _blow(hit: Any, strength: float) -> list[Blow]:
    """A hit as a speed, none where it has no direction or no strength."""
    x, y, z = hit.direction
    length = hypot(x, y, z)
    if not isfinite(length * strength) or length <= 0.0 or strength < STILL:
        return []
    share = strength / length
    return [Blow((x * share, y * share, z * share), hit.part)]
