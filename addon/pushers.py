"""Bodies of our own in the user's rigid body world, one for each character that pushes: what its props collide with.

Physics goes from frame to frame, from its start on, and nobody may move a body while it does without its cache telling
old positions. So a pusher is put in place before each frame, and where frames were skipped physics is walked again
from its start. Where each one stood at a frame is part of what is known of the character there.

A baked simulation is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from bpy.types import Collection, Mesh, Object, Scene
from mathutils import Vector

from .changes import Walk, hints
from .members import Member
from .refusal import layer_of
from .scene_units import metres_per_unit
from .texts import text

COLLECTION = "Surefoot Pushers"
LIFT = 0.05
"""So much of its height a pusher ends over the feet, so that it pushes nothing that is stood on."""


FAR = Vector((0.0, 0.0, -1e4))


class Stepped:
    """How far physics of each scene has gone with the pushers in place, by the scene's identity."""

    frames: dict[int, int]
    expected: tuple[int, int] | None = None


Stepped.frames = {}


def pushes(member: Member) -> bool:
    """True for a character that pushes rigid bodies."""
    return member.performer.character.pushes and member.obj.surefoot.preview


def is_live(scene: Scene) -> bool:
    """True where there are rigid bodies that are simulated now, not played from a bake."""
    world = scene.rigidbody_world
    return world is not None and world.enabled and world.collection is not None and not world.point_cache.is_baked


def ensure(scene: Scene, cast: Sequence[Member]) -> None:
    """Make what is missing, where data may be made; take away what nobody needs."""
    taken: set[int] = set()
    for member in cast:
        obj = member.obj
        pusher = obj.surefoot.pusher
        if not pushes(member):
            remove(obj)
        elif not is_live(scene):
            taken |= set() if pusher is None else {pusher.session_uid}
        elif pusher is None or pusher.session_uid in taken or pusher.rigid_body is None:
            taken.add(_make(scene, member).session_uid)
        else:
            taken.add(pusher.session_uid)
    home = next((item for item in scene.collection.children if item.name.startswith(COLLECTION)), None)
    if home is not None and len(home.objects) > len(taken):
        # Whoever they pushed for was deleted.
        kept = {obj.surefoot.pusher for obj in bpy.data.objects}
        for pusher in [item for item in home.objects if item not in kept]:
            _delete(pusher)


def lacking_bodies(obj: Object, scene: Scene) -> list[str]:
    """Why a character that is to push rigid bodies does not, in a sentence."""
    settings = obj.surefoot
    if not settings.push_bodies or settings.body != "CAPSULE" or is_live(scene):
        return []
    world = scene.rigidbody_world
    baked = world is not None and world.point_cache.is_baked
    return [text("push_baked" if baked else "push_no_world", name=obj.name)]


def remove(obj: Object) -> None:
    """Take a character's pusher out of the file, and our collection if it was the last."""
    pusher = obj.surefoot.pusher
    if pusher is None:
        return
    obj.surefoot.pusher = None
    if not any(other.surefoot.pusher == pusher for other in bpy.data.objects):
        _delete(pusher)


def _delete(pusher: Object) -> None:
    hints.ours.discard(pusher.session_uid)
    mesh, homes = pusher.data, [home for home in pusher.users_collection if home.name.startswith(COLLECTION)]
    bpy.data.objects.remove(pusher, do_unlink=True)
    if isinstance(mesh, Mesh) and mesh.users == 0:
        bpy.data.meshes.remove(mesh)
    for home in homes:
        if not (home.objects or home.children):
            bpy.data.collections.remove(home)
    Stepped.frames.clear()


def step(scene: Scene, cast: Sequence[Member], frame: int) -> None:
    """Evaluate a frame with all pushers where they are then, after every frame before it that physics needs."""
    if any(pushes(member) for member in cast) and is_live(scene):
        for number in _needed(scene, frame):
            _put(scene, cast, number)
            scene.frame_set(number)
        _put(scene, cast, frame)
    scene.frame_set(frame)


