// The signs of the map: each a shape before it is a colour, with the words that the legend has for it. Shapes are drawn
// around the middle of a room, or of what stands for one in the legend.

const SVG = "http://www.w3.org/2000/svg";

/** Half the width of a room, in units of the picture. */
export const HALF = 12;

/** Makes a shape of the picture. */
export function shape(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

const path = (d, className) => (parent) => shape("path", { d, class: className }, parent);

/** What a room may hold, the most important first: the word among its details, what the legend says, and the shape. */
const HELD = [
  ["stairs", "stairs down", path("M -6 -5 H -2 V -1 H 2 V 3 H 6 V 6", "mark")],
  ["portal", "a portal", path("M 0 -6 A 6 6 0 1 1 0 6 A 6 6 0 1 1 0 -6 M 0 -2 A 2 2 0 1 1 0 2 A 2 2 0 1 1 0 -2", "mark")],
  ["puzzle", "a puzzle", path("M 0 -6 L 6 0 L 0 6 L -6 0 Z", "mark")],
  ["web", "webs", path("M -6 0 H 6 M 0 -6 V 6 M -4 -4 L 4 4 M -4 4 L 4 -4", "mark")],
  ["unclear", "not clear", path("M -5 -5 L 5 5 M -5 5 L 5 -5", "mark")],
  ["grave", "a grave", path("M 0 -7 V 7 M -4 -3 H 4", "mark")],
  ["coffer", "a coffer", path("M -6 -4 H 6 V 5 H -6 Z M -6 0 H 6 M 0 0 V 2", "mark")],
];

/** Signs of the picture besides: of oneself, and of ways. */
export const YOU = ["you", (parent) => shape("circle", { r: 5, class: "you" }, parent)];
export const UNKNOWN = ["not taken yet", (parent) => {
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

/** Signs for contents of puzzle rooms, the most important first: kind, words of the legend, and shape. */
const CONTENTS = [
  ["enemy", "an enemy and its power", ({ power }) => letters(String(power ?? "?"))],
  ["finish", "the finish", () => path("M -4 7 V -7 L 6 -3.5 L -4 0", "mark")],
  ["portal", "a portal", () => HELD.find(([word]) => word === "portal")[2]],
  ["glyph", "a glyph", () => path("M 0 -6 V 6 M -5 -3 L 5 3 M -5 3 L 5 -3", "mark")],
];

/** Draws a short text. A long one is pressed together, so that it stays in its room. */
function letters(text) {
  return (parent) => {
    const fitted = text.length > 2 ? { textLength: 2 * HALF - 4, lengthAdjust: "spacingAndGlyphs" } : {};
    shape("text", { y: 4, class: "letter", ...fitted }, parent).textContent = text;
  };
}

/** The sign for what a room of a puzzle holds; null if it holds nothing. */
function contentSign(contents) {
  for (const [kind, words, draw] of CONTENTS) {
    const one = contents.find((thing) => thing.kind === kind);
    if (one) return [words, draw(one)];
  }
  const thing = contents[0]?.name.replace(/^(an?|the|some) /i, "");
  return thing ? [thing, letters(thing.slice(0, 1).toUpperCase())] : null;
}

/** Names the contents of a puzzle room; empty outside puzzles. */
export function contentWords(room) {
  return (room.contents ?? []).map(({ name }) => name).join(", ");
}

/** The sign for what a room holds: what the legend says of it, and how it is drawn; null for a plain room. */
export function signOf(room) {
  if (room.contents) return contentSign(room.contents);
  const details = room.clear ? room.details : [...room.details, "unclear"];
  const found = HELD.find(([word]) => details.includes(word));
  if (found) return found.slice(1);
  const word = room.details.find((detail) => typeof detail === "string" && detail !== "");
  if (!word) return null;
  // Any other word that the server says of a room is drawn as its first letter.
  return [word, letters(word.slice(0, 1).toUpperCase())];
}
