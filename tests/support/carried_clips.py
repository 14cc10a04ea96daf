"""A clip carried over a test ground as a character carries it, with layers on top, and what is measured of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import atan2, ceil

import numpy as np
from mathutils import Matrix, Vector
from surefoot.core.character import world_matrix
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Intent, LayerInput, Place
from surefoot.core.control.point import move, stand
from surefoot.core.layers.layer import Moment
from surefoot.core.layers.legs_feet import FootParts, PosedFoot, landing_of
from surefoot.core.measure.sole_ground import sole_ground
from surefoot.core.measure.track import FootTrack, Track
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.clip_feet import Stepping
from surefoot.core.motion.contacts import Soles, find_clip_contacts, find_spot_contacts
from surefoot.core.motion.spans import Contacts, inside
from surefoot.core.motion.travel import closed_loop, rounds, set_going, treadmill
from surefoot.core.rig.edited_pose import EditedPose, Held
from surefoot.core.rig.pose import Footing, Ground, Landing
from surefoot.core.rig.rig import Rig
from surefoot.core.world.solids import Moving, Union
from surefoot.core.world.world import World

SMOOTHED = 0.25  # seconds: the body's way and facing without the sway of single steps
LEAST_LOCATION = 1e-5


@dataclass(frozen=True)
class Carriable:
    """A clip as basis values in a body's frame: places (x, y) and headings a frame, and the clip's contacts."""

    clip: Clip
    places: np.ndarray
    headings: np.ndarray
    poses: list[Held]
    contacts: list[Contacts]


@dataclass(frozen=True)
class Carried:
    """What came out: per frame the ground and the pose, and the world that it went over."""

    source: Carriable
    world: World
    grounds: list[Ground]
    poses: list[EditedPose]
    track: Track
    memories: list


def carriable(clip: Clip, contacts: list[Contacts] | None = None) -> Carriable:
    """A clip that goes anywhere, turned to go along -Y from the origin, its floor at the rig's."""
    rig = clip.rig
    if contacts is None:
        soles = [Soles(clip.heel(leg), clip.ball(leg)) for leg in rig.legs]
        contacts = find_clip_contacts(soles, clip.fps, rig.leg_length)
    clip = _levelled(_from_origin(clip), contacts)
    clip = replace(clip, rig=_with_soles_of(clip, contacts))
    rig = clip.rig
    places = _smooth(clip.body()[:, :2], clip.fps)
    forward = clip.rotation(rig.body) @ np.array([0.0, -1.0, 0.0])
    headings = _smooth(np.unwrap(np.arctan2(forward[:, 0], -forward[:, 1]))[:, None], clip.fps)[:, 0]
    rests = [bone.rest for bone in rig.skeleton.bones]
    poses = []
    for moved, (x, y), heading in zip(clip.moved, places.tolist(), headings.tolist(), strict=True):
        back = (Matrix.Translation((x, y, -rig.floor)) @ Matrix.Rotation(heading, 4, "Z")).inverted()
        pose = EditedPose.rest(rig.skeleton)
        for i, rest in enumerate(rests):
            pose.set_model(i, back @ Matrix(moved[i].tolist()) @ rest)
            if pose.locations[i].length < LEAST_LOCATION:
                pose.set_basis(i, pose.rotations[i])
        poses.append(pose.held())
    return Carriable(clip, places, headings, poses, contacts)


def posed_clip(
    rig: Rig, poses: list[EditedPose], fps: float = 60.0, velocity: tuple[float, float] = (0.0, 0.0)
) -> Carriable:
    """Poses made by hand, in the frame of a body that goes straight at a velocity; nothing planned."""
    count = len(poses)
    places = np.arange(count)[:, None] / fps * np.array(velocity)
    clip = Clip(rig, fps, np.zeros((count, 1, 4, 4)))
    return Carriable(clip, places, np.zeros(count), [pose.held() for pose in poses], [])


def carriable_loop(clip: Clip) -> Carriable:
    """A loop on the spot, several rounds of it, made to go as fast as its low feet go back."""
    loop = closed_loop(clip)
    walked = rounds(loop if loop is not None else clip)
    velocity = treadmill(walked).velocity
    soles = [Soles(walked.heel(leg), walked.ball(leg)) for leg in walked.rig.legs]
    contacts = find_spot_contacts(soles, walked.fps, walked.rig.leg_length, velocity)
    return carriable(set_going(walked, velocity), contacts)


