"""In which contacts feet are held that follow another body's: the source's, as long as they are found to be."""

from __future__ import annotations

from collections.abc import Sequence

from ..motion.spans import POINTS, Contacts, Point, Span

NO_CONTACTS = Contacts((), (), ())
"""Of a foot that follows none, or is not to be held."""


def lengthened_contacts(known: Contacts, found: Contacts, own: Contacts, most: float) -> Contacts:
    """Known contacts that reach as far as those found where they are, by so many frames at most, and the body's own
    where none is known: a clean-up of what comes out holds these.
    """
    if known is NO_CONTACTS:
        return known

    def longer(point: Point) -> tuple[Span, ...]:
        spans = known.of(point) or ()
        return _with_own(_longer(spans, found.of(point) or (), most), own.of(point) or (), spans)

    return Contacts(known.foot, longer(POINTS[0]), longer(POINTS[1]))


def _longer(spans: Sequence[Span], others: Sequence[Span], most: float) -> list[Span]:
    """Spans that reach as far as others which lap over them; those that meet by it are one."""
    result: list[Span] = []
    for span in spans:
        beside = [other for other in others if other.start < span.end and other.end > span.start]
        start = min((max(other.start, span.start - most) for other in beside), default=span.start)
        end = max((min(other.end, span.end + most) for other in beside), default=span.end)
        start, end = min(start, span.start), max(end, span.end)
        if result and start <= result[-1].end:
            result[-1] = Span(result[-1].start, max(end, result[-1].end))
        else:
            result.append(Span(start, end))
    return result


def _with_own(spans: Sequence[Span], own: Sequence[Span], known: Sequence[Span]) -> tuple[Span, ...]:
    """Spans, and those of the body's own that lap over none that is known, as far as they are beside them."""
    added = []
    for span in own:
        if any(span.start < each.end and span.end > each.start for each in known):
            continue
        start = max((each.end for each in spans if each.start <= span.start), default=span.start)
        end = min((each.start for each in spans if each.end >= span.end), default=span.end)
        start, end = max(start, span.start), min(end, span.end)
        if end > start:
            added.append(Span(start, end))
    return tuple(sorted([*spans, *added]))
