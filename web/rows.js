// Rows of the panels: a text with buttons, and lists of rows under a heading.

import { button, element } from "./draw.js";

/** Returns a list; `title` identifies it among others. */
export function rowsOf(title, rows, className = "rows") {
  const made = element("ul", className);
  made.dataset.key = title;
  made.append(...rows);
  return made;
}

/** Returns one line with buttons: pairs of a label and a command. `short` names the thing in their labels. */
export function rowOf(text, actions, short = text, key = short) {
  const row = element("li");
  row.dataset.key = key;
  row.append(element("span", "what", text));
  for (const [label, command] of actions) row.append(button(label, command, { name: `${label}: ${short}` }));
  return row;
}

/** Returns a heading and the list of its rows; nothing without rows. */
export function titled(title, rows, className = "rows") {
  if (rows.length === 0) return [];
  const heading = element("h2", "", title);
  heading.dataset.key = title;
  return [heading, rowsOf(title, rows, className)];
}
