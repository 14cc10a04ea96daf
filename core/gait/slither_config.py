"""How a body without legs makes its way."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

from ..space.settings import setting


@dataclass(frozen=True, slots=True)
class SlitherConfig:
    """The windings and the head of a body without legs. A body with legs has no use for them."""

    wavelength: float = setting(
        0.6,
        "Of a body without legs: how long one winding to both sides is, in lengths of the body. Near 0.3 it wriggles "
        "like an eel, above 1 it is a single lazy bend",
        low=0.2,
        high=3.0,
    )
    winding: float = setting(
        radians(35.0),
        "Of a body without legs: how far it turns off its course to each side at full speed. 0 goes straight like a "
        "caterpillar, near 70 its windings almost touch",
        unit="deg",
        low=0.0,
        high=radians(70.0),
    )
    head_raise: float = setting(
        0.02,
        "Of a body without legs: how high it holds its head over where it would lie, in lengths of the body. 0 drags "
        "its chin, large values rear up like a cobra",
        low=0.0,
        high=0.2,
    )
    head_level: float = setting(
        0.6,
        "Of a body without legs: how level it holds its head on slopes, up to 1. At 0 the head lies as the neck does",
        low=0.0,
        high=1.0,
    )
