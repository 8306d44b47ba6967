// Fingers and the mouse on a picture: taps, long taps, strokes of a brush, dragging, and two fingers that change the size.

const SLOP = 8; // pixels that a finger may move in a tap
const HOLD = 550; // milliseconds after which a tap is a long one

/** What fingers do on an element. told: { ready(), tap(point), hold(point), pan(left, top), zoom(factor, point), brushes(point): whether a
 * finger draws a stroke from there; stroke(point, phase) with phase begun, drawn, done or given up; lifts(point, kind): whether what lies
 * there can be carried by a pointer of that kind; carry(point, phase) with phase begun, carried, done or given up }; points are { left, top }
 * in the element. A mouse carries as soon as it moves, a finger once it has been held.
 * The middle and the right button of a mouse always drag the picture. */
export class Fingers {
  constructor(stage, told) {
    Object.assign(this, { stage, told, pointers: new Map(), stroking: false, carrying: false });
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, (event) => this.up(event));
    stage.addEventListener("contextmenu", (event) => event.preventDefault());
    stage.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (!told.ready()) return;
        const lines = event.deltaMode === 1 ? 16 : 1;
        told.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), this.inside(event));
      },
      { passive: false },
    );
  }

  inside({ clientX, clientY }) {
    const { left, top } = this.stage.getBoundingClientRect();
    return { left: clientX - left, top: clientY - top };
  }

  down(event) {
    if (!this.told.ready()) return;
    const at = this.inside(event);
    this.stage.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    clearTimeout(this.holding);
    const alone = this.pointers.size === 1 && event.button <= 0;
    this.tap = alone ? at : null;
    if (!alone && this.stroking) this.stroke(at, "given up");
    if (!alone && this.carrying) this.carry(at, "given up");
    if (alone && this.told.brushes(at)) this.stroke(at, "begun");
    else if (alone) {
      this.lifting = this.told.lifts?.(at, event.pointerType) ? event.pointerType : "";
      this.holding = setTimeout(() => {
        const held = this.tap;
        if (held && this.lifting && this.lifting !== "mouse") return this.carry(held, "begun");
        this.tap = null;
        if (held) this.told.hold?.(held);
      }, HOLD);
    }
  }

  carry(at, phase) {
    this.carrying = phase === "begun" || phase === "carried";
    this.told.carry(at, phase);
  }

  stroke(at, phase) {
    this.stroking = phase === "begun" || phase === "drawn";
    this.told.stroke(at, phase);
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.inside(event);
    this.pointers.set(event.pointerId, now);
    if (this.pointers.size === 1) {
      if (this.stroking) return this.stroke(now, "drawn");
      if (this.tap && Math.hypot(now.left - this.tap.left, now.top - this.tap.top) < SLOP) return;
      if (this.tap && this.lifting === "mouse") this.carry(this.tap, "begun");
      this.giveUp();
      if (this.carrying) return this.carry(now, "carried");
      this.told.pan(now.left - before.left, now.top - before.top);
    } else {
      this.giveUp();
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const apart = (one) => Math.hypot(one.left - other.left, one.top - other.top) || 1;
      this.told.pan((now.left - before.left) / 2, (now.top - before.top) / 2);
      this.told.zoom(apart(now) / apart(before), { left: (now.left + other.left) / 2, top: (now.top + other.top) / 2 });
    }
  }

  giveUp() {
    this.tap = null;
    clearTimeout(this.holding);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    clearTimeout(this.holding);
    const whole = event.type === "pointerup";
    if (this.stroking) this.stroke(this.inside(event), whole ? "done" : "given up");
    else if (this.carrying) {
      this.carry(this.inside(event), whole && !this.tap ? "done" : "given up");
      if (this.tap && whole) this.told.hold?.(this.tap); // it was held, but carried nowhere
    } else if (this.tap && whole) this.told.tap(this.tap);
    this.tap = null;
  }
}

const SWIPE = 45; // pixels that a finger moves to a side in a swipe

/** Call `left` or `right` when a finger swipes over an element that way. */
export function swiped(element, told) {
  let from = null;
  element.addEventListener("pointerdown", ({ clientX, clientY, isPrimary, pointerType }) => { from = isPrimary && pointerType !== "mouse" ? { clientX, clientY } : null; });
  element.addEventListener("pointercancel", () => { from = null; });
  element.addEventListener("pointerup", ({ clientX, clientY }) => {
    const across = from ? clientX - from.clientX : 0, down = from ? clientY - from.clientY : 0;
    from = null;
    if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) told[across < 0 ? "left" : "right"]();
  });
}
