// The web client's protocol: the test takes the place of the server (protocols 9), so that it can send any message,
// including rare ones.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { assertAccessible } from "./access.mjs";
import { PATIENCE } from "./player.mjs";

/** The server's end of the connection. */
export class Game {
  lines = [];
  /** Set when the game answers no pings, as on a dead network. */
  silent = false;
  data = [];
  /** Number of connections made by the page. */
  links = 0;

  /** Accepts a connection of the page, greets it, and records its messages. */
  answer = (socket) => {
    this.socket = socket;
    this.links += 1;
    socket.onMessage((message) => {
      if (message === "Core.Ping" && !this.silent) socket.send(message);
      if (typeof message === "string") this.data.push(message);
      else this.lines.push(message.toString().trimEnd());
    });
    this.text("Your name: ");
    this.send("Deepwell.Prompt");
  };

  text(text) {
    this.socket.send(Buffer.from(text));
  }

  send(name, body) {
    this.socket.send(body === undefined ? name : `${name} ${JSON.stringify(body)}`);
  }

  /** Logs the player in. */
  enter() {
    this.send("Char.Name", { name: "Olad", fullname: "Olad the Novice" });
    this.text("HP:30/30> ");
    this.send("Deepwell.Prompt");
  }

  /** Waits until the page has sent a line. */
  async heard(player, line) {
    const end = Date.now() + PATIENCE;
    while (!this.lines.includes(line)) {
      assert.ok(Date.now() < end, `the page has sent ${JSON.stringify(this.lines)}, but not "${line}"`);
      await player.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }
}

/** Opens a page with a game at the other end. */
export async function open(browser, options = {}) {
  const game = new Game();
  const player = await browser.open({ ...options, answer: game.answer });
  await player.prompt("name:");
  return { game, player, page: player.page };
}

/** Tests: pairs of a name and a function that takes the browser. */
export const wireTests = [
  ["the page says who it is and what it shows", async (browser) => {
    const { game } = await open(browser);
    const [hello, supports] = game.data;
    assert.match(hello, /^Core\.Hello \{"client":"Deepwell page"/);
    assert.match(supports, /^Core\.Supports\.Set \[.*"Room 1".*\]$/);
    assert.doesNotMatch(supports, /Media/, "sounds are for those who ask for them");
  }],

  ["text is whole again however it was cut, even within a letter", async (browser) => {
    const { game, player } = await open(browser);
    const bytes = Buffer.from("\nA caf\u00e9, \u{1F41F} and \u001b[1;36mcolour\u001b[0m.\n");
    for (const byte of bytes) game.socket.send(Buffer.from([byte]));
    await player.expect("A caf\u00e9, \u{1F41F} and colour.");
    assert.equal(await player.page.locator("#log .bold").textContent(), "colour");
  }],

  ["a password asked for in the game is hidden, too, and enters no history (T6)", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Deepwell.Input", { hidden: true });
    game.text("old password: ");
    game.send("Deepwell.Prompt");
    await page.waitForSelector("#line[type=password]");
    await player.prompt("old password:");
    assert.equal(await player.text("#line-label"), "old password");
    await player.type("lantern under stone");
    await game.heard(player, "lantern under stone");
    game.send("Deepwell.Input", { hidden: false });
    await page.waitForSelector("#line[type=text]");
    await page.press("#line", "Alt+ArrowUp");
    assert.equal(await player.value(), "");
    assert.doesNotMatch(await player.log(), /lantern/);
  }],

  ["the guide's step is a card with a press for what it suggests and one for the next step", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    game.send("Char.Guide.Step", { step: 0, of: 0, text: "", commands: [] });
    await player.prompt("HP:");
    assert.ok(await page.locator("#guide").isHidden());
    game.send("Char.Guide.Step", { step: 3, of: 12, text: "Go down the well.", commands: ["down", 7] });
    await page.getByText("Guide, step 3 of 12: Go down the well.").waitFor();
    await page.getByRole("button", { name: "Do it: down" }).click();
    await game.heard(player, "down");
    await page.getByRole("button", { name: "Next step of the guide" }).click();
    await game.heard(player, "guide skip");
    await assertAccessible(page, "the card of the guide");
    game.send("Char.Guide.Step", { step: 4, of: 12, text: "Look around.", commands: null });
    await page.getByText("step 4 of 12").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Do it/ }).count(), 0);
    game.send("Char.Guide.Step", null);
    await page.locator("#guide").waitFor({ state: "hidden" });
  }],

  ["hit points, effects and enemies are told in words and figures", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    game.send("Char.Vitals", { hp: 5, maxhp: 30, xp: 40, nextxp: 350, level: 2, might: 12, string: "" });
    game.send("Char.Status", { floor: 3, attack: 6, defence: 2, training: 1, gold: 54, enemy: "a brood rat", enemypct: 40 });
    game.send("Char.Afflictions.List", [{ name: "stunned" }]);
    game.send("Char.Afflictions.Add", { name: "webbed", secs: 40 });
    game.send("Char.Afflictions.Remove", ["stunned"]);
    game.send("Char.Defences.Add", { name: "rested", secs: 600 });
    game.send("Char.Items.List", { location: "room", items: [{ id: "m2", name: "a brood rat", attrib: "m", commands: ["kill 2.rat"] }] });
    const rat = { id: "m2", name: "a brood rat", pct: 40, target: "you", mine: true };
    game.send("Char.Enemies.List", [rat, { id: "m3", name: "a clay rat", pct: 100, target: "Bera", mine: false, announces: "The clay rat lowers its head.", answer: "aside" }]);
    await page.waitForSelector("#hud >> text=clay rat lowers");
    const told = (await player.text("#hud")).replace(/\s+/g, " ");
    for (const words of ["5/30 badly hurt", "Might 12", "a brood rat40% attacks you your target", "attacks Bera The clay rat", "webbed 40 s", "rested 10 min"]) {
      assert.ok(told.includes(words), `"${words}" is not in "${told}"`);
    }
    assert.doesNotMatch(told, /stunned/);
    const sheet = (await player.text("#panel-you")).replace(/\s+/g, " ");
    for (const words of ["Olad", "Level2", "Experience40/350", "Attack6", "Defence2", "5 silver, 4 copper", "Dungeon level3"]) {
      assert.ok(sheet.includes(words), `"${words}" is not in "${sheet}"`);
    }
    await page.getByRole("button", { name: /^a brood rat/ }).click();
    await game.heard(player, "kill 2.rat");
    const target = (name) => page.getByRole("button", { name }).click();
    await target(/^a clay rat/);
    await game.heard(player, "kill clay rat");
    const look = () => page.evaluate(() => [".figures", ".fill"].map((one) => getComputedStyle(document.querySelector(`#own-hp ${one}`))).map((style, at) => (at ? style.backgroundColor : style.color)).join());
    const looks = [await look()];
    for (const [hp, told] of [[10, "10/30 hurt"], [20, "20/30"]]) {
      game.send("Char.Vitals", { hp, maxhp: 30, xp: 40, nextxp: 350, level: 2, string: "" });
      await page.waitForFunction((told) => document.querySelector("#own-hp .figures").textContent === told, told);
      looks.push(await look());
    }
    assert.equal(new Set(looks).size, 3, "and in three colours");
  }],

  ["a fight moves neither the story nor what is below it", async (browser) => {
    for (const [width, height] of [[390, 844], [768, 1024], [740, 360], [1280, 800], [1920, 1080]]) {
      const { game, player, page } = await open(browser, { viewport: { width, height } });
      game.enter();
      await player.prompt("HP:");
      const places = () => page.evaluate(() => [".story", ".hud", "#actions", ".command"].map((one) => {
        const { top, bottom } = document.querySelector(one).getBoundingClientRect();
        return `${one} ${top} ${bottom}`;
      }));
      game.send("Char.Vitals", { hp: 30, maxhp: 30, xp: 40, nextxp: 350, level: 2 });
      game.send("Char.Actions.List", [{ kind: "rest", label: "Rest", command: "rest", ready: true }]);
      await page.waitForSelector("#own-hp");
      const before = await places();
      const kinds = ["answer", "strike", "ability", "ability", "ability", "potion", "potion", "talk", "place", "flee", "train"];
      game.send("Char.Actions.List", kinds.map((kind, at) => ({ kind, label: `Press a long ${kind} ${at}`, command: `${kind} ${at}`, ready: at % 2 === 0, secs: 90 })));
      game.send("Char.Enemies.List", Array.from({ length: 6 }, (_, at) => ({ id: `m${at}`, name: `a clay rat ${at}`, pct: 60, target: "you", announces: "It lowers its head." })));
      game.send("Char.Afflictions.List", Array.from({ length: 9 }, (_, at) => ({ name: `poisoned ${at}`, secs: 50 })));
      const member = (name) => ({ name, hp: 9, maxhp: 30, level: 1, room: 1, place: "Cell", state: "fighting" });
      game.send("Party.Info", { id: 1, leader: "Olad", loot: "leader", members: ["Olad", "Bera", "Cato", "Dunn", "Eda"].map(member) });
      await page.waitForSelector("#hud >> text=a clay rat 5");
      assert.deepEqual(await places(), before, `${width} by ${height}`);
      await assertAccessible(page, `a fight at ${width} by ${height}`);
    }
  }],

  ["danger and messages are told over the story and in the title, and are answered by a press", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const notice = (words) => page.locator("#alerts li", { hasText: words });
    const member = (name, state) => ({ name, hp: 3, maxhp: 30, level: 1, room: 1, place: "Cell", state });
    game.send("Party.Info", { id: 1, leader: "Olad", loot: "leader", members: [member("Olad", "ready"), member("Bera", "down")] });
    await notice("Bera is down in Cell.").getByRole("button", { name: "Rescue" }).click();
    await game.heard(player, "rescue Bera");
    await notice("Bera is down").waitFor({ state: "hidden" });
    game.send("Party.Invitations", [{ from: "Cato", accept: "party accept Cato", decline: "party decline Cato" }]);
    await notice("Cato invites you into a party.").getByRole("button", { name: "Accept" }).click();
    await game.heard(player, "party accept Cato");
    game.send("Char.Mail.Status", { mails: 2, unread: 1 });
    await notice("You have mail: 1 unread.").getByRole("button", { name: "Read", exact: true }).click();
    await game.heard(player, "mail");
    game.send("Comm.Channel.Text", { channel: "tell Dunn", talker: "Dunn", text: "Dunn tells you: this way" });
    await page.waitForFunction(() => document.title.includes("Dunn tells you something"));
    await notice("this way").getByRole("button", { name: "Answer", exact: true }).click();
    assert.equal(await player.focused(), "talk-line");
    await page.keyboard.type("I come");
    await page.keyboard.press("Enter");
    await game.heard(player, "tell Dunn I come");
    game.send("Char.Vitals", { hp: 9, maxhp: 30, level: 1 });
    await notice("You are badly hurt: 9 of 30 hit points.").waitFor();
    await page.waitForFunction(() => document.title.startsWith("! You are badly hurt"));
    await page.waitForFunction(() => document.getElementById("announcer").textContent.includes("badly hurt"));
    game.text("\nHP:9/30> ");
    game.send("Deepwell.Prompt");
    const rat = { id: "m1", name: "a clay rat", pct: 100, target: "you" };
    game.send("Char.Enemies.List", [rat]);
    await notice("A clay rat attacks you.").waitFor();
    await assertAccessible(page, "with notices");
    game.send("Char.Enemies.List", []);
    game.send("Char.Vitals", { hp: 30, maxhp: 30, level: 1 });
    await page.waitForSelector("#alerts", { state: "hidden" });
    assert.doesNotMatch(await page.title(), /!/);
    await player.type("kill rat");
    await game.heard(player, "kill rat");
    game.send("Char.Enemies.List", [rat]);
    await page.waitForSelector("#hud .frame");
    assert.ok(await page.isHidden("#alerts"), "the player began it");
  }],

  ["who and what is here can be seen and acted on", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    game.send("Room.Players", [{ name: "Bera", fullname: "Bera the Novice" }]);
    game.send("Room.AddPlayer", { name: "Mika", fullname: "Mika" });
    game.send("Room.RemovePlayer", "Bera");
    const items = [{ id: "1", name: "a toll goblin", attrib: "m" }, { id: "2", name: "a blue lamp", attrib: "t" }];
    game.send("Char.Items.List", { location: "room", items });
    game.send("Char.Vitals", { hp: 30, maxhp: 30, level: 1 });
    game.send("Char.Items.List", { location: "inv", items: [{ id: "3", name: "a short sword", attrib: "lW" }] });
    game.send("Char.Items.Add", { location: "inv", item: { id: "4", name: "a loaf", attrib: "" } });
    game.send("Char.Items.Remove", { location: "room", item: { id: "2" } });
    await page.waitForSelector("#panel-you >> text=a loaf");
    const told = await player.text("#panel-here");
    assert.match(told, /Creatures.*a toll goblin.*People.*Mika/s);
    assert.doesNotMatch(told, /Bera|blue lamp/);
    assert.match(await player.text("#panel-you"), /Worn.*Weapon a short sword.*Feet nothing.*Bag.*a loaf/s);
    await page.getByRole("button", { name: "Attack: a toll goblin" }).click();
    await game.heard(player, "kill toll goblin");
    await page.getByRole("button", { name: "Weapon: a short sword" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await game.heard(player, "remove short sword");
  }],

  ["the party is shown as it is now", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    const place = { place: "Well Square", room: 1 };
    const bera = { name: "Bera", hp: 30, maxhp: 30, level: 1, ...place, state: "ready", leader: true };
    game.send("Party.Info", { id: 1, leader: "Bera", loot: "round-robin", members: [bera] });
    game.send("Party.Update", { ...bera, hp: 3, state: "down" });
    await page.waitForSelector("#panel-party >> text=3/30 HP");
    assert.match(await player.text("#panel-party"), /Bera, leads.*down, Well Square.*Loot: round-robin\./);
    game.send("Party.Info", { id: null, leader: null, loot: null, members: [] });
    await page.waitForSelector("#panel-party", { state: "hidden" });
  }],

  ["members of the party here are rescued and assisted by a press beside their names", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const member = (name, room, state, hp = 30) => ({ name, room, state, hp, maxhp: 30, level: 1, place: `Room ${room}` });
    const members = [member("Olad", 1, "ready"), member("Bera", 1, "down", 3), member("Cato", 1, "fighting", 12), member("Dunn", 2, "down")];
    game.send("Party.Info", { id: 1, leader: "Olad", loot: "leader", members });
    await page.getByRole("button", { name: "Rescue: Bera" }).click();
    await game.heard(player, "rescue Bera");
    await page.getByRole("button", { name: "Assist: Cato" }).click();
    await game.heard(player, "assist Cato");
    assert.match(await player.text("#panel-party"), /3\/30 HP, badly hurt, .*12\/30 HP, hurt, /);
    assert.equal(await page.getByRole("button", { name: /^(Rescue|Assist).*Dunn/ }).count(), 0, "in another room");
  }],

  ["the keys 1 to 9 press the actions, and only on an empty line that asks nothing", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const action = (label, command, more = {}) => ({ kind: "ability", label, command, ready: true, ...more });
    game.send("Char.Actions.List", [action("Attack clay rat", "kill clay rat"), action("Bash", "bash", { ready: false, secs: 40 }), action("Flee", "flee")]);
    const offered = (label) => page.locator("#actions").getByRole("button", { name: label });
    const press = async (key, command) => {
      game.lines.length = 0;
      await page.keyboard.press(key);
      await game.heard(player, command);
      assert.deepEqual(game.lines, [command]);
      assert.equal(await player.value(), "");
    };
    await offered("Attack clay rat").waitFor();
    await page.focus("#line");
    await press("1", "kill clay rat");
    await page.focus("#log");
    await press("3", "flee");
    await page.keyboard.press("2");
    await page.waitForFunction(() => document.getElementById("announcer").textContent.includes("Bash: not ready."));
    assert.equal(await player.value(), "", "a key that waits is no text");
    await page.keyboard.press("8");
    assert.equal(await player.value(), "8", "nothing has this key");
    await page.keyboard.press("1");
    assert.equal(await player.value(), "81");
    await page.fill("#line", "");
    game.text("\nHow many? ");
    game.send("Deepwell.Prompt");
    await player.prompt("How many?");
    await page.keyboard.press("1");
    assert.equal(await player.value(), "1", "an answer is typed");
    await page.fill("#line", "");
    game.text("HP:30/30> ");
    game.send("Deepwell.Prompt");
    await player.prompt("HP:");
    await page.click("#open-settings");
    await page.getByLabel(/Keys 1 to 9/).uncheck();
    await page.keyboard.press("Escape");
    await page.focus("#line");
    await page.keyboard.press("2");
    assert.equal(await player.value(), "2");
  }],

  ["an action is kept on its key, also in the next session, until it is let go", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const actions = (...labels) => game.send("Char.Actions.List", labels.map((label) => ({ kind: "talk", label, command: label.toLowerCase(), ready: true })));
    const shown = async (expected) => {
      await page.waitForFunction((expected) => [...document.querySelectorAll("#actions .label")].map((one) => one.textContent).join() === expected, expected);
    };
    actions("A", "B", "C", "D");
    await shown("A,B,C,D");
    await page.getByRole("button", { name: "C", exact: true }).click({ button: "right" });
    await page.waitForFunction(() => document.getElementById("announcer").textContent.includes("C: kept on key 3."));
    actions("C", "A", "D", "B");
    await shown("A,D,C,B");
    actions("C", "A");
    await shown("C,A");
    await page.getByRole("button", { name: "C", exact: true }).click();
    await game.heard(player, "c");
    await page.reload();
    game.enter();
    await player.prompt("HP:");
    actions("C", "A", "B");
    await shown("A,B,C");
    assert.equal(await page.getByRole("button", { name: "C", exact: true }).getAttribute("title"), "Kept on key 3.");
    await page.getByRole("button", { name: "B", exact: true }).focus();
    await page.keyboard.press("Shift+F10");
    await page.waitForFunction(() => document.getElementById("announcer").textContent.includes("B: kept on key 2."));
    await page.getByRole("button", { name: "C", exact: true }).click({ button: "right" });
    await page.waitForFunction(() => document.getElementById("announcer").textContent.includes("C: kept on no key."));
    actions("C", "A", "B");
    await shown("C,B,A");
    await assertAccessible(page, "kept actions");
  }],

  ["on a phone five actions are in a row and the rest in a menu", async (browser) => {
    const { game, player, page } = await open(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    game.enter();
    await player.prompt("HP:");
    const actions = (...labels) => game.send("Char.Actions.List", labels.map((label) => ({ kind: "talk", label, command: label.toLowerCase(), ready: true })));
    actions("A", "B", "C", "D", "E", "F", "G");
    const shown = page.locator("#actions .action:visible");
    await page.getByRole("button", { name: "More actions" }).tap();
    assert.deepEqual(await shown.allTextContents(), ["A", "B", "C", "D", "E"]);
    for (const one of await shown.all()) {
      const { width, height } = await one.boundingBox();
      assert.ok(width >= 44 && height >= 44, `${width} by ${height}`);
    }
    await assertAccessible(page, "the menu of actions");
    await page.getByRole("button", { name: "G", exact: true }).tap();
    await game.heard(player, "g");
    actions("A", "B", "C", "D", "E");
    await page.getByRole("button", { name: "More actions" }).waitFor({ state: "detached" });
  }],

  ["two fingers zoom the map, and walk nowhere", async (browser) => {
    const { game, player, page } = await open(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    game.enter();
    await player.prompt("HP:");
    game.send("Room.Info", { num: 1, area: "town", name: "Room", coord: { id: 0, x: 0, y: 0, z: 0 }, details: [], exitsv2: {} });
    await page.locator("[data-sheet=map]").tap();
    const room = page.locator("#map .here .floor");
    const width = async () => (await room.boundingBox()).width;
    const { x, y } = await page.locator("#map").boundingBox();
    const wire = await page.context().newCDPSession(page);
    const touch = (type, gap) => {
      const touchPoints = gap ? [{ x: x + 150 - gap, y: y + 60, id: 0 }, { x: x + 150 + gap, y: y + 60, id: 1 }] : [];
      return wire.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    const pinch = async (from, to) => {
      await touch("touchStart", from);
      for (let step = 1; step <= 5; step += 1) await touch("touchMove", from + ((to - from) * step) / 5);
      await touch("touchEnd", 0);
      return width();
    };
    const before = await width();
    const narrow = await pinch(100, 40);
    assert.ok(narrow < before, `${before}, then ${narrow}`);
    const wide = await pinch(40, 120);
    assert.ok(wide > narrow && wide >= 48, `${narrow}, then ${wide}`);
    assert.deepEqual(game.lines, []);
  }],

  ["a room that is pressed on the map is walked to, and rooms are never too small to press", async (browser) => {
    for (const [width, height] of [[390, 844], [1280, 800]]) {
      const { game, player, page } = await open(browser, { viewport: { width, height } });
      game.enter();
      await player.prompt("HP:");
      const room = (num, exitsv2) => ({ num, area: "town", name: `Room ${num}`, coord: { id: 0, x: num, y: 0, z: 0 }, details: num === 3 ? ["shop"] : [], exitsv2 });
      const rooms = Array.from({ length: 40 }, (_, at) => room(at + 1, { e: { num: at + 2, state: "open" }, w: { num: at, state: "open" } }));
      game.send("Room.Info", rooms[0]);
      game.send("Room.Map", { area: "town", rooms });
      if (width < 1000) await page.click("[data-sheet=map]");
      await page.waitForFunction(() => document.querySelectorAll("#map g.room").length === 40);
      const [you, map] = await Promise.all(["#map .here .floor", "#map"].map((one) => page.locator(one).boundingBox()));
      assert.ok(you.width >= 22, `a room of ${you.width} pixels`);
      const off = Math.abs(you.x + you.width / 2 - map.x - map.width / 2);
      assert.ok(off < 2, `the player is ${off} pixels beside the middle`);
      await page.locator('#map [data-num="3"]').click();
      await game.heard(player, "go e e");
      if (width < 1000) await page.click("[data-sheet=here]");
      game.lines.length = 0;
      await page.getByRole("button", { name: "Go: Room 3" }).click();
      await game.heard(player, "go e e");
    }
  }],

  ["commands and the whole text are searched with Ctrl+K, and the text is saved as a file", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.text(`\n${Array.from({ length: 3000 }, (_, at) => (at === 7 ? "A \x1b[1mRed\x1b[0m lamp." : `Line ${at}.`)).join("\n")}\n`);
    await player.expect("Line 2999.");
    await page.press("#line", "Control+k");
    const dialog = page.getByRole("dialog", { name: "Search commands and text" });
    await page.keyboard.type("RED LAMP");
    await dialog.getByText("Lines found: 1.").waitFor();
    await assertAccessible(page, "the search");
    await dialog.getByRole("button", { name: "A Red lamp." }).click();
    await dialog.waitFor({ state: "hidden" });
    const seen = () => page.evaluate(() => {
      const [line, log] = [document.querySelector("#log .found"), document.getElementById("log")].map((one) => one.getBoundingClientRect());
      return line.top >= log.top && line.bottom <= log.bottom && document.querySelector("#log .found").textContent;
    });
    assert.equal(await seen(), "A Red lamp.");
    game.text("Line 3000.\n");
    await page.waitForSelector("#newer:visible");
    assert.equal(await seen(), "A Red lamp.", "new lines do not take it away");
    await page.press("#line", "Control+k");
    await page.keyboard.type("line 2");
    await dialog.getByText("Lines found: 1111. The last 50, newest first:").waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    assert.equal(await seen(), "Line 2999.");
    await page.click("#open-settings");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the text" }).click()]);
    assert.match(file.suggestedFilename(), /^deepwell-\d{4}-\d\d-\d\d\.txt$/);
    const saved = readFileSync(await file.path(), "utf8");
    assert.match(saved, /\nA Red lamp\.\n[^]*\nLine 3000\.\n$/);
    await page.getByRole("button", { name: "Search commands and text" }).click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await player.value(), "");
    const action = (command) => ({ kind: "place", label: command, command, ready: true });
    game.send("Char.Actions.List", [action("read board"), action("board"), action("rest")]);
    await page.locator("#actions button", { hasText: "rest" }).waitFor();
    await page.press("#line", "Control+k");
    await page.keyboard.type("Boar");
    await dialog.getByText("Commands: 2.").waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await game.heard(player, "board");
  }],

  ["sounds are told in words to those who want it, and to nobody else", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    game.send("Client.Media.Play", { name: "door.ogg", caption: "a door creaks" });
    await player.prompt("HP:");
    await page.click("#open-settings");
    await page.getByLabel("Tell sounds in words").check();
    await page.keyboard.press("Escape");
    await game.heard(player, "config sound on");
    assert.ok(game.data.includes('Core.Supports.Add ["Client.Media 1"]'));
    game.send("Client.Media.Play", { name: "hit.ogg", caption: "a blow lands" });
    await player.expect("Sound: a blow lands");
    assert.doesNotMatch(await player.log(), /door creaks/);
  }],

  ["sounds are tones for those who want them, at their volume", async (browser) => {
    const { game, player, page } = await open(browser);
    await page.evaluate(() => {
      window.played = [];
      const param = (name) => ({ setValueAtTime: (value) => window.played.push([name, value]), exponentialRampToValueAtTime() {} });
      const node = (more) => ({ connect: (to) => to, start() {}, stop() {}, ...more });
      window.AudioContext = class {
        currentTime = 0;
        destination = {};
        resume() {}
        createGain = () => node({ gain: param("gain") });
        createOscillator = () => node({ frequency: { set value(pitch) { window.played.push(["pitch", pitch]); } } });
      };
    });
    game.enter();
    await player.prompt("HP:");
    game.send("Client.Media.Play", { name: "tell.ogg", volume: 50, caption: "a voice" });
    await page.click("#open-settings");
    await page.getByLabel("Sounds", { exact: true }).selectOption("Loud");
    await page.keyboard.press("Escape");
    await game.heard(player, "config sound on");
    assert.ok(game.data.includes('Core.Supports.Add ["Client.Media 1"]'));
    for (const name of ["unknown.ogg", "constructor", "tell.ogg"]) game.send("Client.Media.Play", { name, volume: 50, caption: "a voice" });
    game.text("Done.\n");
    await player.expect("Done.");
    assert.deepEqual(await page.evaluate(() => window.played), [["pitch", 660], ["gain", 0.15], ["pitch", 880], ["gain", 0.15]]);
    assert.doesNotMatch(await player.log(), /Sound:/);
    const before = game.lines.length;
    await page.click("#open-settings");
    await page.getByLabel("Tell sounds in words").check();
    await page.getByLabel("Sounds", { exact: true }).selectOption("Off");
    await page.getByLabel("Tell sounds in words").uncheck();
    await page.keyboard.press("Escape");
    await game.heard(player, "config sound off");
    assert.deepEqual(game.lines.slice(before), ["config sound off"]);
  }],

  ["things, wares and invitations offer their commands as buttons", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    assert.match(game.data[1], /"Char\.Skills 1".*"Room\.Wares 1"/);
    const dagger = { id: "1", name: "a dagger", attrib: "t", slot: "hand", commands: ["wield dagger", "drop dagger", "sell dagger"] };
    game.send("Char.Status", { gold: 20 });
    game.send("Char.Items.List", { location: "inv", items: [dagger] });
    const rope = { name: "a rope", price: 3, cost: "three copper", count: null, command: "buy rope" };
    const lamp = { name: "a lamp", price: 54, cost: "five silver and four copper", count: null, command: "buy lamp" };
    game.send("Room.Wares.List", [rope, lamp]);
    game.send("Party.Invitations", [{ from: "Bera", accept: "party accept Bera", decline: "party decline Bera" }]);
    await page.getByRole("button", { name: "Wield: a dagger" }).click();
    await game.heard(player, "wield dagger");
    await page.getByRole("button", { name: "More: a dagger" }).click();
    const menu = page.locator("#menu");
    await menu.getByRole("button", { name: "Sell" }).click();
    await menu.getByText("Sell a dagger?").waitFor();
    assert.ok(!game.lines.includes("sell dagger"), "it asks once");
    await menu.getByRole("button", { name: "Sell" }).click();
    await game.heard(player, "sell dagger");
    assert.match(await player.focused(), /More: a dagger/, "the focus comes back");
    await page.getByRole("button", { name: "Buy: a rope, three copper" }).click();
    await game.heard(player, "buy rope");
    const dear = page.getByRole("button", { name: "Buy: a lamp, five silver and four copper, too dear" });
    assert.equal(await dear.getAttribute("aria-disabled"), "true");
    assert.match(await player.text("#panel-here"), /a lamp5s 4c/);
    await page.getByRole("button", { name: "Accept: invitation of Bera" }).click();
    await game.heard(player, "party accept Bera");
  }],

  ["commands from data have labels that a player knows", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const rat = { id: "m1", name: "a clay rat", attrib: "m", commands: ["kill clay rat", "consider clay rat", "look clay rat"] };
    const lamp = { id: "1", name: "a lamp", attrib: "t", commands: ["get lamp", "examine lamp"] };
    const corpse = { id: "2", name: "a corpse", attrib: "cd", commands: ["get all from corpse", "examine corpse"] };
    const clerk = { id: "m3", name: "a clerk", attrib: "mx", commands: ["look clerk", "talk to clerk"] };
    game.send("Char.Items.List", { location: "room", items: [rat, lamp, corpse, clerk] });
    const carried = [["use", "potion"], ["eat", "loaf"], ["wear", "hood"]].map(([verb, name]) => {
      return { id: name, name: `a ${name}`, attrib: "t", commands: [`${verb} ${name}`, `examine ${name}`, `drop ${name}`] };
    });
    game.send("Char.Items.List", { location: "inv", items: carried });
    game.send("Room.Players", [{ name: "Bera", fullname: "Bera", commands: ["look Bera", "follow Bera", "party invite Bera"] }]);
    const presses = [
      ["Attack: a clay rat", "kill clay rat"], ["Take: a lamp", "get lamp"], ["Take all: a corpse", "get all from corpse"],
      ["Talk: a clerk", "talk to clerk"], ["Use: a potion", "use potion"], ["Eat: a loaf", "eat loaf"],
      ["Wear: a hood", "wear hood"], ["Invite: Bera", "party invite Bera"],
    ];
    for (const [label, command] of presses) {
      await page.getByRole("button", { name: label, exact: true }).click();
      await game.heard(player, command);
    }
  }],

  ["a thing is given to a player who is chosen in its menu", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Char.Items.List", { location: "inv", items: [{ id: "1", name: "a loaf", attrib: "t", commands: ["eat loaf", "examine loaf"] }] });
    const more = page.getByRole("button", { name: "More: a loaf" });
    const menu = page.locator("#menu");
    await more.click();
    assert.equal(await menu.getByRole("button", { name: "Give" }).count(), 0, "nobody is here to take it");
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    game.send("Room.Players", ["Bera", "Cato"].map((name) => ({ name, fullname: name, commands: [] })));
    await page.waitForSelector("#panel-here >> text=Cato");
    await more.click();
    await menu.getByRole("button", { name: "Give" }).click();
    await menu.getByRole("button", { name: "Cato" }).click();
    await game.heard(player, "give loaf to Cato");
  }],

  ["abilities on offer are learnt by a press", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Char.Status", { training: 1, offer: "mend" });
    const bash = { name: "bash", desc: "a blow that stuns", learnt: true, ready: true, command: "bash" };
    const mend = { name: "mend", desc: "closes wounds", learnt: false, ready: false, command: "train mend" };
    game.send("Char.Skills.List", { group: "abilities", skills: [bash, mend] });
    await page.waitForSelector("#panel-you >> text=mend: closes wounds");
    await page.getByRole("button", { name: "Learn: mend" }).click();
    await game.heard(player, "train mend");
  }],

  ["branches, notes, mails and players are shown with what can be done about them", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const soon = Math.floor(Date.now() / 1000) + 300;
    game.send("Char.Vitals", { hp: 30, maxhp: 30, xp: 40, nextxp: 350, level: 2 });
    game.send("Room.Branches.List", [{ exit: "north", players: ["Bera", "Cato"], until: soon }, { exit: "east", players: [], until: soon }]);
    game.send("Room.Notes.List", [{ number: 3, from: "Bera", title: "Lamp lost", at: soon, command: "board read 3" }]);
    game.send("Char.Mail.Status", { mails: 2, unread: 1 });
    const mail = (number, read) => ({ number, from: "from Dunn", at: soon, read, items: "a rope", command: `mail read ${number}` });
    game.send("Char.Mail.List", [mail(5, false), mail(4, true)]);
    const here = (name, state) => ({ name, fullname: name, commands: [`look ${name}`], state });
    game.send("Room.Players", [here("Eda", "link-dead"), here("Finn", "ready")]);
    game.send("World.Time", { hour: 20, part: "evening", day: 3, year: 12, night: true });
    game.send("Char.Status", { collapse: soon });
    await page.waitForSelector("#hud >> text=/collapse (29\\d s|300 s|5 min)/");
    const told = (await player.text("#panel-here")).replace(/\s+/g, " ");
    for (const words of ["north: Bera, Cato", "east: nobody is there", "Bera: Lamp lost", "5, from Dunn, with a rope", "Eda (connection lost)"]) {
      assert.ok(told.includes(words), `"${words}" is not in "${told}"`);
    }
    assert.doesNotMatch(told, /4, from Dunn|Finn \(/);
    assert.match((await player.text("#panel-you")).replace(/\s+/g, " "), /Time of dayevening/);
    for (const [name, command] of [["Go: north", "north"], ["Read: Lamp lost", "board read 3"], ["Read: mail 5", "mail read 5"]]) {
      await page.getByRole("button", { name }).click();
      await game.heard(player, command);
    }
    game.send("Room.AddPlayer", here("Eda", "ready"));
    game.send("Room.Branches.List", []);
    game.send("Char.Status", { collapse: 0 });
    await page.waitForFunction(() => !/connection lost|north: /.test(document.querySelector("#panel-here").textContent));
    assert.doesNotMatch(await player.text("#hud"), /collapse/);
    await assertAccessible(page, "lists of a start room");
  }],

  ["a prompt between a command and its answer does not keep the answer from who hears only answers", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    await page.click("#open-settings");
    await page.selectOption("#announce", "answers");
    await page.keyboard.press("Escape");
    const tell = (line) => {
      game.text(`\n${line}\n`);
      game.text("HP:30/30> ");
      game.send("Deepwell.Prompt");
    };
    game.silent = true;
    game.data.length = 0;
    await player.type("score");
    await game.heard(player, "score");
    tell("Bera waves.");
    tell("Level: 1");
    await player.expect("Level: 1");
    game.silent = false;
    for (const ping of game.data.filter((one) => one === "Core.Ping")) game.send(ping);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    tell("Bera leaves.");
    await player.expect("Bera leaves.");
    const heard = await player.text("#announcer");
    assert.ok(heard.includes("Level: 1"), heard);
    assert.doesNotMatch(heard, /> score|leaves/);
  }],

  ["answers in a conversation can be given by a press", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const choices = [{ number: 1, text: "What is below?", command: "1" }, { number: 2, text: "Nothing.", command: "2" }];
    game.send("Char.Dialogue", { name: "The keeper", text: "Yes?", choices });
    await page.waitForSelector("#panel-here >> text=Your answer to The keeper");
    await page.getByRole("button", { name: "Say: What is below?" }).click();
    await game.heard(player, "1");
    game.send("Char.Dialogue", { name: "", text: "", choices: [] });
    await page.waitForSelector("#panel-here >> text=Your answer", { state: "detached" });
  }],

  ["a quest shows its next step, and is told or given up by a press", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const done = { text: "Ask the cook.", count: 1, of: 1, optional: false };
    const next = { text: "Kill three rats.", count: 1, of: 3, optional: false };
    const quest = { name: "Tails", text: "Tails count.", steps: [done, next], about: "quest tails", abandon: "quest abandon tails" };
    game.send("Char.Quests.List", [quest]);
    await page.waitForSelector("#panel-here >> text=Tails: Kill three rats. 1 of 3.");
    await page.getByRole("button", { name: "About: Tails" }).click();
    await game.heard(player, "quest tails");
    await page.getByRole("button", { name: "Give up: Tails" }).click();
    await game.heard(player, "quest abandon tails");
    game.send("Char.Quests.List", []);
    await page.waitForSelector("#panel-here >> text=Tails", { state: "detached" });
  }],

  ["a room that is not clear, and its blocked ways, look so on the map and among the ways out", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const exitsv2 = { w: { num: 1, state: "open", back: true }, e: { num: -1, state: "unexplored" } };
    const coord = { id: 1, x: 1, y: 0, z: -1 };
    game.send("Room.Info", { num: 2, area: "well/branch 1", name: "Lair", coord, floor: 1, details: ["unclear"], clear: false, exitsv2 });
    await page.waitForSelector("#map .links .shut");
    assert.match(await player.text("#legend"), /not clear/);
    assert.match(await page.getByRole("button", { name: /^east.*unexplored/ }).getAttribute("aria-label"), /blocked/);
    game.send("Room.Info", { num: 2, area: "well/branch 1", name: "Lair", coord, floor: 1, details: [], clear: true, exitsv2 });
    await page.waitForSelector("#map .links .shut", { state: "detached" });
    assert.doesNotMatch(await player.text("#legend"), /not clear/);
  }],

  ["rooms of a puzzle show on the map what they hold", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    assert.match(game.data[1], /"Room\.Puzzle 1"/);
    const room = (num, x, exitsv2 = {}) => {
      return { num, area: "well/branch 1", name: `Cell ${num}`, coord: { id: 1, x, y: 0, z: -2 }, floor: 2, details: ["puzzle"], clear: true, exitsv2 };
    };
    game.send("Room.Info", room(1, 0, { e: { num: 2, state: "open" } }));
    game.send("Room.Map", { area: "well/branch 1", part: 1, parts: 1, rooms: [1, 2, 3, 4, 5].map((num) => room(num, num - 1)) });
    game.send("Room.Puzzle.List", [
      { num: 2, contents: [{ kind: "enemy", name: "a clay rat of power 14", power: 14 }] },
      { num: 3, contents: [{ kind: "finish", name: "the finish" }] },
      { num: 4, contents: [{ kind: "thing", name: "a lever" }, null, { kind: "thing" }] },
    ]);
    await page.waitForSelector("#map .letter >> text=14");
    assert.match(await player.text("#map"), /Cell 2: a clay rat of power 14/);
    const legend = await player.text("#legend");
    for (const words of ["an enemy and its power", "the finish", "lever"]) assert.ok(legend.includes(words), `"${words}" is not in ${legend}`);
    const told = await page.getByRole("img", { name: /Map of/ }).getAttribute("aria-label");
    assert.match(told, /a clay rat of power 14 at Cell 2 \(1 east\); the finish at Cell 3 \(2 east\)/);
    game.send("Room.Puzzle.List", [{ num: 3, contents: [{ kind: "finish", name: "the finish" }] }]);
    await page.waitForFunction(() => !document.getElementById("map").textContent.includes("14"));
  }],

  ["a channel is written on, and a tell answered, in the field below the talk", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Comm.Channel.List", [{ name: "ooc", caption: "Out of character", command: "ooc" }, { name: "tell", command: "tell" }]);
    game.send("Comm.Channel.Text", { channel: "ooc", talker: "Bera", text: "[Ooc] Bera: hello" });
    game.send("Comm.Channel.Text", { channel: "tell Bera", talker: "Bera", text: "Bera tells you: this way" });
    game.send("Comm.Channel.Text", { channel: "party", talker: "Bera", text: "Bera tells the party: here" });
    const write = async (label, command) => {
      await page.getByRole("textbox", { name: label }).fill("hello <b>");
      await page.keyboard.press("Enter");
      await game.heard(player, `${command} hello <b>`);
    };
    await write("Say to the room", "say");
    await page.getByRole("button", { name: "Answer Bera" }).click();
    assert.equal(await player.focused(), "talk-line");
    await write("Write on tell Bera", "tell Bera");
    for (const [channel, command] of [["ooc", "ooc"], ["party", "party say"]]) {
      await page.locator("#panel-talk").getByRole("button", { name: channel, exact: true }).click();
      await write(`Write on ${channel}`, command);
    }
    assert.match(await page.locator("#panel-talk time").first().textContent(), /^\d+:\d\d/);
  }],

  ["the tab key completes whole commands that the server offers", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const rats = ["clay rat", "brood rat"].map((name) => ({ id: name, name: `a ${name}`, attrib: "m", commands: [`kill ${name}`, `consider ${name}`] }));
    game.send("Char.Items.List", { location: "room", items: rats });
    game.send("Room.Wares.List", [{ name: "a rope", cost: "three copper", command: "buy rope" }]);
    const exitsv2 = { hatch: { num: 3, state: "open", cmd: "climb hatch" } };
    game.send("Room.Info", { num: 2, area: "town", name: "Loft", coord: { id: 0, x: 0, y: 0, z: 0 }, details: [], exitsv2 });
    game.text("\nA \x1b]8;;send:pull%20lever\x1b\\lever\x1b]8;;\x1b\\.\n");
    await player.expect("A lever.");
    for (const [typed, ...completed] of [
      ["kill c", "kill clay rat"], ["K", "kill clay rat", "kill brood rat"], ["buy", "buy rope"], ["cl", "climb hatch"],
      ["pu", "pull lever"], ["say br", "say brood"],
    ]) {
      await page.fill("#line", typed);
      for (const line of completed) {
        await page.press("#line", "Tab");
        assert.equal(await player.value(), line);
      }
    }
  }],

  ["a silent network is given up within fifteen seconds, and the unconfirmed line is shown", async (browser) => {
    const game = new Game();
    const player = await browser.open({ answer: game.answer, clock: true });
    await player.prompt("name:");
    game.enter();
    await player.prompt("HP:");
    game.silent = true;
    await player.type("drink potion");
    await game.heard(player, "drink potion");
    await player.page.clock.runFor(15_000);
    await player.expect("Perhaps not received");
    await player.expect("The link is broken.");
  }],

  ["lines that wait are given up, and named, if another character comes in", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    await page.fill("#line", "say For Olad only.");
    // At once, because the page soon connects again by itself.
    await page.evaluate(() => {
      window.dispatchEvent(new Event("offline"));
      document.getElementById("command").requestSubmit();
    });
    await player.expect("Waiting for the link: say For Olad only.");
    await player.connect();
    await player.prompt("name:");
    game.send("Char.Name", { name: "Bera", fullname: "Bera" });
    await player.expect("Not sent:\n> say For Olad only.");
    game.text("HP:30/30> ");
    game.send("Deepwell.Prompt");
    await player.prompt("HP:");
    assert.ok(!game.lines.includes("say For Olad only."));
  }],

  ["after a reload only what was missed is shown", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.text("\nBera says: hello\nBera says: hello\nHP:30/30> ");
    await player.expect("Bera says: hello");
    await page.reload();
    await player.prompt("name:");
    game.enter();
    await game.heard(player, "replay 20");
    game.text("\nThe last four messages, the oldest first:\nBera says: hello\nBera says: hello\nBera says: hello\nBera leaves.\n");
    game.text("That was the replay.\nHP:30/30> ");
    await player.expect("Bera leaves.");
    const told = await player.log();
    assert.equal(told.split("Bera says: hello").length - 1, 3, told);
    assert.doesNotMatch(told, /That was the replay|The last four/);
    game.socket.close({ code: 1001 });
    await player.expect("The link is broken.");
    await player.connect();
    await player.prompt("name:");
    game.lines.length = 0;
    game.enter();
    await game.heard(player, "replay 20");
    game.text("\nThe last two messages, the oldest first:\nBera leaves.\nCord arrives.\nThat was the replay.\nHP:30/30> ");
    await player.expect("Cord arrives.");
    assert.equal((await player.log()).split("Bera leaves.").length - 1, 1, "nor twice in the same page");
  }],

  ["after a lost line the same room is not told again, but its changes and another room are", async (browser) => {
    const { game, player } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const cell = ["Cell", "A bare cell.", "Exits: north"];
    const info = (num) => ({ num, name: "Cell", area: "town", coord: { id: 0, x: num, y: 0, z: 0 }, details: [], exitsv2: {} });
    game.text(`\n${cell.join("\n")}\n`);
    game.send("Room.Info", info(7));
    await player.expect("A bare cell.");
    await player.page.evaluate(() => localStorage.setItem("deepwell.seats", '[["Olad",{"token":"1"}]]'));
    const comeBack = async (num, lines, name = "Olad") => {
      const before = (await player.log()).length;
      game.socket.close({ code: 1001 });
      const links = game.links;
      while (game.links === links) {
        await player.connect();
        await player.page.evaluate(() => new Promise(requestAnimationFrame));
      }
      await player.page.waitForFunction(() => document.getElementById("state").textContent === "Connected.");
      await player.expect("The link is broken.", before);
      const from = (await player.log()).length;
      game.send("Deepwell.Seat.Taken", {});
      game.text(`\nYou take hold of your body again.\n${lines.join("\n")}\nHP:30/30> `);
      game.send("Deepwell.Prompt");
      game.send("Char.Name", { name, fullname: name });
      game.send("Room.Info", info(num));
      await player.expect("The link is back.", from);
      game.text("\nDone.\n");
      await player.expect("Done.", from);
      return (await player.log()).slice(from).trim().split("\n");
    };
    assert.deepEqual(await comeBack(7, cell), ["The link is back.", "Done."]);
    assert.deepEqual(await comeBack(7, [...cell, "A rat is here."]), ["The link is back.", "A rat is here.", "Done."]);
    assert.deepEqual((await comeBack(8, cell)).slice(-4), [...cell, "Done."]);
    assert.deepEqual((await comeBack(8, cell, "Bera")).slice(-4), [...cell, "Done."], "another character");
  }],

  ["a way that only others have walked is marked as not seen", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const room = (num, y, exits) => ({ num, name: `Room ${num}`, area: "well/branch 1", coord: { id: 1, x: 1, y, z: -1 },
      floor: 1, clear: true, details: [], exitsv2: exits });
    const back = { num: 1, state: "open", back: true };
    game.send("Room.Info", room(7, 0, { w: back, e: { num: 9, state: "open" }, n: { num: 8, state: "open" }, d: { num: 12, state: "open" } }));
    game.send("Room.Map", { area: "well/branch 1", rooms: [room(8, 1, { s: { num: 7, state: "open" } })] });
    await page.waitForSelector("#map circle.question");
    assert.equal(await page.locator("#map circle.question").count(), 2, "east and down");
    assert.match(await page.getAttribute("#map svg", "aria-label"), /east \(not seen by you\).*down \(not seen by you\)/);
    assert.match(await page.getAttribute(".way-e", "aria-label"), /not seen by you/);
    assert.doesNotMatch(await page.getAttribute(".way-w", "aria-label"), /not seen/);
    assert.doesNotMatch(await page.getAttribute(".way-n", "aria-label"), /not seen/);
  }],

  ["the page comes back after a stop of the server, but not after being sent away", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Core.Goodbye", "The server stops.");
    game.socket.close({ code: 1000 });
    await player.prompt("name:");
    assert.equal(game.links, 2);
    assert.equal(await player.value(), "Olad", "the name is offered again");
    game.send("Core.Goodbye", "You have come in by another way.");
    game.socket.close({ code: 1000 });
    await player.expect("Press Connect and log in to come back.");
    assert.equal(await player.text("#state"), "Not connected.");
    assert.ok(await page.isVisible("#connect"));
    assert.equal(game.links, 2);
  }],
];
