// Eight tasks of a player's first session, done by a visitor who knows only what the page says: on a desktop and on a
// phone, by mouse or touch, and by keyboard alone. docs/operate/web.md lists the number of actions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { PASSWORD } from "./player.mjs";
import { Visitor } from "./visitor.mjs";

const docs = fileURLToPath(new URL("../../docs/operate/web.md", import.meta.url));

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Tasks with their maximum number of actions on a desktop and on a phone, and of keys with the keyboard alone. */
const TASKS = [
  { task: "make a character", desk: 3, phone: 3, keys: 6, work: makeCharacter },
  { task: "read the map", desk: 0, phone: 1, keys: 8, work: readMap },
  { task: "find the shop and what it sells", desk: 2, phone: 2, keys: 30, work: findShop },
  { task: "send a message to all players", desk: 2, phone: 3, keys: 16, work: talk },
  { task: "accept an invitation to a party", desk: 1, phone: 1, keys: 12, work: joinParty },
  { task: "reconnect after a server restart", desk: 0, phone: 0, keys: 0, work: comeBack },
  { task: "win a first fight", desk: 6, phone: 6, keys: 45, work: fight },
  { task: "log out", desk: 2, phone: 2, keys: 32, work: logOut },
];

async function makeCharacter({ visitor, name }) {
  await visitor.fill("Name", name);
  await visitor.fill("Password", PASSWORD);
  // The answer about the name makes this button that of the form.
  await visitor.reads("That name is free.");
  await visitor.press("button", "Create a character");
  await visitor.stands("Well Square");
}

/** Opens a part of the page that is always visible on a wide screen. */
async function callUp(visitor, button) {
  const name = await visitor.sees("button", button);
  if (name) await visitor.press("button", name);
}

async function readMap({ visitor }) {
  await callUp(visitor, "Map");
  const told = await visitor.reads(/^Map of /);
  assert.match(told, /^Map of town: 8 rooms seen\. You are in Well Square\. Ways out: .*west \(to Chandler's Shop\)/);
  assert.match(told, /Signs: .*shop at Chandler's Shop \(1 west\).*bank at Counting House \(1 south, 1 west\)/);
  const legend = await visitor.text();
  for (const sign of ["shop", "healer", "bank", "you"]) assert.ok(legend.includes(sign), `${sign} is not in the legend`);
}

async function findShop({ visitor }) {
  await visitor.press("button", /shop/i);
  await visitor.press("button", /sale/i);
  await visitor.reads("For sale here:");
}

async function talk({ visitor, friend, name, means }) {
  await callUp(visitor, /^Talk(\d+ not read)?$/);
  if (means === "keyboard") {
    await visitor.reads(/type say or ooc and your words/);
    await visitor.send("ooc", "Is anybody there?");
  } else {
    await visitor.press("button", "ooc");
    await visitor.sendIn("Write on ooc", "Is anybody there?");
  }
  await friend.expect(`${name}: Is anybody there?`);
}

async function joinParty({ visitor, friend, name }) {
  await friend.ask(`party invite ${name}`, "You ask");
  await visitor.reads(/asks you into a party/);
  await visitor.press("button", "Accept");
  await visitor.reads(/^You go with/);
  await friend.ask("party leave", "You leave the party");
}

async function fight({ visitor }) {
  const ended = /^The .* is dead, and you gain/;
  for (;;) {
    const attack = await visitor.sees("button", /^Attack/);
    if (attack) {
      await visitor.press("button", attack);
      await visitor.reads(ended);
      // There may be several enemies.
      await visitor.readsNoLonger(/^your target/);
      return;
    }
    const way = await visitor.sees("button", /unexplored$/, /^(north|east|south|west)$/, /^down/, /Well Square/);
    if (way) await visitor.walk(way);
    else await callUp(visitor, "Here");
  }
}

async function comeBack({ visitor, player, browser }) {
  const room = await player.text("#place");
  player.cut = true;
  await browser.keeper.kill();
  await visitor.reads(/^The link is broken/);
  await browser.keeper.start();
  await visitor.reads("Connected.");
  await visitor.stands(room);
  await visitor.reads("The link is back.");
}

async function logOut({ visitor }) {
  await visitor.press("button", "Settings");
  await visitor.press("button", "Log out");
  await visitor.reads("Log in");
}

/** Does all tasks as one visitor, in order. */
async function evening(browser, size, means) {
  const friend = await browser.create();
  const player = await browser.open({ door: true, ...(size === "phone" ? PHONE : DESK) });
  const visitor = await Visitor.at(player, { keyboard: means === "keyboard", touch: means === "finger" });
  const told = [];
  const name = browser.newName();
  for (const { task, work, keys, ...most } of TASKS) {
    visitor.start();
    await work({ visitor, friend, player, browser, name, means });
    told.push([task, visitor.actions, most[size], means === "keyboard" ? visitor.keys : 0, keys]);
  }
  console.log(`  ${told.map(([task, actions, , pressed]) => `${task}: ${actions}${pressed ? ` (${pressed} keys)` : ""}`).join(", ")}`);
  const more = told.filter(([, actions, most, pressed, keys]) => actions > most || pressed > keys);
  assert.deepEqual(more, [], "more than is told: of actions, or of keys");
}

/** Tests: pairs of a name and a function that takes the browser. They need a keeper that restarts the server. */
export const taskTests = [
  ["a stranger does eight tasks at a desk with a pointer", (browser) => evening(browser, "desk", "pointer")],
  ["a stranger does eight tasks on a phone with a finger", (browser) => evening(browser, "phone", "finger")],
  ["a stranger does eight tasks at a desk by the keyboard alone", (browser) => evening(browser, "desk", "keyboard")],
  ["a stranger does eight tasks on a phone by the keyboard alone", (browser) => evening(browser, "phone", "keyboard")],
  ["the docs tell in how many actions", async () => {
    const page = readFileSync(docs, "utf8");
    const rows = TASKS.map(({ task, desk, phone, keys }) => `| ${task} | ${desk} | ${phone} | ${keys} |`);
    assert.ok(page.includes(rows.join("\n")), `docs/operate/web.md should have\n${rows.join("\n")}`);
  }],
];
