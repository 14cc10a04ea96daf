"""The entry: a clip of one rig becomes a clip of another, with a list of what was matched and what was not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..motion.clip import Clip
from ..motion.clip_pose import ClipPoses, clip_poses
from ..motion.spans import Contacts
from ..rig.rig import Leg, Rig
from .body_along import stay_over_feet
from .body_height import stand_on_feet
from .by_hand import with_pairs
from .channels import Channels, channels_of
from .clean_feet import FeetPass, FeetReport, Leader, feet_report, floor_of, hold_feet, lead_feet
from .config import RetargetConfig
from .feet_config import CleanFeetConfig
from .grounded import grounded
from .held_contacts import NO_CONTACTS
from .mapping import SavedMapping
from .parts import mover_of
from .report import RetargetReport, larger_bones, problems_of, refuse_unusable
from .rest_matching import Matching, Reference, match_poses, match_rests
from .toes import flat_toes
from .transfer import Scaling, scaling_of, transfer

# Feet that had to be led by more than so much (shares of the leg length), as those of other proportions, are held
# unless they stand still to so much, metres for a 0.9 m leg. Others are the source's own.
LED, NEAR = 1e-4, 0.001


@dataclass(frozen=True)
class Retargeted:
    """A clip on its target rig, frame for frame the source's, and the report. `driven` are the bones that follow."""

    clip: Clip
    driven: tuple[int, ...]
    report: RetargetReport

    @cached_property
    def channels(self) -> Channels:
        """What an Action holds: rotations and locations relative to rest, of a model space at the world's origin."""
        return channels_of(self.clip, self.driven)

    @cached_property
    def poses(self) -> ClipPoses:
        """What a character plays: poses over a track of their own. A loop gets its last frame where it has none."""
        return clip_poses(self.clip, held=self.driven)


def retarget_clip(
    source: Clip,
    target: Rig,
    options: RetargetConfig | None = None,
    reference: Reference | None = None,
    mapping: SavedMapping | None = None,
) -> Retargeted:
    """A source's clip on a target rig. Neither rig is changed; frames and rate are the source's.

    reference: poses of both that are alike; with it neither rest pose is asked for what it looks like. mapping: whose
    pairs are laid over what is matched by roles; its roles are of the two rigs and must be in them already.
    Raises RetargetError for a source that has nothing to move.
    """
    refuse_unusable(source)
    options = options or RetargetConfig()
    matching = match_rests(source.rig, target, options.rests)
    if mapping is not None:
        bones = [[bone.name for bone in rig.skeleton.bones] for rig in (target, source.rig)]
        matching = with_pairs(matching, mapping.pairs_on(*bones), options.rests)
    if reference is not None:
        matching = match_poses(matching, reference)
    ground = grounded(source)
    source, contacts = ground.clip, ground.contacts
    floor = floor_of(source, contacts)
    scaling = scaling_of(source.rig, target, floor, options.rests, kept=options.travel == "KEPT")
    clip = transfer(source, matching, scaling)
    report = None
    if options.feet != "FREE" and contacts and target.legs:
        flat_toes(clip, _bare_feet(matching, source, contacts), options.hold.ramp)
        leaders = [_leader(source, contacts, clip, leg, scaling) for leg in target.legs]
        led = [(leg, each) for leg, each in zip(target.legs, leaders, strict=True) if each]
        stay_over_feet(clip, led, scaling.ground, steps=options.travel == "SCALED")
        stand_on_feet(clip, [(leg, each.heights, each.contacts) for leg, each in led], scaling.ground)
        passes = [lead_feet(clip, leaders, options.hold.ramp)]
        known = [NO_CONTACTS if leader is None else leader.contacts for leader in leaders]
        if options.feet == "HOLD" and ground.even:
            passes += _held(clip, passes[0], known, scaling.ratio, options.hold)
        report = feet_report(clip, passes, known)
    clip = ground.own(clip, scaling.travel)
    driven = _driven(matching, feet=report is not None)
    told = _report(matching, contacts, scaling, report, plants=options.feet != "FREE")
    return Retargeted(clip, driven, replace(told, mapping=mapping.name if mapping is not None else ""))


