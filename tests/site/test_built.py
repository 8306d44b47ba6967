"""The site is built without a warning, and each link in it leads to what is there, on this host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.util.errors import InputError

from .building import ROOT, anchors_in, find_site, page_in, pages_of, targets, warnings_of

ON_DEMAND = re.compile(r"https://github\.com/pradyunsg/furo|http://www\.w3\.org/\S+")
"""What may be named of other hosts: who made the look, and the name of a format."""


def test_it_is_built_without_a_warning(site: Path) -> None:
    warnings = warnings_of(site)
    if warnings is None:
        pytest.skip("this site was built elsewhere: `make site` fails for a warning")
    assert warnings == ""


def test_the_settings_of_the_build_leave_no_folder_behind(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "docs/conf.py"], env={**os.environ, "TMPDIR": str(tmp_path)}, check=True)
    assert [*tmp_path.iterdir()] == []


def test_a_folder_without_a_site_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_SITE", str(tmp_path))
    with pytest.raises(InputError, match="no site in"):
        find_site(tmp_path)


def test_each_page_of_the_docs_and_of_the_root_is_in_it(site: Path) -> None:
    pages = [page.relative_to(ROOT) for page in (*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md"))]
    lacking = [str(page) for page in pages if not (site / page.with_suffix(".html")).exists()]
    assert lacking == []


def test_each_page_is_reached_from_the_first(site: Path) -> None:
    reached, todo = set[Path](), [site / "index.html"]
    while todo:
        page = todo.pop()
        if page.suffix == ".html" and page not in reached:
            reached.add(page)
            todo += [file for _, file, _ in targets(page) if file]
    assert [str(page.relative_to(site)) for page in pages_of(site) if page.resolve() not in reached] == []


def test_each_link_leads_to_a_file_and_a_place_in_it(site: Path) -> None:
    broken = []
    for page in pages_of(site):
        for written, file, anchor in targets(page):
            if (file and not file.is_file()) or (
                file and anchor and file.suffix == ".html" and anchor not in anchors_in(file)
            ):
                broken.append(f"{page.relative_to(site)}: {written}")
    assert broken == []


def test_each_picture_has_words_for_those_who_do_not_see_it(site: Path) -> None:
    silent = [
        f"{page.relative_to(site)}: {picture.get('src')}"
        for page in pages_of(site)
        for picture in page_in(page).iter("img")
        if not picture.get("alt") or re.search(r"\.(?:png|svg)$", picture.get("alt", ""))
    ]
    assert silent == []


def test_no_page_names_another_host(site: Path) -> None:
    named = {written for page in pages_of(site) for written, file, _ in targets(page) if not file}
    assert {address for address in named if not ON_DEMAND.fullmatch(address)} == set()


def test_no_style_or_script_fetches_from_another_host(site: Path) -> None:
    for file in [*site.rglob("*.css"), *site.rglob("*.js")]:
        text = file.read_text("utf-8")
        assert not re.search(r"""url\(\s*["']?(?:https?:)?//|@import\s+["'](?:https?:)?//""", text), file
