"""From a rig to a plan: which bodies there are, how heavy and how large, how they hang together."""

from dataclasses import replace
from math import radians

import pytest
from mathutils import Matrix, Quaternion, Vector
from support.ragdolls import OURS, our_plan, our_rig, plan_of, read, resized, rolled, split, without
from support.rigs import blueprint, hexapod_skeleton, person_skeleton, rest_vertices
from surefoot.core.ragdoll.make_plan import PlanError, make_plan
from surefoot.core.ragdoll_presets import plan_config
from surefoot.core.rig.skeleton import Bone, Skeleton

DE_LEVA = {
    "pelvis": 0.112, "spine": 0.163, "chest": 0.159, "head": 0.069, "upper_arm.L": 0.027, "forearm.L": 0.016,
    "hand.L": 0.006, "thigh.L": 0.142, "shin.L": 0.043, "foot.L": 0.014,
}  # fmt: skip
PERSON = (*DE_LEVA, *(role[:-1] + "R" for role in DE_LEVA if role.endswith(".L")))


def roles(plan):
    return {body.role for body in plan.bodies}


def test_a_person_has_sixteen_bodies_and_each_weighs_its_share():
    plan = our_plan("person")
    assert roles(plan) == set(PERSON)
    whole = sum(2 * share if role.endswith(".L") else share for role, share in DE_LEVA.items())
    for body in plan.bodies:
        share = DE_LEVA[body.role.replace(".R", ".L")] / whole
        assert body.mass == pytest.approx(share * plan.mass, rel=1e-6)


def test_a_person_weighs_75_kg_at_1_75_m_and_others_by_the_cube_of_their_height():
    plan = our_plan("person")
    assert plan.mass == pytest.approx(75.0 * (plan.height / 1.75) ** 3, rel=1e-6)
    assert plan.height == pytest.approx(1.75, abs=0.03)


def test_the_whole_mass_can_be_told():
    assert make_plan(our_rig("dog"), None, plan_config(mass=12.0)).mass == pytest.approx(12.0)


@pytest.mark.parametrize(("who", "low", "high"), [("dog", 25, 45), ("horse", 380, 560), ("bird", 0.5, 3)])
def test_animals_weigh_what_such_animals_weigh(who: str, low: float, high: float):
    assert low < our_plan(who).mass < high


@pytest.mark.parametrize("who", OURS)
def test_every_body_comes_after_its_parent_and_all_hang_on_the_first(who: str):
    plan = our_plan(who)
    assert plan.bodies[0].parent == -1
    assert plan.bodies[0].joint is None
    for k, body in enumerate(plan.bodies[1:], start=1):
        assert 0 <= body.parent < k
        assert body.joint is not None


@pytest.mark.parametrize("who", OURS)
def test_no_body_is_smaller_than_a_hundredth_of_the_height_and_none_is_without_mass(who: str):
    plan = our_plan(who)
    assert min(min(body.size) for body in plan.bodies) >= 0.01 * plan.height - 1e-6
    assert min(body.mass for body in plan.bodies) > 0.0


@pytest.mark.parametrize("who", OURS)
def test_no_bone_is_two_bodies_and_no_two_bodies_have_one_name(who: str):
    plan = our_plan(who)
    bones = [bone for body in plan.bodies for bone in body.bones]
    assert len(bones) == len(set(bones))
    assert len(roles(plan)) == len(plan.bodies)


@pytest.mark.parametrize("who", OURS)
def test_both_sides_are_alike(who: str):
    plan = our_plan(who)
    for body in plan.bodies:
        if body.role.endswith(".L"):
            other = plan.bodies[plan.place_of(body.role[:-1] + "R")]
            assert other.size == pytest.approx(body.size, rel=0.02)
            assert other.mass == pytest.approx(body.mass)
            x, y, z = body.rest.origin
            assert other.rest.origin == pytest.approx((-x, y, z), abs=0.005)


