"""What each kind of layer adds to a frame of ours, in rays; and what all of them together do."""

from __future__ import annotations

from support.bench_stage import FRAMES, HandlerClock, forget_frames, hills, one_ray, walker, without_skins

REPEATS = 7
CAST = ("person", "dog")


def bench_layers() -> dict[str, float]:
    """A frame computed at once with no layer, with each kind alone, and with all that need no Action."""
    import bpy
    from surefoot.addon.layers import layer_add, layer_remove
    from surefoot.core.layers.registry import LAYERS

    found: dict[str, float] = {}
    kinds = [kind for kind, entry in LAYERS.items() if "clip" not in entry.uses]
    for who in CAST:
        for obj in list(bpy.data.objects):
            bpy.data.objects.remove(obj)
        hills()
        rig = walker(who)
        without_skins()
        ball = bpy.data.objects.new("Ball", None)
        bpy.context.scene.collection.objects.link(ball)
        for frame in (1, FRAMES):
            ball.location = (0.8, -1.0 * frame / 24.0 - 0.5, 1.0)
            ball.keyframe_insert("location", frame=frame)
        ray = one_ray(rig) / 1000.0
        plain = a_frame_of(rig)
        found[f"{who}, no layer, rays a frame"] = plain / ray
        for kind in kinds:
            layer_add(rig, kind, target=ball)
            found[f"{who}, {kind}, rays more"] = (a_frame_of(rig) - plain) / ray
            layer_remove(rig, 0)
        for kind in kinds:
            layer_add(rig, kind, target=ball)
        found[f"{who}, all of them, rays more"] = (a_frame_of(rig) - plain) / ray
    return found


def a_frame_of(rig: object) -> float:
    """Milliseconds that one of many frames takes in our handlers, computed at once: the least of some runs."""
    times = []
    with HandlerClock() as clock:
        for _ in range(REPEATS):
            forget_frames(rig)
            times.append(clock.frames([FRAMES])[0] / (FRAMES - 1))
    return min(times)
