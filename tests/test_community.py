"""What the forge shows to those who report or cite: forms that ask for what is needed, and a citation that is whole."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from .pages import ROOT

FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[0-9]-*.yml"))
ABOUT_ANSWERS = [form for form in FORMS if "request" not in form.name]
KINDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}
"""The kinds of fields that a form can have."""


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text("utf-8"))


def fields(form: Path) -> dict[str, dict[str, Any]]:
    """The fields of a form that are filled in, by their ids."""
    return {field["id"]: field for field in read(form)["body"] if field["type"] != "markdown"}


def test_there_is_a_form_for_a_wrong_answer_a_crash_and_a_request() -> None:
    assert [form.stem for form in FORMS] == ["1-wrong-answer", "2-crash-or-refusal", "3-request"]
    assert read(ROOT / ".github/ISSUE_TEMPLATE/config.yml") == {"blank_issues_enabled": False}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_is_one_that_the_forge_shows(form: Path) -> None:
    whole = read(form)
    assert {"name", "description", "body"} <= whole.keys()
    assert {field["type"] for field in whole["body"]} <= KINDS
    assert all(field["attributes"]["label"] for field in fields(form).values())
    labels = [field["attributes"]["label"] for field in fields(form).values()]
    assert len(labels) == len({*labels})


@pytest.mark.parametrize("form", ABOUT_ANSWERS, ids=lambda form: form.stem)
def test_who_reports_is_asked_for_a_position_and_his_installation(form: Path) -> None:
    asked = fields(form)
    assert asked["position"]["validations"]["required"]
    assert "--notation" in asked["position"]["attributes"]["description"]
    assert "assistant doctor" in asked["doctor"]["attributes"]["description"]
    assert "assistant --version" in form.read_text("utf-8")


def test_a_wrong_answer_needs_question_answer_and_rule() -> None:
    required = {id for id, field in fields(FORMS[0]).items() if field.get("validations", {}).get("required")}
    assert required == {"position", "question", "answer", "rule", "version"}


def test_the_citation_is_whole_and_agrees_with_the_project() -> None:
    citation, project = (
        read(ROOT / "CITATION.cff"),
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"],
    )
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["cff-version"] == "1.2.0"
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in project["authors"]]
    assert " AND ".join(citation["license"]) == project["license"]


def test_the_version_stands_in_one_place() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert "version" not in read(ROOT / "CITATION.cff")
    for package in ("assistant", "module_builder"):
        assert f'"{version}"' not in (ROOT / package / "__init__.py").read_text("utf-8")


def test_security_says_how_to_report_and_what_is_mended() -> None:
    security = (ROOT / "SECURITY.md").read_text("utf-8")
    assert [
        head for head in ("## What counts", "## How to report", "## Supported versions") if head not in security
    ] == []
