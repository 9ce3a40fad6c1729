// The login form, and session resumption without a password, by the labels that a first-time visitor reads.

import assert from "node:assert/strict";

import { assertAccessible } from "./access.mjs";
import { PASSWORD } from "./player.mjs";

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

/** Fills in a form by its labels. */
async function fill(page, form, labels, submit) {
  const part = page.getByRole("form", { name: form });
  for (const [label, value] of Object.entries(labels)) await part.getByLabel(label, { exact: true }).fill(value);
  await part.getByRole("button", { name: submit }).click();
}

const isNew = (page, name) => fill(page, "New here", { Name: name, Password: PASSWORD }, "Make a character");

const comesBack = (page, name, password = PASSWORD) =>
  fill(page, "Come back", { "Your name": name, "Your password": password }, "Come in");

/** Creates a player with the login form. */
async function enter(browser, options = {}) {
  const player = await browser.open({ door: true, ...options });
  player.name = browser.newName();
  await isNew(player.page, player.name);
  await player.stands("Well Square");
  await player.keepsSeat();
  return player;
}

/** Creates a guest. */
async function looksAround(browser) {
  const player = await browser.open({ door: true });
  await player.page.getByRole("button", { name: "Look around first" }).click();
  await player.stands("Well Square");
  await player.page.getByRole("button", { name: "Stay here" }).waitFor();
  return player;
}

/** Presses the tab key until an element with this name has the focus. */
async function tabTo(player, wanted) {
  for (let press = 0; press < 120; press += 1) {
    if ((await player.focused()).startsWith(wanted)) return;
    await player.page.keyboard.press("Tab");
  }
  assert.fail(`the tab key never comes to ${wanted}`);
}

