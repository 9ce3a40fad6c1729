// What fills an evening, done on a phone by press alone: a visitor with a finger, who writes nothing but a name and a password.
// The owner of the world, at another page, sets the scene. Needs the owner's token in OWNER_TOKEN, if RUN=presses.

import assert from "node:assert/strict";

import { PASSWORD } from "./player.mjs";
import { Visitor } from "./visitor.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A yard off the square: a step into it gives a level, and words of the owner bring a creature or a fall. */
const YARD = [
  ["dig Yard = yard,gate", "You dig Yard"],
  ["yard", "Yard"],
  ["set here fights = yes", "fights"],
  ["trigger enter = experience 9000", "It is set"],
  ["trigger say fall = harm 500", "It is set"],
  ["make creature straw_man like brood_rat = straw man", "straw man"],
  ["set creature straw_man hp = 9000", "9000"],
  ["set creature straw_man attack = 0", "0"],
  ["trigger say enough = despawn straw_man", "It is set"],
  ["gate", "Well Square"],
];

/** Abilities that can be used against one creature. */
const FIGHTING = ["brace", "feint", "bash", "bind", "taunt", "sweep"];

/** Parts of the evening, each with what the visitor presses. */
const PARTS = {
  async "create a character"({ visitor, name }) {
    await visitor.fill("Name", name);
    await visitor.fill("Password", PASSWORD);
    await visitor.reads("That name is free.");
    await visitor.press("button", "Create a character");
    await visitor.stands("Well Square");
  },

  async "follow the guide"({ visitor }) {
    await visitor.press("button", "Start the guide");
    await visitor.reads(/^Guide, step 1 of/);
    await visitor.press("button", /^Do it: look/);
    await visitor.reads(/^Guide, step 2 of/);
    await visitor.press("button", "Next step of the guide");
    await visitor.reads(/^Guide, step 3 of/);
  },

  async "take a quest in a talk"({ visitor }) {
    await visitor.walk(/^north/);
    await visitor.press("button", /^Talk to/);
    await pressIn(visitor, "Here", /^Say: What is it like/);
    await pressIn(visitor, "Here", "Say: And what lives there?");
    await pressIn(visitor, "Here", "Say: I could see to three of them.");
    await visitor.press("button", /^About: /);
    await visitor.reads(/three/i);
  },

  async "read a note and a mail"({ visitor, owner, name }) {
    await owner.ask("north", "Climbers' Lodge");
    await owner.ask("board write Lamp = Who has my lamp?", "hangs on the board");
    await owner.ask(`mail to ${name} = Mind the lever.`, "is sent");
    await pressIn(visitor, "Here", "Read: Lamp");
    await visitor.reads(/Who has my lamp/);
    await pressIn(visitor, "Here", "Read: mail 1");
    await visitor.reads(/Mind the lever/);
    await owner.ask("south", "Well Square");
  },

  async "buy in the shop"({ visitor }) {
    await visitor.walk(/^south/);
    await visitor.walk(/^west/);
    await pressIn(visitor, "Here", /^Buy: a piece of chalk/);
    await visitor.reads(/^You buy/);
    await visitor.walk(/^east/);
  },

  async "choose what levels taught"(scene) {
    const { visitor } = scene;
    await visitor.walk(/^yard/);
    // Which abilities a level offers differs between characters.
    while (!scene.ability) {
      await visitor.press("button", "More actions");
      const train = (await visitor.sees("button", ...FIGHTING.map((ability) => `Train ${ability}`))) ?? "Train strength";
      await visitor.press("button", train);
      if (train !== "Train strength") scene.ability = train.replace("Train ", "");
    }
    await pressIn(visitor, "Bag", `About: ${scene.ability}`);
  },

  async "fight, use an ability, and flee"({ visitor, owner, player, ability }) {
    await owner.ask("yard", "Yard");
    await owner.ask("spawn straw_man", "straw man");
    await visitor.press("button", "Attack straw man");
    await visitor.press("button", ability[0].toUpperCase() + ability.slice(1));
    await visitor.press("button", "Flee");
    await visitor.reads(/Your chance was/);
    await owner.type("say enough");
    if ((await player.log()).includes("You break away")) await visitor.walk(/^yard/);
  },

  async "solve a puzzle of each kind"({ visitor, owner, player }) {
    for (const kind of await linesOf(owner, "puzzle list", /^([a-z]\w*): /)) {
      await owner.ask(`puzzle test ${kind} seed=7`, "puzzle close when you are done.");
      const steps = await linesOf(owner, "puzzle solve", /^([a-z].*?)(?:, in .*)?$/);
      const from = (await player.log()).length;
      await visitor.walk(/^in\b/);
      for (const step of steps) {
        const before = (await player.log()).length;
        await take(visitor, step).catch((error) => assert.fail(`${kind}, ${step}: ${error.message}`));
        await player.expect(`> ${step}\n`, before);
      }
      await player.expect("The puzzle is solved.", from);
      await owner.ask("puzzle close", "The trial is gone");
      await visitor.stands("Yard");
    }
  },

  async "rescue a player"({ visitor, owner }) {
    await owner.type("say fall");
    await visitor.press("button", `Rescue ${owner.name}`);
    await visitor.reads(/^You pull/);
  },

  async "join a party"({ visitor, owner, name }) {
    await owner.ask(`party invite ${name}`, "You ask");
    await visitor.press("button", "Accept");
    await visitor.reads(/^You go with/);
    await owner.ask("party leave", "You leave the party");
  },

  async "go below, and home again"({ visitor }) {
    await visitor.walk(/^gate/);
    await visitor.walk(/^down/);
    await visitor.walk(/^(north|east|south|west)/);
    // The choices of the levels that are left come first.
    await visitor.press("button", "More actions");
    await visitor.press("button", "Recall");
    await visitor.stands("Well Square");
  },
};

