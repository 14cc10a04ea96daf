"""Ground whose surface goes along while it stands: conveyors. How far such a belt has come is told by the frame alone.

The velocity is a setting of the ground object, in metres a second along the object's own axes, and can be keyed.
"""

from __future__ import annotations

from math import floor

from bpy.types import Object, Scene

from .ground_set import goes_along
from .keyed_values import curve_time, has_plain_action, keyed_value, setting_is_animated

PATH = "surefoot.surface_velocity"
Come = tuple[float, float, float]


def come_at(ob: Object, scene: Scene, frame: float) -> Come | None:
    """How far the belt has come since frame 0, metres along the object's axes; None for ground that is none.

    Keys count from frame to frame; drivers and strips do not.
    """
    keyed = setting_is_animated(ob, PATH, 3)
    if not (keyed or goes_along(ob)) or (keyed and not has_plain_action(ob, (PATH,))):
        return None
    per_frame = scene.render.fps_base / scene.render.fps
    still = tuple(ob.surefoot.surface_velocity)
    if not keyed:
        x, y, z = (value * frame * per_frame for value in still)
        return x, y, z
    x, y, z = (_sum(ob, scene, axis, frame, still[axis]) * per_frame for axis in range(3))
    return x, y, z


def _sum(ob: Object, scene: Scene, axis: int, frame: float, still: float) -> float:
    """The area under a curve from frame 0, by trapezoids between whole frames."""
    side = 1 if frame >= 0.0 else -1
    whole = floor(abs(frame))
    marks = [side * float(number) for number in range(whole + 1)] + ([frame] if abs(frame) > whole else [])
    values = [keyed_value(ob, PATH, axis, curve_time(scene, mark), still) for mark in marks]
    steps = zip(marks, marks[1:], values, values[1:], strict=False)
    return sum(0.5 * (a + b) * (end - begin) for begin, end, a, b in steps)