/** Tests: pairs of a name and a function that takes the browser. */
export const doorTests = [
  ["somebody who is new comes in by one form, on a desk and on a phone", async (browser) => {
    for (const options of [{}, PHONE]) {
      const player = await browser.open({ door: true, ...options });
      const { page } = player;
      await page.getByText(/Playing now|Nobody is playing/).waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      assert.ok(!wide, "nothing is cut off");
      await isNew(page, browser.newName());
      await player.stands("Well Square");
      assert.ok(await page.isHidden("#door"));
      await player.ask("look", "Exits:");
      assert.doesNotMatch((await player.log()) + (await player.kept()), /lantern/, "T6");
    }
  }],

  ["a name is looked at while it is typed, and so is a password", async (browser) => {
    const known = await enter(browser);
    const { page } = await browser.open({ door: true });
    const hint = (words) => page.locator("#door .hint", { hasText: words }).waitFor();
    const name = page.getByRole("form", { name: "New here" }).getByLabel("Name");
    await name.fill(known.name);
    await hint(/taken|called/);
    assert.equal(await name.getAttribute("aria-invalid"), "true");
    await name.fill("Look");
    await hint(/command|word/);
    await name.fill(browser.newName());
    await hint("That name is free.");
    const password = page.getByRole("form", { name: "New here" }).getByLabel("Password");
    await password.fill("short");
    await hint("At least six characters.");
    await password.fill(PASSWORD);
    await hint("That password will do.");
  }],

  ["password managers find what they need", async (browser) => {
    const { page } = await browser.open({ door: true });
    const fields = await page.locator("#door input").evaluateAll((all) => all.map((one) => [one.type, one.autocomplete]));
    assert.deepEqual(fields, [
      ["text", "username"], ["password", "new-password"], ["text", "username"], ["password", "current-password"],
    ]);
  }],

  ["axe finds nothing at the door, in the dark and in the light, on a desk and on a phone", async (browser) => {
    for (const options of [{ colorScheme: "dark" }, { colorScheme: "light" }, { ...PHONE, colorScheme: "dark" }]) {
      const { page } = await browser.open({ door: true, ...options });
      await page.getByText(/Playing now|Nobody is playing/).waitFor();
      await assertAccessible(page, "the door");
      await comesBack(page, "Nobodyatall", "not the password");
      await page.getByRole("alert").getByText("do not belong together").waitFor();
      await assertAccessible(page, "the door, with a refusal");
    }
  }],

  ["by the keyboard alone one makes a character, comes back and logs out", async (browser) => {
    const player = await browser.open({ door: true });
    const { page } = player;
    const name = browser.newName();
    await tabTo(player, "new-name");
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await player.stands("Well Square");
    await tabTo(player, "open-settings");
    await page.keyboard.press("Enter");
    await tabTo(player, "log-out");
    await page.keyboard.press("Enter");
    await page.getByRole("form", { name: "Come back" }).waitFor();
    await tabTo(player, "known-name");
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await player.stands("Well Square");
  }],

  ["a reload and a lost line take the seat again, and no password is asked", async (browser) => {
    const player = await enter(browser);
    const { page } = player;
    for (let time = 0; time < 3; time += 1) {
      await page.reload();
      await player.stands("Well Square");
    }
    await player.ask("north", "Lodge");
    player.cut = true;
    browser.proxy.cut();
    await player.expect("The link is broken.");
    browser.proxy.mend();
    await player.connect();
    await player.stands("Climbers' Lodge");
    assert.doesNotMatch(await player.log(), /password:|Nobody here is called/);
  }],

  ["a new tab of the same browser asks whether to go on, and does by one press", async (browser) => {
    const player = await enter(browser);
    await player.page.close();
    const page = await player.context.newPage();
    await page.goto(browser.origin);
    await page.getByRole("button", { name: `Go on as ${player.name}` }).click();
    await page.waitForFunction(() => document.getElementById("place").textContent === "Well Square");
  }],

  ["whoever logs out has to type the password again, there or everywhere", async (browser) => {
    const player = await enter(browser);
    const { page } = player;
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Log out", exact: true }).click();
    await page.getByRole("form", { name: "Come back" }).waitFor();
    await page.reload();
    await page.getByRole("form", { name: "Come back" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /Go on as/ }).count(), 0);
    await comesBack(page, player.name);
    await player.stands("Well Square");
    const other = await browser.open({ door: true });
    await comesBack(other.page, player.name);
    await other.stands("Well Square");
    await other.page.waitForFunction(() => localStorage.getItem("deepwell.seats"));
    await other.page.getByRole("button", { name: "Settings" }).click();
    await other.page.getByRole("button", { name: "Log out everywhere" }).click();
    await page.getByRole("button", { name: `Go on as ${player.name}` }).click();
    await page.getByRole("alert").getByText("type your password").waitFor();
  }],

  ["what one browser keeps lets in no other (A3)", async (browser) => {
    const player = await enter(browser);
    const thief = await browser.open({ door: true });
    await thief.page.evaluate((kept) => localStorage.setItem("deepwell.seats", kept),
      await player.page.evaluate(() => localStorage.getItem("deepwell.seats")));
    await thief.page.reload();
    await thief.page.getByRole("button", { name: `Go on as ${player.name}` }).click();
    await thief.page.getByRole("alert").getByText("type your password").waitFor();
    const cookies = await player.page.evaluate(() => document.cookie);
    assert.equal(cookies, "", "no script reads what the browser is known by");
    const urls = browser.requests.join(" ");
    assert.doesNotMatch(urls, /[0-9a-f]{64}/, "no token is in an address");
  }],

  ["somebody looks around first, and becomes a character with one form", async (browser) => {
    for (const options of [{}, PHONE]) {
      const player = await browser.open({ door: true, ...options });
      const { page } = player;
      await page.getByRole("button", { name: "Look around first" }).click();
      await player.stands("Well Square");
      await player.ask("north", "Climbers' Lodge");
      await page.getByRole("button", { name: "Stay here" }).click();
      const part = page.getByRole("dialog", { name: "Stay here" });
      await assertAccessible(page, "the dialog of a guest");
      player.name = browser.newName();
      await part.getByLabel("Name", { exact: true }).fill(player.name);
      await part.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await part.getByRole("button", { name: "Make a character" }).click();
      await part.waitFor({ state: "hidden" });
      await player.expect("You have a name and a password now");
      await page.waitForFunction((name) => localStorage.getItem("deepwell.seats")?.includes(name), player.name);
      await page.reload();
      await player.stands("Climbers' Lodge");
      assert.equal(await page.getByRole("button", { name: "Stay here" }).count(), 0);
    }
  }],

  ["a guest who loads the page again is a guest still, and is asked nothing", async (browser) => {
    const { page } = await looksAround(browser);
    await page.waitForFunction(() => localStorage.getItem("deepwell.seats")?.includes("Guest"));
    await page.fill("#line", "north");
    await page.press("#line", "Enter");
    await page.waitForFunction(() => document.getElementById("place").textContent === "Climbers' Lodge");
    await page.reload();
    await page.getByRole("button", { name: "Stay here" }).waitFor();
    await page.waitForFunction(() => document.getElementById("place").textContent === "Climbers' Lodge");
    assert.ok(await page.isHidden("#door"));
    assert.doesNotMatch(await page.textContent("#log"), /name:|Type connect NAME/);
  }],

  ["a form tells nobody how to log in by typing", async (browser) => {
    const player = await enter(browser);
    await player.ask("look", "Exits:");
    assert.doesNotMatch(await player.log(), /Type connect|who, help, and quit/);
    await player.page.reload();
    await player.stands("Well Square");
    assert.doesNotMatch(await player.log(), /Type connect|who, help, and quit/);
    const typist = await browser.open();
    await typist.expect("Type connect NAME");
  }],

  ["on a phone the forms come first, and a look around is in sight", async (browser) => {
    const { page } = await browser.open({ door: true, ...PHONE });
    const seen = await page.evaluate(() => {
      const [forms, look] = [document.querySelector("#door .doors"), document.getElementById("door-look")];
      const { top, bottom } = look.getBoundingClientRect();
      const first = Boolean(forms.compareDocumentPosition(look) & Node.DOCUMENT_POSITION_FOLLOWING);
      return { first, inside: top >= 0 && bottom <= window.innerHeight };
    });
    assert.deepEqual(seen, { first: true, inside: true });
    for (const label of ["Name", "Your password"]) {
      await page.locator("#door").getByLabel(label, { exact: true }).focus();
      const covered = await page.evaluate(() => {
        const { left, top, width, height } = document.activeElement.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) !== document.activeElement;
      });
      assert.ok(!covered, `${label} is covered`);
    }
  }],

  ["a tab whose character plays in another one says so, and takes it back by a press", async (browser) => {
    const player = await enter(browser);
    const page = await player.context.newPage();
    await page.goto(browser.origin);
    await page.getByRole("button", { name: `Go on as ${player.name}` }).click();
    await player.page.getByRole("alert").getByText("This character plays in another window or client now.").waitFor();
    await player.expect(`Press Go on as ${player.name} to take it back.`);
    assert.ok(await player.page.isHidden("#connect"), "one way back is enough");
    assert.equal(await player.text("#state"), "Not connected.");
    await player.page.getByRole("button", { name: `Go on as ${player.name}` }).click();
    await player.stands("Well Square");
    await player.ask("look", "Exits:");
  }],

  ["presses while the line is slow begin no new connection and lose no request", async (browser) => {
    const known = await enter(browser);
    const player = await browser.open({ door: true });
    const { page } = player;
    await page.getByText(/Playing now|Nobody is playing/).waitFor();
    player.cut = true;
    known.cut = true;
    browser.proxy.cut();
    await page.getByText(/Connecting again/).waitFor();
    browser.proxy.hold();
    browser.proxy.mend();
    const before = browser.proxy.accepted;
    await fill(page, "Come back", { "Your name": known.name, "Your password": PASSWORD }, "Come in");
    const press = page.getByRole("form", { name: "Come back" }).getByRole("button", { name: "Come in" });
    for (let presses = 0; presses < 6; presses += 1) {
      await press.click();
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await known.page.context().close();
    assert.ok(browser.proxy.accepted - before <= 2, "one of this page, and one of the other page");
    browser.proxy.release();
    await player.stands("Well Square");
  }],

  ["what is typed without a link is never an answer at the door", async (browser) => {
    const player = await enter(browser);
    const { page } = player;
    player.cut = true;
    browser.proxy.cut();
    await player.expect("The link is broken.");
    await page.evaluate(() => localStorage.removeItem("deepwell.seats"));
    await page.fill("#line", "Look");
    browser.proxy.mend();
    await player.connect();
    await page.getByRole("form", { name: "Come back" }).waitFor();
    await page.keyboard.press("Enter");
    await comesBack(page, player.name);
    await player.stands("Well Square");
    assert.doesNotMatch(await player.log(), /Nobody here is called|Look/);
    assert.equal(await player.value(), "Look", "it waits for the player to send it");
  }],
];
