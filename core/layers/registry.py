"""The kinds of layers there are: one line each adds one to the panel, the scripts and the contract tests."""

from __future__ import annotations

from .aim import Aim, AimConfig
from .chain import ChainConfig, ChainLayer
from .clip import ClipLayer, ClipLayerConfig
from .layer import LayerKind
from .legs import Legs, LegsConfig
from .look_at import LookAt, LookAtConfig
from .reach import Reach
from .reaching import ReachConfig
from .springs import Springs
from .springs_config import SpringsConfig

# By stage: in this order they work, and are offered.
_KINDS: tuple[LayerKind, ...] = (
    LayerKind(
        "CLIP", "Clip", "An Action over the base motion: in its place on some bones, or on top; by the clock, by "
        "progress or in step", "BLEND", ClipLayerConfig, ClipLayer, icon="ACTION", uses=("action", "progress"),
    ),
    LayerKind(
        "LEGS", "Legs on Ground", "Puts the feet of a clip on slopes, stairs and hills", "LEGS", LegsConfig, Legs,
        icon="CON_FLOOR",
    ),
    LayerKind(
        "LOOK_AT", "Look At", "Chest, neck, head and eyes turn to a target", "LOOK", LookAtConfig, LookAt, "PLACE",
        icon="HIDE_OFF",
    ),
    LayerKind(
        "AIM", "Aim", "A chain of bones points an axis at a target", "LOOK", AimConfig, Aim, "PLACE",
        icon="PIVOT_CURSOR",
    ),
    LayerKind(
        "CHAIN", "Chain", "A tail, a neck, a trunk or a tentacle brings its tip to a target", "REACH", ChainConfig,
        ChainLayer, "PLACE", icon="CON_SPLINEIK",
    ),
    LayerKind(
        "REACH", "Reach", "A hand or a foot goes to a target and stays on it", "REACH", ReachConfig, Reach, "SPOT",
        weighs=True, icon="VIEW_PAN",
    ),
    LayerKind(
        "SPRINGS", "Springs", "Tails, ears, antennae, hair and props lag behind and swing", "SECONDARY",
        SpringsConfig, Springs,
        icon="FORCE_HARMONIC",
    ),
)  # fmt: skip

LAYERS: dict[str, LayerKind] = {item.kind: item for item in _KINDS}
