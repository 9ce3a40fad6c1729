// Text with colour sequences to pieces with a look, and pieces to elements. Colours and links are understood; every
// other sequence is left out. Text always becomes text, never markup.

import { colourClass, fromCube } from "./palette.js";

/** A colour or style sequence, a link (OSC 8), any other sequence, or a stray control character. */
const SEQUENCE =
  /\x1b\[([0-9;:]*)m|\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** How text looks that nothing has been said about. */
const PLAIN = Object.freeze({ colour: null, bold: false, faint: false, italic: false, underline: false });

/**
 * Reads one line.
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

/** The words of a line alone. */
export function plain(line) {
  return line.replace(SEQUENCE, "");
}

/** The look after the parameters of one SGR sequence. */
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

/** A colour out of 256 or out of all, and how many parameters it took. */
function extended(codes) {
  if (codes[0] === 5) return { colour: fromCube(codes[1] ?? 0), taken: 2 };
  if (codes[0] === 2) return { colour: codes.slice(1, 4).map((part) => Math.min(part || 0, 255)), taken: 4 };
  return { colour: null, taken: codes.length };
}

/** What a link is for: a command to send, or a page elsewhere. Anything else is no link. */
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
 * Elements for one line.
 *
 * A word that can be clicked to send it is no button: there would be hundreds of stops for the tab key, and a screen
 * reader would speak of buttons amid the sentence. Typing the word does the same.
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
