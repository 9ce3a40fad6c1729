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

  ["vitals, afflictions and an opponent are told in words and figures", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    game.send("Char.Vitals", { hp: 5, maxhp: 30, xp: 40, nextxp: 350, level: 2, might: 12, string: "" });
    game.send("Char.Status", { floor: 3, training: 1, gold: 54, enemy: "a brood rat", enemypct: 40 });
    game.send("Char.Afflictions.List", [{ name: "stunned" }]);
    game.send("Char.Afflictions.Add", { name: "webbed" });
    game.send("Char.Afflictions.Remove", ["stunned"]);
    game.send("Char.Defences.Add", { name: "rested" });
    await page.waitForSelector("#vitals >> text=rested");
    const told = (await player.text("#vitals")).replace(/\s+/g, " ");
    for (const words of ["5/30 critical", "Purse: 5 silver, 4 copper", "Might", "12", "Dungeon level", "a brood rat", "40%", "webbed"]) {
      assert.ok(told.includes(words), `"${words}" is not in "${told}"`);
    }
    assert.doesNotMatch(told, /stunned/);
    const colour = () => page.evaluate(() => getComputedStyle(document.querySelector("#vitals .figures")).color);
    const colours = [await colour()];
    for (const [hp, told] of [[10, "10/30 low"], [20, "20/30"]]) {
      game.send("Char.Vitals", { hp, maxhp: 30, xp: 40, nextxp: 350, level: 2, string: "" });
      await page.waitForFunction((told) => document.querySelector("#vitals .figures").textContent === told, told);
      colours.push(await colour());
    }
    assert.equal(new Set(colours).size, 3, "and in three colours");
  }],

  ["who and what is here can be seen and acted on", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    game.send("Room.Players", [{ name: "Bera", fullname: "Bera the Novice" }]);
    game.send("Room.AddPlayer", { name: "Mika", fullname: "Mika" });
    game.send("Room.RemovePlayer", "Bera");
    const items = [{ id: "1", name: "a toll goblin", attrib: "m" }, { id: "2", name: "a blue lamp", attrib: "t" }];
    game.send("Char.Items.List", { location: "room", items });
    game.send("Char.Items.List", { location: "inv", items: [{ id: "3", name: "a short sword", attrib: "lW" }] });
    game.send("Char.Items.Add", { location: "inv", item: { id: "4", name: "a loaf", attrib: "" } });
    game.send("Char.Items.Remove", { location: "room", item: { id: "2" } });
    await page.waitForSelector("#panel-here >> text=a loaf");
    const told = await player.text("#panel-here");
    assert.match(told, /People.*Mika.*Creatures.*a toll goblin.*You carry.*a short sword \(wielded\)/s);
    assert.doesNotMatch(told, /Bera|blue lamp/);
    await page.getByRole("button", { name: "Attack: a toll goblin" }).click();
    await game.heard(player, "kill toll goblin");
    await page.getByRole("button", { name: /Remove: a short sword/ }).click();
    await game.heard(player, "remove short sword");
  }],

  ["the party is shown as it is now", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    const place = { place: "Well Square", room: 1 };
    const bera = { name: "Bera", hp: 30, maxhp: 30, level: 1, ...place, state: "ready", leader: true };
    game.send("Party.Info", { id: 1, leader: "Bera", loot: "round-robin", members: [bera] });
    game.send("Party.Update", { ...bera, hp: 3, state: "down" });
    await page.click("#tab-party");
    await page.waitForSelector("#panel-party >> text=3/30 HP");
    assert.match(await player.text("#panel-party"), /Bera, leads.*down, Well Square.*Loot: round-robin\./);
    game.send("Party.Info", { id: null, leader: null, loot: null, members: [] });
    await page.waitForSelector("#panel-party >> text=You are in no party");
  }],

  ["members of the party here are rescued and assisted by a press, beside their names and by a key", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const member = (name, room, state, hp = 30) => ({ name, room, state, hp, maxhp: 30, level: 1, place: `Room ${room}` });
    const members = [member("Olad", 1, "ready"), member("Bera", 1, "down", 3), member("Cato", 1, "fighting", 12), member("Dunn", 2, "down")];
    game.send("Party.Info", { id: 1, leader: "Olad", loot: "leader", members });
    await page.click("#tab-party");
    await page.getByRole("button", { name: "Rescue: Bera" }).click();
    await game.heard(player, "rescue Bera");
    await page.getByRole("button", { name: "Assist: Cato" }).click();
    await game.heard(player, "assist Cato");
    assert.match(await player.text("#panel-party"), /3\/30 HP, critical, .*12\/30 HP, low, /);
    assert.equal(await page.getByRole("button", { name: /Dunn/ }).count(), 0, "in another room");
    game.lines.length = 0;
    await page.press("#line", "1");
    await game.heard(player, "rescue Bera");
    await page.press("#line", "2");
    await game.heard(player, "assist Cato");
    game.send("Party.Update", member("Bera", 1, "ready"));
    await page.getByRole("button", { name: "Rescue Bera", exact: true }).waitFor({ state: "hidden" });
    await page.press("#line", "1");
    await page.waitForFunction(() => document.getElementById("line").value === "");
    assert.deepEqual(game.lines, ["rescue Bera", "assist Cato", "assist Cato"]);
  }],

  ["the keys 1 to 9 press what is offered, and only on an empty line that asks nothing", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const rat = { id: "m1", name: "a clay rat", attrib: "m", commands: ["kill clay rat"] };
    game.send("Char.Items.List", { location: "room", items: [rat] });
    game.send("Char.Items.List", { location: "inv", items: [{ id: "1", name: "a red potion", icon: "potion", commands: ["use red potion"] }] });
    game.send("Char.Skills.List", [{ name: "bash", desc: "", learnt: true, ready: true, command: "bash" }]);
    const offered = (label) => page.locator("#actions").getByRole("button", { name: label, exact: true });
    const press = async (key, command) => {
      game.lines.length = 0;
      await page.keyboard.press(key);
      await game.heard(player, command);
      assert.deepEqual(game.lines, [command]);
      assert.equal(await player.value(), "");
    };
    await offered("Attack clay rat").waitFor();
    assert.ok(await offered("Attack clay rat").isVisible(), "at a desk, too");
    await page.focus("#line");
    await press("1", "kill clay rat");
    await page.focus("#log");
    await press("1", "kill clay rat");
    game.send("Char.Status", { enemy: "a clay rat", enemypct: 90 });
    await offered("Flee").waitFor();
    await press("1", "bash");
    await press("2", "use red potion");
    await press("9", "flee");
    await page.keyboard.press("8");
    assert.equal(await player.value(), "8", "nothing has this key");
    await page.keyboard.press("1");
    assert.equal(await player.value(), "81");
    await page.fill("#line", "");
    game.send("Char.Dialogue", { name: "The keeper", text: "?", choices: [{ number: 1, text: "Why?", command: "1" }, { number: 2, text: "No.", command: "2" }] });
    await offered("No.").waitFor();
    await press("2", "2");
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

  ["the whole text is searched with Ctrl+K, and saved as a file", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.text(`\n${Array.from({ length: 3000 }, (_, at) => (at === 7 ? "A \x1b[1mRed\x1b[0m lamp." : `Line ${at}.`)).join("\n")}\n`);
    await player.expect("Line 2999.");
    await page.press("#line", "Control+k");
    const dialog = page.getByRole("dialog", { name: "Search the text" });
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
    await page.getByRole("button", { name: "Search the text" }).click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await player.value(), "");
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

  ["things, wares and invitations offer their commands as buttons", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    assert.match(game.data[1], /"Char\.Skills 1".*"Room\.Wares 1"/);
    const dagger = { id: "1", name: "a dagger", attrib: "t", commands: ["wield dagger", "drop dagger", "sell dagger"] };
    game.send("Char.Items.List", { location: "inv", items: [dagger] });
    game.send("Room.Wares.List", [{ name: "a rope", price: 3, cost: "three copper", count: null, command: "buy rope" }]);
    game.send("Party.Invitations", [{ from: "Bera", accept: "party accept Bera", decline: "party decline Bera" }]);
    await page.getByRole("button", { name: "Wield: a dagger" }).click();
    await game.heard(player, "wield dagger");
    await page.getByRole("button", { name: "Sell: a dagger" }).click();
    await game.heard(player, "sell dagger");
    await page.getByRole("button", { name: "Buy: a rope, three copper" }).click();
    await game.heard(player, "buy rope");
    await page.click("#tab-party");
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
      ["Wear: a hood", "wear hood"], ["Drop: a loaf", "drop loaf"], ["Invite: Bera", "party invite Bera"],
    ];
    for (const [label, command] of presses) {
      await page.getByRole("button", { name: label, exact: true }).click();
      await game.heard(player, command);
    }
  }],

  ["a thing is given by a line that is begun, and a half-typed line stays in the history", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Char.Items.List", { location: "inv", items: [{ id: "1", name: "a loaf", attrib: "t", commands: ["eat loaf"] }] });
    await page.waitForSelector("#panel-here >> text=a loaf");
    assert.equal(await page.getByRole("button", { name: /^Give/ }).count(), 0, "nobody is here to take it");
    game.send("Room.Players", [{ name: "Bera", fullname: "Bera", commands: [] }]);
    await page.fill("#line", "say half");
    await page.getByRole("button", { name: "Give: a loaf" }).click();
    assert.equal(await player.value(), "give loaf to Bera");
    assert.equal(await player.focused(), "line");
    assert.ok(!game.lines.includes("give loaf to Bera"), "the player sends it");
    await page.keyboard.press("Alt+ArrowUp");
    assert.equal(await player.value(), "say half");
  }],

  ["abilities that are learnt can be used, and those on offer learnt, by a press", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Char.Status", { training: 1, offer: "mend" });
    const bash = { name: "bash", desc: "a blow that stuns", learnt: true, ready: true, command: "bash" };
    const mend = { name: "mend", desc: "closes wounds", learnt: false, ready: false, command: "train mend" };
    game.send("Char.Skills.List", [bash, { ...bash, name: "feint", ready: false, command: "feint" }, mend]);
    await page.waitForSelector("#panel-here >> text=mend: closes wounds");
    await page.getByRole("button", { name: "Use: bash" }).click();
    await game.heard(player, "bash");
    assert.equal(await page.getByRole("button", { name: "Use: feint" }).count(), 0, "it is not ready");
    await page.getByRole("button", { name: "Learn: mend" }).click();
    await game.heard(player, "train mend");
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

  ["a channel is written on, and a tell answered, by a line that is begun", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Comm.Channel.List", [{ name: "ooc", caption: "Out of character", command: "ooc" }, { name: "tell", command: "tell" }]);
    game.send("Comm.Channel.Text", { channel: "ooc", talker: "Bera", text: "[Ooc] Bera: hello" });
    game.send("Comm.Channel.Text", { channel: "tell Bera", talker: "Bera", text: "Bera tells you: this way" });
    await page.click("#tab-talk");
    await page.getByRole("button", { name: "Answer Bera" }).click();
    assert.equal(await player.value(), "tell Bera ");
    assert.equal(await page.getByRole("button", { name: /^Write/ }).count(), 0, "all channels are no channel");
    for (const [channel, begun] of [["ooc", "ooc "], ["tell Bera", "tell Bera "]]) {
      await page.locator("#panel-talk").getByRole("button", { name: channel, exact: true }).click();
      await page.getByRole("button", { name: `Write on ${channel}` }).click();
      assert.equal(await player.value(), begun);
    }
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
      game.socket.close({ code: 1001 });
      const links = game.links;
      while (game.links === links) {
        await player.connect();
        await player.page.evaluate(() => new Promise(requestAnimationFrame));
      }
      await player.page.waitForFunction(() => document.getElementById("state").textContent === "Connected.");
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
