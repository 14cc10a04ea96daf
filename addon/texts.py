"""Every text of the panel and the operators, in one table."""

from __future__ import annotations

from .texts_agent import AGENT_TEXT
from .texts_fall import FALL_TEXT
from .texts_files import FILE_TEXT
from .texts_mapping import MAPPING_TEXT
from .texts_motion import MOTION_TEXT
from .texts_parkour import PARKOUR_TEXT
from .texts_ragdoll import RAGDOLL_TEXT
from .texts_root_motion import ROOT_MOTION_TEXT
from .texts_route import ROUTE_TEXT

TAB = "Surefoot"

TEXT = {
    **FILE_TEXT,
    **AGENT_TEXT,
    **PARKOUR_TEXT,
    **RAGDOLL_TEXT,
    **ROUTE_TEXT,
    **FALL_TEXT,
    # tooltips of the operators
    "tip_setup": "Find the legs, sides and roles of this armature, and list what was not understood",
    "tip_remove": "End the preview, put pose and Action back, and forget all settings of this character",
    "tip_simulate": "Compute all frames up to the end of the scene's range; Esc stops and keeps what is there",
    "tip_report": "Measure slide, ground clearance and gait of the preview or of the Action",
    "tip_gait_chart": (
        "Draw which foot is down when, of the preview or of any Action, with duty, cadence, stride, flight and "
        "crossing legs"
    ),
    "tip_teleport": "Put the character at another place from the current frame on",
    "tip_layer_add": "Add a change to the pose: it works on whatever the layers before it left",
    "tip_layer_remove": "Remove the chosen layer with its keys",
    "tip_layer_move": "Move the chosen layer before or after another of its stage; its keys go along",
    "tip_adjustment_take": (
        "Keep how the rig is posed now as a correction that lies under all that the character does: what differs from "
        "its rest pose or, while the preview is shown, from that"
    ),
    "tip_adjustment_clear": "Forget the pose adjustment",
    "tip_look_at": "Look at another selected object, or at the camera; adds the layer for it where there is none",
    "tip_look_away": "Look ahead again, in its own time; the layer stays",
    "tip_style": "Set all sliders of a style at once; the seed stays",
    "tip_add_course": "Add test ground for walking bodies, or for bodies that read the level",
    "course_name": "Surefoot Course",
    "course_floor": "Floor",
    "course_added": "{name} is added. Put a character on it and choose it as Ground.",
    "tip_drive": (
        "Walk the character with the keyboard from this frame on, in real time: W A S D or arrows, Space jumps "
        "or, with Parkour, goes up as the level has it, J jumps, C crouches, Shift sprints. What is pressed becomes "
        "keys, so that it plays again the same"
    ),
    "drive_status": (
        "W A S D: go   Space: jump, go up   C: crouch   Shift: sprint   0-3: pace   Mouse: turn   Click: shove   "
        "Shift-Click: fell   R: again   "
        "Return: keep   Esc: throw away"
    ),
    "drive_window": "Somebody has to press the keys: run it from a 3D view. Scripts use surefoot.addon.drive.drive.",
    "drive_view": "Point at a 3D view first.",
    "drive_linked": "The keys of {name} are in {action}, which is linked. Make it local first.",
    "drive_gone": "The character that was driven is not there any more.",
    "drive_button": "Drive",
    "driven": "{name} was driven for {frames} frames; play them.",
    "tip_movement": "Set all numbers of a movement at once: the body's shape, its jumps and falls, how it is steered",
    "movement_menu": "Movement",
    "panel_body": "Body",
    "panel_moves": "Moves",
    "panel_ground": "Ground",
    "push_no_world": "{name} has nothing to push: the scene has no rigid body world that is on.",
    "push_baked": (
        "{name} pushes nothing: the rigid bodies are baked. Delete their bake in the scene's rigid body cache to have "
        "them pushed."
    ),
    "field_lost": (
        "The force field {name} does not move it: of kind {kind} with shape {shape} it cannot be told for any place. "
        "Wind, Force and Vortex from a point do, the first two from a plane, too."
    ),
    "tip_set_action_aside": (
        "Take the rig's Action off, so that only the walk moves it. "
        "The Action stays in the file; bones that it moved go back to rest"
    ),
    "tip_bake": "Write the walk into an Action of its own and end the preview; everything else stays as it is",
    "tip_gait_from_action": (
        "Bake an Action's straight steady strides to a gait preset: contacts, feet, pelvis, arms and spine. "
        "Any armature whose legs are found will do, and any character with as many legs can walk with it"
    ),
    "tip_correction_add": "Add a line that names a bone for a role; in Pose Mode it takes the active bone",
    "tip_correction_remove": "Remove the chosen line",
    # the command line
    "arg_object": "name of the character; without it, all of the scene",
    "arg_start": "first frame",
    "arg_end": "last frame",
    "arg_output_bake": "the .blend file to save; without it, the opened one",
    "arg_output_report": "the JSON file to write; without it, the character's name",
    "arg_step": "frames from key to key",
    "arg_tolerance": "leave keys out where each channel stays within this of its value",
    "arg_markers": "pose markers where feet land and lift",
    "no_such_object": "There is no object {name} in the scene {scene}.",
    "no_characters": "No object of the scene {scene} is set up. Open the file, select an armature and press Set Up.",
    "no_such_curve": "There is no curve object {name} in the scene {scene}.",
    "no_feet": "{name} has no feet to measure: {reason}",
    "no_chart": "{name} has no feet, so there is no gait to chart.",
    "no_output": "The file was never saved. Say where to with --output.",
    "not_saved": "{path} cannot be saved. Choose another file with --output. ({reason})",
    "written": "{name}: report written to {path}.",
    # why something is unavailable
    "no_object": "Select an armature first.",
    "no_armature": "{name} is no armature. Select the armature of your character.",
    "not_set_up": "{name} is not set up. Press Set Up first.",
    "linked": (
        "{name} is linked from another file and cannot be changed here. "
        "Make a library override first (Object, Library Override, Make)."
    ),
    "edit_mode": "{name} is in Edit Mode. Leave it first.",
    "not_in_scene": "{name} is not in the scene {scene}. Open a scene that holds it.",
    "hidden": (
        "{name} is not evaluated in this view layer: its collection is excluded, or it is disabled in viewports. "
        "Switch it on first."
    ),
    "blocked": "{name} cannot walk yet: {reason}",
    "tweak_mode": "{name} is in the NLA's tweak mode. Leave it (Tab in the NLA editor) first.",
    "ring": "{names} follow each other in a ring. Choose another target or mover for one of them.",
    "nothing_to_follow_PATH": (
        "{name} has no path to follow: the curve was deleted or never chosen. Choose one, or another director."
    ),
    "nothing_to_follow_TARGET": (
        "{name} has no target to go to: the object was deleted or never chosen. Choose one, or another director."
    ),
    "nothing_to_follow_MOVER": (
        "{name} is to follow its own animation and has none: the mover was deleted or never chosen. "
        "Choose one, animate the armature object, or choose another director."
    ),
    "not_there": (
        "{name} follows {followed}, which is not in the scene {scene}. "
        "Link it to a collection there, or choose another."
    ),
    "solo_track": (
        "The NLA track {track} is solo, so Blender plays no Action on {name}. "
        "Switch its star off in the NLA editor to see a bake."
    ),
    "no_influence": (
        "The Action on {name} has an influence of 0 and does not show. Raise it in the NLA editor (Action, Influence)."
    ),
    "unplayed_curves": (
        "Curves of the former Action that move nothing (no such bone or property, no such index, or no keys): {count}. "
        "They were kept as they are: {names}."
    ),
    "and_more": "and {count} more",
    "no_action": "{name} has no Action to set aside.",
    "bad_range": "The last frame ({end}) lies before the first ({start}). Swap them.",
    "bad_step": "The step must be at least one frame.",
    "nothing_to_report": (
        "{name} has neither an Action nor a preview. Bake first, switch the preview on, or assign an Action."
    ),
    "cancelled": "Cancelled. Nothing was changed; the frames computed so far are known.",
    "stopped": "{name} stopped at frame {frame}: {reason}",
    "in_no_scene": "{name} is in no scene. Link it to a collection of your scene first.",
    "gone": "The character was deleted meanwhile.",
    "travel_parented": (
        "{name} has a parent; its travel can be baked only as its settings say. Change Travel in the panel instead."
    ),
    "no_root": "{name} has no root bone to carry the travel. Choose Object or In Place.",
    "clip_none": "{name} has no clip to play. Choose an Action.",
    "clip_too_long": "The Action {action} is longer than {most} frames. Give it a frame range, or cut it.",
    "gait_no_name": "The gait has no name. Give it one with letters or digits.",
    "gait_name_ships": "A gait called {name} ships with Surefoot. Choose another name.",
    "gait_no_action": "{name} has no Action to take a gait from. Import a clip, or choose an Action.",
    "gait_unknown_action": "There is no Action {action} in this file. Choose one of its Actions.",
    "gait_previewed": "{name} shows its preview. Switch Preview off, so that the Action plays.",
    "gait_no_slot": "The Action {action} has no slot {slot}. Leave the slot empty to have it found.",
    "gait_other_bones": "The Action {action} moves no bone of {name}. Select the armature that it was made for.",
    "gait_too_short": "The Action {action} is shorter than two frames. Choose one that walks.",
    "gait_too_long": "The Action {action} is longer than {most} frames. Give a range of frames with a few strides.",
    "no_gait": "No gait can be taken from {action}: {reason}",
    "gait_about": "From the Action {action}, the mean of {strides} strides.",
    "gait_saved": "{title}: {strides} strides at {speed:.2f} m/s, {period:.2f} s each; kept as a gait preset.",
    "panel_performance": "Gait from a Performance",
    "performance_button": "Gait from Action...",
    "performance_hint": "Takes the manner of walking from the Action of this armature, for any rig with as many legs.",
    "not_writable": "{path} cannot be written: {reason}. Choose another file.",
    "no_such_character": "There is no character {name!r}; there are {known}.",
    "object_mode": "Things are added in Object Mode. Leave the present mode (Tab) first.",
    # results
    "character_added": "{name} added. Press Set Up in the {tab} tab.",
    "set_up": "{name}: {legs} legs found. Press Play to see it walk.",
    "set_up_long": "{name}: a long body without legs was found. Press Play to see it slither.",
    "set_up_long_problems": "{name}: a long body without legs was found. Not understood: {count}; see the panel.",
    "set_up_problems": "{name}: {legs} legs found. Not understood: {count}; see the panel.",
    "action_set_aside": "{name} is moved by the walk alone. The Action {action} is still in the file.",
    "simulated": "{name} is computed up to frame {frame}.",
    "baked": "{name}: {frames} frames baked into the Action {action}.",
    "reported": "Report of {name}: {feet} feet, largest slide {slide:.1f} mm.",
    "reported_no_feet": "Report of {name}, which has no feet.",
    "report_title": "{name}, frames {start} to {end}",
    "report_foot": "{role}: {stance}; {stride}",
    "report_stance": "slides {slide:.1f} mm, at most {below:.0f} mm in and {above:.0f} mm over the ground",
    "report_no_ground": "slides {slide:.1f} mm, no ground below it",
    "report_never_down": "never down in this range",
    "report_stride": "down {duty:.0%} of a stride, {cadence:.0f} steps a minute",
    "report_stride_of_pair": "down {duty:.0%} of a stride, {cadence:.0f} steps a minute of its pair",
    "report_no_stride": "no whole stride in this range",
    "report_slower": "Speed: {error:.1%} slower than asked",
    "report_faster": "Speed: {error:.1%} faster than asked",
    "report_as_asked": "Speed: as asked",
    "report_file": "{name} report.json",
    "chart_name": "{name} gait chart",
    "charted": "Gait chart of {name}: {line}.",
    "removed": "{name} is an ordinary armature again.",
    "action_name": "{name} Surefoot",
    "layer_name": "Surefoot",
    "marker_landing": "{foot} lands",
    "marker_lift_off": "{foot} lifts",
    # panel
    "panel_character": "Character",
    "panel_problems": "Problems: {count}",
    "panel_motion": "Motion",
    "panel_style": "Style",
    "panel_layers": "Layers",
    "panel_adjustment": "Pose Adjustment",
    "adjustment_hint": "Pose the rig as it should stand, then keep it. It lies under everything, once.",
    "adjustment_take_button": "Keep Pose as Adjustment",
    "adjustment_none": "{name} is posed as before: turn a bone first.",
    "camera": "Camera",
    "layer_unknown": "The kind {kind} was made by a newer Surefoot; it is left out. Update the extension.",
    "layer_stays": "It is at the end of its stage: what blends, stands, looks, reaches and swings goes in this order.",
    "layer_aims_at_nothing": "{layer} has nothing to aim at: choose a target, or give the scene a camera.",
    "layer_no_bone": "{layer}: {target} has no bone {bone}. Choose one, or empty the field.",
    "no_such_layer": "There is no kind of layer {kind}. Use one of {kinds}.",
    "no_such_setting": "A {kind} layer has no setting {setting}. It has {settings}.",
    "wrong_setting": "The {setting} of a {kind} layer does not take this: {reason}",
    "no_layer_there": "{name} has no layer number {place}.",
    "layer_of_library": "{layer} comes from the library of {name}: it cannot be moved or removed here. Mute it.",
    "layer_keys_linked": "{action} has keys of {what} that would move and is linked from another file: they cannot "
        "follow. Give {name} a local copy of the Action first.",
    "layer_keys_shared": "{action} has keys of {what} that would move, and animates {other} too. Make it single-user "
        "on {name} first.",
    "layer_drivers_linked": "The library of {name} drives {what} that would move, and drivers cannot follow in an "
        "override. Do it in the library's file.",
    "style_menu": "Set a Style",
    "panel_steps": "Steps",
    "panel_limits": "Start, Turns and Stops",
    "panel_bake": "Bake and Report",
    "panel_bake_options": "Options",
    "panel_render": "Render and Export",
    "panel_rig": "Mapping and Set-Up",
    "add_button": "Add a Character",
    "set_up_button": "Set Up",
    "set_up_hint": "Finds the legs, sides and roles of {name}. Then press Play.",
    "legs": "{name}: {legs} legs",
    "set_up_again": "Set Up Again",
    "remove_button": "Remove Surefoot",
    "play_button": "Play",
    "pause_button": "Pause",
    "bake_button": "Bake to Action",
    "chart_button": "Gait Chart",
    "report_button": "Report",
    "lock_button": "Lock Interface",
    "default_ground": "All visible",
    "role_placeholder": "Role",
    "no_clip": "Choose an Action to play.",
    "no_path": "Choose a curve to follow.",
    "no_target": "Choose an object to go to.",
    "own_animation": "Follows the armature's own animation, at its speed.",
    "mover_speed": "The mover's own animation says how fast.",
    "blocked_below": "It cannot walk before the problem below is solved. Then Set Up Again.",
    "preview_off_action": "Plays the Action {action}. Preview shows the walk instead.",
    "preview_off": "The rig is as you posed it. Preview shows the walk.",
    "other_scene": "{name} walks in the scene {scene}. Set up again, it walks in this one.",
    "reach": "Computed to frame {end}",
    "reach_nothing": "Nothing computed yet",
    "reach_behind": "Frame {frame} is not computed yet: press Simulate (the clock).",
    "action_beside": (
        "The rig's Action {action} plays along on what the walk does not move: bones {bones}, other curves {curves}."
    ),
    "keeps_action": "The rig's Action also moves other things: it stays, and plays along.",
    "lock_interface": "Recommended while rendering in a window:",
    "range": "Frames {start} to {end}",
    "no_range": (
        "The scene ends at frame {end}, before the walk starts at frame {start}. "
        "Set End in the timeline, or Start Frame under Start, Turns and Stops."
    ),
    "before_start": "It stands here until frame {frame}.",
    "physics": "Cloth, physics, motion paths and exports see the walk right only after Simulate or Bake.",
    "mapping_hint": "Name bones for roles by hand, then Set Up Again.",
    # writing a clip
    "mixed_action": "The Action of {name} is mixed with its NLA tracks ({blend}, influence {influence}). Set it to "
        "Replace and 1 in the NLA editor to see it as it is.",
    "write_kept": "Bones that the motion does not move keep what moved them before: {count} ({names}).",
    "write_no_frames": "There is nothing to write on {name}: the motion has no frames.",
    "write_bone_gone": "{name} has no bone {bone} any more. Read the armature again, then write.",
    "write_no_number": "{bone} has no place at frame {frame} of the motion; look for broken keys there.",
    # a rig that is followed live
    "source_itself": "{name} is to follow itself. Choose another armature as Source.",
    "source_of_no_kind": (
        "{name} is to follow {source}, which is no armature and no empty. Choose an armature, or the topmost empty."
    ),
    "no_source": "Choose the rig to follow.",
    "source_start": "Begins",
    "source_travel": "Way",
    "source_rests": "Rest Poses",
    "source_feet": "Feet",
    "source_release": "Release (s)",
    "live_feet": (
        "Live, nothing is known of the frames to come: feet are held from where they are seen to land. Retarget to "
        "Action cleans them with a look ahead."
    ),
} | MOTION_TEXT | MAPPING_TEXT | ROOT_MOTION_TEXT


def text(key: str, **values: object) -> str:
    """The text of the table with its values filled in."""
    return TEXT[key].format(**values) if values else TEXT[key]
