"""How far the skin of a character goes under a level floor, as Blender shows it, while it lies and while it gets up.

Run as a script in a Blender Python, with the tests' folder on the path:
    PYTHONPATH=tests python tests/benchmarks/fallen_skin.py WHO [SIDE ...]

WHO is a character that ships (PERSON, DOG, HORSE ...) or a .glb or .fbx file; it is felled to each SIDE (back, front,
left, right), and for lying and rising the deepest point of each bone's skin is told with its frame.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import bpy
import numpy as np
from support.extension import as_extension

SIDES = {"back": (0.0, 1.0, 0.0), "front": (0.0, -1.0, 0.0), "left": (1.0, 0.0, 0.0), "right": (-1.0, 0.0, 0.0)}
FPS, LAST, HIT, PUSH = 24, 260, 10, 4.5
WIDE, LEAST = 30.0, 0.005


def part(name: str) -> Any:
    """A module of the extension."""
    return import_module(f"surefoot.{name}")


def character(who: str) -> bpy.types.Object:
    """A character that stands on a level floor at height 0."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, LAST
    floor = bpy.data.meshes.new("Floor")
    corners = [(x * WIDE, y * WIDE, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    floor.from_pydata(corners, [], [(0, 1, 2, 3)])
    scene.collection.objects.link(bpy.data.objects.new("Floor", floor))
    if who.endswith((".glb", ".gltf")):
        bpy.ops.import_scene.gltf(filepath=who)
    elif who.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=who)
    else:
        bpy.ops.surefoot.add_character(preset=who)
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.setup()
    rig.surefoot.speed = 0.0
    return rig


def states(rig: bpy.types.Object) -> list[str]:
    """What physics or getting up has of it at each frame, the first one at frame 1."""
    ahead = part("addon.simulate")
    ahead.finished(ahead.simulate_steps(rig, LAST))
    cache = part("addon.performers").performers.get(rig.session_uid).cache
    falls = [cache.get(frame).memory.fall for frame in range(1, LAST + 1)]
    return ["ANIMATED" if fall is None else fall.state for fall in falls]


def depths(meshes: list[bpy.types.Object], frame: int) -> dict[str, float]:
    """How far the skin of each bone is under the floor, metres; above it is less than 0."""
    bpy.context.scene.frame_set(frame)
    graph, found = bpy.context.evaluated_depsgraph_get(), dict[str, float]()
    for obj in meshes:
        shown = obj.evaluated_get(graph)
        mesh = shown.to_mesh()
        places = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", places)
        row = np.array(shown.matrix_world)[2]
        heights = places.reshape(-1, 3) @ row[:3] + row[3]
        for k in np.argsort(heights)[:200]:
            groups = [(g.weight, obj.vertex_groups[g.group].name) for g in mesh.vertices[k].groups]
            bone = max(groups)[1] if groups else obj.name
            found[bone] = max(found.get(bone, -1.0), -float(heights[k]))
        shown.to_mesh_clear()
    return found


def told(rig: bpy.types.Object, label: str, frames: list[int]) -> None:
    """A line for some frames: how many are over the limit, and the deepest of each bone."""
    meshes = [obj for obj in bpy.data.objects if obj.type == "MESH" and rig in (obj.parent, obj.find_armature())]
    worst: dict[str, tuple[float, int]] = {}
    over = 0
    for frame in frames:
        found = depths(meshes, frame)
        over += max(found.values(), default=0.0) > LEAST
        for bone, depth in found.items():
            worst[bone] = max(worst.get(bone, (-1.0, 0)), (depth, frame))
    rows = sorted(worst.items(), key=lambda row: -row[1][0])[:6]
    deep = ", ".join(f"{bone} {1000.0 * depth:.1f} mm at {frame}" for bone, (depth, frame) in rows)
    sys.stdout.write(f"  {label:7}{over:4d} of {len(frames)} frames over {1000.0 * LEAST:g} mm: {deep}\n")


def _main() -> None:
    who, *sides = sys.argv[1:] or ["PERSON"]
    extension = as_extension()
    extension.register()
    for side in sides or SIDES:
        rig = character(who)
        part("addon.hits").shove(rig, SIDES[side], PUSH, frame=HIT)
        seen = states(rig)
        sys.stdout.write(f"{who} felled to its {side}\n")
        for label, state in (("lies", "FALLEN"), ("rises", "GETTING_UP")):
            frames = [k + 1 for k, name in enumerate(seen) if name == state]
            told(rig, label, frames if label == "rises" else frames[len(frames) // 2 :])


if __name__ == "__main__":
    _main()