def carry(
    source: Carriable,
    world: World,
    layer: object | None = None,
    *,
    planned: bool = False,
    landings: bool = True,
    wish: LayerInput | None = None,
    airborne: Callable[[int], bool] = lambda _: False,
    start: tuple[float, float] = (0.0, 0.0),
) -> Carried:
    """The clip over a ground, its root's height as a body that follows the ground has it; the layer once a frame."""
    rig, fps = source.clip.rig, source.clip.fps
    ys = [leg.sole.ball.y for leg in rig.legs]
    control = ControlConfig(leg=rig.leg_length, span=max(ys) - min(ys))
    memory = layer.start() if layer is not None else None
    grounds, poses, memories, travel = [], [], [], None
    for n, (held, (x, y), heading) in enumerate(
        zip(source.poses, (source.places + start).tolist(), source.headings.tolist(), strict=True)
    ):
        if isinstance(world, (Moving, Union)):
            world.set_time(n / fps)
        if travel is None:
            travel = stand(Place(x, y, 0.0, heading), control, world)
        else:
            before = travel.place
            velocity = ((x - before.x) * fps, (y - before.y) * fps)
            to = Place(x, y, before.z, heading)
            travel = move(travel, Intent(velocity, heading, carried=to), control, world, 1.0 / fps)
        ground = Ground(x, y, travel.place.z - rig.floor, heading)
        pose = EditedPose(rig.skeleton, list(held[0]), dict(held[1]))
        if layer is not None:
            to_world = world_matrix(ground)
            feet = _feet(source, n, start, landings=landings) if planned else ()
            layer.apply(
                pose,
                memory,
                Moment(
                    1.0 / fps if n else 0.0, ground, to_world, to_world.inverted(), world, travel.velocity, 0.0,
                    airborne(n), feet,
                ),
                wish or LayerInput(),
            )  # fmt: skip
            memories.append(memory.copy())
        grounds.append(ground)
        poses.append(pose)
    return Carried(source, world, grounds, poses, _track(source, world, grounds, poses), memories)


def _feet(source: Carriable, n: int, start: tuple[float, float], *, landings: bool) -> tuple[Footing, ...]:
    """The planned contacts of a frame, and with `landings` those to come."""
    feet = []
    for k, (leg, contacts) in enumerate(zip(source.clip.rig.legs, source.contacts, strict=True)):
        heel, ball = (
            any(inside(np.array([float(n)]), span)[0] for span in contacts.of(point) or contacts.foot)
            for point in ("heel", "ball")
        )
        place = (0.0, 0.0, 0.0)
        landing = _landing(source, k, n, start) if landings and not (heel or ball) else None
        feet.append(Footing(leg.role, heel or ball, 0.0, 0.0, place, (0.0, 0.0, 1.0), heel, ball, landing))
    return tuple(feet)


def _landing(source: Carriable, k: int, n: int, start: tuple[float, float]) -> Landing | None:
    """Where a foot that is up at a frame comes down next in the clip."""
    found, rig = Stepping(source.contacts[k]).landing(n), source.clip.rig
    if found is None or ceil(found[1]) >= len(source.poses):
        return None

    def seen(frame: int) -> tuple[PosedFoot, Matrix]:
        held = source.poses[frame]
        pose = EditedPose(rig.skeleton, list(held[0]), dict(held[1]))
        x, y = (source.places[frame] + start).tolist()
        ground = Ground(x, y, 0.0, float(source.headings[frame]))
        return PosedFoot.read(pose, FootParts.of(rig, rig.legs[k])), world_matrix(ground)

    touches, lies, leaves = ceil(found[0]), ceil(found[1]), int(found[2])
    return landing_of((touches - n) / source.clip.fps, seen(touches), seen(lies), seen(leaves))


