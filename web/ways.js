// Buttons for the exits of the room, for touch screens and mouse users: the six directions have fixed places, other
// exits follow.

import { afterPress } from "./draw.js";
import { DIRECTIONS, stateOf, wordOf } from "./directions.js";

/** Directions that are always shown, in this order. */
const FIXED = ["n", "w", "e", "s", "u", "d"];

/** Signs for the state of an exit; the button's name says it in words. */
const SIGNS = { unexplored: "?", one_way: "\u2192", locked: "\u00d7" };

export class Ways {
  #holder;
  #walk;
  #buttons = new Map();

  constructor(holder, walk) {
    this.#holder = holder;
    this.#walk = walk;
    for (const name of FIXED) this.#add(name);
    this.show([]);
  }

  /** Shows the exits of a room as known to the atlas; `to` is the name of the room behind an exit, if known. */
  show(exits) {
    afterPress(this, () => this.#draw(exits));
  }

  #draw(exits) {
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
    // Not `disabled`: the button in use would lose the focus where the exit ends.
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
    // The style sheet shows the sign after the letter; it is not part of the name, which says it in words.
    const state = exit?.blocked ? "locked" : exit?.unseen ? "unexplored" : exit?.state;
    button.dataset.sign = exit ? (SIGNS[state] ?? (exit.back ? "\u21a9" : "")) : "";
  }
}
