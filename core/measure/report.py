"""The motion report: everything that is measured, in one dictionary of plain numbers that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .clearance import contact_clearance
from .contacts import Contacts, found_contacts
from .gait_chart import FootChart, chart
from .pops import pop_at_edges
from .slide import contact_slide
from .track import FootTrack, Track
from .travel import path_error, speed_error

VERSION = 1


def report(
    track: Track,
    planned: Mapping[str, Contacts] | None = None,
    asked_speed: float | np.ndarray | None = None,
    path: np.ndarray | None = None,
    cost_ms: float | None = None,
) -> dict[str, Any]:
    """Measure a track: metres, seconds, degrees; None where something cannot be said.

    Feet that `planned` names are judged by their plan, others by the contacts found from places alone.
    `asked_speed` is metres a second along the ground, one number or one a frame; `path` a polyline in the world.
    """
    plan = planned or {}
    found = found_contacts(track) if any(foot.role not in plan for foot in track.feet) else {}
    contacts = {foot.role: plan.get(foot.role) or found[foot.role] for foot in track.feet}
    charts = chart(track, contacts)
    whole = {
        "version": VERSION,
        "fps": track.fps,
        "frame_start": int(track.frames[0]),
        "frame_end": int(track.frames[-1]),
        "speed_error": None if asked_speed is None else speed_error(track, contacts, asked_speed),
        "path_error": None if path is None else path_error(track, contacts, path),
        "cost_ms": cost_ms,
        "feet": {
            foot.role: _foot(track, foot, contacts[foot.role], charts[foot.role], planned=foot.role in plan)
            for foot in track.feet
        },
    }
    return _plain(whole)


def _foot(track: Track, foot: FootTrack, contacts: Contacts, gait: FootChart, *, planned: bool) -> dict[str, Any]:
    spans = []
    for span in contacts.foot:
        slide = contact_slide(track, foot, contacts, span)
        clearance = contact_clearance(track, foot, contacts, span)
        spans.append(
            {
                "start": span.start,
                "end": span.end,
                "planned": planned,
                "slide_m": slide.distance,
                "slide_speed_median": slide.speed_median,
                "slide_speed_p95": slide.speed_p95,
                "below_m": clearance.below,
                "above_m": clearance.above,
            }
        )
    return {
        "contacts": spans,
        "slide_max_m": max((span["slide_m"] for span in spans), default=0.0),
        "pop_deg": math.degrees(pop_at_edges(track.frames, foot.joints, contacts.foot)),
        "duty_factor": gait.duty_factor,
        "phase_offset": gait.phase_offset,
        "cadence_spm": gait.cadence,
        "stride_m": gait.stride,
        "flight": gait.flight,
        "double_support": gait.double_support,
    }


def _plain(value: Any) -> Any:
    """The same tree with numpy's numbers made Python's and what is no number made None."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
