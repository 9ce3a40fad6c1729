// The WebSocket to the server: text and structured data in both directions, and coming back when the
// link breaks. Knows nothing of what the words mean.

/** Binary frames are text, text frames are `Package.Name json`. */
const SUBPROTOCOL = "gmcp.mudstandards.org";

/** The first wait before trying again, and the longest, in milliseconds. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/** Closing codes with which a server says that it goes away for a while. */
const SERVER_LEAVES = [1001, 1012, 1013];

/**
 * How long to wait before an attempt: twice as long each time, and never quite as long as anybody else, so that not
 * all come back at once.
 * @param {number} attempt 0 for the first
 * @param {number} dice from 0 up to 1
 */
export function waitBefore(attempt, dice) {
  const whole = Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT);
  return Math.round(whole * (0.5 + dice / 2));
}

/** Parts a text frame into the name of its package and its body; `undefined` where the body is no JSON. */
export function readPackage(frame) {
  const space = frame.indexOf(" ");
  if (space < 0) return { name: frame, body: undefined };
  try {
    return { name: frame.slice(0, space), body: JSON.parse(frame.slice(space + 1)) };
  } catch {
    return { name: frame.slice(0, space), body: undefined };
  }
}

/** One player's link to the server, over as many sockets as it takes. */
export class Connection {
  #url;
  #listener;
  #socket = null;
  #decoder = null;
  #attempt = 0;
  #timer = 0;
  /** Whether the server has said that this is the end, so that coming back is the player's choice. */
  #ended = false;

  /**
   * @param {string} url of the WebSocket
   * @param {{opened(): void, text(text: string): void, data(name: string, body: unknown): void,
   *   closed(wait: number | null): void}} listener told what happens; `closed` with the milliseconds until the next
   *   attempt, or `null` if there will be none unasked
   */
  constructor(url, listener) {
    this.#url = url;
    this.#listener = listener;
    window.addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#hurry();
    });
  }

  /** Whether lines can be sent. */
  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connects, now. */
  open() {
    window.clearTimeout(this.#timer);
    this.#timer = 0;
    this.#ended = false;
    const old = this.#socket;
    const socket = new WebSocket(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    old?.close();
    socket.binaryType = "arraybuffer";
    // A letter may be cut in two by the end of a frame.
    this.#decoder = new TextDecoder("utf-8");
    const current = (handle) => (event) => {
      if (this.#socket === socket) handle(event);
    };
    socket.onopen = current(() => this.#listener.opened());
    socket.onmessage = current((event) => this.#receive(event.data));
    socket.onclose = current((event) => this.#closed(event.code));
  }

  /** Sends one line of words; tells whether there was a link to send it by. */
  sendLine(line) {
    if (!this.isOpen) return false;
    this.#socket.send(new TextEncoder().encode(`${line}\n`));
    return true;
  }

  /** Sends structured data; tells whether there was a link to send it by. */
  sendData(name, body) {
    if (!this.isOpen) return false;
    this.#socket.send(body === undefined ? name : `${name} ${JSON.stringify(body)}`);
    return true;
  }

  /** The server has said why it closes: whoever left, or was sent away, does not come back unasked. */
  endsHere() {
    this.#ended = true;
  }

  #receive(data) {
    if (typeof data === "string") {
      const { name, body } = readPackage(data);
      this.#listener.data(name, body);
    } else {
      // Whoever gets words has truly come in; an open socket alone may be a proxy before a server that is down.
      this.#attempt = 0;
      this.#listener.text(this.#decoder.decode(data, { stream: true }));
    }
  }

  #closed(code) {
    this.#socket = null;
    if (this.#ended && !SERVER_LEAVES.includes(code)) {
      this.#listener.closed(null);
      return;
    }
    const wait = waitBefore(this.#attempt, Math.random());
    this.#attempt += 1;
    this.#timer = window.setTimeout(() => this.open(), wait);
    this.#listener.closed(wait);
  }

  /** Something has changed for the better: no use waiting any longer. */
  #hurry() {
    if (this.#timer !== 0) this.open();
  }
}
