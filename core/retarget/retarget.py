"""The entry: a clip of one rig becomes a clip of another, with a list of what was matched and what was not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..motion.clip import Clip
from ..motion.clip_pose import ClipPoses, clip_poses
from ..motion.spans import Contacts
from ..rig.rig import Leg, Rig
from .channels import Channels, channels_of
from .clean_feet import FeetReport, Heights, clean_feet, contacts_of, floor_of
from .config import RetargetConfig
from .rest_matching import Matched, Matching, Stayed, match_rests
from .transfer import Scaling, scaling_of, transfer


@dataclass(frozen=True)
class RetargetReport:
    """What was done: bones matched, bones that stayed at rest and why, source bones that lead nothing.

    ratio: how the target's legs compare with the source's. floor: the height (world, metres) that the source stands on.
    feet: what the clean-up did; None where it was off or there was nothing to do it with.
    """

    matched: tuple[Matched, ...]
    stayed: tuple[Stayed, ...]
    unused: tuple[str, ...]
    ratio: float
    floor: float
    feet: FeetReport | None


@dataclass(frozen=True)
class Retargeted:
    """A clip on its target rig, frame for frame the source's, and the report. `driven` are the bones that follow."""

    clip: Clip
    driven: tuple[int, ...]
    report: RetargetReport

    @cached_property
    def channels(self) -> Channels:
        """What an Action holds: rotations and locations relative to rest, of a model space at the world's origin."""
        return channels_of(self.clip)

    @cached_property
    def poses(self) -> ClipPoses:
        """What a character plays: poses over a track of their own. A loop gets its last frame where it has none."""
        return clip_poses(self.clip, held=self.driven)


def retarget_clip(source: Clip, target: Rig, options: RetargetConfig | None = None) -> Retargeted:
    """A source's clip on a target rig. Neither rig is changed; frames and rate are the source's."""
    options = options or RetargetConfig()
    matching = match_rests(source.rig, target, options.rests)
    contacts = contacts_of(source)
    floor = floor_of(source, contacts)
    scaling = scaling_of(source.rig, target, floor, kept=options.travel == "KEPT")
    clip = transfer(source, matching, scaling)
    feet = None
    legs = _legs_of(source.rig, target)
    if options.plant and contacts and legs:
        planned = [contacts[theirs] if theirs >= 0 else NO_CONTACTS for theirs in legs]
        heights = [
            _heights(source, clip, theirs, ours, scaling) for ours, theirs in zip(target.legs, legs, strict=True)
        ]
        clip, feet = clean_feet(clip, options.feet, planned, heights, carried=True)
    return Retargeted(clip, tuple(sorted(matching.follows)), _report(matching, scaling, feet))


NO_CONTACTS = Contacts((), (), ())


def _legs_of(source: Rig, target: Rig) -> list[int]:
    """For each leg of the target the source's leg of its role, -1 for none."""
    roles = [leg.role for leg in source.legs]
    return [roles.index(leg.role) if leg.role in roles else -1 for leg in target.legs]


def _heights(source: Clip, clip: Clip, theirs: int, ours: Leg, scaling: Scaling) -> Heights:
    """How high heel and ball are meant to be: as high over the floor as the source's, scaled; at rest both stand."""
    if theirs < 0:
        return clip.heel(ours)[:, 2], clip.ball(ours)[:, 2]
    leg = source.rig.legs[theirs]
    pairs = (
        (source.heel(leg), leg.sole.heel, ours.sole.heel),
        (source.ball(leg), leg.sole.ball, ours.sole.ball),
    )
    heel, ball = (
        scaling.floor
        + scaling.ratio * (places[:, 2] - (float(their.z) - source.rig.floor) - scaling.floor)
        + (float(our.z) - clip.rig.floor)
        for places, their, our in pairs
    )
    return heel, ball


def _report(matching: Matching, scaling: Scaling, feet: FeetReport | None) -> RetargetReport:
    return RetargetReport(
        tuple(matching.matched), tuple(matching.stayed), matching.unused, scaling.ratio, scaling.floor, feet
    )
