// Parses text with colour sequences into styled pieces, and renders pieces as elements. Colours and links are
// supported; all other sequences are dropped. Text is never interpreted as markup.

import { colourClass, fromCube } from "./palette.js";

/** A colour or style sequence, a link (OSC 8), any other sequence, or a stray control character. */
const SEQUENCE =
  /\x1b\[([0-9;:]*)m|\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

const PLAIN = Object.freeze({ colour: null, bold: false, faint: false, italic: false, underline: false });

/**
 * Parses one line.
 * @param {string} line
 * @returns {{text: string, look: typeof PLAIN, link: string}[]} pieces in order; `link` is "" for none
 */
export function pieces(line) {
  const found = [];
  let look = PLAIN;
  let link = "";
  let at = 0;
  const take = (end) => {
    if (end > at) found.push({ text: line.slice(at, end), look, link });
  };
  for (const match of line.matchAll(SEQUENCE)) {
    take(match.index);
    at = match.index + match[0].length;
    if (match[1] !== undefined) look = restyle(look, match[1]);
    else if (match[2] !== undefined) link = match[2];
  }
  take(line.length);
  return found;
}

export function plain(line) {
  return line.replace(SEQUENCE, "");
}

/** Returns the style after applying the parameters of one SGR sequence. */
function restyle(before, parameters) {
  const codes = parameters.split(/[;:]/).map(Number);
  const look = { ...before };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at];
    if (code === 0) Object.assign(look, PLAIN);
    else if (code === 1) look.bold = true;
    else if (code === 2) look.faint = true;
    else if (code === 3) look.italic = true;
    else if (code === 4) look.underline = true;
    else if (code === 22) look.bold = look.faint = false;
    else if (code === 23) look.italic = false;
    else if (code === 24) look.underline = false;
    else if (code >= 30 && code <= 37) look.colour = fromCube(code - 30);
    else if (code >= 90 && code <= 97) look.colour = fromCube(code - 90 + 8);
    else if (code === 39) look.colour = null;
    else if (code === 38 || code === 48) {
      const { colour, taken } = extended(codes.slice(at + 1));
      if (code === 38) look.colour = colour;
      at += taken;
    }
  }
  return look;
}

/** Returns a 256-colour or RGB colour, and the number of parameters it used. */
function extended(codes) {
  if (codes[0] === 5) return { colour: fromCube(codes[1] ?? 0), taken: 2 };
  if (codes[0] === 2) return { colour: codes.slice(1, 4).map((part) => Math.min(part || 0, 255)), taken: 4 };
  return { colour: null, taken: codes.length };
}

/** Returns the target of a link: a command to send, or a web page. Other targets are ignored. */
function linkTarget(link) {
  if (link.startsWith("send:")) {
    try {
      return { send: decodeURIComponent(link.slice("send:".length)) };
    } catch {
      return {};
    }
  }
  return /^https?:\/\//.test(link) ? { page: link } : {};
}

/**
 * Returns the elements of one line.
 *
 * A clickable word is not a button: there would be hundreds of tab stops, and a screen reader would announce buttons in
 * the middle of sentences. Typing the word has the same effect.
 * @param {string} line
 * @returns {DocumentFragment}
 */
export function fragment(line) {
  const all = document.createDocumentFragment();
  for (const { text, look, link } of pieces(line)) {
    const target = linkTarget(link);
    const classes = [];
    if (look.colour) classes.push(colourClass(look.colour));
    for (const name of ["bold", "faint", "italic", "underline"]) if (look[name]) classes.push(name);
    if (target.send) classes.push("word");
    if (classes.length === 0 && !target.page) {
      all.append(text);
      continue;
    }
    const element = document.createElement(target.page ? "a" : "span");
    element.className = classes.join(" ");
    element.textContent = text;
    if (target.send) element.dataset.send = target.send;
    if (target.page) {
      element.href = target.page;
      element.target = "_blank";
      element.rel = "noopener noreferrer";
    }
    all.append(element);
  }
  return all;
}