def _track(source: Carriable, world: World, grounds: list[Ground], poses: list[EditedPose]) -> Track:
    rig = source.clip.rig
    matrices = [world_matrix(ground) for ground in grounds]
    feet = []
    for leg in rig.legs:
        heel, ball = (
            np.array([matrix @ (pose.moved(bone) @ point) for matrix, pose in zip(matrices, poses, strict=True)])
            for bone, point in ((leg.sole.heel_bone, leg.sole.heel), (leg.sole.ball_bone, leg.sole.ball))
        )
        under = np.array([sole_ground(world, a, b) for a, b in zip(heel, ball, strict=True)])
        chain = [
            [matrix @ pose.head(i) for i in leg.bones] + [matrix @ (pose.moved(leg.bones[-1]) @ leg.chain[-1])]
            for matrix, pose in zip(matrices, poses, strict=True)
        ]
        feet.append(FootTrack(leg.role, heel, ball, under[:, 0], under[:, 1], np.array(chain)))
    body = np.array([matrix @ pose.head(rig.body) for matrix, pose in zip(matrices, poses, strict=True)])
    heading = np.unwrap([ground.heading for ground in grounds])
    return Track(source.clip.fps, np.arange(len(poses), dtype=float), tuple(feet), body, heading, rig.leg_length)


def _levelled(clip: Clip, contacts: list[Contacts]) -> Clip:
    """The clip with its floor at 0 all the way: captured floors drift by centimetres over one walk.

    The floor is the line along the travel through the lower ends of all soles that are down.
    """
    frames = np.arange(len(clip), dtype=float)
    ways, heights = [], []
    for leg, contact in zip(clip.rig.legs, contacts, strict=True):
        low = np.minimum(clip.heel(leg)[:, 2], clip.ball(leg)[:, 2])
        for span in contact.foot:
            ways.append(float(np.median(clip.ball(leg)[inside(frames, span), 1])))
            heights.append(float(np.median(low[inside(frames, span)])))
    if not heights:
        floor = np.full(len(clip), clip.rig.floor)
    else:
        apart = np.ptp(ways) > clip.rig.leg_length
        line = np.polyfit(ways, heights, 1) if apart else [0.0, float(np.median(heights))]
        floor = np.polyval(line, clip.body()[:, 1])
    moved = clip.moved.copy()
    moved[:, :, 2, 3] -= floor[:, None]
    return replace(clip, moved=moved)


def _with_soles_of(clip: Clip, contacts: list[Contacts]) -> Rig:
    """The rig with its soles as the clip uses them: heel and ball are where they stand on its floor, in the middle."""
    frames = np.arange(len(clip), dtype=float)
    legs = []
    for leg, contact in zip(clip.rig.legs, contacts, strict=True):
        sole, ends = leg.sole, {}
        for point, places, bone in (("heel", clip.heel(leg), sole.heel_bone), ("ball", clip.ball(leg), sole.ball_bone)):
            down = np.zeros(len(clip), dtype=bool)
            for span in contact.of(point) or contact.foot:
                down |= inside(frames, span)
            moves = np.linalg.norm(np.gradient(places, axis=0), axis=-1) * clip.fps
            still = down & (moves <= np.median(moves[down])) if down.any() else down
            if not still.any():
                continue
            lift = float(np.median(places[still, 2]))
            turns = clip.rotation(bone)[still]
            way = np.median(np.swapaxes(turns, -1, -2) @ np.array([0.0, 0.0, lift]), axis=0)
            ends[point] = getattr(sole, point) - Vector(way.tolist())
        legs.append(replace(leg, sole=replace(sole, **ends)))
    return replace(clip.rig, legs=tuple(legs))


def _from_origin(clip: Clip) -> Clip:
    body = clip.body()
    way = body[-1] - body[0]
    if np.hypot(way[0], way[1]) < clip.rig.leg_length:
        forward = clip.rotation(clip.rig.body)[0] @ np.array([0.0, -1.0, 0.0])
        way = forward
    turn = Matrix.Rotation(-atan2(way[0], -way[1]), 4, "Z")
    to = np.array(turn @ Matrix.Translation((-body[0, 0], -body[0, 1], 0.0)))
    return replace(clip, moved=to @ clip.moved)


def _smooth(values: np.ndarray, fps: float) -> np.ndarray:
    """Each column without what is quicker than `SMOOTHED`, its ends led on straight."""
    sigma = SMOOTHED * fps
    half = int(3.0 * sigma)
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / sigma) ** 2)
    weights /= weights.sum()
    count = len(values)
    led = min(half, count - 1)
    slopes = [(values[led] - values[0]) / led, (values[-1] - values[-1 - led]) / led]
    before = values[0] + np.arange(-half, 0)[:, None] * slopes[0]
    after = values[-1] + np.arange(1, half + 1)[:, None] * slopes[1]
    padded = np.concatenate([before, values, after])
    return np.stack([np.convolve(column, weights, "valid") for column in padded.T], axis=1)
