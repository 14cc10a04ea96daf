"""Rigify's generated control rigs: what they are made of, and how a pose is put on their controls."""

from __future__ import annotations

from .detection import is_generated
from .role_skeleton import RoleBone, RoleLimb, RoleSkeleton, role_skeleton

__all__ = ["RoleBone", "RoleLimb", "RoleSkeleton", "is_generated", "role_skeleton"]
