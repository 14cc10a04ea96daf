"""Clips for moves: an Action in the place of a move's key poses, posed by how much of the move is done.

The way up and over is the body's own, so the clip's lift is taken out: its pelvis stays as high over the feet as in its
first frame. Where it has its hands is then brought to what the move touches, as with key poses.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..motion.clip_pose import ClipPoses
from ..rig.edited_pose import EditedPose
from ..rig.rig import Problem, Rig
from .request import Move

MoveClip = tuple[str, ClipPoses]
"""What a clip is of, and the clip: a move by its name, or by its name and one of its variants with a blank between."""
ROUNDS = ("SHIMMY", "WALL_RUN")
"""Moves whose progress goes round: a clip of theirs comes back to its first frame."""


class ClipsOfMoves:
    """The clips that one rig has for moves. Immutable."""

    def __init__(self, rig: Rig, clips: Sequence[MoveClip]) -> None:
        names = [bone.name for bone in rig.skeleton.bones]
        own = [(key, poses) for key, poses in clips if [bone.name for bone in poses.skeleton.bones] == names]
        others = sorted({key for key, _ in clips} - {key for key, _ in own})
        self.problems: tuple[Problem, ...] = ()
        if others:
            reason = f"The clip of {', '.join(others)} is of another rig."
            self.problems = (Problem("", reason, "Choose an Action of this armature; its own poses are used."),)
        self._clips = {key: self._prepared(key, poses) for key, poses in own}
        self.rotated = tuple(sorted({i for poses in self._clips.values() for i in poses.rotated}))
        self.located = tuple(sorted({i for poses in self._clips.values() for i in poses.located}))

    @staticmethod
    def _prepared(key: str, poses: ClipPoses) -> ClipPoses:
        level = poses.without_lift()
        return level.joined() if key.split(" ", maxsplit=1)[0] in ROUNDS else level

    def pose(self, move: Move) -> EditedPose | None:
        """The clip's pose for a move now; None where there is no clip of it."""
        clip = self._clips.get(f"{move.name} {move.variant}") or self._clips.get(move.name)
        return None if clip is None else clip.at(move.progress * (len(clip) - 1))

    def lay(self, pose: EditedPose, clip: EditedPose) -> None:
        """Give a pose all that a clip says."""
        for i in range(len(pose.rotations)):
            pose.set_basis(i, clip.rotations[i], clip.locations.get(i))
