// Completes a word from those that were seen or typed lately. Pure.

/** A word to complete has at least this many letters, and one to offer more. */
const SHORTEST = 2;

/** Commands that complete the first word of a line, the rarest first. */
export const COMMANDS = "withdraw deposit balance trade replay ignore friends finger commands config password quit rest stand "
  + "sleep wake heal light extinguish lock unlock open close answer pull push search sneak rally follow party train abilities "
  + "journal path map consider flee kill sell buy list use eat drink put give drop remove wear wield take get equipment inventory "
  + "score who whisper tell ooc shout say emote help examine look";

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
