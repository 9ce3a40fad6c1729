// The staff page: login, players, reports, branches with a map, commands, the audit log and the load. Runs on the server
// of the builder page.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import { assertAccessible } from "./access.mjs";
import { crew } from "./build.mjs";
import { PASSWORD } from "./player.mjs";

const docs = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

/** Opens the staff page and logs in. */
async function enter(browser, name, options = {}) {
  const { page } = await browser.open({ door: true, ...options });
  await page.goto(`${browser.origin}/staff`);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Log out" }).waitFor();
  return page;
}

const region = (page, name) => page.getByRole("region", { name, exact: true });

/** Tests: pairs of a name and a function that takes the browser. */
export const staffTests = [
  ["only staff log in at the staff page, and nothing of it is in an address", async (browser) => {
    await crew(browser);
    const player = await browser.create();
    const { page } = await browser.open({ door: true });
    await page.goto(`${browser.origin}/staff`);
    await assertAccessible(page, "the login of the staff page");
    await page.getByLabel("Name", { exact: true }).fill(player.name);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").filter({ hasText: "This page is for staff" }).waitFor();
    assert.ok(browser.requests.every((request) => !request.includes(PASSWORD.split(" ")[0])));
  }],

  ["staff see players, a report and a branch, and act by the keyboard", async (browser) => {
    const { owner } = await crew(browser);
    const player = await browser.create();
    await player.ask("down", "Bottom of the Well");
    await player.ask("north", "Exits:");
    await player.ask("bug The rope is too short.", "That is report");
    const page = await enter(browser, owner);
    const people = page.locator("#people-list tr").filter({ hasText: player.name });
    await people.filter({ hasText: "level 1" }).filter({ hasText: "127.0.0.1" }).filter({ hasText: /seconds?/ }).waitFor();
    await page.getByLabel("Search").fill("nobody has this name");
    await people.waitFor({ state: "detached" });
    await page.getByLabel("Search").fill(player.name.toUpperCase());
    await people.waitFor();
    await page.locator("#people-note", { hasText: "1 with these words." }).waitFor();
    await page.getByLabel("Search").fill("");
    const report = page.locator("#reports-list li").filter({ hasText: "The rope is too short." });
    await report.waitFor();
    await report.getByRole("button", { name: /^Read report/ }).focus();
    await page.keyboard.press("Enter");
    await region(page, "Answer to the command").filter({ hasText: "The rope is too short." }).waitFor();

    const branch = page.locator("#branches-list li").filter({ hasText: player.name });
    await branch.getByRole("button", { name: /^Map/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Branch \d+$/ }).waitFor();
    await page.locator("#branch-words", { hasText: player.name }).waitFor();
    await page.locator("#branch-map .there").waitFor();
    await assertAccessible(page, "with the map of a branch");

    await people.getByRole("button", { name: `Mute ${player.name}` }).focus();
    await page.keyboard.press("Enter");
    const line = page.getByLabel("Command of staff");
    assert.equal(await line.inputValue(), `mute ${player.name} `);
    await page.keyboard.type("for 1h shouting");
    await page.keyboard.press("Enter");
    await page.locator("#told", { hasText: player.name }).waitFor();
    await people.filter({ hasText: "shouting" }).waitFor();
    await player.ask("say Hello?", "muted");

    await page.getByLabel("Name or words").fill("mute");
    await page.keyboard.press("Enter");
    await region(page, "Lines of the audit log").filter({ hasText: `mute ${player.name} for 1h shouting` }).waitFor();
    await page.locator("#charts figcaption", { hasText: /Players on: \d+ now, \d+ at most in the last/ }).waitFor();
    await page.locator("#people-note", { hasText: /players are on\.$/ }).waitFor();
    await page.locator("#branches-note", { hasText: /open\.$/ }).waitFor();
    await line.fill("dig Hole = down");
    await page.keyboard.press("Enter");
    await page.locator("#told.wrong").waitFor();
    await line.fill(`unmute ${player.name}`);
    await page.keyboard.press("Enter");
    await player.expect("You are muted no more.");
    await player.ask("say Hello?", "You say");
    await line.fill(`recover ${player.name}`);
    await page.keyboard.press("Enter");
    await page.locator("#told", { hasText: "This is the code." }).waitFor();
    const code = (await page.locator("#told").textContent()).split("\n")[0];
    assert.match(code, /^[A-Z0-9-]{8,}$/);
    await line.fill("recover nobody_at_all");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Nobody is called" }).waitFor();
    await page.reload();
    await people.waitFor();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("status").filter({ hasText: "You are logged out." }).waitFor();
  }],

  ["the staff page fits every screen, in any colours", async (browser) => {
    const { owner } = await crew(browser);
    for (const [width, height, colorScheme] of [[360, 740, "light"], [1280, 800, "dark"]]) {
      const page = await enter(browser, owner, { viewport: { width, height }, colorScheme });
      await page.locator("#charts figcaption").first().waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${width}: ${wide} pixels stick out`);
      await assertAccessible(page, `${width}, ${colorScheme}`);
      if (process.env.WRITE_GENERATED === "all") {
        await page.screenshot({ path: `${docs}staff-${width > 1000 ? "desktop" : "phone"}.png` });
      }
      await browser.closeAll();
    }
  }],
];
