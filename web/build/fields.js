// Editable properties of a room, field by field, and the lines to type for them. Independent of the page.

/** Returns a text as part of one typed line. Blanks at the start of a line stay, as in a map or a sign. */
export const inLine = (text) => {
  const typed = text.split("\n").map((line) => line.trimEnd()).filter(Boolean).join(" \\n ");
  return typed.startsWith(" ") ? `\\n ${typed}` : typed;
};

/** Returns a text without line breaks. */
export const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/** Returns why a text is no key of a definition or of one of its parts, if it is none. */
export const mistakeOfKey = (key) => (/^[a-z0-9_]+$/.test(key.trim()) ? "" : "A key has small letters, digits and underscores.");

export const listed = (text) => text.split(/[;,]/).map((word) => word.trim()).filter(Boolean);
const named = (one) => [one.name, ...one.aliases.filter((alias) => alias !== one.name && alias !== one.name[0])].join("; ");
/** Names are separated by semicolons in a typed line. */
const names = (text) => text.split(";").map((word) => word.trim()).filter(Boolean).join(";");

const roomChoice = (room) => [`#${room.id}`, `${room.name}, room ${room.id}`];

/** Returns the possible destinations of an exit: the rooms of the zone, and its current destination. */
function rooms(map, exit) {
  const all = map.rooms.map(roomChoice);
  const own = `#${exit.to}`;
  return all.some(([value]) => value === own) ? all : [[own, `${exit.to_name}, room ${exit.to}, in ${exit.to_zone}`], ...all];
}

function exitFields(exit, map) {
  const group = `Exit ${exit.name}`;
  const key = `exit:${exit.name}`;
  const of = (what, label, kind, value, line, more = {}) => ({ key: `${key}:${what}`, group, label, kind, value, lines: line, ...more });
  const fields = [];
  if (!exit.branch && exit.to !== null) {
    fields.push(of("to", "Leads to", "choice", `#${exit.to}`, (to) => [`link ${exit.name} = ${to}`], { choices: rooms(map, exit) }));
  }
  fields.push(of("text", "Description", "text", exit.description, (text) => [`describe ${exit.name} = ${inLine(text)}`]));
  fields.push(...settingFields(exit.settings, exit.name, `${key}:`).map((field) => ({ group, ...field })));
  if (!exit.branch) {
    // Other lines refer to the exit by its current name, so this one is sent last.
    fields.push(of("name", "Name and aliases", "line", named(exit), (text) => [`name ${exit.name} = ${names(text)}`], { last: true }));
  }
  return { title: group, key, fields, remove: { words: `Delete exit ${exit.name}`, line: `destroy ${exit.name}` } };
}

/** Returns the name of a setting or a field as a label. */
export const spoken = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/** Fields of the settings of a room or an exit; the game says what there is. `what` stands behind `set` in a line. */
function settingFields(settings, what, prefix) {
  return settings.map(({ name, value, takes, default: usual, about, check, unset }) => ({
    key: `${prefix}${name}`,
    label: spoken(name),
    about: check ? about : `${about} Takes ${takes}.${usual ? ` Default: ${usual}.` : ""}`,
    kind: check ? "check" : "line",
    value: check ? value === "yes" : value,
    lines: (now) => [`set ${what} ${name} = ${check ? (now ? "yes" : "no") : oneLine(now) || unset || ""}`],
  }));
}

/** Fields of a spawn rule, which one line sets together. */
function spawnFields(rule, group) {
  const key = `spawn:${rule.key}`;
  const steps = (text) => text.split(/[;\n]/).map((part) => part.trim()).filter(Boolean).join("; ");
  const lines = (_, now) => {
    const [patrol, schedule] = [steps(now(`${key}:patrol`) ?? ""), steps(now(`${key}:schedule`) ?? "")];
    return [`spawn ${rule.key} = ${now(key).trim()}${patrol && ` patrol ${patrol}`}${schedule && ` schedule ${schedule}`}`];
  };
  const fields = [{ key, group, label: "How many, and every how many seconds", kind: "line", value: rule.wish, lines }];
  if (rule.creature) {
    fields.push(
      { key: `${key}:patrol`, group, label: "Patrol: rooms that it walks to in turn, with semicolons between them", kind: "line", value: rule.patrol.join("; "), lines },
      { key: `${key}:schedule`, group, label: "Schedule, such as 6: patrol; 22: sleep at lane", kind: "line", value: rule.schedule.join("; "), lines },
    );
  }
  return fields;
}

/**
 * Returns all groups of fields of a room. Each field has a stable key, a label, a kind (`line`, `text`, `check`,
 * `choice`), its value, and a function that returns the lines to type for another value. The function also gets one that
 * returns the value of another field, for lines that set several fields.
 */
