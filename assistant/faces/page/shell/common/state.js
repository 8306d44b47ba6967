// The table as it was shown last, and the taps on their way. A tap is kept in this browser until it has been answered, so
// that a closed tab or a laptop that went away loses none; each has a word of its own, so that one sent twice counts once.

import { Unreachable } from "../host/unreachable.js";
import { keep, kept, namesKept } from "./storage.js";

const WAITS = [0, 500, 1000, 2000, 4000, 8000]; // milliseconds before a tap is sent again

const TAP = "tap:"; // before the name of a tap that this browser keeps

/** What is known, and who wants to hear of it: "table" (a TableShown), "words", "away" (whether the host cannot be reached),
 * "taps" (those on their way), "refused" (a Refused), "busy" (whether an answer is waited for),
 * "since" (what is newer than what this device has seen, as since.js offers it), "marches" (whether the board shows a march, which says itself what is answered). */
export class State {
  /** host: as `connect()` of host.js gives it. */
  constructor(host) {
    this.host = host;
    this.table = null;
    this.words = null;
    this.away = false;
    this.taps = namesKept(TAP).map((name) => ({ name, request: kept(name) }));
    this.listeners = new Map();
    this.begun = null;
    this.waiting = 0;
    this.wake = () => {};
    this.sending = this.looking = this.lookAgain = this.isAnew = false;
    host.onEvent?.((event) => this.heard(event));
    addEventListener("online", () => this.wake());
    this.deliver();
  }

  /** Call `listener` whenever something changes, and at once with what is known. Returns a function that ends that. */
  on(what, listener) {
    const listeners = this.listeners.get(what) ?? new Set();
    this.listeners.set(what, listeners.add(listener));
    if (this[what] != null) listener(this[what]);
    const end = () => listeners.delete(listener);
    this.begun?.push(end);
    return end;
  }

  /** Do something at once. Returns its result, and a function that ends every `on` in it. */
  during(work) {
    const before = this.begun;
    const begun = (this.begun = []);
    const result = work();
    this.begun = before;
    return [result, () => begun.forEach((end) => end())];
  }

  tell(what, value) {
    for (const listener of this.listeners.get(what) ?? []) listener(value);
  }

  /** What the host says by itself: the table that has changed or that it has, or whether it can be reached. */
  heard(event) {
    if (event.is === "table") this.table && this.adopt(event);
    else if (event.is === "changed") this.look();
    else if (event.is === "away") this.setAway(true);
    else if (event.is === "here") {
      this.isAnew = true; // a host that was started again counts anew
      this.setAway(false);
      this.wake();
      this.look();
    } else this.tell(event.is, event);
  }

  setAway(away) {
    if (this.away === away) return;
    this.away = away;
    this.tell("away", away);
  }

  /** Send a request; the response, which may be a Refused. Throws Unreachable when the host cannot be reached, another error when
   * it fails. isQuiet: whether nobody waits for it, so that the page does not say that it is at work. signal: an AbortSignal that gives it up. */
  async send(request, { isQuiet = false, signal = null } = {}) {
    if (!isQuiet) {
      this.waiting += 1;
      this.tell("busy", true);
    }
    try {
      const response = await this.host.send(request, { signal });
      this.setAway(false);
      return response;
    } catch (error) {
      if (error instanceof Unreachable) this.setAway(true);
      throw error;
    } finally {
      if (!isQuiet) this.waiting -= 1;
      setTimeout(() => this.waiting || this.tell("busy", false)); // once what came has been drawn, which may ask for more
    }
  }

  /** Send a request about this table. */
  about(request, options) {
    return this.send({ table: this.table.table, ...request }, options);
  }

  /** Lay a table on the page: one that is there (its name), or a TableShown. */
  async open(table) {
    const shown = typeof table === "string" ? await this.send({ do: "look", table }) : table;
    if (shown.is !== "table") {
      this.tell("refused", shown);
      return false;
    }
    await this.learn(shown.game);
    this.table = null;
    this.adopt(shown);
    keep("table", shown.table);
    return true;
  }

  /** The words of a game: those that this browser has kept count until the host says otherwise. */
  async learn(game) {
    if (this.words?.game === game) return;
    const before = kept(`words:${game}`);
    const asked = this.send({ do: "words", game, known: before?.mark ?? "" }).then((words) => {
      if (words.is === "refused") this.tell("refused", words);
      if (words.is !== "words") return;
      keep(`words:${game}`, words);
      this.speak(words);
    });
    if (before) this.speak(before);
    else await asked;
  }

  speak(words) {
    this.words = words;
    this.tell("words", words);
  }

  /** Look at the table; what changes while a look is under way needs only one more. */
  async look() {
    if (!this.table) return;
    this.lookAgain = this.looking;
    if (this.looking) return;
    this.looking = true;
    do {
      this.lookAgain = false;
      const shown = await this.about({ do: "look" }).catch(() => null);
      if (shown?.is === "table") this.adopt(shown);
    } while (this.lookAgain);
    this.looking = false;
  }

  adopt(shown) {
    const isOlder = this.table && !this.isAnew && shown.entry < this.table.entry;
    if (isOlder || (this.table && shown.table !== this.table.table)) return;
    this.isAnew = false;
    this.table = shown;
    this.tell("table", shown);
    if (shown.refused) this.tell("refused", shown.refused);
  }

  /** Enter a line. Resolves to the table once it has been answered; taps are answered one after the other. */
  enter(line, { sure = false, tap = newTap() } = {}) {
    return new Promise((resolve) => {
      const request = { do: "enter", table: this.table.table, line, sure, tap };
      const name = `${TAP}${String(Date.now()).padStart(15, "0")}-${String(this.taps.length).padStart(4, "0")}-${tap}`;
      this.taps.push({ name, request, resolve });
      keep(name, request);
      this.tell("taps", this.taps);
      this.deliver();
    });
  }

  /** Send the taps one after the other. One that the host fails over has not been entered, and is dropped. */
  async deliver() {
    if (this.sending) return;
    this.sending = true;
    for (let tries = 0; this.taps.length; ) {
      const { name, request, resolve } = this.taps[0];
      const answer = await this.send(request).catch((error) => (error instanceof Unreachable ? null : { is: "refused", what: error.message, hint: "It has not been entered." }));
      if (!answer) {
        tries = Math.min(tries + 1, WAITS.length - 1);
        await new Promise((wake) => {
          this.wake = wake;
          setTimeout(wake, WAITS[tries]);
        });
        continue;
      }
      tries = 0;
      this.taps.shift();
      keep(name, null);
      this.tell("taps", this.taps);
      if (answer.is !== "table") this.tell("refused", answer);
      else if (answer.table === this.table?.table) this.adopt(answer);
      if (!resolve && answer.held) this.tell("refused", { what: answer.held, hint: "It has not been entered; tap it again." });
      resolve?.(answer);
    }
    this.sending = false;
  }
}

/** Whether what answers a line says that it has been entered. */
export const isEntered = (answer) => answer.is === "table" && !answer.refused && !answer.held;

/** A word that no other tap has. */
function newTap() {
  return [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}
