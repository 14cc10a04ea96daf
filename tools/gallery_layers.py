"""Pictures of pose layers at work, and of a body without legs: one row a scene, as docs/layers/NAME.png.

Runs in a Blender wheel from the root of a checkout (all scenes, or those that are named):

    python tools/gallery_layers.py [CLIP DOG REACH ...]
"""

# ruff: noqa: E402, PLC0415 - the extension can be imported only after it was put in place.

from __future__ import annotations

import sys
from collections.abc import Callable
from math import cos, sin, tau
from pathlib import Path

import bpy
from mathutils import Vector

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

import film_strip
import pictures

FPS, SIZE, COLUMNS = 24, (150, 150), 8

Shown = tuple[bpy.types.Object, list[int], film_strip.View]


def hills(size: float = 30.0, steps: int = 120, height: float = 0.25) -> bpy.types.Object:
    """A mesh of round hills, 4 m from crest to crest."""
    places = [
        (x, y, height * sin(tau * x / 4.0) * cos(tau * y / 4.0))
        for y in (size * (k / steps - 0.5) for k in range(steps + 1))
        for x in (size * (k / steps - 0.5) for k in range(steps + 1))
    ]
    row = steps + 1
    faces = [(j * row + i, j * row + i + 1, (j + 1) * row + i + 1, (j + 1) * row + i)
             for j in range(steps) for i in range(steps)]  # fmt: skip
    mesh = bpy.data.meshes.new("Hills")
    mesh.from_pydata(places, [], faces)
    mesh.shade_smooth()
    obj = bpy.data.objects.new("Hills", mesh)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def ball(radius: float, way: Callable[[float], tuple[float, float, float]], last: int) -> bpy.types.Object:
    """A red ball keyed along a way (seconds to a place), no ground for anybody."""
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, segments=24, ring_count=12)
    obj = bpy.context.object
    obj.name = "Ball"
    paint = bpy.data.materials.new("Ball")
    paint.diffuse_color = (0.8, 0.1, 0.05, 1.0)
    obj.data.materials.append(paint)
    for frame in range(1, last + 1, 2):
        obj.location = way((frame - 1) / FPS)
        obj.keyframe_insert("location", frame=frame)
    return obj


def ground_only(rig: bpy.types.Object, ground: bpy.types.Object) -> None:
    """Let a character walk on one object and on nothing else."""
    collection = bpy.data.collections.new("Ground")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(ground)
    rig.surefoot.ground = collection


def character(preset: str, speed: float, ground: bpy.types.Object) -> bpy.types.Object:
    """A character that shipped, set up, walking over this ground."""
    from surefoot.addon.add_character import add_character
    from surefoot.addon.setup import setup

    rig = add_character(bpy.context, preset, Vector((0.0, 0.0, 0.0)))
    setup(rig, bpy.context.scene)
    rig.surefoot.speed, rig.surefoot.variation = speed, 0.0
    ground_only(rig, ground)
    return rig


def dog_on_hills() -> Shown:
    """A dog that trots over hills with its tail and ears on springs and looks at a ball beside it."""
    from surefoot.addon.layers import layer_add

    rig = character("DOG", 1.5, hills())
    seen = ball(0.07, lambda t: (0.9 + 0.5 * sin(1.3 * t), -1.5 * t - 0.9, 0.75 + 0.45 * sin(2.1 * t)), 110)
    layer_add(rig, "LOOK_AT", target=seen)
    layer_add(rig, "SPRINGS")
    return rig, list(range(48, 96, 3)), "THREE_QUARTER"


def person_reaching() -> Shown:
    """A person who walks and holds on to a ball that swings in front of them."""
    from support.stage import add_ground
    from surefoot.addon.layers import layer_add

    rig = character("PERSON", 1.3, add_ground(60.0))
    held = ball(0.06, lambda t: (0.4 + 0.2 * sin(2.0 * t), -1.3 * t - 0.05, 1.25 + 0.25 * sin(3.1 * t)), 110)
    layer_add(rig, "LOOK_AT", target=held)
    layer_add(rig, "REACH", target=held, limb="hand.L", ease=0.1)
    return rig, list(range(50, 98, 3)), "THREE_QUARTER"


def snake_on_hills() -> Shown:
    """A snake along a curve over hills."""
    rig = character("SNAKE", 0.7, hills(height=0.2))
    curve = bpy.data.curves.new("Way", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    places = [(1.1 * sin(0.16 * k), -0.1 * k, 0.0, 1.0) for k in range(90)]
    spline.points.add(len(places) - 1)
    for point, place in zip(spline.points, places, strict=True):
        point.co = place
    way = bpy.data.objects.new("Way", curve)
    bpy.context.scene.collection.objects.link(way)
    rig.surefoot.director, rig.surefoot.path = "PATH", way
    return rig, list(range(60, 204, 9)), "THREE_QUARTER"


def marching_over_hills() -> Shown:
    """A person whose legs walk over hills while torso and arms are those of a march, baked on the flat before."""
    from support.stage import add_ground
    from surefoot.addon.bake import BakeOptions, bake
    from surefoot.addon.layers import layer_add

    flat = add_ground(60.0)
    rig = character("PERSON", 1.4, flat)
    settings = rig.surefoot
    settings.gait = "MARCH"
    bake(rig, BakeOptions(1, 96))
    march, rig.animation_data.action = rig.animation_data.action, None
    rig.location = (0.0, 0.0, 0.0)
    bpy.data.objects.remove(flat)
    settings.ground.objects.link(hills())
    settings.gait, settings.speed = "WALK", 1.2
    layer_add(rig, "CLIP", action=march, mask="upper_body", timing="STRIDE")
    return rig, list(range(50, 98, 3)), "SIDE"


SCENES: dict[str, Callable[[], Shown]] = {
    "CLIP": marching_over_hills,
    "DOG": dog_on_hills,
    "REACH": person_reaching,
    "SNAKE": snake_on_hills,
}


def picture_of(name: str, out: Path) -> None:
    """One strip of a scene."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    rig, frames, view = SCENES[name]()
    rig.surefoot.preview = True
    film_strip.film_strip(scene, rig, frames, out, SIZE, COLUMNS, view)


if __name__ == "__main__":
    pictures.draw(SCENES, ROOT / "docs" / "layers", picture_of)
