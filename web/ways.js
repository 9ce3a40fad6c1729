// Buttons for the ways out of the room, for fingers and for whoever likes to press them: the six directions stay
// where they are, other exits come after them.

import { DIRECTIONS, stateOf, wordOf } from "./directions.js";

/** Always there, in this order. */
const FIXED = ["n", "w", "e", "s", "u", "d"];

/** A sign for what is known of an exit; the words are in the button's name. */
const SIGNS = { unexplored: "?", one_way: "\u2192", locked: "\u00d7" };

/** The buttons on the page. */
export class Ways {
  #holder;
  #walk;
  #buttons = new Map();

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} walk
   */
  constructor(holder, walk) {
    this.#holder = holder;
    this.#walk = walk;
    for (const name of FIXED) this.#add(name);
    this.show([]);
  }

  /** Shows the exits of a room as the atlas knows them; `to` is the name of the room behind one, where it has been seen. */
  show(exits) {
    const names = new Set(exits.map((exit) => exit.name));
    for (const [name, button] of this.#buttons) {
      if (!FIXED.includes(name) && !names.has(name)) {
        button.remove();
        this.#buttons.delete(name);
      }
    }
    for (const name of FIXED) this.#describe(name, null);
    for (const exit of exits) this.#describe(exit.name, exit);
  }

  #add(name) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `way ${DIRECTIONS[name] ? `way-${name}` : "way-other"}`;
    button.textContent = DIRECTIONS[name] ? ({ u: "Up", d: "Down" }[name] ?? name.toUpperCase()) : name;
    // Not `disabled`: a button that is walked with would lose the cursor where the way ends.
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") this.#walk(button.dataset.command);
    });
    this.#holder.append(button);
    this.#buttons.set(name, button);
    return button;
  }

  #describe(name, exit) {
    const button = this.#buttons.get(name) ?? this.#add(name);
    const known = exit ? [exit.to ? `to ${exit.to}` : "", stateOf(exit)] : ["no way"];
    button.dataset.command = exit?.command ?? wordOf(name);
    button.setAttribute("aria-disabled", String(!exit));
    button.setAttribute("aria-label", [wordOf(name), ...known].filter(Boolean).join(", "));
    // The style sheet shows it after the letter; it is no part of the name, which says it in words.
    button.dataset.sign = exit ? (SIGNS[exit.blocked ? "locked" : exit.state] ?? (exit.back ? "\u21a9" : "")) : "";
  }
}
