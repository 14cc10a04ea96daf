"""A short number for plain values: the same in every session, another as soon as any of them differs by a bit."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from struct import pack
from typing import Any

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..core.motion.clip_pose import ClipPoses

SIZE = 8
"""Bytes of a digest."""


def digest_of(*values: Any) -> bytes:
    """The digest of numbers, texts, None, and whatever holds such: tuples, data classes, arrays, vectors."""
    digest = hashlib.sha1(usedforsecurity=False)
    for value in values:
        _feed(digest, value)
    return digest.digest()[:SIZE]


def _feed(digest: Any, value: Any) -> None:
    if value is None or isinstance(value, bool):
        digest.update(b"n" if value is None else b"t" if value else b"f")
    elif isinstance(value, float):
        # Zero has two signs, and they are equal.
        digest.update(b"d" + pack("<d", value + 0.0))
    elif isinstance(value, (int, str, bytes)):
        told = value if isinstance(value, bytes) else str(value).encode()
        digest.update(type(value).__name__.encode() + b"%d:" % len(told) + told)
    elif isinstance(value, np.ndarray):
        # Adding nothing leaves zeros of one sign.
        digest.update(f"a{value.dtype.str}{value.shape}".encode() + np.ascontiguousarray(value + 0).tobytes())
    else:
        parts = _parts(value)
        digest.update(b"(%d" % len(parts))
        for part in parts:
            _feed(digest, part)


def _parts(value: Any) -> list[Any]:
    """What a value is made of, in an order that follows from the value alone. A clip tells its own digest."""
    if isinstance(value, ClipPoses):
        return [value.digest]
    if is_dataclass(value):
        return [getattr(value, item.name) for item in fields(value)]
    if isinstance(value, (tuple, list, Vector, Quaternion, Matrix)):
        return list(value)
    if isinstance(value, dict):
        return [part for key in sorted(value) for part in (key, value[key])]
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    slots = getattr(type(value), "__slots__", None)
    if slots is None:
        raise TypeError(f"A {type(value).__name__} has no digest.")
    return [getattr(value, name) for name in slots]
