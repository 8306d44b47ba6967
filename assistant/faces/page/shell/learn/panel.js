// Lessons: a position and a decision about it; then the answer with its reasons. The whole lesson comes with one request.

import { button, draw, h } from "../common/dom.js";
import { keep, kept } from "../common/storage.js";
import { picture } from "../parts/picture.js";
import { finish, finished } from "./progress.js";

export const lessons = { id: "learn", title: "Learn", icon: "M4 5h7v14H4zM13 5h7v14h-7z", mount };

const OURS = "ours"; // the source of a figure that no rulebook prints

const NEAR_SHARE = 0.12; // how far from the middle of a hex a tap may be, as a share of the picture's width

const drawing = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** The decoded pictures of a lesson. */
const decode = (lesson) =>
  Promise.all((lesson?.steps ?? []).flatMap((step) => [step.before, step.after]).filter(Boolean).map(async (svg) => {
    const image = new Image();
    image.src = drawing(svg);
    await image.decode().catch(() => null);
    return image;
  }));

/** Whether two lists hold the same words. */
const areEqual = (one, other) => one.length === other.length && one.every((word) => other.includes(word));

/** Words with commas between them. */
const listed = (words) => words.join(", ") || "none";

function mount(element, app) {
  let game = "";
  let list = null; // the lessons by chapter
  let lesson = null;
  let step = 0; // the number of the step
  let guesses = []; // a guess for each decision of the step that was taken
  let chosen = []; // the choices for the next decision
  let isLarge = {};
  let fault = "";
  let drawn = []; // the pictures of the lesson, which are kept so that each is at hand
  let heading = null; // focus goes there when something new is shown
  let last = 0; // the lesson that was opened last: an earlier one comes too late

  const inOrder = () => (list ? list.chapters.flatMap((chapter) => chapter.lessons) : []);

  const ask = async (request) => {
    const answer = await app.send(request).catch(() => ({ is: "refused", what: "The lessons cannot be reached now.", hint: "" }));
    fault = answer.is === "refused" ? `${answer.what} ${answer.hint ?? ""}` : "";
    return fault ? null : answer;
  };

  const show = () => draw(element, fault && h("p", { key: "fault", role: "alert" }, fault), lesson ? showLesson() : list ? showList() : !fault && h("p", { key: "wait", class: "faint", role: "status" }, "Reading the lessons …"));

  const begin = () => {
    show();
    app.top();
    heading?.focus();
  };

  const opened = async (detail) => {
    const named = detail?.game ?? (game || kept("learning"));
    if (!named) return app.open("tables");
    if (named !== game) {
      game = named;
      keep("learning", game);
      last += 1;
      list = lesson = null;
    }
    show();
    if (!list) {
      const listed = await ask({ do: "lessons", game: named });
      if (named !== game) return; // the lessons of another game were opened meanwhile
      list = listed;
    }
    begin();
  };

  const open = async (number) => {
    const mine = (last += 1);
    const opened = await ask({ do: "lesson", game, number });
    const pictures = await decode(opened); // what is shown below a picture does not move once it can be tapped
    if (mine !== last) return;
    drawn = pictures;
    lesson = opened;
    step = 0;
    guesses = [];
    chosen = [];
    isLarge = {};
    begin();
  };

  const leave = () => {
    last += 1;
    lesson = null;
    begin();
  };

  const title = (text) => h("h1", { key: "h", tabindex: "-1", hook: (node) => { heading = node; } }, text);

  function showList() {
    const done = finished(game);
    const all = inOrder();
    const next = all.find(({ number }) => !done.includes(number)) ?? all[0];
    const count = all.filter(({ number }) => done.includes(number)).length;
    return [
      title(`Learn ${list.title}`),
      h("p", { key: "count", class: "faint" }, `${count} of ${all.length} lessons finished in this browser`),
      next && h("div", { key: "next", class: "row" }, button({ class: "main-button", onclick: () => open(next.number) }, `${count ? "Go on" : "Begin"}: ${next.title}`)),
      list.chapters.map((chapter) =>
        h("section", { key: chapter.title },
          h("h2", null, chapter.title),
          h("ul", { class: "choices" }, chapter.lessons.map((one) =>
            h("li", { key: one.number }, button({ onclick: () => open(one.number) }, h("strong", null, one.title), h("span", null, `rule ${one.rule}${done.includes(one.number) ? " · finished" : ""}`))))))),
    ];
  }

  function showLesson() {
    const at = lesson.steps[step];
    const isOpen = guesses.length < at.decisions.length;
    const isShown = at.before && (isOpen || !at.after); // the picture of the answer has the position too
    const asked = isOpen ? at.decisions[guesses.length] : null;
    const before = isShown && (asked?.kind === "hexes" ? tappable(at, asked) : picture(drawing(at.before), "The position", isLarge.before, () => enlarge("before")));
    return [
      h("header", { key: "head", class: "asked" }, button({ class: "quiet-button", "aria-label": "All lessons", onclick: leave }, "‹ All"), h("h1", { tabindex: "-1", hook: (node) => { heading = node; } }, lesson.title)),
      h("p", { key: "where", class: "faint" }, `Rule ${lesson.rule}${lesson.steps.length > 1 ? `, step ${step + 1} of ${lesson.steps.length}` : ""}`),
      before && h("div", { key: `before ${step}` }, before),
      h("details", { key: `stands ${step}`, class: "part" }, h("summary", null, h("b", null, step ? "What has changed, in words" : "The position in words")), h("pre", { class: "wrapped" }, [...at.stands, at.asked].join("\n")), explained()),
      guesses.map((guess, number) => h("div", { key: `guess ${step} ${number}`, role: "status", "data-due": number + 1 === at.decisions.length && `guess ${step} ${number}` }, marked(at.decisions[number], guess))),
      isOpen ? decide(at.decisions[guesses.length]) : answered(at),
    ];
  }

  /** What the words and signs of the positions mean. */
  function explained() {
    const words = Object.entries(lesson.words);
    return words.length > 0 && h("dl", { class: "lesson-words" }, words.map(([word, meaning]) => [h("dt", null, word), h("dd", null, meaning)]));
  }

  /** The picture of a position on which hexes are chosen by taps. The buttons below it do the same without a picture. */
  function tappable(at, decision) {
    const spots = decision.offers.filter((hex) => at.places[hex]);
    const tap = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const far = (hex) => Math.hypot(at.places[hex][0] * box.width - (event.clientX - box.left), at.places[hex][1] * box.height - (event.clientY - box.top));
      const hex = spots.reduce((best, one) => (far(one) < far(best) ? one : best), spots[0]);
      if (hex && far(hex) < box.width * NEAR_SHARE) choose(hex);
    };
    const marks = spots.filter((hex) => chosen.includes(hex));
    return h("figure", { key: "picture", class: "picture lesson-map" },
      h("img", { src: drawing(at.before), alt: "The position", onclick: tap }),
      marks.map((hex) => h("span", { key: hex, "aria-hidden": "true", style: { left: `${at.places[hex][0] * 100}%`, top: `${at.places[hex][1] * 100}%` } })));
  }

  const choose = (offer) => {
    chosen = chosen.includes(offer) ? chosen.filter((one) => one !== offer) : [...chosen, offer];
    show();
  };

  const enlarge = (which) => {
    isLarge = { ...isLarge, [which]: !isLarge[which] };
    show();
  };

  function decide(decision) {
    const isSingle = decision.kind === "word";
    const take = (offer) => {
      if (isSingle) return decided([offer]);
      choose(offer);
    };
    return h("section", { key: `decide ${step} ${guesses.length}`, class: "lesson-decision", "data-due": `${step} ${guesses.length}` },
      h("h2", { id: "lesson-question" }, decision.question),
      decision.kind === "hexes" && h("p", { class: "faint" }, "Tap hexes on the map, or here:"),
      h("div", { class: "chips", role: "group", "aria-labelledby": "lesson-question" },
        decision.offers.map((offer) => button({ key: offer, class: "chip", pressed: isSingle ? undefined : chosen.includes(offer), onclick: () => take(offer) }, offer))),
      h("div", { class: "row" },
        !isSingle && button({ class: "main-button", onclick: () => decided(chosen) }, chosen.length ? "That is my answer" : "None of them"),
        button({ class: "quiet-button", onclick: () => decided(null) }, "Show me")));
  }

  const decided = (guess) => {
    guesses = [...guesses, guess];
    chosen = [];
    show();
  };

  /** What a guess was, and what is right. A guess of null was not made. */
  function marked(decision, guess) {
    const isRight = guess !== null && areEqual(guess, decision.right);
    const source = decision.printed === OURS ? "" : ` (rulebook: ${decision.printed})`;
    return h("section", { class: `outcome ${guess === null ? "value" : isRight ? "yes" : "no"}` },
      h("p", { class: "mark", "aria-hidden": "true" }, guess === null ? "=" : isRight ? "✓" : "✗"),
      h("div", null,
        h("h2", null, decision.question),
        h("p", { class: "says" }, isRight ? `Right: ${listed(decision.right)}` : guess === null ? listed(decision.right) : `Not ${listed(guess)}, but ${listed(decision.right)}`),
        source && h("p", { class: "faint" }, source.trim())));
  }

  function answered(at) {
    const isLast = step + 1 === lesson.steps.length;
    const all = inOrder();
    const next = all[all.findIndex(({ number }) => number === lesson.number) + 1];
    const goOn = () => {
      if (!isLast) {
        step += 1;
        guesses = [];
        isLarge = {};
        return begin();
      }
      finish(game, lesson.number);
      return next ? open(next.number) : leave();
    };
    return h("section", { key: `answer ${step}`, class: "given" },
      h("p", { class: "says headline" }, at.headline),
      h("ul", { class: "plain-list lesson-reasons" }, at.reasons.map((reason, number) => h("li", { key: number }, reason))),
      at.after && picture(drawing(at.after), at.headline, isLarge.after, () => enlarge("after")),
      at.parts.length > 0 && h("details", { class: "part" }, h("summary", null, h("b", null, "The whole working")),
        at.parts.map((part) => h("section", { key: part.title }, h("h3", null, part.title), h("ul", { class: "steps" }, part.steps.map((one, number) => h("li", { key: number }, one.rule && h("span", { class: "rule" }, one.rule.split("/")[0]), h("span", null, one.text))))))),
      h("div", { class: "row" }, button({ class: "main-button", onclick: goOn }, !isLast ? "Go on" : next ? `Next: ${next.title}` : "Finished")));
  }

  return { opened };
}
