"""The numbers of parkour: one small table a state, of a parkour preset. Metres, seconds, radians, for legs of 0.9 m."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParkourConfig:
    """All tables together."""

    def sized(self, leg: float) -> ParkourConfig:
        """The same for a body with legs of this length: lengths go with it, speeds and times with its root."""
        raise NotImplementedError(leg)
