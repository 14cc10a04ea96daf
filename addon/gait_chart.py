"""The gait chart of a preview or of any Action: as numbers, as an image in the file, as a PNG on disk."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.types import Image, Object, Scene

from ..core.measure.chart_image import drawing, rasterized
from ..core.measure.contacts import found_contacts
from ..core.measure.gait_chart import GaitChart
from ..core.measure.gait_chart import gait_chart as chart_of
from .refusal import RefusedError
from .report import measured
from .texts import text

WIDTH = 1200
MARK = "surefoot_chart"  # an image that may be drawn over


def gait_chart(obj: Object, scene: Scene, frame_start: int, frame_end: int) -> GaitChart:
    """Measure which foot is down when, over a range of scene frames.

    Feet whose contacts were planned are taken by their plan; of any other motion contacts are found from places,
    whether there is ground under it or not.
    """
    found = measured(obj, scene, frame_start, frame_end)
    if not found.track.feet:
        raise RefusedError(text("no_chart", name=obj.name))
    plan, track = found.plan or {}, found.track
    seen = found_contacts(track) if any(foot.role not in plan for foot in track.feet) else {}
    return chart_of(track, {foot.role: plan.get(foot.role) or seen[foot.role] for foot in track.feet})


def chart_image(chart: GaitChart, name: str) -> Image:
    """The chart as an image of the file: a new one, or the chart of this name drawn anew."""
    pixels = rasterized(drawing(chart, WIDTH))
    height, width = pixels.shape[:2]
    image = bpy.data.images.get(name)
    if image is None or image.library is not None or not image.get(MARK):
        image = bpy.data.images.new(name, width, height)
        image[MARK] = True
    elif tuple(image.size) != (width, height):
        image.scale(width, height)
    image.pixels.foreach_set(pixels.ravel())
    image.update()
    image.pack()
    return image


def write_chart(chart: GaitChart, filepath: str) -> None:
    """The chart as a PNG file; nothing of it stays in the blend file."""
    pixels = rasterized(drawing(chart, WIDTH))
    image = bpy.data.images.new(Path(filepath).stem, pixels.shape[1], pixels.shape[0])
    try:
        image.pixels.foreach_set(pixels.ravel())
        image.filepath_raw, image.file_format = filepath, "PNG"
        image.save()
    except RuntimeError as error:
        raise RefusedError(text("not_writable", path=filepath, reason=str(error).strip())) from error
    finally:
        bpy.data.images.remove(image)
