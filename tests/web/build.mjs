// The builder page: login, map, editing, errors while typing, two builders at the same time, and a killed server. Runs
// on a separate server with the owner's token in OWNER_TOKEN, if RUN=build.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { assertAccessible } from "./access.mjs";
import { PASSWORD } from "./player.mjs";

const docs = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

/** Text that would change if any layer interpreted it as markup. */
const NASTY = `<script>document.title = "stolen"</script> & "quotes" 'and' <img src=x onerror="alert(1)"> \u{1f980} \u05d0\u05d1 n\u00f6rth`;

/** The owner of the world and two builders; created once per server. */
let staff = null;

export async function crew(browser) {
  if (staff) return staff;
  const owner = await browser.create();
  await owner.ask(`claim ${process.env.OWNER_TOKEN}`, "This world is yours.");
  const names = [];
  for (let at = 0; at < 2; at += 1) {
    const builder = await browser.create();
    names.push(builder.name);
    await owner.ask(`promote ${builder.name} builder`, "is a builder now");
    await builder.type("quit");
    await builder.expect("You have left.");
  }
  await owner.ask("north", "Lodge");
  await owner.ask("zone new yard", "yard");
  await owner.ask("dig Mill Yard = gate, lodge", "You dig Mill Yard");
  await owner.ask("gate", "Mill Yard");
  await owner.ask("zone set yard", "yard");
  await owner.ask("tunnel north = Barn", "You dig Barn");
  await owner.ask("tunnel up = Hay Loft", "You dig Hay Loft");
  for (const name of names) await owner.ask(`zone add ${name}`, "builds in the zone");
  await owner.type("quit");
  await owner.expect("You have left.");
  staff = { owner: owner.name, builders: names };
  return staff;
}

/** A builder on the builder page. */
class Builder {
  constructor(page) {
    this.page = page;
  }

  static async open(browser, options = {}) {
    const visitor = await browser.open({ door: true, ...options });
    await visitor.page.goto(`${browser.origin}/build`);
    const builder = new Builder(visitor.page);
    builder.player = visitor;
    return builder;
  }

  static async enter(browser, name, options = {}) {
    const builder = await Builder.open(browser, options);
    await builder.logIn(name);
    return builder;
  }

  async logIn(name, password = PASSWORD) {
    await this.page.getByLabel("Name", { exact: true }).fill(name);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByRole("button", { name: "Log in" }).click();
    if (password === PASSWORD) await this.page.getByRole("button", { name: "Log out" }).waitFor();
  }

  /** Opens a room of the yard by its name on the map. */
  async room(name) {
    await this.zone("yard");
    await this.page.locator("#rooms li").first().waitFor({ state: "attached" });
    const onMap = this.page.getByRole("button", { name: new RegExp(`^${name}, room \\d+;`) });
    if ((await onMap.count()) === 0) {
      // The room is on another level; the list has all rooms.
      const list = this.page.locator("#rooms");
      if (!(await list.isVisible())) await this.page.locator("summary", { hasText: "Rooms as a list" }).click();
      await list.getByRole("button", { name: new RegExp(`^${name}, room`) }).click();
    } else {
      await onMap.click();
    }
    await this.page.getByRole("heading", { name: new RegExp(`^${name}, room`) }).waitFor();
  }

  async zone(name) {
    const zone = this.page.getByLabel("Zone", { exact: true });
    if ((await zone.inputValue()) !== name) await zone.selectOption(name);
  }

  async tab(name) {
    await this.page.getByRole("tab", { name, exact: true }).click();
  }

  group(name) {
    return this.page.getByRole("group", { name, exact: true });
  }

  field(label, group = "This room") {
    return this.group(group).getByLabel(label);
  }

  async save() {
    await this.page.getByRole("button", { name: /^Save/ }).click();
  }

  async state(words) {
    // A string would match in any case, and so "Saved." in "Not saved.".
    await this.page.locator("#state", { hasText: new RegExp(words) }).waitFor();
  }

  async saved() {
    await this.save();
    await this.state("Saved.");
  }

  async alarm(words) {
    await this.page.getByRole("alert").filter({ hasText: words }).waitFor();
  }

  async add(title, values, button) {
    const form = this.page.getByRole("form", { name: title });
    if (!(await form.isVisible())) await this.page.locator("summary", { hasText: title }).click();
    for (const [label, value] of Object.entries(values)) await form.getByLabel(label).fill(value);
    await form.getByRole("button", { name: button }).click();
  }

  async see(button, words) {
    await this.page.getByRole("button", { name: button }).click();
    await this.page.locator("#told", { hasText: words }).waitFor();
  }
}

/** Creates a builder who types commands in the game. */
async function types(browser, name, ...rooms) {
  const player = await browser.open();
  await player.login(name);
  for (const room of rooms) await player.ask(`goto ${room}`, "Exits:");
  return player;
}

async function assertFits(page, where) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wide <= 0, `${where}: ${wide} pixels too wide`);
}

/** Fails with all that axe reports in either theme. */
async function assertAccessibleInBoth(page, where) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `${where}, ${colorScheme}`);
  }
}

/** Window sizes at which all elements must be reachable, from a phone to a large desktop. */
const SIZES = [[360, 740], [768, 1024], [1280, 800], [1920, 1080]];

