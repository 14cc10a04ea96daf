"""An Action over the base motion: in its place on some bones, or added on top, by the clock, by progress or in step."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Literal

from ..control.intent import LayerInput
from ..motion.clip_pose import ClipPoses
from ..rig.edited_pose import EditedPose
from ..rig.rig import Problem, Rig
from ..space.copying import copier
from ..space.curves import smoothstep
from ..space.settings import setting
from .layer import Moment
from .masks import add_pose, blend

# A body that is slower than this stands (metres a second, for a 0.9 m leg): it takes no strides to go by.
STANDS = 0.08
NO_CLIP = Problem("", "The clip layer has no clip.", "Choose an Action for it.")
OTHER_RIG = Problem("", "The clip of the clip layer is of another rig.", "Choose an Action of this armature.")
NO_STRIDE = Problem(
    "",
    "No stride was found in the clip of the clip layer, so all of it goes over one stride.",
    "Choose an Action that walks, or let the layer go by time.",
)


@dataclass(frozen=True, slots=True)
class ClipLayerConfig:
    """How a clip is laid over the base motion."""

    mode: Literal["REPLACE", "ADD"] = setting(
        "REPLACE",
        "REPLACE: the bones of the mask do what the clip does. ADD: what the clip differs from its reference frame is "
        "put on top of what they do, such as a flinch",
    )
    timing: Literal["TIME", "PROGRESS", "STRIDE"] = setting(
        "TIME",
        "TIME plays it by the clock from where the layer begins, PROGRESS poses it where the keyed progress is, "
        "STRIDE lets it go in step: one of its strides over each of the body's",
    )
    repeat: Literal["AUTO", "LOOP", "HOLD", "ONCE"] = setting(
        "AUTO",
        "By TIME, after the last frame: LOOP begins again, HOLD stays there, ONCE lets go. AUTO: LOOP, if the clip "
        "ends in the pose with which it begins, else ONCE",
    )
    rate: float = setting(
        1.0, "By TIME, how fast it plays: 0 stands still in it, 1 is its own speed", low=0.0, high=10.0
    )
    delay: float = setting(
        0.0,
        "By TIME, how long after the layer begins the clip does. A layer begins with the walk, and anew whenever its "
        "weight leaves 0 or it is switched on again",
        unit="s",
        low=0.0,
        high=36000.0,
    )
    reference: float = setting(
        0.0,
        "The moment of the clip from which differences are counted while it is added, seconds after its first frame. "
        "There the layer changes nothing; past the end it is the end",
        unit="s",
        low=0.0,
        high=36000.0,
    )
    fade: float = setting(
        0.12,
        "How long it takes to come and to go: at its ends, when it is switched, and by STRIDE when the body stops. "
        "0 cuts hard",
        unit="s",
        low=0.0,
        high=10.0,
    )
    poses: ClipPoses | None = setting(None, "The clip that is laid over the base motion; without one nothing is")


@dataclass(slots=True)
class ClipLayerMemory:
    """`time` since the layer began, seconds (negative: it has not); `share` of it that is let in, and how much of it
    was `shown` at this frame in the place of the base motion.
    """

    time: float = -1.0
    share: float = 0.0
    shown: float = 0.0
    reason: str = ""

    def copy(self) -> ClipLayerMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(ClipLayerMemory)


class ClipLayer:
    """One clip over the base motion of one rig."""

    def __init__(self, rig: Rig, config: ClipLayerConfig) -> None:
        self.config = config
        self.problems: tuple[Problem, ...] = ()
        self._stands = STANDS * (rig.leg_length / 0.9) ** 0.5
        poses = config.poses
        if poses is None:
            self.problems = (NO_CLIP,)
        elif [bone.name for bone in poses.skeleton.bones] != [bone.name for bone in rig.skeleton.bones]:
            self.problems, poses = (OTHER_RIG,), None
        self._poses = None if poses is None else self._prepared(poses)
        self._bones = () if poses is None else tuple(sorted({*poses.rotated, *poses.located}))
        self._reference = None if poses is None else poses.at(config.reference * poses.fps)
        self._foot = 0 if poses is None else poses.feet.reference

    def _prepared(self, poses: ClipPoses) -> ClipPoses:
        """The clip as it is played: one stride of it, or over and over, or as it is."""
        if self.config.timing == "STRIDE":
            if poses.feet.stride is None:
                self.problems = (NO_STRIDE,)
                return poses.cut(0.0, len(poses) - 1.0)
            whole = poses.joined() if poses.closed else poses
            return whole.cut(*poses.feet.stride)
        return poses.joined() if self.config.timing == "TIME" and self._repeat(poses) == "LOOP" else poses

    def _repeat(self, poses: ClipPoses) -> str:
        if self.config.repeat != "AUTO":
            return self.config.repeat
        return "LOOP" if poses.closed else "ONCE"

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bones that the clip turns, and those that it moves."""
        return self._bones, () if self._poses is None else self._poses.located

    def start(self) -> ClipLayerMemory:
        """Nothing has begun."""
        return ClipLayerMemory()

    def apply(self, pose: EditedPose, memory: ClipLayerMemory, moment: Moment, wish: LayerInput) -> None:
        """Lay the clip over the pose."""
        poses = self._poses
        memory.reason, memory.shown = "", 0.0
        if poses is None:
            return
        self._go_on(memory, moment, wish)
        found = self._frame(poses, memory, moment, wish)
        if found is None:
            return
        frame, share = found[0], found[1] * smoothstep(memory.share)
        if share <= 0.0:
            return
        over = poses.at(frame)
        if self.config.mode == "ADD" and self._reference is not None:
            add_pose(pose, over, self._reference, share, self._bones)
            return
        held = pose.held()
        for i in self._bones:
            pose.set_basis(i, over.rotations[i], over.locations.get(i, pose.locations.get(i)))
        blend(pose, held, self._bones, share)
        memory.shown = share

    def replaced(self, memory: ClipLayerMemory) -> float:
        """How much of its bones' motion was the clip's at this frame."""
        return memory.shown

    def _go_on(self, memory: ClipLayerMemory, moment: Moment, wish: LayerInput) -> None:
        """Time and share after a frame; what is out and off begins anew when it is on again."""
        wanted = wish.on and not (self.config.timing == "STRIDE" and self._is_still(moment))
        if memory.time < 0.0:
            # What began while all went on comes in; at the first frame it is as if it had always been there.
            memory.time = 0.0
            memory.share = 1.0 if wanted and moment.dt == 0.0 else 0.0
            return
        memory.time += moment.dt
        step = 1.0 if moment.dt == 0.0 or self.config.fade <= 0.0 else moment.dt / self.config.fade
        memory.share = min(1.0, memory.share + step) if wanted else max(0.0, memory.share - step)
        if not wish.on and memory.share <= 0.0:
            memory.time = 0.0

    def _is_still(self, moment: Moment) -> bool:
        return hypot(*moment.velocity) < self._stands

    def _frame(
        self, poses: ClipPoses, memory: ClipLayerMemory, moment: Moment, wish: LayerInput
    ) -> tuple[float, float] | None:
        """Where in the clip it is, in frames, and how much of it there is; None where there is nothing."""
        last = len(poses) - 1.0
        if self.config.timing == "PROGRESS":
            return min(max(wish.progress, 0.0), 1.0) * last, 1.0
        if self.config.timing == "TIME":
            return self._timed(poses, memory.time - self.config.delay, last)
        phase = moment.feet[self._foot].phase if self._foot < len(moment.feet) else moment.phase
        if phase is None:
            memory.reason = "Nothing steps, so that the clip has no stride to go by."
            return None
        return phase * last, 1.0

    def _timed(self, poses: ClipPoses, time: float, last: float) -> tuple[float, float] | None:
        """By the clock: it comes in after its delay, and goes before its end where it is played once."""
        config = self.config
        if time < 0.0:
            return None
        frame = time * config.rate * poses.fps
        come = _faded(time, config.fade) if config.delay else 1.0
        if self._repeat(poses) != "ONCE" or config.rate <= 0.0:
            return frame, come
        left = (last - frame) / (config.rate * poses.fps)
        return (frame, come * _faded(left, config.fade)) if left >= 0.0 else None


def _faded(time: float, fade: float) -> float:
    """How much there is of what came this long ago, or goes in so long."""
    return smoothstep(time / fade) if fade > 0.0 else 1.0
