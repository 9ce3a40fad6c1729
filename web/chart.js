// Draws a level of the current area as an SVG image that fills its panel, with a legend of the signs in use. A text
// description says the same.

import { DIRECTIONS } from "./directions.js";
import { BLOCKED, DOWN, HALF, ONE_WAY, UNKNOWN, UP, YOU, contentWords, shape, signOf } from "./signs.js";

/** Distance between the centres of neighbouring rooms, in SVG units. */
const STEP = 40;

/** Height of the image in SVG units at each zoom step, or its width if that is less. */
const SIZES = [640, 480, 360, 260, 180];

const [LARGEST, SMALLEST] = [480, 200];

export class Chart {
  #parts;
  #atlas;
  /** Zoom step chosen by the player; null while the image is fitted automatically. */
  #size = null;
  /** Offset by which the player has dragged the image. */
  #shift = { x: 0, y: 0 };
  /** Height shown instead of that of the current room. */
  #height = null;
  #signs = new Map();
  /** Positions where a room is drawn. */
  #taken = new Set();
  #svg;

  /**
   * @param {{holder: HTMLElement, caption: HTMLElement, legend: HTMLElement, closer: HTMLElement, wider: HTMLElement,
   *   higher: HTMLElement, lower: HTMLElement}} parts
   * @param {import("./atlas.js").Atlas} atlas
   */
  constructor(parts, atlas) {
    this.#parts = parts;
    this.#atlas = atlas;
    this.#svg = shape("svg", { role: "img", "aria-label": "Map" }, parts.holder);
    parts.closer.addEventListener("click", () => this.#zoom(1));
    parts.wider.addEventListener("click", () => this.#zoom(-1));
    parts.higher.addEventListener("click", () => this.#leaf(1));
    parts.lower.addEventListener("click", () => this.#leaf(-1));
    new ResizeObserver(() => this.#frame()).observe(parts.holder);
    this.#listenToDragging();
    this.draw();
  }

  draw() {
    this.#height = null;
    this.#redraw();
  }

  #redraw() {
    this.#shift = { x: 0, y: 0 };
    const { here } = this.#atlas;
    const { holder, caption, higher, lower } = this.#parts;
    this.#svg.replaceChildren();
    this.#signs.clear();
    holder.classList.toggle("empty", !here);
    const height = this.#shown();
    const rooms = this.#atlas.level(height);
    const elsewhere = here && height !== here.z;
    const title = this.#atlas.title(height);
    this.#svg.setAttribute("aria-label", elsewhere ? `Map of ${title}: ${rooms.length} rooms seen.` : this.#atlas.describe());
    this.#taken = new Set(rooms.map(({ x, y }) => `${x},${y}`));
    const links = shape("g", { class: "links" }, this.#svg);
    for (const room of rooms) this.#drawExits(room, links);
    for (const room of rooms) this.#drawRoom(room, room === here);
    caption.textContent = title || "The map grows as you explore.";
    const levels = this.#atlas.levels();
    for (const button of [higher, lower]) button.hidden = levels.length < 2;
    // Not `disabled`, which would remove the focus from the button in use.
    higher.setAttribute("aria-disabled", String(height === levels.at(-1)));
    lower.setAttribute("aria-disabled", String(height === levels[0]));
    this.#showLegend();
    this.#frame();
  }

  #shown() {
    return this.#height ?? this.#atlas.here?.z;
  }

  /** Shows the signs in use with their meanings. */
  #showLegend() {
    this.#parts.legend.replaceChildren(...[...this.#signs].map(([words, draw]) => {
      const entry = document.createElement("li");
      const picture = shape("svg", { viewBox: "-14 -10 28 20", "aria-hidden": "true" }, entry);
      draw(picture);
      entry.append(words);
      return entry;
    }));
  }

