// A player on the page: opens it, types, clicks, and waits for what the page shows. Waits end with an expected event,
// never after a fixed time.

import assert from "node:assert/strict";

/** Timeout of a wait in milliseconds. */
export const PATIENCE = Number(process.env.PATIENCE ?? 100_000);

/** Letters that do not resemble each other: the server refuses names that look alike. */
const LETTERS = "abdegkopstu";

/** Password of all test accounts. */
export const PASSWORD = "lantern under stone";

/** All pages of a run, and their errors. */
export class Browser {
  #chrome;
  #proxy;
  #players = [];
  #named = 0;
  /** Part of all names, so that a server can be tested twice. */
  #run = Math.floor(Math.random() * LETTERS.length ** 4);
  errors = [];
  requests = [];
  /** Kills and starts the server, if the run can do that. */
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
   * Opens the page for a player. By default the login form is closed in favour of typing; `door` keeps it open. With
   * `answer`, a function of the test takes the place of the server.
   */
  async open({ answer, door = false, clock = false, ...options } = {}) {
    const context = await this.#chrome.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    if (clock) await page.clock.install();
    if (answer) await page.routeWebSocket(/\/ws$/, answer);
    page.on("console", (message) => {
      // The browser itself logs an error for a connection that a test has cut.
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
    if (!door) await page.getByRole("button", { name: "Text only" }).click();
    return player;
  }

  /** Returns a player with a new character in the first room. */
  async create(options = {}) {
    const player = await this.open(options);
    await player.create(this.newName());
    return player;
  }

  /** Returns an unused name. */
  newName() {
    return `Web${spell(this.#run)}${spell(this.#named++)}`;
  }

  /** Returns the text of all pages after a failed test. */
  async lastWords() {
    const words = await Promise.all(this.#players.map((player) => player.log().catch(() => "(gone)")));
    return words.map((text) => `--- a page:\n${text.slice(-1500)}`).join("\n");
  }

  async closeAll() {
    await Promise.all(this.#players.splice(0).map((player) => player.context.close()));
  }
}

/** Returns a number in letters. */
function spell(number) {
  const rest = Math.floor(number / LETTERS.length);
  return (rest > 0 ? spell(rest) : "") + LETTERS[number % LETTERS.length];
}

/** One player on one page. */
export class Player {
  name = "";
  /** Set if the test cuts the connection. */
  cut = false;

  constructor(context, page) {
    this.context = context;
    this.page = page;
  }

  /** Returns the text of the log. */
  log() {
    return this.page.evaluate(() => {
      return [...document.querySelectorAll("#log > *")].map((line) => line.textContent).join("\n");
    });
  }

  /** Waits until the log has these words after its first `from` characters. */
  async expect(words, from = 0) {
    const found = ({ words, from }) => {
      const lines = [...document.querySelectorAll("#log > *")].map((line) => line.textContent);
      return lines.join("\n").slice(from).includes(words);
    };
    await this.page.waitForFunction(found, { words, from }).catch(async () => {
      assert.fail(`"${words}" did not come:\n${(await this.log()).slice(-1500)}`);
    });
  }

  /** Waits for a prompt with these words. */
  async prompt(words) {
    const found = (words) => document.getElementById("prompt").textContent.includes(words);
    await this.page.waitForFunction(found, words).catch(async () => {
      assert.fail(`no prompt "${words}" but "${await this.text("#prompt")}":\n${(await this.log()).slice(-1500)}`);
    });
  }

  /** Presses Connect, unless the page has connected again by itself. */
  async connect() {
    await this.page.evaluate(() => {
      const button = document.getElementById("connect");
      if (button.checkVisibility()) button.click();
    });
  }

  /** Types a line and sends it. */
  async type(line) {
    await this.page.fill("#line", line);
    await this.page.press("#line", "Enter");
  }

  /** Types a line and waits for the expected response. */
  async ask(line, words) {
    const before = (await this.log()).length;
    await this.type(line);
    await this.expect(words, before);
  }

  /** Creates a character; `asked` gets each question. */
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

  /** Waits until the browser has a resume token. */
  keepsSeat() {
    const kept = (name) => localStorage.getItem("deepwell.seats")?.includes(`"${name}"`);
    return this.page.waitForFunction(kept, this.name);
  }

  /** Returns the name of the character that the tab plays, such as that of a guest. */
  playerName() {
    return this.page.evaluate(() => JSON.parse(sessionStorage.getItem("deepwell.name")));
  }

  /** Logs in to a character by typing. */
  async login(name) {
    await this.prompt("name:");
    await this.type(name);
    await this.prompt("password:");
    await this.type(PASSWORD);
    await this.prompt("HP:");
  }

  /** Waits until the page shows that the player is in a room. */
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

  /** Returns the focused element: its id, or its text. */
  focused() {
    return this.page.evaluate(() => {
      const at = document.activeElement;
      return at === document.body ? "" : at.id || at.getAttribute("aria-label") || at.textContent.trim();
    });
  }

  /** Returns the number of rooms on the map. */
  rooms() {
    return this.page.locator("#map g.room").count();
  }

  /** Returns all values that the browser stores for this page. */
  kept() {
    return this.page.evaluate(() => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }));
  }
}
