"""A layout that writes down what a panel asks of it: drawing itself needs a window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy


class Layout:
    """Takes the calls of a UILayout; refuses properties, operators and menus that do not exist."""

    def __init__(self, sheet: dict[str, list[Any]] | None = None) -> None:
        self.sheet = sheet if sheet is not None else {"labels": [], "props": [], "buttons": [], "greyed": []}
        self.enabled = True

    def _check(self, function: str, arguments: dict[str, Any]) -> None:
        """Every argument exists in this Blender."""
        assert set(arguments) <= set(bpy.types.UILayout.bl_rna.functions[function].parameters.keys())

    def _child(self, **arguments: Any) -> Layout:
        self._check("row", {key: value for key, value in arguments.items() if key != "factor"})
        return Layout(self.sheet)

    row = column = box = split = _child

    def label(self, *, text: str = "", icon: str = "NONE") -> None:
        assert icon in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
        self.sheet["labels"].append(text)

    def progress(self, *, text: str, factor: float) -> None:
        self._check("progress", {"text": text, "factor": factor})
        assert 0.0 <= factor <= 1.0
        self.sheet["labels"].append(text)

    def prop(self, owner: Any, name: str, **arguments: Any) -> None:
        self._check("prop", arguments)
        assert name in owner.bl_rna.properties, name
        self.sheet["props" if self.enabled else "greyed"].append(name)

    def prop_search(self, owner: Any, name: str, where: Any, choices: str, **arguments: Any) -> None:
        assert choices in where.bl_rna.properties
        self.prop(owner, name, **arguments)

    def template_list(
        self, kind: str, _id: str, owner: Any, name: str, chooser: Any, active: str, **_more: Any
    ) -> None:
        assert hasattr(bpy.types, kind)
        assert name in owner.bl_rna.properties
        assert active in chooser.bl_rna.properties

    def operator(self, name: str, **arguments: Any) -> SimpleNamespace:
        self._check("operator", arguments)
        module, _, operator = name.partition(".")
        assert operator in dir(getattr(bpy.ops, module)), name
        self.sheet["buttons"].append(name)
        return SimpleNamespace()

    def menu(self, name: str, **_arguments: Any) -> None:
        assert hasattr(bpy.types, name)
        self.sheet["buttons"].append(name)

    def separator(self) -> None:
        """Nothing to write down."""


def drawn(panel: type) -> dict[str, Any]:
    """What a panel shows now; "text" is all its labels as one line, since sentences are broken."""
    assert panel.poll(bpy.context)
    layout = Layout()
    panel.draw(SimpleNamespace(layout=layout), bpy.context)
    return {**layout.sheet, "text": " ".join(layout.sheet["labels"])}
