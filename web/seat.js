// Coming back without a password: what this browser shows to take a seat again. The page makes its tokens itself, and keeps
// the next one before it shows the last: so a link that breaks in between costs nobody their way back. A token alone lets
// nobody in: the server binds it to a cookie that no script reads.

import { lasting } from "./store.js";

/** Names whose seats are kept; who came in longest ago goes first. */
const NAMES_MAX = 4;

/** 256 bits of chance, as hexadecimal digits. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The seats that this browser can take again. They are read anew each time, because other tabs use them too. */
export class Seats {
  #send;
  /** What has been sent and not been answered: whose seat, and its tokens as they are to be. */
  #asked = null;

  /** @param {(name: string, body: unknown) => void} send sends structured data */
  constructor(send) {
    this.#send = send;
  }

  /** The names that can come back, who did last first. */
  get names() {
    return this.#all().map(([name]) => name);
  }

  /** Whether a seat has been asked for, without an answer yet. */
  get taking() {
    return this.#asked?.waits === true;
  }

  /** Asks for the seat of somebody; tells whether there is anything to ask with. */
  take(name) {
    const kept = this.#of(name);
    if (!kept) return false;
    const next = newToken();
    // Whether the next one of an earlier attempt was ever heard of, only the server knows.
    this.#keep(name, { token: kept.token, next, maybe: kept.maybe ?? kept.next });
    this.#asked = { name, token: next, waits: true };
    this.#send("Deepwell.Seat.Take", { name, token: kept.token, next });
    return true;
  }

  /** The server would let whoever plays come back. */
  offered() {
    const token = newToken();
    this.#asked = { name: null, token, waits: false };
    this.#send("Deepwell.Seat.Keep", { token });
  }

  /** The seat is taken; that its next token is kept comes later. */
  taken() {
    if (this.#asked) this.#asked.waits = false;
  }

  /** The server has kept what was asked last, for whoever plays now. */
  kept(name) {
    if (this.#asked) this.#keep(this.#asked.name ?? name, { token: this.#asked.token });
    this.#asked = null;
  }

  /**
   * The server does not let in by what was shown last.
   * @param {boolean} forget whether it never will
   * @returns {boolean} whether another token has been shown
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

  /** The link is broken: no answer will come. */
  lost() {
    this.#asked = null;
  }

  /** Nobody comes back by this name from here. */
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
