"""What animates an object, and over which frames: its Action, NLA strips, parents, or what its constraints refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bpy.types import Object, Scene

from .action_sampling import bones_moved
from .pose_channels import driven_paths
from .saved_state import OBJECT_PATHS, channelbag_of

MOVES = ("pose.", "location", "rotation", "scale", "delta_")


class Played(NamedTuple):
    """What plays on an object: its Action's channelbag (None: no Action plays) and the NLA strips that do."""

    bag: Any
    strips: tuple[Any, ...]

    @property
    def is_whole(self) -> bool:
        """True where the Action alone says how the object is animated."""
        return self.bag is not None and not self.strips


def played_on(obj: Object) -> Played:
    """What animates an object now: a solo track alone, else all strips that are not muted, and the Action over them."""
    animation = obj.animation_data
    if animation is None:
        return Played(None, ())
    tracks = list(animation.nla_tracks) if animation.use_nla else []
    solo = [track for track in tracks if track.is_solo]
    playing = solo or [track for track in tracks if not track.mute]
    strips = tuple(strip for track in playing for strip in track.strips if not strip.mute)
    muted = bool(solo) or animation.action_influence == 0.0
    bag = None if muted else channelbag_of(animation.action, animation.action_slot)
    return Played(bag if bag is not None and len(bag.fcurves) else None, strips)


def moves(obj: Object, bag: Any) -> bool:
    """True where a channelbag moves the object or one of its bones."""
    if bag is None:
        return False
    paths = {path for path, _ in OBJECT_PATHS}
    if any(curve.data_path in paths or curve.data_path.startswith("delta_") for curve in bag.fcurves):
        return True
    return obj.type == "ARMATURE" and bool(bones_moved(obj, bag))


def range_of(obj: Object) -> tuple[float, float] | None:
    """The frames over which an object's own Action and strips play; None where neither moves it."""
    played, spans = played_on(obj), []
    if played.bag is not None and moves(obj, played.bag):
        spans.append(action_range(obj.animation_data.action, played.bag))
    for strip in played.strips:
        if strip.type == "META" or moves(obj, channelbag_of(strip.action, strip.action_slot)):
            spans.append((float(strip.frame_start), float(strip.frame_end)))
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def action_range(action: Any, bag: Any) -> tuple[float, float]:
    """The frames that a person gave an Action, or those of the channelbag's keys."""
    if action.use_frame_range:
        first, last = action.frame_range
        return float(first), float(last)
    ranges = [curve.range() for curve in bag.fcurves if len(curve.keyframe_points)]
    if not ranges:
        return float(action.frame_range[0]), float(action.frame_range[1])
    return min(first for first, _ in ranges), max(last for _, last in ranges)


def led_range(obj: Object) -> tuple[float, float] | None:
    """The frames over which what leads an object plays: its nearest animated parent, else its constraints' targets."""
    above = obj.parent
    while above is not None:
        found = range_of(above)
        if found is not None:
            return found
        above = above.parent
    spans = [span for other in _targets(obj) if (span := range_of(other)) is not None]
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def is_led(obj: Object, scene: Scene) -> bool:
    """True where constraints or drivers move an object or its bones, whatever they refer to."""
    if any(path.startswith(MOVES) for path in driven_paths(obj)):
        return True
    world = scene.rigidbody_world
    return next(_targets(obj), None) is not None or (world is not None and obj.rigid_body is not None)


def _targets(obj: Object) -> Iterator[Object]:
    """The objects that live constraints of an object and of its bones refer to."""
    holders = [obj, *(obj.pose.bones if obj.type == "ARMATURE" else ())]
    for holder in holders:
        for item in holder.constraints:
            if item.mute or item.influence == 0.0:
                continue
            named = [getattr(item, "target", None), *(each.target for each in getattr(item, "targets", ()))]
            yield from (other for other in named if other is not None and other != obj)
