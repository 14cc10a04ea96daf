"""The texts of the bodies that physics has; `texts` has them in its table."""

from __future__ import annotations

RAGDOLL_TEXT = {
    "panel_ragdoll": "Bodies",
    "tip_ragdoll_build": (
        "Find the bodies of this armature for falls: one for each limb, by roles, as large as its skin, as heavy as "
        "its proportions say, with joints that go as far as they should. What you changed of them stays"
    ),
    "ragdoll_built": "{name}: {bodies} bodies, {mass:.3g} kg.",
    "ragdoll_no_plan": "{name} has no bodies: {reason}",
    "ragdoll_not_built": "Build first: it finds the bodies and lists them here.",
    "ragdoll_counts": "{bodies} bodies, {mass:.3g} kg, {height:.3g} m",
    "ragdoll_limits_of": "Limits of {role}",
    "ragdoll_no_joint": "It carries the others and has no joint.",
    "ragdoll_axes": "Flexion, to the side, twist",
    "tip_ragdoll_mirror": "Give the body on the other side the same changes, mirrored",
    "tip_ragdoll_mirror_all": "Give all bodies of the right side the changes of the left, mirrored, or the other way",
    "ragdoll_no_mirror": "{role} lies in the middle and has no other side.",
    "ragdoll_mirrored": "{count} bodies mirrored.",
    "tip_ragdoll_reset": "Leave this body as it is understood",
    "tip_ragdoll_save": "Keep what you changed of the bodies as a file, for any rig with bodies of these names",
    "ragdoll_saved": "The bodies are kept as {file} in {path}.",
    "tip_ragdoll_load": "Put saved changes of bodies on this armature, in place of its own",
    "ragdoll_loaded": "{file}: changes of {count} bodies on {name}.",
    "ragdoll_loaded_missing": "{file}: changes of {count} bodies on {name}; it has no {missing}.",
    "tip_ragdoll_delete": "Take a saved file of changes away",
    "ragdoll_deleted": "{file} is deleted.",
    "ragdoll_unknown": "There is no saved file of bodies called {file}; there are: {known}.",
    "ragdoll_nothing": "Nothing is changed of the bodies of {name}; there is nothing to keep.",
    "ragdoll_no_name": "Give the file a name with letters or numbers in it.",
    "ragdoll_file_unreadable": "{file} cannot be read: {reason}.",
    "ragdoll_menu": "Load Bodies",
    "tip_ragdoll_show_objects": (
        "Put the bodies into the scene as wire meshes on their bones, in one collection; again to refresh them. "
        "Physics does not use them"
    ),
    "tip_ragdoll_hide_objects": "Remove those wire meshes and their collection; nothing of them stays in the file",
    "ragdoll_collection": "{name} Bodies",
    "ragdoll_shown": "{count} bodies of {name} are in the collection {collection}.",
    "ragdoll_hidden": "{count} bodies of {name} are removed.",
    "ragdoll_linked": "{name} is linked, so its bodies cannot be put on its bones. Make a library override first.",
}
