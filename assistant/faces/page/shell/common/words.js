// The words of the game: what tracks, sides, units and parameters are called. Nothing here knows a game by name.

/** A track by its name, undefined for none. */
export const trackOf = (words, name) => words.tracks.find((track) => track.name === name);

/** The values of a track that can be tapped, as they are typed. */
export const valuesOf = (track) => (track && ["flag", "choice", "choices"].includes(track.kind) ? track.values.map(([value]) => value) : []);

/** A word as it is shown: without its hyphens, `minor-river` as `minor river`; a minus sign stays. */
export const spoken = (word) => String(word ?? "").replace(/(\p{L})-/gu, "$1 ");

/** What a table is called: by its players, or else by its game, date and place; until these are known by its name. */
export const calledTable = (name, listed) => listed?.title || listed?.called || capital(spoken(name));

/** When something was, in milliseconds since 1970, as one says it: `today 14:03`, `yesterday 21:14`, `12 August`, `3 May 2025`. */
export function dayOf(time, now = new Date()) {
  const then = new Date(time);
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(then).setHours(0, 0, 0, 0)) / 86_400_000);
  const hour = then.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  if (days < 2) return `${days > 0 ? "yesterday" : "today"} ${hour}`;
  const year = then.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
  return then.toLocaleDateString("en-GB", { day: "numeric", month: "long", ...year });
}

/** What players call a parameter, a fact or a question. */
export const nameOf = (words, name) => words.called?.[name] ?? spoken(name);

/** A statement as it is shown: `attacker-ap=all` as what it is called and its value. */
export const statement = (words, text) => spoken(text.replace(/^([\w-]+)=/, (_, name) => `${nameOf(words, name)}: `));

/** A text with a capital. */
export const capital = (text) => (text ? text.charAt(0).toUpperCase() + text.slice(1) : "");

/** What a word is called: a nation, a side, or the word itself. */
export const titleOf = (words, word) => nationOf(words, word)?.title ?? sideOf(words, word)?.title ?? (spoken(word) || "none");

/** The tracks of the figures on a counter, in the order of the brackets. */
export const ratingsOf = (words) => words.brackets.map((name) => trackOf(words, name));

/** A nation with its colours, and a side, by their ids. */
export const nationOf = (words, id) => words.sides.flatMap((side) => side.nations).find((nation) => nation.id === id);
export const sideOf = (words, id) => words.sides.find((side) => side.id === id);

/** The strong colour of the side of the attacker, of the defender or of a unit of a battle. */
export const colourOf = ({ words, table }) => (whose) => {
  const { side, around = [] } = table.combat ?? {};
  const of = whose === "defender" ? side : whose === "attacker" ? around.find(({ attacks }) => attacks)?.side : table.units.find(({ id }) => id === whose)?.side;
  return sideOf(words, of)?.strong;
};

/** What is usually taken for granted for a track or a parameter. */
export const usualOf = (words, name) => words.usual[name] ?? [];

/** The tracks of a hex that a combat turns on. */
export const groundOf = (words) => words.ground.map((name) => trackOf(words, name));

/** A fact in words: `minor river`, `ip 2`. */
export const worded = (fact) => spoken(fact.word).replace("=", " ");

/** The track whose words lie on a hexside: that of barriers, or the first that is usually taken for granted. */
export function hexsideTrack(words) {
  const all = words.tracks.filter((track) => track.on === "hexside" && valuesOf(track).length > 1);
  return all.find(({ name }) => name === words.barrier) ?? all.find(({ name }) => usualOf(words, name).length) ?? all[0];
}

/** A name in quotes, as a line needs it for a unit that the roster lacks. */
export const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** A name as it stands in a line: in quotes if it has spaces. */
export const named = (name) => (/[\s"]/.test(name) ? quoted(name) : name);

/** The question of a combat on one line; "" for a game without one. */
export const combatOf = (words) => words.combat;
