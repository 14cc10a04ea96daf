"""What came into a file while something ran, so that it can go again without residue."""

from __future__ import annotations

import bpy
from bpy.types import ID

Known = frozenset[tuple[str, int]]
# Windows and their screens belong to the program; they come and go by themselves. The last one lists all others again.
NOT_OURS = {"window_managers", "screens", "workspaces", "all_ids"}


def known() -> Known:
    """All data-blocks of the file, by kind and id; to be compared later. No Blender object is kept."""
    return frozenset((kind, block.session_uid) for kind in _kinds() for block in getattr(bpy.data, kind))


def came_since(before: Known) -> Known:
    """The data-blocks that are there now and were not then."""
    return known() - before


def remove(blocks: Known) -> None:
    """Take data-blocks out of the file; those that are gone already are passed over."""
    found = [block for kind in _kinds() for block in getattr(bpy.data, kind) if (kind, block.session_uid) in blocks]
    scenes = [block for block in found if isinstance(block, bpy.types.Scene)]
    bpy.data.batch_remove([block for block in found if block not in scenes])
    for scene in scenes:
        bpy.data.scenes.remove(scene)


def found_again(kind: str, uid: int) -> ID | None:
    """A data-block by its id; None where it is gone."""
    return next((block for block in getattr(bpy.data, kind) if block.session_uid == uid), None)


def _kinds() -> list[str]:
    properties = bpy.types.BlendData.bl_rna.properties
    return [
        item.identifier
        for item in properties
        if item.type == "COLLECTION" and item.identifier not in NOT_OURS and _holds_blocks(item)
    ]


def _holds_blocks(item: bpy.types.CollectionProperty) -> bool:
    kind = item.fixed_type
    while kind is not None:
        if kind.identifier == "ID":
            return True
        kind = kind.base
    return False
