"""The kinds of layers there are: one line each adds one to the panel, the scripts and the contract tests."""

from __future__ import annotations

from .aim import Aim, AimConfig
from .layer import LayerKind
from .look_at import LookAt, LookAtConfig

_KINDS: tuple[LayerKind, ...] = (
    LayerKind(
        "LOOK_AT", "Look At", "Chest, neck, head and eyes turn to a target", "LOOK", LookAtConfig, LookAt, "PLACE",
        icon="HIDE_OFF",
    ),
    LayerKind(
        "AIM", "Aim", "A chain of bones points an axis at a target", "LOOK", AimConfig, Aim, "PLACE",
        icon="PIVOT_CURSOR",
    ),
)  # fmt: skip

LAYERS: dict[str, LayerKind] = {item.kind: item for item in _KINDS}
