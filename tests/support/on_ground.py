"""What is measured of a clip carried over a ground, against the same clip over a level floor without a layer."""

from __future__ import annotations

import numpy as np
from mathutils import Vector
from support.carried_clips import Carried
from surefoot.core.measure.slide import point_slide
from surefoot.core.measure.track import POINTS, FootTrack, Point
from surefoot.core.motion.spans import Contacts, inside, runs_of
from surefoot.core.world.world import World

# A sole point of a clip stands while it is within a contact, so low over its floor and so slow; for a 0.9 m leg.
LOW, STILL = 0.012, 0.15
DOWN = Vector((0.0, 0.0, -1.0))


def stands(plain: Carried, foot: FootTrack, contacts: Contacts, point: Point, *, still: bool = False) -> np.ndarray:
    """Whether the clip itself has a sole point on its floor, and still there, (F,)."""
    size = max(1.0, plain.track.scale)
    within = np.zeros(len(plain.track.frames), dtype=bool)
    for span in contacts.of(point) or contacts.foot:
        within |= inside(plain.track.frames, span)
    low = within & (np.abs(foot.clearance(point)) <= LOW * size)
    if not still:
        return low
    speed = np.linalg.norm(np.diff(foot.places(point)[:, :2], axis=0), axis=1) * plain.track.fps
    slower = np.minimum(np.append(speed, np.inf), np.insert(speed, 0, np.inf))
    return low & (slower <= STILL * np.sqrt(size))


def offsets(run: Carried, plain: Carried) -> np.ndarray:
    """How much higher than in the clip standing sole points are over the ground, metres; without those over an edge."""
    found = []
    for foot, own, contacts in zip(run.track.feet, plain.track.feet, run.source.contacts, strict=True):
        for point in POINTS:
            more = foot.clearance(point) - own.clearance(point)
            kept = stands(plain, own, contacts, point) & ~foot.beyond_edge(point) & ~np.isnan(more)
            found.append(more[kept])
    return np.concatenate(found)


def slides(run: Carried, plain: Carried, trim: int = 0) -> np.ndarray:
    """How far each still sole point moves along the ground in each contact, and how far in the clip, (contacts, 2).

    `trim` frames at either end of a contact are left out: to see that a foot is down takes a frame.
    """
    found = []
    for foot, own, contacts in zip(run.track.feet, plain.track.feet, run.source.contacts, strict=True):
        for point in POINTS:
            places, before = _along_ground(run.world, foot, point), own.ground_places(point)
            for first, last in runs_of(stands(plain, own, contacts, point, still=True)):
                part = slice(first + trim, last + 1 - trim)
                if last - first - 2 * trim >= 2:
                    rate = run.track.fps
                    found.append([point_slide(each[part], rate).distance for each in (places, before)])
    return np.array(found).reshape(-1, 2)


def knees(run: Carried) -> np.ndarray:
    """How far each leg's first hinge is bent, degrees, (feet, F)."""
    angles = []
    for foot in run.track.feet:
        upper, lower = np.diff(foot.joints[:, :3], axis=1).transpose(1, 0, 2)
        cosine = (upper * lower).sum(-1) / np.linalg.norm(upper, axis=-1) / np.linalg.norm(lower, axis=-1)
        angles.append(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
    return np.array(angles)


def lower_than_needed(run: Carried, plain: Carried, reserve: float = 0.02) -> np.ndarray:
    """How far the pelvis could go up, with its feet where they are, until a leg is as long as it may be, metres, (F,).

    A leg may be as long as in the clip, or as its length less a reserve; the pelvis goes no higher than in the clip.
    """
    room = np.array([memory.drop + memory.more for memory in run.memories])
    for leg, foot, own in zip(run.source.clip.rig.legs, run.track.feet, plain.track.feet, strict=True):
        hip, tip = foot.joints[:, 0], foot.joints[:, -1]
        longest = np.linalg.norm(own.joints[:, -1] - own.joints[:, 0], axis=1)
        longest = np.maximum(longest, (1.0 - reserve) * sum(leg.lengths))
        away = np.linalg.norm((hip - tip)[:, :2], axis=1)
        highest = np.sqrt(np.maximum(0.0, longest**2 - away**2))
        room = np.minimum(room, np.maximum(0.0, highest - (hip - tip)[:, 2]))
    return room


def _along_ground(world: World, foot: FootTrack, point: Point) -> np.ndarray:
    """A sole point's places taken square onto the ground under it, (F, 3): lifted off a slope it does not slide."""
    places, clearance = np.array(foot.places(point)), foot.clearance(point)
    for n in np.flatnonzero(~np.isnan(clearance) & ~foot.beyond_edge(point)):
        x, y, z = places[n]
        hit = world.cast_ray(Vector((x, y, z + 0.1)), DOWN, 2.1)
        if hit is not None:
            normal = np.array(hit.normal)
            places[n] -= normal * (clearance[n] * normal[2])
    return places
