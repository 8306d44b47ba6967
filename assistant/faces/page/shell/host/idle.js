// What is done for later visits while the page has nothing to do: a snapshot of Python's memory.

const QUIET = 3000; // milliseconds without a request
const LOCK = `field-staff snapshot ${new URL("..", import.meta.url).pathname}`; // so that only one tab makes it

/** Have a snapshot made once nothing is asked for a while. isBusy(): whether an answer is waited for. Returns `answered()`, to be
 * called after each answer. */
export function snapshotWhenIdle(isBusy) {
  let timer = null, isBegun = false;
  const answered = () => {
    clearTimeout(timer);
    if (!isBegun) timer = setTimeout(() => (isBusy() ? answered() : whenIdle(begin)), QUIET);
  };
  const begin = async () => {
    if (isBusy()) return answered();
    isBegun = true;
    if (!navigator.serviceWorker || !navigator.locks || !globalThis.caches) return;
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) return; // files that come from a host may be of two versions
    await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => lock && make());
  };
  return answered;
}

/** Resolves once the worker that makes it has ended. */
async function make() {
  const worker = new Worker("snapshot-worker.js", { type: "module", name: "snapshot" });
  await new Promise((resolve) => {
    worker.onmessage = resolve;
    worker.onerror = (event) => resolve(event.preventDefault());
  });
  worker.terminate();
}

const whenIdle = (work) => (globalThis.requestIdleCallback ?? setTimeout)(() => work().catch(() => {}));
