"""Surefoot: rigs that walk through a scene. The entry point that Blender loads.

The modules are named in the order in which they depend on each other, so that an upgrade within one session runs
the new code of every one of them (Blender itself only runs this file again).
"""

from __future__ import annotations

import importlib

_AGAIN = "_MODULES" in globals()

ADDON_ID = __package__

_MODULES = (
    "core",
    "core.control",
    "core.space",
    "core.space.settings",
    "core.control.config",
    "core.space.angles",
    "core.world",
    "core.world.world",
    "core.control.intent",
    "core.control.path",
    "core.space.dampers",
    "core.world.probe",
    "core.control.point",
    "core.control.directors",
    "core.gait",
    "core.gait.config",
    "core.space.vectors",
    "core.space.curves",
    "core.rig",
    "core.rig.skeleton",
    "core.rig.rig",
    "core.gait.shape",
    "core.gait.foot",
    "core.space.copying",
    "core.gait.memory",
    "core.gait.patterns",
    "core.gait.stride",
    "core.gait.body",
    "core.gait.change",
    "core.gait.footsteps",
    "core.gait.swing",
    "core.gait.stepping",
    "core.gait.gait",
    "core.ik",
    "core.ik.swing",
    "core.ik.hinge",
    "core.ik.fold",
    "core.ik.leg",
    "core.rig.pose",
    "core.gait.posing",
    "core.presets",
    "core.tick",
    "core.character",
    "core.measure",
    "core.measure.track",
    "core.measure.contacts",
    "core.measure.slide",
    "core.measure.clearance",
    "core.measure.gait_chart",
    "core.measure.pops",
    "core.measure.travel",
    "core.measure.report",
    "core.measure.sole_ground",
    "core.rig.blueprint",
    "core.rig.body_mesh",
    "core.rig.names",
    "core.rig.outline",
    "core.rig.by_shape",
    "core.rig.rest_vertices",
    "core.rig.mirror",
    "core.rig.chains",
    "core.rig.conventions",
    "core.rig.trunk",
    "core.rig.corrections",
    "core.rig.problems",
    "core.rig.roles",
    "core.rig.soles",
    "core.rig.understand",
    "core.space.quaternions",
    "core.world.solid",
    "core.world.compound",
    "core.world.extruded",
    "core.world.terrain",
    "core.world.solids",
    "core.world.turned",
    "addon",
    "addon.changes",
    "addon.roster",
    "addon.texts",
    "addon.refusal",
    "addon.scene_units",
    "addon.add_character",
    "addon.bake_record",
    "addon.frame_cache",
    "addon.curve_points",
    "addon.ground_set",
    "addon.keyed_values",
    "addon.switches",
    "addon.pose_channels",
    "addon.saved_state",
    "addon.inputs",
    "addon.order",
    "addon.carry_over",
    "addon.config_properties",
    "addon.key_writing",
    "addon.rotation_channels",
    "addon.travel_writing",
    "addon.channel_writer",
    "addon.rigify.detection",
    "addon.rigify.role_skeleton",
    "addon.rigify.controls",
    "addon.rigify.ik_parts",
    "addon.rigify.chain_math",
    "addon.rigify.limb_ik",
    "addon.rigify.rest",
    "addon.rigify.self_check",
    "addon.rigify.writer",
    "addon.rigify",
    "addon.pose_writing",
    "addon.rest_skin",
    "addon.rig_reading",
    "addon.performers",
    "addon.members",
    "addon.preview_pose",
    "addon.ground_mesh",
    "addon.ground_surface",
    "addon.ground_grid",
    "addon.ground_shapes",
    "addon.ground_still",
    "addon.scene_world",
    "addon.scenery",
    "addon.filling",
    "addon.key_reduction",
    "addon.problems",
    "addon.review",
    "addon.preview",
    "addon.properties",
    "addon.validity",
    "addon.simulate",
    "addon.bake",
    "addon.ground_frame",
    "addon.sampling",
    "addon.report",
    "addon.commands",
    "addon.operators",
    "addon.operators.add_character",
    "addon.operators.long_job",
    "addon.operators.subject",
    "addon.operators.bake",
    "addon.operators.mapping",
    "addon.setup",
    "addon.operators.remove",
    "addon.operators.report",
    "addon.operators.setup",
    "addon.operators.simulate",
    "addon.operators.teleport",
    "addon.overlay",
    "addon.panels",
    "addon.panels.wrapping",
    "addon.panels.sidebar",
    "addon.timeline",
)

_loaded = []
for _name in _MODULES:
    _module = importlib.import_module(f".{_name}", __package__)
    if _AGAIN:
        importlib.reload(_module)
    _loaded.append(_module)


def register() -> None:
    """Enable: each module that has something to register does so, lower modules first."""
    for module in _loaded:
        if hasattr(module, "register"):
            module.register()


def unregister() -> None:
    """Disable: the same in reverse, so that nothing is left behind."""
    for module in reversed(_loaded):
        if hasattr(module, "unregister"):
            module.unregister()
