"""Blender's force fields as a body meets them: those that can be told for any place are read, the others are named.

`fields_at(ob, scene, at, metres, depsgraph)` are the fields of a character's scene at a time of the curves, from a
depsgraph where one is given. `fields_are_plain` says whether they are known at any frame without evaluation.
"""

from __future__ import annotations

from math import inf
from typing import Any

from bpy.types import Depsgraph, Object, Scene

from ..core.control.fields import Falloff, ForceField
from .ground_set import TimeDependence
from .keyed_values import has_plain_action, is_plain_place, keyed_value, plain_matrix
from .texts import text

KINDS, SHAPES = ("WIND", "FORCE", "VORTEX"), ("POINT", "PLANE")
SIDES = {"BOTH": 0, "POSITIVE": 1, "NEGATIVE": -1}


def takes_fields(ob: Object) -> bool:
    """True for a body that force fields move."""
    return ob.surefoot.body == "CAPSULE" and ob.surefoot.field_influence != 0.0


def fields_at(
    ob: Object, scene: Scene, at: float, metres: float, depsgraph: Depsgraph | None
) -> tuple[ForceField, ...]:
    """What moves a character at a moment, by the names of the objects; strengths in metres a second."""
    if not takes_fields(ob):
        return ()
    influence = ob.surefoot.field_influence
    return tuple(_field(item, at, influence, metres, depsgraph) for item in _in(scene) if _is_told(item))


def fields_are_plain(ob: Object) -> bool:
    """True where no field has to be evaluated to be known."""
    time = TimeDependence()
    return not takes_fields(ob) or all(
        has_plain_action(item, ("field",)) and is_plain_place(item, time)
        for scene in ob.users_scene
        for item in _in(scene)
        if _is_told(item)
    )


def lost_fields(ob: Object, scene: Scene) -> list[str]:
    """Which fields a character that is moved by fields is not moved by, in sentences."""
    if not takes_fields(ob):
        return []
    return [
        text("field_lost", name=item.name, kind=_said(item, "type"), shape=_said(item, "shape"))
        for item in _in(scene)
        if not _is_told(item)
    ]


def _in(scene: Scene) -> list[Object]:
    found = (ob for ob in scene.objects if ob.field is not None and ob.field.type != "NONE" and not ob.hide_viewport)
    return sorted(found, key=lambda ob: ob.name_full)


def _is_told(ob: Object) -> bool:
    """A vortex from a plane also depends on how fast the body is: only the one from a point is told by the place."""
    shapes = SHAPES[:1] if ob.field.type == "VORTEX" else SHAPES
    return ob.field.type in KINDS and ob.field.shape in shapes


def _said(ob: Object, name: str) -> str:
    choice = ob.field.bl_rna.properties[name]
    return choice.enum_items[getattr(ob.field, name)].name


def _field(ob: Object, at: float, influence: float, metres: float, depsgraph: Depsgraph | None) -> ForceField:
    shown = None if depsgraph is None else ob.evaluated_get(depsgraph)
    matrix = plain_matrix(ob, at) if shown is None else shown.matrix_world
    settings: Any = (ob if shown is None else shown).field

    def number(name: str) -> float:
        value = float(getattr(settings, name))
        return value if shown is not None else keyed_value(ob, f"field.{name}", 0, at, value)

    def falloff(power: str, low: str, high: str, limited: tuple[bool, bool], size: float) -> Falloff:
        least, most = limited
        return Falloff(number(power), number(low) * size if least else None, number(high) * size if most else inf)

    along = (settings.use_min_distance, settings.use_max_distance)
    radial = (settings.use_radial_min, settings.use_radial_max)
    size = metres if settings.falloff_type == "TUBE" else 1.0
    return ForceField(
        settings.type,
        tuple(matrix.translation * metres),
        tuple(matrix.col[2].xyz.normalized()),
        number("strength") * influence,
        settings.shape == "PLANE",
        SIDES[settings.z_direction],
        settings.falloff_type,
        falloff("falloff_power", "distance_min", "distance_max", along, metres),
        falloff("radial_falloff", "radial_min", "radial_max", radial, size),
        inverse_square=settings.use_gravity_falloff,
    )
