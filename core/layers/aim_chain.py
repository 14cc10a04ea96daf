"""A chain of bones by the words of a setting: a role, or a first and a last bone."""

from __future__ import annotations

from ..rig.rig import Problem, Rig

# What aims where nothing is named: the first of these that there is, and that carries the last bone if that is named.
SUITED = ("arm.R", "arm.L", "arm", "neck", "head", "spine")
Found = tuple[tuple[int, ...], tuple[Problem, ...]]


def named_chain(rig: Rig, first: str, last: str) -> Found:
    """The bones from `first` to `last`, nearest the body first; none where they are no chain, with the problem.

    `first` is a role (arm.L and arm.R are upper arm, forearm and hand) or a bone; `last` the same, or empty for the end
    of the role. An empty `first` takes what suits the rig. Bones that carry legs are left out: turning them would move
    the feet.
    """
    begin = _named(rig, first) if first else _suited(rig, last)
    if not begin:
        what = f"No role or bone {first!r}" if first else "No role or bone"
        return (), (
            Problem("", f"{what} is there to aim with.", "Name a role such as arm.R, spine or tail, or a bone."),
        )
    bones = begin
    if last:
        end = _named(rig, last)
        if not end:
            return (), (Problem("", f"There is no role or bone {last!r} to aim.", "Name a bone, or leave it empty."),)
        above = (end[-1], *rig.skeleton.ancestors(end[-1]))
        if begin[0] not in above:
            names = [rig.skeleton.bones[i].name for i in (end[-1], begin[0])]
            reason = f"It does not hang on {names[1]}, where the aim is to begin."
            return (), (Problem(names[0], reason, "Name a first bone that is above the last in the hierarchy."),)
        bones = above[above.index(begin[0]) :: -1]
    carriers = {j for leg in rig.legs for j in rig.skeleton.ancestors(leg.bones[0])}
    free = tuple(i for i in bones if i not in carriers)
    if len(free) == len(bones):
        return free, ()
    names = [rig.skeleton.bones[i].name for i in bones if i in carriers]
    reason = "It carries legs, so it does not turn with the aim."
    return free, (Problem(names[-1], reason, "Begin the chain above it to take this note away."),)


def _suited(rig: Rig, last: str) -> tuple[int, ...]:
    """What aims where nothing is named: what carries the last bone, if one is named; a neck takes its head along."""
    end = _named(rig, last) if last else ()
    above = {end[-1], *rig.skeleton.ancestors(end[-1])} if end else set()
    for role in SUITED:
        bones = _named(rig, role)
        if bones and (not above or bones[0] in above):
            return (*bones, rig.head) if role == "neck" and rig.head >= 0 else bones
    return ()


def _named(rig: Rig, name: str) -> tuple[int, ...]:
    """The bones that a role or a bone's name means, nearest the body first."""
    stem, _, side = name.partition(".")
    if stem == "arm":
        for arm in rig.arms:
            if arm.side == (side or "M"):
                return (*arm.bones, arm.hand) if arm.hand >= 0 else arm.bones
    index = rig.skeleton.index
    if name == "spine":
        carriers = {j for leg in rig.legs for j in rig.skeleton.ancestors(leg.bones[0])}
        return tuple(i for i in rig.spine if i not in carriers)
    if name in rig.roles:
        return tuple(index[bone] for bone in rig.roles[name] if bone in index)
    return (index[name],) if name in index else ()
