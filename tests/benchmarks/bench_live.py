"""What it takes to follow another rig live, 65 bones by 65, Blender's evaluation left out; in milliseconds and in rays.

The same frames are computed several times and the least of each counts: what else the machine does only adds.
"""

from __future__ import annotations

import bpy
from benchmarks.bench_retarget import source_and_target
from support.bench_stage import HandlerClock, a_frame, forget_frames, hills, milliseconds, one_ray

FRAMES = 121
REPEATS = 7


def bench_a_rig_that_follows_live() -> dict[str, float]:
    """A frame that is played first and one that is known, with feet that are held and with free ones."""
    from surefoot.addon.performers import performers
    from surefoot.addon.setup import setup
    from surefoot.core.retarget.one_frame import FrameTransfer, RestFrames
    from surefoot.core.retarget.rest_matching import match_rests
    from surefoot.core.retarget.transfer import scaling_of

    source, target = source_and_target(FRAMES)
    hills()
    setup(target, bpy.context.scene)
    settings, found = target.surefoot, {}
    settings.base, settings.source, settings.preview = "RIG", source, True
    for feet in ("HOLD", "FREE"):
        settings.source_feet = feet
        first, known = [], []
        with HandlerClock() as clock:
            clock.frames(range(1, FRAMES + 1))
            for _ in range(REPEATS):
                forget_frames(target)
                first.append(clock.frames(range(2, FRAMES + 1)))
                known.append(clock.frames(range(2, FRAMES + 1)))
        ray = one_ray(target, FRAMES) / 1000.0
        for what, time in (("played first", a_frame(first, min)), ("known", a_frame(known, min))):
            found[f"{feet}, {what}, ms a frame"] = time
            found[f"{feet}, {what}, rays a frame"] = time / ray
    performer = performers.get(target.session_uid)
    theirs, ours = performer.config.source_rig.rig, performer.reading.rig
    one, rests = FrameTransfer(match_rests(theirs, ours), scaling_of(theirs, ours, 0.0)), RestFrames(ours)
    moved = performer.cache.get(FRAMES // 2).inputs.source.moved
    found["one frame alone to another rig, ms"] = milliseconds(lambda: rests.rotations(one.turned(moved, 0.0)), 200)
    return found
