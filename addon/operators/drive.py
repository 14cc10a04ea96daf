"""Drive: a character walked by the keyboard, in real time, while what is pressed is recorded."""

from __future__ import annotations

from functools import partial
from math import hypot
from time import perf_counter
from typing import Any

import bpy
from bpy.props import BoolProperty
from bpy.types import Context, Event, Operator
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d
from mathutils import Quaternion, Vector

from ...core.control.intent import Pad
from ..changes import hints
from ..drive import Take, prepare, put_back, throw_away
from ..fall_pick import picked
from ..following_view import opened
from ..hits import HARD, LIGHT
from ..refusal import RefusedError
from ..roster import by_uid
from ..texts import text
from .subject import OnCharacter, subject

UP = Vector((0.0, 0.0, 1.0))
AHEAD, ASIDE = Vector((0.0, 0.0, -1.0)), Vector((1.0, 0.0, 0.0))
WAYS = {
    "W": (0, 1), "UP_ARROW": (0, 1), "S": (0, -1), "DOWN_ARROW": (0, -1),
    "D": (1, 0), "RIGHT_ARROW": (1, 0), "A": (-1, 0), "LEFT_ARROW": (-1, 0),
}  # fmt: skip
"""Keys of a direction: to the right and ahead, as the view sees it."""
JUMP, GO_UP, CROUCH, SPRINT = ("J",), ("SPACE",), ("C", "LEFT_CTRL"), ("LEFT_SHIFT", "RIGHT_SHIFT")
DIGITS = {"ZERO": 0, "ONE": 1, "TWO": 2, "THREE": 3, "NUMPAD_0": 0, "NUMPAD_1": 1, "NUMPAD_2": 2, "NUMPAD_3": 3}
VIEWED_BY = ("MIDDLEMOUSE", "WHEEL", "TRACKPAD", "MOUSEPAN", "MOUSEZOOM", "MOUSEROTATE", "NDOF", "TIMER", "WINDOW")
"""Events that are Blender's while one drives: they move the view. A key that means nothing must not delete anything."""
TURN = 0.005
"""How far the view turns for a pixel of the pointer, radians."""
MOST_FRAMES = 3
"""So many frames are computed between two looks at the keyboard; a scene that is slower goes in slow motion."""
LEVEL = 0.1
"""A view that looks down more steeply than this pushes down, too."""
EYES = 1.0
"""The view that follows looks this far over the feet, metres."""


class Pressed:
    """Which keys are down, or were since they were looked at: a tap between two frames counts."""

    def __init__(self) -> None:
        self._down: dict[str, None] = {}
        self._tapped: dict[str, None] = {}

    def hear(self, kind: str, value: str) -> bool:
        """Take a key's event; True for one that means something."""
        if kind not in WAYS and kind not in (*JUMP, *GO_UP, *CROUCH, *SPRINT):
            return False
        if value == "PRESS":
            self._down[kind] = self._tapped[kind] = None
        elif value == "RELEASE":
            self._down.pop(kind, None)
        return True

    def pad(self, view: Quaternion, *, parkour: bool = False) -> Pad:
        """What is asked for, with directions as a view with this rotation sees them. Going up is a jump for a body that
        knows nothing else.
        """
        held, self._tapped = {**self._down, **self._tapped}, {}
        right, ahead = (sum(WAYS[key][k] for key in held if key in WAYS) for k in (0, 1))
        x, y = directed(view, right, ahead)
        jump, up, crouch, sprint = (any(key in held for key in keys) for keys in (JUMP, GO_UP, CROUCH, SPRINT))
        return Pad(x, y, jump or (up and not parkour), crouch, sprint, up and parkour)


def directed(view: Quaternion, right: float, ahead: float) -> tuple[float, float]:
    """A direction over the ground, at most of length 1. Looking straight down, ahead is up the screen."""
    forward, side = view @ AHEAD, view @ ASIDE
    flat = forward if hypot(forward.x, forward.y) > 1e-3 else view @ Vector((0.0, 1.0, 0.0))
    fx, fy = Vector(flat.xy).normalized()
    sx, sy = Vector(side.xy).normalized()
    x, y = ahead * fx + right * sx, ahead * fy + right * sy
    length = hypot(x, y)
    return (x / length, y / length) if length > 1.0 else (x, y)


