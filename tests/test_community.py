"""What the forge shows to those who report or cite: forms that ask for what is needed, and a citation that is whole."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.release.pythons import VERSIONS

from .pages import ROOT

FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[0-9]-*.yml"))
ABOUT_ANSWERS = [form for form in FORMS if "answer" in form.name or "crash" in form.name]
WORKFLOW = ROOT / ".github/workflows/tests.yml"
KINDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}
"""The kinds of fields that a form can have."""


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text("utf-8"))


def filled_in(form: Any) -> list[dict[str, Any]]:
    """The fields of a form that are filled in."""
    return [field for field in form["body"] if field["type"] != "markdown"]


def fields(form: Path) -> dict[str, dict[str, Any]]:
    """The fields of a form that are filled in, by their ids."""
    return {field["id"]: field for field in filled_in(read(form))}


def faults_of(form: Any) -> list[str]:
    """Why the forge would not show a form."""
    faults = [f"lacks {key}" for key in ("name", "description", "body") if key not in form]
    faults += [f"has a field of kind {field['type']}" for field in form["body"] if field["type"] not in KINDS]
    for key, values in (
        ("id", [field["id"] for field in filled_in(form)]),
        ("label", [field["attributes"].get("label") for field in filled_in(form)]),
    ):
        faults += [f"has the {key} {value} twice" for value in {*values} if values.count(value) > 1]
        faults += [f"has a field without {key}" for value in values if not value]
    return faults


def test_there_is_a_form_for_a_wrong_answer_a_crash_a_request_and_what_is_private() -> None:
    assert [form.stem for form in FORMS] == ["1-wrong-answer", "2-crash-or-refusal", "3-request", "4-private-report"]
    assert read(ROOT / ".github/ISSUE_TEMPLATE/config.yml") == {"blank_issues_enabled": False}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_is_one_that_the_forge_shows(form: Path) -> None:
    assert faults_of(read(form)) == []


def test_a_form_with_the_same_id_twice_is_at_fault() -> None:
    form = read(FORMS[0])
    again = {"type": "input", "id": "position", "attributes": {"label": "Again"}}
    assert faults_of({**form, "body": [*form["body"], again]}) == ["has the id position twice"]


def test_who_reports_in_private_is_asked_for_nothing_that_is_secret() -> None:
    (form,) = (form for form in FORMS if "private" in form.name)
    assert {field["type"] for field in filled_in(read(form))} == {"dropdown"}
    assert f"*{read(form)['name']}*" in " ".join((ROOT / "SECURITY.md").read_text("utf-8").split())
    assert "SECURITY.md#how-to-report" in (ROOT / "CODE_OF_CONDUCT.md").read_text("utf-8")


@pytest.mark.parametrize("form", ABOUT_ANSWERS, ids=lambda form: form.stem)
def test_who_reports_is_asked_for_a_position_and_his_installation(form: Path) -> None:
    asked = fields(form)
    assert asked["position"]["validations"]["required"]
    assert "--notation" in asked["position"]["attributes"]["description"]
    assert "assistant doctor" in asked["doctor"]["attributes"]["description"]
    assert "assistant --version" in form.read_text("utf-8")


def test_a_wrong_answer_needs_question_answer_and_rule() -> None:
    required = {name for name, field in fields(FORMS[0]).items() if field.get("validations", {}).get("required")}
    assert required == {"position", "question", "answer", "rule", "version"}


def test_the_citation_is_whole_and_agrees_with_the_project() -> None:
    citation, project = (
        read(ROOT / "CITATION.cff"),
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"],
    )
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["cff-version"] == "1.2.0"
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in project["authors"]]
    assert isinstance(citation["license"], str), "several would mean that any of them suffices"
    assert citation["license"] in project["license"].split(" AND ")


def test_uvx_and_pipx_run_what_opens_the_page() -> None:
    """They run the command that is called as the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"][project["name"]] == "assistant.__main__:open_page"


def test_the_version_stands_in_one_place() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert "version" not in read(ROOT / "CITATION.cff")
    for package in ("assistant", "module_builder"):
        assert f'"{version}"' not in (ROOT / package / "__init__.py").read_text("utf-8")


def test_the_citation_and_the_package_are_found_by_the_same_words() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {*read(ROOT / "CITATION.cff")["keywords"]} <= {*project["keywords"]}


def test_no_extra_is_empty() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [name for name, packages in project["optional-dependencies"].items() if not packages] == []


def test_no_page_names_the_version() -> None:
    """A page says what to type whatever the version is: FILE.whl is the wheel."""
    pages = [file for file in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if file.name != "performance.md"]
    assert [
        file.name for file in pages if re.search(r"\bfield_staff-\d|--spec \S*\d\.\d\.\d", file.read_text("utf-8"))
    ] == []


def test_security_says_how_to_report_and_what_is_mended() -> None:
    security = (ROOT / "SECURITY.md").read_text("utf-8")
    assert [
        head for head in ("## What counts", "## How to report", "## Supported versions") if head not in security
    ] == []


def commands(job: str) -> list[str]:
    """What a job of the workflow runs."""
    return [step["run"] for step in read(WORKFLOW)["jobs"][job]["steps"] if "run" in step]


def test_the_workflow_runs_on_linux_what_continuous_integration_runs() -> None:
    assert commands("linux")[-1] == ".ci/run"
    assert (ROOT / ".ci/run").is_file()
    assert "Not run there yet" in WORKFLOW.read_text("utf-8"), "remove it once it is"


def test_the_workflow_runs_the_suite_on_the_other_systems() -> None:
    elsewhere = read(WORKFLOW)["jobs"]["elsewhere"]
    assert {*elsewhere["strategy"]["matrix"]["system"]} == {"macos-latest", "windows-latest"}
    assert {*elsewhere["strategy"]["matrix"]["python"]} == {VERSIONS[0], VERSIONS[-1]}
    suite = commands("elsewhere")[-1]
    assert suite.startswith("python -m ") and suite.removeprefix("python -m ") in (ROOT / "Makefile").read_text("utf-8")


def test_the_workflow_can_change_nothing() -> None:
    assert read(WORKFLOW)["permissions"] == {"contents": "read"}


def test_where_the_project_is_at_home_is_filled_in_in_one_place() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    urls = tomllib.loads(text)["project"]["urls"]
    assert all(url.startswith("https://") for url in urls.values())
    (block,) = re.findall(r"^\[project\.urls\]\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    filled_in = tomllib.loads(re.sub("^# ", "", block, flags=re.MULTILINE))
    assert {*filled_in} == {"Homepage", "Table page", "Source", "Issues"}
