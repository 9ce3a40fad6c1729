// The command line: what is typed, what was typed before, completion, walking by keys, and hiding a password. What is
// typed while hidden, or before the player is in the game, enters no history.

import { COMMANDS, candidates, wordBefore } from "./completion.js";
import { meaning } from "./keys.js";

/** Lines that can be called back. */
const HISTORY_MAX = 200;

/** Lines of one pasted text that are sent. */
const PASTED_MAX = 20;

/** The command line of one page. */
export class Input {
  #form;
  #field;
  #label;
  #prompt;
  #host;
  #history = [];
  /** Which line of the history is shown; its length for none. */
  #at = 0;
  /** What was typed before the history was looked at. */
  #draft = "";
  /** The completions on offer and which of them stands in the line; `null` while none was asked for. */
  #completion = null;
  #hidden = false;
  #playing = false;
  /** What was typed while there was no link. */
  #parked = "";

  /** Whether arrow keys walk. */
  arrows = true;

  /**
   * @param {{form: HTMLFormElement, field: HTMLInputElement, label: HTMLElement, prompt: HTMLElement}} parts
   * @param {{submit(line: string, hidden: boolean): boolean, walk(command: string): void, words(): string[],
   *   log: {page(direction: number): void, toEnd(): void, toStart(): void}}} host `submit` tells whether the line was
   *   taken; `words` gives texts to complete from, newest first
   */
  constructor(parts, host) {
    this.#form = parts.form;
    this.#field = parts.field;
    this.#label = parts.label;
    this.#prompt = parts.prompt;
    this.#host = host;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.#field.addEventListener("input", () => {
      this.#completion = null;
      this.#at = this.#history.length;
    });
    this.#field.addEventListener("paste", (event) => this.#paste(event));
    document.addEventListener("keydown", (event) => this.#redirect(event));
  }

  /** Puts the cursor into the line. */
  focus() {
    this.#field.focus({ preventScroll: true });
  }

  /** Shows the prompt. Questions before the game name the line, too, so that a screen reader asks them. */
  set prompt(text) {
    this.#prompt.textContent = text.trim();
    this.#markTold();
    const question = text.trim().replace(/[>:]$/, "");
    this.#label.textContent = question === "" || (this.playing && !this.#hidden) ? "Command" : question;
  }

  /** Whether the player is in the game: then keys walk, and lines are remembered. */
  get playing() {
    return this.#playing;
  }

  set playing(playing) {
    this.#playing = playing;
    this.#markTold();
  }

  /** What the vitals say is not said twice; a question is. */
  #markTold() {
    this.#prompt.classList.toggle("told", this.playing && !this.#hidden && /\bHP:.*>$/.test(this.prompt));
  }

  /** The prompt as it is shown. */
  get prompt() {
    return this.#prompt.textContent;
  }

  /** Whether what is typed is hidden, as a password is. */
  get hidden() {
    return this.#hidden;
  }

  set hidden(hidden) {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    this.#markTold();
    this.#field.value = "";
    this.#field.type = hidden ? "password" : "text";
    this.#field.autocomplete = hidden ? "current-password" : "off";
    this.#completion = null;
  }

  /** Puts aside what was typed without a link: it was meant for the game, and is no answer to who one is. */
  park() {
    if (!this.#hidden && this.#field.value !== "") this.#parked = this.#field.value;
    this.#field.value = "";
  }

  /** Puts it back, for the player to send or change. */
  unpark() {
    if (this.#field.value === "") this.#field.value = this.#parked;
    this.#parked = "";
  }

  /** Puts an answer into an empty line, selected, for the player to send or change. */
  suggest(text) {
    if (this.#field.value !== "" || this.#hidden) return;
    this.#field.value = text;
    this.#field.select();
  }

  /** Puts the beginning of a command into the line. A line that was being typed is the latest of the history then. */
  begin(text) {
    if (this.#hidden) return;
    const typed = this.#field.value;
    if (this.playing && typed.trim() !== "" && this.#history.at(-1) !== typed) {
      this.#history = [...this.#history, typed].slice(-HISTORY_MAX);
    }
    this.#clear();
    this.#field.value = text;
    this.focus();
  }

  #submit() {
    const line = this.#field.value;
    if (!this.#host.submit(line, this.#hidden)) return;
    if (!this.#hidden && this.playing && line.trim() !== "" && this.#history.at(-1) !== line) {
      this.#history = [...this.#history, line].slice(-HISTORY_MAX);
    }
    this.#at = this.#history.length;
    this.#draft = "";
    this.#completion = null;
    this.#field.value = "";
  }

  /** Sends each whole line of a pasted text as a command of its own; a line that does not end stays in the field. */
  #paste(event) {
    const pasted = event.clipboardData?.getData("text") ?? "";
    if (this.#hidden || !this.playing || !/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = this.#field;
    this.#field.setRangeText(pasted, selectionStart, selectionEnd, "end");
    // The field drops the ends of lines, so the whole text is put together apart from it.
    const before = this.#field.value.slice(0, selectionStart);
    const after = this.#field.value.slice(selectionStart + pasted.replace(/[\r\n]/g, "").length);
    const lines = `${before}${pasted}${after}`.split(/\r\n|\r|\n/);
    const rest = lines.splice(PASTED_MAX);
    if (rest.length === 0) rest.push(lines.pop());
    for (const line of lines.filter((one) => one.trim() !== "")) {
      this.#field.value = line;
      this.#submit();
    }
    this.#field.value = rest.join(" ");
  }

  #key(event) {
    if (event.isComposing) return;
    const does = meaning(event, {
      empty: this.#field.value === "",
      walks: this.playing && !this.#hidden,
      arrows: this.arrows,
      browsing: this.#at < this.#history.length,
    });
    if (!does) return;
    if (does.act === "complete" && !this.#complete()) return;
    event.preventDefault();
    if (does.act === "walk") this.#host.walk(does.command);
    else if (does.act === "older") this.#browse(-1);
    else if (does.act === "newer") this.#browse(1);
    else if (does.act === "back") this.#host.log.page(-1);
    else if (does.act === "on") this.#host.log.page(1);
    else if (does.act === "start") this.#host.log.toStart();
    else if (does.act === "end") this.#host.log.toEnd();
    else if (does.act === "clear") this.#clear();
  }

  #clear() {
    this.#field.value = "";
    this.#at = this.#history.length;
    this.#completion = null;
  }

  #browse(step) {
    if (this.#hidden) return;
    const to = Math.min(Math.max(this.#at + step, 0), this.#history.length);
    if (to === this.#at) return;
    if (this.#at === this.#history.length) this.#draft = this.#field.value;
    this.#at = to;
    this.#field.value = this.#history[to] ?? this.#draft;
    this.#field.setSelectionRange(this.#field.value.length, this.#field.value.length);
  }

  /** Completes, or goes on to the next possible word. After the last the key moves on in the page, as ever. */
  #complete() {
    if (this.#hidden || !this.playing) return false;
    const { value, selectionStart } = this.#field;
    if (!this.#completion) {
      const { start, word } = wordBefore(value, selectionStart);
      const words = candidates(word, [...this.#history].reverse().concat(this.#host.words()));
      if (start === 0) words.push(...candidates(word, [COMMANDS]).filter((one) => !words.includes(one)));
      if (words.length === 0) return false;
      this.#completion = { start, words, next: 0 };
    }
    const { start, words, next } = this.#completion;
    if (next >= words.length) {
      this.#completion = null;
      return false;
    }
    this.#field.setRangeText(words[next], start, selectionStart, "end");
    this.#completion.next = next + 1;
    return true;
  }

  /** Typing anywhere on the page is typing on the line, and the keypad walks from anywhere. */
  #redirect(event) {
    const at = document.activeElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (at === this.#field || at?.closest("dialog, select, input, textarea")) return;
    if (event.code.startsWith("Numpad") && event.key !== "Enter") {
      this.focus();
      this.#key(event);
    } else if (event.key.length === 1 && event.key !== " ") {
      this.focus();
    }
  }
}
