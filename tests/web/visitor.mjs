// A visitor who knows only what the page says: finds elements by role and name in the browser's accessibility tree, as
// a screen reader does, types only words that were read there, and counts its actions.

import assert from "node:assert/strict";

import { PATIENCE } from "./player.mjs";

/** Maximum number of tab stops of a page. */
const STOPS_MAX = 80;

/** Milliseconds after which a press looks for its element anew. */
const SWAPPED = 5_000;

/** The page's hint about the command line. */
const EVERYWHERE = "What you type anywhere on the page stands here";

/** Returns whether a name matches: equal to a string, or containing a pattern. */
const fits = (name, wanted) => (typeof wanted === "string" ? name === wanted : wanted.test(name));

/** A first-time visitor on a page. */
export class Visitor {
  #page;
  #wire;
  #keyboard;
  #touch;
  /** Actions since the count was reset: a click, a field filled in, or a line sent. */
  actions = 0;
  /** Keys pressed for them, not counting typed letters. */
  keys = 0;

  /** @param {{page: object}} player the player whose page is used; `keyboard`: keyboard only, `touch`: touch */
  static async at({ page }, { keyboard = false, touch = false } = {}) {
    const visitor = new Visitor();
    visitor.#page = page;
    visitor.#keyboard = keyboard;
    visitor.#touch = touch;
    visitor.#wire = await page.context().newCDPSession(page);
    await visitor.#wire.send("Accessibility.enable");
    return visitor;
  }

  /** Resets the counts. */
  start() {
    this.actions = 0;
    this.keys = 0;
  }

  /** Returns the accessibility tree in reading order: roles, names and actions. */
  async tree() {
    const { nodes } = await this.#wire.send("Accessibility.getFullAXTree");
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const found = [];
    const read = (node, parents) => {
      const role = node.role?.value ?? "";
      const state = Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value]));
      const within = node.ignored ? parents : [...parents, role];
      if (!node.ignored && role !== "InlineTextBox") {
        const told = (node.name?.value ?? "").trim();
        found.push({ role, name: told, value: node.value?.value ?? "", within: parents, ...state });
      }
      for (const id of node.childIds ?? []) if (byId.has(id)) read(byId.get(id), within);
    };
    read(nodes[0], []);
    return found;
  }

  /** Returns all readable text, one element per line. */
  async text() {
    const told = (await this.tree()).filter(({ role }) => ["StaticText", "image"].includes(role));
    return told.map(({ name }) => name).join("\n");
  }

  /** Waits until a function of the tree returns a value other than false, and returns that value. */
  async #until(what, look) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const tree = await this.tree();
      const found = look(tree);
      if (found) return found;
      if (Date.now() > end) {
        const told = tree.filter(({ name }) => name !== "").map(({ role, name }) => `${role}: ${name}`);
        assert.fail(`${what}; what can be read:\n${told.slice(-90).join("\n")}`);
      }
      await this.#page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }

  /** Waits until the page has these words. */
  reads(words) {
    const has = ({ role, name }) => ["StaticText", "image"].includes(role) && fits(name, words);
    return this.#until(`${words} cannot be read`, (tree) => tree.find(has)?.name);
  }

  /** Waits until the page no longer has these words. */
  readsNoLonger(words) {
    const has = ({ role, name }) => role === "StaticText" && fits(name, words);
    return this.#until(`${words} can still be read`, (tree) => !tree.some(has));
  }

  /** Waits until the page's heading names the room. */
  stands(room) {
    const has = ({ role, name, within }) => role === "StaticText" && within.includes("banner") && fits(name, room);
    return this.#until(`not in ${room}`, (tree) => tree.find(has)?.name);
  }

  /** Presses an exit button, and waits until the scrollback and the map, if it is open, show another room. */
  async walk(wanted) {
    const rooms = (tree) => tree.filter(({ role, name }) => role === "StaticText" && name.startsWith("Exits:")).length;
    const map = (tree) => tree.find(({ role, name }) => role === "image" && name.startsWith("Map of "))?.name;
    const before = await this.tree();
    await this.press("button", wanted);
    await this.#until(`still in the same room`, (tree) => rooms(tree) > rooms(before) && (!map(before) || map(tree) !== map(before)));
  }

  /** Returns the first of these names with an enabled element; undefined if there is none. */
  async sees(role, ...wanted) {
    const open = (await this.tree()).filter((node) => node.role === role && !node.disabled);
    return wanted.map((one) => open.find(({ name }) => fits(name, one))?.name).find((name) => name !== undefined);
  }

  /** Waits for an element of a role and name, and returns its full name. */
  #waitFor(role, wanted) {
    const has = (node) => node.role === role && fits(node.name, wanted) && !node.disabled;
    return this.#until(`no ${role} ${wanted}`, (tree) => tree.find(has)?.name);
  }

  /** Presses the element with this role and name. */
  async press(role, wanted) {
    const name = await this.#waitFor(role, wanted);
    this.actions += 1;
    if (this.#keyboard) {
      await this.#tabTo(role, name);
      await this.#key("Enter");
    } else {
      const one = this.#page.getByRole(role, { name, exact: true }).first();
      const point = (within) => (this.#touch ? one.tap(within) : one.click(within));
      // The page may show another element of this name instead while the pointer is on its way.
      await point({ timeout: SWAPPED }).catch(() => point());
    }
  }

  /** Fills in a field. */
  async fill(name, text) {
    await this.#waitFor("textbox", name);
    this.actions += 1;
    await this.#write(name, text);
  }

  /** Types a line and sends it. `words` must have been read on the page; `own` is the visitor's own text. */
  async send(words, own = "") {
    const told = await this.text();
    assert.ok(told.includes(words), `nobody could know "${words}"`);
    this.actions += 1;
    await this.#write("Command", own ? `${words} ${own}` : words);
    await this.#key("Enter");
  }

  /** Writes the visitor's own text where the focus is, and sends it. */
  async writes(text) {
    this.actions += 1;
    await this.#page.keyboard.type(text);
    await this.#key("Enter");
  }

  /** Writes the visitor's own text into a field, and sends it. */
  async sendIn(name, text) {
    await this.fill(name, text);
    await this.#key("Enter");
  }

  async #write(name, text) {
    if (this.#keyboard) {
      // Visitors who have read that typing anywhere goes to the command line do not move the focus there.
      if (!name.startsWith("Command") || !(await this.text()).includes(EVERYWHERE)) await this.#tabTo("textbox", name);
    } else {
      const field = this.#page.getByRole("textbox", { name, exact: true });
      await (this.#touch ? field.tap() : field.click());
    }
    await this.#page.keyboard.type(text);
  }

  async #key(key) {
    this.keys += 1;
    await this.#page.keyboard.press(key);
  }

  /** Moves the focus to an element with the tab key, in the shorter direction. */
  async #tabTo(role, name) {
    for (let stops = 0; stops < STOPS_MAX; stops += 1) {
      const stop = (await this.tree()).filter(({ role: one, focusable }) => focusable && one !== "RootWebArea");
      const at = stop.findLastIndex(({ focused }) => focused);
      const to = stop.findIndex((one) => one.role === role && one.name === name);
      if (at >= 0 && stop[at].role === role && stop[at].name === name) return;
      await this.#key(at >= 0 && to >= 0 && to < at ? "Shift+Tab" : "Tab");
    }
    assert.fail(`the tab key never comes to ${role} ${name}`);
  }
}
