"""Line chart: the geometry of scales, lines, bars and labels, in SVG units.

Templates draw it with classes and attributes only. A table of the same figures is
beside it, which a tap reads too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ledger.text.amounts import plain, signed

WIDTH, HEIGHT = 360, 280
RIGHT, TOP, BOTTOM = 282, 12, 252
APART = 18
"""Two labels closer than this would touch."""
LETTER = 8
"""How wide a letter beside or below the plot is at most."""
POINTS = 50
"""More would be finer than a phone can show."""
STEPS = 6
DASHES = 5


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one line, None until it begins, and its name at the end."""

    name: str
    short: str
    values: Sequence[int | None]

    @property
    def end(self) -> int:
        return (self.values[-1] if self.values else 0) or 0


@dataclass(frozen=True, slots=True)
class ChartStep:
    """A round figure on the scale of points."""

    at: float
    value: int


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A label below the plot."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    name: str
    short: str
    path: str
    end: float
    label: float
    """The height of the name: beside the end, clear of other names."""
    kind: str

    @property
    def moved(self) -> bool:
        return abs(self.end - self.label) > APART / 3


@dataclass(frozen=True, slots=True)
class BarRow:
    label: str
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines over a common scale; *rows* are the same figures as a table."""

    lines: tuple[ChartLine, ...]
    left: int
    """The left end of the lines, right of the scale."""
    steps: tuple[ChartStep, ...]
    marks: tuple[ChartMark, ...]
    at: tuple[float, ...]
    rows: tuple[BarRow, ...]
    all: int
    """The number of points before they were thinned."""

    @property
    def thinned(self) -> bool:
        return len(self.rows) < self.all

    @property
    def ends(self) -> int:
        """The right end of the scale's figures, just before the lines."""
        return self.left - 5

    @property
    def last(self) -> int:
        return len(self.rows) - 1

    @property
    def places(self) -> str:
        """The x of each row of the table, which a script compares with a tap."""
        return " ".join(f"{x:g}" for x in self.at)


def curves(
    series: Sequence[Series], across: Sequence[int], labels: Sequence[str] = ()
) -> Plot:
    """Return running totals as lines from 0, with a point for each of *across*.

    These are hands, counted from 1, or days with *labels* of their own. The lines that
    end highest and lowest are marked.
    """
    indexes = thinned(len(across), POINTS)
    shown = [[one.values[index] for index in indexes] for one in series]
    places = [across[index] for index in indexes]
    names = [labels[index] for index in indexes] if labels else [*map(plain, places)]
    known = [0, *(value for values in shown for value in values if value is not None)]
    scale = _Scale(min(known), max(known))
    left = 12 + LETTER * max(len(signed(step)) for step in scale.steps)
    width = _Width.over(places, left, from_0=not labels)
    x = [width(place) for place in places]
    ends = [one.end for one in series]
    heights = [scale(end) for end in ends]
    lines = tuple(
        ChartLine(
            one.name, one.short, _path([left, *x], values, scale), height, place, kind
        )
        for one, values, height, place, kind in zip(
            series, shown, heights, spread(heights), _kinds(ends), strict=True
        )
    )
    return Plot(
        lines,
        left,
        tuple(ChartStep(scale(value), value) for value in scale.steps),
        tuple(_marks(places, names, width, round_ones=not labels)),
        tuple(x),
        tuple(
            BarRow(name, tuple(values[at] for values in shown))
            for at, name in enumerate(names)
        ),
        len(across),
    )


