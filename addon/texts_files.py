"""Texts about files of motion, cleaned feet and many motions at once."""

from __future__ import annotations

FILE_TEXT = {
    "no_importer": "{name} needs Blender's importer {addon}. Switch it on in Edit, Preferences, Add-ons.",
    "import_failed": "{name} could not be imported: {reason} Export it anew, or from another program.",
    "import_gave_up": "Blender's importer gave up.",
    "import_nothing_moves": "{name} holds neither an animated armature nor animated empties. Export it with motion.",
    # clean feet
    "tip_clean_feet": (
        "Hold the feet of an Action where they stand, in a new Action: found contacts, smooth ramps, legs that get no "
        "straighter. Only curves that have to change do"
    ),
    "clean_no_action": "{name} plays no Action. Assign one, or choose one of its Actions.",
    "clean_no_keys": "The Action {action} has no keys. Choose one that moves the armature.",
    "clean_linked": "The Action {action} is linked from another file. Have a new Action made instead.",
    "clean_mirrored": "{name} is mirrored by a negative scale. Apply its scale (Object, Apply, Scale).",
    "clean_unknown_feet": "{name} has no foot called {feet}. It has {known}.",
    "clean_moved_otherwise": (
        "Constraints or drivers move {bones} of {name}, so its feet cannot be held by keys. Bake the Action first "
        "(Pose, Animation, Bake Action, with Visual Keying and Clear Constraints), then clean that."
    ),
    "clean_no_foot_bone": (
        "{role} has no foot bone that was understood: only the end of its leg was held. Name it under Mapping."
    ),
    "clean_never_stands": "{role} never stands still on the floor, so it was not held.",
    "clean_unreached": "{role} misses its place by up to {missed:.0f} mm: its leg is too short to get there.",
    "clean_all_off": "No foot is chosen, so nothing was held.",
    "clean_too_short": "The Action is too short to tell when a foot stands, so nothing was held.",
    "clean_name": "{action} Clean",
    "clean_still_slides": (
        "{role} still slides by {slide:.0f} mm in a contact whose other frames stand already; look at its landing."
    ),
    "cleaned": "{name}: {curves} curves changed, in the Action {action}. {feet}.",
    "cleaned_nothing": "{name}: nothing had to change. {feet}.",
    "cleaned_foot": "{role} slid {before:.1f} mm and slides {after:.1f} mm in {contacts} contacts",
    "panel_clean_feet": "Clean Feet",
    "clean_feet_button": "Clean Feet...",
    "clean_feet_hint": "Feet stand still where they touch the ground, in a new Action; the present one stays.",
    "clean_floor": "Floor at {floor:.3f} m",
    "clean_drift": "The floor of the take drifts by {drift:.0f} mm from its first contact to its last.",
    "clean_lowered": "The body was lowered by up to {lowered:.0f} mm, so that no leg gets straighter.",
}
