"""The bodies of the active and of selected armatures drawn into the 3D view, where they are shown now, with limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import gpu
from bpy.types import Context, Object, Scene
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix, Quaternion, Vector

from ..core.ragdoll.bodies_pose import bodies_of
from ..core.ragdoll.plan import RagdollPlan
from ..core.ragdoll.wires import Wire, limit_wire, solid_wire
from .overlay import Colour, Strokes
from .ragdoll_plan import Built, shown_of, shown_pose

SOLID, CHOSEN, LIMIT = (0.95, 0.75, 0.25, 0.7), (1.0, 1.0, 1.0, 0.95), (0.3, 0.85, 1.0, 0.9)
LINE_WIDTH = 1.5
# How far a limit is drawn, as a share of its body's length.
LIMIT_SIZE = 0.7


class Drawn:
    """The draw handler's handle and the shader, both made when first needed."""

    handle: Any = None
    shader: Any = None


def strokes_of_bodies(obj: Object, scene: Scene) -> Strokes:
    """All that is drawn of one armature's bodies, world, Blender units; empty where it has none."""
    found, built, settings = Strokes([], []), shown_of(obj, scene), obj.surefoot
    if built is None:
        return found
    plan = built.plan
    lines = settings.ragdoll_bodies
    chosen = lines[settings.active_ragdoll_body].name if settings.active_ragdoll_body < len(lines) else ""
    places = _places(obj, built)
    to_scene = obj.matrix_world @ built.reading.canonical.inverted()
    for k, body in enumerate(plan.bodies):
        colour = CHOSEN if body.role == chosen else SOLID
        _add(found, solid_wire(body.shape, body.size), to_scene @ places[k], colour)
        if body.joint is not None and (settings.ragdoll_show_limits or body.role == chosen):
            frame = _matrix(body.joint.frame.origin, body.joint.frame.turn)
            parent = plan.bodies[body.parent]
            on_parent = _matrix(parent.zero.origin, parent.zero.turn).inverted() @ frame
            wire = limit_wire(body.joint, LIMIT_SIZE * max(body.size))
            _add(found, wire, to_scene @ places[body.parent] @ on_parent, LIMIT)
    return found


def _places(obj: Object, built: Built) -> list[Matrix]:
    """Where the bodies are as the armature is shown, model space."""
    plan, reading = built.plan, built.reading
    pose = shown_pose(obj, reading.rig, reading.canonical, bones_of(plan))
    numbers = bodies_of(plan, pose, Matrix())
    return [_matrix(numbers[k : k + 3], numbers[k + 3 : k + 7]) for k in range(0, len(numbers), 7)]


def bones_of(plan: RagdollPlan) -> tuple[int, ...]:
    """All bones that bodies stand for, parents first."""
    return tuple(sorted({plan.carrier, *(bone for body in plan.bodies for bone in body.bones)}))


def _matrix(place: Any, turn: Any) -> Matrix:
    matrix = Quaternion(turn).to_matrix().to_4x4()
    matrix.translation = place
    return matrix


def _add(strokes: Strokes, wire: Wire, matrix: Matrix, colour: Colour) -> None:
    points = [tuple(matrix @ Vector(point)) for point in wire.points]
    strokes.add([points[end] for edge in wire.edges for end in edge], colour)


def _shown(context: Context) -> Iterator[Object]:
    """The armatures whose bodies this view shows: the active one and those that are selected."""
    found = {obj.session_uid: obj for obj in (context.object, *context.selected_objects) if obj is not None}
    for obj in found.values():
        if obj.type == "ARMATURE" and obj.surefoot.ragdoll_show and obj.visible_in_viewport_get(context.space_data):
            yield obj


def draw() -> None:
    """Over the scene, not hidden by the skin: bodies lie within it."""
    context = bpy.context
    space = context.space_data
    if space is None or not space.overlay.show_overlays:
        return
    strokes = Strokes([], [])
    for obj in _shown(context):
        for known, new in zip(strokes, strokes_of_bodies(obj, context.scene), strict=True):
            known.extend(new)
    if not strokes.points:
        return
    if Drawn.shader is None:
        Drawn.shader = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    batch = batch_for_shader(Drawn.shader, "LINES", {"pos": strokes.points, "color": strokes.colours})
    gpu.state.blend_set("ALPHA")
    Drawn.shader.bind()
    Drawn.shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    Drawn.shader.uniform_float("lineWidth", LINE_WIDTH * context.preferences.system.ui_scale)
    batch.draw(Drawn.shader)
    gpu.state.blend_set("NONE")


def register() -> None:
    """Draw after the scene in every 3D view; not without a window."""
    if not bpy.app.background:
        Drawn.handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")


def unregister() -> None:
    """Draw no more."""
    if Drawn.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(Drawn.handle, "WINDOW")
    Drawn.handle = Drawn.shader = None