class SUREFOOT_OT_drive(OnCharacter, Operator):
    """Walk the character with the keyboard; what is pressed is recorded to keys. Esc throws the take away."""

    bl_idname = "surefoot.drive"
    bl_label = "Drive"
    bl_description = text("tip_drive")
    bl_options = {"REGISTER", "UNDO", "GRAB_CURSOR", "BLOCKING"}

    follow: BoolProperty(name="Follow", description="The view goes along with the character", default=True)
    turn: BoolProperty(name="Turn with the Mouse", description="The pointer turns the view", default=True)
    _timer: Any = None

    def execute(self, _context: Context) -> set[str]:
        """A take needs somebody who presses."""
        self.report({"ERROR"}, text("drive_window"))
        return {"CANCELLED"}

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Begin at the frame that is shown."""
        if context.area is None or context.area.type != "VIEW_3D":
            self.report({"ERROR"}, text("drive_view"))
            return {"CANCELLED"}
        obj = subject(context)
        before = prepare(obj, context.scene)
        try:
            self._take = Take(obj)
        except RefusedError as refusal:
            put_back(obj, context.scene, before)
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self._before, self._pressed = before, Pressed()
        self._pointer: int | None = None
        self._region, self._window_region = context.space_data.region_3d, context.region
        render = context.scene.render
        self._fps = render.fps / render.fps_base
        self._began = perf_counter()
        self._timer = context.window_manager.event_timer_add(1.0 / self._fps, window=context.window)
        # An undo in the middle would leave what was not there in the step before; it takes the take back first.
        self._take_back = partial(throw_away, self._take, before)
        hints.before_undo.append(self._take_back)
        context.window_manager.modal_handler_add(self)
        context.workspace.status_text_set(text("drive_status"))
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """Keys are heard, frames go on with the clock; Return keeps the take, Esc throws it away."""
        if not self._take.alive:
            return self._end(context, keep=False)
        if event.value == "PRESS" and (event.type == "ESC" or (event.type == "Z" and (event.ctrl or event.oskey))):
            return self._end(context, keep=False)
        if event.type in {"RET", "NUMPAD_ENTER"} and event.value == "PRESS":
            return self._end(context, keep=True)
        if event.type == "R" and event.value == "PRESS":
            self._take.retry()
            self._began = perf_counter()
        elif event.type in DIGITS and event.value == "PRESS":
            self._take.set_pace(DIGITS[event.type])
        elif event.type == "MOUSEMOVE" and self.turn:
            self._turn_view(event.mouse_x)
        elif event.type == "LEFTMOUSE" and event.value == "PRESS":
            self._shove(context, event)
        elif event.type == "TIMER":
            self._go_on(context)
        elif not self._pressed.hear(event.type, event.value) and event.type.startswith(VIEWED_BY):
            return {"PASS_THROUGH"}
        return {"RUNNING_MODAL"}

    def cancel(self, context: Context) -> None:
        """Blender ends it: another file is opened, the window is closed."""
        self._forget(context)

    def _go_on(self, context: Context) -> None:
        due = int((perf_counter() - self._began) * self._fps)
        count = min(due - self._take.frames, MOST_FRAMES)
        parkour = self._take.subject().surefoot.parkour
        for _ in range(count):
            self._take.step(self._pressed.pad(self._region.view_rotation, parkour=parkour))
        if due - self._take.frames > 0:
            # What was not managed is not caught up with.
            self._began = perf_counter() - self._take.frames / self._fps
        place = self._take.place() if count > 0 and self.follow else None
        if place is not None:
            self._region.view_location = place + EYES * UP
            self._region.view_rotation = opened(self._region.view_rotation, self._take.wall(), count / self._fps)
        if context.area is not None:
            context.area.tag_redraw()

    def _turn_view(self, x: int) -> None:
        # The first move only tells where the pointer is.
        if self._pointer is not None:
            self._region.view_rotation = Quaternion(UP, TURN * (self._pointer - x)) @ self._region.view_rotation
        self._pointer = x

    def _shove(self, context: Context, event: Event) -> None:
        """Whoever is pointed at is pushed away from the view, lightly, or hard with Shift."""
        region, view = self._window_region, self._region
        pixel = (event.mouse_x - region.x, event.mouse_y - region.y)
        origin, way = region_2d_to_origin_3d(region, view, pixel), region_2d_to_vector_3d(region, view, pixel)
        found = picked(context.scene, origin, way)
        obj = None if found is None else by_uid(found.uid)
        if found is None or obj is None:
            return
        flat = Vector((way.x, way.y, 0.0))
        try:
            self._take.shove(obj, flat if flat.length > LEVEL else way, HARD if event.shift else LIGHT, found.role)
        except RefusedError as refusal:
            self.report({"WARNING"}, str(refusal))

    def _end(self, context: Context, *, keep: bool) -> set[str]:
        take, before = self._take, self._before
        self._forget(context)
        obj = take.subject()
        if keep and obj is not None and take.frames:
            self.report({"INFO"}, text("driven", name=obj.name, frames=take.finish()))
            return {"FINISHED"}
        throw_away(take, before)
        self.report({"INFO"}, text("cancelled"))
        return {"CANCELLED"}

    def _forget(self, context: Context) -> None:
        if self._timer is None:
            return
        hints.before_undo.remove(self._take_back)
        context.window_manager.event_timer_remove(self._timer)
        self._timer = None
        if context.workspace is not None:
            context.workspace.status_text_set(None)


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_drive)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_drive)
