// Meaning of keys on the command line, and completion from recently displayed and typed words. Pure functions, testable
// without a page.

const ARROWS = { ArrowUp: "north", ArrowDown: "south", ArrowLeft: "west", ArrowRight: "east" };

/** Keypad keys by physical position, independent of NumLock; 5 waits (rule T17). */
const KEYPAD = {
  Numpad8: "north",
  Numpad2: "south",
  Numpad4: "west",
  Numpad6: "east",
  Numpad7: "northwest",
  Numpad9: "northeast",
  Numpad1: "southwest",
  Numpad3: "southeast",
  Numpad5: "wait",
  Numpad0: "look",
  NumpadSubtract: "up",
  NumpadAdd: "down",
};

/** Returns the name of a key in the game's table of macros; the keypad by position. Empty for other keys, and with another key. */
export function macroKey({ code, altKey, ctrlKey, metaKey, shiftKey }) {
  const [, kind, number] = (altKey || ctrlKey || metaKey || shiftKey ? null : /^(F|Numpad)(\d+)$/.exec(code)) ?? [];
  return kind ? `${kind === "F" ? "f" : "kp"}${number}` : "";
}

/**
 * Returns the meaning of a key pressed on the command line.
 *
 * The keypad and the arrows walk only while the line is empty: a player who is typing `give 5 copper to olad`, or
 * browsing the history, does not want to walk.
 * @param {{key: string, code: string, altKey: boolean, ctrlKey: boolean, metaKey: boolean, shiftKey: boolean}} event
 * @param {{empty: boolean, walks: boolean, arrows: boolean, digits: boolean, browsing: boolean, macros?: string[]}} line whether
 *   it is empty; whether keys may walk at all; whether arrows may; whether digits press what is offered; whether it shows a
 *   line of the history; the keys with a macro
 * @returns {{act: string, command?: string, number?: string} | null} `null` leaves the key to the browser
 */
export function meaning(event, line) {
  const { key, code } = event;
  if (event.ctrlKey || event.metaKey) {
    if (key === "End") return { act: "end" };
    if (key === "Home") return { act: "start" };
    return null;
  }
  const macro = macroKey(event);
  // A key of the keypad types a digit into a line that is begun.
  if (line.walks && line.macros?.includes(macro) && (line.empty || !(code in KEYPAD))) return { act: "walk", command: macro };
  const vertical = { ArrowUp: "older", ArrowDown: "newer" }[key];
  if (code in KEYPAD && !event.altKey) {
    if (line.empty && line.walks) return { act: "walk", command: KEYPAD[code] };
    // With NumLock off these are arrow and paging keys as well.
  }
  if (event.altKey) return vertical ? { act: vertical } : null;
  if (vertical && (!line.empty || line.browsing)) return { act: vertical };
  if (key in ARROWS && line.empty && line.walks && line.arrows) return { act: "walk", command: ARROWS[key] };
  if (vertical) return { act: vertical };
  if (/^[1-9]$/.test(key) && !(code in KEYPAD) && line.empty && line.digits) return { act: "press", number: key };
  if (key === "PageUp") return { act: "back" };
  if (key === "PageDown") return { act: "on" };
  if (key === "Escape") return { act: "clear" };
  if (key === "Tab" && !event.shiftKey && !line.empty) return { act: "complete" };
  return null;
}

/** Minimum number of letters of a word to complete. Candidates have more. */
const SHORTEST = 2;

export const COMMANDS = "withdraw deposit balance trade replay ignore friends finger commands config password quit rest stand "
  + "sleep wake heal light extinguish lock unlock open close answer pull push search sneak rally follow party train abilities "
  + "journal path map consider flee kill sell buy list use eat drink put give drop remove wear wield take get equipment inventory "
  + "score who whisper tell ooc shout say emote help examine look";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'-]*/gu;

/**
 * Returns words that begin with the typed letters, latest first.
 * @param {string} begun the letters typed
 * @param {string[]} texts to search, newest first
 * @param {number} most maximum number of results
 */
export function candidates(begun, texts, most = 12) {
  const start = begun.toLowerCase();
  if (start.length < SHORTEST) return [];
  const found = new Set();
  for (const text of texts) {
    // The last word of a line is the latest.
    for (const [word] of [...text.matchAll(WORD)].reverse()) {
      const lower = word.toLowerCase().replace(/'s$/, "");
      if (lower.startsWith(start) && lower.length > start.length) found.add(lower);
      if (found.size >= most) return [...found];
    }
  }
  return [...found];
}

export function continuations(begun, commands) {
  const start = begun.toLowerCase();
  return [...new Set(commands)].filter((one) => start !== "" && one.length > start.length && one.toLowerCase().startsWith(start));
}

/** Returns the word that ends at the cursor, and its start position. */
export function wordBefore(text, cursor) {
  const start = text.slice(0, cursor).search(/[\p{L}\p{N}'-]*$/u);
  return { start, word: text.slice(start, cursor) };
}
