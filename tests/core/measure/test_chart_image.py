"""What is drawn of a gait: bars where a foot is down, red where a walk is wrong, letters that can be read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.walkers import DOG, RUN, Walker
from surefoot.core.measure.chart_image import (
    ALOFT,
    LEFT,
    LETTER,
    NOW,
    RIGHT,
    WRONG,
    Rectangle,
    drawing,
    headline,
    rasterized,
)
from surefoot.core.measure.contacts import Contacts, Span
from surefoot.core.measure.gait_chart import GaitChart, gait_chart
from surefoot.core.measure.pixel_font import HEIGHT, LETTERS, blotted, dots, width_of


@pytest.fixture
def walk() -> GaitChart:
    return gait_chart(Walker().track(), Walker().contacts())


def bars(chart: GaitChart, colour: tuple[float, ...], width: int = 960) -> list[Rectangle]:
    return [shape for shape in drawing(chart, width).rectangles if shape.colour == colour]


def lane(chart: GaitChart, width: int = 960) -> tuple[float, float]:
    """Where the window begins and how many pixels a frame has: the lanes are as wide as the window is long."""
    first = drawing(chart, width).rectangles[1]
    return first.x, first.width / chart.window.length


def test_each_contact_is_a_bar_from_landing_to_lift_off(walk: GaitChart):
    x, frame = lane(walk)
    for colour, role in ((LEFT, "foot.L"), (RIGHT, "foot.R")):
        expected = [(span.start, span.length) for span in walk.contacts[role]]
        drawn = [(walk.window.start + (bar.x - x) / frame, bar.width / frame) for bar in bars(walk, colour)]
        np.testing.assert_allclose(drawn, expected, atol=1e-9)


def test_feet_are_drawn_in_their_order_from_the_top():
    chart = gait_chart(DOG.track(), DOG.contacts())
    rows = [text.y for role in chart.feet for text in drawing(chart).texts if text.text == role]
    assert rows == sorted(rows, reverse=True)
    assert len(set(rows)) == 4


def test_only_the_part_of_a_contact_in_the_window_is_drawn(walk: GaitChart):
    narrow = replace(walk, window=Span(40.0, 60.0))
    x, frame = lane(narrow)
    for bar in (*bars(narrow, LEFT), *bars(narrow, RIGHT)):
        assert x - 1e-9 <= bar.x
        assert bar.x + bar.width <= x + 20.0 * frame + 1e-9


def test_a_walk_without_faults_shows_none_and_faults_are_red_at_their_frames(walk: GaitChart):
    assert bars(walk, WRONG) == []
    faulty = replace(walk, walk_flights=(Span(50.0, 52.0),), crossings={"foot": (Span(70.0, 75.0),)})
    x, frame = lane(faulty)
    drawn = [(1.0 + (bar.x - x) / frame, bar.width / frame) for bar in bars(faulty, WRONG)]
    np.testing.assert_allclose(drawn, [(50.0, 2.0), (70.0, 5.0)], atol=1e-9)


def test_flights_of_a_run_shade_all_lanes():
    chart = gait_chart(RUN.track(), RUN.contacts())
    assert len(bars(chart, ALOFT)) == len(chart.flights) > 0


def test_the_present_frame_is_marked_only_within_the_window(walk: GaitChart):
    assert [shape.colour for shape in drawing(walk, now=50.0).rectangles].count(NOW) == 1
    assert [shape.colour for shape in drawing(walk, now=9999.0).rectangles].count(NOW) == 0


def test_the_headline_says_the_gait_in_numbers(walk: GaitChart):
    # 1.1 s a stride of 1.3 m/s: 2 steps in it; two feet are down for 2 (0.62 - 0.5) of it.
    assert headline(walk) == "DUTY 0.62  CADENCE 109 STEPS/MIN  STRIDE 1.43 M  DOUBLE 24%  FLIGHT 0%"


def test_the_headline_of_four_feet_counts_the_steps_of_a_pair_and_says_so():
    steps = 60.0 * 2.0 / DOG.stride
    assert f"CADENCE {steps:.0f} STEPS/MIN A PAIR  " in headline(gait_chart(DOG.track(), DOG.contacts()))


def test_the_headline_has_room_in_a_chart_as_it_is_saved():
    drawn = drawing(gait_chart(DOG.track(), DOG.contacts()))
    line = drawn.texts[0]
    assert line.x + width_of(line.text) * LETTER <= drawn.width


def test_a_chart_without_a_whole_stride_says_why_and_what_helps():
    # As of a giant whose stride takes longer than the range.
    short = Walker(seconds=0.5)
    chart = gait_chart(short.track(), short.contacts())
    start, end = chart.window
    frames, seconds = f"{start:.0f}-{end:.0f}", f"{(end - start) / chart.fps:.1f}"
    assert headline(chart) == (
        f"NO FOOT LANDS TWICE IN FRAMES {frames}: NO WHOLE STRIDE IN {seconds} S. CHOOSE A LONGER RANGE"
    )
    drawn = drawing(chart, 1200)
    assert width_of(drawn.texts[0].text) * LETTER <= drawn.width
    assert set(headline(chart)) <= set(LETTERS)
    assert rasterized(drawn).shape[2] == 4


def test_a_chart_whose_feet_are_never_down_says_so(walk: GaitChart):
    aloft = gait_chart(Walker(seconds=0.5).track(), {role: Contacts((), (), ()) for role in walk.contacts})
    assert headline(aloft).startswith("NO FOOT IS EVER DOWN IN FRAMES ")


def test_pixels_run_from_the_lowest_row_up_with_full_alpha(walk: GaitChart):
    drawn = drawing(walk)
    pixels = rasterized(drawn)
    assert pixels.shape == (drawn.height, drawn.width, 4)
    assert pixels.dtype == np.float32
    assert (pixels[..., 3] == 1.0).all()
    bar = next(shape for shape in drawn.rectangles if shape.colour == LEFT)
    middle = pixels[round(bar.y + bar.height / 2), round(bar.x + bar.width / 2)]
    np.testing.assert_allclose(middle, LEFT, atol=1e-6)


def test_every_letter_has_five_rows_of_three_dots_and_differs_from_the_others():
    assert all(len(rows) == HEIGHT and max(map(int, rows)) < 8 for rows in LETTERS.values())
    alike = {("0", "D"), ("0", "O")}
    shapes = [rows for letter, rows in LETTERS.items() if letter not in {pair[1] for pair in alike}]
    assert len(set(shapes)) == len(shapes)


def test_the_letter_l_stands_upright():
    assert dots("l").tolist() == [[True, True, True], *[[True, False, False]] * 4]


def test_letters_beyond_the_edge_are_cut_off():
    pixels = np.zeros((4, 4, 4), dtype=np.float32)
    blotted(pixels, "LL", 0, -2, 2, (1.0, 1.0, 1.0))
    assert pixels[..., 0].tolist() == [[1.0, 1.0, 0.0, 0.0]] * 4


def test_a_line_is_three_dots_a_letter_with_one_between_them():
    assert [width_of(text) for text in ("", "A", "LEG")] == [0, 3, 11]
