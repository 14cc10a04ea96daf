"""Which meshes of a scene are ground, where they are, and which of them move or bend with time.

By default: every mesh that is hidden neither for render nor in the viewport, by its own switches or its collections'
(the eye icon and local view do not count), with instances. Or a chosen collection, whatever is hidden for render in it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
from mathutils import Matrix

from ..core.world.world import Loose

FRICTION = 0.5
"""What a rigid body has as long as nobody sets it; that of two which touch is multiplied."""
TIMED_MODIFIERS = frozenset(
    {
        "BUILD", "CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "MESH_CACHE", "MESH_SEQUENCE_CACHE", "PARTICLE_INSTANCE",
        "PARTICLE_SYSTEM", "SOFT_BODY", "WAVE",
    }
)  # fmt: skip
TIMED_CONSTRAINTS = frozenset({"CAMERA_SOLVER", "FOLLOW_TRACK", "OBJECT_SOLVER", "TRANSFORM_CACHE"})
TIMED_NODES = frozenset({"GeometryNodeInputSceneTime", "GeometryNodeSimulationOutput"})


@dataclass(frozen=True)
class GroundItem:
    """One mesh that is ground in one evaluation of the scene; valid only until the next one.

    `surface` identifies it from frame to frame; `source` is the evaluated object if the mesh is an object's own.
    `moves`: its place changes with time; `bends`: its shape does. `uids`: the objects whose edit may change it. `owner`
    is the original object whose settings say how its surface goes along. `loose`: physics moves it.
    """

    surface: int
    mesh: bpy.types.Mesh
    matrix: Matrix
    source: bpy.types.Object | None
    moves: bool
    bends: bool
    uids: tuple[int, ...]
    owner: bpy.types.Object
    loose: Loose | None = None


def ground_items(
    depsgraph: bpy.types.Depsgraph, ground: int | None = None, excluded: frozenset[int] = frozenset()
) -> list[GroundItem]:
    """The ground in this evaluation, objects by name, then instances in Blender's order.

    `ground` is the chosen collection's session_uid, `excluded` those of objects that are no ground by default.
    """
    chosen = _chosen(depsgraph, ground) if ground is not None else _shown(depsgraph, excluded)
    time = TimeDependence()
    items: list[GroundItem] = []
    for ob in sorted(chosen.values(), key=lambda o: o.name_full):
        items.extend(_own_mesh(ob, depsgraph, time))
    in_sight = {ob.session_uid for ob in chosen.values() if ob.visible_get(view_layer=depsgraph.view_layer)}
    for instance in depsgraph.object_instances:
        if instance.is_instance and instance.parent.original.session_uid in in_sight:
            items.extend(_instance(instance, time))
    for uid, ob in chosen.items():
        if uid not in in_sight and ob.instance_type == "COLLECTION" and ob.instance_collection is not None:
            evaluated = ob.evaluated_get(depsgraph)
            items.extend(_unseen_instances(evaluated, evaluated.matrix_world, ob.instance_collection, time, (uid,)))
    return items


def _shown(depsgraph: bpy.types.Depsgraph, excluded: frozenset[int]) -> dict[int, bpy.types.Object]:
    found: dict[int, bpy.types.Object] = {}
    stack = [depsgraph.view_layer.layer_collection]
    while stack:
        layer = stack.pop()
        collection = layer.collection
        if layer.exclude or collection.hide_viewport or collection.hide_render:
            continue
        stack.extend(layer.children)
        for ob in collection.objects:
            if not (ob.hide_viewport or ob.hide_render or ob.session_uid in excluded):
                found[ob.session_uid] = ob
    return found


def _chosen(depsgraph: bpy.types.Depsgraph, ground: int) -> dict[int, bpy.types.Object]:
    for collection in (depsgraph.scene.collection, *bpy.data.collections):
        if collection.session_uid == ground:
            return {ob.session_uid: ob for ob in collection.all_objects}
    return {}


def _own_mesh(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph, time: TimeDependence) -> Iterator[GroundItem]:
    if ob.type != "MESH" or (ob.is_instancer and not ob.show_instancer_for_viewport) or _is_scattered(ob):
        return
    evaluated = ob.evaluated_get(depsgraph)
    # An object that this view layer does not evaluate comes back as its original, without modifiers.
    if not evaluated.is_evaluated:
        return
    mesh = evaluated.data
    if ob.mode == "EDIT" and not len(mesh.polygons):
        # A mesh that is being edited shows its faces only when it is asked for them.
        mesh = evaluated.to_mesh()
    if len(mesh.polygons):
        uid = ob.session_uid
        matrix, moves = evaluated.matrix_world.copy(), time.moves(ob) or goes_along(ob)
        yield GroundItem(uid, mesh, matrix, evaluated, moves, time.bends(ob), (uid,), ob, loose_body(ob))


def _is_scattered(ob: bpy.types.Object) -> bool:
    """True for what is only shown on the vertices or faces of an object above it."""
    above = ob.parent
    while above is not None and above.instance_type not in {"VERTS", "FACES"}:
        above = above.parent
    return above is not None


def _instance(instance: bpy.types.DepsgraphObjectInstance, time: TimeDependence) -> Iterator[GroundItem]:
    mesh = instance.object.data
    if instance.object.type != "MESH" or not isinstance(mesh, bpy.types.Mesh) or not len(mesh.polygons):
        return
    source, parent = instance.object.original, instance.parent.original
    if source.hide_render and source.session_uid != parent.session_uid:
        return
    uids = (parent.session_uid, source.session_uid)
    surface = _instance_surface(*uids, *instance.persistent_id)
    # Nodes and particles may bring other instances every frame.
    timed = time.bends(parent)
    moves = timed or time.moves(parent) or time.moves(source) or goes_along(source)
    matrix = instance.matrix_world.copy()
    yield GroundItem(surface, mesh, matrix, None, moves, timed or time.bends(source), uids, source)


def _unseen_instances(
    instancer: bpy.types.Object,
    matrix: Matrix,
    collection: bpy.types.Collection,
    time: TimeDependence,
    path: tuple[int, ...],
) -> Iterator[GroundItem]:
    """A collection's instances where the eye icon took the instancer from Blender's own list."""
    offset = matrix @ Matrix.Translation(-collection.instance_offset)
    depsgraph_parent = instancer.original
    for source in sorted(collection.all_objects, key=lambda o: o.name_full):
        if source.hide_viewport or source.hide_render or source.session_uid in path:
            continue
        placed = offset @ source.matrix_world
        uids = (*path, source.session_uid)
        if source.type == "MESH" and len(source.data.polygons):
            moves = time.moves(depsgraph_parent) or time.moves(source) or goes_along(source)
            surface = _instance_surface(*uids)
            yield GroundItem(surface, source.data, placed, None, moves, time.bends(source), uids, source)
        elif source.instance_type == "COLLECTION" and source.instance_collection is not None:
            yield from _unseen_instances(instancer, placed, source.instance_collection, time, uids)


def _instance_surface(*numbers: int) -> int:
    """A number of its own for an instance: above all session_uids, the same from frame to frame."""
    text = ",".join(str(number) for number in numbers)
    return (1 << 32) + zlib.crc32(text.encode())


class TimeDependence:
    """Whether objects move or bend with time, by what they are made of; asks each object once."""

    def __init__(self) -> None:
        self._moves: dict[int, bool] = {}
        self._bends: dict[int, bool] = {}

    def moves(self, ob: bpy.types.Object) -> bool:
        """True where the object's place may change from frame to frame."""
        uid = ob.session_uid
        if uid not in self._moves:
            self._moves[uid] = False  # a ring of parents or constraints adds nothing new
            self._moves[uid] = self._find_moves(ob)
        return self._moves[uid]

    def bends(self, ob: bpy.types.Object) -> bool:
        """True where the object's evaluated shape may change from frame to frame."""
        uid = ob.session_uid
        if uid not in self._bends:
            self._bends[uid] = False
            self._bends[uid] = self._find_bends(ob)
        return self._bends[uid]

    def _find_moves(self, ob: bpy.types.Object) -> bool:
        if is_animated(ob) or is_previewed(ob):
            return True
        body = ob.rigid_body
        if body is not None and body.enabled and body.type == "ACTIVE":
            return True
        parent = ob.parent
        if parent is not None and (self.moves(parent) or (ob.parent_type != "OBJECT" and self.bends(parent))):
            return True
        return any(self._constraint_moves(constraint) for constraint in ob.constraints)

    def _constraint_moves(self, constraint: bpy.types.Constraint) -> bool:
        if constraint.mute:
            return False
        if constraint.type in TIMED_CONSTRAINTS:
            return True
        targets = [getattr(constraint, "target", None)]
        if constraint.type == "ARMATURE":
            targets = [target.target for target in constraint.targets]
        return any(target is not None and (self.moves(target) or self.bends(target)) for target in targets)

    def _find_bends(self, ob: bpy.types.Object) -> bool:
        data = ob.data
        if data is not None and (is_animated(data) or is_animated(getattr(data, "shape_keys", None))):
            return True
        if ob.soft_body is not None or len(ob.particle_systems) > 0:
            return True
        if ob.pose is not None:
            return (
                is_animated(ob)
                or is_previewed(ob)
                or any(self._constraint_moves(constraint) for bone in ob.pose.bones for constraint in bone.constraints)
            )
        # A modifier's own animation lives on the object.
        if len(ob.modifiers) > 0 and is_animated(ob):
            return True
        return any(modifier.show_viewport and self._modifier_bends(modifier) for modifier in ob.modifiers)

    def _modifier_bends(self, modifier: bpy.types.Modifier) -> bool:
        if modifier.type in TIMED_MODIFIERS:
            return True
        group = getattr(modifier, "node_group", None)
        if modifier.type == "NODES" and group is not None and self._group_is_timed(group, set()):
            return True
        return any(self.moves(other) or self.bends(other) for other in _objects_of(modifier))

    def _group_is_timed(self, group: bpy.types.NodeTree, seen: set[int]) -> bool:
        if group.session_uid in seen:
            return False
        seen.add(group.session_uid)
        if is_animated(group):
            return True
        for node in group.nodes:
            if node.bl_idname in TIMED_NODES:
                return True
            inner = getattr(node, "node_tree", None)
            if inner is not None and self._group_is_timed(inner, seen):
                return True
            objects = (getattr(socket, "default_value", None) for socket in node.inputs if socket.type == "OBJECT")
            if any(other is not None and (self.moves(other) or self.bends(other)) for other in objects):
                return True
        return False


