"""The curves of bones on their mirror images: key by key where only signs change, else sampled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import bpy
import numpy as np

from ..core.motion.mirror_channels import mirrored_places, mirrored_turns, signs_of
from ..core.space.quaternions import continuous, unit
from .action_curves import channel_of, turn_name
from .action_edit import Edit, key_times, turn_numbers, write_values
from .curve_keys import CurveKeys, put_keys, read_keys
from .pose_channels import REST, Channel, Slot, location_slot, rotation_slot, scale_slot
from .retime import TRANSFORMS, slot_named, transform_groups, turns_of, whole_values


class Pair(NamedTuple):
    """A bone, its mirror image, and what takes turns and places from one to the other, (3, 3) each."""

    source: str
    target: str
    turns: np.ndarray
    places: np.ndarray


@dataclass(frozen=True)
class Phase:
    """Half a round later: times (F,) of a loop from `first` to `last`, and what is shown at them."""

    times: np.ndarray
    first: float
    last: float

    @property
    def sources(self) -> np.ndarray:
        """The moments that are shown, (F,)."""
        later = self.times + 0.5 * (self.last - self.first)
        return np.where(later > self.last, later - (self.last - self.first), later)

    @property
    def rounds(self) -> np.ndarray:
        """How many rounds of travel are added, (F,), so that all begins half a round back: where it began."""
        later = self.times + 0.5 * (self.last - self.first)
        return np.where(later > self.last, 0.5, -0.5)


@dataclass
class Mirrored:
    """What came of it: how many curves had to be sampled, and the bones whose locked channels were left out."""

    sampled: int = 0
    locked: dict[str, None] = field(default_factory=dict)


class _Fresh(NamedTuple):
    """A curve to be made: its channel, its keys or its samples, and what the curve it comes from was like."""

    channel: Channel
    keys: CurveKeys | None
    times: np.ndarray
    values: np.ndarray
    muted: bool
    extrapolation: str


def mirror_curves(edit: Edit, pairs: Mapping[str, Pair], times: np.ndarray, phase: Phase | None) -> Mirrored:
    """All curves of the paired bones, each onto the other's."""
    result = Mirrored()
    fresh: list[_Fresh] = []
    gone: list[tuple[str, int]] = []
    moved: list[tuple[str, str, int]] = []
    for (bone, name), curves in transform_groups(edit).items():
        if bone not in pairs or (name.startswith("rotation") and name != _turn_name(edit, bone)):
            continue
        gone += [(curve.data_path, curve.array_index) for curve in curves.values()]
        moved += [(bone, name, index) for index in curves]
        fresh += _Mirror(edit, pairs[bone], name, curves, result).curves(times, phase)
    for curve in edit.bag.fcurves:
        bone, name = channel_of(curve)
        if bone in pairs and name not in TRANSFORMS and pairs[bone].target != bone and len(curve.keyframe_points):
            renamed = _renamed(edit, pairs[bone], curve)
            if renamed is not None:
                fresh.append(renamed)
                gone.append((curve.data_path, curve.array_index))
    fresh += _at_rest(edit, moved, {(item.channel.data_path, item.channel.index) for item in fresh}, float(times[0]))
    for path, index in gone:
        edit.bag.fcurves.remove(edit.bag.fcurves.find(path, index=index))
    for item in fresh:
        _make(edit, item)
    return result


def _at_rest(edit: Edit, moved: list[tuple[str, str, int]], made: set[tuple[str, int]], time: float) -> list[_Fresh]:
    """One key at rest for what moved, and whose image did not: without a curve it would stay as it was last shown."""
    found = []
    for bone, name, index in moved:
        path = slot_named(edit.obj, bone, name).data_path
        if (path, index) not in made:
            values = np.array([REST[name][index]])
            found.append(_Fresh(Channel(path, index, bone), None, np.array([time]), values, False, "CONSTANT"))
    return found


def _turn_name(edit: Edit, bone: str) -> str:
    return turn_name(edit.obj.pose.bones[bone].rotation_mode)


