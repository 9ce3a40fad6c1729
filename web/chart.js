// Draws a level of the current area as an SVG image that fills its panel, with a legend of the signs in use. A text
// description says the same.

import { DIRECTIONS } from "./directions.js";
import { BLOCKED, DOWN, HALF, ONE_WAY, UNKNOWN, UP, YOU, contentWords, shape, signOf } from "./signs.js";

/** Distance between the centres of neighbouring rooms, in SVG units. */
const STEP = 40;

/** Width of a room in pixels at each zoom step. A room is never drawn smaller than the first. */
const ROOM_PIXELS = [22, 28, 36, 48, 64];

/** Maximum width of a room, in pixels, before the player zooms. */
const FITTED_MAX = 40;

/** Distance in pixels from which a press is a drag. */
const DRAG_MIN = 6;

/** Factor by which two fingers move apart, or together, for one zoom step. */
const PINCH = 1.25;

/** Returns the distance between two fingers. */
const spreadOf = ([one, other]) => Math.hypot(one.x - other.x, one.y - other.y);

export class Chart {
  #parts;
  #atlas;
  /** Zoom step chosen by the player; null while the image is fitted automatically. */
  #step = null;
  /** Offset by which the player has dragged the image. */
  #shift = { x: 0, y: 0 };
  /** Height shown instead of that of the current room. */
  #height = null;
  #signs = new Map();
  /** Positions where a room is drawn. */
  #taken = new Set();
  #svg;
  #walk;

  /**
   * @param {{holder: HTMLElement, caption: HTMLElement, legend: HTMLElement, closer: HTMLElement, wider: HTMLElement,
   *   higher: HTMLElement, lower: HTMLElement}} parts
   * @param {import("./atlas.js").Atlas} atlas
   * @param {(room: object) => void} walk gets a room that the player has pressed
   */
  constructor(parts, atlas, walk) {
    this.#parts = parts;
    this.#atlas = atlas;
    this.#walk = walk;
    this.#svg = shape("svg", { role: "img", "aria-label": "Map" }, parts.holder);
    parts.closer.addEventListener("click", () => this.#zoom(1));
    parts.wider.addEventListener("click", () => this.#zoom(-1));
    parts.higher.addEventListener("click", () => this.#leaf(1));
    parts.lower.addEventListener("click", () => this.#leaf(-1));
    new ResizeObserver(() => this.#frame()).observe(parts.holder);
    this.#listenToPointers();
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
    const group = shape("g", { class: classes.join(" "), transform: at, "data-num": room.num }, this.#svg);
    shape("title", {}, group).textContent = [room.name, contentWords(room)].filter(Boolean).join(": ");
    if (here) shape("circle", { r: HALF + 6, class: "ring" }, group);
    shape("rect", { x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF, rx: 5, class: "floor" }, group);
    const sign = signOf(room);
    if (sign) this.#sign(sign, group);
    if (here && sign) this.#signs.set(...YOU);
    else if (here) this.#sign(YOU, group);
  }

  /** Centres the image on the current room, or on another level, and shows the whole level if its rooms stay large enough. */
  #frame() {
    const { here } = this.#atlas;
    if (!here) return;
    const { clientWidth, clientHeight } = this.#parts.holder;
    const [wide, high] = [clientWidth || 1, clientHeight || 1];
    const rooms = this.#atlas.level(this.#shown());
    const elsewhere = here.z !== this.#shown();
    const [x, y] = ["x", "y"].map((axis) => {
      const all = rooms.map((room) => room[axis]);
      const middle = elsewhere ? (Math.min(...all) + Math.max(...all)) / 2 : here[axis];
      return { middle, reach: Math.max(...all.map((one) => Math.abs(one - middle))) };
    });
    const fitted = Math.min(wide / (2 * x.reach + 2), high / (2 * y.reach + 2)) * ((2 * HALF) / STEP);
    const pixels = this.#step === null ? Math.min(Math.max(fitted, ROOM_PIXELS[0]), FITTED_MAX) : ROOM_PIXELS[this.#step];
    const scale = (2 * HALF) / pixels;
    const [width, height] = [wide * scale, high * scale];
    const corner = [x.middle * STEP + this.#shift.x - width / 2, -y.middle * STEP + this.#shift.y - height / 2];
    this.#svg.setAttribute("viewBox", [...corner, width, height].join(" "));
  }

  /** Returns the SVG units in a pixel. */
  #scale() {
    const [, , width] = (this.#svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    return width / Math.max(this.#parts.holder.clientWidth, 1);
  }

  #zoom(step) {
    const pixels = (2 * HALF) / this.#scale();
    const nearest = ROOM_PIXELS.findLastIndex((one) => one <= pixels + 0.5);
    this.#step = Math.min(Math.max((this.#step ?? nearest) + step, 0), ROOM_PIXELS.length - 1);
    this.#frame();
  }

  #leaf(step) {
    const levels = this.#atlas.levels();
    const at = levels.indexOf(this.#shown()) + step;
    if (at < 0 || at >= levels.length) return;
    this.#height = levels[at];
    this.#redraw();
  }

  /** A drag moves the image; a press on a room walks there, and the wheel or two fingers zoom. */
  #listenToPointers() {
    const { holder } = this.#parts;
    /** Places of the fingers on the map. */
    const fingers = new Map();
    let spread = 0;
    let last = null;
    let isDrag = false;
    holder.addEventListener("pointerdown", (event) => {
      last = { x: event.clientX, y: event.clientY };
      fingers.set(event.pointerId, last);
      isDrag = fingers.size > 1;
      if (fingers.size === 2) spread = spreadOf([...fingers.values()]);
    });
    holder.addEventListener("pointermove", (event) => {
      if (!last || !fingers.has(event.pointerId)) return;
      if (fingers.size > 1) {
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        const wide = spreadOf([...fingers.values()]);
        if (wide < spread * PINCH && wide > spread / PINCH) return;
        this.#zoom(wide > spread ? 1 : -1);
        spread = wide;
        return;
      }
      const [east, south] = [event.clientX - last.x, event.clientY - last.y];
      if (!isDrag && Math.hypot(east, south) < DRAG_MIN) return;
      isDrag = true;
      holder.setPointerCapture(event.pointerId);
      const scale = this.#scale();
      this.#shift.x -= east * scale;
      this.#shift.y -= south * scale;
      last = { x: event.clientX, y: event.clientY };
      this.#frame();
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      holder.addEventListener(end, (event) => {
        fingers.delete(event.pointerId);
        last = null;
      });
    }
    holder.addEventListener("click", ({ target }) => {
      const room = this.#atlas.room(Number(target.closest("[data-num]")?.dataset.num));
      if (room && !isDrag) this.#walk(room);
    });
    holder.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoom(event.deltaY < 0 ? 1 : -1);
    }, { passive: false });
  }
}
