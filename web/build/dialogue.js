// Dialogues on the builder page: the fields of a tree of nodes and answers, the lines to type for them, and what a trial
// shows. Independent of the page.

import { mistakeOfKey, oneLine, script } from "./fields.js";

const LEADS = " leads to ";

const lists = (fields, name) => fields[name] ?? [];
const keysOf = (dialogue) => lists(dialogue.fields, "nodes").map((node) => node.key);
/** Lines of a script in a file: a list, or a single text. */
export const linesOf = (lines) => [].concat(lines ?? []);

const destinations = (dialogue) => [["", "The end of the talk"], ...keysOf(dialogue).map((key) => [key, `Node ${key}`])];
const leading = (text, to) => (to ? `${oneLine(text)}${LEADS}${to}` : oneLine(text));

/** Returns why a text cannot be said, if it cannot. */
function mistakeOfText(text, dialogue) {
  const words = oneLine(text);
  if (!words) return "Write what is said.";
  if (words.toLowerCase() === "none") return "The word none alone takes a text away. Write more.";
  const letters = [...words].length;
  if (letters <= dialogue.text_chars) return "";
  return `A text has at most ${dialogue.text_chars} letters; this one has ${letters}.`;
}

/** Returns why an answer cannot be typed, if it cannot. */
function mistakeOfAnswer(text, to, dialogue) {
  if (!to && oneLine(text).includes(LEADS)) return `An answer that ends the talk cannot have the words "${LEADS.trim()}".`;
  return mistakeOfText(text, dialogue);
}

const mistakeOfLines = (text) => (text.includes(";") ? "A line cannot have a semicolon. Write each line on its own." : "");

/** Returns the fields of an answer; their keys are those of its text, so that they stay when another answer is removed. */
function answerGroup(dialogue, node, answer, number, key) {
  const title = `Node ${node}, answer ${number}`;
  const place = `${dialogue.key} ${node} ${number}`;
  const of = (what, label, kind, value, lines, more = {}) => ({ key: `${key}:${what}`, group: title, label, kind, value, lines, ...more });
  const to = answer.to ?? "";
  const choices = destinations(dialogue);
  if (!choices.some(([value]) => value === to)) choices.push([to, `Node ${to}, which there is not`]);
  // The number stays, so these lines are sent in any order; the text changes the key and is sent last.
  const whole = (_, now) => [`dialogue answer ${place} = ${leading(now(`${key}:text`), now(`${key}:to`))}`];
  const mistake = (_, now) => mistakeOfAnswer(now(`${key}:text`), now(`${key}:to`), dialogue);
  return {
    title, key,
    fields: [
      of("text", "What the player says", "line", answer.text, whole, { last: true, mistake }),
      of("to", "Leads to", "choice", to, whole, { last: true, choices, mistake }),
      of("if", "Offered only if this condition holds", "line", answer.only_if ?? "", (text) => [`dialogue if ${place} = ${oneLine(text) || "none"}`]),
      of("do", "What happens when it is given, a line each", "text", linesOf(answer.lines).join("\n"),
        (text) => [`dialogue do ${place} = ${script(text) || "none"}`], { mistake: mistakeOfLines }),
    ],
    remove: { words: `Delete answer ${number} of ${node}`, line: `dialogue answer ${place} = none` },
  };
}

function nodeGroups(dialogue, node, isFirst) {
  const title = `Node ${node.key}`;
  const place = `${dialogue.key} ${node.key}`;
  const key = `node:${node.key}`;
  const notes = isFirst ? ["The talk begins here, unless another beginning holds."] : [];
  if (dialogue.unreached.includes(node.key)) notes.push("Nothing leads to this node: players never read it.");
  const answers = lists(node, "choices");
  if (answers.length === 0) notes.push("It has no answers: the talk ends after it.");
  const own = {
    title, key, notes,
    fields: [
      { key: `${key}:text`, group: title, label: "What is said", kind: "text", value: node.text,
        lines: (text) => [`dialogue say ${place} = ${oneLine(text)}`], mistake: (text) => mistakeOfText(text, dialogue) },
      { key: `${key}:do`, group: title, label: "What happens after it is said, a line each", kind: "text", value: linesOf(node.lines).join("\n"),
        lines: (text) => [`dialogue do ${place} = ${script(text) || "none"}`], mistake: mistakeOfLines },
    ],
    remove: { words: `Delete node ${node.key}`, line: `dialogue say ${place} = none` },
  };
  const seen = new Map();
  return [own, ...answers.map((answer, at) => {
    const count = seen.get(answer.text) ?? 0;
    seen.set(answer.text, count + 1);
    return answerGroup(dialogue, node.key, answer, at + 1, `answer:${node.key}:${answer.text}:${count}`);
  })];
}

/** Returns all groups of fields of a dialogue, as `groupsOf` does for a room. */
export function dialogueGroups(dialogue) {
  const { key, fields } = dialogue;
  const begins = lists(fields, "starts").map((start) => `It begins at ${start.to}, ${start.only_if ? `if ${start.only_if}` : "always"}.`);
  const asked = lists(fields, "topics").map((topic) => `Asked about ${topic.words}: ${topic.to}.`);
  const groups = [{
    title: "This dialogue", key: "dialogue", notes: dialogue.mistakes.map((mistake) => `Not in force: ${mistake}.`),
    fields: [{ key: "name", group: "This dialogue", label: "Name for builders", kind: "line", value: fields.name ?? "",
      lines: (text) => [`set dialogue ${key} name = ${JSON.stringify(oneLine(text))}`] }],
  }];
  lists(fields, "nodes").forEach((node, at) => groups.push(...nodeGroups(dialogue, node, at === 0)));
  if (begins.length > 0) {
    groups.push({ title: "Other beginnings", key: "starts", notes: begins, fields: [],
      remove: { words: "Delete the other beginnings", line: `dialogue start ${key} = none` } });
  }
  if (asked.length > 0) {
    groups.push({ title: "Topics", key: "topics", notes: asked, fields: [],
      remove: { words: "Delete the topics", line: `dialogue topic ${key} = none` } });
  }
  return groups;
}

