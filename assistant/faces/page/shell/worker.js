// Runs the rules: Python in the browser, with the program and its games. Tables and packs lie in the browser's own storage, and
// no request is answered before what it has changed is written there.

import { STORED, beginRules, fetchArchives, startFromSnapshot, startPython } from "./host/python.js";
import { findSnapshot, giveUpSnapshots } from "./host/snapshots.js";

const PLACE = new URL(".", location).pathname; // pages in other folders of the same host have what they store themselves

if (name === "first visit") self.fetch = counting(self.fetch); // what is kept is here at once

const started = start();
started.then(({ isFromSnapshot }) => postMessage({ started: true, isFromSnapshot }), (error) => postMessage({ error: error.message }));
let last = started;

onmessage = ({ data: { id, request } }) => {
  last = last.then(() => answer(id, request)).catch((error) => postMessage({ id, error: error.message }));
};

async function start() {
  const archives = fetchArchives();
  const snapshot = await findSnapshot();
  const python = snapshot && (await fromSnapshot(archives, snapshot));
  return rulesOf(python ?? (await startPython(archives)), Boolean(python));
}

/** Python as a snapshot has it; null where this browser makes nothing of it. */
async function fromSnapshot(archives, snapshot) {
  await Promise.all(Object.values(archives)); // without them it is not the snapshot that fails
  try {
    return await startFromSnapshot(archives, snapshot);
  } catch {
    await giveUpSnapshots();
    return null;
  }
}

/** The rules of a Python, with what is stored. */
async function rulesOf(python, isFromSnapshot) {
  const { FS } = python;
  FS.mkdirTree(STORED);
  FS.mount(FS.filesystems.IDBFS, {}, STORED);
  await synchronize(FS, true);
  postMessage({ reading: true });
  return { FS, begin: () => beginRules(python), respond: beginRules(python), isFromSnapshot };
}

async function answer(id, request) {
  const rules = await started;
  const answered = await alone(async () => {
    await synchronize(rules.FS, true);
    const before = marksOf(rules.FS);
    const response = rules.respond(request);
    const changed = marksOf(rules.FS) !== before;
    if (changed) await store(rules);
    return { id, response, changed };
  });
  postMessage(answered);
}

/** Write what has changed. What cannot be written has not happened: the rules begin anew with what is stored. */
async function store(rules) {
  try {
    await synchronize(rules.FS, false);
  } catch (error) {
    rules.respond = rules.begin();
    throw new Error(`the browser stores nothing more: ${error.message ?? error}`);
  }
}

/** Do it while no other tab changes what is stored. */
function alone(work) {
  return navigator.locks ? navigator.locks.request(`field-staff ${PLACE}`, work) : work();
}

/** Read what is stored, or write it there. */
function synchronize(FS, reads) {
  return new Promise((resolve, reject) => FS.syncfs(reads, (error) => (error ? reject(error) : resolve())));
}

/** What changes when a stored file does. */
function marksOf(FS, folder = STORED) {
  return FS.readdir(folder)
    .filter((name) => name !== "." && name !== "..")
    .map((name) => {
      const path = `${folder}/${name}`;
      const { mode, size, mtime } = FS.stat(path);
      return FS.isDir(mode) ? `${name}/${marksOf(FS, path)}` : `${name}:${size}:${mtime.getTime()}`;
    })
    .join("|");
}

/** As a fetch does, and say how many bytes of each file have come: inflated, where a host packs on the way. */
function counting(fetch) {
  return async (...asked) => {
    const response = await fetch(...asked);
    const file = response.url.split("/").pop();
    let bytes = 0;
    const count = (part, stream) => {
      bytes += part.length;
      postMessage({ file, bytes });
      stream.enqueue(part);
    };
    return new Response(response.body?.pipeThrough(new TransformStream({ transform: count })), response);
  };
}
