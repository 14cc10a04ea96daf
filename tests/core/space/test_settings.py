"""What a declared setting says of values that are none of its own."""

from dataclasses import dataclass

from surefoot.core.space.settings import range_errors, setting


@dataclass(frozen=True)
class Chosen:
    side: str = setting("LEFT", "The side that something is on, for a test", choices=("LEFT", "RIGHT"))


def test_a_choice_that_is_offered_is_no_error():
    assert range_errors(Chosen("RIGHT")) == []


def test_a_choice_that_is_not_offered_is_named_with_those_that_are():
    assert range_errors(Chosen("UP")) == ["side is UP, but must be one of LEFT, RIGHT."]