/** Returns what a pattern finds in the lines of the answer to a command that is typed in the yard. */
async function linesOf(player, command, pattern) {
  const before = (await player.log()).length;
  await player.type(command);
  await player.ask("look", "Exits:");
  const told = (await player.log()).slice(before).split("\n");
  const found = told.slice(0, told.indexOf("Yard")).map((line) => pattern.exec(line)?.[1]).filter(Boolean);
  assert.notDeepEqual(found, [], command);
  return found;
}

/** Takes a step of the solution of a puzzle: an exit, or an action. Only the words of an answer are written. */
async function take(visitor, step) {
  if (/^(north|east|south|west|up|down)$/.test(step)) return visitor.walk(new RegExp(`^${step}`));
  const [verb, ...words] = step.split(" ");
  const label = verb === "answer" ? "Answer\u2026" : step[0].toUpperCase() + step.slice(1);
  if (!(await visitor.sees("button", label)) && (await visitor.sees("button", "More actions"))) await visitor.press("button", "More actions");
  await visitor.press("button", label);
  if (verb === "kill") await visitor.reads(new RegExp(`^The ${words.join(" ")} is dead`));
  if (verb === "answer") await visitor.writes(words.join(" "));
}

/** Presses a button of a part of the page, which is opened first. */
async function pressIn(visitor, part, wanted) {
  const isOpen = ({ role, name, pressed }) => role === "button" && name === part && pressed === "true";
  if (!(await visitor.tree()).some(isOpen)) await visitor.press("button", part);
  await visitor.press("button", wanted);
}

async function evening(browser) {
  const owner = await browser.create();
  await owner.ask(`claim ${process.env.OWNER_TOKEN}`, "This world is yours.");
  for (const [line, words] of YARD) await owner.ask(line, words);
  const player = await browser.open({ door: true, ...PHONE });
  const visitor = await Visitor.at(player, { touch: true });
  const name = browser.newName();
  const scene = { visitor, owner, player, name };
  const told = [];
  for (const [part, work] of Object.entries(PARTS)) {
    visitor.start();
    await work(scene);
    told.push(`${part}: ${visitor.actions}`);
  }
  console.log(`  ${told.join(", ")}`);
}

/** Tests: pairs of a name and a function that takes the browser. */
export const pressTests = [["what fills an evening is done on a phone by press alone", evening]];
