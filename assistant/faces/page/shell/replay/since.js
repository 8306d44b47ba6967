// What has happened at a table since this device last saw it: how far it has been seen is kept in the browser, and what is newer is
// offered in a quiet line, to be stepped through.

import { keep, kept } from "../common/storage.js";

const SETTLE = 800; // milliseconds after a change until it counts as seen
const LOG = ".vlog";

/** The name under which the browser keeps how many passages of a table it has seen. */
const looked = (table) => `looked:${table}`;

/** Watch the table; "since" hears of what is offered: { table, after, count, log, earlier }, null for nothing. */
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
    const { table, begun, has_earlier: hasEarlier } = state.table ?? {};
    if (!table) return;
    const told = await state.send({ do: "passages", table }).catch(() => null);
    if (told?.is !== "passages" || table !== state.table?.table) return;
    const { count } = told;
    const before = kept(looked(table));
    const isUnseen = before === null && isNew;
    if (isUnseen && begun === LOG) return offer({ table, after: 0, count: 0, log: true });
    const changes = isUnseen && hasEarlier ? await state.send({ do: "passages", table, earlier: true }).catch(() => null) : null;
    if (table !== state.table?.table) return;
    if (changes?.count) offer({ table, after: 0, count: changes.count, earlier: true });
    else if (before !== null && count > before && (isNew || state.since?.table === table)) offer({ table, after: before, count });
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
  if (!since || isApart(since)) return;
  state.since = number < since.count ? { ...since, after: Math.max(since.after, number) } : null;
  state.tell("since", state.since);
}

/** Offer no longer what is newer, and count it as seen. */
export function dismiss(state) {
  const { since } = state;
  state.since = null;
  state.tell("since", null);
  if (since) noteSeen(state, isApart(since) ? 0 : since.count);
}

/** Whether what is offered is not of the table's own journal. */
const isApart = ({ log, earlier }) => Boolean(log || earlier);

/** What is offered, in words. */
export function offerInWords({ count, after, log, earlier }) {
  if (log) return "This table began with a log.";
  const all = count - after;
  if (earlier) return `${all} ${all === 1 ? "change" : "changes"} since you last saw this game`;
  return `${all} ${all === 1 ? "entry" : "entries"} since you last looked`;
}
