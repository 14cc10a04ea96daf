"""In another language Blender names new things otherwise: nothing of ours is looked up by the name Blender gave it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

# What Blender names after its kind, in the language of the interface if "New Data" is translated; sockets it does not.
NAMED_BY_BLENDER = {"modifiers", "constraints", "nodes", "uv_layers", "key_blocks", "nla_tracks"}


def looked_up_by_name(source: str) -> Iterator[str]:
    """Each lookup of a fixed name in a collection that Blender names things in."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript):
            holder, key = node.value, node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"get", "find"}:
            holder, key = node.func.value, node.args[0]
        else:
            continue
        is_named = isinstance(key, ast.Constant) and isinstance(key.value, str)
        if is_named and isinstance(holder, ast.Attribute) and holder.attr in NAMED_BY_BLENDER:
            yield f"{holder.attr}: {key.value}"


def test_nothing_is_looked_up_by_a_name_that_blender_translates(repository: Path):
    for path in sorted((repository / "addon").rglob("*.py")):
        assert list(looked_up_by_name(path.read_text(encoding="utf-8"))) == [], path.name


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('body.modifiers["Armature"].object = rig', ["modifiers: Armature"]),
        ('node_tree.nodes.get("Principled BSDF")', ["nodes: Principled BSDF"]),
        ("body.modifiers[0].object = rig", []),
        ("body.modifiers[made.name].object = rig", []),
        ('rig.pose.bones["head"]', []),
    ],
)
def test_the_look_finds_what_it_looks_for(source: str, found: list[str]):
    assert list(looked_up_by_name(source)) == found


def test_no_two_tables_of_texts_have_the_same_key():
    from surefoot.addon import texts

    tables = [value for name, value in vars(texts).items() if name.endswith("_TEXT")]
    keys = [key for table in tables for key in table]
    assert len(tables) >= 4
    assert len(keys) == len(set(keys))
    own = texts.__loader__.get_source(texts.__name__)
    assert not [key for key in keys if f'\n    "{key}":' in own]
