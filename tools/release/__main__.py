"""`python -m tools.release`: a release from the last commit, in a folder of `dist/`, and its tag.

Nothing is uploaded or committed, and a draft has no tag. Wheel and sdist are built twice, each from a clean copy of its
own, and must have the same bytes; so must the wheel built from the sdist. They must have all their files. Both are
installed into empty environments of each Python that is found, and tried there.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zlib
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from importlib.metadata import version as version_of_package
from pathlib import Path
from types import MappingProxyType
from typing import TypedDict

import click
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from assistant.util.console import echo, format_count
from assistant.util.errors import InputError
from assistant.util.writing import write_all

from ..command import run_tool
from .archives import check_complete, check_same, checksums, pack_folder, repack_sdist, repack_wheel
from .changelog import Section, number_of, sections_of, without_links
from .pythons import VERSIONS, find_pythons, list_missing, new_environment, outside, run, try_release

_NAME = "tools.release"
ROOT = Path(__file__).parent.parent.parent
DEVELOPMENT = ".dev"
"""The part of a version that makes it a development version, such as 1.2.0.dev0."""


@click.command()
@click.option(
    "--draft", is_flag=True, help="All but the check of the date and the tag: to try it, or to build a release anew."
)
@click.option(
    "--parts",
    type=click.Path(path_type=Path),
    default=ROOT / ".venv" / "page-parts",
    help="The folder with the parts of the table page, which `make page-parts` fetches.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=ROOT / "dist",
    help="The folder in which that of the release is made.",
)
def main(draft: bool, parts: Path, out: Path) -> None:
    """Build a release from the last commit of this repository."""
    section = check_commit(ROOT, draft=draft)
    seconds = int(git(ROOT, "log", "-1", "--format=%ct"))
    folder = out / f"{section.version}{'-draft' if draft else ''}"
    with tempfile.TemporaryDirectory(prefix="release-") as created:
        work = Path(created)
        wheel, sdist = build_twice(ROOT, work, seconds)
        echo(
            f"built twice to the same bytes: {', '.join(f'{file.name} ({file.stat().st_size / 1e6:.1f} MB)' for file in (wheel, sdist))}"
        )
        pythons = find_pythons()
        if not any(python.path for python in pythons):
            raise InputError(
                f"found none of Python {', '.join(VERSIONS)}", hint="name one by PYTHONS=/path/to/python3.12"
            )
        bill = page = b""
        for python in pythons:
            for archive in (wheel, sdist) if python.path else ():
                where = work / f"{python.version}-{archive.suffix[1:]}"
                interpreter = new_environment(python, where / "environment", archive)
                bill = bill or bill_of_materials(interpreter, work / "sbom.json", seconds, (wheel, sdist))
                page = page or static_page(interpreter, parts, work / "page", seconds)
                try_release(interpreter, section.version, where / "home")
                echo(f"Python {python.version}: {archive.name} installed and tried")
        for line in list_missing(pythons):
            echo(line)
        name = f"field-staff-{section.version}"
        files = {wheel.name: wheel.read_bytes(), sdist.name: sdist.read_bytes(), f"{name}.cdx.json": bill}
        files |= {f"{name}-page.zip": page, f"{name}-referee.zip": referee_suites(work / "referee", seconds)}
        files |= {f"{name}-notes.md": notes(section, urls_of(ROOT)).encode()}
        write_release(files, folder)
    if not draft:
        tag_commit(ROOT, section, folder / f"{name}-notes.md")
        echo(f"tagged v{section.version}, here alone: push it with the commit")
    echo(f"{folder}: {format_count(len(files) + 1, 'file')}{', a draft' if draft else ''}")


# --- what a release is made of ----------------------------------------------------------------------------------------


def check_commit(folder: Path, *, draft: bool) -> Section:
    """Return the section of the changelog for the version to be released, all of which is committed.

    `draft`: whether a development version, a version with a tag, the unreleased section, and one below others are
    allowed.

    Raises InputError if something is missing.
    """
    if changed := git(folder, "status", "--porcelain").splitlines():
        raise InputError(
            f"not committed: {', '.join(line[3:] for line in changed[:5])}",
            hint="commit or stash it; a release is made from a commit",
        )
    version = str(tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]["version"])
    sections = sections_of((folder / "CHANGELOG.md").read_text("utf-8"))
    if not draft and DEVELOPMENT in version:
        raise InputError(
            f"version {version}, which pyproject.toml names, is a development version",
            hint=f"write {version.partition(DEVELOPMENT)[0]} there, or try it with DRAFT=yes",
        )
    names = (version, "") if draft else (version,)
    section = next((each for name in names for each in sections if each.version == name), None)
    if section is None or not section.text.strip():
        raise InputError(
            f"CHANGELOG.md has no section for version {version}, which pyproject.toml names",
            hint=f"put ## {version} - YYYY-MM-DD in place of ## Unreleased",
        )
    section = section._replace(version=version)
    if not draft:
        _check_date(section)
        _check_order(section, sections, folder)
    return section


def _check_date(section: Section) -> None:
    if date.fromisoformat(section.date) > date.today() + timedelta(days=1):  # other time zones may be a day ahead
        raise InputError(
            f"CHANGELOG.md dates version {section.version} in the future, {section.date}",
            hint="put the date of today there",
        )


def _check_order(section: Section, sections: Sequence[Section], folder: Path) -> None:
    """Raise InputError if the changelog or the tags have a newer version, or if the commit has a tag."""
    if sections[0] != section:
        above = f"version {sections[0].version}" if sections[0].version else "what is unreleased"
        raise InputError(f"CHANGELOG.md has {above} above {section.version}", hint="release the top section")
    raise_it = "raise the version in pyproject.toml and begin a section for it"
    if git(folder, "tag", "--list", f"v{section.version}"):
        raise InputError(f"the tag v{section.version} exists", hint=raise_it)
    tags = re.findall(r"^v(\d+\.\d+\.\d+)$", git(folder, "tag", "--merged", "HEAD"), re.MULTILINE)
    newest = max(
        tags, key=number_of, default="0.0.0"
    )  # only of this branch, since an older major version may get fixes
    if number_of(newest) > section.number:
        raise InputError(f"the tag v{newest} is of a newer version than {section.version}", hint=raise_it)
    if tagged := git(folder, "tag", "--points-at", "HEAD").split():
        raise InputError(f"this commit is already tagged {tagged[0]}", hint="release a later commit")


def git(folder: Path, *words: str) -> str:
    """Return the output of git. Raises InputError if the folder is not a repository."""
    return run(["git", *words], folder).strip("\n")


def tag_commit(folder: Path, section: Section, message: Path) -> None:
    """Tag the last commit with a version and its notes. Raises InputError if git refuses, such as without a name."""
    git(folder, "tag", "--annotate", "--cleanup=whitespace", "--file", str(message), f"v{section.version}")


def urls_of(folder: Path) -> Mapping[str, str]:
    """Return the addresses of the project in pyproject.toml by their labels, or nothing if it has none."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    return dict(project.get("urls", {}))


