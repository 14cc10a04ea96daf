"""What the clean-up of feet can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..space.settings import setting


@dataclass(frozen=True)
class CleanFeetConfig:
    """Settings of the clean-up of feet; times are for a leg of 0.9 m and go with the root of its length."""

    ramp: float = setting(
        0.12,
        "How long before a contact a foot begins to be led to its hold, and after it is let go. Short ramps keep more "
        "of the swing, and jerk where a foot slid far",
        unit="s",
        low=0.0,
        high=1.0,
    )
    heights: Literal["HELD", "FREE"] = setting(
        "HELD",
        "Held: a sole point stays at one height while it stands, that of the floor found under it. Free: only its way "
        "along the ground is held",
    )
