// Compiles modules with the browser's own Python: node compile.mjs PYODIDE SOURCES.tar COMPILED.tar
//
// The name of a source in the archive is where it will lie in the browser; what cannot be compiled is left out.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const COMPILE = `
import importlib.util, io, marshal, tarfile
made = io.BytesIO()
with tarfile.open("/sources.tar") as sources, tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
    for member in sources:
        try:
            code = compile(sources.extractfile(member).read(), f"/{member.name}", "exec", dont_inherit=True)
        except SyntaxError:
            continue
        data = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
        compiled = tarfile.TarInfo(member.name)
        compiled.size = len(data)
        archive.addfile(compiled, io.BytesIO(data))
made.getvalue()
`;

const [folder, sources, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: folder, env: { HOME: "/home", PYTHONNODEBUGRANGES: "1" } });
python.FS.writeFile("/sources.tar", readFileSync(sources));
writeFileSync(compiled, python.runPython(COMPILE).toJs());
