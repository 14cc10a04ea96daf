"""What a director is told: the same whether read from an evaluated frame or from F-curves."""

from math import cos, hypot, pi, radians, sin

import bpy
import pytest
from mathutils import Matrix, Vector


class StandIn(bpy.types.PropertyGroup):
    """The settings that inputs read, for as long as the extension does not register its own."""

    director: bpy.props.StringProperty(default="AHEAD")
    speed: bpy.props.FloatProperty(default=1.4)
    path: bpy.props.PointerProperty(type=bpy.types.Object)
    target: bpy.props.PointerProperty(type=bpy.types.Object)
    mover: bpy.props.PointerProperty(type=bpy.types.Object)
    preview: bpy.props.BoolProperty()


@pytest.fixture(autouse=True)
def settings(empty_file):
    if hasattr(bpy.types.Object, "surefoot"):
        yield
        return
    bpy.utils.register_class(StandIn)
    bpy.types.Object.surefoot = bpy.props.PointerProperty(type=StandIn)
    yield
    del bpy.types.Object.surefoot
    bpy.utils.unregister_class(StandIn)


@pytest.fixture
def inputs():
    from surefoot.addon import inputs

    return inputs


def link(name, data=None):
    ob = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(ob)
    return ob


def rig(director="AHEAD", **settings):
    ob = link("Rig", bpy.data.armatures.new("Rig"))
    ob.surefoot.director = director
    for name, value in settings.items():
        setattr(ob.surefoot, name, value)
    return ob


def key(ob, path, values):
    """Linear keys: {frame: value}."""
    for frame, value in values.items():
        if "." in path:
            group, name = path.split(".")
            setattr(getattr(ob, group), name, value)
        else:
            setattr(ob, path, value)
        ob.keyframe_insert(path, frame=frame)
    for curve in ob.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def read(inputs, ob, frame, **options):
    bpy.context.scene.frame_set(frame)
    return inputs.read_inputs(ob, bpy.context.evaluated_depsgraph_get(), **options)


def bezier_circle(radius=2.0):
    bpy.ops.curve.primitive_bezier_circle_add(radius=radius)
    return bpy.context.object


def poly(points, kind="POLY", closed=False):
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new(kind)
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points, strict=True):
        point.co = (*place, 1.0)
    spline.use_cyclic_u = closed
    return link("Path", curve)


def distance_to(points, place):
    """How far a place is from the line through the points."""
    pieces = zip(points, points[1:], strict=False)
    return min((place - closest_on(Vector(a), Vector(b), place)).length for a, b in pieces)


def closest_on(a, b, place):
    share = (place - a).dot(b - a) / (b - a).length_squared
    return a + (b - a) * min(1.0, max(0.0, share))


def both(inputs, ob, frame):
    """The inputs at a frame, read both ways; they must agree."""
    bpy.context.scene.frame_set(1)
    plain = inputs.plain_inputs(ob, bpy.context.scene, frame)
    evaluated = read(inputs, ob, frame)
    assert inputs.is_plain(ob)
    for name in ("target", "mover"):
        mine, theirs = getattr(plain, name), getattr(evaluated, name)
        assert (mine is None) == (theirs is None)
        if mine is not None:
            assert tuple(mine) == pytest.approx(tuple(theirs), abs=1e-5)
    assert plain.speed == evaluated.speed
    assert (plain.path is None) == (evaluated.path is None)
    return plain


@pytest.mark.parametrize(("frame", "speed"), [(1, 0.0), (7, 0.6), (21, 2.0), (90, 2.0)])
def test_a_keyed_speed_is_the_same_read_and_evaluated_at_any_frame(inputs, frame, speed):
    ob = rig()
    key(ob, "surefoot.speed", {1: 0.0, 21: 2.0})
    assert both(inputs, ob, frame).speed == pytest.approx(speed)


