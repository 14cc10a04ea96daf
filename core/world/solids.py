"""Test grounds with exact answers, all in one place: they stand in for a scene wherever a World is asked."""

from .compound import Empty, Moving, Placement, Union
from .extruded import Extruded, Flat, Gap, Ramp, Stairs
from .rooms import Box, Pipe
from .solid import Contact, Frame, Ray, Solid
from .terrain import Blocks, Hills, Hole

__all__ = [
    "Blocks",
    "Box",
    "Contact",
    "Empty",
    "Extruded",
    "Flat",
    "Frame",
    "Gap",
    "Hills",
    "Hole",
    "Moving",
    "Pipe",
    "Placement",
    "Ramp",
    "Ray",
    "Solid",
    "Stairs",
    "Union",
]
