"""A gait on walls, ceilings and around corners: the planner of the floor, in a frame that clings to the surface.

Clock, strides and body are those of the floor. What differs is where feet find ground (along the surface as it unrolls
from under the body), how they are lifted (away from both faces that they leave and come to), and how the body keeps off
edges and walls.
"""

from __future__ import annotations

from math import cos, hypot, sin

from mathutils import Vector

from ..control.clinging import Unrolled
from ..control.intent import Place, Travel
from ..space.rigid import Triple
from ..space.vectors import triple
from ..world.world import World
from .around import KEEPS, best_beside, hip_of, least_heave, misfit, most_folded, way_between, way_of
from .body import BodyMotion
from .config import GaitConfig
from .foot import Foothold
from .footsteps import FootholdFinder
from .gait import ProceduralGait
from .memory import FootMemory, GaitMemory
from .patterns import AutoGait, Pattern
from .shape import BodyShape, LegShape
from .step import Step
from .stepping import MOST_ARC, Stepper
from .style import AS_SHIPPED, StyleConfig

# A foot goes over an edge lifted by so many times what it is lifted on a floor at most.
HIGHEST = 2.0
# From this extension on a body comes nearer to its feet.
STRETCHED = 0.97
# A leg that is folded by so much more than it can well be leaves early, once it has stood for so much of its stance.
TOO_FOLDED, EARLIEST = 0.9, 0.2


class ClingingFinder(FootholdFinder):
    """Finds footholds along the surface as it unrolls from under the body. `height` is that of its hips."""

    def __init__(self, config: GaitConfig, shape: BodyShape) -> None:
        super().__init__(config, shape.stature)
        self.height = shape.leg_length

    def find(
        self,
        world: World,
        leg: LegShape,
        place: Place,
        shift: tuple[float, float],
        slope: Vector,
        home: Foothold | None = None,
    ) -> Foothold:
        """The foothold for a leg when the body stands at `place`; where the surface ends on the way, the last of it."""
        if not isinstance(world, Unrolled):
            return super().find(world, leg, place, shift, slope, home)
        return self.seek(world, leg, place, (place, place), shift, home)

    def seek(
        self,
        world: Unrolled,
        leg: LegShape,
        place: Place,
        stance: tuple[Place, Place],
        shift: tuple[float, float],
        home: Foothold | None,
        known: Foothold | None = None,
    ) -> Foothold:
        """The foothold for a leg that stands while the body goes through the two places of `stance`.

        Where corners are on the way, one beside it is taken if the leg would not reach around them; or still the one
        that is `known`, if none is clearly better.
        """
        c, s = cos(place.heading), sin(place.heading)
        x, y = leg.ball[0], leg.ball[1]
        goal = (place.x + c * x - s * y + shift[0], place.y + s * x + c * y + shift[1])
        found, flat = world.at(*goal)
        if not flat:
            hips = hip_of(world, leg, self.height, stance[0]), hip_of(world, leg, self.height, stance[1])
            found, wrong = best_beside(world, leg, hips, goal, way_of(stance))
            if known is not None and known.grounded:
                place_known, normal_known = Vector(known[:3]), Vector(known.normal)
                if misfit(world, leg, hips, place_known, normal_known) - KEEPS <= wrong:
                    return known
        if found is None:
            return home if home is not None else self.floating(leg, place, shift, Vector())
        normal = triple(found.normal)
        return Foothold(*triple(found.position), place.heading, normal, world.anchor(found), True, under=normal)


class ClingingStepper(Stepper):
    """Steps of feet that cling: told by where the body is on the unrolled surface, lifted away from both faces."""

    finder: ClingingFinder

    @property
    def most_folded(self) -> float:
        """The share of their length to which all legs may fold."""
        return min(most_folded(leg) for leg in self.shape.legs)

    def offset_of(  # one place for all legs
        self, i: int, foot: FootMemory, travel: Travel, world: World  # noqa: ARG002
    ) -> float:
        """How far a standing foot is from its place, by where the body was that it was put down for."""
        place = travel.place
        off = hypot(place.x - foot.aimed_at[0], place.y - foot.aimed_at[1])
        return off / self.shape.leg_length + 0.2 * abs(sin((place.heading - foot.hold.heading) / 2.0))

    def _overstretched(self, memory: GaitMemory, i: int, foot: FootMemory, step: Step) -> bool:
        """True also for a leg that has folded up against a face that its body came down on."""
        if super()._overstretched(memory, i, foot, step):
            return True
        folded = TOO_FOLDED * self.most_folded
        if foot.extension > folded or not EARLIEST * foot.timing[1] <= foot.phase < foot.timing[1]:
            return False
        return 2 * (sum(other.planted for other in memory.feet) - 1) >= len(memory.feet)

    def _foothold(
        self, i: int, foot: FootMemory, place: Place, shift: tuple[float, float], meets: Place, step: Step
    ) -> Foothold:
        leg, world = self.shape.legs[i], step.world
        if not (step.walking and isinstance(world, Unrolled)):
            return self.finder.find(world, leg, place, shift, step.slope, foot.hold)
        leaves = Place(2.0 * place.x - meets.x, 2.0 * place.y - meets.y, place.z, place.heading)
        return self.finder.seek(world, leg, place, (meets, leaves), shift, foot.hold, foot.target)

    def measure_way(self, i: int, foot: FootMemory, step: Step, at: Triple | None = None) -> None:  # noqa: ARG002
        """Choose the foot's way to its target, over what sticks out between."""
        leg, target = self.shape.legs[i], foot.target
        if target is not None:
            least = self.config.step_height or step.pattern.step_height * self.shape.leg_length
            foot.way = way_between(foot.hold, target, least, HIGHEST * MOST_ARC * leg.length)
            foot.measured_at = target[:3]


class ClingingBody(BodyMotion):
    """The body over feet that cling: it lies as its frame does, which is turned with the surface already.

    Over an edge it keeps its height, though most of its feet are below that, and off a leg that it comes down on; a leg
    that cannot follow any more draws it down.
    """

    def _support(self, memory: GaitMemory, travel: Travel) -> tuple[float, float, float]:
        rise, _, _ = super()._support(memory, travel)
        heave, folded, over = memory.body.heave, 0.0, 0.0
        for leg, foot in zip(self.shape.legs, memory.feet, strict=True):
            over = max(over, (foot.extension - STRETCHED) * leg.length)
            if foot.planted and foot.extension > 0.0:
                folded = max(folded, (most_folded(leg) - foot.extension) * leg.length)
        rise = max(rise, least_heave(memory.body.least_heave, self.shape.leg_length))
        if folded > 0.0:
            rise = max(rise, heave + folded)
        return (min(rise, heave - over) if over > 0.0 else rise), 0.0, 0.0


class ClingingGait(ProceduralGait):
    """The gait of a body that clings."""

    def __init__(
        self,
        shape: BodyShape,
        config: GaitConfig,
        patterns: dict[str, Pattern],
        auto: AutoGait,
        style: StyleConfig = AS_SHIPPED,
    ) -> None:
        super().__init__(shape, config, patterns, auto, style)
        self.body = ClingingBody(shape, config)
        self.finder = ClingingFinder(config, shape)
        self.stepper = ClingingStepper(shape, config, self.finder, self.body, style)

    def stand(self, memory: GaitMemory, travel: Travel, world: World) -> None:
        """Put all feet at their rest places on the surface around the body."""
        super().stand(memory, travel, world)
        for foot in memory.feet:
            foot.aimed_at = travel.place[:2]
