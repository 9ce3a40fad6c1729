// Unit tests of the page's modules, loaded as by the page, without a game.

import assert from "node:assert/strict";

/** Evaluates a function with a module's exports in a page; functions are passed as text. */
async function inPage(browser, work, argument) {
  const player = await browser.open();
  return player.page.evaluate(work, argument);
}

/** Tests: pairs of a name and a function that takes the browser. */
export const partTests = [
  ["colours, links and nothing else come out of a line (T3)", async (browser) => {
    const found = await inPage(browser, async () => {
      const { fragment, pieces, plain } = await import("/ansi.js");
      const line = "a\x1b[1;38;2;86;203;210mb\x1b[0mc \x1b]8;;send:look%20sign\x1b\\sign\x1b]8;;\x1b\\ " +
        "\x1b]8;;javascript:alert(1)\x1b\\x\x1b]8;;\x1b\\\x1b[2J\x1b]0;title\x07\x07d";
      const holder = document.createElement("p");
      holder.append(fragment(line));
      const word = holder.querySelector("[data-send]");
      return {
        plain: plain(line),
        text: holder.textContent,
        bold: pieces(line).filter(({ look }) => look.bold).map(({ text }) => text),
        colour: pieces(line).find(({ look }) => look.colour)?.look.colour,
        send: word?.dataset.send,
        links: holder.querySelectorAll("a").length,
      };
    });
    assert.equal(found.plain, "abc sign xd");
    assert.equal(found.text, "abc sign xd");
    assert.deepEqual(found.bold, ["b"]);
    assert.deepEqual(found.colour, [86, 203, 210]);
    assert.equal(found.send, "look sign");
    assert.equal(found.links, 0, "only pages and commands are links");
  }],

  ["the staff page draws and tells a branch, and the last hour of load", async (browser) => {
    const found = await inPage(browser, async () => {
      const { drawn, placesOf, wordsOf } = await import("/staff/branch.js");
      const load = await import("/staff/load.js");
      const room = (num, x, y, clear, to, players) => ({ num, x, y, clear, name: `Room ${num}`, to: [to, 99], players });
      const places = placesOf({ rooms: [room(7, 0, 0, true, 8, []), room(8, 1, 0, false, 7, ["Bera", "Olad"])] });
      const svg = drawn(places);
      const status = { playing: 3, connections: 4, requests_waiting: 0, commits_waiting: 1, wal_bytes: 2097152, up_secs: 3720, problems: ["read_only"] };
      const history = (samples) => {
        const figure = (value) => new Array(samples).fill(value);
        return {
          every_secs: 10, playing: figure(7), connections: figure(4), requests_waiting: figure(0),
          commits_waiting: figure(0), wal_bytes: figure(3145728),
        };
      };
      const [hour, young] = [load.chartsOf(status, history(360)), load.chartsOf(status, history(9))];
      const ends = ({ points }) => points.split(" ").filter((_, at, all) => at === 0 || at === all.length - 1);
      return {
        words: wordsOf(places),
        none: wordsOf(placesOf({ rooms: [] })),
        cut: wordsOf(places, true),
        signs: [svg.querySelectorAll("line").length, svg.querySelectorAll(".there").length, svg.querySelector(".there text").textContent],
        charts: [hour[0].words, young[0].words, young[4].words, load.chartsOf(status, history(0))[1].words],
        ends: [ends(hour[0]), ends(young[0])],
        state: load.stateOf(status),
      };
    });
    assert.equal(found.words, "2 rooms, 1 clear. Bera, Olad: Room 8, room 8.");
    assert.equal(found.none, "This floor has no rooms.");
    assert.match(found.cut, /^The first 2 rooms, 1 clear./);
    assert.deepEqual(found.signs, [1, 1, "2"]);
    assert.deepEqual(found.charts, [
      "Players on: 3 now, 7 at most in the last hour.",
      "Players on: 3 now, 7 at most in the last 2 minutes.",
      "Write-ahead log, MiB: 2 now, 3 at most in the last 2 minutes.",
      "Connections: 4 now, 4 at most in the last minute.",
    ]);
    assert.deepEqual(found.ends, [["0.0,2.0", "100.0,22.6"], ["97.5,2.0", "100.0,22.6"]]);
    assert.match(found.state, /^The world is read-only. Up for 1 h 2 min./);
  }],

  ["every colour can be read on both grounds (AA)", async (browser) => {
    const worst = await inPage(browser, async () => {
      const { contrast, fromCube, fromHex, readable } = await import("/palette.js");
      const root = document.documentElement;
      let worst = 21;
      for (const theme of ["dark", "light"]) {
        root.dataset.theme = theme;
        const ground = fromHex(getComputedStyle(root).getPropertyValue("--surface"));
        for (let number = 0; number < 256; number += 1) {
          worst = Math.min(worst, contrast(readable(fromCube(number), ground), ground));
        }
      }
      return worst;
    });
    assert.ok(worst >= 4.5, `contrast ${worst}`);
  }],

  ["what keys mean on the command line (T17)", async (browser) => {
    const meanings = await inPage(browser, async () => {
      const { meaning } = await import("/keys.js");
      const key = (key, code = key, more = {}) => ({ key, code, ...more });
      const empty = { empty: true, walks: true, arrows: true, digits: true, browsing: false };
      const typed = { ...empty, empty: false };
      const tell = (event, line) => {
        const found = meaning(event, line);
        return found && (found.command ?? found.number ?? found.act);
      };
      return {
        walk: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].map((name) => tell(key(name), empty)),
        typing: ["ArrowUp", "ArrowDown", "ArrowLeft"].map((name) => tell(key(name), typed)),
        off: tell(key("ArrowUp"), { ...empty, arrows: false }),
        outside: [key("8", "Numpad8"), key("ArrowLeft")].map((event) => tell(event, { ...empty, walks: false })),
        keypad: ["8", "6", "2", "4", "Subtract", "Add", "5"].map((code) => tell(key("x", `Numpad${code}`), empty)),
        digits: tell(key("5", "Numpad5"), typed),
        alt: tell(key("ArrowUp", "ArrowUp", { altKey: true }), empty),
        row: [empty, typed, { ...empty, digits: false }].map((line) => tell(key("8", "Digit8"), line)),
        macros: [[empty, "F1"], [typed, "F1"], [empty, "Numpad4"], [typed, "Numpad4"], [empty, "F5"], [empty, "F2"],
          [{ ...empty, walks: false }, "F1"]].map(([line, code]) => tell(key("x", code), { ...line, macros: ["f1", "kp4"] })),
        held: ["altKey", "ctrlKey", "metaKey", "shiftKey"].map((held) =>
          tell(key("F1", "F1", { [held]: true }), { ...empty, macros: ["f1"] })),
        tab: [tell(key("Tab"), empty), tell(key("Tab"), typed), tell(key("Tab", "Tab", { shiftKey: true }), typed)],
      };
    });
    assert.deepEqual(meanings, {
      walk: ["north", "south", "west", "east"],
      typing: ["older", "newer", null],
      off: "older",
      outside: [null, null],
      keypad: ["north", "east", "south", "west", "up", "down", "wait"],
      digits: null,
      alt: "older",
      row: ["8", null, null],
      macros: ["f1", "f1", "kp4", null, null, null, null],
      held: [null, null, null, null],
      tab: [null, "complete", null],
    });
  }],

  ["waits before coming back grow, differ, and end at half a minute", async (browser) => {
    const waits = await inPage(browser, async () => {
      const { waitBefore } = await import("/connection.js");
      return [[0, 0], [0, 1], [3, 0], [3, 1], [20, 0], [20, 1]].map(([attempt, dice]) => waitBefore(attempt, dice));
    });
    assert.deepEqual(waits, [500, 1000, 4000, 8000, 15_000, 30_000]);
  }],

  ["lines are cut at their ends, however they come", async (browser) => {
    const found = await inPage(browser, async () => {
      const { Lines } = await import("/lines.js");
      const lines = new Lines();
      return [lines.push("a"), lines.push("b\nc\r\nHP:3"), lines.prompt(), lines.push("\nd\n\n"), lines.prompt()];
    });
    assert.deepEqual(found, [[], ["ab", "c"], "HP:3", ["d", ""], ""]);
  }],

  ["the log keeps five thousand lines and no more", async (browser) => {
    const count = await inPage(browser, async () => {
      const { Log } = await import("/log.js");
      const [log, newer, announcer] = ["div", "button", "div"].map((name) => document.createElement(name));
      sessionStorage.clear();
      const made = new Log(log, newer, announcer, () => {});
      for (let round = 0; round < 7; round += 1) {
        made.add(Array.from({ length: 1000 }, (_, line) => `${round} ${line}`));
        while (log.lastElementChild?.textContent !== `${round} 999`) await new Promise(requestAnimationFrame);
      }
      return { count: log.childElementCount, last: log.lastElementChild.textContent };
    });
    assert.deepEqual(count, { count: 5000, last: "6 999" });
  }],

  ["the end of the log stays in sight when it becomes smaller, until somebody goes back", async (browser) => {
    const found = await inPage(browser, async () => {
      const { Log } = await import("/log.js");
      const [log, newer, announcer] = ["div", "button", "div"].map((name) => document.createElement(name));
      log.className = "log";
      log.style.cssText = "height: 400px; flex: none; overflow-y: auto";
      document.querySelector("main").replaceChildren(log);
      sessionStorage.clear();
      const made = new Log(log, newer, announcer, () => {});
      const add = async (word) => {
        made.add(Array.from({ length: 50 }, (_, line) => `${word} ${line}`));
        while (log.lastElementChild?.textContent !== `${word} 49`) await new Promise(requestAnimationFrame);
        return log.scrollHeight - log.scrollTop - log.clientHeight < 2;
      };
      const told = [await add("first")];
      // The first event of a browser when a panel opens during a fight.
      log.style.height = "100px";
      log.dispatchEvent(new Event("scroll"));
      told.push(await add("second"));
      made.page(-1);
      told.push(await add("third"), newer.hidden);
      return told;
    });
    assert.deepEqual(found, [true, true, false, false]);
  }],

  ["the atlas knows one-way, shut and unexplored ways, and forgets the oldest area", async (browser) => {
    const found = await inPage(browser, async () => {
      const { Atlas } = await import("/atlas.js");
      const atlas = new Atlas();
      const info = (num, area, exitsv2) => {
        return { num, area, name: `Room ${num}`, coord: { id: 1, x: num, y: 0, z: -1 }, floor: 1, exitsv2 };
      };
      atlas.arrive(info(1, "well/branch 1", { e: { num: 2, state: "one_way" }, n: { num: -1, state: "unexplored" } }));
      const gate = { num: 9, state: "open", cmd: "enter gate" };
      atlas.arrive(info(2, "well/branch 1", { w: { num: -1, state: "locked" }, "enter gate": gate }));
      const words = atlas.describe();
      const again = new Atlas();
      again.arrive(info(1, "well/branch 1", { e: { num: 2, state: "one_way" } }));
      const rooms = [info(1, "well/branch 1", {}), info(2, "well/branch 1", {}), info(3, "well/branch 1", {})];
      rooms[2].coord.z = -2;
      again.remember({ area: "well/branch 1", part: 1, parts: 1, rooms: [...rooms, null, {}] });
      const kept = [again.level().length, again.describe(), again.levels(), again.level(-2)[0].name];
      for (let area = 2; area < 20; area += 1) atlas.arrive(info(area, `well/branch ${area}`, {}));
      const nowhere = atlas.arrive({ num: -1, exits: {}, coords: "", area: "" });
      atlas.arrive(info(1, "well/branch 1", {}));
      return { words, kept, forgotten: atlas.level().length === 1, nowhere, lost: new Atlas().describe() };
    });
    assert.equal(
      found.words,
      "Map of well, branch 1, dungeon level 1: 2 rooms seen. You are in Room 2. Ways out: west (locked); enter gate (not seen by you).",
    );
    assert.deepEqual(found.kept, [
      2,
      "Map of well, branch 1, dungeon level 1: 2 rooms seen. You are in Room 1. Ways out: east (to Room 2, one way only).",
      [-2, -1],
      "Room 3",
    ]);
    assert.ok(found.forgotten, "what lay in an area that was left long ago");
    assert.equal(found.nowhere, false);
    assert.equal(found.lost, "There is no map of this place.");
  }],

  ["an unexplored way that was taken is known from both ends", async (browser) => {
    const found = await inPage(browser, async () => {
      const { Atlas } = await import("/atlas.js");
      const atlas = new Atlas();
      const unexplored = { num: -1, state: "unexplored" };
      const at = (num, x, y, exitsv2) => {
        return { num, area: "well/branch 1", name: `Room ${num}`, coord: { id: 1, x, y, z: -1 }, exitsv2 };
      };
      atlas.arrive(at(1, 0, 0, { e: unexplored, n: unexplored, s: unexplored }));
      atlas.arrive(at(2, 1, 0, { w: { num: 1, state: "open", back: true } }));
      const bothWays = atlas.room(1).exits.map(({ name, num, state }) => [name, num, state]);
      atlas.arrive(at(1, 0, 0, { e: { num: 2, state: "open" }, n: unexplored, s: unexplored }));
      atlas.arrive(at(3, 0, 1, { n: unexplored }));
      const oneWay = atlas.room(1).exits.map(({ name, num, state }) => [name, num, state]);
      atlas.arrive(at(4, 7, 7, { d: unexplored }));
      const below = at(5, 0, 0, { u: { num: 4, state: "open", back: true } });
      below.coord.z = -2;
      atlas.arrive(below);
      const stairs = atlas.room(4).exits.map(({ name, num, state }) => [name, num, state]);
      return { bothWays, oneWay, stairs };
    });
    assert.deepEqual(found.stairs, [["d", 5, "open"]], "stairs end where their level begins");
    assert.deepEqual(found.bothWays, [["e", 2, "open"], ["n", -1, "unexplored"], ["s", -1, "unexplored"]]);
    assert.deepEqual(found.oneWay, [["e", 2, "open"], ["n", 3, "one_way"], ["s", -1, "unexplored"]]);
  }],

  ["graves, coffers and what is blocked have signs with words", async (browser) => {
    const found = await inPage(browser, async () => {
      const { signOf } = await import("/signs.js");
      const words = (details, clear = true) => signOf({ details, clear })?.[0] ?? "";
      return [["portal"], ["grave"], ["coffer"], ["merchant"], ["grave", "stairs"], []].map((details) => words(details))
        .concat(words(["unclear", "grave"], false));
    });
    assert.deepEqual(found, ["a portal", "a grave", "a coffer", "merchant", "stairs down", "", "not clear"]);
  }],

  ["actions have the keys of their order, wait, and are pressed by the key that the player saw", async (browser) => {
    const found = await inPage(browser, async () => {
      const { Actions } = await import("/actions.js");
      const holder = document.createElement("div");
      const [sent, said] = [[], []];
      const actions = new Actions(holder, { send: (command) => sent.push(command), say: (text) => said.push(text) });
      const list = (...commands) => actions.receive("Char.Actions.List", commands.map((command) => ({ kind: "strike", label: command, command, ready: true })));
      const later = () => new Promise((done) => setTimeout(done, 400));
      list("kill rat", "flee");
      await later();
      actions.press("1");
      list("aside", "kill rat", "flee");
      actions.press("1");
      await later();
      actions.press("1");
      const none = actions.press("4");
      actions.receive("Char.Actions.List", [{ kind: "ability", label: "Bash", command: "bash", ready: false, secs: 2, about: "a blow" }]);
      const button = holder.querySelector("button");
      const waiting = [button.getAttribute("aria-disabled"), button.textContent, button.title];
      button.click();
      await later();
      const taken = actions.press("1");
      await new Promise((done) => setTimeout(done, 2200));
      holder.querySelector("button").click();
      return { sent, said, none, waiting, taken, ready: holder.textContent };
    });
    assert.deepEqual(found.sent, ["kill rat", "kill rat", "aside", "bash"]);
    assert.deepEqual([found.none, found.taken], [false, true]);
    assert.deepEqual(found.waiting, ["true", "Bash2 s", "a blow"]);
    assert.deepEqual(found.said, ["Bash: not ready. 2 s"]);
    assert.equal(found.ready, "Bash");
  }],

  ["the sheet offers the choices of a new level", async (browser) => {
    const sent = await inPage(browser, async () => {
      const { Sheet } = await import("/sheet.js");
      const [holder, purse] = ["div", "p"].map((name) => document.createElement(name));
      const sent = [];
      const sheet = new Sheet(holder, purse, (command) => sent.push(command));
      sheet.receive("Char.Status", { training: 1, offer: "bash, mend" });
      holder.querySelectorAll("[aria-label^=Learn]").forEach((button) => button.click());
      return sent;
    });
    assert.deepEqual(sent, ["train bash", "train mend"]);
  }],

  ["the atlas knows the way to a room by known exits, and no other", async (browser) => {
    const found = await inPage(browser, async () => {
      const { Atlas } = await import("/atlas.js");
      const atlas = new Atlas();
      const room = (num, x, exitsv2) => ({ num, area: "town", name: `Room ${num}`, coord: { id: 0, x, y: 0, z: 0 }, details: [], exitsv2 });
      const to = (num, more = {}) => ({ num, state: "open", ...more });
      atlas.arrive(room(1, 0, { e: to(2), w: to(4, { state: "locked" }), gate: to(5, { cmd: "enter gate" }), n: { num: -1, state: "unexplored" } }));
      atlas.remember({ area: "town", rooms: [room(2, 1, { e: to(3), w: to(1) }), room(3, 2, { w: to(2), u: to(6) }), room(4, -1, {}), room(5, 9, {}), room(6, 2, {})] });
      return [1, 2, 3, 4, 5, 6, 7].map((num) => atlas.commandTo(num));
    });
    assert.deepEqual(found, [null, "go e", "go e e", null, null, "go e e u", null]);
  }],

  ["money is told in coins, and hit points below a half and a third in words", async (browser) => {
    const found = await inPage(browser, async () => {
      const { coins, condition } = await import("/figures.js");
      return { coins: [0, 7, 40, 1234].map(coins), words: [30, 15, 14, 10, 9, 0].map((hp) => condition(hp, 30).words) };
    });
    assert.deepEqual(found.coins, [
      [[0, "copper"]], [[7, "copper"]], [[4, "silver"]], [[1, "platinum"], [2, "gold"], [3, "silver"], [4, "copper"]],
    ]);
    assert.deepEqual(found.words, ["", "", "hurt", "hurt", "badly hurt", "badly hurt"]);
  }],

  ["the map of a large zone is readable, opens at the chosen room, and stays where it was scrolled to", async (browser) => {
    const found = await inPage(browser, async () => {
      const { Plan } = await import("/build/plan.js");
      const holder = document.createElement("div");
      holder.style.cssText = "position: fixed; inset: 0 auto auto 0; width: 500px; height: 300px; max-height: 300px; overflow: auto";
      document.body.append(holder);
      const [caption, higher, lower, closer, wider, fit] = ["p", "button", "button", "button", "button", "button"]
        .map((name) => document.createElement(name));
      const plan = new Plan({ holder, caption, higher, lower, closer, wider, fit }, () => {});
      const rooms = Array.from({ length: 400 }, (_, at) => {
        return { id: at, name: `Room ${at}`, kind: "room", x: at % 40, y: Math.floor(at / 40), z: 0, exits: [], holds: [] };
      });
      const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const inView = () => {
        const [room, view] = [holder.querySelector("[aria-current]"), holder].map((one) => one.getBoundingClientRect());
        return room.left >= view.left && room.right <= view.right && room.top >= view.top && room.bottom <= view.bottom;
      };
      const width = () => holder.querySelector("svg").getBoundingClientRect().width;
      plan.show({ rooms });
      await settled();
      plan.mark(379);
      const opened = [inView(), holder.querySelector("[aria-current]").getBoundingClientRect().width > 55];
      holder.scrollTo(0, 0);
      plan.show({ rooms: rooms.map((room) => ({ ...room })) });
      plan.mark(379);
      const kept = holder.scrollLeft === 0;
      closer.click();
      const [closerSeen, closerWidth] = [inView(), width()];
      fit.click();
      return { opened, kept, closerSeen, whole: width() <= 500 && closerWidth > 500 };
    });
    assert.deepEqual(found, { opened: [true, true], kept: true, closerSeen: true, whole: true });
  }],

  ["fields of a kind become lines by what they take", async (browser) => {
    const found = await inPage(browser, async () => {
      const { KINDS } = await import("/build/kind.js");
      const known = [
        ["text", "text", "", true], ["long", "text of any length", "", false], ["hp", "number from 1 to 9", "`3`", false],
        ["flag", "`true` or `false`", "true", false], ["pick", "one of `a`, `b`", '"a"', false], ["must", "one of `a`, `b`", "", true],
        ["names", "list of texts", "", false], ["table", "table", "", false], ["tables", "list of tables", "", false],
      ].map(([name, takes, usual, required]) => ({ name, takes, default: usual, required, about: "Help." }));
      const fields = {
        text: 'a "b" \\ c', long: "one\n\ntwo", hp: 5, pick: "b", must: "a", names: ["x, y", 'z "q"'],
        table: { "odd key": 1, plain: [true, "t"] }, tables: [{ part: "flee", percent: 30 }],
        triggers: [{ on: "say friend", lines: ["tell Yes.", "open north"] }],
      };
      const shape = KINDS.find(({ kind }) => kind === "item");
      const groups = shape.groupsOf({ key: "k", fields, known, mistakes: [] });
      const all = groups.flatMap((group) => group.fields);
      const same = all.map((field) => field.lines(field.value)[0]);
      const empty = all.map((field) => field.lines(field.kind === "check" ? false : "")[0]);
      return { same, empty, removals: groups.map(({ remove }) => remove.line), choices: all.find(({ key }) => key === "pick").choices[0][1] };
    });
    assert.deepEqual(found, {
      same: [
        'set item k text = "a \\"b\\" \\\\ c"', 'set item k long = "one\\n\\ntwo"', "set item k hp = 5", "set item k flag = true",
        'set item k pick = "b"', 'set item k must = "a"', 'set item k names = ["x, y", "z \\"q\\""]',
        'set item k table = { "odd key" = 1, plain = [true, "t"] }', 'set item k tables = [{ part = "flee", percent = 30 }]',
        "trigger item k say friend = tell Yes.; open north",
      ],
      empty: [
        "set item k text = none", "set item k long = none", "set item k hp = none", "set item k flag = false", "set item k pick = none",
        "set item k must = none", "set item k names = none", "set item k table = none", "set item k tables = none",
        "trigger item k say friend = none",
      ],
      removals: ["destroy item k", "trigger item k say friend = none"],
      choices: "The default, a",
    });
  }],

  ["a dialogue is drawn as a tree of which each row leads to its field", async (browser) => {
    const found = await inPage(browser, async () => {
      const { dialogueGroups, treeOf } = await import("/build/dialogue.js");
      const dialogue = {
        key: "keeper", may: true, text_chars: 40, mistakes: [], unreached: ["lost"],
        fields: { starts: [{ to: "late", only_if: "night" }], nodes: [
          { key: "hello", text: "Well?", choices: [{ text: "Below?", to: "below" }, { text: "No." }, { text: "No." }, { text: "Up?", to: "up" }] },
          { key: "below", text: "Stairs.", choices: [{ text: "Again.", to: "hello" }] }, { key: "late", text: "Go to bed." }, { key: "lost", text: "Never." },
        ] },
      };
      const keys = new Set(dialogueGroups(dialogue).flatMap((group) => group.fields).map(({ key }) => key));
      const rows = treeOf(dialogue);
      return { rows: rows.map(({ words, depth }) => `${"  ".repeat(depth)}${words}`), strange: rows.filter(({ field }) => field && !keys.has(field)) };
    });
    assert.deepEqual(found, {
      rows: [
        "hello: Well?", "  \u201cBelow?\u201d", "    below: Stairs.", "      \u201cAgain.\u201d", "        hello, as above",
        "  \u201cNo.\u201d, the end", "  \u201cNo.\u201d, the end", "  \u201cUp?\u201d", "    up, which there is not", "late: Go to bed.", "lost: Never.",
      ],
      strange: [],
    });
  }],

  ["a dialogue and a quest become lines that lose nothing", async (browser) => {
    const found = await inPage(browser, async () => {
      const { dialogueGroups, trialAt, DIALOGUES } = await import("/build/dialogue.js");
      const { questGroups } = await import("/build/quest.js");
      const { groupsOf } = await import("/build/fields.js");
      const fieldsOf = (groups) => new Map(groups.flatMap((group) => group.fields).map((field) => [field.key, field]));
      const lines = (fields, key, value) => fields.get(key).lines(value, (other) => (other === key ? value : fields.get(other)?.value));
      const mistake = (fields, key, value) => fields.get(key).mistake(value, (other) => (other === key ? value : fields.get(other)?.value));
      const dialogue = {
        key: "keeper", may: true, text_chars: 40, mistakes: [], unreached: ["lost"],
        fields: { name: "keeper", nodes: [
          { key: "hello", text: "Well, {player}?", choices: [{ text: "Below?", to: "below" }, { text: "No.", only_if: "level 2", lines: ["tell Hm."] }] },
          { key: "below", text: "Stairs." }, { key: "lost", text: "Never." },
        ] },
      };
      const groups = dialogueGroups(dialogue);
      const fields = fieldsOf(groups);
      const quest = { key: "tails", may: true, mistakes: [], fields: { name: "Tails", text: "Tails.", steps: [
        { key: "one", text: 'Say "rats" \\ <b>.', kill: "rat", count: 3 }, { key: "two", text: "Wait.", script: true, lines: ["tell a; b"] },
      ] } };
      const steps = questGroups(quest);
      const setting = (name, value, unset, check = false) => ({ name, value, takes: "a word", default: unset, about: "It is.", check, unset });
      const room = { name: "Mill", aliases: [], kind: "shop", description: "", tags: [], details: [], exits: [],
        settings: [setting("buys", "40%", "default"), setting("refill", "0", "default"), setting("board", "inn", "none"), setting("dark", "no", "default", true)],
        triggers: [{ on: "say friend", name: "gate", lines: ["tell Hm."] }],
        spawns: [{ key: "rat", name: "rat", creature: true, wish: "1 every 60", patrol: ["lane", "yard"], schedule: [] }] };
      const built = fieldsOf(groupsOf(room, { rooms: [] }));
      const add = (title, values) => {
        const addition = DIALOGUES.additions.find((one) => one.title === title);
        return addition.mistake(values, dialogue) || addition.line(values, dialogue);
      };
      return {
        notes: groups.find((group) => group.title === "Node lost").notes,
        to: lines(fields, "answer:hello:Below?:0:to", "lost"),
        text: lines(fields, "answer:hello:No.:0:text", "No\nthanks."),
        condition: lines(fields, "answer:hello:No.:0:if", " "),
        does: lines(fields, "node:below:do", "tell a\ntell b"),
        mistakes: [mistake(fields, "answer:hello:No.:0:text", "It leads to ruin"), mistake(fields, "node:below:text", "None"),
          mistake(fields, "node:below:text", "x".repeat(41)), mistake(fields, "node:below:do", "tell a; tell b")],
        added: [add("Add a node", { node: "a = b", text: "x" }), add("Add a node", { node: "new", text: "a = b" }),
          add("Add an answer", { node: "hello", text: "Why?", to: "", fresh: "why" })],
        trial: trialAt(dialogue, "hello", "<b>Bera</b>"),
        step: lines(fieldsOf(steps), "step:one:what", 'a "b"'),
        up: steps[2].actions[0].line,
        title: lines(fieldsOf(steps), "title", "none"),
        spawn: lines(built, "spawn:rat:schedule", "6: patrol; 22: sleep"),
        settings: [lines(built, "buys", ""), lines(built, "refill", "6"), lines(built, "board", ""), lines(built, "dark", true)].flat(),
        trigger: lines(built, "trigger:say friend as gate", "tell Aha.\nonce"),
      };
    });
    assert.deepEqual(found.notes, ["Nothing leads to this node: players never read it.", "It has no answers: the talk ends after it."]);
    assert.deepEqual(found.to, ["dialogue answer keeper hello 1 = Below? leads to lost"]);
    assert.deepEqual(found.text, ["dialogue answer keeper hello 2 = No thanks."]);
    assert.deepEqual(found.condition, ["dialogue if keeper hello 2 = none"]);
    assert.deepEqual(found.does, ["dialogue do keeper below = tell a; tell b"]);
    assert.ok(found.mistakes.every(Boolean), found.mistakes.join("\n"));
    assert.match(found.added[0], /^A key has/);
    assert.deepEqual(found.added.slice(1), ["dialogue say keeper new = a = b", "dialogue answer keeper hello = Why? leads to why"]);
    assert.equal(found.trial.text, "Well, <b>Bera</b>?");
    assert.equal(found.trial.answers[1].notes, "Offered only if level 2. Then this runs: tell Hm.");
    const two = '{ key = "two", text = "Wait.", script = true, lines = ["tell a; b"] }';
    const one = (kill) => `{ key = "one", text = "Say \\"rats\\" \\\\ <b>.", kill = ${kill}, count = 3 }`;
    assert.deepEqual(found.step, [`set quest tails steps = [${one('"a \\"b\\""')}, ${two}]`]);
    assert.equal(found.up, `set quest tails steps = [${two}, ${one('"rat"')}]`);
    assert.deepEqual(found.title, ['set quest tails title = "none"']);
    assert.deepEqual(found.spawn, ["spawn rat = 1 every 60 patrol lane; yard schedule 6: patrol; 22: sleep"]);
    assert.deepEqual(found.settings, ["set here buys = default", "set here refill = 6", "set here board = none", "set here dark = yes"]);
    assert.deepEqual(found.trigger, ["trigger say friend as gate = tell Aha.; once"]);
  }],

  ["a word is completed from what was seen last", async (browser) => {
    const found = await inPage(browser, async () => {
      const { candidates, wordBefore } = await import("/keys.js");
      return [
        candidates("go", ["A goblin's axe, and a goat.", "gold"]),
        candidates("g", ["goblin"]),
        wordBefore("kill gob now", 8),
      ];
    });
    assert.deepEqual(found, [["goat", "goblin", "gold"], [], { start: 5, word: "gob" }]);
  }],

  ["hostile structured data breaks nothing", async (browser) => {
    const found = await inPage(browser, async () => {
      const { Atlas } = await import("/atlas.js");
      const { Actions } = await import("/actions.js");
      const { Alerts } = await import("/alerts.js");
      const { Hud } = await import("/hud.js");
      const { Here, Party, Talk } = await import("/panels.js");
      const { Sheet } = await import("/sheet.js");
      const holder = () => document.createElement("div");
      const host = { send() {}, say() {}, answer() {}, helpFor: () => [], titled() {}, isRead: () => false, creature() {}, unread() {} };
      const talk = { holder: holder(), form: holder(), field: holder(), label: holder(), marks: [] };
      const parts = [new Hud(holder(), host), new Here(holder(), () => {}), new Party(holder(), () => {}), new Talk(talk, host),
        new Sheet(holder(), holder(), () => {}), new Actions(holder(), host), new Alerts(holder(), host)];
      const names = ["Char.Vitals", "Char.Status", "Char.Afflictions.List", "Char.Afflictions.Add", "Room.Players",
        "Room.AddPlayer", "Char.Items.List", "Char.Items.Add", "Char.Items.Remove", "Party.Info", "Party.Update",
        "Comm.Channel.Text", "Comm.Channel.List", "Room.Wares.List", "Char.Skills.List",
        "Char.Quests.List", "Char.Mail.Status", "Char.Mail.List", "Room.Notes.List", "Room.Branches.List", "World.Time", "Char.Dialogue", "Party.Invitations", "Char.Actions.List", "Char.Enemies.List"];
      const bodies = [undefined, null, 1, "x", [], {}, [null], { items: null }, { members: null }, { name: null }];
      const broken = [];
      for (const name of names) {
        for (const body of bodies) {
          for (const part of parts) {
            try {
              part.receive(name, body);
            } catch (error) {
              broken.push(`${name} ${JSON.stringify(body)}: ${error.message}`);
            }
          }
          new Atlas().arrive(body);
          new Atlas().remember(body);
          new Atlas().furnish(body);
        }
      }
      return broken;
    });
    assert.deepEqual(found, []);
  }],
];
