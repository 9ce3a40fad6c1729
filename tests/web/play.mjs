// Playing: creating a character, walking, map, talk, command history, and reconnecting.

import assert from "node:assert/strict";

import { PASSWORD } from "./player.mjs";

/** Tests: pairs of a name and a function that takes the browser. */
export const playTests = [
  ["a character is made in the page, and its password stays hidden (T6)", async (browser) => {
    const player = await browser.open();
    const { page } = player;
    const name = browser.newName();
    await player.prompt("name:");
    await player.type(name);
    await player.prompt("yes/no");
    assert.equal(await page.getAttribute("#line", "type"), "text");
    await player.type("yes");
    for (const prompt of ["new password", "the same password"]) {
      await player.prompt(prompt);
      await page.waitForSelector("#line[type=password]");
      await page.keyboard.press("ArrowUp");
      assert.equal(await player.value(), "", "history is no help with a password");
      await player.type(PASSWORD);
    }
    await player.prompt("HP:");
    await page.waitForSelector("#line[type=text]");
    for (let press = 0; press < 6; press += 1) {
      await page.press("#line", "Alt+ArrowUp");
      assert.doesNotMatch(await player.value(), /lantern|yes|Web/, "what was typed before the game is no command");
    }
    await page.press("#line", "Escape");
    await player.ask("look", "Exits:");
    assert.doesNotMatch(await player.log(), /lantern/);
    await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    assert.doesNotMatch(await player.kept(), /lantern/);
    assert.match(await player.log(), /password: \(hidden\)/);
  }],

  ["a password given in one line with the name is not shown and not kept (T6)", async (browser) => {
    const player = await browser.open();
    await player.prompt("name:");
    const name = browser.newName();
    await player.type(`create ${name} ${PASSWORD.replaceAll(" ", "")}`);
    await player.prompt("HP:");
    await player.page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    assert.doesNotMatch((await player.log()) + (await player.kept()), /lantern/);
    assert.match(await player.log(), new RegExp(`create ${name} \\(hidden\\)`));
  }],

  ["arrows, keypad and buttons walk, and the map grows (T17)", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    assert.equal(await player.rooms(), 8, "the town is known to everybody");
    await page.click("#open-settings");
    await page.getByLabel(/Arrow keys walk/).check();
    await page.keyboard.press("Escape");
    await page.press("#line", "ArrowUp");
    await player.stands("Climbers' Lodge");
    await page.press("#line", "Numpad2");
    await player.stands("Well Square");
    await page.press("#line", "ArrowLeft");
    await player.stands("Chandler's Shop");
    await page.press("#line", "Numpad6");
    await player.stands("Well Square");
    await page.getByRole("button", { name: /^down/ }).click();
    await player.stands("Bottom of the Well");
    const map = page.getByRole("img", { name: /Map of/ });
    assert.match(await map.getAttribute("aria-label"), /You are in Bottom of the Well\. Ways out: .*unexplored/);
    const stubs = await page.locator("#map .question").count();
    assert.ok(stubs >= 3, `${stubs} ways that nobody has taken`);
    await page.getByRole("button", { name: "Level above" }).click();
    assert.equal(await player.rooms(), 8, "the square and what lies around it");
    assert.match(await player.text("#map-caption"), /town, 1 up/);
    assert.ok(await page.getByRole("button", { name: "Level above" }).isDisabled());
    await page.getByRole("button", { name: "Level below" }).click();
    assert.match(await player.text("#legend"), /you.*not seen by you yet|not seen by you yet.*you/);
    await page.press("#line", "Numpad6");
    await page.waitForFunction(() => /level 1/.test(document.getElementById("map-caption").textContent));
    assert.equal(await player.rooms(), 1, "a floor is a picture of its own");
  }],

  ["exits and words to type in the story can be clicked (protocols 5.18)", async (browser) => {
    const player = await browser.create();
    await player.page.locator("#log .word", { hasText: "north" }).first().click();
    await player.stands("Climbers' Lodge");
  }],

  ["arrows go through what was typed before", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    await player.ask("score", "Level:");
    await player.ask("who", "One climber");
    await page.press("#line", "ArrowUp");
    assert.equal(await player.value(), "who");
    await page.press("#line", "Alt+ArrowUp");
    assert.equal(await player.value(), "score");
    await page.press("#line", "ArrowDown");
    await page.press("#line", "ArrowDown");
    assert.equal(await player.value(), "");
    await page.fill("#line", "say ho");
    await page.press("#line", "ArrowUp");
    assert.equal(await player.value(), "who");
    await page.press("#line", "ArrowDown");
    assert.equal(await player.value(), "say ho", "what was begun comes back");
    await page.press("#line", "Escape");
    await player.stands("Well Square");
  }],

  ["macros and highlights are set in the page, and are there in another browser", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    const told = (words) => page.locator("#own-told", { hasText: words }).waitFor();
    await page.click("#open-settings");
    await page.getByRole("button", { name: "Macros and highlights" }).click();
    const options = await page.locator("#own-key option").allTextContents();
    assert.equal(options.length, 19);
    for (const browsers of ["F5", "F11", "F12"]) assert.ok(!options.includes(browsers), browsers);
    for (const [key, line] of [["F2", "hp;say Two"], ["Keypad 4", "hp"]]) {
      await page.getByLabel("Key", { exact: true }).selectOption(key);
      await page.getByLabel("Commands", { exact: true }).fill(line);
      await page.keyboard.press("Enter");
      await told(`stands for: ${line}`);
    }
    await page.getByLabel("Words", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Mark the words" }).click();
    await told("has two letters or digits");
    await page.getByLabel("Words", { exact: true }).fill("Worn Cobbles");
    await page.keyboard.press("Enter");
    await told("is marked wherever you read it");
    await page.keyboard.press("F2");
    await page.getByRole("button", { name: "Done" }).click();
    assert.doesNotMatch(await player.log(), /> f2/, "a dialog keeps its keys");
    await page.fill("#line", "say begun");
    await page.keyboard.press("F2");
    await player.expect("You say: Two");
    assert.match(await player.log(), /hit points\./, "a key may have several commands");
    assert.equal(await player.value(), "say begun", "the line stays");
    await page.keyboard.press("Numpad4");
    await page.focus("#talk-line");
    const before = (await player.log()).length;
    await page.keyboard.press("F2");
    await page.keyboard.press("Numpad4");
    await page.focus("#log");
    await player.ask("look", "worn cobbles");
    assert.doesNotMatch((await player.log()).slice(before), /You say: Two/, "another field keeps its keys");
    assert.doesNotMatch(await player.log(), /> kp4/, "the keypad types into a line that is begun, or another field");

    const other = await browser.open();
    await other.login(player.name);
    await other.stands("Well Square");
    await other.page.waitForFunction(() => document.querySelectorAll("#own-macros li").length === 2);
    await other.page.focus("#log");
    await other.page.keyboard.press("Numpad4");
    await other.expect("hit points.");
    await other.stands("Well Square");
    await other.ask("look", "worn cobbles");
    const marked = await other.page.locator("#log .underline", { hasText: "worn cobbles" }).count();
    assert.ok(marked > 0, "the phrase is underlined");
    await other.page.click("#open-settings");
    await other.page.getByRole("button", { name: "Macros and highlights" }).click();
    await other.page.getByRole("button", { name: "Remove: F2" }).click();
    await other.page.locator("#own-told", { hasText: "f2 stands for nothing any more." }).waitFor();
    await other.page.getByRole("button", { name: "Remove: worn cobbles" }).click();
    await other.page.waitForFunction(() => document.querySelectorAll("#own-highlights li").length === 0);
    assert.equal(await other.page.locator("#own-macros li").count(), 1);
  }],

  ["the tab key completes a word that was seen, and else moves on", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    await page.fill("#line", "look cobb");
    await page.press("#line", "Tab");
    assert.equal(await player.value(), "look cobbles");
    for (let press = 0; press < 15 && (await player.focused()) === "line"; press += 1) await page.keyboard.press("Tab");
    assert.notEqual(await player.focused(), "line", "the tab key must not be caught for ever");
  }],

  ["what another player says is text and nothing else, and is found under talk", async (browser) => {
    const [speaker, listener] = [await browser.create(), await browser.create({ viewport: { width: 390, height: 844 } })];
    const words = `<img src=x onerror="alert(1)"> & <b>bold</b>`;
    await speaker.type(`say ${words}`);
    await listener.expect(words);
    assert.equal(await listener.page.locator("#log img, #log b").count(), 0);
    await speaker.ask("ooc Anybody there?", "Anybody there?");
    await listener.expect("Anybody there?");
    await listener.page.waitForSelector("#talk-unread:visible");
    await listener.page.click("[data-sheet=talk]");
    await listener.page.waitForSelector("#panel-talk >> text=Anybody there?");
    assert.ok(await listener.page.isHidden("#talk-unread"), "what is read is not new");
  }],

  ["a browser that goes offline loses no typed line", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    player.cut = true;
    browser.proxy.cut();
    await page.evaluate(() => window.dispatchEvent(new Event("offline")));
    await player.expect("The link is broken.");
    await player.ask("say From the tunnel.", "Waiting for the link: say From the tunnel.");
    browser.proxy.mend();
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await player.expect("You say: From the tunnel.");
  }],

  ["pasted lines are commands of their own, and the begun one stays", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    await page.focus("#line");
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", "say one\nsay two\nsay thr");
      document.getElementById("line").dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
    });
    await player.expect("You say: two");
    assert.match(await player.log(), /You say: one[^]*You say: two/i);
    assert.equal(await player.value(), "say thr");
  }],

  ["a thing is bought, eaten, and offered to somebody by presses", async (browser) => {
    const [player, friend] = [await browser.create(), await browser.create()];
    const { page } = player;
    const press = (name) => page.getByRole("button", { name }).first().click();
    for (const one of [player, friend]) await one.ask("west", "Chandler's Shop");
    for (let count = 0; count < 2; count += 1) {
      const before = (await player.log()).length;
      await press(/^Buy: a rye loaf/);
      await player.expect("You buy a rye loaf", before);
    }
    await press(/^More: .*loa/);
    await press("Sell");
    await press("Sell");
    await player.expect("You sell");
    await press(/^More: .*loa/);
    await press("Give");
    await page.locator("#menu").getByRole("button", { name: friend.name }).click();
    await friend.page.getByRole("button", { name: "Eat: a rye loaf" }).click();
    await friend.expect("the rye loaf would be wasted on you");
  }],

  ["the tab key completes a command at the start of a line", async (browser) => {
    const player = await browser.create();
    await player.page.fill("#line", "wiel");
    await player.page.press("#line", "Tab");
    assert.equal(await player.value(), "wield");
  }],

  ["talk survives a reload, a tell is answered from it, and the title counts it", async (browser) => {
    const [speaker, listener] = [await browser.create(), await browser.create({ viewport: { width: 390, height: 844 } })];
    const { page } = listener;
    await speaker.type(`tell ${listener.name} Are you near?`);
    await listener.expect("Are you near?");
    await page.waitForFunction(() => document.title.startsWith("(1) "));
    await page.reload();
    await listener.stands("Well Square");
    await page.click("[data-sheet=talk]");
    await page.getByRole("button", { name: `Answer ${speaker.name}` }).click();
    await page.keyboard.type("Here.");
    await page.keyboard.press("Enter");
    await speaker.expect(`${listener.name} tells you: Here.`);
  }],

  ["a broken link mends by itself, and the last lines come again", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    await player.ask("say The rope is wet.", "You say: The rope is wet.");
    player.cut = true;
    browser.proxy.cut();
    await player.expect("The link is broken.");
    assert.match(await player.text("#state"), /Connecting again/);
    await player.ask("say Sent later.", "Waiting for the link: say Sent later.");
    assert.equal(await player.value(), "", "the line is kept apart");
    browser.proxy.mend();
    const before = (await player.log()).length;
    await player.connect();
    await player.expect("You say: Sent later.", before);
    const after = (await player.log()).slice(before);
    assert.doesNotMatch(after, /Nobody here is called|name:|password/, "what was typed is no answer to anything");
    const sent = (await player.log()).slice(before).split("You say: Sent later.").length - 1;
    assert.equal(sent, 1, "a waiting line is sent once");
    assert.doesNotMatch(after, /You say: The rope is wet\./, "what was read before is not shown again");
    assert.equal(await player.text("#state"), "Connected.");
    await player.stands("Well Square");
  }],

  ["nothing that was read comes again after a lost line or a reload", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    await player.ask("say Remember this.", "You say: Remember this.");
    await player.ask("commands", "Commands");
    await player.ask("look", "A round square");
    const times = async () => (await player.log()).split("A round square of worn cobbles").length;
    const [before, from] = [await times(), (await player.log()).length];
    for (const reload of [false, true]) {
      if (reload) await page.reload();
      else {
        player.cut = true;
        browser.proxy.cut();
        await player.expect("The link is broken.");
        browser.proxy.mend();
        await player.connect();
        await player.expect("The link is back.");
      }
      await player.stands("Well Square");
      await player.ask("balance", "purse");
      const told = (await player.log()).slice(from);
      assert.doesNotMatch(told, /Remember this|take hold of your body|Commands/, "it was read");
      assert.equal(await times(), before, "the room is the same");
    }
    await player.ask("north", "Climbers' Lodge");
  }],

  ["a new tab has the map, and leaves none behind", async (browser) => {
    const player = await browser.create();
    await player.ask("down", "Bottom of the Well");
    await player.ask("north", "Exits:");
    await player.page.waitForFunction(() => /level 1/.test(document.getElementById("map-caption").textContent));
    await player.ask("south", "Bottom of the Well");
    const tab = await browser.open();
    await tab.login(player.name);
    await tab.stands("Bottom of the Well");
    await tab.page.waitForFunction(() => document.querySelectorAll("#map g.room").length === 2);
    await tab.ask("north", "Exits:");
    await tab.page.waitForFunction(() => document.querySelectorAll("#map g.room").length === 1);
    assert.doesNotMatch(await tab.kept(), /Bottom of the Well.*exits/);
  }],

  ["a reload keeps the lines and the map", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    await player.ask("say Before the reload.", "You say: Before the reload.");
    await player.ask("north", "Climbers' Lodge");
    await page.reload();
    await player.expect("You say: Before the reload.");
    await player.stands("Climbers' Lodge");
    await page.waitForFunction(() => document.querySelectorAll("#map g.room").length === 8);
    await player.ask("say After the reload.", "You say: After the reload.");
    const told = (await player.log()).split("You say: Before the reload.").length - 1;
    assert.equal(told, 1, "a reload repeats no line");
    await page.addInitScript(() => sessionStorage.setItem("deepwell.left", "0"));
    await page.reload();
    await player.stands("Climbers' Lodge");
    await player.ask("say Later.", "You say: Later.");
    const later = (await player.log()).split("You say: Before the reload.").length - 1;
    assert.equal(later, 1, "nor does a page that was left for long");
  }],

  ["whoever quits is not brought back unasked", async (browser) => {
    const player = await browser.create();
    await player.type("quit");
    await player.expect("You have left.");
    assert.equal(await player.text("#state"), "Not connected.");
    await player.page.click("#connect");
    await player.prompt("name:");
  }],

  ["somebody who reads above is not torn away, and told of new lines", async (browser) => {
    const player = await browser.create({ viewport: { width: 900, height: 420 } });
    const { page } = player;
    for (const topic of ["fighting", "rooms", "parties"]) await player.ask(`help ${topic}`, "See also:");
    const neighbour = await browser.create();
    await page.press("#line", "PageUp");
    await page.press("#line", "PageUp");
    const top = await page.evaluate(() => document.getElementById("log").scrollTop);
    await neighbour.ask("say Down here!", "You say");
    await player.expect("Down here!");
    await page.waitForSelector("#newer:visible");
    assert.equal(await page.evaluate(() => document.getElementById("log").scrollTop), top);
    await page.click("#newer");
    await page.waitForSelector("#newer", { state: "hidden" });
  }],

  ["a switch for screen readers reaches the server", async (browser) => {
    const player = await browser.create();
    const { page } = player;
    const before = (await player.log()).length;
    await page.click("#open-settings");
    await page.getByLabel(/Text for screen readers/).check();
    await page.getByRole("button", { name: "Done" }).click();
    await player.expect("reader: on", before);
  }],
];
