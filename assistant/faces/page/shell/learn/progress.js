// The lessons that were finished in this browser.

import { keep, kept } from "../common/storage.js";

const keyOf = (game) => `lessons.${game}`;

/** The numbers of the finished lessons of a game. */
export const finished = (game) => kept(keyOf(game)) ?? [];

/** Note that a lesson is finished. */
export const finish = (game, number) => keep(keyOf(game), [...new Set([...finished(game), number])]);

/** What is finished of a game, in words. */
export function learned(game) {
  const count = finished(game).length;
  return count ? `${count} ${count === 1 ? "lesson" : "lessons"} finished` : "the rulebook's examples as lessons";
}
