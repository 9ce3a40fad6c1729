// Command line: input, history, completion, walking by keys, and hidden passwords. Hidden input, and input before
// login, does not enter the history.

import { COMMANDS, candidates, continuations, macroKey, meaning, wordBefore } from "./keys.js";

const HISTORY_MAX = 200;

const PASTED_MAX = 20;

export class Input {
  #form;
  #field;
  #label;
  #prompt;
  #host;
  #history = [];
  /** Index of the history line shown; the history's length if none is. */
  #at = 0;
  #draft = "";
  /** Further completions, each with the position that it begins at; `null` when not completing. */
  #completion = null;
  #hidden = false;
  #playing = false;
  #parked = "";

  arrows = false;
  digits = true;
  /** Names of the keys that have a macro. */
  macros = [];

  /**
   * @param {{form: HTMLFormElement, field: HTMLInputElement, label: HTMLElement, prompt: HTMLElement}} parts
   * @param {{submit(line: string, hidden: boolean): boolean, walk(command: string): void, words(): string[], commands(): string[], press(number: string):
   *   boolean, log:
   *   {page(direction: number): void, toEnd(): void, toStart(): void}}} host `submit` returns whether the line was
   *   accepted; `words` returns texts to complete from, newest first, `commands` whole commands;
   *   `press` returns whether something was offered under the number
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

  focus() {
    this.#field.focus({ preventScroll: true });
  }

  /** Shows the prompt. A question before login also becomes the field's label, so that a screen reader announces it. */
  set prompt(text) {
    this.#prompt.textContent = text.trim();
    this.#markTold();
    const question = text.trim().replace(/[>:]$/, "");
    this.#label.textContent = question === "" || (this.playing && !this.#hidden) ? "Command" : question;
  }

  /** True while the player is in the game: only then do keys walk, and lines enter the history. */
  get playing() {
    return this.#playing;
  }

  set playing(playing) {
    this.#playing = playing;
    this.#markTold();
  }

  /** True if the prompt repeats the vitals and asks nothing. */
  get #isTold() {
    return this.playing && !this.#hidden && /\bHP:.*>$/.test(this.prompt);
  }

  /** Hides a prompt that repeats the vitals; questions stay visible. */
  #markTold() {
    this.#prompt.classList.toggle("told", this.#isTold);
  }

  get prompt() {
    return this.#prompt.textContent;
  }

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

  /** Sets aside input typed while disconnected: it was meant for the game and must not be sent as a login name. */
  park() {
    if (!this.#hidden && this.#field.value !== "") this.#parked = this.#field.value;
    this.#field.value = "";
  }

  /** Restores that input, for the player to send or edit. */
  unpark() {
    if (this.#field.value === "") this.#field.value = this.#parked;
    this.#parked = "";
  }

  /** Puts a suggested answer into an empty line, selected, for the player to send or edit. */
  suggest(text) {
    if (this.#field.value !== "" || this.#hidden) return;
    this.#field.value = text;
    this.#field.select();
  }

  /** Begins the line with these words, before what it has already, for the player to write on. */
  begin(words) {
    if (this.#hidden) return;
    if (!this.#field.value.startsWith(words)) this.#field.value = words + this.#field.value;
    this.#completion = null;
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

  /** Sends each complete line of a pasted text as a separate command; an incomplete last line stays in the field. */
  #paste(event) {
    const pasted = event.clipboardData?.getData("text") ?? "";
    if (this.#hidden || !this.playing || !/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = this.#field;
    this.#field.setRangeText(pasted, selectionStart, selectionEnd, "end");
    // The field drops line ends, so the whole text is assembled separately.
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
      digits: this.digits && this.#isTold,
      browsing: this.#at < this.#history.length,
      macros: this.macros,
    });
    if (!does) return;
    if (does.act === "complete" && !this.#complete()) return;
    if (does.act === "press" && !this.#host.press(does.number)) return;
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

  /** Completes the line or the word, or cycles to the next candidate. After the last one the key moves the focus as usual. */
  #complete() {
    if (this.#hidden || !this.playing) return false;
    const { value, selectionStart } = this.#field;
    if (!this.#completion) {
      const { start, word } = wordBefore(value, selectionStart);
      const commands = this.#host.commands();
      const words = candidates(word, [...[...this.#history].reverse(), ...this.#host.words(), ...commands]);
      if (start === 0) words.push(...candidates(word, [COMMANDS]).filter((one) => !words.includes(one)));
      const whole = selectionStart === value.length ? continuations(value, commands) : [];
      this.#completion = [...whole.map((line) => [0, line]), ...words.map((found) => [start, found])];
    }
    const next = this.#completion.shift();
    if (!next) {
      this.#completion = null;
      return false;
    }
    this.#field.setRangeText(next[1], next[0], selectionStart, "end");
    return true;
  }

  /** Redirects typing anywhere on the page to the command line, and makes the keypad and the keys with macros work from anywhere. */
  #redirect(event) {
    const at = document.activeElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (at === this.#field || at?.closest("dialog, [popover], select, input, textarea")) return;
    const isKeypad = event.code.startsWith("Numpad") && event.key !== "Enter";
    if (isKeypad || /^[1-9]$/.test(event.key) || this.macros.includes(macroKey(event))) {
      this.focus();
      this.#key(event);
    } else if (event.key.length === 1 && event.key !== " ") {
      this.focus();
    }
  }
}
