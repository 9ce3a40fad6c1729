// The way to the server: one request at a time, each with what lets this browser build. A token alone lets nobody in: the
// server binds it to a cookie that no script reads. It goes as data, in no address and no header.

import { passing } from "../store.js";

/** How long an answer may take, in milliseconds. */
const PATIENCE = 25_000;

/** 256 bits of chance, as hexadecimal digits. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What went wrong, in a sentence; `closed` if one has to log in again, `lost` if it is not known what became of it. */
export class Declined extends Error {
  constructor(words, { closed = false, lost = false } = {}) {
    super(words);
    this.closed = closed;
    this.lost = lost;
  }
}

/** A builder's place at the server. */
export class Desk {
  #name = passing.get("builder", "");
  #token = passing.get("desk", "");
  /** What is on its way: the next one waits for it, so that answers come in the order of the questions. */
  #before = Promise.resolve();

  /** Whether there is anything to come back with. */
  get known() {
    return this.#name !== "" && this.#token !== "";
  }

  get name() {
    return this.#name;
  }

  /** Logs in; answers with the zones. */
  async enter(name, password) {
    const token = newToken();
    const zones = await this.#post("enter", { name, token, password });
    [this.#name, this.#token] = [name, token];
    passing.set("builder", name);
    passing.set("desk", token);
    return zones;
  }

  /** Logs out. */
  async leave() {
    const shown = { name: this.#name, token: this.#token };
    this.forget();
    await this.#post("leave", shown);
  }

  /** What this tab has is worth nothing any more. */
  forget() {
    this.#token = "";
    passing.set("desk", "");
  }

  /** Asks one thing; nothing is sent while nobody is logged in. */
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
      response = await fetch(`/build/${what}`, {
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
