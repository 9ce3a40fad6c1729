// Quests on the builder page: the fields of a quest and its steps, and the lines to type for them. Independent of the page.

import { linesOf } from "./dialogue.js";
import { listed, mistakeOfKey, oneLine } from "./fields.js";

/** Goals of a step: the key in a file, and the words for builders. */
export const GOALS = [
  ["kill", "Kill creatures of a kind"], ["reach", "Reach a room"], ["depth", "Reach a depth of a branch"],
  ["fetch", "Carry an item"], ["give", "Give an item to a creature"], ["escort", "Bring a companion to a room"],
  ["talk", "Begin a dialogue"], ["use", "Use an item"], ["rescue", "Bring out a captive"],
  ["solve", "Solve a puzzle"], ["clear", "Clear a room of a difficulty"], ["see", "See a room of a kind, or any"],
  ["coffer", "Open the coffer at the end of a chain of clues"], ["finish", "See the last room of a branch that ends"],
  ["moment", "Something happens: went_out, levelled, traded, rested"], ["carry", "Carry an item down to a depth"],
  ["bring", "Bring an item to a room and leave it"], ["condition", "Meet a condition"], ["script", "A script says so"],
];
/** Goals that name one kind or several. */
const KINDS = ["kill", "fetch", "give", "escort", "talk", "use", "rescue", "solve", "see", "carry", "bring"];
/** Goals whose value is a number, or only `true`. */
const NUMBERS = ["depth", "clear"];
const FLAGS = ["script", "coffer", "finish"];
const ERRANDS = [["", "No"], ["short", "For a day: about twenty minutes"], ["long", "For a week: about five evenings"]];
const REPEATS = [["once", "Once"], ["always", "Again at once"], ["daily", "Again on another day"], ["weekly", "Again in another week"], ["branch", "Again in another branch"]];

/** Returns a value in the syntax of files. */
export function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  const name = (key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
  if (typeof value === "object") return `{ ${Object.entries(value).map(([key, one]) => `${name(key)} = ${written(one)}`).join(", ")} }`;
  return JSON.stringify(value);
}

export const rows = (text) => text.split("\n").map(oneLine).filter(Boolean);
const mistakeOfNumber = (text) => (/^\d*$/.test(text.trim()) ? "" : "Type a whole number.");
const goalOf = (step) => GOALS.find(([goal]) => step[goal] !== undefined)?.[0] ?? "script";

/** Returns a step as in a file, from the values of its fields. */
export function stepOf({ key, text, goal, what, to, count, dungeon, optional, alternative, lines }) {
  const kinds = KINDS.includes(goal) ? listed(what) : [];
  const other = kinds.length > 1 ? kinds : oneLine(what);
  const target = FLAGS.includes(goal) ? true : NUMBERS.includes(goal) ? Number(what.trim() || 0) : other;
  const takers = goal === "give" ? listed(to) : [];
  const step = { key: key.trim(), text: oneLine(text), [goal]: target };
  if (to.trim() && goal === "carry") step.to_depth = Number(to);
  else if (to.trim()) step.to = takers.length > 1 ? takers : to.trim();
  if (Number(count.trim() || 1) !== 1) step.count = Number(count);
  if (dungeon) step.dungeon = true;
  if (optional) step.optional = true;
  if (alternative) step.alternative = true;
  if (rows(lines).length > 0) step.lines = rows(lines);
  return step;
}

const together = (value) => [].concat(value ?? []).join(", ");

const PARTS = ["key", "text", "goal", "what", "to", "count", "dungeon", "optional", "alternative", "lines"];

function valuesOf(step) {
  const goal = goalOf(step);
  return {
    key: step.key ?? "", text: step.text ?? "", goal, what: FLAGS.includes(goal) ? "" : together(step[goal]), to: together(step.to ?? step.to_depth),
    count: String(step.count ?? 1), dungeon: step.dungeon === true, optional: step.optional === true, alternative: step.alternative === true, lines: linesOf(step.lines).join("\n"),
  };
}

const stepsOf = (quest) => quest.fields.steps ?? [];
const setSteps = (quest, steps) => `set quest ${quest.key} steps = ${written(steps)}`;