def static_page(interpreter: Path, parts: Path, folder: Path, seconds: int) -> bytes:
    """Return the table page of an installed release as a zip file for any web host.

    `parts`: the folder with what it needs besides the program.
    """
    builder = [str(interpreter), "-I", "-m", "module_builder", "page"]
    run([*builder, "--parts", str(parts.resolve()), "-o", str(folder)], environment=outside())
    return pack_folder(folder, seconds)


def referee_suites(folder: Path, seconds: int) -> bytes:
    """Return the referee's suites as a zip file; print how they differ from the recorded ones.

    Raises InputError if they differ.
    """
    command = [sys.executable, "-m", "tests.referee", "--into", str(folder)]
    if subprocess.run(command, cwd=ROOT, env=outside(), check=False).returncode:
        raise InputError(
            "the referee's suites are not those recorded", hint="record them: python -m tests.referee --write"
        )
    return pack_folder(folder, seconds)


def notes(section: Section, urls: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the release notes: the changelog of the version, the tools that built it, and the project's addresses."""
    tools = ", ".join(f"{name} {version_of_package(name)}" for name in ("setuptools", "build"))
    return (
        f"# Field Staff {section.version}{f' - {section.date}' if section.date else ''}\n\n{without_links(section.text)}\n"
        f"Built by Python {platform.python_version()}, {tools}, zlib {zlib.ZLIB_RUNTIME_VERSION}.\n"
        + "".join(f"\n- {what}: {url}" for what, url in urls.items())
        + ("\n" if urls else "")
    )


class Reference(TypedDict, total=False):
    """The place of something that belongs to a component."""

    type: str
    url: str
    hashes: list[dict[str, str]]


Component = TypedDict(
    "Component",
    {
        "type": str,
        "bom-ref": str,
        "name": str,
        "version": str,
        "description": str,
        "licenses": list[dict[str, dict[str, str]]],
        "purl": str,
        "externalReferences": list[Reference],
        "properties": list[dict[str, str]],
    },
    total=False,
)
"""A package, or a file, of a bill: the fields that are read or added here."""


class Dependency(TypedDict, total=False):
    """The components that a component needs, by their references."""

    ref: str
    dependsOn: list[str]


class Bill(TypedDict):
    """A bill of materials: the fields that are read or changed here."""

    metadata: dict[str, Component]
    components: list[Component]
    dependencies: list[Dependency]


FACE: Component = {
    "type": "file",
    "bom-ref": "face",
    "name": "Noto Sans",
    "description": "the face of all pictures, in the folder of the images",
    "licenses": [{"license": {"id": "OFL-1.1"}}],
}
"""The part of the archives that is not ours, as a component."""


def bill_of_materials(interpreter: Path, file: Path, seconds: int, archives: Sequence[Path]) -> bytes:
    """Return the packages installed with an interpreter, as CycloneDX in JSON, without the paths of this machine.

    It has the packages that pip takes on that day, without the extras.

    Raises InputError if the bill is not valid.
    """
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
        [*command, "--output-reproducible", "--of", "JSON", "-o", str(file), str(interpreter)],
        ROOT,
        _build_variables(seconds),
    )
    bill = complete_bill(json.loads(file.read_bytes()), archives)
    text = json.dumps(bill, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    check_bill(text)
    return text.encode()


def complete_bill(bill: Bill, archives: Sequence[Path]) -> Bill:
    """Return a bill with what the packages do not show: the archives, the face in them, and the extras left out."""
    main = bill["metadata"]["component"]
    hashes: list[Reference] = [
        {
            "type": "distribution",
            "url": archive.name,
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(archive.read_bytes()).hexdigest()}],
        }
        for archive in archives
    ]
    main = {
        **main,
        "purl": f"pkg:pypi/field-staff@{main['version']}",
        "externalReferences": [*main.get("externalReferences", []), *hashes],
        "properties": [{"name": "field-staff:extras", "value": "none: mcp needs further packages"}],
    }
    components = [without_paths(each) for each in bill["components"] if each["name"] != "field-staff"]
    known = {main["bom-ref"], FACE["bom-ref"], *(each["bom-ref"] for each in components)}
    needs = {each["ref"]: {*each.get("dependsOn", ())} & known for each in bill["dependencies"] if each["ref"] in known}
    needs[main["bom-ref"]] = needs.get(main["bom-ref"], set()) | {FACE["bom-ref"]}
    needs.setdefault(FACE["bom-ref"], set())
    return {
        **bill,
        "metadata": {**bill["metadata"], "component": main},
        "components": [*components, FACE],
        "dependencies": [{"ref": ref, "dependsOn": sorted(others)} for ref, others in sorted(needs.items())],
    }