def _driven(matching: Matching, *, feet: bool) -> tuple[int, ...]:
    """The bones that leave their rest under their parents: what follows, the body, toes that stay down while the foot
    rolls, and what stays with its parent although it does not inherit its turn.
    """
    target = matching.target
    found = {*matching.follows, max(target.body, 0), mover_of(target)}
    if feet:
        found |= {i for leg in target.legs for i in (*leg.bones, leg.foot, *leg.toes) if i >= 0}
    bones = target.skeleton.bones
    found |= {i for i, bone in enumerate(bones) if bone.parent >= 0 and not bone.inherit_rotation}
    return tuple(sorted(found))


def _held(
    clip: Clip, led: FeetPass, contacts: Sequence[Contacts], ratio: float, config: CleanFeetConfig
) -> list[FeetPass]:
    """Hold feet that were led, in place. On a body like the source's what stands does so by the source's limits; on
    another one by those of either, since a clean-up afterwards goes by the target's own.
    """
    if _moved(clip, led):
        return hold_feet(clip, config, contacts, min(1.0, 1.0 / ratio), NEAR)
    return hold_feet(clip, config, contacts, 1.0 / ratio)


def _moved(clip: Clip, led: FeetPass) -> bool:
    """Whether feet are elsewhere, once they were led, than where their joints' directions put them."""
    pairs = [
        (places, now)
        for leg, foot in zip(clip.rig.legs, led.feet, strict=True)
        for (places, _, _), now in zip(foot, (clip.heel(leg), clip.ball(leg)), strict=True)
    ]
    return any(float(np.abs(places - now).max()) > LED * clip.rig.leg_length for places, now in pairs)


def _bare_feet(matching: Matching, source: Clip, contacts: Sequence[Contacts]) -> list[tuple[Leg, Contacts]]:
    """The target's feet whose toes nothing leads, with the contacts of the source's foot."""
    known = {leg.role: each for leg, each in zip(source.rig.legs, contacts, strict=True)}
    legs = [leg for leg in matching.target.legs if leg.toes and leg.toes[0] not in matching.follows]
    return [(leg, known[leg.role]) for leg in legs if leg.role in known]


def _leader(source: Clip, contacts: Sequence[Contacts], clip: Clip, ours: Leg, scaling: Scaling) -> Leader | None:
    """The source's foot of the same role. Its height over the floor is scaled; at rest both stand on it.

    An end that is up while the other is lower, as of who lies or stands on his heel, is over it by the same pitch on a
    foot that is shorter for its leg.
    """
    k = next((k for k, leg in enumerate(source.rig.legs) if leg.role == ours.role), -1)
    if k < 0:
        return None
    leg = source.rig.legs[k]
    points = (source.heel(leg), source.ball(leg))
    length, our_length = (float((each.sole.ball - each.sole.heel).length) for each in (leg, ours))
    share = min(scaling.ratio, our_length / length) if length > 0.0 else scaling.ratio
    over = [
        places[:, 2] - (rest.z - source.rig.floor) - scaling.floor
        for places, rest in zip(points, (leg.sole.heel, leg.sole.ball), strict=True)
    ]
    low = np.minimum(*over)
    heel, ball = (
        scaling.ground + scaling.ratio * low + share * (each - low) + (rest.z - clip.rig.floor)
        for each, rest in zip(over, (ours.sole.heel, ours.sole.ball), strict=True)
    )
    return Leader(points, scaling.travel, (heel, ball), contacts[k])


def _report(
    matching: Matching, contacts: Sequence[Contacts], scaling: Scaling, feet: FeetReport | None, *, plants: bool
) -> RetargetReport:
    bones = larger_bones(matching.target)
    return RetargetReport(
        tuple(matching.matched),
        tuple(matching.stayed),
        matching.unused,
        (sum(i in matching.follows for i in bones), len(bones)),
        scaling.ratio,
        scaling.travel,
        scaling.ground,
        feet,
        problems_of(matching, contacts, plants=plants),
    )