/** Tests: pairs of a name and a function that takes the browser. */
export const buildTests = [
  ["the map zooms, fits the level and keeps the open room in view", async (browser) => {
    const { builders } = await crew(browser);
    const { page } = await Builder.enter(browser, builders[0]).then(async (builder) => {
      await builder.room("Mill Yard");
      return builder;
    });
    const width = () => page.locator("#plan svg").evaluate((svg) => svg.getBoundingClientRect().width);
    const fitted = await width();
    for (let press = 0; press < 6; press += 1) await page.getByRole("button", { name: "Larger map" }).click();
    assert.ok((await width()) > 2 * fitted);
    const seen = await page.locator("#plan [aria-current]").evaluate((node) => {
      const [room, view] = [node, document.getElementById("plan")].map((one) => one.getBoundingClientRect());
      return room.right > view.left && room.left < view.right && room.bottom > view.top && room.top < view.bottom;
    });
    assert.ok(seen, "the open room is in view");
    await page.getByRole("button", { name: "Whole map" }).click();
    assert.equal(await width(), fitted);
  }],

  ["only builders log in at their page, and nothing of it is in an address", async (browser) => {
    const { builders } = await crew(browser);
    const stranger = await browser.create();
    const page = await Builder.open(browser);
    await page.logIn(stranger.name, "not the password");
    await page.alarm("do not belong together");
    await page.page.getByLabel("Name", { exact: true }).fill(stranger.name);
    await page.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.page.getByRole("button", { name: "Log in" }).click();
    await page.alarm("This page is for builders");
    await page.logIn(builders[0]);
    await page.room("Mill Yard");
    await page.page.reload();
    await page.page.getByRole("heading", { name: /^Mill Yard, room/ }).waitFor();
    const kept = await page.player.kept();
    const token = JSON.parse(JSON.parse(kept.slice(kept.indexOf("}{") + 1))["deepwell.build.token"]);
    assert.match(token, /^[0-9a-f]{64}$/);
    assert.ok(browser.requests.every((address) => !address.includes(token) && !address.includes("?")), "in an address");
    assert.doesNotMatch(kept, /lantern/);
    // The token is not valid in another browser, nor for a page of another site.
    const other = await Builder.open(browser);
    const ask = (page, token, name) => page.evaluate(async ({ token, name }) => {
      const body = JSON.stringify({ name, token, ask: "zones" });
      const told = await fetch("/build/ask", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      return told.json();
    }, { token, name });
    assert.equal((await ask(other.page, token, builders[0])).closed, true, "in another browser");
    assert.ok((await ask(page.page, token, builders[0])).list, "in its own");
    await page.page.getByRole("button", { name: "Log out" }).click();
    await page.state("You are logged out.");
    assert.equal((await ask(page.page, token, builders[0])).closed, true, "logged out");
    const headers = (await page.page.goto(`${browser.origin}/build/`)).headers();
    assert.doesNotMatch(headers["content-security-policy"], /unsafe|\*|https:/);
    const inline = await page.page.evaluate(() => [...document.scripts].filter((one) => !one.src).length
      + document.querySelectorAll("style, [style]").length);
    assert.equal(inline, 0);
  }],

  ["a builder writes, digs, puts things there, sees it as players do, and takes it back", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    await builder.field("Description").fill(`Straw, and a ladder.\nIt smells of summer. ${NASTY}`);
    await builder.field("Tags for builders").fill("hay, straw");
    await page.getByRole("button", { name: "Save 2 changes" }).waitFor();
    await builder.saved();
    assert.equal(await page.title(), "Build - Deepwell", "a text is a text");
    assert.equal(await page.locator("#work img, #work script").count(), 0);
    await builder.see("As a player", "It smells of summer. <script>");
    await builder.see("As it is read aloud", "As it is read aloud:");
    await builder.see("40 columns wide", "With 40 columns:");
    await builder.add("Add an exit", { "Its name": "east", "A new room of": "Stable", "The way back": "west" }, "Make the exit");
    await builder.state("You dig Stable");
    await page.getByRole("button", { name: /^Stable, room \d+; exits: west/ }).waitFor();
    await builder.add("Add a detail", { "Nouns of the text": "ladder; rung", "Description": "A rung is missing." }, "Write the detail");
    await builder.state("Whoever looks at");
    await builder.add("Add a creature or an item", { Which: "rat", "How many are here": "2", "After how many": "120" }, "Put it here");
    await builder.state("rat: 2 here from now on");
    await builder.add("Add a creature or an item", { Which: "torch_stub" }, "Put it here");
    await page.locator("#room-note", { hasText: "torch stub" }).waitFor();
    await builder.add("Add a trigger", { When: "say friend", "What happens": "room The straw rustles.\ncount friends" }, "Set the trigger");
    await builder.state("It is set: trigger say friend");
    await builder.field(/^Door$/, "Exit east").fill("stable door");
    await builder.saved();
    const typist = await types(browser, staff.owner, "barn");
    await typist.ask("look ladder", "A rung is missing.");
    await typist.ask("look", "It smells of summer.");
    await typist.ask("examine here", "spawn rat = 2 every 120");
    await typist.ask("open stable door", "stable door");
    await builder.see("Who changed it", `${builders[0]}: trigger say friend`);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => !document.getElementById("fields").textContent.includes("stable door")
      && ![...document.querySelectorAll("#fields input")].some((input) => input.value === "stable door"));
    await page.getByRole("button", { name: "Redo" }).click();
    await page.waitForFunction(() => [...document.querySelectorAll("#fields input")].some((input) => input.value === "stable door"));
    await builder.room("Stable");
    await page.getByRole("button", { name: "Delete room" }).click();
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByRole("heading", { name: "No room is open" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: /^Stable, room \d+;/ }).waitFor();
    await page.locator("summary", { hasText: "Mistakes and doubts" }).click();
    await page.getByRole("button", { name: /Doubt: Stable/ }).first().click();
    await page.getByRole("heading", { name: /^Stable, room/ }).waitFor();
  }],

  ["all mistakes are seen while one types, with the nearest name", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Hay Loft");
    await builder.field("Wares").fill("rye_laof");
    await builder.field("Environment").fill("two words");
    await page.getByText("2 fields would be refused.").waitFor();
    await page.getByText("the nearest is rye_loaf").waitFor();
    await page.getByText("environment takes one word").waitFor();
    assert.equal(await builder.field("Wares").getAttribute("aria-invalid"), "true");
    await assertAccessible(page, "with mistakes");
    await builder.field("Wares").fill("rye_loaf");
    await page.getByText("One field would be refused.").waitFor();
    await builder.save();
    await builder.alarm("environment takes one word");
    assert.equal(await builder.field("Environment").inputValue(), "two words", "it is kept");
    assert.equal(await builder.field("Wares").inputValue(), "rye_loaf", "so is what stood behind it");
    await builder.field("Environment").fill("straw");
    await builder.saved();
    await builder.field("Wares").fill("something else");
    await page.getByRole("button", { name: "Drop changes" }).click();
    assert.equal(await builder.field("Wares").inputValue(), "rye_loaf", "what was saved stays");
    const form = page.getByRole("form", { name: "Add a trigger" });
    await page.locator("summary", { hasText: "Add a trigger" }).click();
    await form.getByLabel("When").fill("sya friend");
    await form.getByLabel("What happens").fill("room Hm.");
    await form.getByText('There is no event "sya"').waitFor();
    await form.getByLabel("When").fill("say friend");
    await form.getByLabel("What happens").fill("opne north\ngive brass_rign");
    await form.getByText("opne").last().waitFor();
  }],

  ["a script is written, refused with its line, tried and taken back", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    await builder.tab("Scripts");
    await page.getByLabel("Key of a new script").fill("bell");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Script bell" }).waitFor();
    const text = page.getByLabel("Text of the script");
    assert.equal(await page.evaluate(() => document.activeElement.id), "script-text", "the cursor is in the text");
    const source = 'local M = {}\nfunction M.ring(event)\n    return { "tell You say \\"" + event.words }\nend\n\nreturn M\n';
    await text.fill(source.replace("event.words }", "event.words"));
    await page.getByText("Save the script").click();
    const error = page.getByRole("button", { name: /^Line \d+: .*scripts\/bell\.luau/ });
    await error.waitFor();
    assert.equal(await text.getAttribute("aria-invalid"), "true");
    await assertAccessible(page, "with errors of a script");
    await error.focus();
    await page.keyboard.press("Enter");
    assert.match(await page.textContent("#script-place"), /^Line \d+, column 1\.$/);
    const fixed = 'local M = {}\nfunction M.ring(event)\n    return { `tell You say \\\\ {event.words}.` }\nend\n\nreturn M\n';
    await text.fill(fixed);
    await page.reload();
    await page.getByRole("heading", { name: "Script bell" }).waitFor();
    assert.equal(await text.inputValue(), fixed, "what was written is kept");
    await page.getByText("Save the script").click();
    await builder.state("Saved.");
    assert.equal(await text.inputValue(), fixed, "backslashes and indentation are kept");
    await page.getByLabel("Function to try").fill("ring");
    await page.getByLabel("Words that are said").fill("hello");
    await page.getByRole("button", { name: "Try what is saved" }).click();
    await page.locator("#script-told", { hasText: "tell You say \\ hello." }).waitFor();
    await page.getByRole("button", { name: "Last errors and notes" }).click();
    await page.locator("#script-told", { hasText: "has not failed or noted anything" }).waitFor();
    const typist = await types(browser, builders[0]);
    await typist.ask("script show bell", "6: return M");
    await page.getByRole("button", { name: "Undo" }).click();
    await builder.state("script write bell");
    await typist.ask("script show bell", "Nothing happens yet.");
  }],

  ["a dialogue is written, refused at its field, tried and cut down by the keyboard", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    await builder.tab("Dialogues");
    const key = page.getByLabel("Key of a new dialogue");
    for (const [typed, wrong] of [["keeper = <b>", "small letters"], ["old_climber", "already"]]) {
      await key.fill(typed);
      await page.keyboard.press("Enter");
      await page.locator("#dialogue-wrong", { hasText: wrong }).waitFor();
      assert.equal(await key.inputValue(), typed, "it is kept");
    }
    await key.fill("keeper");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Dialogue keeper" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "dialogue-title");
    const said = builder.field("What is said", "Node hello");
    await said.fill(`Well, {player}? ${NASTY}`);
    await page.getByRole("button", { name: "Save the dialogue" }).click();
    await builder.state("Saved.");
    assert.equal(await said.inputValue(), `Well, {player}? ${NASTY}`, "a text is a text");
    await builder.add("Add a node", { "Key of the node": "A = b", "What is said": "Stairs." }, "Write the node");
    await page.getByText("A key has small letters").waitFor();
    await page.getByRole("form", { name: "Add a node" }).getByLabel("Key of the node").fill("below");
    await page.keyboard.press("Enter");
    await builder.group("Node below").getByText("Nothing leads to this node: players never read it.").waitFor();
    await page.locator("summary", { hasText: "Add an answer" }).click();
    const form = page.getByRole("form", { name: "Add an answer" });
    await form.getByLabel("What the player says").fill("What is below?");
    await form.getByLabel("Leads to").selectOption("below");
    await form.getByLabel("Or to a new node").focus();
    await page.keyboard.press("Enter");
    const answer = builder.group("Node hello, answer 1");
    await answer.waitFor();
    assert.equal(await builder.group("Node below").getByText("Nothing leads to this node").count(), 0);
    await answer.getByLabel("Offered only if").fill("levle 2");
    await answer.getByLabel("What happens").fill("tell Go.\nemote nods.");
    await page.getByRole("button", { name: "Save the dialogue" }).click();
    await answer.getByText("is no condition").waitFor();
    assert.equal(await answer.getByLabel("Offered only if").getAttribute("aria-invalid"), "true");
    assert.match(await page.evaluate(() => document.activeElement.labels[0].textContent), /^Offered only if/);
    assert.equal(await answer.getByLabel("What happens").inputValue(), "tell Go.\nemote nods.", "what stood behind it is kept");
    await assertAccessible(page, "with a refused condition of a dialogue");
    await page.reload();
    await answer.waitFor();
    assert.equal(await answer.getByLabel("Offered only if").inputValue(), "levle 2", "what was written is kept");
    await answer.getByLabel("Offered only if").fill("level 1");
    await answer.getByLabel("What the player says").fill("And below?");
    await page.getByRole("button", { name: "Save the dialogue" }).click();
    await builder.state("Saved.");
    await page.getByRole("button", { name: "Begin the trial" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("#trial-told", { hasText: `Well, ${builders[0]}? <script>` }).waitFor();
    await page.getByText("Offered only if level 1. Then this runs: tell Go.; emote nods.").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("#trial-told", { hasText: "You say: And below?Stairs.The talk ends." }).waitFor();
    await assertAccessible(page, "with a trial of a dialogue");
    await assertFits(page, "with a dialogue");
    assert.equal(await page.title(), "Build - Deepwell");
    // Another builder writes the same node meanwhile.
    const typist = await types(browser, builders[0]);
    await said.fill("Mine.");
    await typist.ask("dialogue say keeper hello = Theirs.", "is written");
    await page.getByRole("button", { name: "Save the dialogue" }).click();
    await builder.alarm("Somebody has changed this dialogue");
    await builder.state("Not saved.");
    await page.getByText("Somebody else has written here meanwhile: Theirs.").waitFor();
    assert.equal(await said.inputValue(), "Mine.");
    await page.getByRole("button", { name: "Save the dialogue" }).click();
    await builder.state("Saved.");
    await typist.ask("dialogue keeper", "hello says: Mine.");
    await page.locator("#dialogue-tree > li > ul > li").first().waitFor();
    await page.getByRole("button", { name: "Delete answer 1 of hello" }).focus();
    await page.keyboard.press("Enter");
    await answer.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.id), "dialogue-title", "the cursor is not lost");
    await page.getByRole("button", { name: "Delete node below" }).click();
    await builder.group("Node below").waitFor({ state: "detached" });
  }],

  ["a quest with its steps is written, refused at its field and put in order", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    await builder.tab("Quests");
    await page.getByLabel("Key of a new quest").fill("tails");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Quest tails" }).waitFor();
    const save = async () => page.getByRole("button", { name: "Save the quest" }).click();
    const own = (label) => builder.field(label, "This quest");
    await own("Name that players read").fill(`Tails ${NASTY}`);
    await own("Can be done").selectOption("daily");
    await own("Kills count").uncheck();
    await own("Reward: experience").fill("4o");
    await save();
    await page.getByText("Type a whole number.").waitFor();
    await own("Reward: experience").fill("40");
    await own("Reward: items").fill("rye_laof");
    const step = builder.group("Step first");
    await step.getByLabel("What players read").fill('Kill "three" rats.');
    await step.getByLabel("Done when").selectOption("kill");
    await step.getByLabel(/^Which/).fill("raat");
    await step.getByLabel("How many").fill("3");
    await save();
    await builder.group("This quest").getByText("rye_loaf").waitFor();
    await own("Reward: items").fill("rye_loaf");
    await save();
    await step.getByText("raat").waitFor();
    assert.equal(await step.getByLabel(/^Which/).getAttribute("aria-invalid"), "true");
    await assertAccessible(page, "with a refused step of a quest");
    await step.getByLabel(/^Which/).fill("rat");
    await save();
    await builder.state("Saved.");
    assert.equal(await own("Name that players read").inputValue(), `Tails ${NASTY}`);
    const form = page.getByRole("form", { name: "Add a step" });
    await builder.add("Add a step", { "Key of the step": "back", "What players read": "Come back.", "Which:": "town/lodge" }, "Add the step");
    await form.locator(".wrong:not(:empty)").waitFor();
    await form.getByLabel("Done when").selectOption("reach");
    await page.getByRole("button", { name: "Add the step" }).click();
    await page.getByRole("button", { name: "Move back up" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Move first up" }).waitFor();
    await assertAccessible(page, "with a quest");
    await assertFits(page, "with a quest");
    const typist = await types(browser, builders[0]);
    await typist.ask("examine quest tails", "set quest tails steps = back reach = \"town/lodge\"");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Move back up" }).waitFor();
  }],

  ["creatures, items, pages of help and themes are made, refused at their field, and deleted", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    // The kind, what it is like, a field with a value that is refused and one that is not, and how it is told in the game.
    const kinds = [
      ["creature", "rat", "Hp", "0", "12", "hp = 12"],
      ["item", "rye_loaf", "Value", "much", "77", "value = 77"],
      ["help", "", "Group", null, "people", "group = \"people\""],
      ["theme", "well", "Roamer percent", "101", "7", "roamer_percent = 7"],
    ];
    const typist = await types(browser, builders[0]);
    for (const [kind, like, label, bad, good, told] of kinds) {
      await builder.tab({ creature: "Creatures", item: "Items", help: "Pages of help", theme: "Themes" }[kind]);
      const part = (name) => page.locator(`#${kind}-${name}`);
      await part("key").fill(`mill_${kind}`);
      await part("like").fill(like);
      await page.keyboard.press("Enter");
      const title = page.getByRole("heading", { name: new RegExp(`mill_${kind}$`) });
      await title.waitFor();
      const field = builder.field(label, `This ${kind}`);
      const save = () => page.getByRole("button", { name: `Save the ${kind}` }).click();
      if (bad !== null) {
        await field.fill(bad);
        await save();
        await builder.group(`This ${kind}`).locator(".wrong:not(:empty)").waitFor();
        assert.equal(await field.getAttribute("aria-invalid"), "true", kind);
        await field.fill(good);
      } else {
        await field.selectOption(good);
      }
      await save();
      await builder.state("Saved.");
      await typist.ask(`examine ${kind} mill_${kind}`, told);
      if (kind === "creature") {
        await builder.field("Description", "This creature").fill(`Grey ${NASTY}`);
        await save();
        await builder.state("Saved.");
        await builder.add("Add a trigger to the creature", { When: "greet", "What happens": "say Squeak." }, "Set the trigger");
        await builder.group("Trigger greet").waitFor();
        assert.equal(await builder.field("Description", "This creature").inputValue(), `Grey ${NASTY}`);
        await assertAccessible(page, "with a creature");
      }
      await assertFits(page, `with a ${kind}`);
      await page.getByRole("button", { name: `Delete ${kind} mill_${kind}` }).click();
      await page.getByRole("button", { name: "Yes" }).click();
      await title.waitFor({ state: "hidden" });
      await part("made").getByText(`mill_${kind}`).waitFor({ state: "detached" });
      await typist.ask(`examine ${kind} mill_${kind}`, "There is no");
    }
  }],

  ["the tabs are walked by the keyboard, and a press and the tab survive an update", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    const chosen = () => page.locator("[role=tab][aria-selected=true]").textContent();
    const panels = () => page.locator("[role=tabpanel]:visible").evaluateAll((all) => all.map((one) => one.getAttribute("aria-labelledby")));
    assert.equal(await page.locator("[role=tab][tabindex='0']").count(), 1, "the tab key stops at one");
    await page.getByRole("tab", { name: "Room" }).focus();
    for (const [key, name] of [["ArrowRight", "Scripts"], ["End", "Packages"], ["ArrowRight", "Room"], ["ArrowLeft", "Packages"], ["ArrowLeft", "Drafts"], ["ArrowLeft", "Variables"]]) {
      await page.keyboard.press(key);
      assert.equal(await chosen(), name);
      assert.equal(await page.evaluate(() => document.activeElement.textContent), name, "the cursor goes along");
      assert.deepEqual(await panels(), [await page.getByRole("tab", { name }).getAttribute("id")]);
    }
    await page.reload();
    await page.getByRole("heading", { name: "Variables" }).waitFor();
    assert.equal(await chosen(), "Variables");
    // The room changes while a button of its form is held down.
    await builder.room("Barn");
    const typist = await types(browser, builders[0], "barn");
    const button = builder.group("This room").getByRole("button", { name: "Delete room" });
    await button.hover();
    const updated = new Promise((done) => page.route("**/build/ask", async (route) => {
      const response = await route.fetch();
      const isUpdate = (await response.text()).includes("pressed");
      if (isUpdate) await page.mouse.down();
      await route.fulfill({ response });
      if (isUpdate) done();
    }));
    await typist.ask("tag here = pressed", "tag");
    await updated;
    await page.waitForTimeout(300);
    await page.unroute("**/build/ask");
    await page.mouse.up();
    await page.getByRole("heading", { name: "Delete room?" }).waitFor();
    await page.getByRole("button", { name: "No", exact: true }).click();
    await page.waitForFunction(() => [...document.querySelectorAll("#fields input")].some((input) => input.value === "pressed"));
    await typist.ask("undo", "tag");
  }],

  ["a variable is declared, refused, changed, told, set and removed by the keyboard", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    await builder.tab("Variables");
    const name = page.getByLabel("Name of a new variable");
    await name.fill("Bells rung");
    await page.keyboard.press("Enter");
    await page.locator("#variable-wrong", { hasText: "small letters" }).waitFor();
    assert.equal(await name.inputValue(), "Bells rung", "it is kept");
    await name.fill("bells");
    await page.getByLabel("Its type").selectOption("number");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Variable bells" }).waitFor();
    await page.locator("#variable-made", { hasText: "bells: number of character" }).waitFor();
    const field = (label) => builder.field(label, "This variable");
    const save = async () => {
      await page.getByRole("button", { name: "Save the variable" }).focus();
      await page.keyboard.press("Enter");
    };
    await field("Default").fill("many");
    await field(/^Of$/).selectOption("zone");
    await field("Reset").selectOption("death");
    await save();
    await builder.group("This variable").getByText("`many` does not fit as the default").waitFor();
    assert.equal(await field("Default").getAttribute("aria-invalid"), "true");
    await assertAccessibleInBoth(page, "with a refused declaration");
    await page.reload();
    await page.getByRole("heading", { name: "Variable bells" }).waitFor();
    assert.equal(await field("Default").inputValue(), "many", "what was written is kept");
    // Another zone has other variables; what was written stays with its own.
    await builder.zone("town");
    await page.getByRole("heading", { name: "Variable bells" }).waitFor({ state: "hidden" });
    await builder.zone("yard");
    await page.getByRole("heading", { name: "Variable bells" }).waitFor();
    assert.equal(await field("Default").inputValue(), "many", "in its zone");
    await field("Default").fill("3");
    await save();
    await builder.group("This variable").getByText("only the variables of a character are reset").waitFor();
    await field("Reset").selectOption("daily");
    await save();
    await builder.state("Saved.");
    await page.locator("#variable-made", { hasText: "bells: number 3 of zone reset daily" }).waitFor();
    const told = page.locator("#variable-told");
    await page.getByRole("button", { name: "Tell its value" }).focus();
    await page.keyboard.press("Enter");
    await told.getByText("yard/bells of yard is 3.").waitFor();
    await builder.add("Tell or set a value", { "New value": "lots" }, "Tell or set it");
    const form = page.getByRole("form", { name: "Tell or set a value" });
    await form.locator(".wrong:not(:empty)").waitFor();
    assert.equal(await form.getByLabel("New value").inputValue(), "lots", "it is kept");
    await form.getByLabel("New value").fill("7");
    await page.keyboard.press("Enter");
    await told.getByText("yard/bells of yard is 7 now.").waitFor();
    await assertAccessibleInBoth(page, "with a variable");
    await assertFits(page, "with a variable");
    const typist = await types(browser, builders[0], "barn");
    await typist.ask("trigger say ring = add bells 1", "It is set");
    const remove = async () => {
      await page.getByRole("button", { name: "Delete variable bells" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Yes" }).focus();
      await page.keyboard.press("Enter");
    };
    await remove();
    await told.getByText("bells is used here: the trigger say ring of Barn").waitFor();
    await builder.alarm("bells is used here");
    await typist.ask("trigger say ring = none", "trigger say ring");
    await remove();
    await page.getByRole("heading", { name: "Variable bells" }).waitFor({ state: "hidden" });
    await page.locator("#variable-none").waitFor();
    await typist.ask("variable show bells", "has no variable bells");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator("#variable-made", { hasText: "bells: number 3 of zone" }).waitFor();
  }],

  ["a draft is begun, edited, looked at, published and discarded", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    const edited = (words) => page.locator("#edited-words", { hasText: words }).waitFor();
    await edited("You edit the zone yard: players see each change at once.");
    await builder.tab("Drafts");
    const key = page.getByLabel("Zone that gets a draft");
    await key.fill("yard");
    await page.keyboard.press("Enter");
    await edited("You edit a draft of yard: players do not see it.");
    assert.equal(await page.getByLabel("Zone", { exact: true }).inputValue(), "yard_draft");
    await key.fill("yard");
    await page.keyboard.press("Enter");
    await page.locator("#draft-wrong", { hasText: "yard_draft is taken already" }).waitFor();
    assert.equal(await key.inputValue(), "yard", "it is kept");
    await assertAccessibleInBoth(page, "with a draft");
    await assertFits(page, "with a draft");
    // A room, a creature and a variable of the draft.
    await page.getByRole("button", { name: /^Barn, room \d+;/ }).click();
    await page.locator("#room-note", { hasText: "Zone yard_draft." }).waitFor();
    await builder.field("Description").fill("Swept, and lit by a lamp.");
    await builder.saved();
    await builder.tab("Variables");
    await page.getByLabel("Name of a new variable").fill("sweeps");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Variable sweeps" }).waitFor();
    await builder.tab("Creatures");
    await page.getByLabel("Key of a new creature").fill("yard_cat");
    await page.locator("#creature-like").fill("rat");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Creature yard_cat" }).waitFor();
    const typist = await types(browser, builders[0], "yard/barn");
    await typist.ask("variable show sweeps", "has no variable sweeps");
    await typist.ask("look", "Exits:");
    assert.doesNotMatch(await typist.log(), /Swept/);
    await builder.tab("Drafts");
    const told = page.locator("#draft-told");
    const press = async (button) => {
      await page.getByRole("button", { name: button, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    await press("See what publishing would do");
    for (const words of ["What publishing yard_draft would do", "Swept, and lit by a lamp.", "sweeps", "yard_cat"]) await told.getByText(words).waitFor();
    // What is not saved would be lost with the rooms of the draft.
    await builder.tab("Room");
    await builder.field("Environment").fill("straw");
    await builder.tab("Drafts");
    await press("Publish draft yard_draft");
    await builder.alarm("have changes that are not saved");
    await builder.tab("Room");
    await page.getByRole("button", { name: "Drop changes", exact: true }).click();
    await builder.tab("Drafts");
    await press("Publish draft yard_draft");
    await page.locator("#sure-words", { hasText: "Swept, and lit by a lamp." }).waitFor();
    await assertAccessibleInBoth(page, "asked whether to publish");
    await press("No");
    await edited("You edit a draft of yard");
    await page.getByRole("button", { name: "Edit the zone yard" }).click();
    await edited("It has a draft.");
    await press("Edit the draft");
    await edited("You edit a draft of yard");
    await press("Publish draft yard_draft");
    await press("Yes");
    await edited("You edit the zone yard: players see each change at once.");
    await page.locator("#draft-made").getByText("yard_draft").waitFor({ state: "detached" });
    assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Drafts", "the tab is kept");
    await typist.ask("look", "Swept, and lit by a lamp.");
    await typist.ask("variable show sweeps", "yard/sweeps of");
    await typist.ask("examine creature yard_cat", "yard_cat");
    // Undo brings the draft back, and it is discarded.
    await page.getByRole("button", { name: "Undo" }).click();
    await edited("It has a draft.");
    await typist.ask("variable show sweeps", "has no variable sweeps");
    await page.locator("#draft-made").getByRole("button", { name: "yard_draft" }).click();
    await press("Edit this draft");
    await edited("You edit a draft of yard");
    await press("Discard draft yard_draft");
    await page.locator("#sure-words", { hasText: "These changes are lost:" }).waitFor();
    await press("Yes");
    await edited("You edit the zone yard: players see each change at once.");
    await typist.ask("zone publish", "There is no draft");
    // A draft that somebody else discards.
    await key.fill("yard");
    await page.keyboard.press("Enter");
    await edited("You edit a draft of yard");
    await typist.ask("zone discard now", "is gone");
    await edited("You edit the zone yard: players see each change at once.");
  }],

  ["a shop has its terms, and a creature its walk", async (browser) => {
    const { builders, owner } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.room("Barn");
    await builder.field("Wares").fill("rye_loaf 2 copper x10");
    await builder.saved();
    await builder.field("Buys").fill("40%, torch_stub 1 copper");
    await builder.field("Open").fill("8-88");
    await page.getByText("One field would be refused.").waitFor();
    assert.equal(await builder.field("Open").getAttribute("aria-invalid"), "true");
    await builder.field("Open").fill("8-20");
    await builder.field("Closed").fill(NASTY);
    await builder.field("Refill").fill("6");
    await builder.saved();
    await builder.add("Add a creature or an item", { Which: "errand_boy", "How many are here": "1" }, "Put it here");
    const rule = builder.group("Creature errand boy");
    await rule.getByLabel(/^Patrol/).fill("here; mill yard");
    await rule.getByLabel(/^Schedule/).fill("6: fly");
    await rule.getByText('"6: fly" is no part').waitFor();
    assert.equal(await rule.getByLabel(/^Schedule/).getAttribute("aria-invalid"), "true");
    await assertAccessible(page, "with a schedule that is refused");
    await rule.getByLabel(/^Schedule/).fill("6: patrol; 22: sleep");
    await builder.saved();
    await page.getByRole("button", { name: /^Barn, room \d+, shop; exits: .*; has .*creatures/ }).waitFor();
    const typist = await types(browser, owner, "barn");
    await typist.ask("examine here", "schedule 6: patrol; 22: sleep");
    await typist.ask("examine here", "set here open = 8-20");
    await builder.field("Wares").fill("");
    await builder.saved();
    await page.getByRole("button", { name: "Stop the spawn of errand boy" }).click();
    await rule.waitFor({ state: "detached" });
  }],

  ["two who write the same lose nothing, with somebody who types beside them", async (browser) => {
    const { builders, owner } = await crew(browser);
    const [one, other] = await Promise.all(builders.map((name) => Builder.enter(browser, name)));
    for (const builder of [one, other]) await builder.room("Mill Yard");
    await one.field("Description").fill("The first has written this.");
    await other.field("Description").fill("The second has written that.");
    await other.field("Tags for builders").fill("second");
    await one.saved();
    await other.save();
    await other.state("Not everything was done.");
    await other.page.getByText("Somebody else has written here meanwhile: The first has written this.").waitFor();
    assert.equal(await other.field("Description").inputValue(), "The second has written that.");
    await assertAccessible(other.page, "with what somebody else has written");
    await other.group("This room").getByRole("button", { name: "Take theirs" }).click();
    assert.equal(await other.field("Description").inputValue(), "The first has written this.");
    await other.saved();
    // The page shows other builders' changes without a save, and keeps unsaved edits.
    await one.field("Environment").fill("gravel");
    const typist = await types(browser, owner, "mill yard");
    await typist.ask("describe here = Typed in the game.", "It is written.");
    await one.page.waitForFunction(() => [...document.querySelectorAll("#fields textarea")].some((area) => area.value === "Typed in the game."));
    assert.equal(await one.field("Environment").inputValue(), "gravel");
    assert.equal(await one.field("Tags for builders").inputValue(), "second");
    await one.saved();
    await typist.ask("examine here", "set here environment = gravel");
    await typist.ask("undo", "describe");
    await other.page.waitForFunction(() => [...document.querySelectorAll("#fields textarea")].some((area) => area.value === "The first has written this."));
  }],

  ["who is demoted with the page open is out, and keeps what was written", async (browser) => {
    const { builders, owner } = await crew(browser);
    const builder = await Builder.enter(browser, builders[1]);
    await builder.room("Barn");
    await builder.field("Description").fill("Written before the demotion.");
    const typist = await types(browser, owner);
    await typist.ask(`demote ${builders[1]} player`, "is a player now");
    await builder.alarm("You are not logged in here any more");
    await builder.logIn(builders[1], " ");
    await builder.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await builder.page.getByRole("button", { name: "Log in" }).click();
    await builder.alarm("This page is for builders");
    await typist.ask(`promote ${builders[1]} builder`, "is a builder now");
    await builder.logIn(builders[1]);
    assert.equal(await builder.field("Description").inputValue(), "Written before the demotion.");
    await builder.saved();
    await typist.ask("goto barn", "Written before the demotion.");
    const second = await types(browser, builders[1]);
    await second.type("log out everywhere");
    await builder.alarm("You are not logged in here any more");
  }],

  ["a package is downloaded, looked at, taken in under a prefix and taken back, by the keyboard", async (browser) => {
    const { owner } = await crew(browser);
    const builder = await Builder.enter(browser, owner);
    const { page } = builder;
    await builder.room("Mill Yard");
    await builder.tab("Packages");
    const begun = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the package" }).focus();
    await page.keyboard.press("Enter");
    const download = await begun;
    assert.equal(download.suggestedFilename(), "yard.zip");
    const told = page.locator("#unpack-told");
    await page.getByRole("button", { name: "See what it would bring" }).click();
    await builder.alarm("Choose a file first.");
    await page.getByLabel("Package on this computer").setInputFiles({
      name: "notes.zip", mimeType: "application/zip", buffer: Buffer.from("These are notes."),
    });
    await page.getByRole("button", { name: "See what it would bring" }).click();
    await builder.alarm("The file is no package");
    await page.getByLabel("Package on this computer").setInputFiles({
      name: "large.zip", mimeType: "application/zip", buffer: Buffer.alloc(100_000),
    });
    await page.getByRole("button", { name: "See what it would bring" }).click();
    await builder.alarm("type zone unpack");
    const kept = await download.path();
    await page.getByLabel("Package on this computer").setInputFiles({
      name: "yard.zip", mimeType: "application/zip", buffer: readFileSync(kept),
    });
    const typist = await types(browser, owner);
    await typist.ask("tag here = yard", "tag");
    await page.getByLabel("Prefix for its keys").fill("Dale yard");
    await page.keyboard.press("Enter");
    await builder.state("The package cannot be taken in.");
    await told.getByText("A prefix is made of small letters").waitFor();
    await page.getByLabel("Prefix for its keys").fill("dale");
    await page.keyboard.press("Enter");
    await told.getByText("The zone dale_yard, with").waitFor();
    await assertAccessible(page, "with a package");
    await typist.ask("zone show dale_yard", "There is no zone dale_yard");
    await page.getByRole("button", { name: "Take it in" }).focus();
    await page.keyboard.press("Enter");
    await builder.state("It is taken in.");
    await builder.zone("dale_yard");
    await page.getByRole("button", { name: /^Barn, room/ }).first().waitFor();
    await typist.ask("journal", "zone unpack yard as dale now");
    await page.getByRole("button", { name: "Undo" }).click();
    await builder.state("zone unpack yard as dale now");
    await typist.ask("zone show dale_yard", "There is no zone dale_yard");
  }],

  ["a server that is killed with the page open has all that was saved, and the rest is still written", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    builder.player.cut = true;
    await builder.room("Hay Loft");
    await builder.field("Description").fill("Saved before the kill.");
    await builder.saved();
    await browser.keeper.kill();
    await builder.field("Environment").fill("boards");
    await builder.save();
    await builder.alarm("The server does not answer");
    assert.equal(await builder.field("Environment").inputValue(), "boards");
    await browser.keeper.start();
    await builder.page.waitForFunction(() => document.getElementById("alarm").textContent === "");
    assert.equal(await builder.field("Description").inputValue(), "Saved before the kill.");
    assert.equal(await builder.field("Environment").inputValue(), "boards");
    await builder.saved();
    await builder.see("Who changed it", "set here environment = boards");
    assert.match(await builder.page.textContent("#told"), /Saved before the kill/);
  }],

  ["all of it is done by the keyboard alone", async (browser) => {
    const { builders } = await crew(browser);
    const builder = await Builder.enter(browser, builders[0]);
    const { page } = builder;
    await builder.zone("yard");
    await page.getByRole("button", { name: /^Mill Yard, room/ }).waitFor();
    const at = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.id);
    const tabTo = async (wanted) => {
      for (let press = 0; press < 80; press += 1) {
        if (wanted.test(await at())) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`the tab key never comes to ${wanted}`);
    };
    await page.focus("#zone");
    await tabTo(/, room \d+;/);
    for (let press = 0; press < 6 && !/^Mill Yard/.test(await at()); press += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    assert.match(await at(), /^Barn, room/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Barn, room/ }).waitFor();
    assert.equal(await at(), "editor", "the cursor is at the room");
    await tabTo(/^field-environment/);
    await page.keyboard.type("straw");
    await tabTo(/^save$/);
    await page.keyboard.press("Enter");
    await builder.state("Saved.");
    assert.equal(await builder.field("Environment").inputValue(), "straw");
  }],

  ["nothing is cut or out of reach on any screen, in any colours", async (browser) => {
    const { builders } = await crew(browser);
    for (const [width, height] of SIZES) {
      for (const colours of [{ colorScheme: "dark" }, { colorScheme: "light" }, { forcedColors: "active" }]) {
        const where = `${width} by ${height}, ${JSON.stringify(colours)}`;
        const builder = await Builder.open(browser, { viewport: { width, height }, ...colours });
        await builder.page.getByRole("button", { name: "Log in" }).waitFor();
        await assertAccessible(builder.page, `${where}, at the door`);
        await assertFits(builder.page, `${where}, at the door`);
        await builder.logIn(builders[0]);
        await builder.room("Barn");
        await builder.field("Description").fill("Straw.");
        for (const summary of await builder.page.locator(".area summary").all()) await summary.click();
        await builder.page.locator("#remarks li").first().waitFor();
        for (const tab of await builder.page.getByRole("tab").all()) {
          await tab.click();
          const name = `${where}, ${await tab.textContent()}`;
          await builder.page.evaluate(() => document.querySelectorAll("[role=tabpanel] details").forEach((one) => one.setAttribute("open", "")));
          if (width === 360 || width === 1280) await assertAccessible(builder.page, name);
          await assertFits(builder.page, name);
          const small = await builder.page.evaluate(() => [...document.querySelectorAll(".button:not(.small), .tab, input:not([type=checkbox]), select")]
            .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43).map((one) => one.id || one.textContent));
          assert.deepEqual(small, [], `${name}: too small for a finger`);
        }
        await builder.tab("Room");
        await builder.page.getByRole("button", { name: "Delete room" }).click();
        await assertAccessible(builder.page, `${where}, asked whether one is sure`);
        await builder.page.keyboard.press("Escape");
        await builder.page.getByRole("button", { name: "Log out" }).click();
        await builder.state("You are logged out.");
        await browser.closeAll();
      }
    }
  }],
  ...(process.env.WRITE_GENERATED === "all" ? [["pictures of the page for builders", pictures]] : []),
];