def test_time_remapping_counts(inputs):
    ob = rig()
    key(ob, "surefoot.speed", {1: 0.0, 21: 2.0})
    bpy.context.scene.render.frame_map_old, bpy.context.scene.render.frame_map_new = 100, 200
    assert both(inputs, ob, 12).speed == pytest.approx(0.5)


def test_a_muted_curve_leaves_the_value_as_it_is(inputs):
    ob = rig()
    key(ob, "surefoot.speed", {1: 0.0, 21: 2.0})
    ob.animation_data.action.layers[0].strips[0].channelbags[0].fcurves[0].mute = True
    ob.surefoot.speed = 1.1
    assert both(inputs, ob, 10).speed == pytest.approx(1.1)


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "QUATERNION", "AXIS_ANGLE"])
def test_a_keyed_and_parented_target_is_where_blender_has_it(inputs, mode):
    parent, target = link("Parent"), link("Target")
    target.parent = parent
    target.matrix_parent_inverse = Matrix.Translation((0.3, -0.2, 0.1))
    parent.rotation_euler, parent.scale = (0.1, 0.2, 0.3), (2.0, 1.0, 0.5)
    target.rotation_mode = mode
    target.delta_location = (0.0, 0.5, 0.0)
    target.delta_rotation_euler, target.delta_scale = (0.0, 0.2, 0.4), (1.0, 2.0, 1.0)
    key(parent, "location", {1: (0.0, 0.0, 0.0), 41: (4.0, -2.0, 1.0)})
    key(target, "location", {1: (1.0, 0.0, 0.0), 31: (0.0, 3.0, 0.0)})
    path = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
    end = {"QUATERNION": (0.8, 0.0, 0.1, 0.6), "AXIS_ANGLE": (1.2, 0.0, 0.3, 1.0)}.get(mode, (0.2, 0.1, 1.3))
    start = {"QUATERNION": (1.0, 0.0, 0.0, 0.0), "AXIS_ANGLE": (0.0, 0.0, 1.0, 0.0)}.get(mode, (0.0, 0.0, 0.0))
    key(target, path, {1: start, 31: end})
    ob = rig("TARGET", target=target)
    for frame in (1, 11, 26, 60):
        both(inputs, ob, frame)


def test_a_mover_s_heading_is_where_its_minus_y_looks(inputs):
    mover = link("Mover")
    mover.rotation_euler.z = radians(90.0)
    place = both(inputs, rig("MOVER", mover=mover), 1).mover
    assert place.heading == pytest.approx(radians(90.0))


def test_a_mover_that_is_never_turned_faces_where_it_goes_and_went(inputs):
    mover = link("Mover")
    key(mover, "location", {1: (0.0, 0.0, 0.0), 11: (2.0, 0.0, 0.0), 31: (2.0, 0.0, 0.0), 41: (2.0, 3.0, 0.0)})
    ob = rig("MOVER", mover=mover)
    headings = [both(inputs, ob, frame).mover.heading for frame in (5, 25, 36, 90)]
    assert headings == pytest.approx([radians(90.0), radians(90.0), pi, pi])


def test_without_a_mover_the_rig_follows_its_own_animation(inputs):
    ob = rig("MOVER", preview=True)
    key(ob, "location", {1: (0.0, 0.0, 0.0), 11: (0.0, -1.0, 0.0)})
    assert tuple(both(inputs, ob, 6).mover) == pytest.approx((0.0, -0.5, 0.0, 0.0))


def test_an_armature_that_faces_another_way_is_turned_by_its_canonical_matrix(inputs):
    ob = rig("MOVER")
    # The rig faces +X in its rest; the canonical matrix turns that to -Y.
    canonical = Matrix.Rotation(radians(-90.0), 4, "Z")
    assert read(inputs, ob, 1, canonical=canonical).mover.heading == pytest.approx(radians(90.0))