def round_steps(low: int, high: int, most: int = STEPS) -> list[int]:
    """Return multiples of 1, 2 or 5 times a power of ten, *most* of them at most.

    >>> round_steps(-213, 133), round_steps(0, 7), round_steps(0, 0)
    ([-200, -100, 0, 100], [0, 2, 4, 6], [0])
    """
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            first = -(-low // step) * step
            if (high - first) // step < most:
                return list(range(first, high + 1, step))
        power *= 10


def thinned(count: int, most: int) -> list[int]:
    """Return *most* of *count* places at most, evenly, the first and last among them.

    >>> thinned(3, 60), thinned(9, 5)
    ([0, 1, 2], [0, 2, 4, 6, 8])
    """
    if count <= most:
        return list(range(count))
    return [round(index * (count - 1) / (most - 1)) for index in range(most)]


def spread(ends: Sequence[float]) -> list[float]:
    """Return a place for a label beside each of *ends*, as near as they have room.

    Labels that would touch move apart, half up and half down.
    """
    apart = min(APART, (BOTTOM - TOP) / max(len(ends) - 1, 1))
    order = sorted(range(len(ends)), key=lambda index: ends[index])
    groups: list[tuple[float, int]] = []
    for index in order:
        middle, size = ends[index], 1
        middle = _inside(middle, size, apart)
        while groups and _touch(groups[-1], (middle, size), apart):
            above, others = groups.pop()
            middle = (above * others + middle * size) / (others + size)
            size += others
            middle = _inside(middle, size, apart)
        groups.append((middle, size))
    places = [
        middle + (place - (size - 1) / 2) * apart
        for middle, size in groups
        for place in range(size)
    ]
    placed = dict(zip(order, places, strict=True))
    return [round(placed[index], 1) for index in range(len(ends))]


def shares(numbers: Sequence[int]) -> list[int]:
    """Return how long the bar of each number is, the longest 100.

    >>> shares([4, 1, 0]), shares([0])
    ([100, 25, 0], [0])
    """
    longest = max(numbers, default=0)
    return [round(100 * number / longest) if longest else 0 for number in numbers]


def heat(number: int, most: int) -> str:
    """Return the class that warms a cell of a matrix whose largest figure is *most*.

    >>> heat(33, 36), heat(-3, 36), heat(0, 36)
    ('up2', 'down1', '')
    """
    if not number:
        return ""
    strong = 2 * abs(number) >= most
    return f"{'up' if number > 0 else 'down'}{2 if strong else 1}"


@dataclass(frozen=True, slots=True)
class _Scale:
    low: int
    high: int

    @property
    def steps(self) -> list[int]:
        return round_steps(self.low, self.high)

    def __call__(self, value: int) -> float:
        span = self.high - self.low or 1
        return round(BOTTOM - (value - self.low) * (BOTTOM - TOP) / span, 1)


@dataclass(frozen=True, slots=True)
class _Width:
    """Places from *first* to *last* over the width of the plot."""

    first: float
    last: float
    left: int

    @classmethod
    def over(cls, places: Sequence[int], left: int, *, from_0: bool) -> _Width:
        """Begin at hand 0, or as long before the first day as a pause is on average."""
        if not places:
            return cls(0, 1, left)
        if from_0:
            return cls(0, places[-1], left)
        span = places[-1] - places[0]
        pause = max(span / max(len(places) - 1, 1), 1)
        return cls(places[0] - pause, places[-1], left)

    def __call__(self, place: float) -> float:
        share = (place - self.first) / (self.last - self.first)
        return round(self.left + share * (RIGHT - self.left), 1)


def _path(xs: Sequence[float], values: Sequence[int | None], scale: _Scale) -> str:
    """Return a line that begins at 0, one place before its first value."""
    first = next((i for i, v in enumerate(values) if v is not None), len(values))
    ends = zip(xs[1:], values, strict=True)
    points = [(xs[first], scale(0)), *((x, scale(v)) for x, v in ends if v is not None)]
    return "M" + " ".join(f"{x:g} {y:g}" for x, y in points)


def _kinds(ends: Sequence[int]) -> list[str]:
    """Return the class of each line: first, last, or one of the dashes."""
    if len(ends) < 2 or min(ends) == max(ends):
        return [f"dash{index % DASHES}" for index in range(len(ends))]
    first, last = ends.index(max(ends)), ends.index(min(ends))
    others = iter(range(len(ends)))
    return [
        "first"
        if index == first
        else "last"
        if index == last
        else f"dash{next(others) % DASHES}"
        for index in range(len(ends))
    ]


def _marks(
    places: Sequence[int], names: Sequence[str], width: _Width, *, round_ones: bool
) -> Iterator[ChartMark]:
    """Yield the last label below, and of the others those that have room."""
    if not places:
        return
    end = ChartMark(width(places[-1]), names[-1])
    candidates = [
        ChartMark(width(p), name) for p, name in zip(places, names, strict=True)
    ]
    if round_ones:
        steps = round_steps(1, places[-1])
        candidates = [ChartMark(width(step), plain(step)) for step in steps]
    marks: list[ChartMark] = []
    for mark in candidates:
        if _clear(mark, end) and (not marks or _clear(marks[-1], mark)):
            marks.append(mark)
    yield from [*marks, end]


def _clear(left: ChartMark, right: ChartMark) -> bool:
    wide = (len(left.label) + len(right.label)) * LETTER / 2 + LETTER
    return right.at - left.at >= wide


def _touch(above: tuple[float, int], below: tuple[float, int], apart: float) -> bool:
    lowest = above[0] + (above[1] - 1) * apart / 2
    highest = below[0] - (below[1] - 1) * apart / 2
    return highest - lowest < apart


def _inside(middle: float, size: int, apart: float) -> float:
    half = (size - 1) * apart / 2
    return min(max(middle, TOP + half), BOTTOM - half)
