"""Whom an operator works on: the active object, wherever the pointer is and whatever is selected; how it refuses."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Object

from ..refusal import RefusedError, why_not_armature, why_not_character, why_not_measured
from ..texts import text


def subject(context: Context) -> Object | None:
    """The active object of the view layer; operators do not ask for a 3D view or a selection."""
    return context.view_layer.objects.active if context.view_layer else None


class OnArmature:
    """A mixin: available on any armature that can be changed."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Says in a sentence why not."""
        return available(cls, why_not_armature(subject(context)))


class OnAnyArmature:
    """A mixin: available on any armature, linked ones too."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Says in a sentence why not."""
        return available(cls, why_not_measured(subject(context)))


class OnCharacter:
    """A mixin: available on an armature that was set up."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Says in a sentence why not."""
        return available(cls, why_not_character(subject(context)))


class Refusing:
    """A mixin: what refuses is told to the user, and nothing is done."""

    def execute(self, context: Context) -> set[str]:
        """Do it on the active character."""
        try:
            self.change(subject(context), context)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        return {"FINISHED"}


def available(operator: type, reason: str) -> bool:
    """True without a reason; with one, the operator's button shows it."""
    if reason:
        operator.poll_message_set(reason)
    return not reason


def named(name: str, context: Context) -> Any:
    """The object of the scene with this name, None for no name; a refusal where there is none."""
    if not name:
        return None
    found = context.scene.objects.get(name)
    if found is None:
        raise RefusedError(text("no_such_object", name=name, scene=context.scene.name))
    return found
