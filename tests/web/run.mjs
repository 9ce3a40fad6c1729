// Tests the web client in a headless Chromium against a running server: `node run.mjs URL [WORD]`. With WORD, runs only
// the tests whose names contain it. Prints a line per test and a summary; fails if any test fails. WRITE_GENERATED=all
// also writes the pictures in docs/pictures. RUN selects a group of tests: tests/live/browser.rs runs each with a separate
// server, which it kills and starts again for RUN=restarts and RUN=build, with the owner's token in OWNER_TOKEN.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

import { accessTests } from "./access.mjs";
import { buildTests } from "./build.mjs";
import { doorTests } from "./door.mjs";
import { Keeper } from "./keeper.mjs";
import { partTests } from "./parts.mjs";
import { playTests } from "./play.mjs";
import { Browser } from "./player.mjs";
import { pressTests } from "./presses.mjs";
import { Proxy } from "./proxy.mjs";
import { restartTests } from "./restart.mjs";
import { screenshotTests } from "./screenshots.mjs";
import { sizeTests } from "./sizes.mjs";
import { staffTests } from "./staff.mjs";
import { taskTests } from "./tasks.mjs";
import { updateTests } from "./updates.mjs";
import { wireTests } from "./wire.mjs";

/** Timeout of a test in milliseconds: far more than a busy machine needs. */
const PATIENCE = 400_000;

const [url, only = ""] = process.argv.slice(2);
if (!url) {
  console.error("usage: node run.mjs URL [WORD]");
  process.exit(2);
}

const proxy = await Proxy.open(new URL(url));
const chrome = await chromium.launch({
  executablePath: execFileSync(fileURLToPath(new URL("browser", import.meta.url))).toString().trim(),
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const play = [...partTests, ...wireTests, ...updateTests, ...doorTests, ...playTests];
const looks = [...accessTests, ...sizeTests, ...screenshotTests];
const groups = { play, looks, restarts: [...taskTests, ...restartTests], build: [...buildTests, ...staffTests], presses: pressTests };
const group = process.env.RUN;
const browser = new Browser(chrome, proxy, ["restarts", "build"].includes(group) ? new Keeper(proxy) : null);
const tests = [...(groups[group] ?? [...play, ...looks]), ["nothing went wrong meanwhile", soundness]];

/** Checks conditions that hold for all pages of the run. */
async function soundness(all) {
  if (all.errors.length > 0) throw new Error(`errors on the console:\n${all.errors.join("\n")}`);
  const foreign = all.requests.filter((request) => !request.startsWith(all.origin) && !request.startsWith("data:"));
  if (foreign.length > 0) throw new Error(`requests to elsewhere:\n${foreign.join("\n")}`);
}

let passed = 0;
let failed = 0;
for (const [name, test] of tests.filter(([name]) => name.includes(only))) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    await Promise.race([test(browser), late]);
    passed += 1;
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack}\n${await browser.lastWords()}`);
  }
  clearTimeout(timer);
  await browser.closeAll();
}
await chrome.close();
proxy.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