class _Mirror:
    """One property of one bone, on its image."""

    def __init__(self, edit: Edit, pair: Pair, name: str, curves: dict[int, Any], result: Mirrored) -> None:
        self._edit, self._pair, self._curves, self._result = edit, pair, curves, result
        self._source = slot_named(edit.obj, pair.source, name)
        posed = edit.obj.pose.bones[pair.target]
        makers = {"location": location_slot, "scale": scale_slot}
        self._target: Slot = makers.get(name, rotation_slot)(posed, pair.target)
        if not all(self._target.kept):
            result.locked[pair.target] = None

    def curves(self, times: np.ndarray, phase: Phase | None) -> list[_Fresh]:
        """The image's curves."""
        factors = self._factors()
        if factors is not None and phase is None and not any(curve.modifiers for curve in self._curves.values()):
            return [
                self._fresh(index, curve, read_keys(curve).times(factors[index]))
                for index, curve in self._curves.items()
                if self._target.kept[index]
            ]
        self._result.sampled += len(self._curves)
        if phase is None:
            keyed = np.concatenate([times, *(key_times(curve) for curve in self._curves.values())])
            times = np.unique(keyed.round(3))
            rows = self._mirrored(whole_values(self._source, self._curves, times))
        else:
            times, rows = phase.times, whole_values(self._source, self._curves, phase.sources)
            if self._source.name == "location":
                ends = whole_values(self._source, self._curves, np.array([phase.first, phase.last]))
                rows = rows + np.multiply.outer(phase.rounds, ends[1] - ends[0])
            rows = self._mirrored(rows)
        first = next(iter(self._curves.values()))
        wanted = [i for i, kept in enumerate(self._target.kept) if kept]
        if not self._source.name.startswith("rotation"):
            rest = np.array(REST[self._source.name])
            off = np.abs(rows - rest).max(axis=0)
            wanted = [i for i in wanted if i in self._curves or off[i] > 0.0]
        return [self._fresh(index, first, None, times, rows[:, index]) for index in wanted]

    def _factors(self) -> tuple[float, ...] | None:
        """What each component is multiplied by, where that is all there is to it."""
        if (self._source.name, self._source.order if "euler" in self._source.name else "") != (
            self._target.name,
            self._target.order if "euler" in self._target.name else "",
        ):
            return None
        signs = signs_of(self._pair.places if self._source.name == "location" else self._pair.turns)
        if signs is None:
            return None
        x, y, z = signs
        about = (-x, -y, -z)
        known = {"location": signs, "scale": (1.0, 1.0, 1.0), "rotation_euler": about}
        return known.get(self._source.name, (1.0, *about))

    def _mirrored(self, rows: np.ndarray) -> np.ndarray:
        """The image's numbers (F, width)."""
        if self._source.name == "location":
            return mirrored_places(rows, self._pair.places)
        if self._source.name == "scale":
            return rows @ np.abs(self._pair.turns.T) if signs_of(self._pair.turns) is None else rows
        turns = continuous(mirrored_turns(unit(turns_of(self._source, rows)), self._pair.turns))
        return turn_numbers(self._target, turns, REST[self._target.name])

    def _fresh(
        self,
        index: int,
        curve: Any,
        keys: CurveKeys | None,
        times: np.ndarray | None = None,
        values: np.ndarray | None = None,
    ) -> _Fresh:
        none = np.empty(0)
        group = self._pair.target
        if curve.group is not None and curve.group.name != self._pair.source:
            group = curve.group.name
        channel = Channel(self._target.data_path, index, group)
        return _Fresh(
            channel,
            keys,
            none if times is None else times,
            none if values is None else values,
            curve.mute,
            curve.extrapolation,
        )


def _renamed(edit: Edit, pair: Pair, curve: Any) -> _Fresh | None:
    """A curve of another property of a bone on the image's, where that has it too: switches, influences."""
    escape = bpy.utils.escape_identifier
    old, new = (f'pose.bones["{escape(name)}"]' for name in (pair.source, pair.target))
    path = new + curve.data_path[len(old) :]
    try:
        edit.obj.path_resolve(path)
    except ValueError:
        return None
    group = "" if curve.group is None else curve.group.name
    channel = Channel(path, curve.array_index, pair.target if group == pair.source else group)
    return _Fresh(channel, read_keys(curve), np.empty(0), np.empty(0), curve.mute, curve.extrapolation)


def _make(edit: Edit, item: _Fresh) -> None:
    bag, channel = edit.bag, item.channel
    if item.keys is None:
        write_values(bag, channel, item.times, item.values)
        curve = bag.fcurves.find(channel.data_path, index=channel.index)
    else:
        curve = bag.fcurves.new(channel.data_path, index=channel.index)
        if channel.group:
            curve.group = bag.groups.get(channel.group) or bag.groups.new(channel.group)
        put_keys(curve, item.keys)
    curve.mute, curve.extrapolation = item.muted, item.extrapolation
