// Pictures in docs/pictures: the page on a desktop and on a phone. Written only with WRITE_GENERATED=all.

import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

/** Explores rooms and fights weak creatures until several rooms are known, to fill the picture. */
async function explore(player, moves) {
  const { page } = player;
  for (let move = 0; move < moves; move += 1) {
    const told = (await player.log()).split("\n").slice(-8).join(" ");
    if (told.includes(" bar the way")) return;
    const alone = told.match(/([a-z]+) is here and bars the way/)?.[1];
    if (alone) await player.ask(`kill ${alone}`, "The room is clear");
    const [onward, back] = [/unexplored/, /the way back/].map((name) => page.getByRole("button", { name }).first());
    const way = (await onward.count()) === 0 ? back : onward;
    if ((await way.count()) === 0) return;
    const before = (await player.log()).length;
    await way.click();
    await player.expect("Exits:", before);
  }
}

async function take(browser) {
  const desk = await browser.open({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  await desk.create("Olad");
  const friend = await browser.open();
  await friend.create("Bera");
  await desk.ask("down", "Bottom of the Well");
  await desk.ask("east", "Exits:");
  await explore(desk, 8);
  await friend.ask("ooc Which way did you take?", "Which way");
  await desk.expect("Which way");
  await desk.page.screenshot({ path: `${docs}web-desktop.png` });
  const phone = await browser.open({
    viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: "light",
  });
  await phone.create("Mika");
  await phone.ask("down", "Bottom of the Well");
  await explore(phone, 4);
  await phone.page.tap(".thumb [data-sheet=map]");
  await phone.page.waitForSelector("#map svg:visible");
  await phone.page.screenshot({ path: `${docs}web-phone.png` });
}

/** Tests: pairs of a name and a function that takes the browser. */
export const screenshotTests = process.env.WRITE_GENERATED === "all" ? [["pictures for the docs", take]] : [];
