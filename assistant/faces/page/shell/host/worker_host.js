// The reader's own browser as the page's host: a worker runs the rules, and a service worker keeps the page for when there is
// no network.

import { beginning } from "./beginning.js";
import { snapshotWhenIdle } from "./idle.js";

const LONGEST = 2000; // milliseconds that a new version has to take over before the page begins; else it is shown again later

/** The host: `send(request)` resolves to the response, `onEvent(listener)` hears `{is: "changed"}` when another tab has changed
 * a table. page: what `module-builder page` knows of it: `files`, each with the bytes that it has and those that come over the wire,
 * and `still`, the picture that is shown until the page has begun. */
export async function connectToWorker({ files, still }) {
  const isKept = Boolean(navigator.serviceWorker?.controller);
  if (isKept) await Promise.race([keepPage(), new Promise((resolve) => setTimeout(resolve, LONGEST))]);
  const tabs = new BroadcastChannel(`field-staff ${new URL(".", location).pathname}`);
  const waiting = new Map();
  const listeners = new Set();
  const shown = beginning(files, still, { isKept });
  let worker = null;
  let broken = null;
  let sent = 0;
  let answered = () => {};
  const settle = (id, { response, changed, error }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (changed) tabs.postMessage("changed");
    if (error) reject?.(new Error(error));
    else resolve?.(JSON.parse(response));
    answered();
  };
  /** Start Python; what has been asked before it runs is asked once it does. */
  const start = () => {
    worker = new Worker("worker.js", { type: "module", name: isKept ? "rules" : "first visit" });
    worker.onmessage = ({ data }) => {
      if (data.started) {
        shown.started();
        if (!data.isFromSnapshot) answered = snapshotWhenIdle(() => waiting.size > 0);
        if (!isKept) keepPage(); // what is fetched for a first visit is not fetched twice at once
      } else if (data.id) settle(data.id, data);
      else if (data.error) fail(data.error);
      else shown.tell(data);
    };
    worker.onerror = ({ message }) => fail(message);
    for (const [id, { request }] of waiting) worker.postMessage({ id, request });
  };
  const fail = (error) => {
    worker.terminate();
    if (shown.fail(error, start)) return; // it has not begun yet, and may be tried again
    broken = new Error(error || "Python has stopped in this browser");
    for (const id of [...waiting.keys()]) settle(id, { error: broken.message });
  };
  start();
  tabs.onmessage = () => listeners.forEach((listener) => listener({ is: "changed" }));
  return {
    kind: "browser",
    onEvent: (listener) => listeners.add(listener),
    send: (asked) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken);
        if (asked.do.startsWith("begin")) navigator.storage?.persist?.(); // so that the browser lets go of other things first
        const request = JSON.stringify(asked);
        sent += 1;
        waiting.set(sent, { resolve, reject, request });
        worker.postMessage({ id: sent, request });
      }),
  };
}

/** Have the service worker keep the page. A new version of it takes over before this one has begun, unless another tab still
 * shows the old one. */
async function keepPage() {
  if (!navigator.serviceWorker) return; // over plain HTTP: the page works, but not without the network
  try {
    const kept = await navigator.serviceWorker.register("service-worker.js", { updateViaCache: "none" });
    if (!kept.waiting || !navigator.serviceWorker.controller) return;
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => data || resolve();
      kept.waiting.postMessage("take over", [port2]);
    });
  } catch {
    // a browser that keeps nothing, such as a private window
  }
}
