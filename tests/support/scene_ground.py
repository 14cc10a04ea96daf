"""Scenes of simple meshes, and a SceneWorld that has read them."""


import bmesh
import bpy
from mathutils import Vector

DOWN = Vector((0.0, 0.0, -1.0))


def link(name, mesh, collection=None):
    ob = bpy.data.objects.new(name, mesh)
    (collection or bpy.context.scene.collection).objects.link(ob)
    return ob


def grid(name="Ground", size=10.0, cells=4, collection=None):
    mesh = bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=cells, y_segments=cells, size=size)
    bm.to_mesh(mesh)
    bm.free()
    return link(name, mesh, collection)


def cube(name="Cube", size=1.0, collection=None):
    mesh = bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=size)
    bm.to_mesh(mesh)
    bm.free()
    return link(name, mesh, collection)


def collection(name, parent=None):
    made = bpy.data.collections.new(name)
    (parent or bpy.context.scene.collection).children.link(made)
    return made


def depsgraph():
    return bpy.context.evaluated_depsgraph_get()


def filled(scene_world, frame=1, **options):
    world = scene_world(**options)
    bpy.context.scene.frame_set(frame)
    world.refresh(depsgraph(), frame)
    return world


def advance(world, frame):
    bpy.context.scene.frame_set(frame)
    return world.refresh(depsgraph(), frame)


def height(world, x=0.0, y=0.0, top=50.0):
    hit = world.cast_ray(Vector((x, y, top)), DOWN, 100.0)
    return None if hit is None else hit.position.z


def key(ob, path, frame, value, index=-1):
    if index < 0:
        setattr(ob, path, value)
    else:
        getattr(ob, path)[index] = value
    ob.keyframe_insert(path, frame=frame, index=index)
    action = ob.animation_data.action
    for curve in action.layers[0].strips[0].channelbags[0].fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def instance_nodes(ob, source):
    """Geometry nodes: the object's own points carry instances of `source`."""
    group = bpy.data.node_groups.new("Steps", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    start, end = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    info, spread = group.nodes.new("GeometryNodeObjectInfo"), group.nodes.new("GeometryNodeInstanceOnPoints")
    info.inputs["Object"].default_value = source
    group.links.new(start.outputs[0], spread.inputs["Points"])
    group.links.new(info.outputs["Geometry"], spread.inputs["Instance"])
    group.links.new(spread.outputs[0], end.inputs[0])
    ob.modifiers.new("Nodes", "NODES").node_group = group
