// Draws the floor one stands on as an SVG picture, the room one is in at its middle. Every sign is a shape before it
// is a colour, and the whole picture is said in words as well.

import { DIRECTIONS } from "./directions.js";

const SVG = "http://www.w3.org/2000/svg";

/** From the middle of a room to that of its neighbour, and half the width of a room, in units of the picture. */
const STEP = 40;
const HALF = 12;

/** How many units the picture is wide at each size. */
const SIZES = [640, 480, 360, 260, 180];

function shape(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

/** The map on the page. */
export class Chart {
  #holder;
  #caption;
  #atlas;
  #size = 3;
  /** How far the picture has been dragged away from the room one is in. */
  #shift = { x: 0, y: 0 };
  #svg;

  /**
   * @param {{holder: HTMLElement, caption: HTMLElement, closer: HTMLElement, wider: HTMLElement}} parts
   * @param {import("./atlas.js").Atlas} atlas
   */
  constructor({ holder, caption, closer, wider }, atlas) {
    this.#holder = holder;
    this.#caption = caption;
    this.#atlas = atlas;
    this.#svg = shape("svg", { role: "img", "aria-label": "Map", preserveAspectRatio: "xMidYMid slice" });
    holder.append(this.#svg);
    closer.addEventListener("click", () => this.#zoom(1));
    wider.addEventListener("click", () => this.#zoom(-1));
    this.#listenToDragging();
    this.draw();
  }

  /** Draws again, around the room one is in. */
  draw() {
    this.#shift = { x: 0, y: 0 };
    const { here } = this.#atlas;
    this.#svg.replaceChildren();
    this.#holder.classList.toggle("empty", !here);
    this.#svg.setAttribute("aria-label", this.#atlas.describe());
    if (!here) return;
    const rooms = this.#atlas.floor();
    const links = shape("g", { class: "links" }, this.#svg);
    for (const room of rooms) this.#drawExits(room, links);
    for (const room of rooms) this.#drawRoom(room, room === here);
    this.#caption.textContent = this.#atlas.title();
    this.#frame();
  }

  #drawExits(room, parent) {
    for (const exit of room.exits) {
      const way = DIRECTIONS[exit.name];
      if (!way || way.up !== 0) continue;
      const from = { x: room.x * STEP, y: -room.y * STEP };
      const other = this.#atlas.room(exit.num);
      const near = { x: from.x + way.east * HALF, y: from.y - way.north * HALF };
      if (!other || other.z !== room.z) {
        this.#drawStub(near, way, exit, parent);
        continue;
      }
      const to = { x: other.x * STEP, y: -other.y * STEP };
      const back = other.exits.some((their) => their.num === room.num);
      // A line for both ways is drawn once, by the room of the lower number.
      if (back && other.num < room.num && exit.state !== "locked") continue;
      const reach = { x: Math.sign(to.x - from.x) * HALF, y: Math.sign(to.y - from.y) * HALF };
      const far = { x: to.x - reach.x, y: to.y - reach.y };
      shape("line", { x1: near.x, y1: near.y, x2: far.x, y2: far.y, class: "link" }, parent);
      if (!back || exit.state === "one_way") this.#drawArrow(near, far, parent);
      if (exit.state === "locked") this.#drawShut(near, far, parent);
    }
  }

  /** A way that nobody has taken, or to a room that is not on this picture. */
  #drawStub(near, way, exit, parent) {
    const far = { x: near.x + way.east * 9, y: near.y - way.north * 9 };
    const unexplored = exit.num < 0;
    const line = { x1: near.x, y1: near.y, x2: far.x, y2: far.y };
    shape("line", { ...line, class: unexplored ? "link unknown" : "link" }, parent);
    if (exit.state === "locked") this.#drawShut(near, far, parent);
    else if (unexplored) {
      const mark = { x: far.x + way.east * 4, y: far.y - way.north * 4 };
      shape("circle", { cx: mark.x, cy: mark.y, r: 3.5, class: "question" }, parent);
    } else if (exit.state === "one_way") this.#drawArrow(near, far, parent);
  }

  #drawArrow(from, to, parent) {
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    const middle = `translate(${(from.x + to.x) / 2} ${(from.y + to.y) / 2}) rotate(${angle})`;
    shape("path", { d: "M -5 -5 L 5 0 L -5 5 Z", transform: middle, class: "arrow" }, parent);
  }

  #drawShut(from, to, parent) {
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    const middle = `translate(${(from.x + to.x) / 2} ${(from.y + to.y) / 2}) rotate(${angle})`;
    shape("path", { d: "M -1.5 -6 V 6 M 1.5 -6 V 6", transform: middle, class: "shut" }, parent);
  }

  #drawRoom(room, here) {
    const classes = ["room"];
    if (here) classes.push("here");
    if (!room.clear) classes.push("unclear");
    const at = `translate(${room.x * STEP} ${-room.y * STEP})`;
    const group = shape("g", { class: classes.join(" "), transform: at }, this.#svg);
    const name = shape("title", {}, group);
    name.textContent = room.name;
    shape("rect", { x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF, rx: 5, class: "floor" }, group);
    const sign = this.#drawMark(room, group);
    if (room.exits.some((exit) => exit.name === "u")) {
      shape("path", { d: "M 4 -5 L 7.5 -10 L 11 -5 Z", class: "level" }, group);
    }
    if (room.exits.some((exit) => exit.name === "d")) {
      shape("path", { d: "M 4 5 L 7.5 10 L 11 5 Z", class: "level" }, group);
    }
    if (here) {
      shape("circle", { r: HALF + 6, class: "ring" }, group);
      if (!sign) shape("circle", { r: 5, class: "you" }, group);
    }
  }

  /** The sign for what is special about a room; tells whether there is one. */
  #drawMark(room, group) {
    if (room.details.includes("stairs")) {
      shape("path", { d: "M -6 -5 H -2 V -1 H 2 V 3 H 6 V 6", class: "mark" }, group);
    } else if (room.details.includes("puzzle")) {
      shape("path", { d: "M 0 -6 L 6 0 L 0 6 L -6 0 Z", class: "mark" }, group);
    } else if (room.details.includes("web")) {
      shape("path", { d: "M -6 0 H 6 M 0 -6 V 6 M -4 -4 L 4 4 M -4 4 L 4 -4", class: "mark" }, group);
    } else if (!room.clear) {
      shape("path", { d: "M -5 -5 L 5 5 M -5 5 L 5 -5", class: "mark" }, group);
    } else if (typeof room.details[0] === "string") {
      // Any other word that the server says of a room is drawn as its first letter.
      shape("text", { y: 4, class: "letter" }, group).textContent = room.details[0].slice(0, 1).toUpperCase();
    } else return false;
    return true;
  }

  /** Lets the picture show what it is to show. */
  #frame() {
    const { here } = this.#atlas;
    if (!here) return;
    const size = SIZES[this.#size];
    const x = here.x * STEP + this.#shift.x - size / 2;
    const y = -here.y * STEP + this.#shift.y - size / 2;
    this.#svg.setAttribute("viewBox", `${x} ${y} ${size} ${size}`);
  }

  #zoom(step) {
    this.#size = Math.min(Math.max(this.#size + step, 0), SIZES.length - 1);
    this.#frame();
  }

  #listenToDragging() {
    const holder = this.#holder;
    let last = null;
    holder.addEventListener("pointerdown", (event) => {
      last = { x: event.clientX, y: event.clientY };
      holder.setPointerCapture(event.pointerId);
    });
    holder.addEventListener("pointermove", (event) => {
      if (!last) return;
      const scale = SIZES[this.#size] / Math.max(holder.clientWidth, holder.clientHeight, 1);
      this.#shift.x -= (event.clientX - last.x) * scale;
      this.#shift.y -= (event.clientY - last.y) * scale;
      last = { x: event.clientX, y: event.clientY };
      this.#frame();
    });
    for (const end of ["pointerup", "pointercancel"]) holder.addEventListener(end, () => (last = null));
  }
}
