"""What holds for more than one state."""

from __future__ import annotations

from dataclasses import dataclass

from ..space.settings import setting


@dataclass(frozen=True, slots=True)
class MachineConfig:
    """How the machine goes from one state to the next."""

    window: float = setting(
        0.2, "How long it takes to turn square to what it goes over, from whatever angle. At 0 it snaps", unit="s",
        low=0.0, high=2.0,
    )  # fmt: skip
    sprints_from: float = setting(
        2.0, "A sprint that is slower than this is none, as at its start", unit="m/s", low=0.0, high=20.0
    )
    run_lasts: float = setting(
        0.25, "For so long a run that a wall has stopped is one still, for what is done there. At 0 a press that comes "
        "late goes over it from standing", unit="s", low=0.0, high=2.0,
    )  # fmt: skip
    grabs_rising: float = setting(
        1.5, "How fast it may rise and still take hold of an edge. At 0 it only grabs while it falls", unit="m/s",
        low=0.0, high=50.0,
    )  # fmt: skip
