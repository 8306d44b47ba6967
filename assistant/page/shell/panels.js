// The panels of the page, in the order of their tabs. A panel has an id, a title, a sign (the path of its strokes in 24 by 24)
// and `mount(element, app)`, which is called once, when the panel is opened first. `wanted(app)` says whether the game has it
// (default: yes). `app` is described in page.js.

import { battle } from "./battle.js";
import { board } from "./board.js";
import { charts } from "./charts.js";
import { phase } from "./phase.js";
import { questions } from "./questions.js";
import { share } from "./share.js";

export const PANELS = [battle, board, phase, questions, charts, share];
