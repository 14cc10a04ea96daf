"""The numbers of the autopilot."""

from __future__ import annotations

from dataclasses import dataclass

from ..space.settings import setting


@dataclass(frozen=True, slots=True)
class AutopilotConfig:
    """How it looks for a way, and what it likes to go."""

    cell: float = setting(
        0.3, "How wide the squares are that it looks for ways on. Wide ones miss doors, small ones take long", unit="m",
        low=0.05, high=5.0,
    )  # fmt: skip
    cells_a_tick: float = setting(
        60.0, "How many squares it looks at in a tick while it thinks. High values halt the playback, low ones let it "
        "stand and think", low=1.0, high=10000.0,
    )  # fmt: skip
    most_cells: float = setting(
        8000.0, "How many squares it looks at for one way at most; then it goes as near as it has seen", low=10.0,
        high=1e6,
    )  # fmt: skip
    runs_from: float = setting(
        2.5, "It sprints where so much of a straight way is left. At 0 it sprints into every corner", unit="m", low=0.0,
        high=1000.0,
    )  # fmt: skip
    there: float = setting(0.02, "So near to its goal it stops", unit="m", low=0.001, high=5.0)
    follows: float = setting(
        0.5, "It looks for another way when its goal has moved so far", unit="m", low=0.01, high=100.0
    )
    gives_up: float = setting(
        1.5, "After so long without coming nearer to the next place it looks for another way", unit="s", low=0.1,
        high=60.0,
    )  # fmt: skip
    deepest: float = setting(4.0, "How deep it lets itself down, or jumps down", unit="m", low=0.0, high=100.0)
    vault_costs: float = setting(1.0, "How long a detour it would rather go than vault", unit="m", low=0.0, high=1000.0)
    climb_costs: float = setting(2.0, "The same for each metre of a climb", low=0.0, high=1000.0)
    slide_costs: float = setting(1.5, "The same for a slide under a bar", unit="m", low=0.0, high=1000.0)
    drop_costs: float = setting(1.0, "The same for letting itself down an edge", unit="m", low=0.0, high=1000.0)
    jump_costs: float = setting(2.0, "The same for a jump over a gap", unit="m", low=0.0, high=1000.0)
    grab_costs: float = setting(
        4.0, "The same for a jump at a wall that only the hands reach, or an edge to hang from", unit="m", low=0.0,
        high=1000.0,
    )  # fmt: skip
