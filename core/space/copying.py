"""Copies of flat dataclasses in a few microseconds: a Memory is copied for every frame that is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def copier(kind: type[T]) -> Callable[[T], T]:
    """A function that copies instances of a dataclass: a new one with the same values, which are shared.

    All values are read in one call and given to the constructor in order, ten times as quick as `copy` or `replace`.
    """
    make: Callable[..., T] = kind
    values: Callable[[T], tuple[Any, ...]] = attrgetter(*(item.name for item in fields(kind)))  # type: ignore[arg-type]
    return lambda original: make(*values(original))
