"""A film strip: small Workbench pictures of an object at some frames, from a camera that follows it, in one PNG.

Runs in a Blender wheel or in Blender's own Python, without a window:

    python tools/film_strip.py file.blend out.png --object NAME --frames 1:60:3 --view SIDE
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import bpy
import numpy as np
from mathutils import Vector

if TYPE_CHECKING:
    from collections.abc import Iterator

View = Literal["SIDE", "THREE_QUARTER", "FRONT"]
# Around the character from its front (degrees towards its left), and up.
VIEWS: dict[View, tuple[float, float]] = {"SIDE": (90.0, 8.0), "THREE_QUARTER": (50.0, 18.0), "FRONT": (0.0, 8.0)}
MARGIN = 1.08
SMOOTH = 0.7
SKY = (0.62, 0.67, 0.72)
DISTANCE = 30.0


def film_strip(
    scene: bpy.types.Scene,
    target_object: bpy.types.Object,
    frames: Sequence[int],
    path: Path,
    size: tuple[int, int] = (320, 240),
    columns: int = 5,
    view: View = "SIDE",
) -> Path:
    """Write the strip to `path` and leave the scene as it was. The scale is the same in all pictures."""
    if not frames:
        raise ValueError("A film strip needs at least one frame.")
    boxes = [box_around(scene, target_object, frame) for frame in frames]
    away = _camera_direction(target_object, boxes, view)
    looked = _followed(scene.render.fps / scene.render.fps_base, frames, boxes)
    with tempfile.TemporaryDirectory() as folder, _render_settings(scene, size), _camera(scene) as camera:
        camera.data.ortho_scale = _scale(boxes, looked, away, size)
        # what stands nearer than the character itself, another character say, must not hide it
        camera.data.clip_start = DISTANCE - 0.6 * max(max(high - low) for low, high in boxes)
        pictures = []
        for i, (frame, centre) in enumerate(zip(frames, looked, strict=True)):
            scene.frame_set(frame)
            camera.location = centre + away * DISTANCE
            camera.rotation_mode = "QUATERNION"
            camera.rotation_quaternion = away.to_track_quat("Z", "Y")
            scene.render.filepath = str(Path(folder) / f"{i:04}.png")
            bpy.ops.render.render(write_still=True, scene=scene.name)
            pictures.append(read_picture(scene.render.filepath))
    write_picture(joined(pictures, columns), path)
    return path


def box_around(scene: bpy.types.Scene, target: bpy.types.Object, frame: int) -> tuple[Vector, Vector]:
    """The world box around the target at a frame: around the meshes skinned to an armature, evaluated; around its
    joints where there are none; around any other object's own box.
    """
    scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    shown = target.evaluated_get(depsgraph)
    world = shown.matrix_world
    clouds = [_vertices(mesh.evaluated_get(depsgraph)) for mesh in scene.objects if _is_worn(mesh, target)]
    clouds = [cloud for cloud in clouds if len(cloud)]
    if not clouds and target.type == "ARMATURE":
        deforming = [bone for bone in shown.pose.bones if bone.bone.use_deform] or list(shown.pose.bones)
        clouds = [np.array([tuple(world @ point) for bone in deforming for point in (bone.head, bone.tail)])]
    elif not clouds:
        clouds = [np.array([tuple(world @ Vector(corner)) for corner in shown.bound_box])]
    cloud = np.concatenate(clouds)
    return Vector(cloud.min(axis=0)), Vector(cloud.max(axis=0))


def _is_worn(obj: bpy.types.Object, armature: bpy.types.Object) -> bool:
    """True for a mesh that is skinned to the armature and shows in a render."""
    return (
        obj.type == "MESH"
        and not obj.hide_render
        and any(item.type == "ARMATURE" and item.object == armature for item in obj.modifiers)
    )


def _vertices(shown: bpy.types.Object) -> np.ndarray:
    """The places (n, 3) of an evaluated mesh object's vertices in the world."""
    places = np.empty(len(shown.data.vertices) * 3, dtype=np.float32)
    shown.data.vertices.foreach_get("co", places)
    world = np.array(shown.matrix_world)
    return places.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]


