// Scrollback of the game: display, limits, scrolling, announcements for screen readers, and storage across a reload of
// the tab.

import { fragment, plain } from "./ansi.js";
import { afterPress } from "./draw.js";
import { passing } from "./store.js";

const LINES_MAX = 5000;

const KEPT = 500;

/** Lines arrive in bursts; minimum milliseconds between two updates of the page. */
const BATCH = 16;

/** Maximum distance from the end, in pixels, that counts as being at the end. */
const NEAR = 24;

export class Log {
  #element;
  #newer;
  #announcer;
  /** Raw lines on the page with their kind, oldest first. */
  #lines = [];
  #waiting = [];
  #timer = 0;
  #unseen = 0;
  /** Set while the view follows the end; cleared when the player scrolls back. */
  #follows = true;
  #top = 0;
  #mode = "all";
  #dirty = false;

  /**
   * @param {HTMLElement} element the log
   * @param {HTMLButtonElement} newer button that scrolls to the end
   * @param {HTMLElement} announcer live region for announcements that are not in the log
   * @param {(command: string) => void} send gets the command of a clicked link
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
    // Keep the end in view when a phone's keyboard opens, the window is rotated, or a panel opens.
    new ResizeObserver(() => this.#follows && this.toEnd()).observe(element);
    const remember = () => this.#remember();
    window.addEventListener("pagehide", remember);
    document.addEventListener("visibilitychange", remember);
    this.#restore();
  }

  /**
   * Sets which lines screen readers announce.
   * @param {"all" | "answers" | "nothing"} mode
   */
  set announce(mode) {
    this.#mode = mode;
    this.#element.setAttribute("aria-live", mode === "all" ? "polite" : "off");
    if (mode !== "answers") this.#announcer.replaceChildren();
  }

  /**
   * Adds lines.
   * @param {string[]} lines as received, with colour sequences
   * @param {"" | "echo" | "note"} kind player input, messages of the client, or text of the game
   * @param {boolean} answer whether they are a response to the player, for players who hear only responses
   */
  add(lines, kind = "", answer = false) {
    for (const text of lines) this.#waiting.push({ text, kind });
    if (answer) this.speak(lines.map(plain).join("\n"));
    if (this.#timer === 0) this.#timer = window.setTimeout(() => afterPress(this, () => this.#show()), BATCH);
  }

  /** Announces a text, unless all text is announced anyway. */
  speak(text) {
    if (this.#mode === "answers") this.say(text);
  }

  /** Announces a text that is not in the log. */
  say(text) {
    if (this.#mode === "nothing" || text.trim() === "") return;
    // Old announcements are removed; a few stay for slow screen readers.
    while (this.#announcer.childElementCount > 20) this.#announcer.firstElementChild.remove();
    const line = document.createElement("p");
    line.textContent = text;
    this.#announcer.append(line);
  }

  /** Removes announcements, so that an answered question is not read again. */
  hush() {
    this.#announcer.replaceChildren();
  }

  recent(count) {
    return [...this.#lines, ...this.#waiting].slice(-count).reverse().map(({ text }) => plain(text));
  }

  find(words) {
    const wanted = words.toLowerCase();
    return [...this.#element.children].filter((line) => line.textContent.toLowerCase().includes(wanted)).reverse();
  }

  reveal(line) {
    this.#element.querySelector(".found")?.classList.remove("found");
    line.classList.add("found");
    line.scrollIntoView({ block: "center" });
    this.#element.focus({ preventScroll: true });
  }

  page(direction) {
    this.#element.scrollBy({ top: direction * this.#element.clientHeight * 0.85 });
  }

  toStart() {
    this.#element.scrollTop = 0;
  }

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
      // An empty line needs a height.
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

  /** Scrolling back stops following the end; a smaller window does not. */
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
    // Long lines may exceed the browser's storage limit: then fewer are stored.
    for (let count = KEPT; count >= 50; count = Math.floor(count / 2)) {
      if (passing.set("log", this.#lines.slice(-count))) return;
    }
  }

  #restore() {
    const lines = passing.get("log", []);
    if (!Array.isArray(lines) || lines.length === 0) return;
    this.#waiting = lines.filter((line) => typeof line?.text === "string");
    // Old lines are not announced again.
    this.#element.setAttribute("aria-live", "off");
    this.#show();
    this.toEnd();
  }
}
