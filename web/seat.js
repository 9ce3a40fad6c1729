// Session resumption without a password: stores the resume tokens of this browser. The client generates the tokens, and
// stores the next one before it sends the current one, so that a lost connection in between never makes both invalid. A
// token alone is not sufficient: the server binds it to a cookie that scripts cannot read.

import { lasting } from "./store.js";

/** Maximum number of names with tokens; the least recently used is evicted. */
const NAMES_MAX = 4;

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sessions that this browser can resume. They are read from storage each time, because other tabs use them as well. */
export class Seats {
  #send;
  /** Request without an answer yet: the name, and its token if the server accepts. */
  #asked = null;

  /** @param {(name: string, body: unknown) => void} send sends structured data */
  constructor(send) {
    this.#send = send;
  }

  get names() {
    return this.#all().map(([name]) => name);
  }

  get taking() {
    return this.#asked?.waits === true;
  }

  /** Requests to resume a session, unless a request is unanswered. Returns false if there is no token for the name. */
  take(name) {
    if (this.taking) return true;
    const kept = this.#of(name);
    if (!kept) return false;
    const next = newToken();
    // Only the server knows whether it received the next token of an earlier attempt.
    this.#keep(name, { token: kept.token, next, maybe: kept.maybe ?? kept.next });
    this.#asked = { name, token: next, waits: true };
    this.#send("Deepwell.Seat.Take", { name, token: kept.token, next });
    return true;
  }

  /** The server offers to accept a token for the current character. */
  offered() {
    const token = newToken();
    this.#asked = { name: null, token, waits: false };
    this.#send("Deepwell.Seat.Keep", { token });
  }

  /** The session has been resumed; the confirmation of the next token follows. */
  taken() {
    if (this.#asked) this.#asked.waits = false;
  }

  /** The server has stored the last token sent, for the current character. */
  kept(name) {
    if (this.#asked) this.#keep(this.#asked.name ?? name, { token: this.#asked.token });
    this.#asked = null;
  }

  /**
   * The server rejects the last token sent.
   * @param {boolean} forget whether the token is invalid for good
   * @returns {boolean} whether another token has been sent
   */
  refused(forget) {
    const name = this.#asked?.name;
    this.#asked = null;
    const kept = this.#of(name);
    if (!kept || !forget) return false;
    this.forget(name);
    if (!kept.maybe) return false;
    this.#keep(name, { token: kept.maybe });
    return this.take(name);
  }

  /** The connection is lost: no answer will come. */
  lost() {
    this.#asked = null;
  }

  forget(name) {
    lasting.set("seats", this.#all().filter(([other]) => other !== name));
  }

  #of(name) {
    return this.#all().find(([other]) => other === name)?.[1];
  }

  #keep(name, tokens) {
    const others = this.#all().filter(([other]) => other !== name);
    lasting.set("seats", [[name, tokens], ...others].slice(0, NAMES_MAX));
  }

  #all() {
    const kept = lasting.get("seats", []);
    const sound = (seat) => typeof seat?.[0] === "string" && typeof seat[1]?.token === "string";
    return Array.isArray(kept) ? kept.filter(sound) : [];
  }
}
