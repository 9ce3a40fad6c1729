// A player at the page: opens it, types, presses, and waits for what the page shows. Waits are for what must come,
// never for time to pass.

import assert from "node:assert/strict";

/** How long something may take to show, in milliseconds. */
export const PATIENCE = Number(process.env.PATIENCE ?? 100_000);

/** No two of them look alike: the server refuses names that do. */
const LETTERS = "abdegkopstu";

/** Passwords for tests: nobody else's. */
export const PASSWORD = "lantern under stone";

/** All pages of a run, and what went wrong on them. */
export class Browser {
  #chrome;
  #proxy;
  #players = [];
  #named = 0;
  /** Another server has other names; the same one may be tested twice. */
  #run = Math.floor(Math.random() * LETTERS.length ** 4);
  errors = [];
  requests = [];
  /** Who kills the server and starts it again, if anybody does. */
  keeper;

  constructor(chrome, proxy, keeper = null) {
    this.#chrome = chrome;
    this.#proxy = proxy;
    this.keeper = keeper;
  }

  get origin() {
    return this.#proxy.origin;
  }

  get proxy() {
    return this.#proxy;
  }

  /**
   * Somebody who has opened the page, and would rather type than fill in forms, unless they stay at the `door`; with
   * `answer`, a function of the test is the game at the other end of it.
   */
  async open({ answer, door = false, clock = false, ...options } = {}) {
    const context = await this.#chrome.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    if (clock) await page.clock.install();
    if (answer) await page.routeWebSocket(/\/ws$/, answer);
    page.on("console", (message) => {
      // A link that a test has cut is told on the console by the browser itself.
      const lost = /WebSocket connection to .* failed|net::ERR_/.test(message.text());
      const cut = lost && this.#players.some((one) => one.cut);
      if (message.type() === "error" && !cut) this.errors.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => this.errors.push(error.stack));
    page.on("request", (request) => this.requests.push(request.url()));
    page.on("websocket", (socket) => this.requests.push(socket.url().replace(/^ws/, "http")));
    const player = new Player(context, page);
    this.#players.push(player);
    player.response = await page.goto(this.origin);
    if (!door) await page.getByRole("button", { name: "Type instead" }).click();
    return player;
  }

  /** Somebody who has made a character of a new name and stands in the first room. */
  async create(options = {}) {
    const player = await this.open(options);
    await player.create(this.newName());
    return player;
  }

  /** A name that nobody has yet. */
  newName() {
    return `Web${spell(this.#run)}${spell(this.#named++)}`;
  }

  /** What was on the pages when a test failed. */
  async lastWords() {
    const words = await Promise.all(this.#players.map((player) => player.log().catch(() => "(gone)")));
    return words.map((text) => `--- a page:\n${text.slice(-1500)}`).join("\n");
  }

  async closeAll() {
    await Promise.all(this.#players.splice(0).map((player) => player.context.close()));
  }
}

/** A number in letters. */
function spell(number) {
  const rest = Math.floor(number / LETTERS.length);
  return (rest > 0 ? spell(rest) : "") + LETTERS[number % LETTERS.length];
}

/** One player at one page. */
export class Player {
  name = "";
  /** Whether a test breaks the link. */
  cut = false;

  constructor(context, page) {
    this.context = context;
    this.page = page;
  }

  /** The text of the log. */
  log() {
    return this.page.evaluate(() => {
      return [...document.querySelectorAll("#log > *")].map((line) => line.textContent).join("\n");
    });
  }

  /** Waits until the log has these words, after the first `from` letters of it. */
  async expect(words, from = 0) {
    const found = ({ words, from }) => {
      const lines = [...document.querySelectorAll("#log > *")].map((line) => line.textContent);
      return lines.join("\n").slice(from).includes(words);
    };
    await this.page.waitForFunction(found, { words, from }).catch(async () => {
      assert.fail(`"${words}" did not come:\n${(await this.log()).slice(-1500)}`);
    });
  }

  /** Waits for a prompt that has these words. */
  async prompt(words) {
    const found = (words) => document.getElementById("prompt").textContent.includes(words);
    await this.page.waitForFunction(found, words).catch(async () => {
      assert.fail(`no prompt "${words}" but "${await this.text("#prompt")}":\n${(await this.log()).slice(-1500)}`);
    });
  }

  /** Types a line and sends it. */
  async type(line) {
    await this.page.fill("#line", line);
    await this.page.press("#line", "Enter");
  }

  /** Types a line, and waits for what must come after it. */
  async ask(line, words) {
    const before = (await this.log()).length;
    await this.type(line);
    await this.expect(words, before);
  }

  /** Makes a character; `asked` is told each question. */
  async create(name, asked = async () => {}) {
    this.name = name;
    const answers = [["name:", name], ["yes/no", "yes"], ["new password", PASSWORD], ["the same password", PASSWORD]];
    for (const [question, answer] of answers) {
      await this.prompt(question);
      await asked(question);
      await this.type(answer);
    }
    await this.prompt("HP:");
    await this.expect("Exits:");
    await this.stands("Well Square");
    await this.keepsSeat();
  }

  /** Waits until the browser can come back without a password. */
  keepsSeat() {
    const kept = (name) => localStorage.getItem("deepwell.seats")?.includes(`"${name}"`);
    return this.page.waitForFunction(kept, this.name);
  }

  /** Comes back to a character by typing. */
  async login(name) {
    await this.prompt("name:");
    await this.type(name);
    await this.prompt("password:");
    await this.type(PASSWORD);
    await this.prompt("HP:");
  }

  /** Waits until the page says that one is in a room. */
  async stands(room) {
    const there = (room) => document.getElementById("place").textContent === room;
    await this.page.waitForFunction(there, room).catch(async () => {
      assert.fail(`not in "${room}" but in "${await this.text("#place")}"`);
    });
  }

  text(selector) {
    return this.page.textContent(selector);
  }

  value() {
    return this.page.inputValue("#line");
  }

  /** What has the cursor: an id, or the text. */
  focused() {
    return this.page.evaluate(() => {
      const at = document.activeElement;
      return at === document.body ? "" : at.id || at.getAttribute("aria-label") || at.textContent.trim();
    });
  }

  /** How many rooms the map shows. */
  rooms() {
    return this.page.locator("#map g.room").count();
  }

  /** Everything that the browser keeps for this page. */
  kept() {
    return this.page.evaluate(() => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }));
  }
}
