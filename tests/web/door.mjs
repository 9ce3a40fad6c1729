// The login form, and session resumption without a password, by the labels that a first-time visitor reads.

import assert from "node:assert/strict";

import { assertAccessible } from "./access.mjs";
import { PASSWORD } from "./player.mjs";

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

/** The login form. */
const doorOf = (page) => page.locator("#door-form");

/** Fills in the login form, and presses its button once it has this label. */
async function fill(page, name, password, submit) {
  await doorOf(page).getByLabel("Name", { exact: true }).fill(name);
  await doorOf(page).getByLabel("Password", { exact: true }).fill(password);
  await doorOf(page).getByRole("button", { name: submit, exact: true }).click();
}

const isNew = (page, name) => fill(page, name, PASSWORD, "Create a character");

const comesBack = (page, name, password = PASSWORD) => fill(page, name, password, "Log in");

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
  await player.page.getByRole("button", { name: "Play as a guest" }).click();
  await player.stands("Well Square");
  await player.page.getByRole("button", { name: "Create a character" }).waitFor();
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
  ["the page can be installed as an app, which tells that the server cannot be reached", async (browser) => {
    const player = await browser.open({ door: true });
    const { page, context } = player;
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
    assert.equal(manifest.display, "standalone");
    for (const { src } of manifest.icons) assert.ok((await page.request.get(`${browser.origin}/${src}`)).ok(), src);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    player.cut = true;
    await context.setOffline(true);
    await page.reload();
    await page.getByRole("heading", { name: "No connection" }).waitFor();
    await assertAccessible(page, "the page without a connection");
    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await doorOf(page).waitFor();
  }],

  ["somebody who is new comes in by one form, on a desk and on a phone", async (browser) => {
    for (const options of [{}, PHONE]) {
      const player = await browser.open({ door: true, ...options });
      const { page } = player;
      await page.getByText(/plays? now|Nobody is playing/).waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      assert.ok(!wide, "nothing is cut off");
      await isNew(page, browser.newName());
      await player.stands("Well Square");
      assert.ok(await page.isHidden("#door"));
      await player.ask("look", "Exits:");
      assert.doesNotMatch((await player.log()) + (await player.kept()), /lantern/, "T6");
    }
  }],

  ["the button tells what it does: play as a guest, log in or create a character", async (browser) => {
    const known = await enter(browser);
    const { page } = await browser.open({ door: true });
    const strong = page.locator("#door .strong");
    const button = (words) => page.locator("#door .strong", { hasText: words }).waitFor();
    const hint = (words) => page.locator("#door .hint", { hasText: words }).waitFor();
    const [name, password] = ["Name", "Password"].map((label) => doorOf(page).getByLabel(label, { exact: true }));
    await page.getByText(/plays? now/).waitFor();
    assert.equal(await strong.count(), 1, "one strong button");
    assert.equal(await strong.textContent(), "Play as a guest");
    assert.equal(await page.locator("#door input:visible").count(), 1, "and one field");
    await name.fill(known.name);
    await button("Log in");
    await hint("Log in with your password.");
    assert.equal(await name.getAttribute("aria-invalid"), "false");
    assert.equal(await password.getAttribute("autocomplete"), "current-password");
    await name.fill("Look");
    await hint(/command|word/);
    assert.equal(await name.getAttribute("aria-invalid"), "true");
    await name.fill(browser.newName());
    await hint("That name is free.");
    await button("Create a character");
    assert.equal(await password.getAttribute("autocomplete"), "new-password");
    await password.fill("short");
    await hint("At least six characters.");
    await password.fill(PASSWORD);
    await hint("That password will do.");
    await name.fill("");
    await button("Play as a guest");
    assert.ok(await password.isHidden());
    for (const mode of ["Log in", "Create a character"]) {
      await page.locator("#door .others").getByRole("button", { name: mode }).click();
      await button(mode);
      assert.equal(await page.evaluate(() => document.activeElement.id), "door-name");
      await strong.click();
      await page.getByRole("alert").getByText("Type a name.").waitFor();
    }
    await page.locator("#door .others").getByRole("button", { name: "Play as a guest" }).click();
    await page.waitForFunction(() => document.getElementById("place").textContent === "Well Square");
  }],

  ["the door tells who plays, and who was deepest this week", async (browser) => {
    const player = await enter(browser);
    const { page } = await browser.open({ door: true });
    await page.getByText(new RegExp(`plays? now: .*(${player.name}| more)`)).waitFor();
    await page.route("**/status.json", (route) => route.fulfill({ json: { week: { name: "Bera", depth: 14 } } }));
    await page.reload();
    await page.getByText(/^Deepest this week: Bera, depth 14\. .* plays? now: /).waitFor();
    await page.route("**/status.json", (route) => route.fulfill({ json: {} }));
    await page.reload();
    await page.getByText(/^\w+ plays? now: /).waitFor();
    const sentences = await page.evaluate(async () => {
      const { playersWords } = await import("./door.js");
      return [playersWords(1, ["Bera"]), playersWords(2, ["Bera", "Olad"]), playersWords(12, ["Bera"])];
    });
    assert.deepEqual(sentences, ["One plays now: Bera.", "Two play now: Bera and Olad.", "12 play now: Bera and 11 more."]);
  }],

  ["the door shows a generated branch that grows room by room, and three lines of its story", async (browser) => {
    const { page } = await browser.open({ door: true });
    const { rooms, story, depth } = await (await page.request.get(`${browser.origin}/branch.json`)).json();
    const seen = () => page.locator("#door-branch g").evaluateAll((all) => all.filter((room) => getComputedStyle(room).opacity === "1").length);
    const formAt = () => doorOf(page).evaluate((form) => JSON.stringify(form.getBoundingClientRect()));
    await page.locator("#door-branch li").first().waitFor();
    const [first, place] = [await seen(), await formAt()];
    assert.ok(first < rooms.length, `${first} rooms at the start`);
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === "finished"));
    assert.equal(await seen(), rooms.length);
    assert.equal(await formAt(), place, "the form stays where it is");
    assert.equal(await page.locator("#door-branch .question").count(), 2, "the exits of the last room are unexplored");

    const calm = await browser.open({ door: true, reducedMotion: "reduce" });
    const figure = calm.page.locator("#door-branch");
    await figure.locator("li").first().waitFor();
    const states = await figure.evaluate((part) => part.getAnimations({ subtree: true }).map(({ playState }) => playState));
    assert.ok(states.every((state) => state === "finished"), "the map is complete at once");
    const lines = story.map(({ name, sentence }) => `${name}. ${sentence}`);
    assert.deepEqual(await figure.locator("li").allTextContents(), lines);
    const caption = await figure.locator("figcaption").textContent();
    assert.ok(caption.includes(`${rooms.length - 1} rooms, down to depth ${depth}`), caption);
    assert.equal(await figure.locator("svg").getAttribute("aria-hidden"), "true");
    assert.equal(await calm.page.locator("#door [aria-live] #door-branch, #door [role] #door-branch").count(), 0, "nothing announces it");
    await assertAccessible(calm.page, "the door, with a map");
  }],

  ["password managers find what they need", async (browser) => {
    const { page } = await browser.open({ door: true });
    const fields = await page.locator("#door input").evaluateAll((all) => all.map((one) => [one.type, one.autocomplete]));
    assert.deepEqual(fields, [["text", "username"], ["password", "current-password"]]);
  }],

  ["axe finds nothing at the door, in the dark and in the light, on a desk and on a phone", async (browser) => {
    const known = await enter(browser);
    for (const options of [{ colorScheme: "dark" }, { colorScheme: "light" }, { ...PHONE, colorScheme: "dark" }]) {
      const { page } = await browser.open({ door: true, ...options });
      await page.getByText(/plays? now/).waitFor();
      await assertAccessible(page, "the door");
      await comesBack(page, known.name, "not the password");
      await page.getByRole("alert").getByText("do not belong together").waitFor();
      await assertAccessible(page, "the door, with a refusal");
    }
  }],

  ["by the keyboard alone one makes a character, comes back and logs out", async (browser) => {
    const player = await browser.open({ door: true });
    const { page } = player;
    const name = browser.newName();
    await tabTo(player, "door-name");
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await doorOf(page).getByRole("button", { name: "Create a character" }).waitFor();
    await page.keyboard.press("Enter");
    await player.stands("Well Square");
    await tabTo(player, "open-settings");
    await page.keyboard.press("Enter");
    await tabTo(player, "log-out");
    await page.keyboard.press("Enter");
    await doorOf(page).waitFor();
    await tabTo(player, "door-name");
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
    await page.getByRole("button", { name: `Continue as ${player.name}` }).click();
    await page.waitForFunction(() => document.getElementById("place").textContent === "Well Square");
  }],

  ["whoever logs out has to type the password again, there or everywhere", async (browser) => {
    const player = await enter(browser);
    const { page } = player;
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Log out", exact: true }).click();
    await doorOf(page).waitFor();
    await page.reload();
    await doorOf(page).waitFor();
    assert.equal(await page.getByRole("button", { name: /Continue as/ }).count(), 0);
    await comesBack(page, player.name);
    await player.stands("Well Square");
    const other = await browser.open({ door: true });
    await comesBack(other.page, player.name);
    await other.stands("Well Square");
    await other.page.waitForFunction(() => localStorage.getItem("deepwell.seats"));
    await other.page.getByRole("button", { name: "Settings" }).click();
    await other.page.getByRole("button", { name: "Log out everywhere" }).click();
    await page.getByRole("button", { name: "Play here" }).click();
    await page.getByRole("alert").getByText("type your password").waitFor();
  }],

  ["what one browser keeps lets in no other (A3)", async (browser) => {
    const player = await enter(browser);
    const thief = await browser.open({ door: true });
    await thief.page.evaluate((kept) => localStorage.setItem("deepwell.seats", kept),
      await player.page.evaluate(() => localStorage.getItem("deepwell.seats")));
    await thief.page.reload();
    await thief.page.getByRole("button", { name: `Continue as ${player.name}` }).click();
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
      await page.getByRole("button", { name: "Play as a guest" }).click();
      await player.stands("Well Square");
      await player.ask("north", "Climbers' Lodge");
      await page.getByRole("button", { name: "Create a character" }).click();
      const part = page.getByRole("dialog", { name: "Create a character" });
      await assertAccessible(page, "the dialog of a guest");
      player.name = browser.newName();
      await part.getByLabel("Name", { exact: true }).fill(player.name);
      await part.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await part.getByRole("button", { name: "Create a character" }).click();
      await part.waitFor({ state: "hidden" });
      await player.expect("You have a name and a password now");
      await page.waitForFunction((name) => localStorage.getItem("deepwell.seats")?.includes(name), player.name);
      await page.reload();
      await player.stands("Climbers' Lodge");
      assert.equal(await page.getByRole("button", { name: "Create a character" }).count(), 0);
    }
  }],

  ["a guest who loads the page again is a guest still, and is asked nothing", async (browser) => {
    const { page } = await looksAround(browser);
    await page.waitForFunction(() => localStorage.getItem("deepwell.seats")?.includes("Guest"));
    await page.fill("#line", "north");
    await page.press("#line", "Enter");
    await page.waitForFunction(() => document.getElementById("place").textContent === "Climbers' Lodge");
    await page.reload();
    await page.getByRole("button", { name: "Create a character" }).waitFor();
    await page.waitForFunction(() => document.getElementById("place").textContent === "Climbers' Lodge");
    assert.ok(await page.isHidden("#door"));
    assert.doesNotMatch(await page.textContent("#log"), /name:|Type guest/);
  }],

  ["a form tells nobody how to log in by typing", async (browser) => {
    const player = await enter(browser);
    await player.ask("look", "Exits:");
    assert.doesNotMatch(await player.log(), /Type guest|who, help, and quit/);
    await player.page.reload();
    await player.stands("Well Square");
    assert.doesNotMatch(await player.log(), /Type guest|who, help, and quit/);
    const typist = await browser.open();
    await typist.expect("connect NAME PASSWORD");
  }],

  ["on a small phone the form is in sight, and nothing covers its fields", async (browser) => {
    for (const viewport of [PHONE.viewport, { width: 320, height: 568 }]) {
      const { page } = await browser.open({ door: true, ...PHONE, viewport });
      await page.getByText(/plays? now|Nobody is playing/).waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "nothing is cut off");
      const seen = await page.locator("#door .strong").evaluate((one) => one.getBoundingClientRect().bottom <= window.innerHeight);
      assert.ok(seen, `the button is out of sight at ${viewport.width}`);
      for (const label of ["Name", "Password"]) {
        await page.locator("#door").getByLabel(label, { exact: true }).fill("Olad");
        const covered = await page.evaluate(() => {
          const { left, top, width, height } = document.activeElement.getBoundingClientRect();
          return document.elementFromPoint(left + width / 2, top + height / 2) !== document.activeElement;
        });
        assert.ok(!covered, `${label} is covered`);
      }
    }
  }],

  ["a tab whose character plays in another one says so, and takes it back by one press", async (browser) => {
    const player = await enter(browser);
    const page = await player.context.newPage();
    await page.goto(browser.origin);
    await page.getByRole("button", { name: `Continue as ${player.name}` }).click();
    await player.page.getByRole("alert").getByText(`${player.name} plays in another window or client now.`).waitFor();
    await player.expect("Press Play here to come back.");
    assert.ok(await player.page.isHidden("#connect"), "one way back is enough");
    assert.equal(await player.text("#state"), "Not connected.");
    await player.page.getByRole("button", { name: "Play here" }).click();
    await player.stands("Well Square");
    await player.ask("look", "Exits:");
    await page.getByRole("button", { name: "Play here" }).click();
    await page.waitForFunction(() => document.getElementById("place").textContent === "Well Square");
    await player.page.getByRole("button", { name: "Play here" }).waitFor();
  }],

  ["a tab that is used by typing takes its character back by one press, too", async (browser) => {
    const player = await browser.create();
    const page = await player.context.newPage();
    await page.goto(browser.origin);
    await page.getByRole("textbox", { name: "Your name" }).waitFor();
    await page.fill("#line", player.name);
    await page.press("#line", "Enter");
    await page.waitForSelector("#line[type=password]");
    await page.fill("#line", PASSWORD);
    await page.press("#line", "Enter");
    await player.expect("Press Play here to come back.");
    await player.page.getByRole("button", { name: "Play here" }).click();
    await player.expect("The link is back.");
    await player.stands("Well Square");
    assert.equal(await player.text("#connect"), "Connect");
  }],

  ["a press on a character whose token another tab has deleted asks for the password", async (browser) => {
    const player = await enter(browser);
    const page = await player.context.newPage();
    await page.goto(browser.origin);
    const goOn = page.getByRole("button", { name: `Continue as ${player.name}` });
    await goOn.waitFor();
    await player.page.evaluate(() => localStorage.removeItem("deepwell.seats"));
    await goOn.click();
    await page.getByRole("alert").getByText("Type your password.").waitFor();
    await goOn.waitFor({ state: "hidden" });
    assert.equal(await page.textContent("#state"), "Connected.", "the connection is the same");
  }],

  ["with a line that takes 0.8 seconds and two presses a second a player gets in", async (browser) => {
    const known = await enter(browser);
    await known.type("quit");
    await known.page.getByRole("button", { name: /Continue as|Log in/ }).first().waitFor();
    for (const broken of [false, true]) {
      const player = await browser.open({ door: true });
      const { page } = player;
      await page.getByText(/plays? now|Nobody is playing/).waitFor();
      player.cut = true;
      known.cut = true;
      browser.proxy.cut();
      await page.getByText(/Connecting again/).waitFor();
      browser.proxy.delay = 800;
      browser.proxy.mend();
      const tries = [];
      page.on("websocket", (socket) => {
        socket.on("framesent", ({ payload }) => /^Deepwell\.Door\.Connect/.test(payload) && tries.push(payload));
      });
      await comesBack(page, known.name, broken ? "not the password" : PASSWORD);
      const end = Date.now() + 20_000;
      const done = () => page.evaluate(() => {
        return document.getElementById("place").textContent !== "" || /together/.test(document.getElementById("door-told").textContent);
      });
      while (!(await done())) {
        assert.ok(Date.now() < end, "twenty seconds are enough");
        await page.evaluate(() => document.querySelector("#door-form [type=submit]").click());
        await page.waitForTimeout(500);
      }
      if (!broken) await player.stands("Well Square");
      assert.equal(tries.length, 1, "one request, of which one attempt is counted");
      browser.proxy.delay = 0;
      await player.context.close();
    }
  }],

  ["presses while the line is slow begin no new connection and lose no request", async (browser) => {
    const known = await enter(browser);
    const player = await browser.open({ door: true });
    const { page } = player;
    await page.getByText(/plays? now|Nobody is playing/).waitFor();
    player.cut = true;
    known.cut = true;
    browser.proxy.cut();
    await page.getByText(/Connecting again/).waitFor();
    browser.proxy.hold();
    browser.proxy.mend();
    const before = browser.proxy.accepted;
    await comesBack(page, known.name);
    const press = doorOf(page).getByRole("button", { name: "Log in" });
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
    await doorOf(page).waitFor();
    await page.keyboard.press("Enter");
    await comesBack(page, player.name);
    await player.stands("Well Square");
    assert.doesNotMatch(await player.log(), /Nobody here is called|Look/);
    assert.equal(await player.value(), "Look", "it waits for the player to send it");
  }],
];
