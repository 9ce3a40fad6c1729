// Updates of the page while the player presses, types and reads: a press is never lost, and elements that stay keep their
// identity and focus.

import assert from "node:assert/strict";

import { open } from "./wire.mjs";

const creature = (id, name) => ({ id, name, attrib: "m", commands: [`kill ${name}`] });
const action = (label, command) => ({ kind: "strike", label, command, ready: true });
const line = (number) => ({ channel: "tell Bera", talker: "Bera", text: `Bera tells you: ${number}` });
const exits = (...names) => Object.fromEntries(names.map((name) => [name, { num: 9, state: "open", cmd: name }]));
const room = (...names) => ({ num: 7, name: "Cell", area: "town", coord: { id: 0, x: 0, y: 0, z: 0 }, details: [], exitsv2: exits(...names) });

/** Pressable elements: how to find each, an update that moves or replaces it, and the command of its press. */
const PRESSES = {
  "a creature among others that arrive": {
    named: "Attack: m5",
    before: (game) => game.send("Char.Items.List", { location: "room", items: [creature("m5", "m5")] }),
    update: (game) => {
      const items = ["m1", "m2", "m3", "m4", "m5"].map((id) => creature(id, id));
      game.send("Char.Items.List", { location: "room", items });
      game.send("Char.Quests.List", [{ name: "Tails", steps: [], about: "quest tails" }]);
    },
    heard: "kill m5",
  },
  "a creature that is gone when the button is released": {
    named: "Attack: m5",
    before: (game) => game.send("Char.Items.List", { location: "room", items: [creature("m5", "m5")] }),
    update: (game) => game.send("Char.Items.List", { location: "room", items: [] }),
    heard: "kill m5",
  },
  "an invitation": {
    named: "Accept: invitation of Cato",
    before: (game) => game.send("Party.Invitations", [{ from: "Cato", accept: "party accept Cato" }]),
    update: (game) => game.send("Party.Invitations", ["Bera", "Cato"].map((from) => ({ from, accept: `party accept ${from}` }))),
    heard: "party accept Cato",
  },
  "an action of a phone": {
    phone: true,
    named: "Attack m5",
    before: (game) => game.send("Char.Actions.List", [action("Attack m5", "kill m5")]),
    update: (game) => {
      game.send("Char.Actions.List", [action("Flee", "flee"), action("Bash", "bash"), action("Attack m5", "kill m5")]);
      game.send("Char.Vitals", { hp: 3, maxhp: 30, xp: 1, nextxp: 2, level: 1, might: 3 });
      game.send("Char.Afflictions.List", Array.from({ length: 12 }, (_, at) => ({ name: `poisoned ${at}` })));
    },
    heard: "kill m5",
  },
  "an exit, while others appear": {
    named: /^climb rope/,
    before: (game) => game.send("Room.Info", room("climb rope")),
    update: (game) => {
      game.send("Room.Info", room("crawl", "enter gate"));
      game.send("Room.Info", room("crawl", "enter gate", "climb rope"));
    },
    heard: "climb rope",
  },
  "a word of the story, while lines come in": {
    word: "lever",
    before: (game) => game.text("\nA \x1b]8;;send:pull%20lever\x1b\\lever\x1b]8;;\x1b\\ is here.\n"),
    update: (game) => game.text(`${Array.from({ length: 60 }, (_, at) => `Line ${at}.`).join("\n")}\n`),
    heard: "pull lever",
  },
};

const next = (page, frames = 6) => page.evaluate(async (frames) => {
  for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
}, frames);

/** Tests: pairs of a name and a function that takes the browser. */
export const updateTests = [
  ...Object.entries(PRESSES).map(([what, { phone, named, word, before, update, heard }]) => [
    `a press is not lost to an update: ${what}`,
    async (browser) => {
      const size = phone ? { viewport: { width: 360, height: 740 } } : {};
      const { game, player, page } = await open(browser, size);
      game.enter();
      await player.prompt("HP:");
      await before(game);
      const one = word ? page.locator("#log .word", { hasText: word }).last() : page.getByRole("button", { name: named, exact: true });
      for (const key of word ? [null] : [null, " "]) {
        game.lines.length = 0;
        await one.hover();
        await one.focus();
        await (key ? page.keyboard.down(key) : page.mouse.down());
        await update(game);
        await next(page);
        await (key ? page.keyboard.up(key) : page.mouse.up());
        await game.heard(player, heard);
        assert.deepEqual(game.lines, [heard], "one press is one command");
        await before(game);
        await one.waitFor();
      }
    },
  ]),

  ["updates that waited for a press are shown after it, also if it never becomes a click", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    game.send("Char.Items.List", { location: "room", items: [creature("m1", "m1")] });
    await page.getByRole("button", { name: "Attack: m1" }).hover();
    await page.mouse.down();
    game.send("Char.Items.List", { location: "room", items: [creature("m2", "m2")] });
    game.text("\nThe ground shakes.\n");
    await next(page);
    assert.equal(await page.getByRole("button", { name: "Attack: m2" }).count(), 0, "it waits");
    await page.mouse.move(5, 5);
    await page.mouse.up();
    await page.getByRole("button", { name: "Attack: m2" }).waitFor();
    await player.expect("The ground shakes.");
    assert.deepEqual(game.lines, []);
    await page.getByRole("button", { name: "Attack: m2" }).hover();
    await page.mouse.down();
    game.text("\nIt shakes again.\n");
    await player.expect("It shakes again.");
    await page.mouse.up();
  }],

  ["elements that stay keep their identity and the focus, whatever changes around them", async (browser) => {
    const { game, player, page } = await open(browser);
    game.enter();
    await player.prompt("HP:");
    const room = (...ids) => game.send("Char.Items.List", { location: "room", items: ids.map((id) => creature(id, "a rat")) });
    room("m1", "m2", "m3");
    const rats = page.getByRole("button", { name: "Attack: a rat" });
    await rats.nth(2).focus();
    const focused = await page.evaluateHandle(() => document.activeElement);
    const same = () => page.evaluate((one) => one === document.activeElement && one.isConnected, focused);
    room("m2", "m3");
    await page.waitForFunction(() => document.querySelectorAll("#panel-here li").length === 2);
    assert.ok(await same(), "another one has left");
    room("m0", "m2", "m3", "m4");
    game.send("Char.Mail.Status", { mails: 1, unread: 1 });
    await page.waitForSelector("#panel-here >> text=1 unread");
    assert.ok(await same(), "others have come");
    for (let number = 0; number < 3; number += 1) game.send("Comm.Channel.Text", line(number));
    const answer = page.getByRole("button", { name: "Answer Bera" });
    await answer.last().focus();
    const last = await page.evaluateHandle(() => document.activeElement);
    for (let number = 3; number < 210; number += 1) game.send("Comm.Channel.Text", line(number));
    await page.waitForSelector("#panel-talk >> text=tells you: 209");
    assert.equal(await answer.count(), 200);
    assert.equal(await page.evaluate((one) => one.isConnected, last), false, "it is one of the lines that were dropped");
    await answer.nth(100).focus();
    const middle = await page.evaluateHandle(() => document.activeElement);
    game.send("Comm.Channel.Text", line(210));
    await page.waitForSelector("#panel-talk >> text=tells you: 210");
    assert.ok(await page.evaluate((one) => one === document.activeElement, middle), "older lines were dropped");
  }],
];
