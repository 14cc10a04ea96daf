"""The kinds of layers there are: one line each adds one to the panel, the scripts and the contract tests."""

from __future__ import annotations

from .layer import LayerKind

_KINDS: tuple[LayerKind, ...] = ()

LAYERS: dict[str, LayerKind] = {item.kind: item for item in _KINDS}