def test_limbs_are_as_thick_as_the_skin_around_their_bones():
    plan = our_plan("person")
    thigh, shin, forearm = (plan.bodies[plan.place_of(role)] for role in ("thigh.L", "shin.L", "forearm.L"))
    # The preset's rings: thigh 58 to 103 mm, shin 46 to 60 mm, forearm 27 to 44 mm of radius.
    assert 0.116 < thigh.size[0] < 0.206
    assert 0.092 < shin.size[0] < 0.120
    assert 0.054 < forearm.size[0] < 0.088
    assert thigh.size[2] == pytest.approx(0.42, abs=0.005)


def test_feet_stand_flat_on_their_soles_as_far_as_to_a_quarter_of_the_toes():
    rig, plan = our_rig("person"), our_plan("person")
    for side in "LR":
        foot = plan.bodies[plan.place_of(f"foot.{side}")]
        assert foot.shape == "BOX"
        up = Quaternion(foot.rest.turn) @ Vector((0.0, 1.0, 0.0))
        assert up.z == pytest.approx(1.0, abs=1e-4)
        assert foot.rest.origin[2] - 0.5 * foot.size[1] == pytest.approx(rig.floor, abs=1e-3)
        sole = rig.leg(f"leg.{side}").sole
        # The rest of the toes is left free to bend.
        assert foot.size[2] == pytest.approx((sole.ball.lerp(sole.toe, 0.25) - sole.heel).length, abs=0.01)


def test_paws_and_hooves_stand_flat_too():
    for who in ("dog", "horse", "bird"):
        rig, plan = our_rig(who), our_plan(who)
        feet = [body for body in plan.bodies if "foot" in body.role]
        assert len(feet) == len(rig.legs)
        for foot in feet:
            assert foot.rest.origin[2] - 0.5 * foot.size[1] == pytest.approx(rig.floor, abs=0.01 * plan.height)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_a_spine_of_any_number_of_bones_is_one_or_two_bodies(count: int):
    short = without(person_skeleton(), "spine.001", "spine.002")
    plan = plan_of(split(short, "chest", count))
    trunk = [body for body in plan.bodies if body.role in ("spine", "chest")]
    assert len(trunk) == min(count, 2)
    assert sum(len(body.bones) for body in trunk) == count


@pytest.mark.parametrize("missing", ["shoulder", "hand", "neck", "toe"])
def test_what_a_rig_does_not_have_leaves_a_plan_all_the_same(missing: str):
    whole, plan = plan_of(person_skeleton()), plan_of(without(person_skeleton(), missing))
    lost = {"hand": {"hand.L", "hand.R"}}.get(missing, set())
    assert roles(plan) == roles(whole) - lost
    assert plan.mass == pytest.approx(whole.mass, rel=0.02)
    assert plan.notes == ()


def test_a_dog_has_blades_two_necks_a_head_a_tail_and_three_bodies_and_a_paw_for_each_leg():
    found = roles(our_plan("dog"))
    assert {"front_blade.L", "neck", "neck_2", "head", "tail", "tail_4", "pelvis", "spine", "chest"} <= found
    for prefix in ("front_", "hind_"):
        assert {f"{prefix}{part}.R" for part in ("thigh", "shin", "metatarsal", "foot")} <= found


def test_a_chest_on_four_legs_is_held_too_and_on_two_only_the_pelvis():
    dog = our_plan("dog")
    assert [dog.bodies[k].role for k in dog.held] == ["pelvis", "chest"]
    assert our_plan("person").held == (0,)


@pytest.mark.parametrize("count", [6, 8])
def test_six_and_eight_legs_have_three_bodies_each(count: int):
    plan = plan_of(hexapod_skeleton()) if count == 6 else our_plan("spider")
    legs = {body.limb for body in plan.bodies if "leg" in body.limb}
    assert len(legs) == count
    assert all(sum(body.limb == leg for body in plan.bodies) == 3 for leg in legs)


def test_what_hangs_on_a_spider_and_has_no_role_is_a_body_by_its_own_name():
    plan = our_plan("spider")
    abdomen = plan.bodies[plan.place_of("abdomen")]
    assert abdomen.parent == 0
    assert abdomen.size[0] > 0.15


