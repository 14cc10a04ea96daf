"""What operators share that measure a range of frames and may write what they found to a file."""

from __future__ import annotations

from bpy.props import BoolProperty, IntProperty
from bpy.types import Scene


class OverFrames:
    """A mixin: a range of frames, the scene's where none is given, and whether a file is asked for."""

    choose_file: BoolProperty(
        name="Choose File", description="Ask for the file to write", default=False, options={"HIDDEN", "SKIP_SAVE"}
    )
    frame_start: IntProperty(
        name="Start", description="The first frame; not given, the scene's", default=1, options={"SKIP_SAVE"}
    )
    frame_end: IntProperty(
        name="End", description="The last frame; not given, the scene's", default=250, options={"SKIP_SAVE"}
    )

    def frames(self, scene: Scene) -> tuple[int, int]:
        """The first and the last frame that are asked for."""
        given = self.properties.is_property_set
        start = self.frame_start if given("frame_start") else scene.frame_start
        return start, self.frame_end if given("frame_end") else scene.frame_end
