"""Where a body stands: its model space in the world."""

from __future__ import annotations

from mathutils import Matrix, Quaternion, Vector

from .pose import Ground

UP = Vector((0.0, 0.0, 1.0))


def world_matrix(ground: Ground) -> Matrix:
    """Where model space stands in the world."""
    turn = Quaternion(UP, ground.heading)
    if ground.tilt is not None:
        turn = Quaternion(ground.tilt) @ turn
    matrix = turn.to_matrix().to_4x4()
    matrix.translation = Vector(ground[:3])
    return matrix
