import json
import math
from dataclasses import replace

import numpy as np
import pytest
from support.walkers import Walker, with_foot
from surefoot.core.measure.report import report

WHOLE = ["version", "fps", "frame_start", "frame_end", "speed_error", "path_error", "cost_ms", "feet"]
FOOT_MEASURES = ["slide_max_m", "pop_deg", "duty_factor", "phase_offset", "cadence_spm", "stride_m"]
FOOT = ["contacts", *FOOT_MEASURES, "flight", "double_support"]
CONTACT = ["start", "end", "planned", "slide_m", "slide_speed_median", "slide_speed_p95", "below_m", "above_m"]


def test_the_report_has_the_promised_keys_in_order():
    walker = Walker()
    whole = report(walker.track(), walker.contacts())
    assert list(whole) == WHOLE
    assert list(whole["feet"]) == ["foot.L", "foot.R"]
    assert list(whole["feet"]["foot.L"]) == FOOT
    assert list(whole["feet"]["foot.L"]["contacts"][0]) == CONTACT


def test_the_report_is_plain_json_and_comes_back_the_same():
    walker = Walker()
    path = np.array([[0.0, 1.0], [0.0, -9.0]])
    whole = report(walker.track(), walker.contacts(), np.full(181, 1.3), path, cost_ms=0.4)
    assert json.loads(json.dumps(whole, allow_nan=False)) == whole
    assert whole["speed_error"] == pytest.approx(0.0, abs=1e-3)
    assert whole["path_error"] == pytest.approx(0.0, abs=1e-3)
    assert whole["cost_ms"] == 0.4


def test_a_clean_walk_measures_as_it_was_made():
    walker = Walker()
    foot = report(walker.track(), walker.contacts())["feet"]["foot.R"]
    assert foot["slide_max_m"] == pytest.approx(0.0, abs=1e-9)
    assert foot["duty_factor"] == pytest.approx(0.62)
    assert foot["phase_offset"] == pytest.approx(0.5)
    assert foot["stride_m"] == pytest.approx(1.43)
    assert foot["cadence_spm"] == pytest.approx(60.0 * 2.0 / 1.1)
    assert foot["double_support"] == pytest.approx(0.24)
    assert all(contact["planned"] for contact in foot["contacts"])


def test_a_foot_without_a_plan_is_judged_by_what_is_found():
    walker = Walker()
    planned = walker.contacts()
    del planned["foot.R"]
    feet = report(walker.track(), planned)["feet"]
    assert [contact["planned"] for contact in feet["foot.R"]["contacts"]] == [False] * 6
    assert feet["foot.R"]["duty_factor"] == pytest.approx(0.62, abs=0.05)
    assert all(contact["planned"] for contact in feet["foot.L"]["contacts"])


def test_the_largest_slide_is_that_of_the_worst_contact():
    walker = Walker()
    track, planned = walker.track(), walker.contacts()
    heel = track.feet[0].heel.copy()
    row = math.ceil(planned["foot.L"].foot[2].start) + 3
    heel[row] += [0.003, 0.0, 0.0]
    foot = report(with_foot(track, heel=heel), planned)["feet"]["foot.L"]
    assert foot["slide_max_m"] == pytest.approx(0.003)
    assert [contact["slide_m"] > 0.001 for contact in foot["contacts"]].index(True) == 2


def test_a_pop_at_a_landing_is_told_in_degrees():
    walker = Walker(speed=0.0, lift=0.0)
    track, planned = walker.track(), walker.contacts()
    joints = track.feet[0].joints.copy()
    joints[:, :] = [[0, 0, 0.9], [0, -0.1, 0.5], [0, 0, 0.1]]
    landing = round(planned["foot.L"].foot[1].start)
    joints[landing:, 1] = [0, -0.2, 0.5]
    before, after = (2.0 * math.degrees(math.atan2(bend, 0.4)) for bend in (0.1, 0.2))
    foot = report(with_foot(track, joints=joints), planned)["feet"]["foot.L"]
    assert foot["pop_deg"] == pytest.approx(after - before)


def test_a_character_that_stands_has_no_gait_and_no_nan():
    track = Walker(speed=0.0, lift=0.0).track()
    whole = report(track, asked_speed=0.0)
    foot = whole["feet"]["foot.L"]
    assert (foot["duty_factor"], foot["stride_m"], whole["speed_error"]) == (None, None, None)
    assert len(foot["contacts"]) == 1
    json.dumps(whole, allow_nan=False)


def test_no_feet_give_a_report_without_feet():
    track = replace(Walker().track(), feet=())
    assert report(track)["feet"] == {}
