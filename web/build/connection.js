// Connection to the server: one request at a time, each with this browser's token. A token alone is not
// sufficient: the server binds it to a cookie that scripts cannot read. It is sent in the body, never in a URL or
// header.

import { passing } from "../store.js";

/** Timeout of a request in milliseconds. */
const PATIENCE = 25_000;

/** Returns 256 random bits in hexadecimal. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Error of a request, as a sentence; `closed` if the builder must log in again, `lost` if the result is unknown. */
export class Declined extends Error {
  constructor(words, { closed = false, lost = false } = {}) {
    super(words);
    this.closed = closed;
    this.lost = lost;
  }
}

/** Session of a builder, or of a member of staff on the staff page. */
export class Connection {
  #page;
  #name;
  #token;
  /** Request in flight; the next one waits for it, so that answers arrive in the order of the requests. */
  #before = Promise.resolve();

  /** @param {string} page folder of the page, whose login this tab keeps */
  constructor(page) {
    this.#page = page;
    this.#name = passing.get(`${page}.name`, "");
    this.#token = passing.get(`${page}.token`, "");
  }

  /** True if there is a token to resume with. */
  get known() {
    return this.#name !== "" && this.#token !== "";
  }

  get name() {
    return this.#name;
  }

  /** Logs in and returns the zones. */
  async enter(name, password) {
    const token = newToken();
    const zones = await this.#post("enter", { name, token, password });
    [this.#name, this.#token] = [name, token];
    passing.set(`${this.#page}.name`, name);
    passing.set(`${this.#page}.token`, token);
    return zones;
  }

  /** Logs out. */
  async leave() {
    const shown = { name: this.#name, token: this.#token };
    this.forget();
    await this.#post("leave", shown);
  }

  /** Deletes the token of this tab. */
  forget() {
    this.#token = "";
    passing.set(`${this.#page}.token`, "");
  }

  /** Sends a request; nothing is sent without a login. */
  async ask(ask) {
    if (!this.known) throw new Declined("", { closed: true });
    return this.#post("ask", { name: this.#name, token: this.#token, ask });
  }

  #post(what, body) {
    const answer = this.#before.then(() => this.#send(what, body));
    this.#before = answer.catch(() => {});
    return answer;
  }

  async #send(what, body) {
    let response;
    let told;
    try {
      response = await fetch(`/${this.#page}/${what}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        cache: "no-store",
        credentials: "same-origin",
        signal: AbortSignal.timeout(PATIENCE),
      });
      told = await response.json();
    } catch {
      throw new Declined("The server does not answer. What you have written stays; try again in a moment.", { lost: true });
    }
    if (typeof told?.declined === "string") {
      throw new Declined(told.declined, { closed: told.closed === true, lost: response.status === 503 });
    }
    return told;
  }
}
