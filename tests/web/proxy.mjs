// Proxy between browser and server that cuts connections on request.

import net from "node:net";

/** TCP proxy on a free port. */
export class Proxy {
  #server;
  #sockets = new Set();
  /** Set while new connections are refused. */
  #down = false;
  /** New connections that wait for `release`; null while connections are passed on at once. */
  #held = null;
  /** Milliseconds by which new connections delay everything in both directions. */
  delay = 0;
  /** Number of connections accepted. */
  accepted = 0;
  /** URL of the server. */
  url;

  /** Opens a proxy for the server at `url`. */
  static async open(url) {
    const proxy = new Proxy();
    proxy.url = url;
    proxy.#server = net.createServer((near) => proxy.#join(near));
    await new Promise((ready) => proxy.#server.listen(0, "127.0.0.1", ready));
    return proxy;
  }

  /** Origin for browsers. */
  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  #join(near) {
    if (this.#down) {
      near.destroy();
      return;
    }
    this.accepted += 1;
    if (this.#held) {
      this.#held.push(near);
      return;
    }
    const far = net.connect(Number(this.url.port), this.url.hostname);
    for (const [one, other] of [[near, far], [far, near]]) {
      this.#sockets.add(one);
      if (this.delay > 0) this.#pipeLate(one, other);
      else one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  #pipeLate(one, other) {
    const late = (work) => setTimeout(() => other.destroyed || work(), this.delay);
    one.on("data", (bytes) => late(() => other.write(bytes)));
    one.on("end", () => late(() => other.end()));
  }

  /** Cuts all connections and refuses new ones until `mend`. */
  cut() {
    this.#down = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend() {
    this.#down = false;
  }

  /** Lets new connections wait, as a slow line does, until `release`. */
  hold() {
    this.#held = [];
  }

  release() {
    const held = this.#held ?? [];
    this.#held = null;
    for (const near of held.filter((one) => !one.destroyed)) this.#join(near);
  }

  close() {
    this.cut();
    this.#server.close();
  }
}
