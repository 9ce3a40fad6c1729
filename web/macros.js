// Macros and highlights of the account, from `Char.Macros.List`: a dialog that sends the commands that change them. The server
// carries macros out and marks text; the command line has the keys.

import { plain } from "./ansi.js";
import { element, redraw } from "./draw.js";
import { list } from "./figures.js";

/** Returns the words on the page for a key. */
const labelOf = (key) => (key.startsWith("kp") ? `Keypad ${key.slice(2)}` : key.toUpperCase());

export class Macros {
  #parts;
  #host;
  /** Set from a command of the dialog until its answer, which the dialog shows: the story is covered. */
  #asked = false;

  /**
   * @param {{dialog: HTMLDialogElement, told: HTMLElement, key: HTMLSelectElement, line: HTMLInputElement, macros: HTMLElement,
   *   words: HTMLInputElement, highlights: HTMLElement}} parts
   * @param {{send(command: string): boolean, keys(names: string[]): void}} host `keys` takes the names of keys with a macro
   */
  constructor(parts, host) {
    this.#parts = parts;
    this.#host = host;
    this.#sends(parts.line, () => `macro ${parts.key.value} = ${parts.line.value}`);
    this.#sends(parts.words, () => `highlight ${parts.words.value}`);
    parts.dialog.addEventListener("click", ({ target }) => {
      const command = target.closest("button")?.dataset.removes;
      if (command) this.#send(command);
    });
  }

  open() {
    this.#parts.told.textContent = "";
    this.#parts.dialog.showModal();
  }

  receive(name, body) {
    if (name !== "Char.Macros.List") return;
    const { key, macros, highlights } = this.#parts;
    const known = Object.entries(body?.macros ?? {});
    this.#host.keys(known.map(([name]) => name));
    redraw(key, ...list(body?.keys).map((name) => {
      const option = element("option", "", labelOf(name));
      option.value = option.dataset.key = name;
      return option;
    }));
    redraw(macros, ...known.map(([name, line]) => this.#row(`${labelOf(name)}: ${line}`, labelOf(name), `unmacro ${name}`)));
    redraw(highlights, ...list(body?.highlights).map((words) => this.#row(words, words, `unhighlight ${words}`)));
  }

  clear() {
    this.receive("Char.Macros.List", {});
  }

  /** Shows the answer to a command of the dialog. */
  hear(lines) {
    const text = lines.map(plain).filter((line) => line.trim() !== "").join(" ");
    if (!this.#asked || text === "") return;
    this.#asked = false;
    this.#parts.told.textContent = text;
  }

  /** Lets the form of a field send a command. */
  #sends(field, command) {
    field.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim() === "") return;
      this.#send(command());
      field.value = "";
      field.focus();
    });
  }

  #send(command) {
    this.#asked = this.#host.send(command);
    if (!this.#asked) this.#parts.told.textContent = "Not connected: that was not sent.";
  }

  #row(text, short, command) {
    const row = element("li");
    const remove = element("button", "button small", "Remove");
    remove.type = "button";
    remove.dataset.removes = row.dataset.key = command;
    remove.setAttribute("aria-label", `Remove: ${short}`);
    row.append(element("span", "what", text), remove);
    return row;
  }
}
