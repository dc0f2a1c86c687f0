"""The results as a table, as a plot."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import Any

from twostep.compare.bench.contenders import CONTENDERS
from twostep.compare.bench.measure import Summary
from twostep.models.errors import MissingPackage
from twostep.models.reading.files import written_atomically


def table(summaries: Sequence[Summary], facts: dict[str, str]) -> str:
    """Everything as Markdown: one table for the cases, one for each growth."""
    shown = [f"{key} {value}" for key, value in facts.items()]
    parts = [", ".join(shown)]
    groups = dict.fromkeys(summary.group for summary in summaries)
    for group in groups:
        members = [summary for summary in summaries if summary.group == group]
        parts.append((f"Growth: {group}\n\n" if group else "") + _table(members))
    present = dict.fromkeys(summary.contender for summary in summaries)
    legend = [f"- {name}: {CONTENDERS[name].what}" for name in present]
    parts.append("\n".join(legend))
    return "\n\n".join(parts)


def _table(summaries: Sequence[Summary]) -> str:
    header = (
        "puzzle",
        "who",
        "search",
        "spread",
        "set-up",
        "whole process",
        "memory",
        "times twostep",
    )
    rows = [header]
    for summary in summaries:
        first = next(
            (s for s in summaries if s.case == summary.case and s.contender == "twostep"), None
        )
        ratio = ""
        if first is not None and first is not summary and not summary.failure:
            ratio = f"{summary.median / first.median:.1f}"
        rows.append(
            (
                _short(summary.case),
                summary.contender,
                summary.failure or seconds(summary.median),
                "" if summary.failure else f"{seconds(summary.least)} - {seconds(summary.most)}",
                seconds(summary.setup) if summary.setup else "",
                seconds(summary.whole),
                f"{summary.memory / 2**20:.0f} MB" if summary.memory else "",
                ratio if summary.right or summary.failure else "WRONG COUNT",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    lines = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return "\n".join(lines)


def _short(name: str) -> str:
    return name if len(name) <= 45 else f"{name[:42]}..."


def seconds(span: float) -> str:
    """A span of time with three digits that count: ``1.23 s``, ``45.6 ms``."""
    if math.isnan(span):
        return "-"
    if span < 1:
        return f"{span * 1000:.3g} ms"
    return f"{span:.3g} s"


def plotting() -> Any:
    """The plotting module.

    Raises:
        MissingPackage: matplotlib is not installed.
    """
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise MissingPackage("--plot needs matplotlib: pip install 'twostep[plot]'") from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def plot(summaries: Iterable[Summary], path: str | os.PathLike[str]) -> None:
    """Draw the search times as bars, logarithmic, and the growth tables as lines, into a PNG.

    Raises:
        MissingPackage: matplotlib is not installed.
        InputError: the file can't be written.
    """
    kept = [summary for summary in summaries if not summary.failure]
    bars = [summary for summary in kept if not summary.group]
    groups = list(dict.fromkeys(summary.group for summary in kept if summary.group))
    cases = list(dict.fromkeys(summary.case for summary in bars))
    contenders = list(dict.fromkeys(summary.contender for summary in kept))
    colour = {name: f"C{place}" for place, name in enumerate(contenders)}
    rows = 1 + len(groups)
    heights = [max(2.0, 0.22 * len(bars)), *([3.0] * len(groups))]
    pyplot = plotting()
    figure, axes = pyplot.subplots(
        rows, 1, figsize=(9, sum(heights) + 1), height_ratios=heights, squeeze=False,
        layout="constrained",
    )  # fmt: skip
    axis = axes[0][0]
    place, ticks = 0.0, []
    for case in reversed(cases):
        members = [summary for summary in bars if summary.case == case]
        start = place
        for summary in reversed(members):
            axis.barh(place, summary.median, color=colour[summary.contender], height=0.9)
            axis.text(summary.median, place, f" {seconds(summary.median)}", va="center", size=6)
            place += 1
        ticks.append(((start + place - 1) / 2, _short(case)))
        place += 0.7
    axis.set_yticks([where for where, _ in ticks], [name for _, name in ticks], size=8)
    axis.set_xscale("log")
    axis.set_xlabel("search, s (median)")
    used = list(dict.fromkeys(summary.contender for summary in bars))
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colour[name]) for name in used]
    axis.legend(handles, used, fontsize=7, loc="best")
    for group, (growth,) in zip(groups, axes[1:], strict=True):
        members = [summary for summary in kept if summary.group == group]
        for name in dict.fromkeys(summary.contender for summary in members):
            line = [summary for summary in members if summary.contender == name]
            growth.plot(
                [summary.size for summary in line],
                [summary.median for summary in line],
                marker="o",
                color=colour[name],
                label=name,
            )
        growth.set_yscale("log")
        growth.set_title(group, size=9)
        growth.set_xlabel("n")
        growth.set_ylabel("search, s")
        growth.legend(fontsize=7)
    with written_atomically(path) as file:
        figure.savefig(file, dpi=120, format="png")
    pyplot.close(figure)
