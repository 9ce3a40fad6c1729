// The WebSocket to the server: text and structured data in both directions, and coming back when the
// link breaks. Knows nothing of what the words mean.

/** Binary frames are text, text frames are `Package.Name json`. */
const SUBPROTOCOL = "gmcp.mudstandards.org";

/** The first wait before trying again, and the longest, in milliseconds. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/** Milliseconds between two pings, and how long a silent server counts as alive after one. */
const PING_EVERY = 4000;
const SILENCE_MAX = 10_000;

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
  /** Lines sent by this socket that no answered ping covers, oldest first. */
  #untaken = [];
  /** For each ping without an answer, how many of the untaken lines were sent before it. */
  #pings = [];
  /** Time of the last frame from the server, and of the oldest ping without an answer. */
  #heardAt = 0;
  #pingedAt = 0;

  /**
   * @param {string} url of the WebSocket
   * @param {{opened(): void, text(text: string): void, data(name: string, body: unknown): void,
   *   closed(wait: number | null, untaken: string[]): void}} listener told what happens; `closed` with the milliseconds until the next
   *   attempt, or `null` if there will be none unasked, and with the lines whose arrival the server has not confirmed
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
   * Sends one line of words; tells whether there was a link to send it by.
   * @param {string} line
   * @param {boolean} told whether the listener is told if the line is not confirmed: never for a password
   */
  sendLine(line, told = false) {
    if (!this.isOpen) return false;
    this.#socket.send(new TextEncoder().encode(`${line}\n`));
    if (!told) return true;
    this.#untaken.push(line);
    if (this.#pings.length === 0) this.#ping();
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
    this.#heardAt = performance.now();
    if (typeof data === "string") {
      const { name, body } = readPackage(data);
      if (name === "Core.Ping") this.#answered();
      else this.#listener.data(name, body);
    } else {
      // Whoever gets words has truly come in; an open socket alone may be a proxy before a server that is down.
      this.#attempt = 0;
      this.#listener.text(this.#decoder.decode(data, { stream: true }));
    }
  }

  /** Asks the server for an answer; the server reads in order, so the answer confirms all lines sent before. */
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
  }

  /** Pings an open link, and gives up one that has been silent for too long. */
  #beat() {
    if (!this.#socket) return;
    const silent = performance.now() - Math.max(this.#heardAt, this.#pings.length > 0 ? this.#pingedAt : 0);
    if (silent > SILENCE_MAX && (this.#pings.length > 0 || !this.isOpen)) this.#lose();
    else if (this.isOpen) this.#ping();
  }

  /** Gives up the socket without waiting for the network to notice. */
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

  /** Something has changed for the better: no use waiting any longer. */
  #hurry() {
    if (this.#timer !== 0) this.open();
  }
}
