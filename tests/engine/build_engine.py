"""Build a newer engine from its source, to run the engine's tests with it: `python -m tests.engine.build_engine SOURCE ENGINE.jar`.

SOURCE is a checkout of VASSAL. It is compiled with plain javac, Debian's libraries and two stubs; what needs other libraries, such as reports of
bugs and sound, is taken from the engine that is fetched. `FIELD_STAFF_ENGINE=ENGINE.jar` runs the tests with it.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from .engine import FETCHED, JAVA_FOLDER, LIBRARIES

TAKEN_OVER = (
    "chat/HttpRequestWrapper", "counters/MassPieceLoader", "tools/BugUtils", "tools/BugDialog", "tools/Mp3AudioClip", "tools/deprecation/",
    "launch/LaunchRequest", "launch/ModuleManagerWindow", "search/HTMLImageFinder", "build/module/ConsoleAppender", "tools/logging/",
)  # fmt: skip
"""The beginnings of the classes that are not compiled."""
STUBS = {
    "VASSAL/tools/BugDialog.java": """package VASSAL.tools;
public class BugDialog extends javax.swing.JDialog {
  public BugDialog(java.awt.Frame owner, Throwable fault) { super(owner); fault.printStackTrace(); }
  public BugDialog(java.awt.Frame owner, Throwable fault, String key, String report) { this(owner, fault); }
}
""",
    "edu/umd/cs/findbugs/annotations/SuppressFBWarnings.java": """package edu.umd.cs.findbugs.annotations;
public @interface SuppressFBWarnings { String[] value() default {}; String justification() default ""; }
""",
}
"""The classes that stand in for those of other libraries, by their files."""


def build(source: Path, jar: Path) -> None:
    """Compile a checkout of the engine. Raises SystemExit with the compiler's messages if that fails."""
    main = source / "vassal-app" / "src" / "main"
    if not (main / "java" / "VASSAL").is_dir():
        raise SystemExit(f"{source} is no checkout of VASSAL: it has no vassal-app/src/main/java/VASSAL")
    with TemporaryDirectory() as folder:
        out, stubs = Path(folder, "classes"), Path(folder, "stubs")
        for name, text in STUBS.items():
            (stubs / name).parent.mkdir(parents=True, exist_ok=True)
            (stubs / name).write_text(text, "utf-8")
        files = [*(main / "java").rglob("*.java"), *stubs.rglob("*.java")]
        own = [file for file in files if not is_taken_over(file, main / "java")]
        listed = Path(folder, "files")
        listed.write_text("\n".join(f'"{file}"' for file in own), "utf-8")
        libraries = [FETCHED, *(JAVA_FOLDER / f"{name}.jar" for name in LIBRARIES)]
        words = [
            "javac",
            "-nowarn",
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-J-Xmx1500m",
            "-cp",
            ":".join(map(str, libraries)),
        ]
        run = subprocess.run([*words, "-d", str(out), f"@{listed}"], capture_output=True, text=True, check=False)
        if run.returncode:
            raise SystemExit(run.stderr[-4000:])
        pack(jar, [out, main / "resources"])


def is_taken_over(file: Path, root: Path) -> bool:
    """Whether a source file is not compiled."""
    own = root / "VASSAL"
    return file.is_relative_to(own) and str(file.relative_to(own)).startswith(TAKEN_OVER)


def pack(jar: Path, roots: list[Path]) -> None:
    """Pack what was compiled, the resources, and the classes that are taken over."""
    names = set[str]()
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as archive, zipfile.ZipFile(FETCHED) as fetched:
        for root in roots:
            for file in sorted(root.rglob("*")):
                name = f"{file.relative_to(root)}{'/' if file.is_dir() else ''}"
                if name not in names:
                    names.add(name)
                    archive.write(file, name)
        for name in fetched.namelist():
            taken_over = name.removeprefix("VASSAL/").startswith(TAKEN_OVER)
            if name.endswith(".class") and name not in names and taken_over:
                archive.writestr(name, fetched.read(name))


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
