// The laptop as the page's host: requests over HTTP, and the table whenever it has changed. What cannot be sent is thrown,
// for the page keeps its taps and sends them again.

import { Unreachable } from "./unreachable.js";

const LONG = 60_000; // milliseconds after which an answer is given up
const WAITS = [1000, 2000, 4000, 8000, 16000]; // milliseconds before events are asked for again

/** The host: `send(request, { signal })` resolves to the response, `onEvent(listener)` hears the table as a look is answered whenever what this
 * link shows has changed, `{is: "away"}` and `{is: "here"}`. */
export function connectToLaptop() {
  const listeners = new Set();
  const tell = (event) => listeners.forEach((listener) => listener(event));
  listen(tell);
  return { kind: "laptop", send, onEvent: (listener) => listeners.add(listener) };
}

/** signal: an AbortSignal that gives the answer up before, so that the laptop stops working on it. */
async function send(request, { signal = null } = {}) {
  const givenUp = AbortSignal.timeout(LONG);
  const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request), signal: signal && AbortSignal.any ? AbortSignal.any([signal, givenUp]) : givenUp };
  const [response, text] = await fetch("respond", asked)
    .then(async (answer) => [answer, await answer.text()])
    .catch((error) => { throw signal?.aborted ? error : new Unreachable(error.message); });
  if (response.ok) return JSON.parse(text);
  if (response.status === 401) location.reload(); // the session has ended: the laptop says how to enter again
  if (response.status === 413) return { is: "refused", what: "this is too long for the laptop", where: "", hint: "" };
  if (response.status === 401 || response.status === 503) throw new Unreachable(text);
  throw new Error(`the laptop answers ${response.status}`);
}

/** Hear the laptop's events, and ask for them again when they end. */
function listen(tell, tries = 0) {
  const source = new EventSource("events");
  source.onopen = () => {
    tries = 0;
    tell({ is: "here" });
  };
  source.onmessage = ({ data }) => tell(JSON.parse(data));
  source.onerror = () => {
    tell({ is: "away" });
    if (source.readyState !== EventSource.CLOSED) return; // it tries again by itself
    setTimeout(() => listen(tell, tries + 1), WAITS[Math.min(tries, WAITS.length - 1)]);
  };
}
