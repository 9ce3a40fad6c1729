// Draws a level of the area one stands in as an SVG picture that fills its panel, with a legend of the signs that are on
// it. The whole picture is said in words as well.

import { DIRECTIONS } from "./directions.js";
import { BLOCKED, DOWN, HALF, ONE_WAY, UNKNOWN, UP, YOU, contentWords, shape, signOf } from "./signs.js";

/** From the middle of a room to that of its neighbour, in units of the picture. */
const STEP = 40;

/** How many units the picture is high at each size, or wide if that is less. */
const SIZES = [640, 480, 360, 260, 180];

/** What fits between these is shown whole, unless somebody chose a size. */
const [LARGEST, SMALLEST] = [480, 200];

/** The map on the page. */
export class Chart {
  #parts;
  #atlas;
  /** The size that somebody chose; none as long as the picture finds its own. */
  #size = null;
  /** How far the picture has been dragged away from its middle. */
  #shift = { x: 0, y: 0 };
  /** The height that is shown instead of the one where one stands. */
  #height = null;
  #signs = new Map();
  /** Places where a room is drawn. */
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

  /** Draws again, where one stands. */
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
    // Not `disabled`, which would take the cursor away from who leafs with it.
    higher.setAttribute("aria-disabled", String(height === levels.at(-1)));
    lower.setAttribute("aria-disabled", String(height === levels[0]));
    this.#showLegend();
    this.#frame();
  }

  #shown() {
    return this.#height ?? this.#atlas.here?.z;
  }

  /** The signs that are on the picture, and what they mean. */
  #showLegend() {
    this.#parts.legend.replaceChildren(...[...this.#signs].map(([words, draw]) => {
      const entry = document.createElement("li");
      const picture = shape("svg", { viewBox: "-14 -10 28 20", "aria-hidden": "true" }, entry);
      draw(picture);
      entry.append(words);
      return entry;
    }));
  }

  /** Draws a sign, and notes that it is there. */
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
        this.#drawVertical(from, way, exit, parent);
        continue;
      }
      const other = this.#atlas.room(exit.num);
      const near = { x: from.x + way.east * HALF, y: from.y - way.north * HALF };
      if (!other || other.z !== room.z) {
        // Beside another room there is half as much place: it may have one of its own towards this.
        const crowded = this.#taken.has(`${room.x + way.east},${room.y + way.north}`);
        this.#drawStub(near, way, exit, crowded ? 0.5 : 1, parent);
        continue;
      }
      const to = { x: other.x * STEP, y: -other.y * STEP };
      const back = other.exits.some((one) => one.num === room.num && DIRECTIONS[one.name]?.up === 0);
      // A way that leads back is drawn once, from the room of the smaller number.
      if (back && exit.state === "open" && other.num < room.num) continue;
      const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
      const reach = { x: ((to.x - from.x) / length) * HALF, y: ((to.y - from.y) / length) * HALF };
      const far = { x: to.x - reach.x, y: to.y - reach.y };
      shape("line", { x1: near.x, y1: near.y, x2: far.x, y2: far.y, class: "link" }, parent);
      if (!back || exit.state === "one_way") this.#between(ONE_WAY, near, far, parent);
      if (exit.state === "locked") this.#between(BLOCKED, near, far, parent);
    }
  }

  /** A way that nobody has taken, or to a room that is not on this picture. */
  #drawStub(near, way, exit, scale, parent) {
    const [length, ring] = [8 * scale, 3.5 * scale];
    const far = { x: near.x + way.east * length, y: near.y - way.north * length };
    const unexplored = exit.num < 0;
    const line = { x1: near.x, y1: near.y, x2: far.x, y2: far.y };
    shape("line", { ...line, class: unexplored ? "link unknown" : "link" }, parent);
    if (exit.state === "locked" || exit.blocked) this.#between(BLOCKED, near, far, parent);
    else if (unexplored) {
      this.#signs.set(...UNKNOWN);
      const at = { cx: far.x + way.east * ring, cy: far.y - way.north * ring };
      shape("circle", { ...at, r: ring, class: "question" }, parent);
    } else if (exit.state === "one_way") this.#between(ONE_WAY, near, far, parent);
  }

  /** A way up or down: an arrow at the side of the room. */
  #drawVertical(from, way, exit, parent) {
    const at = { x: from.x + HALF + 4, y: from.y - way.up * (HALF - 2) };
    this.#sign(way.up > 0 ? UP : DOWN, parent, `translate(${at.x} ${at.y})`);
    if (exit.state === "locked" || exit.blocked) {
      this.#sign(BLOCKED, parent, `translate(${at.x} ${at.y}) rotate(90) scale(0.7)`);
    } else if (exit.num < 0) {
      this.#signs.set(...UNKNOWN);
      shape("circle", { cx: at.x, cy: at.y - way.up * 12, r: 3, class: "question" }, parent);
    }
  }

  /** A sign in the middle between two ends, turned along the way. */
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

  /** Lets the picture fill its panel: with all there is if that can be read, else around where one stands. */
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

  /** Shows the next level of which something has been seen. */
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
