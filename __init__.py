"""Surefoot: rigs that walk through a scene. The entry point that Blender loads.

The modules are named in the order in which they depend on each other, so that an upgrade within one session runs
the new code of every one of them (Blender itself only runs this file again).
"""

from __future__ import annotations

import importlib

_AGAIN = "_MODULES" in globals()

ADDON_ID = __package__

_ORDER = """
    core core.actions core.ik core.rig core.rig.skeleton core.rig.pose core.rig.edited_pose core.rig.rig core.space
    core.space.curves core.space.vectors core.ik.swing core.ik.hinge core.ik.fold core.ik.leg core.ik.posed core.control
    core.world core.world.world core.control.fall_row core.space.rigid core.space.triples core.control.fields
    core.control.source_pose core.control.intent core.layers core.layers.request core.space.copying core.space.dampers
    core.space.settings core.actions.config core.actions.acting core.actions.folding core.actions.lunge
    core.actions.hands core.actions.mouth core.actions.tails core.actions.acted_pose core.space.angles core.world.probe
    core.actions.lying core.layers.masks core.space.inertialization core.actions.rise_config core.actions.rise_floor
    core.actions.rise_memory core.actions.rise_places core.layers.spheres core.ragdoll core.rig.rest_vertices
    core.ragdoll.skin_points core.actions.rise_points core.ik.palm core.layers.moves_keys core.layers.moves_body
    core.actions.rise_poses core.actions.rise_choice core.actions.rise_bridges core.ik.wrist core.layers.moves_touching
    core.layers.moves_elbows core.layers.moves_limbs core.actions.rise_clear core.actions.rise_reach
    core.actions.rise_tilt core.actions.rise_toes core.actions.rise_holds core.actions.rise_legs core.motion
    core.space.quaternions core.motion.clip core.space.medians core.motion.spans core.motion.planted
    core.motion.contacts core.motion.travel core.motion.loops core.motion.body_track core.motion.gait_curves
    core.motion.strides core.motion.gait_bake core.motion.clip_feet core.motion.clip_pose core.actions.rise_moments
    core.actions.rise_out core.actions.rise_shown core.actions.rise_pace core.rig.names core.rig.partners
    core.actions.rise_takes core.actions.rising core.gait core.gait.config core.gait.manner core.gait.performed
    core.gait.patterns core.gait.spine core.gait.blade core.gait.neck core.gait.shape core.gait.style core.presets
    core.activity_presets core.layers.layer core.ik.aim core.layers.look_chain core.layers.pursuit core.layers.targets
    core.layers.eyes core.layers.lead core.layers.look_at core.activities core.control.steering core.control.config
    core.control.movement core.world.crawl core.world.turned core.control.point core.control.clinging core.gait.foot
    core.gait.way core.gait.around core.gait.memory core.gait.give_way core.gait.bearing core.gait.roll_off
    core.gait.reach core.gait.stride_table core.gait.stride core.gait.rolling core.gait.change core.gait.frame
    core.gait.ride core.gait.body_needs core.gait.head_hold core.gait.idle core.gait.support core.gait.trunk
    core.gait.body core.gait.footsteps core.gait.aloft_bearing core.control.touching core.control.floor
    core.control.capsule_memory core.control.pushing core.gait.walls core.gait.aloft_feet core.gait.aloft core.gait.step
    core.gait.first_foot core.gait.swing core.gait.stepping core.gait.landing core.gait.longest core.gait.gait
    core.gait.clinging core.gait.arms core.gait.wings core.gait.posing core.gait.lying core.gait.slither_config
    core.gait.windings core.gait.slither core.ik.follow core.gait.slither_posing core.control.ways core.control.route
    core.control.agent core.control.driven core.control.path core.control.directors core.control.led core.gait.retelling
    core.on_surfaces core.base_motion core.control.slide core.control.flight core.control.walking core.control.capsule
    core.control.sound_inputs core.control.bodied core.preset_numbers core.ragdoll.catch core.ragdoll.flinch
    core.ragdoll.config core.fall_presets core.ragdoll.plan core.falling_loose core.falling_memory core.layers.aim_chain
    core.layers.aim core.ik.chain_shape core.ik.chain core.ik.ccd core.ik.chain_bones core.layers.chain core.layers.clip
    core.layers.legs_feet core.layers.legs_memory core.layers.legs_ground core.layers.legs_hold core.layers.legs_landing
    core.layers.legs_under core.layers.legs_place core.layers.legs_drop core.layers.legs_floor core.layers.legs_reach
    core.layers.legs core.ik.elbow core.ik.stretch core.layers.reaching core.layers.reach_bounds core.layers.reach
    core.space.oscillator core.layers.hanging core.layers.springs_config core.layers.spring_bones core.layers.swing
    core.layers.wind core.layers.springs core.layers.registry core.layers.stack core.ragdoll.hits core.ragdoll.balance
    core.ragdoll.bodies_pose core.ragdoll.brace core.rig.placed core.rise_presets core.falling_body core.falling_course
    core.from_clip core.retarget core.retarget.foot_pitch core.rig.outline core.rig.conventions core.rig.fingers
    core.retarget.parts core.retarget.rest_matching core.retarget.transfer core.retarget.live_feet core.retarget.holds
    core.retarget.body_height core.rig.by_shape core.rig.mirror core.rig.chains core.rig.trunk core.rig.corrections
    core.retarget.mapping core.retarget.by_hand core.retarget.one_frame core.ik.limbs_array core.retarget.foot_moves
    core.retarget.body_shift core.retarget.feet_config core.retarget.grounded core.retarget.held_contacts
    core.retarget.toes core.retarget.clean_feet core.retarget.report core.retarget.live_pose core.retarget.source_way
    core.from_rig core.layers.adjustment core.layers.moves_memory core.layers.moves_carry core.layers.moves_freed
    core.layers.moves_clear core.layers.moves_clips core.layers.moves_holds core.layers.moves_settle core.layers.moves
    core.locomotion core.world.cells core.world.sensing core.world.asking core.world.topping core.world.crossing
    core.world.surroundings core.locomotion.memory core.locomotion.state core.locomotion.slide core.locomotion.links
    core.locomotion.way_search core.locomotion.following core.locomotion.autopilot core.locomotion.autopilot_config
    core.world.edges core.locomotion.hang_config core.locomotion.room core.locomotion.holding core.locomotion.handing
    core.locomotion.climb core.locomotion.machine_config core.locomotion.roll core.locomotion.vault
    core.locomotion.config core.locomotion.corner core.locomotion.grips core.locomotion.reaching
    core.locomotion.jump_off core.locomotion.leap core.locomotion.shimmy core.locomotion.hang core.locomotion.wall_steps
    core.locomotion.wall_run core.locomotion.registry core.locomotion.machine core.move_presets core.parkour_presets
    core.falling_feet core.falling core.tick core.character core.course core.gait.performance core.measure
    core.measure.track core.measure.contacts core.measure.gait_chart core.measure.pixel_font core.measure.chart_image
    core.measure.slide core.measure.clearance core.measure.pops core.measure.travel core.measure.report
    core.measure.sole_ground core.measure.switches core.motion.at_rate core.motion.averages core.motion.motion_file
    core.motion.bvh_file core.motion.carriers core.motion.fbx_file core.motion.gltf_file core.motion.file_check
    core.motion.from_channels core.motion.key_cutting core.motion.mirror_channels core.motion.resample
    core.motion.rigid_motion core.motion.root_motion core.motion.support core.motion.seam core.movement_presets
    core.preset_text core.ragdoll.drive core.ragdoll.limits core.rig.roles core.ragdoll.proportions core.ragdoll.parts
    core.ragdoll.solids core.ragdoll.edits core.ragdoll.edits_file core.ragdoll.fit core.ragdoll.joints
    core.ragdoll.machine core.ragdoll.overlaps core.ragdoll.make_plan core.ragdoll.wires core.ragdoll_presets
    core.retarget.body_along core.retarget.channels core.retarget.config core.retarget.retarget core.rig.blueprint
    core.rig.body_mesh core.rig.explained core.rig.problems core.rig.long_body core.rig.soles core.rig.standing
    core.rig.understand core.seeing core.space.rotation_curves core.space.nearest_form core.space.keys_between
    core.world.solid core.world.compound core.world.extruded core.world.rings core.world.rooms core.world.terrain
    core.world.solids addon addon.switches addon.pose_channels addon.changes addon.ground_set addon.keyed_values
    addon.saved_state addon.carry_over addon.bake_record addon.roster addon.texts_agent addon.texts_fall
    addon.texts_files addon.texts_mapping addon.texts_motion addon.texts_parkour addon.texts_ragdoll
    addon.texts_root_motion addon.texts_route addon.texts addon.refusal addon.adjustment addon.rest_skin
    addon.rigify.detection addon.rigify.role_skeleton addon.rig_reading addon.clip_sampling addon.action_sampling
    addon.action_curves addon.clip_reading addon.config_properties addon.declared addon.fall_properties
    addon.fall_wishes addon.ragdoll_properties addon.whole_skin addon.fall_plan addon.fall_digest addon.fall_record
    addon.fall_track addon.frame_cache addon.move_properties addon.move_clips addon.get_ups addon.layer_inputs
    addon.layer_keys addon.layer_properties addon.layers addon.motion addon.motion_ranges addon.motion_scene
    addon.scene_units addon.mapping_lines addon.saved_mappings addon.source_reading addon.motion_empties
    addon.live_empties addon.key_writing addon.rotation_channels addon.travel_writing addon.channel_writer
    addon.rigify.controls addon.rigify.ik_parts addon.rigify.chain_math addon.rigify.limb_ik addon.rigify.rest
    addon.rigify.self_check addon.rigify.writer addon.rigify addon.live_source addon.pose_writing addon.performers
    addon.action_aside addon.action_beside addon.action_edit addon.action_names addon.locked_channels addon.clip_columns
    addon.former_motion addon.control_columns addon.key_reduction addon.object_columns addon.under_constraints
    addon.unplayed addon.action_writing addon.add_character addon.added_root addon.agent_properties
    addon.route_properties addon.route addon.agent addon.arrivals addon.ground_mesh addon.ground_flow
    addon.ground_surface addon.ground_grid addon.ground_shapes addon.ground_still addon.scene_world addon.grounds
    addon.fall_surroundings addon.order addon.members addon.fall_head addon.fall_inputs addon.curve_points
    addon.force_fields addon.pad addon.inputs addon.preview_pose addon.pushers addon.scenery addon.fall_check
    addon.physics_scene addon.physics_bodies addon.physics_colliders addon.physics_shapes addon.physics_gather
    addon.fall_struck addon.physics_motors addon.physics_run addon.ticking addon.fall_physics addon.fall_live
    addon.problems addon.preview addon.body_properties addon.parkour_properties addon.rise_properties addon.properties
    addon.validity addon.filling addon.review addon.simulate addon.bake addon.batch_table addon.chart_overlay
    addon.clean_feet_controls addon.known_action addon.motion_source addon.own_channels addon.clean_feet
    addon.ground_frame addon.sampling addon.report addon.present_pose addon.retarget_notes addon.retarget_result
    addon.target_reading addon.retarget addon.motion_files addon.retarget_batch addon.commands addon.course
    addon.curve_keys addon.known_cast addon.overlay addon.timeline addon.held_keys addon.ragdoll_plan addon.send
    addon.hits addon.drive_falls addon.drive addon.fall_colliders addon.fall_pick addon.fall_render addon.following_view
    addon.gait_chart addon.gait_from_action addon.get_up_marks addon.posed_elements addon.retime addon.travel_stage
    addon.join_loop addon.mapping_view addon.mirror_curves addon.mirror_motion addon.operators addon.operators.subject
    addon.operators.action_aside addon.operators.add_character addon.operators.add_course addon.operators.adjustment
    addon.operators.long_job addon.operators.bake addon.operators.clean_feet addon.operators.on_action
    addon.operators.clip_tools addon.operators.drive addon.operators.fall addon.operators.frame_range
    addon.operators.gait_chart addon.operators.gait_from_action addon.operators.get_ups addon.operators.layers
    addon.operators.mapping addon.operators.saved_mappings addon.operators.mapping_editor addon.operators.preset_menus
    addon.operators.ragdoll_build addon.ragdoll_objects addon.operators.ragdoll_objects addon.setup
    addon.operators.remove addon.operators.report addon.operators.retarget addon.operators.retarget_batch
    addon.root_motion addon.operators.root_motion addon.route_edit addon.operators.route addon.saved_ragdolls
    addon.operators.saved_ragdolls addon.operators.send addon.operators.setup addon.operators.simulate
    addon.operators.teleport addon.panels addon.panels.wrapping addon.panels.agent addon.panels.tab addon.panels.body
    addon.panels.clean_feet addon.panels.fall addon.panels.follow addon.panels.get_ups addon.panels.ground
    addon.panels.layers addon.panels.mapping addon.panels.moves addon.panels.ragdoll addon.panels.state
    addon.panels.retarget addon.panels.retarget_batch addon.panels.root_motion addon.panels.route addon.panels.sidebar
    addon.push_switch addon.ragdoll_overlay addon.surroundings_overlay
"""
_MODULES = _ORDER.split()

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
