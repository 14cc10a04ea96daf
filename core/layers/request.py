"""What a state asks of the layers at a frame: states never touch bones, layers never know states; they meet here."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from ..control.intent import LayerInput


class Request(NamedTuple):
    """`let_go` are the kinds of layers that are suspended: a look comes back to the front, a hand leaves, each in its
    own time. `weights` are (kind, factor): how much of a kind's own weight is left.
    """

    let_go: tuple[str, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()

    def of(self, kind: str, wish: LayerInput) -> LayerInput:
        """What is left of a layer's wish."""
        factor = next((value for name, value in self.weights if name == kind), 1.0)
        return wish._replace(weight=wish.weight * factor, on=wish.on and kind not in self.let_go)


NOTHING_ASKED = Request()


def wish_at(wishes: Sequence[LayerInput], place: int) -> LayerInput:
    """The wish of the layer at a place; one that nobody told anything works in full."""
    return _sound(wishes[place]) if place < len(wishes) else LayerInput()


def _sound(wish: LayerInput) -> LayerInput:
    """A wish without numbers that are none, as a broken driver may make them: they must not get into a pose."""
    spot = wish.spot
    if spot is not None and not all(map(isfinite, (*spot[:3], *spot.turn))):
        wish = wish._replace(spot=None)
    if isfinite(wish.weight) and isfinite(wish.progress):
        return wish
    weight = wish.weight if isfinite(wish.weight) else 0.0
    return wish._replace(weight=weight, progress=wish.progress if isfinite(wish.progress) else 0.0)
