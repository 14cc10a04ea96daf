"""Rigify's generated control rigs: what they are made of, and how a pose is put on their controls."""

from __future__ import annotations

from .detection import is_generated
from .role_skeleton import RoleBone, RoleLimb, RoleSkeleton, role_skeleton
from .writer import RigifyWriter

__all__ = ["RigifyWriter", "RoleBone", "RoleLimb", "RoleSkeleton", "is_generated", "role_skeleton"]
