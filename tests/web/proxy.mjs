// Stands between browser and server, and breaks the line when a test wants it broken.

import net from "node:net";

/** A TCP proxy on a port of its own. */
export class Proxy {
  #server;
  #sockets = new Set();
  /** Whether new connections are refused. */
  #down = false;
  /** Where the server is. */
  url;

  /** Opens one before the server at `url`. */
  static async open(url) {
    const proxy = new Proxy();
    proxy.url = url;
    proxy.#server = net.createServer((near) => proxy.#join(near));
    await new Promise((ready) => proxy.#server.listen(0, "127.0.0.1", ready));
    return proxy;
  }

  /** Where browsers find the server. */
  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  #join(near) {
    if (this.#down) {
      near.destroy();
      return;
    }
    const far = net.connect(Number(this.url.port), this.url.hostname);
    for (const [one, other] of [[near, far], [far, near]]) {
      this.#sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  /** Cuts all connections; no new ones come through until `mend`. */
  cut() {
    this.#down = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend() {
    this.#down = false;
  }

  close() {
    this.cut();
    this.#server.close();
  }
}
