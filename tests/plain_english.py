"""Finds docstrings, comments and names that need an editor. `make lint` runs it; docs/maintaining/style.md is the guide.

    python -m tests.plain_english [--list] [--only C7,C8] [PATH ...]

It fails if there are more findings than `MAX_FINDINGS`, or any in a definition that the working tree, or else the last commit,
changes. A merge is not checked a second time. It finds candidates: an editor still has to read.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
FOLDERS = ("assistant", "module_builder", "plugins")
MAX_FINDINGS = 234
"""Lowered whenever a batch has been rewritten, never raised."""
MAX_SENTENCE_WORDS = 32
CODES = {
    "P1": "parameter described by a fragment: `widest: its text`",
    "P2": 'fallback as a fragment: `"" for none`',
    "S1": "chain of that, those, which, what, whose in one sentence",
    "S2": f"sentence of more than {MAX_SENTENCE_WORDS} words",
    "S3": "idiom of this project: `but for`, `is none`, `how bad it is`",
    "D1": "docstring of a private function that repeats its name",
    "D2": "description of a constant or field that is a fragment: `How wide`, `Those that`",
    "C1": "comment beside a constant that is a fragment: `# the same at its mouth`",
    "N1": "number whose unit is in its comment or description, not in its name",
    "N2": "constant whose name is no noun: MOST, WIDE, BEYOND",
    "N3": "field or public parameter whose name is no noun or adjective: about, along",
    "N4": "module named by an adverb or a participle",
}

_FRAGMENT = (
    "of|that of|those of|that|those|that which|its|theirs|of as|of as for|or|or else|behind|beside|beyond|by which|in which|"
    "from which|with|to which|they|them|what|of which"
)
_PARAMETER = re.compile(rf"(?:^|\n|[.;] |, )`?([a-z_]+`?(?:, `?[a-z_]+`?)*): (?:{_FRAGMENT})\b")
_FALLBACK = re.compile(
    r"""[,;:] (?:""|None|0|null|empty|none|nothing) (?:for|of)\b|\bnone of which\b|[,;] none (?:where|if|on|for|while)\b"""
)
_RELATIVE = re.compile(r"\b(?:that|those|these|which|what|whose|whom|who|where)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?:;]) +(?=[A-Z`\"]|- )|\n\n")
_FIELD_FRAGMENT = re.compile(
    r"(?:Of|As|By|In|On|At|With|Before|Behind|Above|Below|Beside|Around|To|From|Those|That|These|The same|Who|Whom|Whose|How|What|"
    r"Where|When|Which|Why|It|They|Its|All of|One of|So many|Half)\b"
)
_COMMENT_FRAGMENT = re.compile(
    r"(?:(?:mm|pixels?|radians|shares?|costs?|size|widths?|hexes|times|letters|boxes|columns|rows|steps?),? )*"
    r"(?:of|that|those|the same|as|its|their|or|with|to which|where|who|what|how|which|in it|at most|below which|up to which|by which|"
    r"from which|beyond|before|off|round|so many|without)\b"
)
_IDIOM = re.compile(
    r"\b(?:nobody (?:has (?:stated|said|told|drawn|named)|states|says|names|gives|knows)|whoever|be it|but for|how bad|so many(?! as)|"
    r"of which nothing|otherwise than|one after the other|is no (?:module|heading|cell|field|unit|game|file|picture)|nor be|"
    r"as it does of|on account of|sees? to (?:it|that)|as many as there|take for granted|as far as (?:it|that|they|these|is|are)|"
    r"(?:stands?|lies?) (?:above|behind|before|beside|round) (?:it|them|a|the)|had of|says nothing|says? (?:that )?it is|for whom|"
    r"at its head|what is said of|of (?:his|hers|theirs|ours)(?=[,.;:)]|$)|(?<!there )(?:is|are|was) none)\b"
)
_UNITS = {
    r"mm\b|millimetres?": "mm|millimetre|width|height|size|length|pitch|radius|margin|gap",
    r"pixels?\b|px\b": "px|pixel",
    r"radians?": "radian|angle",
    r"degrees?\b": "degree|deg|angle",
    r"(?:milli)?seconds?\b": "second|sec|ms|timeout",
    r"bytes|\bKB\b|\bMB\b": "byte|kb|mb",
    r"letters that|characters|how many letters": "char|letter|length",
    r"\bshare of|as a share|\bshares\b": "share|ratio|fraction|factor",
    r"\bcosts?\b|how bad": "cost|penalty|weight",
    r"hexes\b": "hex",
    r"how many|the most\b|at most": "max|most|limit|count|number",
}
_NAME_WITH_UNIT = re.compile(r"_(?:MM|PX|DEGREES|RADIANS|SHARE|FACTOR|COST|BYTES|SECONDS|HEXES|CHARS|ROWS|PIXELS)$")
_NO_NOUNS = frozenset(
    """MOST LEAST FEWEST WIDE WIDER WIDEST NARROW NARROWER NARROWEST HIGH HIGHER HIGHEST LOW LOWER LOWEST LARGE LARGER LARGEST SMALL
    SMALLER SMALLEST LONG LONGER LONGEST SHORT SHORTER SHORTEST TALL TALLEST DEEP DEEPEST THIN THICK NEAR NEARER NEAREST NEARBY FAR
    FARTHER FARTHEST MANY FEW ENOUGH MORE ALONE APART ASIDE BESIDE BEYOND BETWEEN BEFORE BEHIND AFTER ALONG ABOVE BELOW ABREAST ACROSS
    AROUND OF BY TO FROM OUT OFF ON IN AT HOW WHOSE WHAT TWICE ONCE WORST BEST USED MOVED SHRUNK OTHER OTHERS SAME AFAR ABOUT EASY LIT
    LOST TAKEN LISTED KNOWN SEEN STATED TYPED WRITTEN PRINTED DRAWN SAID TOLD KEPT HELD MADE GIVEN GONE LEFT READ ASKED SETTLED REFUSED
    COUNTED CHECKED NAMED QUOTED CLOSED OPEN FREE FULL WHOLE HALF OWN USUAL PLAIN BLANK SPARE ENDLESS ALIKE EVERY ALL HERE THERE NOW
    THEN AGAIN ALSO SOFT CALMER GROWING SIDEWAYS STEEP PALE FINE CLEAR ROUND BACK CROSSED CUT LATE EARLY OVER UNDER UP DOWN LEAVES GOES
    COMES STANDS LIES BEGINS ENDS JUDGES COMPARED SIGNED WORDED UNKNOWN_TO INSTEAD TOGETHER BARE DEAD DUE""".split()
)
_EXTREME = re.compile(
    "_?(?:MOST|LEAST|FEWEST|LONGEST|LARGEST|SMALLEST|WIDEST|HIGHEST|LOWEST|FARTHEST|NEAREST|NARROWEST|SHORTEST|DEEPEST|WORST|MANY|"
    "ENOUGH|BEYOND|BESIDE|OF)_"
)
_NO_FIELDS = frozenset(
    """about also along said told done called begun come came gone made beside beyond instead ahead apart alone whole some several many
    every aside wide high low most least often ever still already elsewhere otherwise besides alike then of how says holds takes lacks
    wants leaves goes begins ends""".split()
)
_NO_MODULES = frozenset(
    """doings moments shown stated tried taken takings still alike late now many new understood unsettled usual likeness hidden grown
    played spoken looks works beginnings countermoves""".split()
)
_FILLERS = frozenset(
    """the a an of in on at to for by with and or is are be as it its that this from into return returns yield yields raise whether one
    each what which how many much has have if any all so""".split()
)


class Finding(NamedTuple):
    """A line for an editor, and the lines of the definition to which it belongs."""

    path: str
    line: int
    code: str
    name: str
    text: str
    definition: range

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.code} {self.name}: {' '.join(self.text.split())}"


class Description(NamedTuple):
    """A docstring, or the string below a constant or field. `node`: the definition that it describes."""

    line: int
    name: str
    text: str
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign | ast.AnnAssign

    @property
    def lines(self) -> range:
        """The lines of the definition; of a module or class only those down to the end of its docstring."""
        node = self.node
        if isinstance(node, ast.Module | ast.ClassDef):
            first = 1 if isinstance(node, ast.Module) else node.lineno
            return range(first, (node.body[0].end_lineno or first) + 1)
        return range(node.lineno, (node.end_lineno or node.lineno) + 1 + self.text.count("\n"))


def find_in_text(source: str, path: str) -> Iterator[Finding]:
    """Yield the findings in a module's source."""
    tree = ast.parse(source)
    if Path(path).stem in _NO_MODULES:
        yield Finding(path, 1, "N4", Path(path).stem, "rename the module by its subject", range(1, 2))
    for description in _list_descriptions(tree):
        for code, text in _check_description(description):
            yield Finding(path, description.line, code, description.name, text, description.lines)
    for node, code, name, text in (*_check_constants(tree, source.split("\n")), *_check_names(tree)):
        yield Finding(path, node.lineno, code, name, text, range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _list_descriptions(node: ast.AST, owner: str = "") -> Iterator[Description]:
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        name = "module" if isinstance(node, ast.Module) else node.name
        if text := ast.get_docstring(node):
            yield Description(node.body[0].lineno, owner + name, text, node)
        if isinstance(node, ast.ClassDef):
            owner = f"{name}."
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for assignment, below in zip(node.body, node.body[1:], strict=False):
                if isinstance(assignment, ast.Assign | ast.AnnAssign) and (text := _read_string(below)):
                    yield Description(below.lineno, owner + ast.unparse(_target(assignment)), text, assignment)
    for child in _list_statements(node):
        yield from _list_descriptions(child, owner)


def _list_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements directly below a node, without its expressions, which are most of a tree."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        statements = getattr(node, field, ())
        if isinstance(statements, list):
            yield from statements


def _target(assignment: ast.Assign | ast.AnnAssign) -> ast.expr:
    return assignment.targets[0] if isinstance(assignment, ast.Assign) else assignment.target


def _read_string(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value if isinstance(statement.value.value, str) else ""
    return ""


def _check_description(description: Description) -> Iterator[tuple[str, str]]:
    """Yield code and excerpt, each code once."""
    text = re.sub(r"\n*\s*Rule:.*\Z", "", description.text, flags=re.DOTALL)
    text = re.sub(r"(?<!\n)\n(?!\n)\s*", " ", text)
    for code, pattern in (("P1", _PARAMETER), ("P2", _FALLBACK), ("S3", _IDIOM)):
        if match := pattern.search(text):
            yield code, text[max(match.start() - 50, 0) : match.end() + 40].strip()
    sentences = _SENTENCE_END.split(text)
    for sentence in sentences:
        relatives = len(_RELATIVE.findall(sentence.lower()))
        if relatives >= 3 and len(sentence.split()) < 14 * relatives:
            yield "S1", sentence[:170]
            break
    for sentence in sentences:
        if len(sentence.split()) > MAX_SENTENCE_WORDS:
            yield "S2", f"{len(sentence.split())} words: {sentence[:170]}"
            break
    if isinstance(description.node, ast.Assign | ast.AnnAssign) and _FIELD_FRAGMENT.match(text):
        yield "D2", text[:170]
    if isinstance(description.node, ast.FunctionDef) and _repeats_name(description.node, description.text):
        yield "D1", description.text


def _repeats_name(function: ast.FunctionDef, text: str) -> bool:
    """Return whether the docstring of a private function adds at most one word to its signature."""
    if not function.name.startswith("_") or function.name.startswith("__") or re.search(r"Raises|[:;(]", text):
        return False
    signature = [function.name, *(argument.arg for argument in function.args.args + function.args.kwonlyargs)]
    if function.returns:
        signature.append(ast.unparse(function.returns))
    return len(text.split()) <= 12 and len(_stems(text) - _stems(" ".join(signature))) <= 1


def _stems(text: str) -> set[str]:
    """Return the content words of a text or name without their endings."""
    words = re.findall("[a-z]+", re.sub("([a-z])([A-Z])", r"\1 \2", text).lower().replace("_", " "))
    return {
        re.sub("(?:ies|es|s|ed|ing|ion|y|e)$", "", word) for word in words if word not in _FILLERS and len(word) > 2
    }


def _check_constants(tree: ast.Module, lines: list[str]) -> Iterator[tuple[ast.stmt, str, str, str]]:
    for node, below in zip_longest(tree.body, tree.body[1:]):
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        target = _target(node)
        if not isinstance(target, ast.Name) or not re.fullmatch("_?[A-Z][A-Z0-9_]*", target.id):
            continue
        comment = lines[(node.end_lineno or 0) - 1].partition("  # ")[2]
        description = _read_string(below)
        if target.id.strip("_") in _NO_NOUNS or _EXTREME.match(target.id):
            yield node, "N2", target.id, ast.unparse(node)[:60]
        if comment and _COMMENT_FRAGMENT.match(comment):
            yield node, "C1", target.id, comment[:70]
        if _is_number(node.value) and not _NAME_WITH_UNIT.search(target.id):
            for unit, named in _UNITS.items():
                if re.search(unit, f"{comment} {description[:90]}") and not re.search(named, target.id.lower()):
                    yield node, "N1", target.id, (comment or description)[:60]
                    break


def _is_number(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) or _is_number(node.right)
    return isinstance(node, ast.Tuple) and bool(node.elts) and all(map(_is_number, node.elts))


def _check_names(tree: ast.AST) -> Iterator[tuple[ast.AnnAssign | ast.arg, str, str, str]]:
    """Yield vague names, except those with a `note`: these are published, and keep their names."""
    for node in _list_statements(tree):
        yield from _check_names(node)
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if (
                    isinstance(part, ast.AnnAssign)
                    and isinstance(part.target, ast.Name)
                    and _is_vague(part.target.id, part)
                ):
                    yield part, "N3", f"{node.name}.{part.target.id}", "field"
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            for argument in node.args.args + node.args.kwonlyargs:
                if _is_vague(argument.arg, argument):
                    yield argument, "N3", f"{node.name}({argument.arg})", "parameter"


def _is_vague(name: str, node: ast.AnnAssign | ast.arg) -> bool:
    return name in _NO_FIELDS and not (node.annotation and "note(" in ast.unparse(node.annotation))


def parse_changed_lines(diff: str) -> dict[str, set[int]]:
    """Return the changed lines by file from the output of `git diff -U0`: their numbers in the new files."""
    changed: dict[str, set[int]] = {}
    path = ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ ").removeprefix("b/")
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(match[1]), int(match[2] or 1)
            changed.setdefault(path, set()).update(range(first, first + count))
    return changed


def find_changed_lines() -> dict[str, set[int]]:
    """Return the lines that the working tree changes, or else the last commit; nothing for a merge or without git."""
    diff = _run_git("diff", "-U0", "HEAD", "--", *FOLDERS)
    if not diff and len(_run_git("rev-list", "--parents", "-1", "HEAD").split()) == 2:
        diff = _run_git("diff", "-U0", "HEAD~1", "HEAD", "--", *FOLDERS)
    return parse_changed_lines(diff)


def _run_git(*words: str) -> str:
    try:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=False).stdout
    except FileNotFoundError:
        return ""


def find_in_files(paths: Iterable[Path]) -> list[Finding]:
    """Return the findings in files and, for folders, in all modules below them."""
    files = sorted(file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py")))
    return [
        finding
        for file in files
        for finding in find_in_text(file.read_text("utf-8"), file.relative_to(ROOT).as_posix())
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Find prose and names that need an editor.")
    parser.add_argument("paths", nargs="*", type=Path, help="files or folders; all of the program if left out")
    parser.add_argument("--list", action="store_true", help="print each finding")
    parser.add_argument("--only", default="", metavar="CODES", help="these codes alone, with commas between")
    options = parser.parse_args()
    findings = find_in_files([path.resolve() for path in options.paths] or [ROOT / folder for folder in FOLDERS])
    if options.only:
        findings = [finding for finding in findings if finding.code in options.only.split(",")]
    if options.list:
        print(*findings, sep="\n")
    for code, count in sorted(Counter(finding.code for finding in findings).items()):
        print(f"{count:5}  {code} {CODES[code]}")
    changed = find_changed_lines()
    refused = [finding for finding in findings if not changed.get(finding.path, set()).isdisjoint(finding.definition)]
    print(f"{len(findings):5}  findings, {len(refused)} of them in what is changed")
    if refused:
        print(*refused, sep="\n", file=sys.stderr)
        sys.exit("Rewrite these as docs/maintaining/style.md says.")
    if len(findings) > MAX_FINDINGS:
        sys.exit(f"At most {MAX_FINDINGS} findings are allowed: see docs/maintaining/style.md.")


if __name__ == "__main__":
    main()
