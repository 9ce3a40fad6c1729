// Cuts the stream of text into lines, and tells the prompt from them: the server says where a prompt ends.

import { plain } from "./ansi.js";

/** A line that has grown to this many letters is shown without its end having come. */
const LONGEST = 65_536;

/**
 * The lines that do not stand among known ones; a line that was said twice must stand there twice.
 * @param {string[]} lines as they came, with their colours
 * @param {string[]} known without colours
 */
export function unseen(lines, known) {
  const counts = new Map();
  for (const text of known) counts.set(text, (counts.get(text) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(plain(line)) ?? 0;
    counts.set(plain(line), count - 1);
    return count <= 0;
  });
}

/** What has come and is not shown yet. */
export class Lines {
  #rest = "";
  /** Whether what comes next follows a prompt: the server first leaves the prompt's line, which is none here. */
  #prompted = false;

  /** Takes text as it comes, and returns the lines that are whole now. */
  push(text) {
    if (text === "") return [];
    const more = this.#prompted && text.startsWith("\n") ? text.slice(1) : text;
    this.#prompted = false;
    const lines = (this.#rest + more).split("\n");
    this.#rest = lines.pop();
    if (this.#rest.length > LONGEST) {
      lines.push(this.#rest);
      this.#rest = "";
    }
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  /** Takes the prompt: what has come since the last line ended. */
  prompt() {
    const prompt = this.#rest;
    this.#rest = "";
    this.#prompted = true;
    return prompt;
  }
}