export function groupsOf(room, map) {
  const one = (key, label, kind, value, lines, more = {}) => ({ key, group: "This room", label, kind, value, lines, ...more });
  const own = [
    one("name", "Name and aliases, with semicolons between them", "line", named(room), (text) => [`name here = ${names(text)}`]),
    one("text", "Description", "text", room.description, (text) => [`describe here = ${inLine(text)}`]),
    one("tags", "Tags for builders, with commas between them", "line", room.tags.join(", "), (text) => [`tag here = ${listed(text).join(", ") || "none"}`]),
  ];
  own.push(...settingFields(room.settings, "here", "").map((field) => ({ group: "This room", ...field })));
  const groups = [{ title: "This room", key: "room", fields: own, remove: { words: "Delete room", line: "destroy here", sure: true } }];
  groups.push(...room.exits.map((exit) => exitFields(exit, map)));
  for (const detail of room.details) {
    const words = detail.nouns.split(",").map((word) => word.trim()).join(";");
    groups.push({
      title: `Detail ${detail.nouns}`, key: `detail:${detail.nouns}`,
      fields: [{ key: `detail:${detail.nouns}`, group: `Detail ${detail.nouns}`, label: "Description", kind: "text", value: detail.text, lines: (text) => [`detail ${words} = ${inLine(text)}`] }],
      remove: { words: `Delete detail ${detail.nouns}`, line: `undetail ${words.split(";")[0]}` },
    });
  }
  for (const rule of room.spawns) {
    const title = `${rule.creature ? "Creature" : "Thing"} ${rule.name}`;
    groups.push({
      title, key: `spawn:${rule.key}`, fields: spawnFields(rule, title),
      remove: { words: `Stop the spawn of ${rule.name}`, line: `spawn ${rule.key} = 0` },
    });
  }
  for (const trigger of room.triggers) {
    const called = trigger.name ? `${trigger.on} as ${trigger.name}` : trigger.on;
    const title = `Trigger ${called}`;
    groups.push({
      title, key: `trigger:${called}`,
      fields: [{ key: `trigger:${called}`, group: title, label: "What happens, a line each", kind: "text", value: trigger.lines.join("\n"), lines: (text) => [`trigger ${called} = ${script(text)}`] }],
      remove: { words: `Delete trigger ${called}`, line: `trigger ${trigger.name || trigger.on} = none` },
    });
  }
  return groups;
}

/** Returns the lines of a script as one line. */
export const script = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean).join("; ");

/** Things that can be added to a room: the fields of each form, and the line to type. */
export const ADDITIONS = [
  {
    title: "Add an exit", button: "Make the exit",
    fields: [
      { name: "exit", label: "Its name, such as north or gate", list: "directions", needed: true },
      { name: "room", label: "A new room of this name", about: "Left empty if it leads to a room that there is." },
      { name: "to", label: "Or a room that there is", choices: (_, map) => [["", "None"], ...map.rooms.map(roomChoice)] },
      { name: "back", label: "The way back, in a new room", list: "directions" },
    ],
    line: ({ exit, room, to, back }) => {
      const out = names(exit);
      if (room.trim()) return `dig ${room.trim()} = ${out}${back.trim() ? `, ${names(back)}` : ""}`;
      return to ? `open ${out} = ${to}` : `open ${out}`;
    },
  },
  {
    title: "Add a detail", button: "Write the detail",
    fields: [
      { name: "words", label: "Nouns of the text, with semicolons between them", needed: true },
      { name: "text", label: "Description", text: true, needed: true },
    ],
    line: ({ words, text }) => `detail ${names(words)} = ${inLine(text)}`,
  },
  {
    title: "Add a creature or an item", button: "Put it here",
    fields: [
      { name: "key", label: "Which", list: "kinds", needed: true },
      { name: "count", label: "How many are here from now on", about: "Left empty, one comes once." },
      { name: "every", label: "After how many seconds one comes again" },
    ],
    line: ({ key, count, every }) => {
      const what = `spawn ${key.trim()}`;
      return count.trim() ? `${what} = ${count.trim()}${every.trim() ? ` every ${every.trim()}` : ""}` : what;
    },
  },
  {
    title: "Add a trigger", button: "Set the trigger",
    fields: [
      { name: "on", label: "When, such as enter, say friend, look bell or timer 60", needed: true },
      { name: "text", label: "What happens, a line each", text: true, needed: true },
    ],
    line: ({ on, text }) => `trigger ${on.trim()} = ${script(text)}`,
  },
];
