// Players, creatures and items that the player can see or carries, from `Room.Players` and `Char.Items`, and the labels of
// their commands.

import { list } from "./figures.js";

const COUNT = /^(an?|the|some|\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+/i;

/** Labels of commands whose first word is not a good label. */
const LABELS = { kill: "Attack", get: "Take", "get all": "Take all", "talk to": "Talk", "party invite": "Invite" };

export class Present {
  #items = new Map();
  people = new Map();

  /** Takes the body of a package. Returns true if something has changed. */
  receive(name, body) {
    if (name === "Room.Players") {
      this.people = new Map(list(body).filter((one) => one?.name).map((one) => [one.name, one]));
    } else if (name === "Room.AddPlayer") {
      if (body?.name) this.people.set(body.name, body);
    } else if (name === "Room.RemovePlayer") this.people.delete(body);
    else if (name === "Char.Items.List") {
      const named = list(body?.items).filter((item) => item?.name);
      this.#items.set(body?.location, new Map(named.map((item) => [item.id, item])));
    } else if (name === "Char.Items.Add" || name === "Char.Items.Update") {
      const place = this.#items.get(body?.location) ?? new Map();
      if (body?.item?.name) place.set(body.item.id, body.item);
      this.#items.set(body?.location, place);
    } else if (name === "Char.Items.Remove") {
      // Some servers send the whole item, others only its number.
      this.#items.get(body?.location)?.delete(body?.item?.id ?? body?.item);
    } else return false;
    return true;
  }

  at(location) {
    return [...(this.#items.get(location)?.values() ?? [])];
  }

  clear() {
    this.#items.clear();
    this.people.clear();
  }
}

/** Returns true if an item has this letter in `attrib`. */
export const is = (item, letter) => (item.attrib ?? "").includes(letter);

/** Returns commands as pairs of a label and a command. */
export function offered(commands) {
  return commands.filter((command) => typeof command === "string" && command.trim() !== "").map((command) => {
    const verb = /^(?:party \w+|get all|talk to|\S+)/.exec(command.trim())[0];
    return [Object.hasOwn(LABELS, verb) ? LABELS[verb] : verb[0].toUpperCase() + verb.slice(1), command];
  });
}

/** Returns the command of a thing that begins with this verb, as offered by the server. */
export function commandOf({ name, commands }, verb) {
  return list(commands).find((command) => String(command).startsWith(`${verb} `)) ?? `${verb} ${key(name)}`;
}

/** Returns the name of a thing for use in commands: without article and number. */
export function key(name) {
  return String(name).replace(COUNT, "").replace(/\s*\(.*\)$/, "");
}