def check_bill(text: str) -> None:
    """Raise InputError if a bill is not valid CycloneDX."""
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise InputError(f"the SBOM is not valid: {error}"[:300], hint="see complete_bill in tools/release")


def without_paths(component: Component) -> Component:
    """Return a component without references to files of the machine on which it was installed."""
    references = component.get("externalReferences", [])
    public = [reference for reference in references if not str(reference.get("url", "")).startswith("file:")]
    return {**component, **({"externalReferences": public} if references else {})}


def write_release(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of a release and their checksums into a folder of their own, all of them or none.

    An earlier release in that folder stays until the new one is complete.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
        made, before = Path(beside, "made"), Path(beside, "before")
        write_all(made, {**files, "SHA256SUMS": checksums(files).encode()})
        if folder.exists():
            folder.rename(before)
        try:
            made.rename(folder)
        except OSError:
            if before.exists():
                before.rename(folder)
            raise


# --- building ---------------------------------------------------------------------------------------------------------


def build_twice(folder: Path, work: Path, seconds: int) -> tuple[Path, Path]:
    """Return wheel and sdist of the last commit, built twice under different conditions to the same bytes.

    Raises InputError if any differ, if the sdist gives another wheel than the commit, or if one lacks a file.
    """
    copy, second_copy = (copy_commit(folder, work / name) for name in ("copy", "a second copy"))
    wheel, sdist = build(copy, work / "first", seconds, {"PYTHONHASHSEED": "1", "TZ": "UTC"}, umask=0o022)
    again = build(second_copy, work / "again", seconds, {"PYTHONHASHSEED": "2", "TZ": "Asia/Kathmandu"}, umask=0o077)
    for archive, archive_again in zip((wheel, sdist), again, strict=True):
        check_same(archive, archive_again, "when it is built again")
    (unpacked,) = unpack(sdist, work / "unpacked")
    from_sdist, _ = build(unpacked, work / "from-sdist", seconds, {}, umask=0o022)
    check_same(wheel, from_sdist, "when the sdist is what it is built from")
    check_complete(wheel, sdist, copy_commit(folder, work / "untouched"))
    return wheel, sdist


def copy_commit(folder: Path, target: Path) -> Path:
    """Return a clean copy of the last commit, with the committed bytes whatever the settings of git."""
    packed = target.with_name(f"{target.name}.tar")
    settings = ["-c", "core.autocrlf=false", "-c", "core.eol=lf"]
    git(folder, *settings, "archive", "--format=tar", "--output", str(packed), "HEAD")
    with tarfile.open(packed) as archive:
        archive.extractall(target, filter="data")
    return target


def unpack(sdist: Path, target: Path) -> list[Path]:
    """Return the folders in an unpacked sdist."""
    with tarfile.open(sdist) as archive:
        archive.extractall(target, filter="data")
    return list(target.iterdir())


def build(source: Path, target: Path, seconds: int, variables: Mapping[str, str], *, umask: int) -> tuple[Path, Path]:
    """Return wheel and sdist as the build back end makes them from a folder, repacked."""
    before = os.umask(umask)
    try:
        for kind in "--wheel", "--sdist":
            run(
                [sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", str(target), str(source)],
                source,
                {**_build_variables(seconds), **variables},
            )
    finally:
        os.umask(before)
    (wheel,), (sdist,) = target.glob("*.whl"), target.glob("*.tar.gz")
    wheel.write_bytes(repack_wheel(wheel.read_bytes(), seconds))
    sdist.write_bytes(repack_sdist(sdist.read_bytes(), seconds))
    return wheel, sdist


def _build_variables(seconds: int) -> dict[str, str]:
    return {**outside(), "SOURCE_DATE_EPOCH": str(seconds), "PYTHONDONTWRITEBYTECODE": "1"}


if __name__ == "__main__":
    run_tool(main, _NAME)
