"""Every HTML page that the program writes or serves has a policy: it may load nothing from elsewhere."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from lxml import html

from assistant.faces.page.server.app import POLICY
from assistant.installed.registry import load_game
from assistant.records.luck.page import luck_html
from assistant.records.story.page import to_page
from assistant.records.story.story import Story

from .explaining.played import CHECKS, DICE, OUTCOME, in_a_journal
from .luck.test_calculation import of_log

ROOT = Path(__file__).parents[3]
FOR_VASSAL = {"module_builder/vassal/charts.py", "module_builder/vassal/keys.py"}
"""What writes pages for VASSAL's own viewer, which runs no script and knows no policy."""


def luck_page(_: Path) -> str:
    return luck_html(of_log(*DICE, *CHECKS, OUTCOME), load_game("twilight-in-the-east"))


def story_page(folder: Path) -> str:
    return to_page(Story(in_a_journal(folder, "ah dm 22", start="", game="der-weltkrieg")))


WRITTEN: dict[str, Callable[[Path], str]] = {
    "assistant/records/luck/page.py": luck_page,
    "assistant/records/story/page.py": story_page,
}
SERVED = ("assistant/faces/page/shell/index.html", "assistant/faces/page/server/entrance/index.html")
"""Pages that a server sends, with the policy of every answer."""


def test_each_place_that_writes_or_holds_a_page_is_known() -> None:
    page = re.compile(r"<html\b|write_page_head\(title|write_page_head\(f\"|Element\(\"html\"\)", re.IGNORECASE)
    files = [file for folder in ("assistant", "module_builder", "plugins") for file in (ROOT / folder).rglob("*.*")]
    some = [file for file in files if file.suffix in (".py", ".html", ".js", ".txt")]
    found = {file.relative_to(ROOT).as_posix() for file in some if page.search(file.read_text("utf-8"))}
    assert found - {"assistant/records/page_head.py"} == {*WRITTEN, *SERVED, *FOR_VASSAL}


@pytest.mark.parametrize("name", WRITTEN)
def test_page_that_is_written_allows_its_own_style_and_pictures_alone(name: str, tmp_path: Path) -> None:
    text = WRITTEN[name](tmp_path)
    (policy,) = html.fromstring(text).xpath("//head/meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    text = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert not re.search(r"<[^>]*\s(style|on[a-z]+)=|<script|<link|<iframe|https?://|@import|url\(", text)


@pytest.mark.parametrize("name", SERVED)
def test_page_that_is_served_holds_nothing_that_its_policy_forbids(name: str) -> None:
    assert POLICY.startswith("default-src 'none'") and "unsafe-inline" not in POLICY
    assert not re.search(r"<style|<[^>]*\s(style|on[a-z]+)=|<script>|https?://", (ROOT / name).read_text("utf-8"))
