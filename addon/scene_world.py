"""The scene's meshes as a World: what a character may ask is answered from search trees that are kept and moved.

Use, once per filled frame:

    world = SceneWorld(ground=collection.session_uid or None, excluded=frozenset of session_uids)
    world.refresh(depsgraph, frame)               # all ground looked at; True if still ground has changed
    world.refresh(depsgraph, frame, touched)      # only objects with these session_uids, and what moves with time
    world.set_time(fraction)                      # between the frame before (0) and the refreshed one (1)

Frames that follow each other give motion: after frames 7 and 8, `set_time(0.5)` is halfway. Any other order gives the
frame itself with no motion, so a walk that goes on from frame N refreshes N (unless `world.frame` is N), then N + 1.
`is_moving` says whether the ground needs such a walk at all. `signature()` changes when still ground does, or when
other surfaces take part: then all that was planned on that ground is void.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection

import bpy
from mathutils import Matrix, Vector

from ..core.world.probe import DOWN
from ..core.world.world import Anchor, Hit, Line, Loose, walked_along
from .ground_flow import come_at
from .ground_grid import GroundGrid
from .ground_mesh import SMALL, Fingerprint, triangle_count
from .ground_set import GroundItem, ground_items
from .ground_shapes import ShapeStore
from .ground_still import StillGround
from .ground_surface import NOTHING, State, Surface, split_matrix

MERGED_MOST = 200_000
"""Triangles of still ground that are merged into one tree; what is beyond stays in trees of its own."""
SPHERE_STEPS = 128
TOUCHING = 1e-5
BEHIND = -0.5
"""A way to the asker that goes so much against the face's normal comes from behind; at edges a little means nothing."""
FLAT = 1e-15
"""Volume scale under which a mesh has no extent to stand on."""

NO_MOTION = Vector().freeze()

Still = tuple[int, Fingerprint, Matrix]
"""A still surface: its number, its shape, its place."""


