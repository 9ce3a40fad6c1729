// The server is killed and restarted with browsers open: players continue without a password. Lines typed while
// disconnected are never used as a name or shown at a password prompt.

import assert from "node:assert/strict";

import { PASSWORD } from "./player.mjs";

/** Fills in the login form for a new character. */
async function fillIn(page, name) {
  const form = page.locator("#door-form");
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  return form.getByRole("button", { name: "Create a character" });
}

/** Returns a player who has registered with the form. */
async function enter(browser) {
  const player = await browser.open({ door: true });
  player.name = browser.newName();
  await (await fillIn(player.page, player.name)).click();
  await player.stands("Well Square");
  await player.keepsSeat();
  return player;
}

/** Fails unless the player is back in the room, without a question, and the command line still has the typed text. */
async function assertBack(player, room, typed) {
  await player.expect("The link is back.");
  await player.stands(room);
  const { page } = player;
  assert.equal(await page.getAttribute("#line", "type"), "text");
  assert.equal(await player.value(), typed);
  const told = (await player.log()).slice((await player.log()).indexOf("The link is broken."));
  assert.doesNotMatch(told, /Nobody here is called|password:|name:/);
  assert.doesNotMatch((await player.log()) + (await player.kept()), /lantern/);
}

/** Tests: pairs of a name and a function that takes the browser. They need a keeper that restarts the server. */
export const restartTests = [
  ["after a kill of the server everybody goes on where they were, and what was typed meanwhile is safe", async (browser) => {
    const walker = await enter(browser);
    await walker.ask("north", "Climbers' Lodge");
    const typist = await browser.create();
    const changer = await enter(browser);
    await changer.type("password");
    await changer.prompt("your password now:");
    await changer.page.waitForSelector("#line[type=password]");
    await changer.page.fill("#line", PASSWORD);
    const newcomer = await browser.open({ door: true });
    newcomer.name = browser.newName();
    const create = await fillIn(newcomer.page, newcomer.name);
    const guest = await browser.open({ door: true });
    await guest.page.getByRole("button", { name: "Play as a guest" }).click();
    await guest.stands("Well Square");
    guest.name = await guest.playerName();
    await guest.keepsSeat();
    const players = [walker, typist, changer, newcomer, guest];
    for (const player of players) player.cut = true;

    await browser.keeper.kill();
    await Promise.all([walker, typist, changer, guest].map((player) => player.expect("The link is broken.")));
    assert.equal(await changer.value(), "", "half a password is nothing to keep");
    assert.equal(await changer.page.getAttribute("#line", "type"), "text");
    for (const player of [walker, typist]) await player.ask("exits", "Waiting for the link: exits");
    await changer.page.fill("#line", "say Where was I?");
    await guest.page.fill("#line", "Look");
    await browser.keeper.start();

    await assertBack(walker, "Climbers' Lodge", "");
    await assertBack(typist, "Well Square", "");
    for (const player of [walker, typist]) await player.expect("> exits");
    await assertBack(changer, "Well Square", "say Where was I?");
    const before = (await changer.log()).length;
    await changer.page.press("#line", "Enter");
    await changer.expect("You say: Where was I?", before);
    await walker.ask("look", "Exits:");

    await newcomer.page.getByText("Connected.", { exact: true }).waitFor();
    await create.click();
    await newcomer.stands("Well Square");
    assert.doesNotMatch(await newcomer.log(), /lantern/);

    await assertBack(guest, "Well Square", "Look");
    assert.doesNotMatch(await guest.log(), /Nobody here is called/, "what a guest has typed is no name");
    assert.equal(await guest.value(), "Look", "it waits for the guest to send it");
  }],

  ["a new tab after a kill of the server goes on by one press", async (browser) => {
    const player = await enter(browser);
    player.cut = true;
    await player.page.close();
    await browser.keeper.kill();
    await browser.keeper.start();
    const page = await player.context.newPage();
    await page.goto(browser.origin);
    await page.getByRole("button", { name: `Continue as ${player.name}` }).click();
    await page.waitForFunction(() => document.getElementById("place").textContent === "Well Square");
  }],
];