  /** Draws a sign and records its use. */
  #sign([words, draw], parent, transform = "") {
    this.#signs.set(words, draw);
    draw(shape("g", transform ? { transform } : {}, parent));
  }

  #drawExits(room, parent) {
    for (const exit of room.exits) {
      const way = DIRECTIONS[exit.name];
      if (!way) continue;
      const from = { x: room.x * STEP, y: -room.y * STEP };
      if (way.up !== 0) {
        this.#drawVertical(from, way, exit, this.#atlas.isUnseen(room, exit), parent);
        continue;
      }
      const other = this.#atlas.room(exit.num);
      const near = { x: from.x + way.east * HALF, y: from.y - way.north * HALF };
      if (!other || other.z !== room.z) {
        // Next to another room there is only half the space, because that room may have an exit stub in this direction.
        const crowded = this.#taken.has(`${room.x + way.east},${room.y + way.north}`);
        this.#drawStub(near, way, { ...exit, unseen: this.#atlas.isUnseen(room, exit) }, crowded ? 0.5 : 1, parent);
        continue;
      }
      const to = { x: other.x * STEP, y: -other.y * STEP };
      const back = other.exits.some((one) => one.num === room.num && DIRECTIONS[one.name]?.up === 0);
      // A two-way exit is drawn once, from the room with the smaller number.
      if (back && exit.state === "open" && other.num < room.num) continue;
      const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
      const reach = { x: ((to.x - from.x) / length) * HALF, y: ((to.y - from.y) / length) * HALF };
      const far = { x: to.x - reach.x, y: to.y - reach.y };
      shape("line", { x1: near.x, y1: near.y, x2: far.x, y2: far.y, class: "link" }, parent);
      if (!back || exit.state === "one_way") this.#between(ONE_WAY, near, far, parent);
      if (exit.state === "locked") this.#between(BLOCKED, near, far, parent);
    }
  }

  /** Draws an unexplored exit, or an exit to a room outside the image. */
  #drawStub(near, way, exit, scale, parent) {
    const [length, ring] = [8 * scale, 3.5 * scale];
    const far = { x: near.x + way.east * length, y: near.y - way.north * length };
    const unexplored = exit.num < 0 || exit.unseen;
    const line = { x1: near.x, y1: near.y, x2: far.x, y2: far.y };
    shape("line", { ...line, class: unexplored ? "link unknown" : "link" }, parent);
    if (exit.state === "locked" || exit.blocked) this.#between(BLOCKED, near, far, parent);
    else if (unexplored) {
      this.#signs.set(...UNKNOWN);
      const at = { cx: far.x + way.east * ring, cy: far.y - way.north * ring };
      shape("circle", { ...at, r: ring, class: "question" }, parent);
    } else if (exit.state === "one_way") this.#between(ONE_WAY, near, far, parent);
  }

  #drawVertical(from, way, exit, unseen, parent) {
    const at = { x: from.x + HALF + 4, y: from.y - way.up * (HALF - 2) };
    this.#sign(way.up > 0 ? UP : DOWN, parent, `translate(${at.x} ${at.y})`);
    if (exit.state === "locked" || exit.blocked) {
      this.#sign(BLOCKED, parent, `translate(${at.x} ${at.y}) rotate(90) scale(0.7)`);
    } else if (exit.num < 0 || unseen) {
      this.#signs.set(...UNKNOWN);
      shape("circle", { cx: at.x, cy: at.y - way.up * 12, r: 3, class: "question" }, parent);
    }
  }

  /** Draws a sign halfway between two points, rotated along the exit. */
  #between([words, draw], from, to, parent) {
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    this.#sign([words, draw], parent, `translate(${(from.x + to.x) / 2} ${(from.y + to.y) / 2}) rotate(${angle})`);
  }

  #drawRoom(room, here) {
    const classes = ["room"];
    if (here) classes.push("here");
    if (!room.clear) classes.push("unclear");
    const at = `translate(${room.x * STEP} ${-room.y * STEP})`;
    const group = shape("g", { class: classes.join(" "), transform: at }, this.#svg);
    shape("title", {}, group).textContent = [room.name, contentWords(room)].filter(Boolean).join(": ");
    if (here) shape("circle", { r: HALF + 6, class: "ring" }, group);
    shape("rect", { x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF, rx: 5, class: "floor" }, group);
    const sign = signOf(room);
    if (sign) this.#sign(sign, group);
    if (here && sign) this.#signs.set(...YOU);
    else if (here) this.#sign(YOU, group);
  }

  /** Fits the image to its panel: the whole level if it stays readable, otherwise the part around the current room. */
  #frame() {
    const { here } = this.#atlas;
    if (!here) return;
    const { clientWidth, clientHeight } = this.#parts.holder;
    const [wide, high] = [clientWidth || 1, clientHeight || 1];
    const rooms = this.#atlas.level(this.#shown());
    const ends = (axis) => {
      const all = rooms.map((room) => room[axis]);
      return [Math.min(...all) * STEP, Math.max(...all) * STEP];
    };
    const [[west, east], [south, north]] = [ends("x"), ends("y")];
    const unit = Math.min(wide, high);
    const needed = Math.max((east - west + 2 * STEP) * (unit / wide), (north - south + 2 * STEP) * (unit / high));
    const size = this.#size === null ? Math.min(Math.max(needed, SMALLEST), LARGEST) : SIZES[this.#size];
    const whole = needed <= size || here.z !== this.#shown();
    const middle = whole ? { x: (west + east) / 2, y: -(south + north) / 2 } : { x: here.x * STEP, y: -here.y * STEP };
    const [width, height] = [(size * wide) / unit, (size * high) / unit];
    const corner = [middle.x + this.#shift.x - width / 2, middle.y + this.#shift.y - height / 2];
    this.#svg.setAttribute("viewBox", [...corner, width, height].join(" "));
  }

  #scale() {
    const [, , width] = (this.#svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    return width / Math.max(this.#parts.holder.clientWidth, 1);
  }

  #zoom(step) {
    const unit = Math.min(this.#parts.holder.clientWidth, this.#parts.holder.clientHeight);
    const nearest = SIZES.findIndex((size) => size <= this.#scale() * unit);
    const now = this.#size ?? (nearest < 0 ? SIZES.length - 1 : nearest);
    this.#size = Math.min(Math.max(now + step, 0), SIZES.length - 1);
    this.#frame();
  }

  #leaf(step) {
    const levels = this.#atlas.levels();
    const at = levels.indexOf(this.#shown()) + step;
    if (at < 0 || at >= levels.length) return;
    this.#height = levels[at];
    this.#redraw();
  }

  #listenToDragging() {
    const { holder } = this.#parts;
    let last = null;
    holder.addEventListener("pointerdown", (event) => {
      last = { x: event.clientX, y: event.clientY };
      holder.setPointerCapture(event.pointerId);
    });
    holder.addEventListener("pointermove", (event) => {
      if (!last) return;
      const scale = this.#scale();
      this.#shift.x -= (event.clientX - last.x) * scale;
      this.#shift.y -= (event.clientY - last.y) * scale;
      last = { x: event.clientX, y: event.clientY };
      this.#frame();
    });
    for (const end of ["pointerup", "pointercancel"]) holder.addEventListener(end, () => (last = null));
  }
}
