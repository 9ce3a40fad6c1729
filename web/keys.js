// Meaning of keys on the command line: a table and one pure function, testable without a page.

/** Arrow keys, while the line is empty. */
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

/**
 * Returns the meaning of a key pressed on the command line.
 *
 * The keypad and the arrows walk only while the line is empty: a player who is typing `give 5 copper to olad`, or
 * browsing the history, does not want to walk.
 * @param {{key: string, code: string, altKey: boolean, ctrlKey: boolean, metaKey: boolean, shiftKey: boolean}} event
 * @param {{empty: boolean, walks: boolean, arrows: boolean, browsing: boolean}} line whether it is empty; whether keys
 *   may walk at all; whether arrows may; whether it shows a line of the history
 * @returns {{act: string, command?: string} | null} `null` leaves the key to the browser
 */
export function meaning(event, line) {
  const { key, code } = event;
  if (event.ctrlKey || event.metaKey) {
    if (key === "End") return { act: "end" };
    if (key === "Home") return { act: "start" };
    return null;
  }
  const vertical = { ArrowUp: "older", ArrowDown: "newer" }[key];
  if (code in KEYPAD && !event.altKey) {
    if (line.empty && line.walks) return { act: "walk", command: KEYPAD[code] };
    // With NumLock off these are arrow and paging keys as well.
  }
  if (event.altKey) return vertical ? { act: vertical } : null;
  if (vertical && (!line.empty || line.browsing)) return { act: vertical };
  if (key in ARROWS && line.empty && line.walks && line.arrows) return { act: "walk", command: ARROWS[key] };
  if (vertical) return { act: vertical };
  if (key === "PageUp") return { act: "back" };
  if (key === "PageDown") return { act: "on" };
  if (key === "Escape") return { act: "clear" };
  if (key === "Tab" && !event.shiftKey && !line.empty) return { act: "complete" };
  return null;
}