def _followed(fps: float, frames: Sequence[int], boxes: Sequence[tuple[Vector, Vector]]) -> list[Vector]:
    """Where the camera looks: the boxes' centres, by straight lines fitted over five pictures if those lie close in
    time, so that the character's own rise and fall shows.
    """
    centres = np.array([tuple((low + high) / 2) for low, high in boxes])
    times = np.array(frames, dtype=float) / fps
    looked = []
    for i, time in enumerate(times):
        first = max(min(i - 2, len(times) - 5), 0)
        near = slice(first, first + 5)
        close = len(times) >= 5 and abs(times[near][-1] - times[near][0]) <= SMOOTH
        looked.append(Vector(np.polyfit(times[near] - time, centres[near], 1)[1] if close else centres[i]))
    return looked


def _camera_direction(target: bpy.types.Object, boxes: Sequence[tuple[Vector, Vector]], view: View) -> Vector:
    """From the character to the camera: by its way through the strip, or by its -Y where it stays in place."""
    way = (boxes[-1][0] + boxes[-1][1] - boxes[0][0] - boxes[0][1]) / 2
    way.z = 0.0
    height = boxes[0][1].z - boxes[0][0].z
    if way.length < 0.3 * height:
        way = target.matrix_world.to_3x3() @ Vector((0.0, -1.0, 0.0))
        way.z = 0.0
    way.normalize()
    around, up = (math.radians(angle) for angle in VIEWS[view])
    left = Vector((-way.y, way.x, 0.0))
    flat = way * math.cos(around) + left * math.sin(around)
    return flat * math.cos(up) + Vector((0.0, 0.0, math.sin(up)))


def _scale(
    boxes: Sequence[tuple[Vector, Vector]], looked: Sequence[Vector], away: Vector, size: tuple[int, int]
) -> float:
    """What the longer side of a picture shows, in metres: all of every box as the camera sees it, with a margin."""
    axes = away.to_track_quat("Z", "Y").to_matrix()
    width = height = 0.0
    for (low, high), centre in zip(boxes, looked, strict=True):
        for corner in product(*zip(low, high, strict=True)):
            seen = axes.transposed() @ (Vector(corner) - centre)
            width, height = max(width, 2.0 * abs(seen.x)), max(height, 2.0 * abs(seen.y))
    return MARGIN * max(width, height * size[0] / size[1], 1e-3) * max(1.0, size[1] / size[0])


