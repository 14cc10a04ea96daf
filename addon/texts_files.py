"""Texts about files of motion, cleaned feet and many motions at once."""

from __future__ import annotations

FILE_TEXT = {
    "no_importer": "{name} needs Blender's importer {addon}. Switch it on in Edit, Preferences, Add-ons.",
    "import_failed": "{name} could not be imported: {reason} Export it anew, or from another program.",
    "import_gave_up": "Blender's importer gave up.",
    "import_nothing_moves": "{name} holds neither an animated armature nor animated empties. Export it with motion.",
}
