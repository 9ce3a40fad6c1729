// WebSocket connection to the server: text and structured data in both directions, and automatic reconnection. Does not
// interpret the content.

/** Binary frames are text, text frames are `Package.Name json`. */
const SUBPROTOCOL = "gmcp.mudstandards.org";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/** Milliseconds between pings, and maximum silence after a ping before the connection counts as lost. */
const PING_EVERY = 4000;
const SILENCE_MAX = 10_000;

/** Close codes of a temporary shutdown of the server. */
const SERVER_LEAVES = [1001, 1012, 1013];

/**
 * Returns the delay before a reconnect: exponential back-off with random jitter, so that clients do not all reconnect
 * at the same time.
 * @param {number} attempt 0 for the first
 * @param {number} dice random number from 0 up to 1
 */
export function waitBefore(attempt, dice) {
  const whole = Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT);
  return Math.round(whole * (0.5 + dice / 2));
}

export function readPackage(frame) {
  const space = frame.indexOf(" ");
  if (space < 0) return { name: frame, body: undefined };
  try {
    return { name: frame.slice(0, space), body: JSON.parse(frame.slice(space + 1)) };
  } catch {
    return { name: frame.slice(0, space), body: undefined };
  }
}

export class Connection {
  #url;
  #listener;
  #socket = null;
  #decoder = null;
  #attempt = 0;
  #timer = 0;
  /** Set when the server has announced that it closes for good; reconnecting is then up to the player. */
  #ended = false;
  /** Lines sent on this socket that no answered ping confirms, oldest first. */
  #untaken = [];
  /** For each unanswered ping, the number of unconfirmed lines sent before it. */
  #pings = [];
  /** Time of the last frame from the server, and of the oldest unanswered ping. */
  #heardAt = 0;
  #pingedAt = 0;

  /**
   * @param {string} url of the WebSocket
   * @param {{opened(): void, text(text: string): void, data(name: string, body: unknown): void, taken(): void, closed(wait: number |
   *   null, untaken: string[]): void}} listener `taken` hears that lines are confirmed; `closed` gets the milliseconds until the next attempt, or `null` if
   *   there is no automatic reconnect, and the unconfirmed lines
   */
  constructor(url, listener) {
    this.#url = url;
    this.#listener = listener;
    window.addEventListener("online", () => this.#hurry());
    window.addEventListener("offline", () => this.#lose());
    window.setInterval(() => this.#beat(), PING_EVERY);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#hurry();
    });
  }

  /** Returns true if the server has not yet confirmed a line. */
  get awaits() {
    return this.#untaken.length > 0;
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connects immediately, unless there is a connection, or an attempt that may still succeed. */
  open() {
    window.clearTimeout(this.#timer);
    this.#timer = 0;
    this.#ended = false;
    const old = this.#socket;
    const connecting = old?.readyState === WebSocket.CONNECTING;
    if (this.isOpen || (connecting && performance.now() - this.#heardAt < SILENCE_MAX)) return;
    const socket = new WebSocket(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    old?.close();
    socket.binaryType = "arraybuffer";
    // A character may be split between two frames.
    this.#decoder = new TextDecoder("utf-8");
    const current = (handle) => (event) => {
      if (this.#socket === socket) handle(event);
    };
    this.#untaken = [];
    this.#pings = [];
    this.#heardAt = performance.now();
    socket.onopen = current(() => {
      this.#heardAt = performance.now();
      this.#listener.opened();
    });
    socket.onmessage = current((event) => this.#receive(event.data));
    socket.onclose = current((event) => this.#closed(event.code));
  }

  /**
   * Sends one line of text. Returns false if there is no connection.
   * @param {string} line
   * @param {boolean} told whether to report the line to the listener if it is not confirmed: never for a password
   */
  sendLine(line, told = false) {
    if (!this.isOpen) return false;
    this.#socket.send(new TextEncoder().encode(`${line}\n`));
    if (!told) return true;
    this.#untaken.push(line);
    if (this.#pings.length === 0) this.#ping();
    return true;
  }

  sendData(name, body) {
    if (!this.isOpen) return false;
    this.#socket.send(body === undefined ? name : `${name} ${JSON.stringify(body)}`);
    return true;
  }

  /** The server has given its reason for closing: after a logout there is no automatic reconnect. */
  endsHere() {
    this.#ended = true;
  }

  #receive(data) {
    this.#heardAt = performance.now();
    if (typeof data === "string") {
      const { name, body } = readPackage(data);
      if (name === "Core.Ping") this.#answered();
      else this.#listener.data(name, body);
    } else {
      // Only text proves a working connection; an open socket may be a proxy in front of a stopped server.
      this.#attempt = 0;
      this.#listener.text(this.#decoder.decode(data, { stream: true }));
    }
  }

  /** Sends a ping. The server reads in order, so its answer confirms all lines sent before. */
  #ping() {
    if (this.#pings.length === 0) this.#pingedAt = performance.now();
    this.#pings.push(this.#untaken.length);
    this.sendData("Core.Ping");
  }

  #answered() {
    const taken = this.#pings.shift() ?? 0;
    this.#untaken.splice(0, taken);
    this.#pings = this.#pings.map((before) => before - taken);
    this.#pingedAt = performance.now();
    if (this.#pings.length === 0 && this.#untaken.length > 0) this.#ping();
    this.#listener.taken();
  }

  /** Pings an open connection, and drops one that has been silent for too long. */
  #beat() {
    if (!this.#socket) return;
    const silent = performance.now() - Math.max(this.#heardAt, this.#pings.length > 0 ? this.#pingedAt : 0);
    if (silent > SILENCE_MAX && (this.#pings.length > 0 || !this.isOpen)) this.#lose();
    else if (this.isOpen) this.#ping();
  }

  /** Drops the socket without waiting for the network to report the loss. */
  #lose() {
    const socket = this.#socket;
    if (!socket) return;
    this.#closed(1006);
    socket.close();
  }

  #closed(code) {
    this.#socket = null;
    const untaken = this.#untaken;
    this.#untaken = [];
    this.#pings = [];
    if (this.#ended && !SERVER_LEAVES.includes(code)) {
      this.#listener.closed(null, untaken);
      return;
    }
    const wait = waitBefore(this.#attempt, Math.random());
    this.#attempt += 1;
    this.#timer = window.setTimeout(() => this.open(), wait);
    this.#listener.closed(wait, untaken);
  }

  /** Reconnects immediately after a hint that the network is back. */
  #hurry() {
    if (this.#timer !== 0) this.open();
  }
}
