"""What a person changes of bodies: what it does, mirrored, and as a file that is checked before it is believed."""

from math import radians

import pytest
from mathutils import Quaternion, Vector
from support.ragdolls import our_plan, our_rig
from support.rigs import rest_vertices
from surefoot.core.preset_text import preset_text
from surefoot.core.ragdoll.edits import BodyEdit, mirror_edit
from surefoot.core.ragdoll.edits_file import EditsError, edits_table, read_edits, saved_edits
from surefoot.core.ragdoll.make_plan import make_plan
from surefoot.core.ragdoll_presets import plan_config

HINGE = (radians(-10.0), radians(-2.0), radians(-5.0)), (radians(120.0), radians(2.0), radians(5.0))


def edited(*edits, who="person"):
    return make_plan(our_rig(who), rest_vertices(who), plan_config(), edits)


def body(plan, role):
    return plan.bodies[plan.place_of(role)]


def test_nothing_changed_is_the_plan_as_it_was():
    assert edited(BodyEdit("thigh.L")) == our_plan("person")


def test_size_is_a_factor_along_each_of_a_bodys_own_axes():
    plain, plan = body(our_plan("person"), "chest"), body(edited(BodyEdit("chest", size=(2.0, 1.0, 0.5))), "chest")
    assert plan.size == pytest.approx([f * s for f, s in zip((2.0, 1.0, 0.5), plain.size, strict=True)], rel=1e-5)
    assert plan.rest == plain.rest


def test_an_offset_shifts_a_body_along_its_own_axes_and_leaves_its_joint():
    plain, plan = (
        body(p, "thigh.L") for p in (our_plan("person"), edited(BodyEdit("thigh.L", offset=(0.0, 0.0, 0.1))))
    )
    shift = Vector(plan.rest.origin) - Vector(plain.rest.origin)
    assert tuple(shift) == pytest.approx(tuple(Quaternion(plain.rest.turn) @ Vector((0.0, 0.0, 0.1))), abs=1e-5)
    assert plan.joint == plain.joint


def test_a_mass_factor_makes_one_body_heavier_and_no_other():
    plain, plan = our_plan("person"), edited(BodyEdit("head", mass=2.0))
    for one, other in zip(plan.bodies, plain.bodies, strict=True):
        assert one.mass == pytest.approx(other.mass * (2.0 if one.role == "head" else 1.0))
    assert plan.mass == pytest.approx(plain.mass + body(plain, "head").mass)


def test_a_shape_limits_and_friction_take_the_place_of_the_roles():
    plan = body(edited(BodyEdit("shin.L", shape="BOX", low=HINGE[0], high=HINGE[1], friction=0.7)), "shin.L")
    assert plan.shape == "BOX"
    assert (plan.joint.low, plan.joint.high, plan.joint.friction) == (*HINGE, 0.7)


def test_a_capsule_is_at_least_as_long_as_it_is_thick():
    plan = body(edited(BodyEdit("foot.L", shape="CAPSULE", size=(8.0, 1.0, 1.0))), "foot.L")
    assert plan.size[2] >= plan.size[0]


def test_a_body_that_is_left_out_hands_its_bones_to_what_they_hang_on():
    plan = edited(BodyEdit("spine", off=True))
    assert plan.place_of("spine") == -1
    assert plan.bodies[body(plan, "chest").parent].role == "pelvis"
    assert plan.mass == pytest.approx(our_plan("person").mass)


def test_the_first_body_cannot_be_left_out():
    assert edited(BodyEdit("pelvis", off=True)).bodies[0].role == "pelvis"


def test_an_edit_of_a_body_that_the_rig_does_not_have_is_said():
    assert "tail_3" in edited(BodyEdit("tail_3", mass=2.0)).notes[0]


