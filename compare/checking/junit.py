"""Reports of a check as JUnit XML, which build servers show."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from twostep.compare.checking.run import Report


def junit(reports: Sequence[Report]) -> str:
    """The reports as JUnit XML: a suite for each file, a case for each puzzle."""
    root = ElementTree.Element("testsuites", name="twostep check")
    suites: dict[str, ElementTree.Element] = {}
    for report in reports:
        source = report.entry.source
        if source not in suites:
            suites[source] = ElementTree.SubElement(root, "testsuite", name=source)
        _case(suites[source], report)
    for suite in suites.values():
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(sum(case.find("failure") is not None for case in suite)))
        suite.set("errors", str(sum(case.find("error") is not None for case in suite)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, report: Report) -> None:
    entry = report.entry
    seconds = sum(each.seconds for each in report.tallies)
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=entry.source,
        name=f"{entry.number} {entry.name}".strip(),
        time=f"{seconds:.3f}",
    )
    for finding in report.findings:
        element = ElementTree.SubElement(
            case, "failure", type=finding.rule.value, message=finding.message
        )
        element.text = f"{entry.title}: {finding.message}"
    if (how := report.disagreement) is not None:
        ElementTree.SubElement(case, "error", type="disagree", message=how)
    elif report.unfinished:
        ElementTree.SubElement(case, "error", type="unfinished", message="not finished in time")
