// Draws a level of a zone as a map for choosing rooms by pointer or keyboard. A text alternative has the same content:
// each room has its name and its exits.

import { shape } from "../signs.js";

/** Distance between the centres of neighbouring rooms, and half the size of a room, in SVG units. */
const [STEP_X, STEP_Y] = [120, 72];
const [HALF_X, HALF_Y] = [50, 22];
/** Maximum letters in a line of a room's name, and maximum lines. */
const LETTERS = 15;

/** Factor of one step of the zoom, and the smallest and largest scale. */
const ZOOM_STEP = 1.3;
const [SCALE_MIN, SCALE_MAX] = [0.03, 2.5];
/** Smallest scale at which names of rooms are read: a larger level is scrolled unless the builder asks for the whole map. */
const READABLE = 0.6;

/** Signs of a room of another kind than room, and of what is in a room; the page explains them. */
const MARKS = { kind: "\u25c6", board: "\u25a4", creatures: "\u25cf", items: "\u25a0", triggers: "\u25b2" };

const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** Splits a name into at most two lines. */
export function lines(name) {
  const words = name.split(" ");
  let first = words.shift() ?? "";
  while (words.length > 0 && `${first} ${words[0]}`.length <= LETTERS) first += ` ${words.shift()}`;
  const short = (line) => (line.length > LETTERS ? `${line.slice(0, LETTERS - 1)}\u2026` : line);
  return [first, words.join(" ")].filter(Boolean).map(short);
}

/** Map of a zone. */
export class Plan {
  #parts;
  #choose;
  #map = { rooms: [] };
  #height = 0;
  /** Level shown; `null` before the first. */
  #drawn = null;
  #current = null;
  #nodes = new Map();
  #scale = 1;
  /** Set while the scale follows the size of the level: until the builder zooms. */
  #fitted = true;
  /** Set while the builder wants the whole level in view, however small its names become. */
  #whole = false;
  #size = { width: 1, height: 1 };

