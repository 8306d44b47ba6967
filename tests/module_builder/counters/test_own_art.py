"""Faces and symbols of an author's own, from the file to counters, sheets and module; and what of them is refused."""

from __future__ import annotations

import io
import zipfile
from importlib.resources.abc import Traversable
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from assistant.drawing.faces import Faces, PictureFile, Side, decode_face
from assistant.drawing.scene import Bitmap, Symbol
from assistant.drawing.symbols import read_art
from assistant.game.games import pack_folder, read_game
from assistant.util.datafiles import resolve_within
from assistant.util.errors import InputError
from module_builder.cli import cli
from module_builder.counters.pieces import design_counters
from module_builder.new import new_game

from ...cases import few, thorough

RED = "#d01020"
GREEN = "#10a040"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def face(colour: str, more: str = "") -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">'
        f'<rect width="100" height="100" fill="{colour}"/><circle cx="50" cy="50" r="20" fill="#ffffff"/>{more}</svg>'
    )


def symbol(more: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40"/>{more}</svg>'


@pytest.fixture
def drill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new game with a face of its own for the Lancers, and a symbol of its own for all infantry."""
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "drill"
    new_game(folder)
    for name in ("faces", "symbols"):
        (folder / name).mkdir()
    (folder / "faces" / "Lancers.svg").write_text(face(RED), "utf-8")
    (folder / "symbols" / "infantry.svg").write_text(symbol(), "utf-8")
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words])


def near(picture: Image.Image, colour: str, x: float, y: float) -> bool:
    """Whether a picture has a colour at a place, in shares of its sides."""
    wanted = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    found = picture.convert("RGB").getpixel((round(x * (picture.width - 1)), round(y * (picture.height - 1))))
    assert isinstance(found, tuple)
    return all(abs(one - other) < 12 for one, other in zip(found, wanted, strict=True))


def covered(picture: Image.Image, colour: str) -> float:
    """The share of a picture that has this colour."""
    wanted = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    colours = picture.convert("RGB").getcolors(picture.width * picture.height)
    assert colours
    count = sum(
        count
        for count, found in colours
        if isinstance(found, tuple) and all(abs(a - b) < 12 for a, b in zip(found, wanted, strict=True))
    )
    return count / (picture.width * picture.height)


def test_a_back_of_ones_own_is_not_called_plain(drill: Path) -> None:
    roster = (drill / "roster.csv").read_text("utf-8")
    (drill / "roster.csv").write_text(roster + "Millers,blue,infantry,1,1,\n", "utf-8")
    before = design_counters(read_game("drill", drill))[-1]
    (drill / "faces" / "Millers-back.svg").write_text(face(GREEN), "utf-8")
    now = design_counters(read_game("drill", drill))[-1]
    assert [one.back and one.back.title for one in (before, now)] == ["Millers: plain back", "Millers: back"]


def test_a_face_of_ones_own_is_on_counter_and_sheet_and_in_the_module(drill: Path) -> None:
    assert run("counters", "drill", "--out", "drawn", "--square").exit_code == 0
    lancers = Image.open(next(Path("drawn").glob("*Lancers*front*")))
    assert near(lancers, RED, 0.01, 0.99)
    assert near(lancers, "#ffffff", 0.5, 0.5)
    assert run("sheets", "drill", "--only", "Lancers", "-o", "one.pdf").exit_code == 0
    with pypdfium2.PdfDocument("one.pdf") as document:
        page = document[0].render(scale=4).to_pil()
    assert covered(page, RED) * page.width * page.height > 0.5 * (15.875 / 25.4 * 72 * 4) ** 2
    assert run("sheets", "drill", "--export", "print").exit_code == 0
    assert covered(Image.open(next(Path("print").glob("*Lancers*front*"))), RED) > 0.3
    done = run("module", "drill")
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile("drill.vmod") as module:
        (name,) = [name for name in module.namelist() if "Lancers" in name and "front" in name]
        picture = Image.open(io.BytesIO(module.read(name)))
    assert near(picture, RED, 0.5, 0.95)
    assert near(picture, "#ffffff", 0.5, 0.5)


def test_the_first_of_drawing_picture_and_the_owner_s_face_counts(drill: Path) -> None:
    faces = pack_folder(read_game("drill", drill).id) / "faces"
    faces.mkdir(parents=True)
    (faces / "Lancers.svg").write_text(face(GREEN), "utf-8")
    assert run("counters", "drill", "--overview", "all.png", "--only", "Lancers").exit_code == 0
    assert covered(Image.open("all.png"), GREEN) > 0.2
    assert covered(Image.open("all.png"), RED) == 0
    (faces / "Lancers.svg").unlink()
    (drill / "faces" / "Lancers.png").write_bytes(bitmap((60, 60), GREEN))
    game = read_game("drill", drill)
    assert isinstance(Faces(game).face("Lancers", "front"), Symbol)
    (faces / "Lancers.png").write_bytes(bitmap((60, 60), GREEN))
    assert isinstance(Faces(game).face("Lancers", "front"), Bitmap)


def test_a_symbol_of_ones_own_is_on_counters_sheets_and_in_the_module(drill: Path) -> None:
    with_own = {counter.unit: counter.front for counter in design_counters(read_game("drill", drill))}
    (drill / "symbols" / "infantry.svg").unlink()
    without = {counter.unit: counter.front for counter in design_counters(read_game("drill", drill))}
    changed = {unit for unit in with_own if with_own[unit] != without[unit]}
    assert changed
    assert "Lancers" not in changed
    (drill / "symbols" / "infantry.svg").write_text(symbol(), "utf-8")
    unit = sorted(changed)[0]
    assert run("sheets", "drill", "--preview", "own.png", "--only", unit).exit_code == 0
    assert run("module", "drill").exit_code == 0
    (drill / "symbols" / "infantry.svg").unlink()
    assert run("sheets", "drill", "--preview", "ours.png", "--only", unit).exit_code == 0
    own, ours = (covered(Image.open(f"{name}.png"), "#26231e") for name in ("own", "ours"))
    assert own > ours


IMAGE = '<image xlink:href="{}" width="25000" height="20000"/>'


@few(12)
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("<script>alert(1)</script>", "a drawing cannot use <script>"),
        ('<path d="M0 0H9V9Z" onload="alert(1)"/>', "a drawing cannot use a script (onload)"),
        (IMAGE.format("file:///etc/passwd"), "a drawing cannot use <image>"),
        (IMAGE.format("https://example.com/huge.png"), "a drawing cannot use <image>"),
        (IMAGE.format(f"data:image/png;base64,{PNG}"), "a drawing cannot use <image>"),
        ('<use xlink:href="other.svg#a"/>', "a drawing cannot use <use>"),
        ('<path d="M0 0H9V9Z" fill="url(https://example.com/a)"/>', "a drawing cannot use gradients or patterns"),
        ("<!-- -->" * 40_000, "it holds more than 256 KiB"),
    ],
)
@pytest.mark.parametrize("command", [("counters", "--overview", "all.png"), ("sheets",), ("module",)])
def test_what_a_face_cannot_hold_is_refused_with_its_counter(
    drill: Path, command: tuple[str, ...], more: str, said: str
) -> None:
    (drill / "faces" / "Lancers.svg").write_text(face(RED, more), "utf-8")
    before = sorted(Path().iterdir())
    done = run(command[0], "drill", *command[1:])
    assert done.exit_code == 3
    assert said in done.stderr
    assert "Lancers.svg" in done.stderr
    assert 1 <= len(done.stderr.splitlines()) <= 2
    assert sorted(Path().iterdir()) == before
    if command[0] != "module":  # which checks all files first
        assert "(counter Lancers, its front)" in done.stderr


@pytest.mark.parametrize("command", [("counters", "--overview", "all.png"), ("sheets",)])
def test_a_symbol_that_cannot_be_drawn_is_refused_with_its_counter_and_slot(
    drill: Path, command: tuple[str, ...]
) -> None:
    (drill / "symbols" / "infantry.svg").write_text(symbol("<script/>"), "utf-8")
    done = run(command[0], "drill", *command[1:])
    assert done.exit_code == 3
    assert "infantry.svg: a drawing cannot use <script> (counter " in done.stderr
    assert ", slot symbol)\n  remove it" in done.stderr


def bitmap(size: tuple[int, int], colour: str, kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize(("name", "kind"), [("png", "PNG"), ("gif", "GIF"), ("jpg", "JPEG")])
def test_a_picture_of_pixels_is_a_face(drill: Path, name: str, kind: str) -> None:
    (drill / "faces" / "Lancers.svg").unlink()
    (drill / "faces" / f"Lancers.{name}").write_bytes(bitmap((60, 60), GREEN, kind))
    assert run("check", "drill").exit_code == 0
    assert run("counters", "drill", "--out", "drawn", "--square").exit_code == 0
    lancers = Image.open(next(Path("drawn").glob("*Lancers*front*")))
    assert near(lancers, GREEN, 0.01, 0.99) and near(lancers, GREEN, 0.5, 0.5)


def test_a_picture_is_in_the_module_as_in_its_file_and_its_holes_are_white_on_paper(drill: Path) -> None:
    (drill / "faces" / "Lancers.svg").unlink()
    for side in ("", "-back"):
        (drill / "faces" / f"Lancers{side}.gif").write_bytes(bitmap((61, 47), GREEN if side else RED, "GIF"))
    assert run("module", "drill").exit_code == 0
    with zipfile.ZipFile("drill.vmod") as module:
        (front,) = (name for name in module.namelist() if "Lancers" in name and "front" in name)
        assert front.endswith(".gif") and module.read(front) == (drill / "faces" / "Lancers.gif").read_bytes()
    Image.new("RGBA", (40, 40), (0, 0, 0, 0)).save(drill / "faces" / "1st.png")
    found = Faces(read_game("drill", drill)).face("1st", "front")
    assert isinstance(found, Bitmap) and set(found.pixels) == {255}


@pytest.mark.parametrize("mode", ["1", "L", "LA", "I;16", "P", "RGB", "RGBA", "CMYK"])
def test_a_picture_looks_on_paper_as_if_it_were_laid_on_white(mode: str) -> None:
    noise = Image.effect_noise((20, 20), 90)
    made = noise.convert("I").convert(mode) if mode == "I;16" else noise.convert("RGB").convert(mode)
    file = io.BytesIO()
    made.save(file, "JPEG" if mode == "CMYK" else "PNG", **({"transparency": 3} if mode == "P" else {}))
    found = decode_face(PictureFile("png", file.getvalue()))
    with Image.open(file) as read:
        whole = read.convert("RGBA")
    laid = Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole).convert("RGB")
    assert isinstance(found, Bitmap) and found.pixels == laid.tobytes()
    measured = decode_face(PictureFile("png", file.getvalue()), drawn=False)
    assert isinstance(measured, Bitmap)
    assert (measured.columns, measured.rows, measured.pixels) == (found.columns, found.rows, b"")


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG"])
def test_a_spoiled_picture_is_refused_whether_it_is_drawn_or_not(kind: str) -> None:
    file = io.BytesIO()
    Image.effect_noise((700, 40), 90).save(file, kind)
    whole = file.getvalue()
    spoiled = [whole[: len(whole) * share // 8] for share in range(1, 8)]
    spoiled += [
        bytes([*whole[:at], whole[at] ^ 255, *whole[at + 1 :]]) for at in range(0, len(whole), len(whole) // 40)
    ]
    for data in spoiled:
        found = [is_sound(PictureFile(kind.lower(), data), drawn=drawn) for drawn in (True, False)]
        assert found[0] == found[1]


def is_sound(picture: PictureFile, *, drawn: bool) -> bool:
    try:
        return bool(decode_face(picture, drawn=drawn))
    except InputError:
        return False


def test_a_check_reads_and_decodes_each_face_once(drill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Lancers-back", "Hussars", "1st"):
        (drill / "faces" / f"{name}.png").write_bytes(bitmap((90, 90), GREEN if name == "1st" else RED))
    read, decoded = list[str](), list[str]()

    def reading(file: Path) -> bytes:
        read.append(file.name)
        return read_art(file)

    def decoding(picture: PictureFile, *, drawn: bool = True) -> Symbol | Bitmap:
        decoded.append(picture.ending)
        return decode_face(picture, drawn=drawn)

    monkeypatch.setattr("assistant.drawing.faces.read_art", reading)
    monkeypatch.setattr("assistant.drawing.faces.decode_face", decoding)
    assert run("check", "drill").exit_code == 0
    assert sorted(read) == ["1st.png", "Hussars.png", "Lancers-back.png", "Lancers.svg"]
    assert sorted(decoded) == ["png", "png", "svg"]  # two are alike


def test_a_face_that_was_replaced_is_seen_by_who_reads_it_next(drill: Path) -> None:
    game, file = read_game("drill", drill), drill / "faces" / "1st.png"
    file.write_bytes(bitmap((60, 60), GREEN))
    faces = Faces(game)
    first = faces.face("1st", "front")
    file.write_bytes(bitmap((60, 60), RED))
    assert faces.face("1st", "front") is first  # as it was when it was read
    now = Faces(game).face("1st", "front")
    assert isinstance(first, Bitmap) and isinstance(now, Bitmap) and first.pixels != now.pixels


@thorough
def test_a_picture_with_too_many_pixels_is_named_by_check(drill: Path) -> None:
    Image.new("1", (25_000, 20_000)).save(drill / "faces" / "Uhlans.png")
    done = run("check", "drill")
    assert done.exit_code == 1 and "Uhlans.png: it has more than 16M pixels" in done.output


def test_what_is_no_picture_is_named_by_check(drill: Path) -> None:
    (drill / "faces" / "Lancers.jpg").write_bytes(b"\xff\xd8\xff" + b"x" * 50)
    done = run("check", "drill")
    assert done.exit_code == 1 and "Lancers.jpg: it is not a picture; save it as PNG, GIF or JPEG" in done.output


def test_the_folder_of_faces_is_looked_through_once(drill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, looked_for = read_game("drill", drill), list[str]()

    def looking(folder: Traversable, path: str) -> Traversable:
        looked_for.append(path)
        return resolve_within(folder, path)

    monkeypatch.setattr("assistant.drawing.faces.resolve_within", looking)
    faces = Faces(game)
    sides: tuple[Side, ...] = ("front", "back")
    found = {unit for unit in game.roster for side in sides if faces.face(unit, side)}
    assert (found, looked_for) == ({"Lancers"}, ["faces", "faces", "Lancers.svg"])


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIELD_STAFF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def decoded_by_check(drill: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    """What a check prints, and how many pictures it decodes."""
    decoded = list[str]()

    def decoding(picture: PictureFile, *, drawn: bool = True) -> Symbol | Bitmap:
        decoded.append(picture.ending)
        return decode_face(picture, drawn=drawn)

    with monkeypatch.context() as patched:
        patched.setattr("assistant.drawing.faces.decode_face", decoding)
        done = run("check", "drill")
    return done.output, decoded.count("png")


@thorough
def test_a_second_check_decodes_only_what_is_new(drill: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for unit, colour in (("Hussars", RED), ("1st", GREEN)):
        (drill / "faces" / f"{unit}.png").write_bytes(bitmap((90, 60), colour))
    first = decoded_by_check(drill, monkeypatch)
    assert first[1] == 2 and "another shape" in first[0] and "too few for print" in first[0]
    assert decoded_by_check(drill, monkeypatch) == (first[0], 0)
    (drill / "faces" / "2nd.png").write_bytes(bitmap((90, 61), GREEN))
    assert [decoded_by_check(drill, monkeypatch)[1] for _ in range(2)] == [1, 0]
    (drill / "faces" / "1st.png").write_bytes(b"spoiled")
    assert all("1st.png: it is not a picture" in decoded_by_check(drill, monkeypatch)[0] for _ in range(2))


@few(1)
@pytest.mark.parametrize("spoiled", [b"", b"none", "the first half", "another mark"])
def test_kept_sizes_that_are_spoiled_are_found_anew(
    drill: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, spoiled: bytes | str
) -> None:
    (drill / "faces" / "1st.png").write_bytes(bitmap((90, 60), GREEN))
    first = decoded_by_check(drill, monkeypatch)
    (kept,) = (cache / "faces").iterdir()
    data = kept.read_bytes()
    if spoiled == "the first half":
        spoiled = data[: len(data) // 2]
    kept.write_bytes(spoiled if isinstance(spoiled, bytes) else bytes([data[0] ^ 1]) + data[1:])
    assert decoded_by_check(drill, monkeypatch) == first


def test_a_kept_size_forgives_no_limit(drill: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (drill / "faces" / "1st.png").write_bytes(bitmap((90, 90), GREEN))
    assert run("check", "drill").exit_code == 0
    for limit, what in (("ART_PIXELS", "it has more than 100 pixels"), ("ART", "it holds more than 100 bytes")):
        with monkeypatch.context() as patched:
            patched.setenv(f"FIELD_STAFF_LIMIT_{limit}", "100")
            assert what in run("check", "drill").output
