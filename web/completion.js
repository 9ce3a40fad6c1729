// Completes a word from recently displayed and typed words. Pure functions.

/** Minimum number of letters of a word to complete. Candidates have more. */
const SHORTEST = 2;

/** Commands that complete the first word of a line, rarest first. */
export const COMMANDS = "withdraw deposit balance trade replay ignore friends finger commands config password quit rest stand "
  + "sleep wake heal light extinguish lock unlock open close answer pull push search sneak rally follow party train abilities "
  + "journal path map consider flee kill sell buy list use eat drink put give drop remove wear wield take get equipment inventory "
  + "score who whisper tell ooc shout say emote help examine look";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'-]*/gu;

/**
 * Returns words that begin with the typed letters, latest first.
 * @param {string} begun the letters typed
 * @param {string[]} texts to search, newest first
 * @param {number} most maximum number of results
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

/** Returns the word that ends at the cursor, and its start position. */
export function wordBefore(text, cursor) {
  const start = text.slice(0, cursor).search(/[\p{L}\p{N}'-]*$/u);
  return { start, word: text.slice(start, cursor) };
}
