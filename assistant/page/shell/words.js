// The words of the game: what tracks, sides, units and parameters are called. Nothing here knows a game by name.

/** A track by its name, undefined for none. */
export const trackOf = (words, name) => words.tracks.find((track) => track.name === name);

/** The values of a track that can be tapped, as they are typed. */
export function valuesOf(track) {
  if (!track) return [];
  if (track.kind === "flag") return ["no", "yes"];
  if (track.kind === "choice" || track.kind === "choices") return (track.words ?? track.values ?? []).map((value) => (Array.isArray(value) ? value[0] : value));
  if (track.kind === "integer" && track.most != null && track.most - (track.least ?? 0) <= 12) return Array.from({ length: track.most - (track.least ?? 0) + 1 }, (_, step) => String(step + (track.least ?? 0)));
  return [];
}

/** A word as it is shown: without hyphens, `minor-river` as `minor river`. */
export const spoken = (word) => String(word ?? "").replaceAll("-", " ");

/** The tracks of the figures on a counter, in the order of the brackets. */
export const ratingsOf = (words) => (words.ratings ?? words.brackets ?? []).map((rating) => (typeof rating === "string" ? trackOf(words, rating) : rating));

/** The units of the roster. */
export function rosterOf(words) {
  return (words.units ?? []).map((unit) => {
    if (!Array.isArray(unit)) return { ...unit, formation: unit.formation ?? unit.groups ?? [] };
    const [id, side, nation, formation, arm, size, figures] = unit;
    return { id, side, nation, formation, arm, size, figures };
  });
}

/** A nation with its colours, and a side, by their ids. */
export const nationOf = (words, id) => words.sides.flatMap((side) => side.nations).find((nation) => nation.id === id);
export const sideOf = (words, id) => words.sides.find((side) => side.id === id);

/** The question of a combat on one line; "" for a game without one. */
export const combatOf = (words) => words.prompt?.ask ?? words.combat ?? "";

/** What is usually taken for granted for a track or a parameter. */
export const usualOf = (words, name) => trackOf(words, name)?.usual ?? words.usual?.[name] ?? words.prompt?.usual?.[name] ?? [];

/** A name as it stands in a line: in quotes if it has spaces. */
export const named = (name) => (/[\s"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