  /** @param {(id: number) => void} choose gets the room to open */
  constructor(parts, choose) {
    this.#parts = parts;
    this.#choose = choose;
    parts.higher.addEventListener("click", () => this.#leaf(1));
    parts.lower.addEventListener("click", () => this.#leaf(-1));
    parts.closer.addEventListener("click", () => this.#zoom(ZOOM_STEP));
    parts.wider.addEventListener("click", () => this.#zoom(1 / ZOOM_STEP));
    parts.fit.addEventListener("click", () => {
      this.#whole = true;
      this.#fit();
    });
    new ResizeObserver(() => this.#fitted && this.#fit()).observe(parts.holder);
  }

  /** Shows another map; stays on the same level if it exists. */
  show(map) {
    this.#map = map;
    if (!this.#levels().includes(this.#height)) this.#height = map.rooms[0]?.z ?? 0;
    this.#draw();
  }

  /** Marks the open room and shows its level. */
  mark(id) {
    const another = this.#current !== id;
    this.#current = id;
    const room = this.#map.rooms.find((one) => one.id === id);
    if (room && room.z !== this.#height) {
      this.#height = room.z;
      this.#draw();
    }
    for (const [of, node] of this.#nodes) {
      if (of === id) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
    }
    this.#stop(this.#nodes.has(id) ? id : null);
    if (another) this.#centre();
  }

  /** Scrolls the map, not the page, so that the open room is in the middle. */
  #centre() {
    const { holder } = this.#parts;
    const node = this.#nodes.get(this.#current);
    if (!node) return;
    const [room, view] = [node.getBoundingClientRect(), holder.getBoundingClientRect()];
    holder.scrollLeft += room.left + room.width / 2 - view.left - holder.clientWidth / 2;
    holder.scrollTop += room.top + room.height / 2 - view.top - holder.clientHeight / 2;
  }

  #zoom(by) {
    this.#fitted = false;
    this.#whole = false;
    this.#rescale(this.#scale * by);
  }

  /** Shows as much of the level as stays readable, at most at full size. */
  #fit() {
    const { holder } = this.#parts;
    this.#fitted = true;
    const most = parseFloat(getComputedStyle(holder).maxHeight) || holder.clientHeight;
    const fits = Math.min(holder.clientWidth / this.#size.width, most / this.#size.height, 1);
    this.#rescale(this.#whole ? fits : Math.max(fits, READABLE));
  }

  #rescale(scale) {
    if (!(scale > 0)) return;
    this.#scale = Math.min(Math.max(scale, SCALE_MIN), SCALE_MAX);
    const svg = this.#parts.holder.querySelector("svg");
    svg?.setAttribute("width", this.#size.width * this.#scale);
    svg?.setAttribute("height", this.#size.height * this.#scale);
    this.#centre();
  }

  #levels() {
    return [...new Set(this.#map.rooms.map((room) => room.z))].sort((one, other) => one - other);
  }

  #leaf(by) {
    const levels = this.#levels();
    const next = levels[levels.indexOf(this.#height) + by];
    if (next === undefined) return;
    this.#height = next;
    this.#draw();
  }

  #draw() {
    const { holder, caption, higher, lower } = this.#parts;
    const focused = [...this.#nodes].find(([, node]) => node === document.activeElement)?.[0];
    const rooms = this.#map.rooms.filter((room) => room.z === this.#height);
    const [xs, ys] = [rooms.map((room) => room.x), rooms.map((room) => -room.y)];
    const box = [Math.min(...xs, 0), Math.min(...ys, 0), Math.max(...xs, 0), Math.max(...ys, 0)];
    const left = (rooms.length > 0 ? Math.min(...xs) : 0) * STEP_X - HALF_X - 14;
    const top = (rooms.length > 0 ? Math.min(...ys) : 0) * STEP_Y - HALF_Y - 14;
    const width = (rooms.length > 0 ? Math.max(...xs) : box[2]) * STEP_X + HALF_X + 14 - left;
    const height = (rooms.length > 0 ? Math.max(...ys) : box[3]) * STEP_Y + HALF_Y + 14 - top;
    const svg = shape("svg", { viewBox: `${left} ${top} ${width} ${height}`, width, height }, null);
    this.#nodes.clear();
    for (const room of rooms) this.#link(room, svg);
    for (const room of rooms) this.#room(room, svg);
    const scrolled = { left: holder.scrollLeft, top: holder.scrollTop };
    const another = this.#drawn !== this.#height;
    this.#drawn = this.#height;
    holder.replaceChildren(svg);
    this.#size = { width, height };
    if (this.#fitted) this.#fit();
    else this.#rescale(this.#scale);
    // A change by another builder keeps the scroll position.
    if (!another) holder.scrollTo(scrolled);
    const levels = this.#levels();
    for (const [button, by] of [[higher, 1], [lower, -1]]) {
      button.hidden = levels.length < 2;
      button.setAttribute("aria-disabled", String(levels[levels.indexOf(this.#height) + by] === undefined));
    }
    const more = this.#map.more > 0 ? ` ${this.#map.more} more do not fit.` : "";
    caption.textContent = levels.length > 1
      ? `Level ${this.#height}: ${rooms.length} of ${this.#map.rooms.length} rooms.${more}`
      : `${rooms.length} rooms.${more}`;
    this.#stop(this.#nodes.has(this.#current) ? this.#current : rooms[0]?.id ?? null);
    if (focused !== undefined) this.#nodes.get(focused)?.focus();
  }

  #link(room, svg) {
    for (const exit of room.exits) {
      const other = this.#map.rooms.find((one) => one.id === exit.to && one.z === room.z);
      if (!other || (other.id < room.id && other.exits.some((back) => back.to === room.id))) continue;
      const ends = { x1: room.x * STEP_X, y1: -room.y * STEP_Y, x2: other.x * STEP_X, y2: -other.y * STEP_Y };
      shape("line", { ...ends, class: "link" }, svg);
    }
  }

  #room(room, svg) {
    const ways = room.exits.map((exit) => exit.name).join(", ") || "none";
    const kind = room.kind === "room" ? "" : `, ${room.kind}`;
    const held = room.holds.length > 0 ? `; has ${room.holds.join(", ")}` : "";
    const at = `translate(${room.x * STEP_X} ${-room.y * STEP_Y})`;
    const node = shape("g", {
      class: "room", transform: at, role: "button", tabindex: "-1",
      "aria-label": `${room.name}, room ${room.id}${kind}; exits: ${ways}${held}`,
    }, svg);
    if (room.id === this.#current) node.setAttribute("aria-current", "true");
    shape("rect", { x: -HALF_X, y: -HALF_Y, width: 2 * HALF_X, height: 2 * HALF_Y, rx: 6 }, node);
    const words = lines(room.name);
    words.forEach((line, at) => {
      const y = 4 + (at - (words.length - 1) / 2) * 13;
      shape("text", { x: 0, y, "aria-hidden": "true" }, node).textContent = line;
    });
    const signs = [
      room.exits.some((exit) => exit.name === "up") ? "\u2191" : "",
      room.exits.some((exit) => exit.name === "down") ? "\u2193" : "",
    ].join("");
    const marks = [room.kind === "room" ? "" : MARKS.kind, ...room.holds.map((what) => MARKS[what])].join(" ").trim();
    if (marks) shape("text", { x: 0, y: HALF_Y - 3, class: "sign", "aria-hidden": "true" }, node).textContent = marks;
    if (signs) shape("text", { x: HALF_X - 10, y: -HALF_Y + 12, class: "sign", "aria-hidden": "true" }, node).textContent = signs;
    node.addEventListener("click", () => this.#choose(room.id));
    node.addEventListener("keydown", (event) => this.#key(event, room));
    this.#nodes.set(room.id, node);
  }

  #key(event, room) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(room.id);
      return;
    }
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const ahead = this.#map.rooms.filter((one) => {
      const [east, north] = [one.x - room.x, one.y - room.y];
      return one.z === room.z && one.id !== room.id && east * way[0] + north * way[1] > 0;
    });
    const far = (one) => {
      const [east, north] = [one.x - room.x, one.y - room.y];
      return Math.abs(east * way[0] + north * way[1]) + 3 * Math.abs(east * way[1] + north * way[0]);
    };
    const next = ahead.sort((one, other) => far(one) - far(other))[0];
    if (!next) return;
    this.#stop(next.id);
    this.#nodes.get(next.id).focus();
  }

  /** Makes this room the only tab stop. */
  #stop(id) {
    for (const [of, node] of this.#nodes) node.setAttribute("tabindex", of === id ? "0" : "-1");
    if (id === null) this.#nodes.values().next().value?.setAttribute("tabindex", "0");
  }
}