/**
 * Returns a dialogue as a tree from its beginnings: rows with their words, their depth, and the key of the field that they
 * stand for. The answers of a node stand at its first place only.
 */
export function treeOf(dialogue) {
  const { fields } = dialogue;
  const byKey = new Map(lists(fields, "nodes").map((node) => [node.key, node]));
  const rows = [];
  const drawn = new Set();
  const add = (key, depth) => {
    const node = byKey.get(key);
    const again = drawn.has(key);
    const words = !node ? `${key}, which there is not` : again ? `${key}, as above` : `${key}: ${oneLine(node.text)}`;
    rows.push({ words, depth, field: node ? `node:${key}:text` : null });
    if (!node || again) return;
    drawn.add(key);
    const seen = new Map();
    for (const { text, to } of lists(node, "choices")) {
      const count = seen.get(text) ?? 0;
      seen.set(text, count + 1);
      rows.push({ words: `\u201c${oneLine(text)}\u201d${to ? "" : ", the end"}`, depth: depth + 1, field: `answer:${key}:${text}:${count}:text` });
      if (to) add(to, depth + 2);
    }
  };
  for (const [key] of beginnings(dialogue)) if (!drawn.has(key)) add(key, 0);
  for (const key of byKey.keys()) if (!drawn.has(key)) add(key, 0);
  return rows;
}

const nodes = (dialogue) => keysOf(dialogue).map((key) => [key, `Node ${key}`]);

/** What the page knows of dialogues, for `Definitions`. */
export const DIALOGUES = {
  kind: "dialogue", prefix: "dialogue-", title: "Dialogues", about: "What creatures and people say when somebody talks to them.", groupsOf: dialogueGroups, treeOf,
  additions: [
    {
      title: "Add a node", button: "Write the node",
      fields: [
        { name: "node", label: "Key of the node, such as hello", needed: true },
        { name: "text", label: "What is said there", text: true, needed: true },
      ],
      mistake: ({ node, text }, dialogue) => mistakeOfKey(node) || mistakeOfText(text, dialogue)
        || (keysOf(dialogue).includes(node.trim()) ? `There is a node ${node.trim()} already.` : ""),
      line: ({ node, text }, { key }) => `dialogue say ${key} ${node.trim()} = ${oneLine(text)}`,
    },
    {
      title: "Add an answer", button: "Add the answer",
      fields: [
        { name: "text", label: "What the player says", needed: true },
        { name: "node", label: "Offered at", choices: nodes },
        { name: "to", label: "Leads to", choices: destinations },
        { name: "fresh", label: "Or to a new node of this key" },
      ],
      mistake: ({ text, to, fresh }, dialogue) => (fresh.trim() && mistakeOfKey(fresh)) || mistakeOfAnswer(text, fresh.trim() || to, dialogue),
      line: ({ text, node, to, fresh }, { key }) => `dialogue answer ${key} ${node} = ${leading(text, fresh.trim() || to)}`,
    },
    {
      title: "Add another beginning", button: "Add the beginning",
      fields: [
        { name: "condition", label: "If this condition holds", needed: true },
        { name: "to", label: "It begins at", choices: nodes },
      ],
      line: ({ condition, to }, { key }) => `dialogue start ${key} = ${leading(condition, to)}`,
    },
    {
      title: "Add a topic", button: "Add the topic",
      fields: [
        { name: "words", label: "Words that players ask about, with semicolons between them", needed: true },
        { name: "to", label: "Answered at", choices: nodes },
      ],
      line: ({ words, to }, { key }) => `dialogue topic ${key} = ${leading(words, to)}`,
    },
  ],
};

/** Returns the nodes at which a trial can begin, each with words. */
export function beginnings(dialogue) {
  const { fields } = dialogue;
  const first = lists(fields, "nodes").slice(0, 1).map((node) => [node.key, `At the first node, ${node.key}`]);
  const starts = lists(fields, "starts").map((start) => [start.to, `At ${start.to}, ${start.only_if ? `if ${start.only_if}` : "always"}`]);
  const topics = lists(fields, "topics").map((topic) => [topic.to, `At ${topic.to}, asked about ${topic.words}`]);
  return [...first, ...starts, ...topics];
}

/** Returns what a player of a name reads at a node, with the condition and the lines of each answer; null if there is no such node. */
export function trialAt(dialogue, key, player) {
  const node = lists(dialogue.fields, "nodes").find((one) => one.key === key);
  if (!node) return null;
  const filled = (text) => text.replaceAll("{player}", player);
  const does = (lines) => (linesOf(lines).length > 0 ? `Then this runs: ${linesOf(lines).join("; ")}` : "");
  return {
    text: filled(node.text),
    does: does(node.lines),
    answers: lists(node, "choices").map((answer, at) => ({
      words: `${at + 1}. ${filled(answer.text)}`,
      to: answer.to ?? "",
      notes: [answer.only_if ? `Offered only if ${answer.only_if}.` : "", does(answer.lines)].filter(Boolean).join(" "),
    })),
  };
}