def shown(scene: Scene, cast: Sequence[Member], *, most: int | None) -> None:
    """A frame is about to be evaluated by Blender: put all pushers in place, and walk what was skipped if that is no
    more than `most` frames (None: any number).
    """
    if not any(pushes(member) for member in cast) or not is_live(scene):
        return
    frame, needed = scene.frame_current, _needed(scene, scene.frame_current)
    if most is not None and len(needed) > most:
        Stepped.frames.pop(scene.session_uid, None)
        return
    outer, Walk.busy = Walk.busy, True
    try:
        for number in needed:
            _put(scene, cast, number)
            scene.frame_set(number)
        _put(scene, cast, frame)
        if needed:
            scene.frame_set(frame)
    finally:
        Walk.busy = outer


def note(scene: Scene) -> None:
    """A frame is evaluated while our handlers stand aside: unless a pusher was put in place for it, physics is lost."""
    if Stepped.frames and Stepped.expected != (scene.session_uid, scene.frame_current):
        Stepped.frames.pop(scene.session_uid, None)


def _needed(scene: Scene, frame: int) -> range:
    """The frames that physics has to go through before this one."""
    start, known = scene.rigidbody_world.point_cache.frame_start, Stepped.frames.get(scene.session_uid)
    if frame <= start or (known is not None and known <= frame <= known + 1):
        return range(0)
    return range(start, frame)


def _put(scene: Scene, cast: Sequence[Member], frame: int) -> None:
    """Every pusher to where it is at a frame: where its character was about to be, a frame before.

    Before it begins, and where it has just jumped, it is out of the way: from far off nothing is swept along.
    """
    Stepped.frames[scene.session_uid] = frame
    Stepped.expected = (scene.session_uid, frame)
    for member in cast:
        pusher = member.obj.surefoot.pusher
        if pusher is None or not pushes(member):
            continue
        snapshot = member.performer.cache.get(frame - 1) if frame > member.first else None
        place = FAR
        if snapshot is not None and snapshot.memory.capsule is not None and not snapshot.memory.travel.jumped:
            x, y, z = snapshot.memory.capsule.pusher
            place = Vector((x, y, z + _middle(member))) / metres_per_unit(scene)
        hints.ours.add(pusher.session_uid)
        if pusher.location != place:
            pusher.location = place


def _middle(member: Member) -> float:
    """How high over the feet a pusher's middle is, metres."""
    return 0.5 * (1.0 + LIFT) * member.performer.character.movement.height(crouched=False)


def _make(scene: Scene, member: Member) -> Object:
    """A capsule of the character's size: two corners of its box, nothing that is seen, rendered or stood on."""
    movement, metres = member.performer.character.movement, metres_per_unit(scene)
    half = 0.5 * (1.0 - LIFT) * movement.height(crouched=False) / metres
    # As wide as what a wall keeps the body to: it touches what the body has come up to.
    radius = (movement.radius + movement.padding) / metres
    mesh = bpy.data.meshes.new(f"{member.obj.name} Pusher")
    mesh.from_pydata([(-radius, -radius, -half), (radius, radius, half)], [], [])
    pusher = bpy.data.objects.new(mesh.name, mesh)
    pusher.location = FAR
    pusher.hide_render = pusher.hide_select = pusher.hide_viewport = True
    _home(scene).objects.link(pusher)
    scene.rigidbody_world.collection.objects.link(pusher)
    # Only an evaluation makes a body of what is in the world's collection.
    layer_of(scene).update()
    body = pusher.rigid_body
    body.type, body.kinematic, body.collision_shape = "PASSIVE", True, "CAPSULE"
    body.use_margin, body.collision_margin = True, 0.0
    body.collision_collections = (True,) * len(body.collision_collections)
    member.obj.surefoot.pusher = pusher
    hints.ours.add(pusher.session_uid)
    Stepped.frames.pop(scene.session_uid, None)
    return pusher


def _home(scene: Scene) -> Collection:
    """Our collection in a scene."""
    found = next((item for item in scene.collection.children if item.name.startswith(COLLECTION)), None)
    if found is None:
        found = bpy.data.collections.new(COLLECTION)
        scene.collection.children.link(found)
    return found


def unregister() -> None:
    """Leave none behind."""
    Stepped.frames.clear()
    for home in [item for item in bpy.data.collections if item.name.startswith(COLLECTION)]:
        for pusher in list(home.objects):
            _delete(pusher)


def register() -> None:
    """Nothing is made before somebody pushes."""
    Stepped.frames.clear()
