"""Takes of a body that gets up: an Action from its last lying moment to its first standing one."""

from __future__ import annotations

from dataclasses import dataclass

from ..motion.clip_pose import ClipPoses
from .rise_config import RiseStyle


@dataclass(frozen=True)
class RiseTake:
    """A take with its moments, frames of it: the last at which it lies, the first at which it stands. Between the two
    of `air` it is off the floor.
    """

    name: str
    poses: ClipPoses
    lying: float
    standing: float
    style: RiseStyle = "ORDINARY"
    air: tuple[float, float] | None = None
