"""The states that take the body from the walking capsule, in the order in which they are asked whether they start."""

from __future__ import annotations

from .climb import Climb
from .hang import Hang
from .jump_off import JumpOff
from .leap import Leap
from .memory import StateName
from .roll import Roll
from .slide import Slide
from .state import State
from .vault import Vault
from .wall_run import WallRun

_ALL: tuple[State, ...] = (Vault(), Climb(), Hang(), Leap(), WallRun(), Slide(), Roll(), JumpOff())
STATES: dict[StateName, State] = {state.name: state for state in _ALL}