@contextmanager
def _camera(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    before = scene.camera
    data = bpy.data.cameras.new("Film strip")
    data.type = "ORTHO"
    data.clip_end = 2 * DISTANCE
    camera = bpy.data.objects.new("Film strip", data)
    scene.collection.objects.link(camera)
    scene.camera = camera
    try:
        yield camera
    finally:
        scene.camera = before
        bpy.data.objects.remove(camera)
        bpy.data.cameras.remove(data)


@contextmanager
def _render_settings(scene: bpy.types.Scene, size: tuple[int, int]) -> Iterator[None]:
    """Workbench with shadows and cavity, the frame's number in the corner; everything put back at the end."""
    sky = bpy.data.worlds.new("Film strip")
    sky.color = SKY
    render, shading = scene.render, scene.display.shading
    wanted: list[tuple[Any, str, Any]] = [
        (render, "engine", "BLENDER_WORKBENCH"),
        (render, "resolution_x", size[0]),
        (render, "resolution_y", size[1]),
        (render, "resolution_percentage", 100),
        (render, "filepath", ""),
        (render, "use_file_extension", True),
        (render, "use_stamp", True),
        (render, "stamp_font_size", 14),
        (render, "film_transparent", False),
        (render.image_settings, "file_format", "PNG"),
        (render.image_settings, "color_mode", "RGB"),
        (scene.display, "render_aa", "8"),
        (shading, "light", "STUDIO"),
        (shading, "color_type", "MATERIAL"),
        (shading, "show_shadows", True),
        (shading, "shadow_intensity", 0.35),
        (shading, "show_cavity", True),
        (scene, "world", sky),
        (shading, "background_type", "WORLD"),
        (scene.view_settings, "view_transform", "Standard"),
    ]
    stamps = [key for key in dir(render) if key.startswith("use_stamp_")]
    wanted += [(render, key, key == "use_stamp_frame") for key in stamps]
    before = [(owner, key, _plain(getattr(owner, key))) for owner, key, _ in wanted]
    frame = scene.frame_current
    try:
        for owner, key, value in wanted:
            setattr(owner, key, value)
        yield
    finally:
        for owner, key, value in before:
            setattr(owner, key, value)
        bpy.data.worlds.remove(sky)
        scene.frame_set(frame)


def _plain(value: Any) -> Any:
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def read_picture(path: str) -> np.ndarray:
    """A picture's pixels: (height, width, 4), the bottom row first."""
    image = bpy.data.images.load(path, check_existing=False)
    width, height = image.size
    pixels = np.empty(width * height * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)


def joined(pictures: Sequence[np.ndarray], columns: int) -> np.ndarray:
    """All pictures in rows of `columns`, the first at the top left."""
    height, width, _ = pictures[0].shape
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    sheet = np.ones((rows * height, columns * width, 4), dtype=np.float32)
    for i, picture in enumerate(pictures):
        top = (rows - 1 - i // columns) * height
        left = (i % columns) * width
        sheet[top : top + height, left : left + width] = picture
    return sheet


def write_picture(sheet: np.ndarray, path: Path) -> None:
    """Pixels as `read_picture` gives them, into a PNG file."""
    height, width, _ = sheet.shape
    image = bpy.data.images.new("Film strip", width, height)
    image.pixels.foreach_set(np.ascontiguousarray(sheet).ravel())
    image.filepath_raw = str(path)
    image.file_format = "PNG"
    image.save()
    bpy.data.images.remove(image)


def _frames(text: str) -> list[int]:
    """`1:60:3` (first, last, step) or `1,5,9`."""
    if ":" in text:
        first, last, *step = (int(part) for part in text.split(":"))
        return list(range(first, last + 1, step[0] if step else 1))
    return [int(part) for part in text.split(",")]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Pictures of an object at some frames of a .blend, in one PNG.")
    parser.add_argument("blend", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--object", help="the object to follow (default: the first armature)")
    parser.add_argument("--frames", type=_frames, help="1:60:3 or 1,5,9 (default: 20 over the scene's range)")
    parser.add_argument("--view", choices=sorted(VIEWS), default="SIDE")
    parser.add_argument("--columns", type=int, default=5)
    parser.add_argument("--size", default="320x240", help="of one picture, in pixels")
    return parser.parse_args()


def main() -> None:
    """The command line."""
    asked = _arguments()
    if not asked.blend.is_file():
        raise SystemExit(f"There is no file {asked.blend}.")
    bpy.ops.wm.open_mainfile(filepath=str(asked.blend.resolve()))
    scene = bpy.context.scene
    armatures = [item for item in scene.objects if item.type == "ARMATURE"]
    target = scene.objects.get(asked.object) if asked.object else next(iter(armatures), None)
    if target is None:
        raise SystemExit(f"No such object; armatures in the file: {[item.name for item in armatures]}.")
    span = np.linspace(scene.frame_start, scene.frame_end, 20)
    frames = asked.frames or sorted({round(frame) for frame in span})
    width, height = (int(part) for part in asked.size.split("x"))
    film_strip(scene, target, frames, asked.out.resolve(), (width, height), asked.columns, asked.view)
    print(f"{len(frames)} pictures of {target.name} in {asked.out}")


if __name__ == "__main__":
    main()
