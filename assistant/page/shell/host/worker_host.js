// The reader's own browser as the page's host: a worker runs the rules, and a service worker keeps the page for when there is
// no network.

const PATIENCE = 400; // milliseconds before the page says that it is starting
const LONGEST = 2000; // milliseconds that a new version has to take over before the page begins

/** The host: `send(request)` resolves to the response, `onEvent(listener)` hears `{is: "changed"}` when another tab has changed
 * a table. */
export async function connectToWorker() {
  const isKept = Boolean(navigator.serviceWorker?.controller);
  if (isKept) await keepPage();
  const worker = new Worker("worker.js", { type: "module", name: "rules" });
  const tabs = new BroadcastChannel(`field-staff ${new URL(".", location).pathname}`);
  const waiting = new Map();
  const listeners = new Set();
  const begun = sayStarting(isKept ? "Starting…" : "Starting. The first visit fetches some 10 MB; from then on the page needs no network.");
  let broken = null;
  let sent = 0;
  const settle = (id, { response, changed, error }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (changed) tabs.postMessage("changed");
    if (error) reject?.(new Error(error));
    else resolve?.(JSON.parse(response));
  };
  const fail = (error) => {
    begun();
    broken = new Error(error);
    for (const id of [...waiting.keys()]) settle(id, { error });
  };
  worker.onmessage = ({ data }) => {
    if (data.started) {
      begun();
      if (!isKept) keepPage(); // what is fetched for a first visit is not fetched twice at once
    } else if (data.id) settle(data.id, data);
    else fail(data.error);
  };
  worker.onerror = ({ message }) => fail(message || "Python did not start in this browser");
  tabs.onmessage = () => listeners.forEach((listener) => listener({ is: "changed" }));
  return {
    kind: "browser",
    onEvent: (listener) => listeners.add(listener),
    send: (request) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken);
        if (request.do.startsWith("begin")) navigator.storage?.persist?.(); // so that the browser lets go of other things first
        sent += 1;
        waiting.set(sent, { resolve, reject });
        worker.postMessage({ id: sent, request: JSON.stringify(request) });
      }),
  };
}

/** Say that the page is starting, unless it has begun before anybody wonders. Returns what to call once it has. */
function sayStarting(words) {
  const said = document.createElement("p");
  said.className = "panel";
  said.setAttribute("role", "status");
  const timer = setTimeout(() => {
    document.getElementById("main")?.append(said);
    said.textContent = words;
  }, PATIENCE);
  return () => {
    clearTimeout(timer);
    said.remove();
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
      setTimeout(resolve, LONGEST); // the older version is still busy: the page begins, and is shown anew once that has ended
    });
  } catch {
    // a browser that keeps nothing, such as a private window
  }
}
