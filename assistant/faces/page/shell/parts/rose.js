// Seven hexes: one and the six around it, as a picture of buttons that lie where the hexes lie on the map.

import { button, h, heard } from "../common/dom.js";

const ROOT3 = Math.sqrt(3);

/** The rose. centre: a hex as `cell` below takes it; around: those beside it, each with its angle in degrees from the top;
 * edges: buttons on hexsides, each with its angle; scene: the address of a picture of all seven, "" for none. A hex: { hex, angle, said, picked, tone, strong, press,
 * contents }; said: what is only heard. */
export function rose({ centre, around, edges = [], label, scene = "" }) {
  const flat = around.some(({ angle }) => angle % 60 < 15 || angle % 60 > 45);
  const [wide, high] = flat ? [2, ROOT3] : [ROOT3, 2];
  const size = flat ? [5, 3 * ROOT3] : [3 * ROOT3, 5];
  const at = (angle, distance) => {
    const turn = (angle * Math.PI) / 180;
    return [size[0] / 2 + distance * Math.sin(turn), size[1] / 2 - distance * Math.cos(turn)];
  };
  const place = ([x, y]) => ({ left: `${(100 * x) / size[0]}%`, top: `${(100 * y) / size[1]}%` });
  const away = (angle) => ({ "--aside": `${0.5 * Math.sin((angle * Math.PI) / 180)}rem`, "--down": `${-0.5 * Math.cos((angle * Math.PI) / 180)}rem` });
  const hexes = [{ ...centre, spot: at(0, 0), middle: true }, ...around.map((one) => ({ ...one, spot: at(one.angle, ROOT3) }))];
  const seen = ([x, y]) => ({ "background-image": `url(${scene})`, "background-size": `${(100 * size[0]) / wide}% ${(100 * size[1]) / high}%`, "background-position": `${(100 * (x - wide / 2)) / (size[0] - wide)}% ${(100 * (y - high / 2)) / (size[1] - high)}%` });
  const face = (one) => h("span", { class: "face" }, scene && h("span", { key: "view", class: "view", style: seen(one.spot) }), h("span", { key: "contents", class: "contents", style: one.middle ? {} : away(one.angle) }, one.contents, heard(one.said)));
  return h("div", { class: `rose ${flat ? "flat" : "pointy"} ${scene ? "seen" : ""}`, role: "group", "aria-label": label },
    hexes.map((one) =>
      h("div", { key: one.hex, class: "cell", style: { ...place(one.spot), width: `${(100 * wide) / size[0]}%`, height: `${(100 * high) / size[1]}%` } },
        one.press
          ? button({ class: `hex ${one.tone ?? ""} ${one.middle ? "middle" : ""}`, pressed: one.picked, style: { "--own": one.strong ?? (one.middle ? "var(--ink)" : "var(--edge)") }, onclick: one.press }, face(one))
          : h("div", { class: `hex ${one.tone ?? ""} ${one.middle ? "middle" : ""}`, style: { "--own": one.strong ?? (one.middle ? "var(--ink)" : "var(--edge)") } }, face(one)),
      ),
    ),
    edges.map(({ key, angle, contents, ...rest }) => button({ key, class: "hexside", style: place(at(angle, ROOT3 / 2)), ...rest }, contents)),
  );
}
