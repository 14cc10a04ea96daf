"""Pictures of a retarget: a march, and the same march on Rigify's controls, as docs/retarget/NAME.png.

Runs in a Blender wheel from the root of a checkout:

    python tools/gallery_retarget.py [SOURCE TARGET]
"""

# ruff: noqa: E402, PLC0415 - the extension can be imported only after it was put in place.

from __future__ import annotations

import sys
from pathlib import Path

import bpy

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

import demo_bodies
import film_strip
import pictures

FPS, SIZE, COLUMNS = 24, (150, 170), 8
FRAMES = list(range(40, 72, 4))
NAMES = ("SOURCE", "TARGET")


def marched() -> bpy.types.Object:
    """A person whose proud march was baked."""
    from support.stage import add_ground, add_person
    from surefoot.addon.bake import BakeOptions, bake

    add_ground(60.0)
    rig = add_person()
    rig.surefoot.travel, rig.surefoot.gait, rig.surefoot.speed = "ROOT_BONE", "MARCH", 1.4
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, 96))
    return rig


def on_rigify(source: bpy.types.Object) -> bpy.types.Object:
    """A generated human of three quarters of the size that takes the motion over on its controls."""
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    metarig = bpy.context.view_layer.objects.active
    bpy.ops.pose.rigify_generate()
    rig = bpy.context.view_layer.objects.active
    bpy.data.objects.remove(metarig)
    rig.name, rig.scale = "Rigify", (0.75, 0.75, 0.75)
    rig.location.x = 3.0
    demo_bodies.dress(rig, "rigify_human.toml", "surefoot")
    bpy.context.view_layer.update()
    bpy.ops.surefoot.retarget(source=source.name, target=rig.name)
    return rig


def picture_of(name: str, out: Path) -> None:
    """One strip of one of the two."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    shown = marched()
    if name == "TARGET":
        shown = on_rigify(shown)
    film_strip.film_strip(scene, shown, FRAMES, out, SIZE, COLUMNS, "SIDE")


if __name__ == "__main__":
    pictures.draw(NAMES, ROOT / "docs" / "retarget", picture_of)
