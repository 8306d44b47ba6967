"""What the page may not do is barred by its content security policy, whatever script got into it."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from .browser import Visit
from .conftest import Laptop, Serve

STRICT = {
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
}


SHELL = Path(__file__).parents[2] / "assistant" / "faces" / "page" / "shell"


@pytest.fixture
def laptop(serve: Serve) -> Laptop:
    return serve()


def parts(policy: str) -> set[str]:
    """The directives of a policy."""
    return {part.strip() for part in policy.split(";") if part.strip()}


def test_page_has_the_policy_itself_where_its_host_sends_none() -> None:
    policy = re.search(
        'http-equiv="Content-Security-Policy" content="([^"]*)"', (SHELL / "index.html").read_text("utf-8")
    )
    assert policy
    assert parts(policy[1]) == STRICT - {"frame-ancestors 'none'"}  # which a page cannot say of itself


def test_page_holds_no_script_or_style_of_its_own() -> None:
    for file in (SHELL / "index.html", *SHELL.rglob("*.js")):
        text = file.read_text("utf-8")
        assert not re.search(
            r"<style|\sstyle=|<script(?![^>]* src=)|\son\w+=[\"']|\beval\(|new Function|innerHTML", text
        ), file.name


def test_every_answer_of_a_laptop_has_the_policy(laptop: Laptop) -> None:
    for path in ("/", "/0/", "/0/index.html", "/0/page.js", "/0/respond", "/nothing"):
        policy = httpx.get(laptop.address + path).headers["content-security-policy"]
        assert parts(policy) == STRICT, path


def test_script_that_got_into_the_page_does_nothing(visit: Visit, laptop: Laptop) -> None:
    page = visit.page(laptop.link())
    visit.expected += ["Content Security Policy", "Refused to", "violates the following"]
    page.evaluate("document.body.insertAdjacentHTML('beforeend', `<img alt src='data:,' onerror='window.ran = 1'>`)")
    page.evaluate(
        "() => { const put = document.createElement('script'); put.textContent = 'window.ran = 2'; document.body.append(put); }"
    )
    later = "setTimeout(() => { try { new Function('window.ran = 3')(); } catch (refused) { window.refused = refused.name; } })"
    page.evaluate(f"() => {{ {later}; }}")
    page.wait_for_function("window.refused")
    assert page.evaluate("window.ran") is None
    for url in ("https://example.org/", "http://127.0.0.1:1/"):
        assert page.evaluate("(url) => fetch(url).then(() => 'went', () => 'barred')", url) == "barred"
