"""`python -m tools.release`: a release from the last commit, in `dist/`. Nothing is uploaded, tagged or committed.

Wheel and sdist are built twice, each from a clean copy of its own, and must have the same bytes; so must the wheel that the sdist gives. Both are
installed into empty environments of each Python that is found, and tried there.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

import click

from assistant.cli.group import UNUSABLE
from assistant.util.console import count_text, echo
from assistant.util.errors import InputError
from assistant.util.saving import write_whole

from .archives import check_same, checksums, repack_sdist, repack_wheel
from .changelog import Section, sections_of
from .pythons import VERSIONS, find_pythons, new_environment, run, try_release, untried

_NAME = "tools.release"
ROOT = Path(__file__).parent.parent.parent


@click.command()
@click.option(
    "--draft", is_flag=True, help="All but the check of the date and the tag: to try it, or to build a release anew."
)
@click.option("--out", type=click.Path(path_type=Path), default=ROOT / "dist", help="The folder for what is made.")
def main(draft: bool, out: Path) -> None:
    """Build a release from the last commit of this repository."""
    section = check_commit(ROOT, draft=draft)
    seconds = int(git(ROOT, "log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory(prefix="release-") as made:
        work = Path(made)
        wheel, sdist = build_twice(ROOT, work, seconds)
        echo(
            f"built twice to the same bytes: {', '.join(f'{file.name} ({file.stat().st_size / 1e6:.1f} MB)' for file in (wheel, sdist))}"
        )
        pythons = find_pythons()
        if not any(python.path for python in pythons):
            raise InputError(
                f"no Python of {', '.join(VERSIONS)} is found", hint="name one by PYTHONS=/path/to/python3.12"
            )
        contents = b""
        for python in pythons:
            for archive in (wheel, sdist) if python.path else ():
                where = work / f"{python.version}-{archive.suffix[1:]}"
                interpreter = new_environment(python, where / "environment", archive)
                contents = contents or bill_of_materials(interpreter, work / "sbom.json", seconds)
                try_release(interpreter, section.version, where / "home")
                echo(f"Python {python.version}: {archive.name} installed and tried")
        for line in untried(pythons):
            echo(line)
        name = f"field-staff-{section.version}"
        files = {wheel.name: wheel.read_bytes(), sdist.name: sdist.read_bytes(), f"{name}.cdx.json": contents}
        files[f"{name}-notes.md"] = notes(section).encode()
        write_release(files, out)
    echo(f"{out}: {count_text(len(files) + 1, 'file')}{', a draft' if draft else ''}")


# --- what a release is made of ----------------------------------------------------------------------------------------


def check_commit(folder: Path, *, draft: bool) -> Section:
    """The section of the changelog for the version that is to be released, all of which is committed.

    draft: the section may lack its date, and the version may have its tag. Raises InputError for what is missing, and what to do.
    """
    if changed := git(folder, "status", "--porcelain").splitlines():
        raise InputError(
            f"not committed: {', '.join(line[3:] for line in changed[:5])}",
            hint="commit or stash it; a release is made from a commit",
        )
    version = str(tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]["version"])
    sections = sections_of((folder / "CHANGELOG.md").read_text("utf-8"))
    section = next((each for each in sections if each.version == version), None)
    if section is None or not section.text.strip():
        raise InputError(
            f"CHANGELOG.md says nothing of version {version} of pyproject.toml",
            hint=f"write a section: ## {version} - YYYY-MM-DD",
        )
    if not draft and not section.date:
        raise InputError(
            f"CHANGELOG.md calls version {version} unreleased",
            hint="put the date of the release there, or try it with DRAFT=yes",
        )
    if not draft and git(folder, "tag", "--list", f"v{version}"):
        raise InputError(
            f"the tag v{version} exists", hint="raise the version in pyproject.toml and begin a section for it"
        )
    return section


def git(folder: Path, *words: str) -> str:
    """What git prints. Raises InputError if the folder is not a repository."""
    return run(["git", *words], folder).strip("\n")


def notes(section: Section) -> str:
    """The release notes: what the changelog says of the version."""
    return f"# Field Staff {section.version}{f' - {section.date}' if section.date else ''}\n\n{section.text}"


def bill_of_materials(interpreter: Path, file: Path, seconds: int) -> bytes:
    """What is installed beside an interpreter, as CycloneDX in JSON, without the paths of this machine."""
    command = [
        sys.executable,
        "-m",
        "cyclonedx_py",
        "environment",
        "--pyproject",
        str(ROOT / "pyproject.toml"),
        "--mc-type",
        "application",
    ]
    run(
        [*command, "--output-reproducible", "--of", "JSON", "-o", str(file), str(interpreter)], ROOT, _building(seconds)
    )
    bill = json.loads(file.read_bytes())
    bill["components"] = [
        without_paths(component) for component in bill["components"] if component["name"] != "field-staff"
    ]
    return (json.dumps(bill, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def without_paths(component: Mapping[str, object]) -> dict[str, object]:
    """A component without references to files of the machine on which it was installed."""
    references = component.get("externalReferences", [])
    assert isinstance(references, list)
    kept = [reference for reference in references if not str(reference.get("url", "")).startswith("file:")]
    return {**component, **({"externalReferences": kept} if references else {})}


def write_release(files: Mapping[str, bytes], out: Path) -> None:
    """Write the files of a release and their checksums into a folder, in place of those of another try."""
    out.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        write_whole(out / name, data, force=True)
    write_whole(out / "SHA256SUMS", checksums(out / name for name in files).encode(), force=True)


# --- building ---------------------------------------------------------------------------------------------------------


def build_twice(folder: Path, work: Path, seconds: int) -> tuple[Path, Path]:
    """Wheel and sdist of the last commit, of whose bytes a second build in other circumstances has every one.

    Raises InputError if any differ, or if the sdist gives another wheel than the commit.
    """
    copies = [copy_commit(folder, work / name) for name in ("one", "a second copy")]
    wheel, sdist = build(copies[0], work / "first", seconds, {"PYTHONHASHSEED": "1", "TZ": "UTC"}, umask=0o022)
    again = build(copies[1], work / "again", seconds, {"PYTHONHASHSEED": "2", "TZ": "Asia/Kathmandu"}, umask=0o077)
    for one, other in zip((wheel, sdist), again, strict=True):
        check_same(one, other, "when it is built again")
    (unpacked,) = unpack(sdist, work / "unpacked")
    check_same(
        wheel,
        build(unpacked, work / "from-sdist", seconds, {}, umask=0o022)[0],
        "when the sdist is what it is built from",
    )
    return wheel, sdist


def copy_commit(folder: Path, target: Path) -> Path:
    """A clean copy of the last commit."""
    packed = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"], cwd=folder, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(target, filter="data")
    return target


def unpack(sdist: Path, target: Path) -> list[Path]:
    """The folders that an sdist unpacks to."""
    with tarfile.open(sdist) as archive:
        archive.extractall(target, filter="data")
    return list(target.iterdir())


def build(source: Path, target: Path, seconds: int, variables: Mapping[str, str], *, umask: int) -> tuple[Path, Path]:
    """Wheel and sdist as the build back end makes them of a folder, repacked."""
    before = os.umask(umask)
    try:
        for kind in "--wheel", "--sdist":
            run(
                [sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", str(target), str(source)],
                source,
                {**_building(seconds), **variables},
            )
    finally:
        os.umask(before)
    (wheel,), (sdist,) = target.glob("*.whl"), target.glob("*.tar.gz")
    wheel.write_bytes(repack_wheel(wheel.read_bytes(), seconds))
    sdist.write_bytes(repack_sdist(sdist.read_bytes(), seconds))
    return wheel, sdist


def _building(seconds: int) -> dict[str, str]:
    """The variables of a build. seconds: the time that it states, since 1970."""
    return {**os.environ, "SOURCE_DATE_EPOCH": str(seconds), "PYTHONDONTWRITEBYTECODE": "1"}


def program() -> None:
    """Run the command with the words of the command line. What cannot be released ends with a message and exit code 3."""
    try:
        main(prog_name=_NAME)
    except InputError as error:
        echo(f"{_NAME}: {error}", err=True)
        sys.exit(UNUSABLE)


if __name__ == "__main__":
    program()
