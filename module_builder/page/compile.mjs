// Compiles modules with the browser's own Python: node compile.mjs PYODIDE SOURCES.tar COMPILED.tar
//
// The name of a source in the archive is where it will lie in the browser; what cannot be compiled is left out, and so is what
// functions say of themselves in modules that do not read it: a tenth of all.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const COMPILE = `
import ast, importlib.util, io, marshal, tarfile

class Undocumented(ast.NodeTransformer):
    def visit_FunctionDef(self, function):
        self.generic_visit(function)
        if ast.get_docstring(function, clean=False) is not None:
            function.body = function.body[1:] or [ast.copy_location(ast.Pass(), function.body[0])]
        return function

    visit_AsyncFunctionDef = visit_FunctionDef

def compiled(source, path):
    tree = ast.parse(source)
    return compile(tree if b"__doc__" in source or b"getdoc" in source else Undocumented().visit(tree), path, "exec", dont_inherit=True)

made = io.BytesIO()
with tarfile.open("/sources.tar") as sources, tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
    for member in sources:
        try:
            code = compiled(sources.extractfile(member).read(), f"/{member.name}")
        except SyntaxError:
            continue
        data = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
        packed = tarfile.TarInfo(member.name)
        packed.size = len(data)
        archive.addfile(packed, io.BytesIO(data))
made.getvalue()
`;

const [folder, sources, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: folder, env: { HOME: "/home", PYTHONNODEBUGRANGES: "1" } });
python.FS.writeFile("/sources.tar", readFileSync(sources));
writeFileSync(compiled, python.runPython(COMPILE).toJs());