class SceneWorld:
    """A scene's ground. Keeps numbers and trees only, no data-block."""

    def __init__(
        self, ground: int | None = None, excluded: frozenset[int] = frozenset(), metres_per_unit: float = 1.0
    ) -> None:
        self.ground = ground
        self.excluded = excluded
        self.metres_per_unit = metres_per_unit
        self.frame: int | None = None
        self.shapes = ShapeStore()
        self._merged = StillGround([])
        self._merged_rows: list[Still] = []
        self._still_numbers: frozenset[int] = frozenset()
        self._surfaces: dict[int, Surface] = {}
        self._grid = GroundGrid([])
        self._signature = 0
        self._signed: tuple[list[Still], list[int]] = ([], [])
        self._fraction = self._fraction_before = 0.0
        self._loose: dict[int, Loose] = {}

    @property
    def is_moving(self) -> bool:
        """True where some of the ground moves or bends with time."""
        return any(surface.moves for surface in self._surfaces.values())

    def signature(self) -> int:
        """A number for all that still ground depends on, and for which surfaces move."""
        return self._signature

    def content(self) -> list[tuple[Fingerprint, list[float]]]:
        """All still ground as shapes and places, in an order of their own: the same in every session."""
        return sorted((print_, [value for row in place for value in row]) for _, print_, place in self._signed[0])

    def moving_content(self) -> list[tuple[Fingerprint, list[float]]]:
        """The same of what moves, at the refreshed frame."""
        moving = (surface for surface in self._surfaces.values() if surface.moves)
        told = ((self.shapes.print_of(item.number), (item.now.frame, item.now.stretch)) for item in moving)
        return sorted((print_, [value for matrix in pair for row in matrix for value in row]) for print_, pair in told)

    def refresh(self, depsgraph: bpy.types.Depsgraph, frame: int, touched: Collection[int] | None = None) -> bool:
        """Take the ground from an evaluated frame; True if still ground, or the set of surfaces, has changed."""
        items = [item for item in ground_items(depsgraph, self.ground, self.excluded) if _has_size(item.matrix)]
        metres = Matrix.Scale(self.metres_per_unit, 4)
        places = {item.surface: metres @ item.matrix for item in items}
        prints = self.shapes.take_prints(items, touched)
        merged, alone = _split(items)
        self._merge(merged, places, prints)
        step = None if self.frame is None else frame - self.frame
        self._surfaces = {item.surface: self._take(item, places, prints, step, depsgraph) for item in alone}
        self._loose = {item.surface: item.loose for item in items if item.loose is not None}
        self.frame = frame
        self._after_refresh(depsgraph)
        still = [(item.surface, prints[item.surface], places[item.surface]) for item in items if not _is_timed(item)]
        return self._sign(still, [item.surface for item in items if _is_timed(item)])

    def set_time(self, fraction: float) -> None:
        """Go to a share of the way from the frame before to the refreshed one; an earlier share begins it anew."""
        self._fraction_before = self._fraction if fraction > self._fraction else 0.0
        self._fraction = fraction
        if self._surfaces:
            self._show(fraction)

    def cast_ray(self, origin: Vector, direction: Vector, distance: float) -> Hit | None:
        """The first surface along a ray (`direction` is a unit vector)."""
        place, normal, face, far = self._merged.ray(origin, direction, distance)
        if self._surfaces:
            nearer = self._alone_ray(origin, direction, distance, far)
            if nearer is not None:
                return nearer
        if place is None:
            return None
        back = normal.dot(direction) > 0.0
        if back:
            normal.negate()
        number, face = self._merged.owner(face)
        return Hit(place, normal, far, number, face, NO_MOTION, back)

    def height_below(self, x: float, y: float, z: float, depth: float) -> float | None:
        """The height of the first surface under a place: what most questions are after, without a Hit being made."""
        if self._surfaces:
            hit = self.cast_ray(Vector((x, y, z)), DOWN, depth)
            return None if hit is None else hit.position.z
        place = self._merged.ray((x, y, z), DOWN, depth)[0]
        return None if place is None else place.z

    def heights_along(self, line: Line) -> list[float | None]:
        """The heights below a line's places, side by side."""
        if self._surfaces:
            return walked_along(line, self.height_below)
        x, y, z, dx, dy, sides, up, reach = line
        heights: list[float | None] = []
        ray, add = self._merged.ray, heights.append
        for side in sides:
            top = z + up
            for k in side:
                # Plain numbers: a tree takes them as quickly as a vector, which had to be made first.
                place = ray((x + dx * k, y + dy * k, top), DOWN, reach)[0]
                if place is None:
                    add(None)
                else:
                    height = place.z
                    add(height)
                    top = height + up
        return heights

    def _alone_ray(self, origin: Vector, direction: Vector, distance: float, far: float | None) -> Hit | None:
        """The first surface of those asked by themselves that is nearer than `far` (None: nothing was met yet)."""
        found, owner = NOTHING, None
        for surface in self._grid.along(origin, direction, distance):
            touch = surface.ray(origin, direction, distance if far is None else far)
            if touch[0] is not None and (far is None or touch[3] < far):
                found, owner, far = touch, surface, touch[3]
        if owner is None:
            return None
        place, normal, face, far = found
        back = normal.dot(direction) > 0.0
        if back:
            normal.negate()
        return self._hit(place, normal, face, far, owner)._replace(back=back)

    def cast_sphere(self, origin: Vector, direction: Vector, distance: float, radius: float) -> Hit | None:
        """The first surface that a sphere meets: its centre advances by its clearance, which never oversteps."""
        travelled = 0.0
        for _ in range(SPHERE_STEPS):
            centre = origin + direction * travelled
            hit = self.nearest(centre, distance - travelled + 2.0 * radius)
            if hit is None:
                return None
            clearance = hit.distance - radius
            if clearance <= TOUCHING:
                return hit._replace(distance=travelled)
            travelled += clearance
            if travelled > distance:
                return None
        return None

    def nearest(self, point: Vector, distance: float) -> Hit | None:
        """The closest surface within `distance`; the normal points from it to the asker."""
        place, normal, face, far = self._merged.nearest(point, distance)
        owner = None
        for surface in self._grid.around(point, distance if far is None else far):
            touch = surface.nearest(point, distance if far is None else far)
            if touch[0] is not None and (far is None or touch[3] < far):
                place, normal, face, far = touch
                owner = surface
        if place is None:
            return None
        # Beside an edge the way to the asker is no face's normal; on the surface there is no way.
        way, back = point - place, False
        if way.length > TOUCHING:
            way.normalize()
            normal, back = way, way.dot(normal) < BEHIND
        hit = self._hit(place, normal, face, far, owner)
        return hit._replace(back=True) if back else hit

    def capsule_fits(self, low: Vector, high: Vector, radius: float) -> bool:
        """True where a capsule between two centres touches nothing."""
        if self.nearest(low, radius) is not None:
            return False
        way = high - low
        return way.length == 0.0 or self.cast_sphere(low, way.normalized(), way.length, radius) is None

    def anchor(self, hit: Hit) -> Anchor:
        """The hit's place in its surface's own frame; on still ground that is the world."""
        surface = self._surfaces.get(hit.surface)
        if surface is None or not surface.moves:
            return Anchor(hit.surface, -1, tuple(hit.position), tuple(hit.normal), (0.0, 0.0, 0.0))
        normal = (surface.inverse_turn @ hit.normal).normalized()
        weights = surface.weights(hit.position, hit.face)
        return Anchor(hit.surface, hit.face, surface.own_place(hit.position), tuple(normal), weights)

    def locate(self, anchor: Anchor) -> Hit | None:
        """Where an anchor is now, with normal and velocity; None where its surface is gone."""
        surface = self._surfaces.get(anchor.surface)
        if surface is None or not surface.moves:
            if surface is None and anchor.surface not in self._still_numbers:
                return None
            return Hit(Vector(anchor.local), Vector(anchor.normal), 0.0, anchor.surface, anchor.face, NO_MOTION)
        place = surface.anchored(anchor.face, anchor.local, anchor.weights)
        normal = surface.normal_of(anchor.face, anchor.normal)
        return Hit(place, normal, 0.0, anchor.surface, anchor.face, surface.velocity(place, anchor.face))

    def moves(self, surface: int) -> bool:
        """True for a surface that moves, turns or bends with time."""
        found = self._surfaces.get(surface)
        return found is not None and found.moves

    def loose(self, surface: int) -> Loose | None:
        """What a surface is that physics moves; None for all other."""
        return self._loose.get(surface)

    def turn_of(self, surface: int) -> float:
        """The surface's turn about Z since the previous `set_time`, radians (0 for still ground)."""
        found = self._surfaces.get(surface)
        if found is None or not found.moves:
            return 0.0
        return found.whole_turn() * (self._fraction - self._fraction_before)

    def _hit(self, place: Vector, normal: Vector, face: int, far: float, owner: Surface | None) -> Hit:
        if owner is None:
            number, face = self._merged.owner(face)
            return Hit(place, normal, far, number, face, NO_MOTION)
        velocity = owner.velocity(place, face) if owner.moves else NO_MOTION
        return Hit(place, normal, far, owner.number, face, velocity)

    def _merge(self, items: list[GroundItem], places: dict[int, Matrix], prints: dict[int, Fingerprint]) -> None:
        rows = [(item.surface, prints[item.surface], places[item.surface]) for item in items]
        if rows == self._merged_rows:
            return
        parts = []
        for item in items:
            triangles = self.shapes.triangles(item, prints[item.surface])
            parts.append((item.surface, triangles.moved(places[item.surface])))
        self._merged, self._merged_rows = StillGround(parts), rows
        self._still_numbers = frozenset(item.surface for item in items)
        self.shapes.builds += 1

    def _sign(self, still: list[Still], moving: list[int]) -> bool:
        """Remember what plans depend on; True if it has changed."""
        if (still, moving) == self._signed:
            return False
        self._signed = (still, moving)
        rows = [(number, key, tuple(map(tuple, place))) for number, key, place in still]
        before, self._signature = self._signature, zlib.crc32(repr((rows, moving)).encode())
        return self._signature != before

    def _take(
        self,
        item: GroundItem,
        places: dict[int, Matrix],
        prints: dict[int, Fingerprint],
        step: int | None,
        depsgraph: bpy.types.Depsgraph,
    ) -> Surface:
        known = self._surfaces.get(item.surface)
        frame, stretch = split_matrix(places[item.surface], None if known is None else known.now.stretch)
        scene = depsgraph.scene
        come = come_at(item.owner, scene, scene.frame_current_final) if item.moves else None
        state = State(frame, stretch, self.shapes.shape(item, prints[item.surface], stretch, depsgraph), come)
        timed = _is_timed(item)
        if known is None or known.moves != timed:
            return Surface(item.surface, state, moves=timed)
        if step == 0 and timed:
            known.replace(state)
        else:
            known.show(state, follows=step == 1 and timed)
        return known

    def _after_refresh(self, depsgraph: bpy.types.Depsgraph) -> None:
        render = depsgraph.scene.render
        surfaces = list(self._surfaces.values())
        for surface in surfaces:
            surface.fps = render.fps / render.fps_base
            surface.set_time(1.0)
        self._grid = GroundGrid(surfaces)
        self.shapes.forget_all_but([state.shape for s in surfaces for state in (s.before, s.now)])
        self._fraction = self._fraction_before = 0.0

    def _show(self, fraction: float) -> None:
        for surface in self._surfaces.values():
            if surface.moves and surface.fraction != fraction:
                surface.set_time(fraction)


def _is_timed(item: GroundItem) -> bool:
    return item.moves or item.bends


def _has_size(matrix: Matrix) -> bool:
    return abs(matrix.to_3x3().determinant()) > FLAT


def _split(items: list[GroundItem]) -> tuple[list[GroundItem], list[GroundItem]]:
    """Still ground to merge, and what is asked by itself."""
    merged, alone, total = [], [], 0
    for item in items:
        count = triangle_count(item.mesh)
        if _is_timed(item) or count > SMALL or total + count > MERGED_MOST:
            alone.append(item)
        else:
            merged.append(item)
            total += count
    return merged, alone
