"""What a notebook shows of positions, reports and pictures."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from lxml import etree, html

import assistant
from assistant.asking.asks import Ask
from assistant.asking.report import Part, Report, Step, Verdict, to_html
from assistant.drawing import Picture
from assistant.state.changes import Leave
from assistant.state.state import Unit
from assistant.util.typesetting import set_in_type

from ..cases import thorough
from ..conftest import typed
from ..notebook import EXAMPLES, as_page, outputs, run_cells

HOSTILE = '<script>alert("1")</script>&'


class _Printer:
    """What IPython hands over to print on."""

    def __init__(self) -> None:
        self.printed = ""

    def text(self, text: str) -> None:
        self.printed += text


def pretty(shown: assistant.Position | assistant.Report[object] | Picture) -> str:
    """What IPython prints of it."""
    printer = _Printer()
    shown._repr_pretty_(printer, cycle=False)
    return printer.printed


def words(svg: str) -> set[str]:
    """All words of a picture."""
    return set(re.split(r"[\s,:]+", " ".join(etree.fromstring(svg.encode()).xpath("//@aria-label | //*/text()"))))


def test_a_report_has_the_same_words_in_html_as_in_text() -> None:
    position = assistant.read(EXAMPLES / "battle-before.pos")
    report = assistant.ask(position)
    shown = html.fromstring(report._repr_html_())
    text = re.sub(r"\s+", " ", shown.text_content())
    steps = [step for part in report.parts for step in part.steps]
    for expected in (report.title, *report.answers, *(caution.text for caution in report.cautions)):
        assert set_in_type(re.sub(r"\s+", " ", expected), curly=False) in text
    assert [rule.text or "" for rule in shown.findall(".//td/small")] == [step.rule for step in steps]
    assert [title.text for title in shown.findall(".//summary")] == [part.title for part in report.parts]
    assert "steps the attacker loses, 1.9 on average1: 40.3%" in text
    assert pretty(report) == str(report)


def test_whatever_files_hold_is_escaped() -> None:
    report = Report[None](
        title=HOSTILE,
        verdict=Verdict("yes", "{unit}", {"unit": HOSTILE}),
        parts=(Part(HOSTILE, (Step(HOSTILE, "{unit}", {"unit": HOSTILE}),)),),
        cautions=(Step("", "{unit}", {"unit": HOSTILE}),),
        asks=(Ask(kind="fact", name=HOSTILE, rule="1", title=HOSTILE, how=HOSTILE, options=(HOSTILE,)),),
        changes=(Leave(HOSTILE, "1"),),
        viewpoint=HOSTILE,
    )
    shown = to_html(report)
    assert "<script" not in shown
    assert html.fromstring(shown).text_content().count(HOSTILE) >= 9


def test_the_parts_of_a_long_report_are_folded() -> None:
    steps = tuple(Step("1", "step") for _ in range(61))
    few, many = (
        to_html(Report[None](title="", verdict=Verdict("yes", ""), parts=(Part("Working", some),)))
        for some in (steps[:60], steps)
    )
    assert ("<details open>" in few, "<details open>" in many) == (True, False)


def test_a_position_shows_its_units_on_the_map() -> None:
    position = assistant.read(EXAMPLES / "battle-before.pos")
    shown = position._repr_svg_()
    assert shown is not None
    assert {"25/3", "29/20", "1/1"} <= words(shown)
    assert shown == assistant.picture(position)._repr_svg_()
    assert pretty(position) == "<position of 1914, Twilight in the East: 4 units in 3 places>"


@thorough
def test_a_side_is_shown_only_what_it_may_know() -> None:
    umpire, german = (
        assistant.read(EXAMPLES.parent / "setups/19-august-1914.pos", side=side) for side in ("umpire", "german")
    )
    assert "16/6" in umpire.state.units.keys() - german.state.units.keys()
    assert "16/6" in words(umpire._repr_svg_() or "")
    assert "16/6" not in words(german._repr_svg_() or "")
    assert (
        pretty(german) == "<position of 1914, Twilight in the East, as central-powers sees it: 46 units in 41 places>"
    )


def test_a_position_with_many_stacks_or_none_on_the_map_is_told_in_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for position in (typed(""), typed("25/3 arrives=3")):
        assert position._repr_svg_() is None
        assert pretty(position).startswith("<position of 1914, Twilight in the East: ")
    position = assistant.read(EXAMPLES / "battle-before.pos")
    monkeypatch.setattr("assistant.formats.positions._MAX_PLACES_DRAWN", 2)
    assert position._repr_svg_() is None


def test_pictures_on_one_page_share_no_name_though_each_draws_its_own_marks() -> None:
    drawn = [assistant.picture(assistant.read(EXAMPLES / f"{name}.pos")) for name in ("battle", "supplied", "retreat")]
    shown = [picture._repr_svg_() or "" for picture in drawn]
    names = [set(re.findall(r' id="([^"]+)"', svg)) for svg in shown]
    assert sum(map(len, names)) == len(set().union(*names)) > 3
    for svg, own in zip(shown, names, strict=True):
        assert set(re.findall(r'href="#([^"]+)"', svg)) <= own


def test_a_unit_keeps_its_name_whatever_that_is() -> None:
    name = 'x id="y" href="#z'
    unit = Unit(name, "1/1", "41.19")
    position = typed("41.19: 1/1")
    position = position.with_state(msgspec.structs.replace(position.state, units={name: unit}))
    assert f"{name}: " in " ".join(etree.fromstring((position._repr_svg_() or "").encode()).itertext())


def test_a_picture_is_shown_as_what_it_is() -> None:
    position = assistant.read(EXAMPLES / "battle-before.pos")
    svg, png, pdf = (assistant.picture(position, ending=ending) for ending in (".svg", ".png", ".pdf"))
    assert [bool(picture._repr_svg_()) for picture in (svg, png, pdf)] == [True, False, False]
    assert [picture._repr_png_() for picture in (svg, png, pdf)] == [None, bytes(png), None]
    assert pretty(pdf) == f"<picture of {len(pdf)} bytes>"


@thorough
def test_a_real_notebook_shows_all_three(tmp_path: Path) -> None:
    for needed in ("nbclient", "nbconvert", "ipykernel"):
        pytest.importorskip(needed)
    notebook = run_cells(EXAMPLES)
    assert [sorted(shown) for shown in outputs(notebook)] == [
        ["image/svg+xml", "text/plain"],
        ["text/html", "text/plain"],
        ["image/svg+xml", "text/plain"],
        ["image/svg+xml", "text/plain"],
    ]
    assert "25/3 in 40.20: 10 + 5 artillery = 15" in as_page(notebook)
