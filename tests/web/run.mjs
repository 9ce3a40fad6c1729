// Plays the game in the page, in a headless Chromium, against a server that runs: `node run.mjs URL [WORD]`.
// With a word, only the tests whose name has it. Prints a line a test and a sum; fails if one of them has failed.
// WRITE_GENERATED=all also writes the pictures in docs/. tests/live/page.rs runs it with a server of its own, and a
// second time with RESTARTS=yes: then it plays the tests for which it kills the server and starts it again when asked. With
// BUILD=yes and the token of the world's owner in OWNER_TOKEN it plays those of the page for builders.

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
import { Proxy } from "./proxy.mjs";
import { restartTests } from "./restart.mjs";
import { screenshotTests } from "./screenshots.mjs";
import { sizeTests } from "./sizes.mjs";
import { taskTests } from "./tasks.mjs";
import { wireTests } from "./wire.mjs";

/** A test that lasts longer than this has failed, in milliseconds: far longer than a busy machine needs. */
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
const [restarts, builds] = [process.env.RESTARTS === "yes", process.env.BUILD === "yes"];
const browser = new Browser(chrome, proxy, restarts || builds ? new Keeper(proxy) : null);
const untouched = [
  ...partTests, ...wireTests, ...doorTests, ...playTests, ...accessTests, ...sizeTests, ...screenshotTests,
];
const tests = [
  ...(builds ? buildTests : restarts ? [...taskTests, ...restartTests] : untouched),
  ["nothing went wrong meanwhile", soundness],
];

/** What holds over all pages that were opened. */
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
