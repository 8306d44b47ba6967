// Makes the snapshot of Python's memory from which later visits start. The page begins this worker once it is idle; nothing of what
// its reader has stored is read here. What fails is not missed: later visits start in the usual way.

import { fetchArchives, makeSnapshot } from "./host/python.js";
import { dropSnapshots, giveUpSnapshots, isDecided, keepSnapshot } from "./host/snapshots.js";

const LEAST_GB = 2; // of the device's memory; a browser that does not say how much that is makes no snapshot
const LEAST_ROOM = 250_000_000; // bytes that the browser would store besides

async function make() {
  if (!(navigator.deviceMemory >= LEAST_GB) || (await isDecided())) return;
  await dropSnapshots();
  const { quota, usage } = await navigator.storage.estimate();
  if (quota - usage < LEAST_ROOM) return;
  const archives = fetchArchives();
  await Promise.all(Object.values(archives)); // without them it is not the snapshot that fails
  const snapshot = await makeSnapshot(archives).catch(() => null);
  await (snapshot ? keepSnapshot(snapshot).catch(giveUpSnapshots) : giveUpSnapshots());
}

make().catch(() => {}).finally(() => postMessage({ done: true }));
