// The search finds a rule by its whole number, and shows it before rules whose numbers only hold it.
"use strict";

// Numbers stay whole: "11.3.2", "8.5.4", "5-12"; all other words end where Sphinx ends them.
var splitQuery = (query) => query.match(/\d+[a-z]?(?:[.-]\w+)+|[\p{L}\p{N}_]+/gu) || [];

// Pages that list everything hold every word: what explains it comes before them.
const BY_NAME = /^docs\/(?:reference\/(?:code|every-command|library|ready-made)|maintaining\/.*|games\/.*\/reference)$/;

document.addEventListener("DOMContentLoaded", () => {
  const asked = (new URLSearchParams(location.search).get("q") || "").trim().toLowerCase();
  if (typeof Scorer === "object" && asked)
    Scorer.score = ([page, title, , about, score]) => {
      const [number] = title.toLowerCase().split(" ");
      if (number === asked) return score + 200;
      if (/\d/.test(asked) && number.startsWith(asked)) return score + 100;
      if (/^Python/.test(about || "")) return score - 100; // names of the library come last
      return BY_NAME.test(page) ? score - 20 : score;
    };
  // A page that is opened as a file may read no other, so that search shows titles alone there.
  if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS === "object") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
});
