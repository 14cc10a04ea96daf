"""Send: click the ground and the selected characters go there; walk to, face and stop for the active one."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, StringProperty
from bpy.types import Area, Context, Event, Object, Operator, Region
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d

from ..refusal import RefusedError
from ..roster import is_character
from ..send import face, follow_director, ground_under, send, stop_walk, walk_to
from ..texts import text
from .drive import DIGITS
from .subject import OnCharacter, Refusing, named, subject

PLACE = {"description": "The place in the world", "subtype": "TRANSLATION", "unit": "LENGTH"}


def chosen(context: Context) -> list[Object]:
    """The selected characters; the active one where none is selected."""
    found = [obj for obj in context.selected_objects if is_character(obj)]
    active = subject(context)
    return found or [obj for obj in (active,) if is_character(obj)]


class SUREFOOT_OT_send(OnCharacter, Operator):
    """Click the ground, and the selected characters go there from the current frame on. Each click is one undo step."""

    bl_idname = "surefoot.send"
    bl_label = "Send"
    bl_description = text("tip_send")
    bl_options = {"REGISTER", "UNDO"}

    location: FloatVectorProperty(name="Location", **PLACE)
    gait: StringProperty(name="Gait", description="The gait from there on; empty: as it is")

    def execute(self, context: Context) -> set[str]:
        """Send them to the location."""
        if not self.properties.is_property_set("location"):
            self.report({"ERROR"}, text("send_view"))
            return {"CANCELLED"}
        return {"FINISHED"} if self._send(context, tuple(self.location), self.gait) else {"CANCELLED"}

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Wait for clicks."""
        if self.properties.is_property_set("location"):
            return self.execute(context)
        if context.area is None or context.area.type != "VIEW_3D":
            self.report({"ERROR"}, text("send_view"))
            return {"CANCELLED"}
        self._level: str | int = ""
        context.window_manager.modal_handler_add(self)
        context.workspace.status_text_set(text("send_status"))
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """A click sends, a digit chooses the gait for the clicks after it, Esc ends. The rest is Blender's."""
        if event.type in {"ESC", "RIGHTMOUSE"} and event.value == "PRESS":
            self._forget(context)
            # Each click has its own undo step; the end is none.
            return {"CANCELLED"}
        if event.value != "PRESS" or event.type not in {*DIGITS, "LEFTMOUSE"}:
            return {"PASS_THROUGH"}
        if event.type in DIGITS:
            self._level = DIGITS[event.type]
            return {"RUNNING_MODAL"}
        under = view_under(context, event.mouse_x, event.mouse_y)
        if under is None:
            return {"PASS_THROUGH"}
        self._click(context, *under, event)
        return {"RUNNING_MODAL"}

    def cancel(self, context: Context) -> None:
        """Blender ends it: another file is opened, the window is closed."""
        self._forget(context)

    def _click(self, context: Context, area: Area, region: Region, event: Event) -> None:
        people = chosen(context)
        if not people:
            self.report({"WARNING"}, text("send_none"))
            return
        view = area.spaces.active.region_3d
        pixel = (event.mouse_x - region.x, event.mouse_y - region.y)
        origin = region_2d_to_origin_3d(region, view, pixel)
        try:
            place = ground_under(people[0], origin, region_2d_to_vector_3d(region, view, pixel))
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return
        if place is None:
            self.report({"WARNING"}, text("send_no_ground"))
        elif self._send(context, tuple(place), self._level):
            bpy.ops.ed.undo_push(message=self.bl_label)
            area.tag_redraw()

    def _send(self, context: Context, place: tuple[float, float, float], gait: str | int) -> bool:
        people = chosen(context)
        try:
            send(people, place, gait=gait)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return False
        for obj in people:
            if not obj.surefoot.preview:
                obj.surefoot.preview = True
        self.report({"INFO"}, text("sent_there", count=len(people), frame=context.scene.frame_current))
        return True

    def _forget(self, context: Context) -> None:
        if context.workspace is not None:
            context.workspace.status_text_set(None)


def view_under(context: Context, x: int, y: int) -> tuple[Area, Region] | None:
    """The 3D view at a place of the window, where no sidebar or header lies over it."""
    for area in context.window.screen.areas:
        if area.type != "VIEW_3D" or not _holds(area, x, y):
            continue
        over = [region.type for region in area.regions if _holds(region, x, y) and min(region.width, region.height) > 1]
        if over == ["WINDOW"]:
            return area, next(region for region in area.regions if region.type == "WINDOW")
    return None


def _holds(part: Area | Region, x: int, y: int) -> bool:
    return bool(part.x <= x < part.x + part.width and part.y <= y < part.y + part.height)


class SUREFOOT_OT_walk_to(Refusing, OnCharacter, Operator):
    """Let the character go to a place or an object from the current frame on."""

    bl_idname = "surefoot.walk_to"
    bl_label = "Walk To"
    bl_description = text("tip_walk_to")
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(name="Object", description="The name of the object to go to, where it is now")
    location: FloatVectorProperty(name="Location", **PLACE)
    turns: BoolProperty(name="Turn", description="Turn there to the heading")
    heading: FloatProperty(name="Heading", description="0 faces -Y, 90 degrees faces +X", subtype="ANGLE")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """To the other selected object, where there is one, else to the cursor."""
        self.target, self.location = other_selected(context), context.scene.cursor.location
        return self.execute(context)

    def change(self, obj: Object, context: Context) -> None:
        """Send it there."""
        to = named(self.target, context) or tuple(self.location)
        walk_to(obj, to, heading=self.heading if self.turns else None)


class SUREFOOT_OT_face(Refusing, OnCharacter, Operator):
    """Let the character turn where it stands."""

    bl_idname = "surefoot.face"
    bl_label = "Face"
    bl_description = text("tip_face")
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(name="Object", description="The name of the object to turn to, where it is now")
    heading: FloatProperty(name="Heading", description="0 faces -Y, 90 degrees faces +X", subtype="ANGLE")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """To the other selected object, where there is one."""
        self.target = other_selected(context)
        return self.execute(context)

    def change(self, obj: Object, context: Context) -> None:
        """Turn it."""
        target = named(self.target, context)
        face(obj, self.heading if target is None else target)


class SUREFOOT_OT_stop_walk(Refusing, OnCharacter, Operator):
    """Let the character come to a stop from the current frame on."""

    bl_idname = "surefoot.stop_walk"
    bl_label = "Stop"
    bl_description = text("tip_stop_walk")
    bl_options = {"REGISTER", "UNDO"}

    def change(self, obj: Object, _context: Context) -> None:
        """Stop it."""
        stop_walk(obj)


class SUREFOOT_OT_follow_director(Refusing, OnCharacter, Operator):
    """From the current frame on the director says again where to go."""

    bl_idname = "surefoot.follow_director"
    bl_label = "Follow Director"
    bl_description = text("tip_follow_director")
    bl_options = {"REGISTER", "UNDO"}

    def change(self, obj: Object, _context: Context) -> None:
        """Let it go on."""
        follow_director(obj)


def other_selected(context: Context) -> str:
    """The name of the one selected object that is not the active one; empty where there is none, or more."""
    others = [obj for obj in context.selected_objects if obj != subject(context)]
    return others[0].name if len(others) == 1 else ""


CLASSES = (
    SUREFOOT_OT_send,
    SUREFOOT_OT_walk_to,
    SUREFOOT_OT_face,
    SUREFOOT_OT_stop_walk,
    SUREFOOT_OT_follow_director,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
