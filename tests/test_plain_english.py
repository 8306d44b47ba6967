"""The check of prose and names: what it reports, and which findings a change must mend."""

from __future__ import annotations

import pytest

from .plain_english import find_in_text, parse_changed_lines


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('def draw(width):\n    """Draw a label.\n\n    width: of its text\n    """', "P1"),
        ('def title(game):\n    """Return the title, "" for none."""', "P2"),
        ('def find(units):\n    """Return those of which what is stated is that which counts."""', "S1"),
        ('def find(units):\n    """Return ' + "one more word and " * 9 + 'the end."""', "S2"),
        ('def find(units):\n    """Return all units but for the first."""', "S3"),
        ('def _find_unit(name):\n    """Return the unit of a name."""', "D1"),
        ('class Label:\n    width: float\n    """How wide it is."""', "D2"),
        ("_MOUTH = 2  # the same at its mouth", "C1"),
        ("_OVERLAP = 4  # pixels", "N1"),
        ("MOST = 4", "N2"),
        ("_LONGEST_NAMED = 4", "N2"),
        ("class Label:\n    about: str", "N3"),
        ("def find(beyond):\n    pass", "N3"),
    ],
)
def test_each_kind_of_finding(source: str, code: str) -> None:
    assert [finding.code for finding in find_in_text(source, "labels.py")] == [code]


@pytest.mark.parametrize(
    "source",
    [
        'def draw(width):\n    """Draw a label.\n\n    `width`: maximum width of the text, in mm.\n    """',
        'def title(game):\n    """Return the title, or "" if the game has none."""',
        'def _find_unit(name):\n    """Return the unit of a name, or of its nearest spelling."""',
        'class Label:\n    width: float\n    """Width of the text, in mm."""',
        "MAX_MAPS = 4",
        "_OVERLAP_PIXELS = 4  # pixels",
        "_SCALE = 4  # a multiple of the printer's resolution",
        'def find(units):\n    """Return what counts.\n\n    Rule: 10.8a, of which that which those\n    """',
        'def find(units):\n    """Yield the bars.\n\n'
        + "    - A unit of a corps that has lost its train.\n" * 4
        + '    """',
    ],
)
def test_plain_prose_is_left_alone(source: str) -> None:
    assert list(find_in_text(source, "labels.py")) == []


def test_a_module_is_named_by_its_subject() -> None:
    assert [finding.code for finding in find_in_text("", "plugins/game/moments.py")] == ["N4"]


DIFF = """\
diff --git a/assistant/labels.py b/assistant/labels.py
--- a/assistant/labels.py
+++ b/assistant/labels.py
@@ -3 +3,2 @@ def draw():
-    old
+    new
+    newer
@@ -9,2 +10,0 @@
-    gone
-    gone
"""
TWO_FUNCTIONS = '''\
def draw(width):
    """Draw a label, "" for none."""
    new
    newer

def fill(width):
    """Fill a label, "" for none."""
    old
'''


def test_a_change_refuses_the_findings_of_the_functions_that_it_touches() -> None:
    changed = parse_changed_lines(DIFF)
    assert changed == {"assistant/labels.py": {3, 4}}
    found = find_in_text(TWO_FUNCTIONS, "assistant/labels.py")
    assert {finding.name: not changed[finding.path].isdisjoint(finding.definition) for finding in found} == {
        "draw": True,
        "fill": False,
    }


def test_a_method_does_not_touch_what_its_class_says() -> None:
    (finding,) = find_in_text(
        'class Label:\n    """A label, none for others."""\n\n    def draw(self):\n        new\n', "a.py"
    )
    assert 1 in finding.definition
    assert 5 not in finding.definition
