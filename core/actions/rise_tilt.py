"""A body that gets up on a slope: it lies as that does, and stands upright, or on all its legs as the slope goes."""

from __future__ import annotations

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.rig import Rig
from ..space.curves import share_of, smoothstep
from .lying import trunk_goes_up

UP = Vector((0.0, 0.0, 1.0))
# Up to the first of these shares of its height a body lies with the slope, from the second on it is upright.
LOW, STANDS = 0.35, 0.85


class Tilted:
    """The slope that a body lies on, as long as it is low: a source that is laid out over level ground is turned."""

    def __init__(self, rig: Rig, normal: Vector, centre: Vector, height: float) -> None:
        """`centre` is the middle of the hips at rest, `height` how high it is over the floor of a body that stands."""
        self.rig, self.centre, self.height, self.upright = rig, centre, height, trunk_goes_up(rig)
        self.whole = UP.rotation_difference(normal)

    def lay(self, pose: EditedPose) -> None:
        """Turn a posed body with the slope, the more the lower it is."""
        body = self.rig.body
        if self.whole.angle < 1e-4:
            return
        high = (pose.moved(body) @ self.centre).z - self.rig.floor
        share = 1.0 - smoothstep(share_of(high / self.height, LOW, STANDS)) if self.upright else 1.0
        turn = Quaternion().slerp(self.whole, share)
        matrix = turn.to_matrix().to_4x4()
        pivot = Vector((0.0, 0.0, self.rig.floor))
        matrix.translation = pivot - turn @ pivot
        pose.set_model(body, matrix @ pose.model(body))
