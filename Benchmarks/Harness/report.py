"""What was measured, as a table for people and as JSON."""
import dataclasses
import json

# A machine that others use too gives figures that move by a few per cent: --check takes so much over a limit.
TOLERANCE = 1.15


@dataclasses.dataclass
class Row:
    """One figure. Its ratio is `value / reference`, or what a measure computed from paired rounds."""

    id: str
    what: str
    unit: str
    value: float
    reference_what: str = ""
    reference: float | None = None
    ratio: float | None = None
    limit: float | None = None
    at_least: bool = False  # the limit is a floor, not a ceiling
    detail: dict = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        if self.ratio is None and self.reference:
            self.ratio = self.value / self.reference

    @property
    def judged(self):
        """What the limit is put on: the ratio, or the value itself where there is no reference."""
        return self.ratio if self.reference is not None else self.value

    def misses(self, tolerance=1.0):
        if self.limit is None:
            return False
        return self.judged * tolerance < self.limit if self.at_least else self.judged > self.limit * tolerance

    @property
    def verdict(self):
        if self.limit is None:
            return "-"
        return "MISSED" if self.misses() else "met"


def figure(value, unit):
    """Three digits that count, with a prefix where the unit is a plain one."""
    if value is None:
        return ""
    if unit == "ns":
        for limit, scale, name in ((1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
            if value < limit:
                return f"{value / scale:.3g} {name}"
        return f"{value / 1e9:.3g} s"
    if unit == "B":
        return f"{value:,.0f} B" if value < 1e6 else f"{value / 1e6:.3g} MB"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def limit_text(row):
    if row.limit is None:
        return "-"
    sign = "≥" if row.at_least else "≤"
    return f"{sign} {row.limit:g}×" if row.reference is not None else f"{sign} {figure(row.limit, row.unit)}"


def cells(row):
    reference = f"{figure(row.reference, row.unit)} {row.reference_what}" if row.reference is not None else row.reference_what
    return [
        f"{row.ratio:.2f}×" if row.ratio is not None else "-", limit_text(row), row.verdict, row.what,
        figure(row.value, row.unit), reference,
    ]


def table(rows):
    """Ratios first. A Markdown table that is aligned for the terminal too."""
    lines = [["ratio", "limit", "verdict", "what", "measured", "against"]] + [cells(row) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)


def document(machine, rows):
    """The JSON of a run: the machine, and each row with its verdict."""
    figures = [dataclasses.asdict(row) | {"verdict": row.verdict} for row in rows]
    return json.dumps({"format": 1, "machine": machine, "rows": figures}, indent=2, ensure_ascii=False) + "\n"
