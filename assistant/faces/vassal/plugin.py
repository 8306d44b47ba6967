"""The plugin for VASSAL: one script with a button, and the folder from which VASSAL loads it.

VASSAL loads a plugin into every module. The button's component evaluates an expression, which runs the script; no Java
class is part of it.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from xml.sax.saxutils import quoteattr

from ...util.desktop import find_vassal_settings
from ...util.extras import is_program

FILE_NAME = "field-staff.vmdx"
"""The name of the plugin's file. VASSAL writes the name without its suffix into saves."""
SETTINGS_VARIABLE = "FIELD_STAFF_VASSAL"
"""The variable with the folder of VASSAL's settings, if it is not the usual one."""
_SCRIPT = "field-staff-ask.bsh"
_COMMAND_MARK = "/* the command of the assistant */"
_VERSION = "1.0"
_VASSAL_VERSION = "3.6.0"
"""The earliest version of VASSAL that loads the plugin."""
_HOTKEY = "81,520"
"""Alt+Q, as VASSAL writes keys: the code of the key, and that of Alt."""
_RUN = (
    '{new bsh.Interpreter().eval("try { new bsh.Interpreter().eval(new String(VASSAL.build.GameModule.getGameModule()'
    '.getDataArchive().getInputStream(\\"field-staff-ask.bsh\\").readAllBytes(), \\"UTF-8\\")); } catch (e) {'
    ' VASSAL.build.GameModule.getGameModule().warn(e.toString()); } return false;")}'
)
"""The expression of the button: it reads the script and runs it; its value ends the loop of the button's actions."""
_DATE = (2020, 1, 1, 0, 0, 0)
"""The date of the files in the plugin, so that the same plugin has the same bytes."""


def find_plugin_file(environment: Mapping[str, str], system: str = "") -> Path:
    """Return the file of the plugin, in the folder beside its settings from which VASSAL loads plugins.

    `environment`: the variables of the user's environment; `FIELD_STAFF_VASSAL` names the folder with the settings of a
    VASSAL that keeps them elsewhere.
    `system`: as in `find_vassal_settings`.
    """
    own = environment.get(SETTINGS_VARIABLE)
    settings = Path(own) if own else find_vassal_settings(environment, system)
    return settings / "plugins" / FILE_NAME


def command_of_this_program() -> tuple[str, ...]:
    """Return the words that begin this program's answering process, with absolute paths.

    VASSAL is begun by a menu, and may not have the paths of a terminal.
    """
    program = Path(sys.executable)
    if is_program():  # all its commands are one file under different names
        return (str(program.with_name(f"assistant{program.suffix}")), "vassal", "answer")
    return (str(program), "-P", "-m", "assistant", "vassal", "answer")  # -P: not a folder `assistant` where VASSAL runs


def make_plugin(command: Sequence[str]) -> bytes:
    """Return the contents of the plugin's file, with the words that begin the answering process."""
    script = files(__package__).joinpath(_SCRIPT).read_text("utf-8")
    words = ", ".join(f'"{_escape(word)}"' for word in command)
    texts = {
        "buildFile.xml": _build_file(),
        "extensiondata": _METADATA,
        _SCRIPT: script.replace(_COMMAND_MARK, words),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(name, _DATE), text)
    return packed.getvalue()


def _escape(word: str) -> str:
    """Return a word as in a text of the script, where all but ASCII is written as escapes."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(
        letter if letter.isascii() else "".join(f"\\u{ord(part):04x}" for part in _utf16(letter)) for letter in escaped
    )


def _utf16(letter: str) -> str:
    """Return a letter as one or two units of UTF-16."""
    data = letter.encode("utf-16-be")
    return "".join(chr(int.from_bytes(data[at : at + 2])) for at in range(0, len(data), 2))


def _build_file() -> str:
    attributes = {
        "name": "Ask",
        "text": "Ask",
        "tooltip": "Ask about what is selected",
        "icon": "",
        "hotkey": _HOTKEY,
        "doReport": "false",
        "reportFormat": "",
        "doSound": "false",
        "soundClip": "",
        "doHotkey": "false",
        "hotkeys": "",
        "doLoop": "true",
        "loopType": "while",
        "whileExpression": _RUN,
        "untilExpression": "",
        "loopCount": "1",
        "preLoopKey": "",
        "postLoopKey": "",
        "index": "false",
    }
    button = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<VASSAL.build.module.ModuleExtension anyModule="true" version="{_VERSION}" description="Answers by Field'
        f' Staff" module="any" moduleVersion="0.0" vassalVersion="{_VASSAL_VERSION}" nextPieceSlotId="0"'
        ' extensionId="fst">\n'
        '<VASSAL.build.module.ExtensionElement target="">'
        f"<VASSAL.build.module.DoActionButton {button}/>"
        "</VASSAL.build.module.ExtensionElement>\n"
        "</VASSAL.build.module.ModuleExtension>\n"
    )


_METADATA = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<data version="1"><version>{_VERSION}</version><universal>true</universal>'
    f"<VassalVersion>{_VASSAL_VERSION}</VassalVersion><description>Answers by Field Staff</description>"
    "<module><name>any</name><version>0.0</version></module></data>\n"
)
