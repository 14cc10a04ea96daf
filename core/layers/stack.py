"""The stack: all layers of a character in their order, each with its weight and its mask, over one pose a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..control.intent import LayerInput
from ..rig.edited_pose import EditedPose
from ..rig.rig import Problem, Rig
from .layer import STAGES, Layer, LayerKind, LayerSettings, Moment, Narrowed, Replacing
from .masks import blend, read_mask
from .registry import LAYERS
from .request import NOTHING_ASKED, Request, wish_at


@dataclass(frozen=True)
class _Entry:
    """One layer with what the stack does around it. `place` is where its settings stand in the user's list.

    `bones` are those that it drives and its mask lets it have, `others` those that it drives and must give back.
    """

    place: int
    kind: LayerKind
    layer: Layer
    bones: tuple[int, ...]
    others: tuple[int, ...]


class Stack:
    """The layers of one character. Immutable; what changes is in the list of memories that `start` makes."""

    def __init__(self, rig: Rig, configs: Sequence[LayerSettings]) -> None:
        entries, problems = [], []
        for place, config in enumerate(configs):
            kind = LAYERS[config.kind]
            layer = kind.make(rig, config.settings)
            mask, wrong = read_mask(rig, config.mask)
            if mask is not None and isinstance(layer, Narrowed):
                layer = layer.within(mask)
            driven = {*layer.driven()[0], *layer.driven()[1]}
            own = driven if mask is None else driven & mask
            entries.append(_Entry(place, kind, layer, tuple(sorted(own)), tuple(sorted(driven - own))))
            problems += [*wrong, *layer.problems]
            if driven and not own and not wrong:
                reason = f"The mask {config.mask!r} leaves a {kind.title} layer none of the bones that it moves."
                problems.append(Problem("", reason, "Empty the mask, or name bones of its own."))
        self.count = len(configs)
        self._legs = frozenset(i for leg in rig.legs for i in leg.bones)
        # By stage, within one as the user has them.
        self._entries = sorted(entries, key=lambda entry: (STAGES.index(entry.kind.stage), entry.place))
        self.problems: tuple[Problem, ...] = tuple(problems)

    def __len__(self) -> int:
        return len(self._entries)

    def driven(self) -> tuple[set[int], set[int]]:
        """The bones whose rotation, and those whose location, any layer may set."""
        rotated: set[int] = set()
        located: set[int] = set()
        for entry in self._entries:
            turned, moved = entry.layer.driven()
            rotated.update(set(turned).intersection(entry.bones))
            located.update(set(moved).intersection(entry.bones))
        return rotated | located, located

    def start(self) -> list[Any]:
        """One memory a layer, in the order of the settings."""
        memories: list[Any] = [None] * self.count
        for entry in self._entries:
            memories[entry.place] = entry.layer.start()
        return memories

    def apply(
        self,
        pose: EditedPose,
        memories: list[Any],
        moment: Moment,
        wishes: Sequence[LayerInput],
        request: Request = NOTHING_ASKED,
    ) -> None:
        """Lay all layers on a pose, each on what those before it left.

        A layer of weight 0 changes nothing, to the bit, and forgets: it begins anew when its weight comes back. Feet
        that the base motion has put on the ground are left to it, but for as much as a clip has the legs instead.
        """
        own = 0.0
        for entry in self._entries:
            wish = request.of(entry.kind.kind, wish_at(wishes, entry.place))
            if wish.weight <= 0.0 or not entry.bones:
                memories[entry.place] = entry.layer.start()
                continue
            held, memory = pose.held(), memories[entry.place]
            stepping = entry.kind.stage == "LEGS" and moment.placed and own > 0.0
            entry.layer.apply(pose, memory, replace(moment, placed=False, feet=()) if stepping else moment, wish)
            pose.take(held, entry.others)
            weight = wish.weight * own if stepping else wish.weight
            if not entry.kind.weighs:
                blend(pose, held, entry.bones, weight)
            if isinstance(entry.layer, Replacing) and self._legs and self._legs.issubset(entry.bones):
                own += (1.0 - own) * wish.weight * entry.layer.replaced(memory)

    def reasons(self, memories: Sequence[Any]) -> list[str]:
        """What layers could not do at this frame: one sentence each, in the order of the settings."""
        return [memory.reason for memory in memories if memory is not None and memory.reason]


def copied(memories: Sequence[Any]) -> list[Any]:
    """Independent copies of all memories."""
    return [None if memory is None else memory.copy() for memory in memories]