function stepGroup(quest, step, at) {
  const title = `Step ${step.key}`;
  const values = valuesOf(step);
  // One line sets all steps.
  const lines = (_, now) => [setSteps(quest, stepsOf(quest).map((one) => stepOf(Object.fromEntries(PARTS.map((part) => [part, now(`step:${one.key}:${part}`)])))))];
  const of = (part, label, kind, more = {}) => ({ key: `step:${step.key}:${part}`, group: title, label, kind, value: values[part], lines, last: true, ...more });
  const mistakeOfWhat = (what, now) => (NUMBERS.includes(now(`step:${step.key}:goal`)) ? mistakeOfNumber(what) : "");
  const others = stepsOf(quest).filter((_, other) => other !== at);
  const swapped = [...stepsOf(quest)];
  if (at > 0) [swapped[at - 1], swapped[at]] = [swapped[at], swapped[at - 1]];
  return {
    title, key: `step:${step.key}`,
    fields: [
      of("key", "Key of the step", "line", { mistake: mistakeOfKey }),
      of("text", "What players read", "line"),
      of("goal", "Done when the player does this", "choice", { choices: GOALS }),
      of("what", "Which: keys of creatures, items or dialogues, kinds of rooms, a room, a depth or a condition", "line", { list: "kinds", mistake: mistakeOfWhat }),
      of("to", "To which creature, room or depth, if the goal has one", "line"),
      of("count", "How many times", "line", { mistake: mistakeOfNumber }),
      of("dungeon", "Counts in the dungeon only", "check"),
      of("optional", "Optional", "check"),
      of("alternative", "Does as well as the step before it", "check"),
      of("lines", "What happens when it is done, a line each", "text"),
    ],
    actions: at > 0 ? [{ words: `Move ${step.key} up`, line: setSteps(quest, swapped) }] : [],
    remove: others.length > 0 ? { words: `Delete step ${step.key}`, line: setSteps(quest, others) } : null,
  };
}

/** Returns all groups of fields of a quest, as `groupsOf` does for a room. */
export function questGroups(quest) {
  const { key, fields } = quest;
  const one = (field, label, kind, value, typed, more = {}) => ({
    key: field, group: "This quest", label, kind, value, lines: (text) => [`set quest ${key} ${field} = ${typed(text) || "none"}`], ...more,
  });
  const quoted = (text) => oneLine(text) && written(oneLine(text));
  const number = (field, label) => one(field, label, "line", String(fields[field] ?? ""), (text) => text.trim(), { mistake: mistakeOfNumber });
  const list = (parts) => (parts.length > 0 ? written(parts) : "");
  const own = [
    one("name", "Name that players read", "line", fields.name ?? "", quoted),
    one("text", "What it is about", "text", fields.text ?? "", quoted),
    one("only_if", "Begins only if this condition holds", "line", fields.only_if ?? "", quoted),
    one("repeat", "Can be done", "choice", fields.repeat ?? "once", quoted, { choices: REPEATS }),
    one("errand", "Offered as an errand", "choice", fields.errand ?? "", quoted, { choices: ERRANDS }),
    number("errand_level", "Errand: least level of a character to whom it is offered; empty for 1"),
    number("errand_deepest", "Errand: greatest difficulty of a room that it needs; empty for 6"),
    one("shared", "Kills count for the party", "check", fields.shared ?? true, String),
    number("limit_secs", "Time in which it has to be done, in seconds; empty without end"),
    number("experience", "Reward: experience"),
    number("copper", "Reward: copper coins"),
    one("items", "Reward: items, with commas between them", "line", [].concat(fields.items ?? []).join(", "), (text) => list(listed(text))),
    one("affect", "Reward: affect", "line", fields.affect ?? "", quoted),
    one("title", "Reward: title", "line", fields.title ?? "", quoted),
    one("lines", "What happens at the end, a line each", "text", linesOf(fields.lines).join("\n"), (text) => list(rows(text))),
  ];
  const notes = quest.mistakes.map((mistake) => `Not in force: ${mistake}.`);
  return [{ title: "This quest", key: "quest", notes, fields: own }, ...stepsOf(quest).map((step, at) => stepGroup(quest, step, at))];
}

/** What the page knows of quests, for `Definitions`. */
export const QUESTS = {
  kind: "quest", prefix: "quest-", title: "Quests", about: "What players undertake, step by step, for a reward.", groupsOf: questGroups,
  additions: [{
    title: "Add a step", button: "Add the step",
    fields: [
      { name: "key", label: "Key of the step, such as rats", needed: true },
      { name: "text", label: "What players read", needed: true },
      { name: "goal", label: "Done when the player does this", choices: () => GOALS },
      { name: "what", label: "Which: keys of creatures, items or dialogues, kinds of rooms, a room, a depth or a condition", list: "kinds" },
      { name: "to", label: "To which creature, room or depth, if the goal has one" },
      { name: "count", label: "How many times", about: "Left empty, once." },
    ],
    mistake: ({ key, goal, what, count }) => mistakeOfKey(key) || mistakeOfNumber(count) || (goal === "depth" ? mistakeOfNumber(what) : ""),
    line: (values, quest) => setSteps(quest, [...stepsOf(quest), stepOf({ ...values, dungeon: false, optional: false, alternative: false, lines: "" })]),
  }],
};
