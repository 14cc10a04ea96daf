"""The states that take the body from the walking capsule, in the order in which they are asked whether they start."""

from __future__ import annotations

from .climb import Climb
from .memory import StateName
from .roll import Roll
from .slide import Slide
from .state import State
from .vault import Vault

_ALL: tuple[State, ...] = (Vault(), Climb(), Slide(), Roll())
STATES: dict[StateName, State] = {state.name: state for state in _ALL}