def test_a_bezier_circle_is_sampled_round_and_evenly(inputs):
    path = both(inputs, rig("PATH", path=bezier_circle(2.0)), 1).path
    radii = [hypot(x, y) for x, y, _ in path.points]
    steps = [b - a for a, b in zip(path.lengths, path.lengths[1:], strict=False)]
    assert path.closed
    assert (min(radii), max(radii)) == (pytest.approx(2.0, abs=1e-3), pytest.approx(2.0, abs=1e-3))
    # Blender's circle of four Bezier pieces is rounder than 0.03 %.
    assert path.lengths[-1] == pytest.approx(2.0 * pi * 2.0, rel=3e-4)
    assert max(steps) < 0.06
    assert max(steps) / min(steps) < 1.3


def test_a_path_that_stays_the_same_is_one_object_in_all_frames(inputs):
    character = rig("PATH", path=bezier_circle())
    scene = bpy.context.scene
    first, later = (inputs.plain_inputs(character, scene, frame) for frame in (1, 50))
    assert first.path is later.path
    character.surefoot.path.location.x = 1.0
    bpy.context.view_layer.update()
    assert inputs.plain_inputs(character, scene, 50).path.points[0][0] == pytest.approx(first.path.points[0][0] + 1.0)


def test_a_poly_curve_keeps_its_corners_in_world_metres(inputs):
    ob = poly([(0.0, 0.0, 0.0), (100.0, 0.0, 0.0), (100.0, 200.0, 0.0)])
    ob.location.x, ob.rotation_euler.z = 50.0, radians(90.0)
    path = read(inputs, rig("PATH", path=ob), 1, metres_per_unit=0.01).path
    expected = [(0.5, 0.0, 0.0), (0.5, 1.0, 0.0), (-1.5, 1.0, 0.0)]
    assert [pytest.approx(p, abs=1e-6) for p in expected] == list(path.points)
    assert path.lengths == pytest.approx((0.0, 1.0, 3.0))


@pytest.mark.parametrize(
    ("endpoint", "closed", "order"), [(True, False, 4), (False, False, 4), (False, True, 3), (True, False, 2)]
)
def test_a_nurbs_curve_is_sampled_where_blender_draws_it(inputs, endpoint, closed, order):
    points = [(0.0, 0.0, 0.0), (1.0, 2.0, 0.0), (3.0, 2.0, 0.5), (4.0, 0.0, 0.0), (6.0, 0.0, 0.0)]
    ob = poly(points, "NURBS", closed)
    spline = ob.data.splines[0]
    spline.use_endpoint_u, spline.order_u, spline.resolution_u = endpoint, order, 32
    spline.points[1].co.w = 2.0
    path = read(inputs, rig("PATH", path=ob), 1).path
    drawn = ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    assert max(distance_to(path.points, vertex.co) for vertex in drawn.vertices) < 2e-3
    assert (Vector(path.points[0]) - drawn.vertices[0].co).length < 1e-5


def test_a_bevel_does_not_change_the_path(inputs):
    ob = bezier_circle()
    character = rig("PATH", path=ob)
    plain = read(inputs, character, 1).path
    ob.data.bevel_depth = 0.1
    assert read(inputs, character, 1).path == plain


