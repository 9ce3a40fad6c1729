// Completes a word from those that were seen or typed lately. Pure.

/** A word to complete has at least this many letters, and one to offer more. */
const SHORTEST = 2;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'-]*/gu;

/**
 * Words that begin like the one before the cursor, the latest first.
 * @param {string} begun the letters typed
 * @param {string[]} texts to look in, newest first
 * @param {number} most how many to return
 */
export function candidates(begun, texts, most = 12) {
  const start = begun.toLowerCase();
  if (start.length < SHORTEST) return [];
  const found = new Set();
  for (const text of texts) {
    // The last word of a line is the latest.
    for (const [word] of [...text.matchAll(WORD)].reverse()) {
      const lower = word.toLowerCase().replace(/'s$/, "");
      if (lower.startsWith(start) && lower.length > start.length) found.add(lower);
      if (found.size >= most) return [...found];
    }
  }
  return [...found];
}

/** The word that ends at the cursor, and where it begins. */
export function wordBefore(text, cursor) {
  const start = text.slice(0, cursor).search(/[\p{L}\p{N}'-]*$/u);
  return { start, word: text.slice(start, cursor) };
}
