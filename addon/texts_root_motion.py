"""What is said about root motion; part of the table in `texts`."""

from __future__ import annotations

ROOT_MOTION_TEXT = {
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
    "root_only_strips": "{name} is animated by NLA strips alone. Choose one of their Actions, or bake the strips to one "
        "(Object, Animation, Bake Action).",
    "root_linked_action": "{action} is linked from another file and cannot be replaced. Switch Replace off, and a new "
        "Action is made.",
    "root_no_keys": "The Action {action} has no keys. Choose another one.",
    "root_no_axis": "No axis of the travel is chosen. Switch on at least one.",
    "root_unknown_axis": "There is no direction {axis}. Use one of {axes}.",
    "root_unknown_carrier": "There is no carrier {carrier}. Use AUTO, ROOT_BONE or OBJECT.",
    "root_no_root": "{name} has no root bone. Switch on Add Root Bone, or let the object carry the travel.",
    "root_no_body": "No pelvis was found in {name}. Set it under Mapping, or use another armature.",
    "root_no_torso": "{name} is a generated Rigify rig without a torso control that could be moved. Generate it again "
        "with FK Controls in the spine's Rigify options.",
    "root_carries_nothing": "In the Action {action}, {carrier} does not move. There is nothing to put back.",
    "root_linked_armature": "The armature data {armature} of {name} is linked from another file: it cannot get a root "
        "bone here. Add it in the library, or let the object carry the travel.",
    "root_shared_armature": "The armature data {armature} is used by other objects than {name} too, and they would get "
        "the root bone as well. Make it single-user first, or let the object carry the travel.",
    "root_not_local": "{bone} has Local Location switched off, and could not keep its pose under a root bone. Switch it "
        "on, or let the object carry the travel.",
    "root_other_mode": "{name} is not in Object Mode. Leave its mode first.",
    # results
    "root_not_held": "Something else keeps {count} bones or objects from their places (a constraint, a driver, a lock, "
        "a connected bone): {names}.",
    "root_done": "{action}: {frames} samples.",
}
