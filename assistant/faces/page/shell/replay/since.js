// What has happened at a table since this device last saw it: how far it has been seen is kept in the browser, and what is newer is
// offered in a quiet line, to be stepped through.

import { keep, kept } from "../common/storage.js";

const SETTLE = 800; // milliseconds after a change until it counts as seen
const LOG = ".vlog";

/** The name under which the browser keeps how many passages of a table it has seen. */
const looked = (table) => `looked:${table}`;

/** Watch the table; "since" hears of what is offered: { table, after, count, log }, null for nothing. */
export function watchSince(state) {
  let laid = "";
  let timer;
  const offer = (since) => {
    state.since = since;
    state.tell("since", since);
  };
  const isSeen = () => document.visibilityState === "visible";
  /** Compare what has been seen with what there is. isNew: whether the table has just been opened, or seen again. */
  const compare = async (isNew) => {
    const { table, begun } = state.table ?? {};
    if (!table) return;
    const told = await state.send({ do: "passages", table }).catch(() => null);
    if (told?.is !== "passages" || table !== state.table?.table) return;
    const { count } = told;
    const before = kept(looked(table));
    if (before === null && isNew && begun === LOG) offer({ table, after: 0, count: 0, log: true });
    else if (before !== null && count > before && (isNew || state.since?.table === table)) offer({ table, after: before, count, log: false });
    else if (isSeen()) keep(looked(table), count);
  };
  const again = (isNew) => {
    clearTimeout(timer);
    timer = setTimeout(() => isSeen() && compare(isNew), isNew ? 0 : SETTLE);
  };
  state.on("table", ({ table }) => {
    const isNew = table !== laid;
    laid = table;
    if (isNew && state.since) offer(null);
    again(isNew);
  });
  document.addEventListener("visibilitychange", () => isSeen() && again(true));
}

/** Note that the passages of the table up to a number have been seen; what is newer is still offered. */
export function noteSeen(state, number) {
  const { since, table: { table } } = state;
  keep(looked(table), Math.max(kept(looked(table)) ?? 0, number));
  if (!since || since.log) return;
  state.since = number < since.count ? { ...since, after: Math.max(since.after, number) } : null;
  state.tell("since", state.since);
}

/** Offer no longer what is newer, and count it as seen. */
export function dismiss(state) {
  const { since } = state;
  state.since = null;
  state.tell("since", null);
  if (since) noteSeen(state, since.count);
}

/** What is offered, in words. */
export const offerInWords = ({ count, after, log }) => (log ? "This table began with a log." : count - after === 1 ? "1 entry since you last looked" : `${count - after} entries since you last looked`);
