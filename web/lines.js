// Splits the text stream into lines and separates prompts, whose ends the server marks.

import { plain } from "./ansi.js";

/** Length at which an incomplete line is shown. */
const LONGEST = 65_536;

/**
 * Returns the lines that are missing from the known ones, counting repetitions.
 * @param {string[]} lines as received, with colour sequences
 * @param {string[]} known without colour sequences
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

export class Lines {
  #rest = "";
  /** Set if the next text follows a prompt: the server first ends the prompt's line, which is not a line here. */
  #prompted = false;

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

  /** Returns the prompt: the text since the end of the last line. */
  prompt() {
    const prompt = this.#rest;
    this.#rest = "";
    this.#prompted = true;
    return prompt;
  }
}
