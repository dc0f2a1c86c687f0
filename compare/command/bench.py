"""The verb bench: the suites, measured on this machine."""

from __future__ import annotations

import click

from twostep.compare.bench.measure import Run, environment, measure, summarise
from twostep.compare.bench.report import plot, plotting, seconds, table
from twostep.compare.bench.suite import SUITES
from twostep.compare.command.shared import options
from twostep.compare.command.shared.exits import Exit
from twostep.models.errors import InputError


@click.command()
@click.argument("suite", type=click.Choice(list(SUITES)), default="small")
@click.option("--only", metavar="TEXT", help="Only cases whose name holds this text.")
@click.option(
    "--runs", type=options.Whole(min=1), default=None, help="Runs of each (small: 3, full: 5)."
)
@click.option(
    "--timeout",
    callback=options.seconds,
    metavar="SECONDS",
    help="Seconds after which a run is given up (small: 60, full: 1200).",
)
@click.option("--json", "as_json", is_flag=True, help="Print each run as a JSON line instead.")
@click.option(
    "--plot",
    "picture",
    metavar="FILE.png",
    callback=options.named("a picture", ".png"),
    help="Also draw the times (matplotlib).",
)
@click.option("--quiet", is_flag=True, help="No progress on standard error.")
def bench(
    suite: str,
    only: str | None,
    runs: int | None,
    timeout: float | None,
    as_json: bool,
    picture: str | None,
    quiet: bool,
) -> int:
    """Measure Twostep and the public packages that are installed, side by side.

    One process for each run, contenders in turn; every count is checked.
    """
    cases = [case for case in SUITES[suite] if only is None or only in case.name]
    if not cases:
        raise InputError(f"--only {only!r}: no case of that name in the suite {suite!r}")
    if picture is not None:
        plotting()  # told now if it is missing
    default_runs, default_timeout = (3, 60.0) if suite == "small" else (5, 1200.0)
    timeout = default_timeout if timeout is None else timeout
    done: list[Run] = []
    stopped = False
    try:
        for run in measure(cases, runs or default_runs, timeout):
            done.append(run)
            if as_json:
                click.echo(run.as_json())
            if not quiet:
                said = run.failure or seconds(run.seconds)
                wrong = "" if run.right or run.failure else f", WRONG COUNT {run.count}"
                click.echo(
                    f"{run.case[:45]}: {run.contender}, run {run.number}: {said}{wrong}", err=True
                )
    except KeyboardInterrupt:
        stopped = True
    summaries = summarise(done)
    if not as_json and done:
        click.echo(table(summaries, environment()))
    if picture is not None and done:
        plot(summaries, picture)
    if stopped:
        return Exit.STOPPED
    if any(not run.right and not run.failure for run in done):
        return Exit.DISAGREE
    return Exit.OK
