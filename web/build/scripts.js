// Luau scripts on the builder page: the list of a zone, and an editor with line numbers. A script is saved by the line
// that would be typed in the game. Errors are shown with their line, and a link that leads there.

import { passing } from "../store.js";
import { make } from "./form.js";

const find = (id) => document.getElementById(id);

/** Returns the text of a script as part of one typed line. */
export function escaped(text) {
  const lines = text.replaceAll("\t", "    ").split(/\r\n|\r|\n/).map((line) => line.trimEnd().replaceAll("\\", "\\\\"));
  return lines.join("\\n");
}

/** Returns the errors in a refusal by line of the script; errors without a line are at line 0. */
export function errorsOf(words, path) {
  return words.split("\n").filter(Boolean).map((text) => {
    const at = text.indexOf(`${path}:`);
    const line = at < 0 ? 0 : Number.parseInt(text.slice(at + path.length + 1), 10) || 0;
    return { line, text };
  });
}

/** The scripts of the page. */
export class Scripts {
  #ask;
  #tell;
  #zone = "";
  /** The open script as the server has it, or null. */
  #open = null;

  /**
   * @param {(request: object) => Promise<any>} ask sends a request; its result is undefined if it failed
   * @param {{line(line: string): Promise<{words: string, refused: boolean} | undefined>, state(words: string): void,
   *   alarm(words: string): void}} tell callbacks of the page
   */
  constructor(ask, tell) {
    this.#ask = ask;
    this.#tell = tell;
    const text = find("script-text");
    text.addEventListener("input", () => this.#written());
    text.addEventListener("scroll", () => this.#scroll());
    for (const event of ["keyup", "click", "focus", "input"]) text.addEventListener(event, () => this.#place());
    find("script-save").addEventListener("click", () => this.#save());
    find("script-drop").addEventListener("click", () => this.#drop());
    find("script-log").addEventListener("click", () => this.#show(`script log ${this.#open.key}`));
    find("script-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#make();
    });
    find("script-try").addEventListener("submit", (event) => {
      event.preventDefault();
      const [name, words] = [find("script-function").value.trim(), find("script-words").value.trim()];
      if (name) this.#show(`script test ${this.#open.key} ${name} ${words}`.trim());
    });
  }

  /** Shows the list for a zone, and continues with a script that was open before the page was loaded again. */
  async show(zone) {
    this.#zone = zone;
    const told = await this.#ask({ scripts: { zone } });
    if (!told || zone !== this.#zone) return;
    find("script-form").hidden = !told.may;
    const called = told.list.filter((one) => one.called);
    const others = told.list.filter((one) => !one.called);
    find("scripts-called").replaceChildren(...called.map((one) => this.#row(one)));
    find("scripts-others").replaceChildren(...others.map((one) => this.#row(one)));
    find("scripts-none").hidden = called.length > 0;
    const kept = passing.get("script", null);
    if (kept && !this.#open) await this.open(kept.key, kept.text);
  }

  /** Forgets the open script and what was written. */
  close() {
    this.#open = null;
    passing.set("script", null);
    find("script").hidden = true;
  }

  /** Opens a script, with a text that was not saved if there is one. */
  async open(key, written = null) {
    if (this.#isWritten()) {
      this.#tell.alarm(`The script ${this.#open.key} has changes that are not saved. Save them or drop them first.`);
      return;
    }
    const told = await this.#ask({ script: { script: key } });
    if (!told) return;
    this.#open = told;
    find("script").hidden = false;
    find("script-title").textContent = `Script ${told.key}`;
    find("script-note").textContent = told.may ? "" : "You may look at it only: it belongs to somebody else or to the server.";
    find("script-text").value = written ?? told.text;
    find("script-text").readOnly = !told.may;
    find("script-bar").hidden = !told.may;
    find("script-told").textContent = "";
    this.#judge([]);
    this.#written();
    this.#place();
    if (written === null) find("script-text").focus();
  }

  #row(one) {
    const button = make("button", { type: "button", class: "link" }, one.key);
    button.addEventListener("click", () => this.open(one.key));
    return make("li", {}, button);
  }

  #isWritten() {
    return this.#open !== null && find("script-text").value !== this.#open.text;
  }

  #written() {
    const { value } = find("script-text");
    const count = value.split("\n").length;
    find("script-numbers").textContent = Array.from({ length: count }, (_, at) => at + 1).join("\n");
    find("script-save").setAttribute("aria-disabled", String(!this.#isWritten()));
    find("script-drop").setAttribute("aria-disabled", String(!this.#isWritten()));
    passing.set("script", this.#isWritten() ? { key: this.#open.key, text: value } : null);
    this.#scroll();
  }

  #scroll() {
    find("script-numbers").scrollTop = find("script-text").scrollTop;
  }

  /** Shows the line and column of the cursor. */
  #place() {
    const { value, selectionStart } = find("script-text");
    const before = value.slice(0, selectionStart).split("\n");
    find("script-place").textContent = `Line ${before.length}, column ${before.at(-1).length + 1}.`;
  }

  /** Moves the cursor to a line. */
  #goTo(line) {
    const text = find("script-text");
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    text.focus();
    text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    text.scrollTop = Math.max(0, line - 4) * Number.parseFloat(getComputedStyle(text).lineHeight);
    this.#place();
  }

  #judge(errors) {
    const text = find("script-text");
    text.setAttribute("aria-invalid", String(errors.length > 0));
    find("script-errors").replaceChildren(...errors.map(({ line, text: words }) => {
      if (line === 0) return make("li", {}, words);
      const button = make("button", { type: "button", class: "link" }, `Line ${line}: ${words}`);
      button.addEventListener("click", () => this.#goTo(line));
      return make("li", {}, button);
    }));
  }

  async #make() {
    const key = find("script-key").value.trim();
    if (!key) return;
    const told = await this.#tell.line(`make script ${key}`);
    if (!told) return;
    if (told.refused) {
      this.#tell.alarm(told.words);
      return;
    }
    find("script-key").value = "";
    this.#tell.state(`There is a script ${key} now.`);
    await this.show(this.#zone);
    await this.open(key);
  }

  async #save() {
    if (!this.#isWritten()) return;
    const { key, path, text } = this.#open;
    this.#tell.state("Saving.");
    const now = await this.#ask({ script: { script: key } });
    if (now?.text !== text) {
      this.#tell.state("Not saved.");
      if (!now) return;
      this.#open = now;
      this.#tell.alarm("Somebody has changed this script since you opened it. Nothing was saved. Save again to replace theirs with yours, or drop yours.");
      return;
    }
    const told = await this.#tell.line(`script write ${key} = ${escaped(find("script-text").value)}`);
    if (!told) {
      this.#tell.state("Not saved.");
      return;
    }
    this.#judge(told.refused ? errorsOf(told.words, path) : []);
    this.#tell.state(told.refused ? "Not saved." : "Saved.");
    if (told.refused) return;
    const saved = await this.#ask({ script: { script: key } });
    if (!saved || this.#open?.key !== key) return;
    this.#open = saved;
    find("script-text").value = saved.text;
    this.#written();
  }

  #drop() {
    if (!this.#isWritten()) return;
    find("script-text").value = this.#open.text;
    this.#judge([]);
    this.#written();
  }

  /** Shows the output of a line. */
  async #show(line) {
    const told = await this.#tell.line(line);
    if (told) find("script-told").textContent = told.words;
  }
}
