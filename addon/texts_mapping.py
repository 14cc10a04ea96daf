"""The texts of mappings: roles and pairs by hand, saved and found again; `texts` has them in its table."""

from __future__ import annotations

MAPPING_TEXT = {
    # tooltips
    "tip_mapping_take": "The bone that has this role, by hand: the active bone of this armature, or one of the menu",
    "tip_mapping_clear": "Forget what was set by hand for this role: it is again as it is understood",
    "tip_mapping_save": (
        "Keep what is set by hand as a file of yours. It is found again for the same bones, or for all of their family"
    ),
    "tip_mapping_load": "Put a saved mapping on this armature, in place of what is set by hand",
    "tip_mapping_delete": "Take a saved mapping's file away",
    "tip_mapping_candidates": "Which bones could have this role, the likeliest first, and what speaks for each",
    "tip_pair_take": "Which bone of the source this bone follows, by hand; without one it stays at rest",
    "tip_pair_clear": "This bone follows what is matched by itself again",
    # refusals
    "mapping_unreadable": "{file} cannot be read: {reason}.",
    "mapping_empty": "On {name} nothing is set by hand, so there is nothing to keep. Choose a bone for a role first.",
    "mapping_needs_source": "{mapping} is of a pair. Give {name} a source first.",
    "mapping_unknown": "There is no saved mapping {mapping!r}. There are: {known}.",
    "mapping_no_name": "A mapping needs a name with at least one letter.",
    "mapping_long_name": "That name is too long for a file. Use fewer than 100 letters.",
    "mapping_no_family": "The names of {name} are of no known family. Keep the mapping for these bones instead.",
    "mapping_not_saved": "This mapping cannot be kept: {reason}",
    "mapping_no_bone": "{name} has no bone {bone}. Choose another.",
    "mapping_no_role": "{role!r} is no role that can be set by hand. Use one like thigh.L, neck or index.R.",
    "mapping_no_active": "No bone of {name} is active. In Pose Mode, click the bone first.",
    "none": "none",
    # results
    "mapping_by_hand": "set by hand",
    "mapping_used": "Mapping used: {mapping}.",
    "mapping_saved": "{mapping} kept in {path}.",
    "mapping_loaded": "{mapping} put on {name}: {roles} roles, {pairs} pairs.",
    "mapping_loaded_missing": "{mapping} put on {name}: {roles} roles, {pairs} pairs. Not in this rig: {missing}.",
    "mapping_deleted": "{mapping} is gone.",
    # panel
    "panel_mapping": "Mapping",
    "panel_pairs": "Pairs with the Source",
    "panel_saved": "Saved Mappings",
    "panel_fingers": "Fingers",
    "no_fingers": "No fingers were found on its hands.",
    "mapping_by_NAME": "name",
    "mapping_by_SHAPE": "shape",
    "mapping_by_HAND": "hand",
    "mapping_why_HAND": "by hand",
    "mapping_why_NAME": "by name: {family}",
    "mapping_why_WORDS": "by its name",
    "mapping_why_SHAPE": "by shape",
    "mapping_why_MISSING": "not found",
    "mapping_candidate": "{bone}  {score:.0%}: {reasons}",
    "mapping_no_candidates": "No bone comes near this role.",
    "mapping_family": "Names: {family}",
    "mapping_no_names": "Names of no known family; read by shape.",
    "mapping_again": "Changed by hand. Set Up Again reads the rig anew.",
    "mapping_more": "+ {count}",
    "mapping_found": "Found for this rig: {mapping}",
    "pairs_hint": "Choose an armature as the source: then it is listed which of its bones leads which of this one.",
    "pair_unused": "Lead nothing: {names}",
    "pair_counts": "{follow} follow, {stay} stay at rest",
    "save_button": "Save",
    "load_button": "Load",
}
