// Creatures, items, pages of help and themes on the builder page. The game says which fields there are, and what each takes;
// here are the lines to type for them. Independent of the page.

import { oneLine, script, spoken } from "./fields.js";
import { rows, written } from "./quest.js";

/** Returns the input of a field by what it takes: its kind, its value, and the typed form of another value. */
function inputOf({ takes, default: usual, required }, value) {
  if (takes === "`true` or `false`") return { kind: "check", value: value ?? usual === "true", typed: String };
  if (takes.startsWith("one of ")) {
    const words = [...takes.matchAll(/`([^`]+)`/g)].map(([, word]) => [word, word]);
    const none = required ? [] : [["", usual ? `The default, ${JSON.parse(usual)}` : "None"]];
    return { kind: "choice", value: value ?? "", choices: [...none, ...words], typed: (word) => word && written(word) };
  }
  if (takes.startsWith("list of ") && takes !== "list of tables") {
    const typed = (text) => (rows(text).length > 0 ? written(rows(text)) : "");
    return { kind: "text", value: [].concat(value ?? []).join("\n"), typed, note: "A line each." };
  }
  const isNumber = takes.startsWith("number");
  if (isNumber || /table/.test(takes)) {
    return { kind: isNumber ? "line" : "text", value: value === undefined ? "" : written(value), typed: oneLine };
  }
  const kind = takes === "text of any length" ? "text" : "line";
  return { kind, value: [].concat(value ?? []).join(", "), typed: (text) => text.trim() && written(text.trim()) };
}

/** Returns the fields of a definition of a kind. `linesOf` returns the lines function of a field by its name and the typed form of a value. */
export function fieldsOf(kind, { fields, known }, linesOf) {
  return known.filter(({ name }) => name !== "triggers").map((field) => {
    const { typed, note = "", ...input } = inputOf(field, fields[field.name]);
    const usual = field.required ? " Needed." : field.default && input.kind !== "check" ? ` Default: ${field.default}.` : "";
    return {
      key: field.name, group: `This ${kind}`, label: spoken(field.name), ...input,
      about: input.kind === "check" ? field.about : `${field.about} Takes ${field.takes}.${usual}${note && ` ${note}`}`,
      lines: linesOf(field.name, typed),
    };
  });
}

/** Returns the groups of fields of a definition of a kind, as `groupsOf` does for a room. */
function groupsOf(kind, definition) {
  const { key, fields, mistakes } = definition;
  const own = fieldsOf(kind, definition, (name, typed) => (now) => [`set ${kind} ${key} ${name} = ${typed(now) || "none"}`]);
  const triggers = (fields.triggers ?? []).map(({ on, lines }) => {
    const title = `Trigger ${on}`;
    const line = (text) => `trigger ${kind} ${key} ${on} = ${text || "none"}`;
    const field = { key: `trigger:${on}`, group: title, label: "What happens, a line each", kind: "text", value: [].concat(lines ?? []).join("\n") };
    return { title, key: `trigger:${on}`, fields: [{ ...field, lines: (text) => [line(script(text))] }], remove: { words: `Delete trigger ${on}`, line: line("") } };
  });
  const notes = mistakes.map((mistake) => `Not in force: ${mistake}.`);
  const remove = { words: `Delete ${kind} ${key}`, line: `destroy ${kind} ${key}`, sure: true };
  return [{ title: `This ${kind}`, key: kind, notes, fields: own, remove }, ...triggers];
}

function shape(kind, title, about, additions = []) {
  return { kind, prefix: `${kind}-`, title, about, groupsOf: (definition) => groupsOf(kind, definition), additions };
}

const trigger = (kind, such) => ({
  title: `Add a trigger to the ${kind}`, button: "Set the trigger",
  fields: [
    { name: "on", label: `When, such as ${such}`, needed: true },
    { name: "text", label: "What happens, a line each", text: true, needed: true },
  ],
  line: ({ on, text }, { key }) => `trigger ${kind} ${key} ${on.trim()} = ${script(text)}`,
});

/** What the page knows of the kinds, for `Definitions`. */
export const KINDS = [
  shape("creature", "Creatures", "Kinds of creatures that rooms and branches have.", [trigger("creature", "greet, killed or say friend")]),
  shape("item", "Items", "Kinds of items that lie in rooms, are sold, worn and used.", [trigger("item", "get, use or look")]),
  shape("help", "Pages of help", "What players read by help and a word."),
  shape("theme", "Themes", "What branches are made of. A new one is like another."),
];
