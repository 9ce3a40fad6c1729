// Accessibility and security: contrast and names with axe, keyboard-only use, focus order, phones, themes, and the
// page's security headers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { PASSWORD } from "./player.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails with all violations reported by axe, one per line. */
export async function assertAccessible(page, where) {
  const violations = await page.evaluate(
    `(async () => {
      if (!window.axe) { ${AXE} }
      const found = await window.axe.run(document, { resultTypes: ["violations"] });
      const told = (node) => node.target + " " + node.failureSummary;
      return found.violations.map((one) => one.id + ": " + one.nodes.map(told).join("; "));
    })()`,
  );
  assert.deepEqual(violations, [], where);
}

/** Tests: pairs of a name and a function that takes the browser. */
export const accessTests = [
  ["axe finds nothing, in the dark and in the light", async (browser) => {
    for (const colorScheme of ["dark", "light"]) {
      const player = await browser.open({ colorScheme });
      const { page } = player;
      await player.prompt("name:");
      assert.equal(await page.getAttribute("html", "data-theme"), colorScheme);
      await assertAccessible(page, `${colorScheme}, before the game`);
      await player.create(browser.newName());
      await player.ask("down", "Bottom of the Well");
      await player.ask("north", "Exits:");
      await player.ask("config", "Your settings");
      await player.ask("say Well met.", "You say");
      await assertAccessible(page, `${colorScheme}, in the game`);
      await page.click("#open-settings");
      for (const summary of await page.locator("#settings summary").all()) await summary.click();
      await assertAccessible(page, `${colorScheme}, with the dialog open`);
      await page.keyboard.press("Escape");
      await player.ask("macro f1 = rest;hp", "stands for");
      await player.ask("highlight well met", "is marked");
      await page.click("#open-settings");
      await page.click("#open-own");
      await page.waitForSelector("#own-highlights li");
      await assertAccessible(page, `${colorScheme}, with macros and highlights`);
      await browser.closeAll();
    }
  }],

  ["the theme changes at once and is remembered", async (browser) => {
    const player = await browser.create({ colorScheme: "dark" });
    const { page } = player;
    const background = () => page.evaluate(() => getComputedStyle(document.getElementById("log")).backgroundColor);
    const dark = await background();
    await page.click("#open-settings");
    await page.selectOption("#theme", "light");
    assert.notEqual(await background(), dark);
    await assertAccessible(page, "changed to light");
    await page.keyboard.press("Escape");
    await page.reload();
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
  }],

  ["the tab key goes through the page in the order in which it is read", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    const first = await page.evaluate(() => document.querySelector("a, button, input, [tabindex]").className);
    assert.equal(first, "skip");
    await page.focus(".skip");
    const order = [];
    for (let press = 0; press < 18; press += 1) {
      await page.keyboard.press("Tab");
      order.push(await player.focused());
    }
    const ways = "north.*; west.*; east.*; south.*; up.*; down.*";
    const wanted = `^open-settings; log; (.*; )?line; Send; level-up; level-down; zoom-out; zoom-in; ${ways}; panel-here`;
    assert.match(order.join("; "), new RegExp(wanted));
    await page.focus(".skip");
    await page.keyboard.press("Enter");
    assert.equal(await player.focused(), "line", "the first stop leads to the line");
  }],

  ["everything works by the keyboard alone", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    const tabTo = async (wanted) => {
      for (let press = 0; press < 40; press += 1) {
        if ((await player.focused()).startsWith(wanted)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`the tab key never comes to ${wanted}`);
    };
    await tabTo("north");
    await page.keyboard.press("Enter");
    await player.stands("Climbers' Lodge");
    assert.match(await player.focused(), /^north/, "the cursor stays where it was");
    await page.keyboard.type("say ho");
    assert.equal(await player.value(), "say ho", "typing anywhere is typing on the line");
    await page.keyboard.press("Enter");
    await player.expect("You say: ho");
    await tabTo("talk-line");
    await page.keyboard.type("ho again");
    await page.keyboard.press("Enter");
    await player.expect("You say: ho again");
    await tabTo("open-settings");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#settings[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#settings", { state: "hidden" });
    assert.equal(await player.focused(), "open-settings", "the cursor comes back");
  }],

  ["on a phone all is in reach, also above its keyboard", async (browser) => {
    const player = await browser.create({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    const { page } = player;
    const inside = (selector) => page.evaluate((selector) => {
      const { top, bottom, left, right } = document.querySelector(selector).getBoundingClientRect();
      return top >= 0 && left >= 0 && bottom <= window.innerHeight + 0.5 && right <= window.innerWidth + 0.5;
    }, selector);
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    for (const button of await page.locator(".way, .command .button, .top .button:visible").all()) {
      const { width, height } = await button.boundingBox();
      assert.ok(width >= 44 && height >= 44, `${await button.textContent()} is ${width} by ${height}`);
    }
    await page.tap(".way-d");
    await player.stands("Bottom of the Well");
    await page.tap(".thumb [data-sheet=map]");
    assert.ok((await inside("#map")) && (await inside("#line")) && !(await sideways()));
    for (const name of ["here", "you", "party"]) {
      await page.tap(`[data-sheet=${name}]`);
      assert.ok((await inside(`#panel-${name}`)) && (await inside("#line")), name);
    }
    await page.tap("[data-sheet=party]");
    for (const height of [640, 360, 300]) {
      await page.setViewportSize({ width: 360, height });
      await page.waitForFunction((height) => window.innerHeight === height, height);
      await player.ask("look", "Bottom of the Well");
      await page.waitForFunction(() => {
        const log = document.getElementById("log");
        return log.scrollHeight - log.scrollTop - log.clientHeight < 2;
      });
      assert.ok(await inside("#line"), `the line is out of sight at ${height}`);
      assert.ok(await inside("#log > :last-child"), `the last line is out of sight at ${height}`);
      const room = await page.evaluate(() => document.getElementById("log").clientHeight);
      assert.ok(room >= 100, `only ${room} pixels of story at ${height}`);
      assert.ok(!(await sideways()), `the page is too wide at ${height}`);
    }
  }],

  ["at twice the size nothing is lost", async (browser) => {
    const player = await browser.create({ viewport: { width: 640, height: 480 } });
    await player.page.click("#open-settings");
    await player.page.selectOption("#size", "25");
    await player.page.keyboard.press("Escape");
    const overflow = await player.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.ok(!overflow);
    assert.ok(await player.page.isVisible("#line"));
  }],

  ["the log is a live region that can be told to be quiet", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    assert.equal(await page.getAttribute("#log", "role"), "log");
    assert.equal(await page.getAttribute("#log", "aria-live"), "polite");
    await page.click("#open-settings");
    await page.selectOption("#announce", "answers");
    await page.keyboard.press("Escape");
    assert.equal(await page.getAttribute("#log", "aria-live"), "off");
    await player.ask("score", "Level:");
    await page.waitForFunction(() => document.getElementById("announcer").textContent.includes("Level:"));
    const neighbour = await browser.create();
    await neighbour.ask("ooc Good evening.", "Good evening.");
    await page.waitForFunction(() => document.getElementById("announcer").textContent.includes("Good evening."));
    await neighbour.ask("emote waves.", "waves");
    await neighbour.ask("north", "Lodge");
    await player.expect("north");
    assert.doesNotMatch(await player.text("#announcer"), /leaves|goes north/i, "only answers and speech are spoken");
  }],

  ["who hears only answers hears the room after a login by the form", async (browser) => {
    const player = await browser.open({ door: true });
    const { page } = player;
    await page.click("#open-settings");
    await page.selectOption("#announce", "answers");
    await page.keyboard.press("Escape");
    const form = page.locator("#door-form");
    await form.getByLabel("Name", { exact: true }).fill(browser.newName());
    await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await form.getByRole("button", { name: "Create a character" }).click();
    await player.stands("Well Square");
    await page.waitForFunction(() => document.getElementById("announcer").textContent.includes("Well Square"));
    assert.doesNotMatch(await player.text("#announcer"), /Your name|lantern/);
  }],

  ["who hears only answers hears what a command caused, not the line itself, and the room after each login", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    const heard = () => page.evaluate(() => document.getElementById("announcer").innerText);
    const hears = (words) => page.waitForFunction((words) => document.getElementById("announcer").textContent.includes(words), words);
    await page.click("#open-settings");
    await page.selectOption("#announce", "answers");
    await page.keyboard.press("Escape");
    await player.ask("north", "Climbers' Lodge");
    await player.ask("talk to climber", "old climber");
    await hears("old climber");
    // Lines that are sent before the answer to the first has come.
    await page.evaluate(() => {
      const field = document.getElementById("line");
      for (const line of ["score", "quests", "who"]) {
        field.value = line;
        field.form.requestSubmit();
      }
    });
    await player.expect("awake:");
    await hears("Level:");
    await hears("You have none.");
    await hears("awake:");
    for (const line of ["north", "talk to", "score", "quests", "who"]) assert.ok(!(await heard()).includes(`> ${line}`), line);
    await page.reload();
    await player.stands("Climbers' Lodge");
    await hears("Climbers' Lodge");
    const guest = await browser.open({ door: true });
    await guest.page.click("#open-settings");
    await guest.page.selectOption("#announce", "answers");
    await guest.page.keyboard.press("Escape");
    await guest.page.getByRole("button", { name: "Play as a guest" }).click();
    await guest.stands("Well Square");
    await guest.page.getByRole("button", { name: "Create a character" }).waitFor();
    await guest.page.reload();
    await guest.page.waitForFunction(() => document.getElementById("announcer").textContent.includes("Well Square"));
  }],

  ["the page may load only what is its own", async (browser) => {
    const player = await browser.open();
    const headers = player.response.headers();
    const policy = headers["content-security-policy"];
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https:/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    const inline = await player.page.evaluate(() => ({
      handlers: [...document.querySelectorAll("*")]
        .filter((one) => [...one.attributes].some(({ name }) => name.startsWith("on"))).length,
      scripts: [...document.scripts].filter((script) => !script.src).length,
      styles: document.querySelectorAll("style").length,
    }));
    assert.deepEqual(inline, { handlers: 0, scripts: 0, styles: 0 });
  }],
];
