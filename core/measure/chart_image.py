"""A gait chart as a drawing: rectangles and texts that an image or a view can show, and rows of pixels made of them.

Time runs to the right, one row a foot, a bar while it is down; over them a row for flights and crossing legs. What a
walk must not do is red.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .contacts import Span
from .gait_chart import PAIR, GaitChart
from .pixel_font import HEIGHT, blotted, width_of

Colour = tuple[float, float, float, float]

PAPER: Colour = (0.09, 0.10, 0.12, 0.85)
LANE: Colour = (0.15, 0.16, 0.19, 1.0)
LEFT: Colour = (0.95, 0.45, 0.30, 1.0)
RIGHT: Colour = (0.35, 0.62, 0.95, 1.0)
MIDDLE: Colour = (0.75, 0.75, 0.70, 1.0)
ALOFT: Colour = (0.55, 0.55, 0.60, 0.35)
WRONG: Colour = (1.0, 0.10, 0.15, 0.85)
INK: Colour = (0.86, 0.88, 0.90, 1.0)
FAINT: Colour = (0.45, 0.47, 0.50, 1.0)
NOW: Colour = (1.0, 1.0, 1.0, 0.9)

LETTER = 2  # pixels of a font's dot
MARGIN, LANE_HEIGHT, GAP = 10, 16, 4
TICK_SPACING = 60  # pixels between two frame numbers, at least


@dataclass(frozen=True)
class Rectangle:
    """A filled rectangle in pixels, from its lower left corner."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour


@dataclass(frozen=True)
class Text:
    """A line of text from the lower left corner of its first letter."""

    x: float
    y: float
    text: str
    colour: Colour


@dataclass(frozen=True)
class Drawing:
    """All of a chart: its size in pixels, and what is drawn in order."""

    width: int
    height: int
    rectangles: tuple[Rectangle, ...]
    texts: tuple[Text, ...]


def drawing(chart: GaitChart, width: int = 960, now: float | None = None) -> Drawing:
    """Lay a chart out over `width` pixels; `now` marks a frame."""
    labels = max((width_of(role) for role in chart.feet), default=0) * LETTER
    notes = width_of("DUTY 0.00 PHASE 0.00") * LETTER
    left, right = MARGIN + labels + MARGIN, width - MARGIN - notes - MARGIN
    text_height = HEIGHT * LETTER
    lanes = len(chart.feet)
    foot = MARGIN + text_height + GAP
    top = foot + (lanes + 1) * (LANE_HEIGHT + GAP)
    height = top + text_height + 2 * MARGIN
    scale = _Scale(chart.window, left, max(right, left + 1))
    rectangles = [Rectangle(0, 0, width, height, PAPER)]
    texts = [Text(MARGIN, height - MARGIN - text_height, headline(chart), INK)]
    for row, (role, spans) in enumerate(chart.contacts.items()):
        y = foot + (lanes - 1 - row) * (LANE_HEIGHT + GAP)
        rectangles.append(scale.bar(chart.window, y, LANE))
        rectangles += [scale.bar(span, y, _colour(role)) for span in scale.inside(spans)]
        texts.append(Text(MARGIN, y + GAP, role, INK))
        texts.append(Text(right + MARGIN, y + GAP, _note(chart, role), INK))
    y = foot + lanes * (LANE_HEIGHT + GAP)
    rectangles += [scale.bar(span, foot, ALOFT, y - foot) for span in scale.inside(chart.flights)]
    faults = [*chart.walk_flights, *(span for spans in chart.crossings.values() for span in spans)]
    rectangles += [scale.bar(span, y, WRONG) for span in scale.inside(faults)]
    texts += [Text(MARGIN, y + GAP, "FAULTS", FAINT), *scale.numbers(MARGIN)]
    if now is not None and chart.window.start <= now <= chart.window.end:
        rectangles.append(Rectangle(scale.x(now), foot, 2, y - foot, NOW))
    return Drawing(width, height, tuple(rectangles), tuple(texts))


