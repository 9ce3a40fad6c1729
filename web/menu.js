// One menu for the whole page: a popover with the further commands of an item or of the action bar. Commands that lose
// something ask once.

import { element, redraw } from "./draw.js";

const MARGIN = 8;

/** Returns a button that opens the menu with these entries. */
export function menuButton(name, entries, { label = "\u22ef", className = "button small" } = {}) {
  const made = element("button", `${className} opens`, label);
  made.type = "button";
  made.setAttribute("aria-label", name);
  made.setAttribute("aria-haspopup", "dialog");
  made.dataset.key = `menu ${name}`;
  made.dataset.menu = JSON.stringify(entries);
  return made;
}

export class Menu {
  #holder;
  #send;
  #opener = null;
  /** Button whose menu was open when the current press began. */
  #closing = null;

  /**
   * @param {HTMLElement} holder element with the `popover` attribute
   * @param {(command: string) => void} send
   */
  constructor(holder, send) {
    this.#holder = holder;
    this.#send = send;
    document.addEventListener("click", ({ target }) => {
      const opener = target.closest?.("[data-menu]");
      if (opener) this.#open(opener);
    });
    holder.addEventListener("click", ({ target }) => this.#press(target.closest("button")));
    document.addEventListener("pointerdown", () => {
      this.#closing = holder.matches(":popover-open") ? this.#opener : null;
    }, true);
  }

  /** Shows the menu of a button: its entries are pairs of a label and a command, or of a label and further entries. */
  #open(opener) {
    // The browser closes the menu at a press outside it: on the same button, that press only closes.
    const closing = this.#closing;
    this.#closing = null;
    if (opener === closing) return;
    const entries = JSON.parse(opener.dataset.menu);
    this.#opener = opener;
    this.#fill(opener.getAttribute("aria-label"), entries);
    this.#holder.showPopover();
    this.#place();
    this.#holder.querySelector("button")?.focus();
  }

  #fill(title, entries) {
    this.#holder.setAttribute("aria-label", title);
    redraw(this.#holder, element("p", "note", title), ...entries.map(([label, does]) => {
      const made = element("button", "button", label);
      made.type = "button";
      if (typeof does === "string") made.dataset.command = does;
      else made.dataset.further = JSON.stringify(does);
      made.dataset.key = label;
      return made;
    }));
  }

  #place() {
    const [at, own] = [this.#opener, this.#holder].map((one) => one.getBoundingClientRect());
    const fit = (wanted, size, whole) => Math.max(MARGIN, Math.min(wanted, whole - size - MARGIN));
    const below = at.bottom + own.height + MARGIN < window.innerHeight;
    this.#holder.style.left = `${fit(at.right - own.width, own.width, window.innerWidth)}px`;
    this.#holder.style.top = `${fit(below ? at.bottom : at.top - own.height, own.height, window.innerHeight)}px`;
  }

  #press(pressed) {
    if (!pressed) return;
    const { command, further } = pressed.dataset;
    if (further) {
      const { title, entries } = JSON.parse(further);
      this.#fill(title, entries);
      this.#place();
      this.#holder.querySelector("button")?.focus();
      return;
    }
    this.#holder.hidePopover();
    this.#opener?.focus({ preventScroll: true });
    if (command) this.#send(command);
  }
}

/** Returns all commands of a menu. */
export function commandsOf(entries) {
  return entries.flatMap(([, does]) => (typeof does === "string" ? [does] : commandsOf(does.entries))).filter(Boolean);
}

/** Returns an entry that asks once before it sends a command. */
export function asking(label, name, command) {
  return [label, { title: `${label} ${name}?`, entries: [[label, command], ["Cancel", ""]] }];
}
