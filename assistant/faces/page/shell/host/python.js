// Starting Python with the program: in the usual way, or from a snapshot of its memory, which is much faster. Snapshots rest on an
// interface that Pyodide calls private: `_makeSnapshot`, `_loadSnapshot` and `makeMemorySnapshot`. What fails there is thrown, and
// whoever asked starts in the usual way.

import { loadPyodide } from "../program/pyodide.mjs";
import { VERSION } from "../program/version.js";
import { filesIn, inflate, unpack } from "./unpacking.js";

const PROGRAM = "/program";
const PLACE = new URL("..", import.meta.url); // of the page
const FOLDER = new URL("program/", PLACE).href;
export const STORED = `/stored${PLACE.pathname}`.replace(/\/$/, ""); // tables and packs
const PREPARE = `
import os, sys
if "${PROGRAM}" not in sys.path:
    sys.path.insert(0, "${PROGRAM}")
os.environ.update(FIELD_STAFF_DATA="${STORED}", FIELD_STAFF_CACHE="/cache", FIELD_STAFF_PAGE_VERSION="${VERSION}")
if "random" in sys.modules:
    sys.modules["random"].seed()  # a snapshot would go on with the same numbers at each visit
from assistant.faces.page.tables import Tables
from assistant.faces.page.respond import respond
`;
const BEGIN = `${PREPARE}
_tables = Tables()
lambda request: respond(_tables, request.encode()).decode()
`;
/** What a visit needs first: done once before a snapshot, with a table of the published game that goes with its memory. */
const WARM_UP = `${PREPARE}
def _warm_up():
    import json
    tables = Tables()
    def ask(**request):
        return json.loads(respond(tables, json.dumps(request).encode()))
    games = ask(do="games")["games"]
    game = next((game for game in games if game["start"]), games[0])
    start = game["start"] or {"position": "", "title": ""}
    shown = ask(do="begin", table="warm-up", game=game["id"], position=start["position"], title=start["title"])
    ask(do="words", game=game["id"])
    ask(do="look", table="warm-up")
    ask(do="board", table="warm-up")
    ask(do="stacks", table="warm-up", hexes=sorted({unit["place"] for unit in shown["units"] if unit["place"]})[:20])
    ask(do="delete", table="warm-up")

_warm_up()
del _warm_up
import gc
gc.collect()
None
`;

/** The archives of the program, which are fetched side by side. */
export function fetchArchives() {
  const archives = { program: fetched("program.tar.gz"), library: fetched("library.zip.gz") };
  for (const archive of Object.values(archives)) archive.catch(() => {}); // each fails where it is awaited
  return archives;
}

/** Python as it starts without a snapshot. */
export async function startPython({ program, library }) {
  const python = await loadWith(await library, {});
  unpack(await program, python.FS, PROGRAM);
  return python;
}

/** Python from a snapshot. Throws where this browser or this version of Pyodide makes nothing of it. */
export async function startFromSnapshot({ program, library }, snapshot) {
  const packed = await program;
  const python = await loadWith(await library, { ...withLibraries(packed, snapshot.length), _loadSnapshot: snapshot });
  unpack(packed, python.FS, PROGRAM);
  python.runPython(`${PREPARE}None`); // so that one that does not run is known at once
  return python;
}

/** A snapshot of Python's memory, once the program has done what a visit needs first. */
export async function makeSnapshot({ program, library }) {
  const packed = await program;
  const python = await loadWith(await library, { ...withLibraries(packed, 0), _makeSnapshot: true });
  unpack(packed, python.FS, PROGRAM);
  python.FS.mkdirTree(STORED); // in memory: what the reader has stored is not mounted here
  python.runPython(WARM_UP);
  return python.makeMemorySnapshot();
}

/** The rules: a function that answers a request, with tables read anew. */
export const beginRules = (python) => python.runPython(BEGIN);

async function loadWith(library, options) {
  const stdLibURL = URL.createObjectURL(new Blob([library]));
  try {
    return await loadPyodide({ indexURL: FOLDER, stdLibURL, ...options });
  } finally {
    URL.revokeObjectURL(stdLibURL);
  }
}

/** How Python starts with the C libraries of the program loaded before anything else, so that they lie at the same place in memory
 * whether a snapshot is made or loaded. size: what the memory holds at least, in bytes. */
function withLibraries(packed, size) {
  const libraries = [...filesIn(packed)].filter(([path]) => path.endsWith(".so"));
  const createPyodideModule = async (settings) => {
    settings.preRun.push((module) => {
      for (const [path, content] of libraries) {
        const name = `${PROGRAM}/${path}`;
        const library = module.newDSO(name, 0, "loading");
        Object.assign(library, { refcount: Infinity, global: false });
        library.exports = module.loadWebAssemblyModule(content, { global: false, nodelete: true, loadAsync: false }, name, {}, 0);
      }
    });
    const { default: create } = await import("../program/pyodide.asm.mjs");
    const module = await create(settings);
    if (module.HEAP8.length < size) module.growMemory(size);
    return module;
  };
  return { createPyodideModule, env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" } }; // the order of sets belongs to the memory
}

/** A file of the program, inflated. */
async function fetched(name) {
  const response = await fetch(FOLDER + name);
  if (!response.ok) throw new Error(`program/${name}: ${response.status}`);
  return inflate(new Uint8Array(await response.arrayBuffer()));
}
