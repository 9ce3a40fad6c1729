// Whoever keeps the server of a run, at the other end of the standard streams: kills it and starts it again when asked.
// tests/live/page.rs does; by hand there is nobody, and the tests that need it are left out.

import { createInterface } from "node:readline";

/** Asks for the server's end and its beginning. */
export class Keeper {
  #answers;
  #proxy;

  /** @param {import("./proxy.mjs").Proxy} proxy is told where the server is when it has another port */
  constructor(proxy) {
    this.#proxy = proxy;
    this.#answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  }

  /** Kills it, as a machine does that loses its power. */
  async kill() {
    await this.#ask("kill");
  }

  /** Starts it again with the world that it had. */
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