def with_hair(count: int = 5) -> Skeleton:
    """A person with a chain of bones down the back of the head."""
    skeleton = person_skeleton()
    bones, head = list(skeleton.bones), skeleton.index["head"]
    for k in range(count):
        place = Matrix.Translation((0.0, 0.1, 1.7 - 0.08 * k)) @ Matrix.Rotation(radians(-90.0), 4, "X")
        bones.append(Bone(f"hair{k}", head if k == 0 else len(bones) - 1, place, 0.08))
    return Skeleton(tuple(bones))


def test_hair_and_ropes_are_bodies_only_where_that_is_asked_for():
    rig = read(with_hair())
    plain = make_plan(rig, None, plan_config())
    plan = make_plan(rig, None, plan_config(chains=True))
    assert roles(plain) == set(PERSON)
    hair = [body for body in plan.bodies if body.role not in PERSON]
    assert len(hair) == 4
    assert sum(len(body.bones) for body in hair) == 5
    assert {body.limb for body in hair} == {"hair0_tail"}
    assert plan.bodies[hair[0].parent].role == "head"
    assert sum(body.mass for body in hair) < 0.03 * plan.mass


def test_fingers_and_twist_bones_are_no_hanging_chains():
    skeleton = person_skeleton()
    bones, hand = list(skeleton.bones), skeleton.index["hand.L"]
    for k in range(3):
        parent = hand if k == 0 else len(bones) - 1
        bones.append(replace(bones[hand], name=f"index{k + 1}.L", parent=parent, length=0.05))
    plan = make_plan(read(Skeleton(tuple(bones))), None, plan_config(chains=True))
    assert roles(plan) == set(PERSON)


def test_a_snake_is_a_chain_of_bodies_from_its_middle_to_both_ends():
    plan = our_plan("snake")
    children = [sum(body.parent == k for body in plan.bodies) for k in range(len(plan.bodies))]
    assert children.count(0) == 2
    assert max(children[1:]) == 1
    assert 10 <= len(plan.bodies) <= 17


def test_a_rig_that_is_not_understood_gets_its_longest_bones_as_bodies_and_a_note():
    bones = []
    for k, place in enumerate(((0, 0, 0), (0.4, 0.1, 0.5), (-0.3, 0.2, 0.9))):
        turn = Matrix.Rotation(0.7 * k, 4, "X")
        bones.append(Bone(f"part {k}", k - 1, Matrix.Translation(place) @ turn, 0.4))
    plan = plan_of(Skeleton(tuple(bones)))
    assert roles(plan) == {"part 0", "part 1", "part 2"}
    assert len({(body.joint.low, body.joint.high) for body in plan.bodies if body.joint}) == 1
    assert "not understood" in plan.notes[0]
    assert "mapping" in plan.notes[0]


def test_a_rig_whose_bones_have_no_length_is_refused_with_a_sentence():
    with pytest.raises(PlanError, match="give it bones with a length"):
        plan_of(Skeleton((Bone("point", -1, Matrix(), 0.0),)))
    with pytest.raises(PlanError):
        plan_of(Skeleton(()))


def test_a_tiny_bone_gets_no_body_and_a_bone_without_skin_one_by_its_length():
    skeleton, skin = blueprint("person").skeleton(), rest_vertices("person")
    at = skeleton.index["chest"]
    tiny = replace(skeleton.bones[at], name="helper", parent=at, length=1e-5)
    with_tiny = Skeleton((*skeleton.bones, tiny))
    shin = skeleton.index["shin.L"]
    rows = skin.bones != shin
    bald = replace(skin, points=skin.points[rows], bones=skin.bones[rows], weights=skin.weights[rows])
    plan = make_plan(read(with_tiny, skin), bald, plan_config())
    assert roles(plan) == set(PERSON)
    body = plan.bodies[plan.place_of("shin.L")]
    assert body.size[2] == pytest.approx(0.416, abs=0.005)
    assert body.size[0] > 0.03


