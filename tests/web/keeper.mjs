// Client of the process that started the server of a run, over the standard streams: asks it to kill and restart the
// server. Used by tests/live/browser.rs; a manual run has no such process and skips the tests that need it.

import { createInterface } from "node:readline";

/** Kills and starts the server on request. */
export class Keeper {
  #answers;
  #proxy;

  /** @param {import("./proxy.mjs").Proxy} proxy gets the server's address when its port changes */
  constructor(proxy) {
    this.#proxy = proxy;
    this.#answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  }

  /** Kills the server, as a power failure would. */
  async kill() {
    await this.#ask("kill");
  }

  /** Starts the server again with the same world. */
  async start() {
    this.#proxy.url = new URL(await this.#ask("start"));
  }

  async #ask(what) {
    console.log(`server: ${what}`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("nobody keeps the server");
    return value;
  }
}
