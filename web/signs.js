// Signs of the map, each told apart by shape as well as colour, with their texts in the legend. Shapes are drawn around
// the centre of a room, or of the legend's placeholder for one.

const SVG = "http://www.w3.org/2000/svg";

/** Half the width of a room, in SVG units. */
export const HALF = 12;

export function shape(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

const path = (d, className) => (parent) => shape("path", { d, class: className }, parent);

/** Room features, the most important first: keyword of the room's details, text of the legend, and shape. */
const HELD = [
  ["stairs", "stairs down", path("M -6 -5 H -2 V -1 H 2 V 3 H 6 V 6", "mark")],
  ["portal", "a portal", path("M 0 -6 A 6 6 0 1 1 0 6 A 6 6 0 1 1 0 -6 M 0 -2 A 2 2 0 1 1 0 2 A 2 2 0 1 1 0 -2", "mark")],
  ["puzzle", "a puzzle", path("M 0 -6 L 6 0 L 0 6 L -6 0 Z", "mark")],
  ["web", "webs", path("M -6 0 H 6 M 0 -6 V 6 M -4 -4 L 4 4 M -4 4 L 4 -4", "mark")],
  ["unclear", "not clear", path("M -5 -5 L 5 5 M -5 5 L 5 -5", "mark")],
  ["grave", "a grave", path("M 0 -7 V 7 M -4 -3 H 4", "mark")],
  ["coffer", "a coffer", path("M -6 -4 H 6 V 5 H -6 Z M -6 0 H 6 M 0 0 V 2", "mark")],
];

export const YOU = ["you", (parent) => shape("circle", { r: 5, class: "you" }, parent)];
export const UNKNOWN = ["not seen by you yet", (parent) => {
  shape("line", { x1: -8, y1: 0, x2: 1, y2: 0, class: "link unknown" }, parent);
  shape("circle", { cx: 5, cy: 0, r: 3.5, class: "question" }, parent);
}];
export const BLOCKED = ["blocked", (parent) => {
  shape("line", { x1: -9, y1: 0, x2: 9, y2: 0, class: "link" }, parent);
  path("M -1.5 -6 V 6 M 1.5 -6 V 6", "shut")(parent);
}];
export const ONE_WAY = ["one way only", path("M -5 -5 L 5 0 L -5 5 Z", "arrow")];
export const UP = ["a way up", path("M 0 7 V -1 M -5 -1 H 5 L 0 -8 Z", "level")];
export const DOWN = ["a way down", path("M 0 -7 V 1 M -5 1 H 5 L 0 8 Z", "level")];

/** Signs for contents of puzzle rooms, the most important first: kind, text of the legend, and shape. */
const CONTENTS = [
  ["enemy", "an enemy and its power", ({ power }) => letters(String(power ?? "?"))],
  ["finish", "the finish", () => path("M -4 7 V -7 L 6 -3.5 L -4 0", "mark")],
  ["portal", "a portal", () => HELD.find(([word]) => word === "portal")[2]],
  ["glyph", "a glyph", () => path("M 0 -6 V 6 M -5 -3 L 5 3 M -5 3 L 5 -3", "mark")],
];

/** Draws a short text, compressed to the width of the room if it is long. */
function letters(text) {
  return (parent) => {
    const fitted = text.length > 2 ? { textLength: 2 * HALF - 4, lengthAdjust: "spacingAndGlyphs" } : {};
    shape("text", { y: 4, class: "letter", ...fitted }, parent).textContent = text;
  };
}

/** Returns the sign for the contents of a puzzle room; null if it is empty. */
function contentSign(contents) {
  for (const [kind, words, draw] of CONTENTS) {
    const one = contents.find((thing) => thing.kind === kind);
    if (one) return [words, draw(one)];
  }
  const thing = contents[0]?.name.replace(/^(an?|the|some) /i, "");
  return thing ? [thing, letters(thing.slice(0, 1).toUpperCase())] : null;
}

/** Returns the contents of a puzzle room in words; empty outside puzzles. */
export function contentWords(room) {
  return (room.contents ?? []).map(({ name }) => name).join(", ");
}

/** Returns the sign of a room: text of the legend and drawing function; null for a plain room. */
export function signOf(room) {
  if (room.contents) return contentSign(room.contents);
  const details = room.clear ? room.details : [...room.details, "unclear"];
  const found = HELD.find(([word]) => details.includes(word));
  if (found) return found.slice(1);
  const word = room.details.find((detail) => typeof detail === "string" && detail !== "");
  if (!word) return null;
  // Any other keyword of the room's details is drawn as its first letter.
  return [word, letters(word.slice(0, 1).toUpperCase())];
}
