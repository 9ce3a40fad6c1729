// Search in what can be done now and in the whole scrollback: a dialog with the commands and the lines that contain the words.
// A command is sent; a line leads to its place.

import { element, redraw } from "./draw.js";

const COMMANDS_MAX = 8;
const FOUND_MAX = 50;

export class Search {
  #parts;
  #host;
  /** What the rows do, in their order. */
  #found = [];

  /**
   * @param {{dialog: HTMLDialogElement, field: HTMLInputElement, count: HTMLElement, list: HTMLElement}} parts
   * @param {{send(command: string): void, commands(): string[], log: {find(words: string): HTMLElement[], reveal(line: HTMLElement):
   *   void}}} host `commands` returns the commands that the page offers, `find` returns newest lines first
   */
  constructor(parts, host) {
    this.#parts = parts;
    this.#host = host;
    parts.field.addEventListener("input", () => this.#find());
    parts.list.addEventListener("click", ({ target }) => this.#go(target.closest("button")?.dataset.key));
    parts.dialog.addEventListener("submit", (event) => {
      if (event.submitter && document.activeElement !== parts.field) return;
      event.preventDefault();
      this.#go(0);
    });
  }

  open() {
    if (!this.#parts.dialog.open) this.#parts.dialog.showModal();
    this.#parts.field.select();
    this.#find();
  }

  #find() {
    const { field, count, list } = this.#parts;
    const words = field.value.trim();
    const lines = words === "" ? [] : this.#host.log.find(words);
    const commands = this.#commands(words.toLowerCase());
    const most = Math.min(lines.length, FOUND_MAX);
    const doable = commands.length > 0 ? `Commands: ${commands.length}. ` : "";
    count.textContent = words === "" ? "" : `${doable}Lines found: ${lines.length}. The last ${most}, newest first:`;
    const { send, log } = this.#host;
    this.#found = [...commands.map((command) => () => send(command)), ...lines.map((line) => () => log.reveal(line))];
    redraw(list, ...[...commands.map((command) => [command, "button small strong"]),
      ...lines.slice(0, most).map((line) => [line.textContent, "button small"])].map(([text, className], at) => {
      const row = element("li");
      const made = element("button", className, text);
      made.type = "button";
      row.dataset.key = made.dataset.key = String(at);
      row.append(made);
      return row;
    }));
  }

  /** Returns the commands with these words that the page offers; those that begin with them come first. */
  #commands(words) {
    if (words === "") return [];
    const known = [...new Set(this.#host.commands())].filter((command) => command.toLowerCase().includes(words));
    const begins = (command) => command.toLowerCase().startsWith(words);
    return [...known.filter(begins), ...known.filter((command) => !begins(command))].slice(0, COMMANDS_MAX);
  }

  #go(at) {
    const go = this.#found[at];
    if (!go) return;
    this.#parts.dialog.close();
    go();
  }
}
