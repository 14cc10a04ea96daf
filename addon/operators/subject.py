"""Whom an operator works on: the active object, wherever the pointer is and whatever else is selected."""

from __future__ import annotations

from bpy.types import Context, Object

from ..refusal import why_not_armature, why_not_character, why_not_measured


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


def available(operator: type, reason: str) -> bool:
    """True without a reason; with one, the operator's button shows it."""
    if reason:
        operator.poll_message_set(reason)
    return not reason
