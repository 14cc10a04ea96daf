"""The texts of reading a motion and of moving it to another rig; `texts` has them in its table."""

from __future__ import annotations

MOTION_TEXT = {
    # why a motion cannot be read
    "motion_none": (
        "{name} has no motion: no Action, no NLA strip, nothing that it follows. Import a clip, or assign an Action."
    ),
    "motion_no_slot": (
        "The Action {action} is on {name} with no slot, so it moves nothing. "
        "Choose a slot beside the Action's name in the Action editor."
    ),
    "motion_nothing_moves": (
        "The Action {action} moves neither {name} nor any of its bones. Assign one that was made for it."
    ),
    "motion_previewed": "{name} shows its preview, which is no motion yet. Bake it, or switch Preview off.",
    "motion_disabled": "{name} is disabled in viewports, so it is not evaluated. Switch it on first.",
    "motion_rest_position": (
        "{name} is shown in its rest position. Set it to Pose Position (Object Data, Pose), so that its motion shows."
    ),
    "motion_too_long": "{name} moves over {frames} frames; at most {most} are read. Give a range of frames.",
    "motion_unreadable": "{name} cannot be read: {reason}",
    "motion_no_bones": "{name} has no bones. Choose another armature.",
    "motion_gone": "{name} was deleted meanwhile.",
    "motion_no_joints": (
        "{name} is neither an armature nor an empty with joints below it. Choose the armature or empty that moves."
    ),
    "motion_none_of_empties": "Nothing animates {name} or the empties below it. Choose the topmost one.",
    "motion_action_of_empties": "{name} is no armature, so no single Action moves it. Leave the Action empty.",
    # what to know of a motion that was read
    "motion_curves_ignored": (
        "Curves that move nothing (no such bone or property, no such index, or no keys) were ignored: {count}: {names}."
    ),
    "motion_stretched": (
        "Bones that are stretched, scaled or mirrored were read by their joints, without that ({count}): {names}."
    ),
    "motion_turned": (
        "{name} lies on its side because of its file's axes; its motion was taken as if it stood. "
        "Import the file with its own up axis to have it stand."
    ),
    "motion_rest_unturned": (
        "Empties have no rest pose. For that of {name} all animated turns were taken at zero; if pelvis, head, hands "
        "or feet are tilted, choose the present pose as reference."
    ),
    "motion_rest_first": "Empties have no rest pose. For that of {name} the pose of the first frame was taken.",
    # why nothing can be retargeted
    "retarget_no_source": "{name} has no source to take a motion from. Choose one in the Retarget panel.",
    "retarget_itself": "{name} is its own source. Choose another armature, or the empty that moves.",
    "retarget_refused": "The motion of {name} cannot be moved: {reason}",
    "retarget_target": "{name} cannot take a motion: {reason}",
    # what it says
    "retarget_preview_off": "The preview of {name} was switched off, so that the Action shows.",
    "retarget_other_rests": (
        "Bones of equal names rest differently on both rigs ({count}; most: {bone}, by {degrees:.0f} degrees). "
        "The motion was converted; the source's Action itself would be wrong here by as much."
    ),
    "retarget_feet_free": "Feet were left as the joints' directions put them, as the settings say.",
    "retarget_no_legs": "The target has no legs that were understood, so no foot was planted. Name them in its set-up.",
    "retarget_no_role": "Feet that have no counterpart in the source were not planted: {names}.",
    "retarget_uneven": (
        "The source walks on the spot at no even speed, so its feet follow its own and are not held. "
        "A clip that travels can be held."
    ),
    "retargeted": "{name}: {frames} frames in the Action {action}; {follow} of {of} larger bones follow.",
    "retarget_slide": "Feet slide {after:.1f} mm at most (without planting: {before:.0f} mm).",
    "tip_retarget": (
        "Move what the source does to this armature: bones are matched by their roles, rest poses reconciled, feet "
        "planted, and the result is an Action of its own. Nothing else is changed"
    ),
    # panel
    "panel_retarget": "Retarget",
    "panel_retarget_options": "Options",
    "panel_retarget_result": "Last Retarget",
    "panel_retarget_matched": "Matched: {count}",
    "panel_retarget_stayed": "Stayed at Rest: {count}",
    "panel_retarget_unused": "Source Bones That Lead Nothing: {count}",
    "retarget_button": "Retarget",
    "retarget_hint": (
        "The Action's feet are planted with a look ahead. A rig that follows its source live (Base: Rig) has none, "
        "and its feet ease into their places a little later."
    ),
    "retarget_choose": "Choose the armature, or an empty of an imported animation, whose motion is taken.",
    "source_action": "Plays the Action {action}",
    "source_strips": "Plays NLA strips",
    "source_led": "Is moved by what it follows",
    "source_empties": "An empty: it and those around it are the joints",
    "source_still": "Nothing animates it",
    "source_no_rig": "Neither an armature nor an empty",
    "result_line": "{source_action}: {follow} of {of} larger bones follow, {frames} frames",
    "result_feet": "Feet slide {after:.1f} mm at most; without planting {before:.0f} mm",
    "result_no_feet": "No foot was planted",
    "result_pair": "{target}: {source}",
    "arg_source": "name of the armature, or of an empty, whose motion is taken",
    "arg_target": "name of the armature that takes it",
    "arg_action": "an Action of the source; without it, what the source shows",
    "arg_report": "a JSON file for what was matched and measured",
}