/** Takes the pictures for docs/pictures. */
async function pictures(browser) {
  const { owner } = await crew(browser);
  const bera = await browser.open();
  await bera.create("Bera");
  await (await types(browser, owner)).ask("promote Bera builder", "is a builder now");
  for (const [width, height, colorScheme, file] of [
    [1280, 800, "dark", "build-desktop.png"], [360, 740, "light", "build-phone.png"],
    [768, 1024, "light", "sizes/build-768x1024-light.jpg"], [1920, 1080, "dark", "sizes/build-1920x1080-dark.jpg"],
  ]) {
    const builder = await Builder.enter(browser, "Bera", { viewport: { width, height }, colorScheme });
    await builder.zone("town");
    await builder.page.locator("g.room").first().waitFor();
    await builder.page.getByRole("button", { name: /^Climbers' Lodge, room/ }).click();
    await builder.page.getByRole("heading", { name: /^Climbers' Lodge, room/ }).waitFor();
    await builder.field("Environment").fill("two words");
    await builder.page.getByText("One field would be refused.").waitFor();
    if (width > 1000) await builder.see("As it is read aloud", "As it is read aloud:");
    await builder.page.evaluate(() => window.scrollTo(0, 0));
    await builder.page.screenshot({ path: docs + file, quality: file.endsWith("jpg") ? 70 : undefined });
    await browser.closeAll();
  }
}
