"""The course of a lunge: back a little, ahead at once, and home again, each part with a soft begin and end."""

from __future__ import annotations

from typing import NamedTuple

from ..space.curves import share_of, smootherstep

# In shares of a lunge: drawn back, gone back to ahead, ahead, home.
BACK, TURNS, THERE, LEAVES = 0.3, 0.24, 0.5, 0.58


class LungeNow(NamedTuple):
    """How much of each there is, 0 to 1: drawn `back`, gone `ahead`, `low` over the legs."""

    back: float = 0.0
    ahead: float = 0.0
    low: float = 0.0


NO_LUNGE = LungeNow()


def lunge_at(time: float, seconds: float) -> LungeNow:
    """A lunge of so many seconds after a time; before and after it, nothing."""
    if not 0.0 <= time < seconds:
        return NO_LUNGE
    t = time / seconds
    home = 1.0 - smootherstep(share_of(t, LEAVES, 1.0))
    ahead = smootherstep(share_of(t, TURNS, THERE)) * home
    back = smootherstep(share_of(t, 0.0, BACK)) * (1.0 - smootherstep(share_of(t, TURNS, THERE)))
    return LungeNow(back, ahead, smootherstep(share_of(t, 0.0, BACK)) * home)