def headline(chart: GaitChart) -> str:
    """The gait in one line: cadence, stride, both feet down or none; or why nothing is known of it."""
    reason = why_empty(chart)
    if reason:
        return reason
    parts = []
    steps = "{:.0f} STEPS/MIN" if len(chart.feet) <= PAIR else "{:.0f} STEPS/MIN A PAIR"
    for name, what, form in (
        ("DUTY", "duty_factor", "{:.2f}"),
        ("CADENCE", "cadence", steps),
        ("STRIDE", "stride", "{:.2f} M"),
    ):
        value = chart.mean(what)
        parts.append(f"{name} {'-' if value is None else form.format(value)}")
    for name, what in (("DOUBLE", "double_support"), ("FLIGHT", "flight")):
        value = chart.mean(what)
        parts.append(f"{name} {'-' if value is None else f'{100.0 * value:.0f}%'}")
    crossed = sum(len(spans) for spans in chart.crossings.values())
    if crossed:
        parts.append(f"CROSSED {crossed}")
    if chart.walk_flights:
        parts.append(f"FLIGHTS IN A WALK {len(chart.walk_flights)}")
    return "  ".join(parts)


def why_empty(chart: GaitChart) -> str:
    """Why a chart has no numbers and what helps; empty where it has some."""
    if any(foot.strides for foot in chart.feet.values()):
        return ""
    start, end = chart.window
    frames = f"IN FRAMES {start:.0f}-{end:.0f}"
    if not any(chart.contacts.values()):
        return f"NO FOOT IS EVER DOWN {frames}"
    seconds = (end - start) / chart.fps
    return f"NO FOOT LANDS TWICE {frames}: NO WHOLE STRIDE IN {seconds:.1f} S. CHOOSE A LONGER RANGE"


def rasterized(drawn: Drawing) -> np.ndarray:
    """The drawing as pixels, (height, width, 4) from the lowest row up, 0 to 1, as an image keeps them."""
    pixels = np.zeros((drawn.height, drawn.width, 4), dtype=np.float32)
    pixels[..., 3] = 1.0
    for shape in drawn.rectangles:
        x0, x1 = round(shape.x), max(round(shape.x + shape.width), round(shape.x) + 1)
        y0, y1 = round(shape.y), round(shape.y + shape.height)
        area = pixels[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0), :3]
        area += shape.colour[3] * (np.array(shape.colour[:3], dtype=np.float32) - area)
    for text in drawn.texts:
        blotted(pixels, text.text, round(text.x), round(text.y), LETTER, text.colour[:3])
    return pixels


def _note(chart: GaitChart, role: str) -> str:
    foot = chart.feet[role]
    duty = "-" if foot.duty_factor is None else f"{foot.duty_factor:.2f}"
    phase = "-" if foot.phase_offset is None else f"{foot.phase_offset:.2f}"
    return f"DUTY {duty} PHASE {phase}"


def _colour(role: str) -> Colour:
    return LEFT if role.endswith(".L") else RIGHT if role.endswith(".R") else MIDDLE


class _Scale:
    """Frames to pixels."""

    def __init__(self, window: Span, left: float, right: float) -> None:
        self.window, self.left, self.right = window, left, right
        self.frame = (right - left) / max(window.length, 1e-9)

    def x(self, frame: float) -> float:
        return self.left + (frame - self.window.start) * self.frame

    def bar(self, span: Span, y: float, colour: Colour, height: float = LANE_HEIGHT) -> Rectangle:
        return Rectangle(self.x(span.start), y, span.length * self.frame, height, colour)

    def inside(self, spans: Sequence[Span]) -> list[Span]:
        """What of the spans lies in the window."""
        start, end = self.window
        return [Span(max(s.start, start), min(s.end, end)) for s in spans if s.end > start and s.start < end]

    def numbers(self, y: float) -> list[Text]:
        """Frame numbers, at round steps."""
        least = TICK_SPACING / self.frame
        power = 10.0 ** math.floor(math.log10(max(least, 1.0)))
        step = next((k * power for k in (1, 2, 5, 10) if k * power >= least), 10 * power)
        first = math.ceil(self.window.start / step) * step
        count = int((self.window.end - first) // step) + 1 if first <= self.window.end else 0
        return [Text(self.x(first + k * step), y, f"{first + k * step:.0f}", FAINT) for k in range(count)]