def goes_along(ob: bpy.types.Object) -> bool:
    """True for ground with a surface velocity; where that is keyed, the object is animated anyway."""
    settings = getattr(ob, "surefoot", None)
    return settings is not None and any(settings.surface_velocity)


def loose_body(ob: bpy.types.Object) -> Loose | None:
    """An object as a body that can be pushed away; None for any other. Its friction is met by that of usual ground."""
    body = ob.rigid_body
    if body is None or not body.enabled or body.type != "ACTIVE" or body.kinematic:
        return None
    return Loose(body.mass, body.friction * FRICTION)


def is_animated(data: bpy.types.ID | None) -> bool:
    """True for a data-block with an Action, NLA strips or drivers."""
    animation = data.animation_data if data is not None else None
    if animation is None:
        return False
    return animation.action is not None or len(animation.nla_tracks) > 0 or len(animation.drivers) > 0


def is_previewed(ob: bpy.types.Object) -> bool:
    """True for a character that is shown walking: its pose and place come from us, not from F-curves."""
    return ob.type == "ARMATURE" and bool(getattr(getattr(ob, "surefoot", None), "preview", False))


def _objects_of(modifier: bpy.types.Modifier) -> Iterator[bpy.types.Object]:
    """The objects that a modifier looks at: its pointers, and what its node group is handed."""
    for item in modifier.bl_rna.properties:
        if item.type == "POINTER" and item.fixed_type.identifier == "Object":
            other = getattr(modifier, item.identifier)
            if other is not None:
                yield other
    if modifier.type == "NODES" and modifier.node_group is not None:
        for value in _node_inputs(modifier):
            if isinstance(value, bpy.types.Object):
                yield value


def _node_inputs(modifier: bpy.types.NodesModifier) -> list[Any]:
    """What a node group is handed by its modifier: ID properties up to 5.1, properties with a value from 5.2 on."""
    handed = getattr(modifier, "properties", None)
    if handed is None:
        return list(modifier.values())
    sockets = (getattr(handed.inputs, item.identifier) for item in handed.inputs.bl_rna.properties)
    return [getattr(socket, "value", None) for socket in sockets]