def test_a_modifier_on_the_curve_counts(inputs):
    ob = poly([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)])
    group = bpy.data.node_groups.new("Double", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    start, end = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    scale = group.nodes.new("GeometryNodeTransform")
    scale.inputs["Scale"].default_value = (2.0, 2.0, 2.0)
    group.links.new(start.outputs[0], scale.inputs["Geometry"])
    group.links.new(scale.outputs[0], end.inputs[0])
    ob.modifiers.new("Double", "NODES").node_group = group
    assert read(inputs, rig("PATH", path=ob), 1).path.lengths[-1] == pytest.approx(8.0)


@pytest.mark.parametrize("points", [[], [(1.0, 2.0, 0.0)]])
def test_an_empty_or_one_point_curve_has_no_length(inputs, points):
    ob = poly(points) if points else link("Empty", bpy.data.curves.new("Empty", "CURVE"))
    path = read(inputs, rig("PATH", path=ob), 1).path
    assert (len(path.points), path.closed) == (len(points), False)


@pytest.mark.parametrize("director", ["PATH", "TARGET"])
def test_a_director_without_its_object_is_told_none(inputs, director):
    told = both(inputs, rig(director), 1)
    assert (told.path, told.target, told.mover) == (None, None, None)


def test_a_path_of_something_else_than_a_curve_has_no_points(inputs):
    assert read(inputs, rig("PATH", path=link("Empty")), 1).path.points == ()


def nla(ob):
    key(ob, "location", {1: (0.0, 0.0, 0.0), 9: (1.0, 0.0, 0.0)})
    animation = ob.animation_data
    animation.nla_tracks.new().strips.new("Strip", 1, animation.action)
    animation.action = None


def constrained(ob):
    moving = link("Moving")
    key(moving, "location", {1: (0.0, 0.0, 0.0), 9: (1.0, 0.0, 0.0)})
    ob.constraints.new("COPY_LOCATION").target = moving


def driven(ob):
    ob.driver_add("location", 0).driver.expression = "frame"


def weakened(ob):
    key(ob, "location", {1: (0.0, 0.0, 0.0), 9: (1.0, 0.0, 0.0)})
    ob.animation_data.action_influence = 0.5


def bone_parented(ob):
    leader = rig()
    leader.name = "Leader"
    key(leader, "location", {1: (0.0, 0.0, 0.0), 9: (1.0, 0.0, 0.0)})
    ob.parent, ob.parent_type = leader, "BONE"


def led(ob):
    leader = rig()
    leader.surefoot.preview = True
    ob.parent = leader


@pytest.mark.parametrize("prepare", [nla, constrained, driven, weakened, bone_parented, led])
def test_what_only_blender_can_know_is_not_plain(inputs, prepare):
    target = link("Target")
    ob = rig("TARGET", target=target)
    assert inputs.is_plain(ob)
    prepare(target)
    assert not inputs.is_plain(ob)


def test_a_path_that_bends_is_not_plain(inputs):
    ob = bezier_circle()
    character = rig("PATH", path=ob)
    assert inputs.is_plain(character)
    ob.shape_key_add(name="Basis")
    ob.shape_key_add(name="Wide").value = 0.0
    ob.data.shape_keys.key_blocks["Wide"].keyframe_insert("value", frame=1)
    assert not inputs.is_plain(character)


def test_a_driven_speed_is_not_plain(inputs):
    ob = rig()
    ob.driver_add("surefoot.speed").driver.expression = "frame"
    assert not inputs.is_plain(ob)


def test_between_two_frames_everything_is_in_proportion(inputs):
    from surefoot.core.control.intent import Inputs, Place
    from surefoot.core.control.path import path_line

    line = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0)]
    before = Inputs(1.0, path_line(line), Place(0.0, 0.0, 0.0, radians(170.0)), Place(1.0, 1.0, 0.0, 0.0))
    moved = [(x, y + 1.0, z) for x, y, z in line]
    after = Inputs(2.0, path_line(moved), Place(4.0, 2.0, 1.0, radians(-170.0)), Place(1.0, 1.0, 0.0, 0.5))
    between = inputs.lerp_inputs(before, after, 0.25)
    assert between.speed == 1.25
    assert between.path.points == ((0.0, 0.25, 0.0), (2.0, 0.25, 0.0))
    assert between.target == pytest.approx((1.0, 0.5, 0.25, radians(175.0)))
    assert between.mover == pytest.approx((1.0, 1.0, 0.0, 0.125))
    assert inputs.lerp_inputs(before, after, 1.0) is after
    assert cos(between.target.heading) < 0.0 < sin(between.target.heading)
