"""What is found out about what the program uses: fonts, extras, VASSAL, and the shell."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from ...util.extras import EXTRAS, describe_lack, format_remedy
from .doctor_findings import OK, OPTIONAL, WRONG, DoctorFinding


def examine_fonts() -> Iterator[DoctorFinding]:
    """Yield the face of all pictures."""
    from ...drawing.lettering import font_file, text_width

    for bold in (False, True):
        font_file(bold=bold)
    text_width("Field Staff", 1)
    yield DoctorFinding("fonts", OK, "Noto Sans, condensed, both faces")


def examine_extras() -> Iterator[DoctorFinding]:
    """Yield what some commands need beside the program."""
    for name, extra in EXTRAS.items():
        if lack := describe_lack(name):
            yield DoctorFinding(f"extra {name}", OPTIONAL, f"{lack}, needed for {extra.purpose}", format_remedy(name))
        else:
            yield DoctorFinding(f"extra {name}", OK, extra.purpose)


_ENGINES = (
    ("/opt", "VASSAL*/lib/Vengine.jar"),
    ("/Applications", "VASSAL*.app/Contents/Resources/Java/Vengine.jar"),
    (r"C:\Program Files", "VASSAL*/lib/Vengine.jar"),
    ("~", "VASSAL*/lib/Vengine.jar"),
    ("~/Applications", "VASSAL*.app/Contents/Resources/Java/Vengine.jar"),
)
"""Where VASSAL is usually installed."""


def examine_vassal() -> Iterator[DoctorFinding]:
    """Yield VASSAL, which plays the modules, and Java, which it needs."""
    named = os.environ.get("FIELD_STAFF_ENGINE")
    installed = [file for home, pattern in _ENGINES for file in Path(home).expanduser().glob(pattern)]
    engine = Path(named) if named else max(installed, default=None)
    if engine and engine.is_file():
        yield DoctorFinding("VASSAL", OK, str(engine))
    elif named:
        hint = "unset FIELD_STAFF_ENGINE, or name the Vengine.jar"
        yield DoctorFinding("VASSAL", WRONG, f"FIELD_STAFF_ENGINE names {named}, and there is no such file", hint)
    else:
        yield DoctorFinding(
            "VASSAL",
            OPTIONAL,
            "not found; it plays the modules that are made here",
            "https://vassalengine.org; nothing else needs it",
        )
    if java := shutil.which("java"):
        yield DoctorFinding("Java", OK, java)
    else:
        yield DoctorFinding("Java", OPTIONAL, "not found; VASSAL for Windows and macOS brings its own")


_SHELLS = {
    "bash": (".bashrc", 'eval "$({variable}=bash_source {program})"'),
    "zsh": (".zshrc", 'eval "$({variable}=zsh_source {program})"'),
    "fish": (".config/fish/config.fish", "env {variable}=fish_source {program} | source"),
}
"""The file that each shell reads as it begins, and the line in it that completes a program's words."""


def examine_completion() -> Iterator[DoctorFinding]:
    """Yield whether the user's shell completes the words of both programs; nothing where it is not known."""
    shell = Path(os.environ.get("SHELL", "")).name
    if shell not in _SHELLS:
        if shell:
            yield DoctorFinding("completion", OPTIONAL, f"only for {', '.join(_SHELLS)}; this shell is {shell}")
        return
    file, line = _SHELLS[shell]
    path = Path("~", file).expanduser()
    try:
        written = path.read_text("utf-8", "replace")
    except OSError:
        written = ""
    lines = dict[str, str]()
    for program in ("assistant", "module-builder"):
        variable = f"_{program.upper().replace('-', '_')}_COMPLETE"
        if not re.search(rf"^[^#\n]*{variable}=", written, re.MULTILINE):
            lines[program] = line.format(variable=variable, program=program)
    if lines:
        what = f"{shell} does not complete the words of {' and '.join(lines)}"
        yield DoctorFinding("completion", OPTIONAL, what, f"add to {path}: {'; '.join(lines.values())}")
    else:
        yield DoctorFinding("completion", OK, f"in {path}")