def test_an_edit_is_mirrored_to_the_other_side_with_its_limits():
    edit = BodyEdit("upper_arm.L", (1.0, 2.0, 3.0), (0.1, 0.2, 0.3), 1.5, "BOX", (-1.0, -0.9, -0.8), (1.0, 0.2, 0.1))
    other = mirror_edit(edit)
    assert other == BodyEdit(
        "upper_arm.R", (1.0, 2.0, 3.0), (-0.1, 0.2, 0.3), 1.5, "BOX", (-1.0, -0.2, -0.1), (1.0, 0.9, 0.8)
    )
    assert mirror_edit(other) == edit
    assert mirror_edit(BodyEdit("chest", mass=2.0)) is None


def test_mirrored_changes_make_mirrored_bodies():
    left = BodyEdit("thigh.L", offset=(0.03, 0.0, 0.0), low=(-1.0, -0.9, -0.2), high=(1.0, 0.2, 0.1))
    plan = edited(left, mirror_edit(left))
    one, other = body(plan, "thigh.L"), body(plan, "thigh.R")
    x, y, z = one.rest.origin
    assert other.rest.origin == pytest.approx((-x, y, z), abs=1e-4)


def test_a_file_gives_back_what_was_saved_for_a_body_of_any_size():
    edits = (
        BodyEdit("thigh.L", (1.0, 1.2, 0.9), (0.1, 0.0, -0.2), 1.5, "BOX", *HINGE, 0.4),
        BodyEdit("tail", off=True),
        BodyEdit("head", mass=2.0),
    )
    data = preset_text(edits_table(saved_edits("Mine", edits, 2.0))).encode()
    saved = read_edits(data, "mine.toml")
    assert saved.name == "Mine"
    first, *others = saved.sized(2.0)
    assert (first.role, first.size, first.shape, first.friction) == ("thigh.L", (1.0, 1.2, 0.9), "BOX", 0.4)
    assert first.offset == pytest.approx((0.1, 0.0, -0.2))
    assert (*first.low, *first.high) == pytest.approx((*HINGE[0], *HINGE[1]), abs=1e-6)
    assert tuple(others) == edits[1:]
    assert saved.sized(4.0)[0].offset == pytest.approx((0.2, 0.0, -0.4))


GOOD = 'version = 1\nname = "a"\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("version = 2", "version 2 is not known"),
        ('name = "a"', "version None"),
        ("= 3", "no valid TOML"),
        (GOOD, "must be a list"),
        (GOOD + "bodies = [1]", "must be a list"),
        (GOOD + "other = 1\nbodies = []", "other is not known"),
        (GOOD + '[[bodies]]\nrole = "x"\ncolor = 1', "color is not known"),
        (GOOD + "[[bodies]]\nmass = 1.0", "role must be a text"),
        (GOOD + '[[bodies]]\nrole = "x"\nmass = 0.0', "a number from 0.01 to 100"),
        (GOOD + '[[bodies]]\nrole = "x"\nmass = nan', "a number from"),
        (GOOD + '[[bodies]]\nrole = "x"\nsize = [1.0, 1.0]', "three numbers"),
        (GOOD + '[[bodies]]\nrole = "x"\nlow = [0, 0, 0]', "both low and high"),
        (GOOD + '[[bodies]]\nrole = "x"\nlow = [1, 0, 0]\nhigh = [0, 0, 0]', "low must not be over high"),
        (GOOD + '[[bodies]]\nrole = "x"\nlow = [0, -120, 0]\nhigh = [0, 0, 0]', "from -90 to 90"),
        (GOOD + '[[bodies]]\nrole = "x"\nshape = "BALL"', "BOX or CAPSULE"),
        (GOOD + '[[bodies]]\nrole = "x"\n[[bodies]]\nrole = "x"', "x is there twice"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_name_and_the_reason(text: str, reason: str):
    with pytest.raises(EditsError, match=reason) as refused:
        read_edits(text.encode(), "bad.toml")
    assert "bad.toml" in str(refused.value)


def test_a_file_that_is_far_too_large_is_not_even_parsed():
    with pytest.raises(EditsError, match="larger than"):
        read_edits(b"#" * 1_000_001, "bad.toml")
