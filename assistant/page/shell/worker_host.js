// The reader's own browser as the page's host: a worker runs the rules, and a service worker keeps the page for when there is
// no network.

/** The host: `send(request)` resolves to the response, `onEvent(listener)` hears `{is: "changed"}` when another tab has changed
 * a table. */
export async function connectToWorker() {
  await keepPage();
  const worker = new Worker("worker.js", { type: "module", name: "rules" });
  const waiting = new Map();
  const listeners = new Set();
  const tell = (event) => listeners.forEach((listener) => listener(event));
  let broken = null;
  let sent = 0;
  const settle = (id, { response, error }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(error));
    else resolve?.(JSON.parse(response));
  };
  const fail = (error) => {
    broken = new Error(error);
    for (const id of [...waiting.keys()]) settle(id, { error });
  };
  worker.onmessage = ({ data }) => (data.id ? settle(data.id, data) : fail(data.error));
  worker.onerror = ({ message }) => fail(message || "Python did not start in this browser");
  new BroadcastChannel("field-staff").onmessage = () => tell({ is: "changed" });
  return {
    kind: "browser",
    onEvent: (listener) => listeners.add(listener),
    send: (request) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken);
        sent += 1;
        waiting.set(sent, { resolve, reject });
        worker.postMessage({ id: sent, request: JSON.stringify(request) });
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
    const over = new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("controllerchange", () => resolve(true), { once: true });
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => data || resolve(false);
      kept.waiting.postMessage("take over", [port2]);
    });
    if (!(await over)) return;
    location.reload();
    await new Promise(() => {}); // nothing more of the old version begins
  } catch {
    // a browser that keeps nothing, such as a private window
  }
}
