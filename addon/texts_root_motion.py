"""What is said about root motion; part of the table in `texts`."""

from __future__ import annotations

ROOT_MOTION_TEXT = {
    # tooltips of the operators
    "tip_root_extract": "A new Action in which the root bone or the object carries the pelvis's travel; the body stays "
        "where it was on every frame",
    "tip_root_put_back": "A new Action in which the pelvis carries again what the root bone or the object did",
    "tip_in_place": "A new Action without net travel: sway, lean and bounce stay, and so do feet that stand",
    "tip_remove_lift": "A new Action on level ground: what the ground rises and falls is taken out, the bounce stays",
    "tip_straighten_heading": "A new Action that goes straight: the turn is taken out of its travel",
    "tip_join_loop": "A new Action that is a loop: its seam is measured and closed, its travel in a round is kept",
    "tip_mirror": "A new Action that is the mirror image: left for right, and travel to the other side",
    "tip_trim": "A new Action with what lies between two frames, all its curves",
    "tip_resample": "A new Action with a key for each sample at another rate, at the scene's own times",
    # panel
    "panel_root_motion": "Root Motion and Loops",
    "root_panel_none": "This armature has no Action.",
    "root_panel_hint": "Each makes a new Action beside this one. Options are in the panel of the last operation (F9).",
    # Actions that are made
    "root_extracted": "{name} Root Motion",
    "root_put_back_name": "{name} Put Back",
    "root_in_place": "{name} In Place",
    "root_level": "{name} Level",
    "root_straight": "{name} Straight",
    "root_trimmed": "{name} Trimmed",
    "root_resampled": "{name} {fps:g} fps",
    "root_joined": "{name} Loop",
    "root_mirrored": "{name} Mirrored",
    # refusals
    "root_no_action": "{name} has no Action to change. Import a clip, or choose an Action.",
    "root_only_strips": "{name} is animated by NLA strips alone. Choose one of their Actions, or bake the strips to "
        "one (Object, Animation, Bake Action).",
    "root_linked_action": "{action} is linked from another file and cannot be replaced. Switch Replace off, and a new "
        "Action is made.",
    "root_no_keys": "The Action {action} has no keys. Choose another one.",
    "root_no_number": "Key {number} of {path} in {action} is no number. Remove it in the Graph Editor first.",
    "root_no_axis": "No axis of the travel is chosen. Switch on at least one.",
    "root_unknown_axis": "There is no direction {axis}. Use one of {axes}.",
    "root_unknown_carrier": "There is no carrier {carrier}. Use AUTO, ROOT_BONE or OBJECT.",
    "root_no_root": "{name} has no root bone. Switch on Add Root Bone, or let the object carry the travel.",
    "root_no_body": "No pelvis was found in {name}. Set it under Mapping, or use another armature.",
    "root_no_torso": "{name} is a generated Rigify rig without a torso control that could be moved. Generate it again "
        "with FK Controls in the spine's Rigify options.",
    "root_body_not_held": "{bone} cannot be kept where it is: a constraint, a driver, a lock or Connected says where "
        "it goes. Mute, unlock or disconnect it first.",
    "root_carries_nothing": "In the Action {action}, {carrier} does not move. There is nothing to put back.",
    "root_linked_armature": "The armature data {armature} of {name} is linked from another file: it cannot get a root "
        "bone here. Add it in the library, or let the object carry the travel.",
    "root_shared_armature": "The armature data {armature} is used by other objects than {name} too, and they would get "
        "the root bone as well. Make it single-user first, or let the object carry the travel.",
    "root_not_local": "{bone} has Local Location switched off, and could not keep its pose under a root bone. Switch "
        "it on, or let the object carry the travel.",
    "root_other_mode": "{name} is not in Object Mode. Leave its mode first.",
    "root_bad_range": "Frames {start:g} to {end:g} are no part of the Action, which goes from {first:g} to {last:g}.",
    "root_bad_rate": "A rate has to be more than 0 frames a second, and less than 100,000.",
    "root_too_short": "The Action {action} has {frames} frames; a loop needs at least {least}.",
    "root_unknown_choice": "There is no choice {value}. Use one of {known}.",
    "root_turning_cycle": "A round turns by {degrees:.0f} degrees, and repeated curves cannot turn on with it. Choose "
        "Hold, or straighten the heading first.",
    "root_no_partner": "{name} has no bone in its middle, and none that is another's mirror image: nothing can be "
        "mirrored.",
    # results
    "root_rest": "The last {seconds:.4f} s are left out: they are no whole step at {fps:g} a second.",
    "root_baked_curves": "{count} curves with modifiers, easings or linear extrapolation are keyed frame by frame now.",
    "root_odd_modifiers": "{count} curves have modifiers whose own times stay as they were.",
    "root_open_curves": "{count} curves that are no bone's do not end as they begin, and are left so.",
    "root_loop_rise": "A round rises by {metres:.3f} m, which is kept.",
    "root_alone": "{count} bones have no mirror image and keep their motion: {names}.",
    "root_locked": "Locked channels of {count} bones are not mirrored: {names}.",
    "root_sampled": "{count} curves are keyed frame by frame now, as rolls or rotation modes of left and right differ.",
    "root_half_open": "The Action is no loop: half a cycle later, its end and its beginning meet in the middle, with a "
        "jump.",
    "root_turning_half": "A round turns by {degrees:.0f} degrees, which half a cycle later is not made up for.",
    "root_not_held": "Something else keeps {count} bones or objects from their places (a constraint, a driver, a lock, "
        "a connected bone): {names}.",
    "root_seam": "Loop of {frames} frames. Seam: {place:.2f} cm, {turn:.2f} degrees, {velocity:.2f} m/s before; "
        "{closed:.2f} cm, {turned:.2f} degrees, {faster:.2f} m/s now.",
    "root_done": "{action}: {frames} samples.",
}
