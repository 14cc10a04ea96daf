"""How long a Blender unit is. The core counts in metres; scenes may be modelled in centimetres."""

from __future__ import annotations

from bpy.types import Scene


def metres_per_unit(scene: Scene) -> float:
    """Metres in one Blender unit, as the scene's unit settings say; 1 where the scene has no unit system."""
    units = scene.unit_settings
    return 1.0 if units.system == "NONE" else float(units.scale_length)
