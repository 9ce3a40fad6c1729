// The lines of the game: shown, kept at a bounded number, scrolled, spoken by screen readers, and remembered over a
// reload of the tab.

import { fragment, plain } from "./ansi.js";
import { passing } from "./store.js";

/** Lines on the page. */
const LINES_MAX = 2000;

/** Lines that outlive a reload. */
const KEPT = 500;

/** Lines come in bursts; they are shown together, this often at most (milliseconds). */
const BATCH = 16;

/** Nearer to the end than this many pixels counts as being at the end. */
const NEAR = 24;

/** The log of one page. */
export class Log {
  #element;
  #newer;
  #announcer;
  /** Raw lines with their kind: what is on the page, oldest first. */
  #lines = [];
  #waiting = [];
  #timer = 0;
  #unseen = 0;
  /** Whether the end is to stay in sight: until the player goes back. */
  #follows = true;
  /** Where the log stood when that was looked at last. */
  #top = 0;
  #mode = "all";
  #dirty = false;

  /**
   * @param {HTMLElement} element the log
   * @param {HTMLButtonElement} newer leads to the end
   * @param {HTMLElement} announcer a live region for what is spoken apart from the log
   * @param {(command: string) => void} send is given the words of a link that has been clicked
   */
  constructor(element, newer, announcer, send) {
    this.#element = element;
    this.#newer = newer;
    this.#announcer = announcer;
    newer.addEventListener("click", () => {
      this.toEnd();
      element.focus({ preventScroll: true });
    });
    element.addEventListener("scroll", () => this.#look(), { passive: true });
    element.addEventListener("click", (event) => {
      const word = event.target.closest("[data-send]");
      if (word) send(word.dataset.send);
    });
    // The keyboard of a phone comes up, the window is turned, a panel opens: the end stays in sight.
    new ResizeObserver(() => this.#follows && this.toEnd()).observe(element);
    const remember = () => this.#remember();
    window.addEventListener("pagehide", remember);
    document.addEventListener("visibilitychange", remember);
    this.#restore();
  }

  /**
   * What screen readers speak by themselves.
   * @param {"all" | "answers" | "nothing"} mode
   */
  set announce(mode) {
    this.#mode = mode;
    this.#element.setAttribute("aria-live", mode === "all" ? "polite" : "off");
    if (mode !== "answers") this.#announcer.replaceChildren();
  }

  /**
   * Adds lines.
   * @param {string[]} lines as they came, with their colours
   * @param {"" | "echo" | "note"} kind what the player typed, what the page says, or else what the game says
   * @param {boolean} answer whether they answer the player, for those who have only answers spoken
   */
  add(lines, kind = "", answer = false) {
    for (const text of lines) this.#waiting.push({ text, kind });
    if (answer) this.speak(lines.map(plain).join("\n"));
    if (this.#timer === 0) this.#timer = window.setTimeout(() => this.#show(), BATCH);
  }

  /** Has something spoken, by those who do not have everything spoken anyway. */
  speak(text) {
    if (this.#mode === "answers") this.say(text);
  }

  /** Has something spoken that stands nowhere in the log. */
  say(text) {
    if (this.#mode === "nothing" || text.trim() === "") return;
    // What has been spoken need not stay; a few lines are left for what speaks slowly.
    while (this.#announcer.childElementCount > 20) this.#announcer.firstElementChild.remove();
    const line = document.createElement("p");
    line.textContent = text;
    this.#announcer.append(line);
  }

  /** What was spoken apart from the log is over: nobody is to find it as if it were asked still. */
  hush() {
    this.#announcer.replaceChildren();
  }

  /** The words of the last lines, newest first. */
  recent(count) {
    return [...this.#lines, ...this.#waiting].slice(-count).reverse().map(({ text }) => plain(text));
  }

  /** Scrolls by pages: -1 back, 1 on. */
  page(direction) {
    this.#element.scrollBy({ top: direction * this.#element.clientHeight * 0.85 });
  }

  /** Goes to the oldest line. */
  toStart() {
    this.#element.scrollTop = 0;
  }

  /** Goes to the newest line. */
  toEnd() {
    this.#element.scrollTop = this.#element.scrollHeight;
    this.#top = this.#element.scrollTop;
    this.#follows = true;
    this.#seen();
  }

  #show() {
    this.#timer = 0;
    this.#look();
    const batch = document.createDocumentFragment();
    const waiting = this.#waiting.splice(0).slice(-LINES_MAX);
    for (const { text, kind } of waiting) {
      const line = document.createElement("p");
      if (kind) line.className = kind;
      // An empty line has height, too.
      if (text === "") line.append("\u00a0");
      else line.append(fragment(text));
      batch.append(line);
    }
    this.#lines = [...this.#lines, ...waiting].slice(-LINES_MAX);
    this.#element.append(batch);
    while (this.#element.childElementCount > LINES_MAX) this.#element.firstElementChild.remove();
    this.#dirty = true;
    if (this.#follows) this.toEnd();
    else this.#missed(waiting.length);
  }

  #missed(count) {
    this.#unseen += count;
    this.#newer.hidden = false;
    this.#newer.textContent = this.#unseen === 1 ? "1 new line below" : `${this.#unseen} new lines below`;
  }

  #seen() {
    this.#unseen = 0;
    this.#newer.hidden = true;
  }

  #atEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#element;
    return scrollHeight - scrollTop - clientHeight < NEAR;
  }

  /** Whoever goes back has left the end; that a smaller window hides it is nobody's wish. */
  #look() {
    const { scrollTop } = this.#element;
    if (this.#atEnd()) {
      this.#follows = true;
      this.#seen();
    } else if (scrollTop < this.#top) this.#follows = false;
    this.#top = scrollTop;
  }

  #remember() {
    if (!this.#dirty) return;
    this.#dirty = false;
    // Long lines may not fit into what a browser grants: then fewer are kept.
    for (let count = KEPT; count >= 50; count = Math.floor(count / 2)) {
      if (passing.set("log", this.#lines.slice(-count))) return;
    }
  }

  #restore() {
    const lines = passing.get("log", []);
    if (!Array.isArray(lines) || lines.length === 0) return;
    this.#waiting = lines.filter((line) => typeof line?.text === "string");
    // What is old is not spoken again.
    this.#element.setAttribute("aria-live", "off");
    this.#show();
    this.toEnd();
  }
}
