"""What a retarget can be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..space.settings import setting
from .feet_config import CleanFeetConfig


@dataclass(frozen=True)
class RetargetConfig:
    """Settings of one retarget."""

    rests: Literal["DIRECTIONS", "MATCH"] = setting(
        "DIRECTIONS",
        "What counts as the same pose. Directions: limbs, back and neck point where the source's do, so that a "
        "T-pose stays one on a target that rests in an A-pose. Match: the source's rest pose becomes the target's "
        "rest pose, whatever both look like, and what is moved is the change from there",
    )
    travel: Literal["SCALED", "KEPT"] = setting(
        "SCALED",
        "Scaled: the way over the ground shrinks or grows with the length of the legs and of the feet that roll under "
        "them, about the scene's origin, so that steps fit. Kept: the target goes exactly as far as the source; legs "
        "of another length then slide, or have to stretch",
    )
    feet: Literal["HOLD", "FOLLOW", "FREE"] = setting(
        "HOLD",
        "Hold: what stands on the source stands on the target, on the floor and without sliding, also where the source "
        "slides a little (but not where it walks on the spot at no even speed). Follow: as still as on the source, no "
        "more. Free: feet end where the joints' directions put them, which slides on other proportions",
    )
    hold: CleanFeetConfig = field(default_factory=CleanFeetConfig)
