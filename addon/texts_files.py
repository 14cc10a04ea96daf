"""Texts about files of motion, cleaned feet and many motions at once."""

from __future__ import annotations

FILE_TEXT = {
    "no_importer": "{name} needs Blender's importer {addon}. Switch it on in Edit, Preferences, Add-ons.",
    "import_failed": "{name} could not be imported: {reason}. Export it anew, or from another program.",
    "import_gave_up": "Blender's importer gave up",
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
    "clean_controls_replace": (
        "{name} is a control rig: controls and switches are keyed anew, in a new Action only. Leave that option off."
    ),
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
    # many motions
    "tip_retarget_batch": (
        "Move many motions to this armature: all Actions of the source, or all files of a folder. Each becomes an "
        "Action of its own; one that fails stops no other, and Esc keeps what is done"
    ),
    "batch_no_actions": "{name} has no Actions. Import some, or choose a folder of files.",
    "batch_no_folder": "There is no folder {path}. Choose one that holds files of motion.",
    "batch_no_files": "The folder {path} holds no files of motion ({kinds}). Choose another.",
    "batch_unforeseen": "Something unforeseen stopped it ({kind}: {reason}). Please report it with the file.",
    "batch_row": "{action}: {frames} frames, {follow} of {of} bones follow",
    "batch_row_feet": "(feet slid {before:.0f} mm, slide {after:.1f} mm)",
    "batch_done": "{done} of {count} motions are on {target}; not moved: {failed}.",
    "batch_cancelled": "Cancelled: {done} motions are on {target} and stay; not moved until then: {failed}.",
    "panel_batch": "Many Motions",
    "batch_actions_button": "All Actions of the Source",
    "batch_folder_button": "Folder of Files...",
    "batch_hint": "Each becomes an Action of its own; the present one stays. Options are those of the last batch.",
    "tip_retarget_table": "Save a row for each motion of the last batch as a CSV file for spreadsheets",
    "batch_table_button": "Save Table...",
    "batch_table_file": "{name} motions.csv",
    "batch_table_written": "A table of {count} motions was written to {path}.",
    "batch_none": "No batch was done on {name} in this session. Move some motions first.",
    "batch_slide": ", feet slide {slide:.1f} mm",
    "arg_folder": "a folder of BVH, FBX, glTF or VRM animation files, instead of --source",
    "arg_all_actions": "all Actions of the source, each into one of its own",
    "arg_recursive": "with --folder, the folders in it, too",
    "arg_csv": "the CSV file to write with a row for each motion",
    "no_source_or_folder": "Name the source with --source, or a folder with --folder.",
}
