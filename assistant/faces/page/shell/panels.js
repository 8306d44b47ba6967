// The panels of the page, in the order of their tabs. A panel has an id, a title, a sign (the path of its strokes in 24 by 24)
// and `mount(element, app)`, which is called once for a table, when the panel is opened first. `wanted(app)` says whether the game has it
// (default: yes). `app` is described in page.js.

import { battle } from "./battle/panel.js";
import { board } from "./board/panel.js";
import { charts } from "./charts/panel.js";
import { phase } from "./turn/panel.js";
import { questions } from "./ask/panel.js";
import { share } from "./share/panel.js";

export const PANELS = [board, battle, phase, questions, charts, share];
