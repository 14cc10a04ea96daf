"""The activities of one character that an agent directs: their weights, their poses, and what it looks at meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, sqrt

from .actions.acted_pose import ActedPose
from .actions.acting import ALERT, Acting, ActMemory
from .activity_presets import activity_presets, is_upright, kind_of
from .control.intent import AgentWish, LayerInput, Place, Spot
from .layers.layer import LayerSettings
from .layers.look_at import LookAtConfig
from .layers.request import wish_at
from .rig.edited_pose import EditedPose
from .rig.pose import PoseFrame
from .rig.rig import Rig
from .space.angles import facing

AGENT_LOOK = LayerSettings("LOOK_AT", LookAtConfig(idle="POSE"))
"""The layer that looks at what an agent is told to look at, on top of the user's own."""
FAR, STAYS = 6.0, 1.3
"""One that looks round looks at places so many legs away, at each for so many seconds of a 0.9 m leg."""
ROUND = (0.8, -0.4, -1.0, 0.3, 1.0, -0.2, 0.5, -0.8)
"""Where it looks, one after the other, in shares of its widest."""
FROM = 0.1


class Activities:
    """What one rig does where it stands. Immutable."""

    def __init__(self, rig: Rig) -> None:
        config = activity_presets()[kind_of(rig)]
        self.config = config
        self.leg = max(rig.leg_length, 1e-3)
        self.tempo = sqrt(self.leg / 0.9)
        self.poses = ActedPose(rig, config, self.leg, self.tempo, upright=is_upright(rig))
        self.acting = Acting(config, self.leg, (-self.poses.deepest[0], 0.0))
        head = rig.skeleton.bones[rig.head].head if rig.head >= 0 else rig.legs[0].hip
        self.eyes = head.z - rig.floor

    def laid(self, frame: PoseFrame, memory: ActMemory) -> PoseFrame:
        """A base pose with what the body does on it."""
        if not memory.acts:
            return frame
        pose = EditedPose.of_frame(self.poses.rig.skeleton, frame)
        self.poses.lay(pose, memory)
        return pose.frame(frame.ground, frame.feet, frame.events)

    def wishes(
        self, wishes: Sequence[LayerInput], count: int, wish: AgentWish | None, memory: ActMemory, place: Place
    ) -> tuple[LayerInput, ...]:
        """The wishes of the user's layers, and that of the agent's own look, which is the last of `count`."""
        own = tuple(wish_at(wishes, i) for i in range(count - 1))
        return (*own, LayerInput(spot=self._look(wish, memory, place)))

    def _look(self, wish: AgentWish | None, memory: ActMemory, place: Place) -> Spot | None:
        """What it looks at: what it is told, else on the alert one place after the other round it."""
        if wish is None or not wish.enabled:
            return None
        if wish.look is not None and all(map(isfinite, wish.look[:3])):
            return wish.look
        if memory.weights[ALERT] <= FROM:
            return None
        number = int(memory.time / (STAYS * self.tempo))
        x, y = facing(place.heading + ROUND[number % len(ROUND)] * self.config.alert_sweep)
        far = FAR * self.leg
        return Spot(place.x + x * far, place.y + y * far, place.z + self.eyes)
