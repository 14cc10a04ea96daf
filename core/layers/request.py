"""What a state asks of the layers at a frame: states never touch bones, layers never know states; they meet here."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from ..control.intent import LayerInput
from ..space.rigid import Triple


class Contact(NamedTuple):
    """What a limb touches, world space: `limb` is its end's role (`hand.L`, `foot.R`), `place` where palm or ball are,
    `normal` out of what is touched, `along` where fingers or toes point (zeros: as posed), `weight` from 0 to 1.
    """

    limb: str
    place: Triple
    normal: Triple
    weight: float = 1.0
    along: Triple = (0.0, 0.0, 0.0)


class Move(NamedTuple):
    """A move of the whole body: its name, how much of it is done (0 to 1) or where in its round it is, which of its
    kinds (`LEFT`, `HIGH` ...), how high what it goes over is (metres), how fast it goes, what is touched; and how far
    off its feet's way the body is shown (world, metres).
    """

    name: str
    progress: float = 0.0
    variant: str = ""
    height: float = 0.0
    speed: float = 0.0
    contacts: tuple[Contact, ...] = ()
    shift: Triple = (0.0, 0.0, 0.0)


class Request(NamedTuple):
    """`let_go` are the kinds of layers that are suspended: a look comes back to the front, a hand leaves, each in its
    own time. `weights` are (kind, factor): how much of a kind's own weight is left.
    `move` is what the body does where no gait has it.
    """

    let_go: tuple[str, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    move: Move | None = None

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