@pytest.mark.parametrize("who", ["person", "dog", "horse"])
def test_trunks_without_skin_are_about_as_large_as_with_it_and_lie_where_it_does(who: str):
    bare, skinned = make_plan(our_rig(who), None, plan_config()), our_plan(who)
    for role in ("pelvis", "spine", "chest"):
        one, other = (plan.bodies[plan.place_of(role)] for plan in (bare, skinned))
        assert one.size == pytest.approx(other.size, rel=0.45)
        assert one.rest.origin == pytest.approx(other.rest.origin, abs=0.05 * skinned.height)


def test_strays_of_the_skin_do_not_blow_a_body_up():
    skin = rest_vertices("person")
    at = our_rig("person").skeleton.index["thigh.L"]
    points = skin.points.copy()
    points[[i for i, bone in enumerate(skin.bones) if bone == at][:2]] += 9.0
    plan = make_plan(our_rig("person"), replace(skin, points=points), plan_config())
    mended, plain = (each.bodies[each.place_of("thigh.L")].size for each in (plan, our_plan("person")))
    assert mended == pytest.approx(plain, rel=0.1)


@pytest.mark.parametrize("factor", [0.01, 0.1, 100.0])
def test_the_same_rig_at_another_size_has_the_same_plan_at_that_size(factor: float):
    small, usual = plan_of(resized(person_skeleton(), factor)), plan_of(person_skeleton())
    for body, other in zip(small.bodies, usual.bodies, strict=True):
        assert body.role == other.role
        assert body.size == pytest.approx([factor * length for length in other.size], rel=1e-3)
        assert body.mass == pytest.approx(factor**3 * other.mass, rel=1e-3)
    assert small.apart == usual.apart


def test_how_bones_are_rolled_does_not_matter():
    plain, other = plan_of(person_skeleton()), plan_of(rolled(person_skeleton(), 1.1))
    for body, same in zip(other.bodies, plain.bodies, strict=True):
        assert body.rest.origin == pytest.approx(same.rest.origin, abs=1e-5)
        assert abs(Quaternion(body.rest.turn).dot(Quaternion(same.rest.turn))) == pytest.approx(1.0, abs=1e-5)
        assert body.size == pytest.approx(same.size, abs=1e-5)


def test_a_foot_that_hangs_under_the_root_is_joined_to_its_shin_and_placed():
    skeleton = person_skeleton()
    bones = list(skeleton.bones)
    for side in "LR":
        at = skeleton.index[f"foot.{side}"]
        bones[at] = replace(bones[at], parent=skeleton.index["root"])
    rig = read(Skeleton(tuple(bones)))
    if not all(leg.detached for leg in rig.legs):
        pytest.fail("The feet were to be read as detached.")
    plan = make_plan(rig, None, plan_config())
    feet = [plan.place_of(f"foot.{side}") for side in "LR"]
    assert [plan.bodies[plan.bodies[k].parent].role for k in feet] == ["shin.L", "shin.R"]
    assert plan.placed == tuple(sorted(feet))


def test_legs_that_any_stride_brings_together_are_apart_and_those_of_two_sides_are_not():
    plan = our_plan("horse")
    named = {frozenset((plan.bodies[i].role, plan.bodies[j].role)) for i, j in plan.apart}
    assert frozenset(("front_foot.L", "hind_foot.L")) in named
    assert frozenset(("front_metatarsal.R", "hind_shin.R")) in named
    assert frozenset(("pelvis", "hind_shin.L")) in named
    assert frozenset(("chest", "front_shin.L")) in named
    assert frozenset(("front_foot.L", "hind_foot.R")) not in named
    assert frozenset(("hind_foot.L", "hind_foot.R")) not in named


def test_pairs_that_touch_at_rest_are_apart_and_neighbours_are_no_pairs():
    plan = our_plan("dog")
    named = {frozenset((plan.bodies[i].role, plan.bodies[j].role)) for i, j in plan.apart}
    assert frozenset(("front_blade.L", "front_blade.R")) in named
    assert all(plan.bodies[j].parent != i and i < j for i, j in plan.apart)
