"""Test grounds with exact answers, all in one place: they stand in for a scene wherever a World is asked."""

from .compound import Moving, Placement, Union
from .extruded import Extruded, Flat, Gap, Ramp, Stairs
from .solid import Contact, Empty, Solid
from .terrain import Blocks, Hills, Hole

__all__ = [
    "Blocks",
    "Contact",
    "Empty",
    "Extruded",
    "Flat",
    "Gap",
    "Hills",
    "Hole",
    "Moving",
    "Placement",
    "Ramp",
    "Solid",
    "Stairs",
    "Union",
]
