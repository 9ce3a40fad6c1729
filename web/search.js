// Search in the whole scrollback: a dialog with the lines that contain the words, each of which leads to its place.

import { element, redraw } from "./draw.js";

const FOUND_MAX = 50;

export class Search {
  #parts;
  #log;
  #found = [];

  /**
   * @param {{dialog: HTMLDialogElement, field: HTMLInputElement, count: HTMLElement, list: HTMLElement}} parts
   * @param {{find(words: string): HTMLElement[], reveal(line: HTMLElement): void}} log `find` returns newest lines first
   */
  constructor(parts, log) {
    this.#parts = parts;
    this.#log = log;
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
    this.#found = words === "" ? [] : this.#log.find(words);
    const most = Math.min(this.#found.length, FOUND_MAX);
    count.textContent = words === "" ? "" : `Lines found: ${this.#found.length}. The last ${most}, newest first:`;
    redraw(list, ...this.#found.slice(0, most).map((line, at) => {
      const row = element("li");
      const made = element("button", "button small", line.textContent);
      made.type = "button";
      row.dataset.key = made.dataset.key = String(at);
      row.append(made);
      return row;
    }));
  }

  #go(at) {
    const line = this.#found[at];
    if (!line) return;
    this.#parts.dialog.close();
    this.#log.reveal(line);
  }
}
