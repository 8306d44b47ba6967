"""PDF for a press, read by pypdf: PDF/X-4's demands on profile, boxes, fonts, colours and metadata."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from lxml import etree
from PIL import ImageCms

from module_builder.new import new_game

from ..cases import few
from ..press_profile import NAME, press_profile
from .test_cli import refused, run

_SCREEN_COLOUR = re.compile(rb"[0-9] (rg|RG|g|G)\s|/(DeviceRGB|CalRGB|RGB)\b")
GAMES = (
    "twilight-in-the-east",
    "kaisers-war-in-the-east",
    "world-undone-east-prussia-1914",
    "der-weltkrieg",
)


@pytest.fixture
def profile(tmp_path: Path) -> str:
    (tmp_path / "press.icc").write_bytes(press_profile())
    return str(tmp_path / "press.icc")


def faults_of_x4(file: Path) -> list[str]:
    """What PDF/X-4 demands and a document lacks, as far as our documents can lack it."""
    return [*_faults_of_x4(pypdf.PdfReader(file))]


def _faults_of_x4(reader: pypdf.PdfReader) -> Iterator[str]:
    if reader.pdf_header < "%PDF-1.6":
        yield f"version {reader.pdf_header}"
    if reader.is_encrypted or "/ID" not in reader.trailer:
        yield "encrypted, or without an identity"
    catalogue = reader.trailer["/Root"]
    intents = [entry.get_object() for entry in catalogue.get("/OutputIntents", ())]
    if [intent.get("/S") for intent in intents] != ["/GTS_PDFX"]:
        yield "no output intent"
    for intent in intents:
        stored = intent["/DestOutputProfile"].get_object()
        embedded = ImageCms.ImageCmsProfile(io.BytesIO(stored.get_data())).profile
        if (stored["/N"], embedded.device_class, embedded.xcolor_space) != (4, "prtr", "CMYK"):
            yield "the profile is not one of a press"
        if not intent.get("/OutputConditionIdentifier"):
            yield "the profile has no name"
    about = reader.trailer["/Info"]
    yield from (f"no {name}" for name in ("/Title", "/CreationDate", "/ModDate") if not about.get(name))
    if about.get("/Trapped") not in ("/True", "/False"):
        yield "trapping is not stated"
    yield from _faults_of_metadata(reader)
    for number, page in enumerate(reader.pages, 1):
        yield from (f"page {number}: {fault}" for fault in _faults_of_page(page))
    for number in range(1, reader.trailer["/Size"]):
        kept = reader.get_object(number)
        if isinstance(kept, pypdf.generic.StreamObject) and kept.get("/Type") != "/Metadata" and "/N" not in kept:
            drawn = kept.get_data()
            if "/Length1" not in kept and _SCREEN_COLOUR.search(drawn):
                yield f"object {number} has a colour of a screen"


def _faults_of_metadata(reader: pypdf.PdfReader) -> Iterator[str]:
    stored = reader.trailer["/Root"].get("/Metadata")
    if stored is None:
        yield "no metadata"
        return
    held = stored.get_object()
    if "/Filter" in held:
        yield "metadata are compressed"
    text = etree.fromstring(held.get_data().strip())
    said = {etree.QName(entry).localname: "".join(entry.itertext()).strip() for entry in text.iter(etree.Element)}
    wanted = {"GTS_PDFXVersion": "PDF/X-4", "RenditionClass": "default", "Trapped": "False"}
    yield from (f"{name}: {said.get(name)}" for name, value in wanted.items() if said.get(name) != value)
    if said.get("title") != reader.trailer["/Info"]["/Title"]:
        yield "two titles"
    stamp = re.sub(r"[^0-9]", "", said.get("CreateDate", ""))[:14]
    if stamp not in reader.trailer["/Info"]["/CreationDate"]:
        yield "two dates"
    yield from (f"no {name}" for name in ("MetadataDate", "DocumentID", "VersionID") if not said.get(name))


def _faults_of_page(page: pypdf.PageObject) -> Iterator[str]:
    if "/TrimBox" not in page:
        yield "no trim"
    media, bleed, trim = (tuple(map(float, box)) for box in (page.mediabox, page.bleedbox, page.trimbox))
    for inner, outer in ((trim, bleed), (bleed, media)):
        if any(one < two - 0.001 for one, two in zip(inner[:2], outer[:2], strict=True)) or any(
            one > two + 0.001 for one, two in zip(inner[2:], outer[2:], strict=True)
        ):
            yield f"box {inner} reaches beyond {outer}"
    for name, font in page["/Resources"].get("/Font", {}).get_object().items():
        described = font.get_object().get("/FontDescriptor", {})
        if not any(key in described for key in ("/FontFile", "/FontFile2", "/FontFile3")):
            yield f"font {name} is not embedded"
    if "/Annots" in page or "/AA" in page:
        yield "actions"


@pytest.mark.parametrize("command", ["sheets", "aids", "board"])
def test_a_pdf_for_a_press_is_pdf_x4_and_names_its_profile(tmp_path: Path, profile: str, command: str) -> None:
    new_game(tmp_path / "drill")
    out = tmp_path / "out.pdf"
    done = run(command, str(tmp_path / "drill"), "-o", str(out), "--cmyk", "--profile", profile)
    assert done.exit_code == 0, done.stderr
    assert faults_of_x4(out) == []
    (intent,) = pypdf.PdfReader(out).trailer["/Root"]["/OutputIntents"]
    assert intent.get_object()["/OutputConditionIdentifier"] == NAME
    assert intent.get_object()["/DestOutputProfile"].get_data() == press_profile()
    assert re.search("within the gamut of the press: dE at most [0-6]\\.[0-9], #", done.stdout)


@few(1)
@pytest.mark.parametrize("game", GAMES)
def test_the_sheets_of_each_game_pass_the_check(tmp_path: Path, profile: str, game: str) -> None:
    out = tmp_path / "out.pdf"
    done = run("sheets", game, "-o", str(out), "--cmyk", "--profile", profile)
    assert done.exit_code == 0, done.stderr
    assert faults_of_x4(out) == []
    within = re.search(r"dE at most ([0-9.]+), ", done.stdout)
    assert within
    assert float(within[1]) <= 6


def test_the_check_sees_what_is_missing(tmp_path: Path, profile: str) -> None:
    new_game(tmp_path / "drill")
    plain, out = tmp_path / "plain.pdf", tmp_path / "out.pdf"
    assert run("sheets", str(tmp_path / "drill"), "-o", str(plain)).exit_code == 0
    found = " ".join(faults_of_x4(plain))
    for fault in ("version %PDF-1.3", "no output intent", "no metadata", "no trim", "has a colour of a screen"):
        assert fault in found
    assert run("sheets", str(tmp_path / "drill"), "-o", str(out), "--cmyk", "--profile", profile).exit_code == 0
    writer = pypdf.PdfWriter(clone_from=out)
    writer.pages[0].trimbox = pypdf.generic.RectangleObject((-9, 0, 99, 99))
    writer.write(tmp_path / "changed.pdf")
    assert any("reaches beyond" in fault for fault in faults_of_x4(tmp_path / "changed.pdf"))


def test_an_option_without_the_other_and_a_file_that_is_no_profile_are_refused(
    tmp_path: Path, profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    new_game(tmp_path / "drill")
    (tmp_path / "wrong.icc").write_bytes(b"words")
    for command in ("sheets", "aids", "board"):
        game = (command, str(tmp_path / "drill"), "-o", "out.pdf")
        refused(run(*game, "--cmyk"), "--cmyk: the ICC profile of the press is missing", "--profile FILE.icc")
        refused(run(*game, "--profile", profile), "--profile: it is the profile of a press", "add --cmyk")
        refused(run(*game, "--cmyk", "--profile", "none.icc"), "none.icc")
        refused(run(*game, "--cmyk", "--profile", "wrong.icc"), "wrong.icc: it is not an ICC profile", "CMYK")
    assert not (tmp_path / "out.pdf").exists()
