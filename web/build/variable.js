// Variables on the builder page: the fields of a declaration, which one line sets together, and the lines that tell and set
// values. Independent of the page.

import { oneLine } from "./fields.js";
import { fieldsOf } from "./kind.js";

/** Returns the groups of fields of a variable, as `groupsOf` does for a room. */
function groupsOf(variable) {
  const { key, fields } = variable;
  const lines = (_, now) => {
    // A variable of another type begins with the default of that type.
    const isKept = now("type") === fields.type || now("default") !== fields.default;
    const usual = isKept ? oneLine(now("default")) : "";
    return [`variable new ${key} = ${now("type")}${usual && ` ${usual}`} of ${now("of")} reset ${now("reset")}`];
  };
  const own = fieldsOf("variable", variable, () => lines);
  return [{
    title: "This variable", key: "variable",
    fields: own.map((field) => ({ ...field, choices: field.choices?.filter(([word]) => word) })),
    actions: [{ words: "Tell its value", line: `variable show ${key}` }],
    remove: { words: `Delete variable ${key}`, line: `variable remove ${key}`, sure: true },
  }];
}

/** What the page knows of variables, for `Definitions`. */
export const VARIABLES = {
  kind: "variable", prefix: "variable-", title: "Variables", isPart: true, isOfZone: true, groupsOf,
  about: "What scripts remember, of a character or of something else. Declared in this zone:",
  fresh: {
    key: "Name of a new variable", second: "Its type",
    choices: (known) => [...(known.find(({ name }) => name === "type")?.takes ?? "").matchAll(/`([^`]+)`/g)].map(([, word]) => word),
    line: (key, type) => `variable new ${key} = ${type}`,
  },
  additions: [{
    title: "Tell or set a value", button: "Tell or set it",
    fields: [
      { name: "of", label: "Of whom or what", about: "A player who is in the world, or a creature or an item in this room. Left empty: you, this room, or the zone." },
      { name: "value", label: "New value", about: "Left empty, the present value is told." },
    ],
    line: ({ of, value }, { key }) => {
      const whom = of.trim() && ` of ${of.trim()}`;
      return value.trim() ? `variable set ${key}${whom} = ${oneLine(value)}` : `variable show ${key}${whom}`;
    },
  }],
};
