"""The states that take the body from the walking capsule, in the order in which they are asked whether they start."""

from __future__ import annotations

from .memory import StateName
from .state import State

STATES: dict[StateName, State] = {}
