"""Rigs that another one follows, each moved in its own way: keys, strips, parents, constraints, a walk, empties."""

from __future__ import annotations

import bpy
from mathutils import Matrix
from support.live import END, follower, walker, wave
from support.stage import add_ground, add_person
from surefoot.addon.scenery import has_plain_inputs
from surefoot.addon.timeline import ready_cast


def lines(rig: bpy.types.Object) -> str:
    bpy.context.scene.frame_set(2)
    bpy.context.scene.frame_set(1)
    return " ".join(line.text for line in rig.surefoot.problems)


def action_of(rig: bpy.types.Object) -> tuple[bpy.types.Action, bpy.types.ActionSlot]:
    return rig.animation_data.action, rig.animation_data.action_slot


def is_read_plainly(rig: bpy.types.Object) -> bool:
    """Whether no frame has to be evaluated to know what it follows."""
    member = next(item for item in ready_cast(bpy.context.scene) if item.obj == rig)
    return has_plain_inputs(member, bpy.context.scene)


# Sources of every kind: each gives the follower, and whether curves alone say how its source moves.


def keyed(**settings):
    add_ground()
    return follower(walker(), **settings), True


def on_the_nla(**settings):
    add_ground()
    source = walker()
    track = source.animation_data.nla_tracks.new()
    track.strips.new("Walk", 1, source.animation_data.action)
    source.animation_data.action = None
    return follower(source, **settings), False


def parented(**settings):
    add_ground()
    source = walker()
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    source.parent = holder
    for frame, y in ((1, 0.0), (END, -1.0)):
        holder.location.y = y
        holder.keyframe_insert("location", frame=frame)
    return follower(source, **settings), False


def constrained(**settings):
    add_ground()
    source, goal = walker(), bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    goal.location = (1.0, -20.0, 1.0)
    bone = source.pose.bones["head"].constraints.new("DAMPED_TRACK")
    bone.target = goal
    return follower(source, **settings), False


def walking_along(**settings):
    """The source is itself a character that walks in its preview."""
    add_ground()
    source = add_person()
    source.name = "Source"
    source.surefoot.preview = True
    return follower(source, **settings), True


def at_the_hand_of_a_walker(**settings):
    """The source is an armature that is parented to a character in its preview."""
    add_ground()
    leader = add_person(place=(3.0, 0.0, 0.0))
    leader.name = "Leader"
    leader.surefoot.preview = True
    source = add_person()
    source.name = "Source"
    wave(source)
    source.parent = leader
    return follower(source, **settings), False


def of_empties(**settings):
    add_ground()
    source = add_person()
    top, known = None, {}
    for bone in source.data.bones:
        joint = known[bone.name] = bpy.data.objects.new(bone.name, None)
        bpy.context.scene.collection.objects.link(joint)
        joint.parent = known[bone.parent.name] if bone.parent else None
        above = bone.parent.matrix_local.to_translation() if bone.parent else (0.0, 0.0, 0.0)
        joint.location = bone.matrix_local.to_translation() - Matrix.Translation(above).to_translation()
        top = top or joint
    for frame in (1, 12, 24):
        known["upper_arm.L"].rotation_euler = (0.0, 0.03 * frame, 0.0)
        known["upper_arm.L"].keyframe_insert("rotation_euler", frame=frame)
        known["pelvis"].location.y = -0.03 * frame
        known["pelvis"].keyframe_insert("location", frame=frame)
    bpy.data.objects.remove(source)
    return follower(top, **settings), True


SOURCES = (keyed, on_the_nla, parented, constrained, walking_along, at_the_hand_of_a_walker, of_empties)
