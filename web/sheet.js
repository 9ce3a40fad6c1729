// Character sheet: figures, abilities and choices of a new level, what is worn in each slot, and the bag.

import { afterPress, element, onPress, redraw } from "./draw.js";
import { gauge, list, money } from "./figures.js";
import { asking, menuButton } from "./menu.js";
import { is, key, offered, Present } from "./present.js";
import { rowOf, titled } from "./rows.js";

/** Slots in the order of the sheet, with their labels. */
const SLOTS = {
  hand: "Weapon", shield: "Other hand", head: "Head", neck: "Neck", body: "Body", back: "Back", hands: "Hands", finger: "Finger",
  feet: "Feet",
};

/** Verbs that lose the item; they ask once. */
const LOSES = ["Drop", "Sell"];

const isWorn = (item) => is(item, "w") || is(item, "l");

export class Sheet {
  #holder;
  #present = new Present();
  #status = {};
  #vitals = {};
  #player = "";
  /** Part of the day in the town. */
  #time;
  /** Abilities that are learnt or offered. */
  #skills = [];
  /** The purse in the top bar. */
  #purse;

  /**
   * @param {HTMLElement} holder
   * @param {HTMLElement} purse
   * @param {(command: string) => void} send
   */
  constructor(holder, purse, send) {
    this.#holder = holder;
    this.#purse = purse;
    onPress(holder, send);
    this.#show();
  }

  set player(name) {
    this.#player = name;
    this.#show();
  }

  receive(name, body) {
    if (name === "Char.Status") this.#status = { ...this.#status, ...body };
    else if (name === "Char.Vitals") this.#vitals = body ?? {};
    else if (name === "World.Time") this.#time = body?.part;
    else if (name === "Char.Skills.List") this.#skills = list(body?.skills).filter((skill) => typeof skill?.name === "string");
    else if (!this.#present.receive(name, body)) return;
    this.#show();
  }

  clear() {
    this.#present.clear();
    this.#status = {};
    this.#vitals = {};
    this.#time = undefined;
    this.#skills = [];
    this.#show();
  }

  #show() {
    afterPress(this, () => this.#draw());
  }

  #draw() {
    const held = this.#present.at("inv");
    const bag = held.filter((item) => !isWorn(item));
    redraw(this.#holder,
      ...(this.#player ? [element("h2", "who", this.#player)] : []),
      this.#figures(),
      ...(this.#vitals.nextxp === undefined ? [] : [gauge(this.#vitals.xp, this.#vitals.nextxp, "xp")]),
      ...titled("Choices of a new level", this.#choices()),
      ...titled("Worn", this.#vitals.maxhp === undefined ? [] : this.#slots(held.filter(isWorn)), "slots"),
      ...titled("Bag", bag.map((item) => this.#carried(item))),
      ...titled("Abilities", this.#abilities()),
    );
    const { gold } = this.#status;
    this.#purse.hidden = !(gold >= 0);
    if (gold >= 0) redraw(this.#purse, element("span", "unseen", "Purse: "), money(gold));
  }

  /** Returns the figures of the character, as far as they are known. */
  #figures() {
    const { level, xp, nextxp, might } = this.#vitals;
    const { attack, defence, gold, floor } = this.#status;
    const told = [
      ["Level", level], ["Purse", gold >= 0 ? money(gold) : undefined], ["Attack", attack], ["Defence", defence],
      ["Might", might], ["Dungeon level", floor > 0 ? floor : undefined],
      ["Experience", nextxp === undefined ? undefined : `${xp}/${nextxp}`], ["Time of day", this.#time],
    ].filter(([, value]) => value !== undefined);
    const made = element("dl", "figures-list");
    made.append(...told.map(([name, value]) => {
      const pair = element("div", name === "Experience" ? "experience" : "");
      pair.dataset.key = name;
      const figure = element("dd", "figures");
      figure.append(value);
      pair.append(element("dt", "", name), figure);
      return pair;
    }));
    return made;
  }

  /** Returns the choices of a new level: abilities to learn, and training, listed by `train`. */
  #choices() {
    const { training, offer } = this.#status;
    if (!(training > 0)) return [];
    const words = typeof offer === "string" ? offer.split(/[,\s]+/).filter(Boolean) : [];
    const learn = words.map((word) => {
      const gist = this.#skills.find(({ name }) => name === word)?.desc;
      return rowOf(gist ? `${word}: ${gist}` : word, [["About", `help ${word}`], ["Learn", `train ${word}`]], word);
    });
    return [...learn, rowOf("a number", [["Choose", "train"]])];
  }

  #abilities() {
    return this.#skills.filter(({ learnt }) => learnt === true).map(({ name, desc }) => {
      return rowOf(desc ? `${name}: ${desc}` : name, [["About", `help ${name}`]], name);
    });
  }

  /** Returns a row for each slot. Items with a slot that the page does not know follow. */
  #slots(worn) {
    const slotOf = (item) => (Object.hasOwn(SLOTS, item.slot) ? item.slot : is(item, "l") ? "hand" : item.slot ?? "");
    const known = Object.entries(SLOTS).map(([slot, label]) => [label, worn.find((item) => slotOf(item) === slot)]);
    const others = worn.filter((item) => !known.some(([, one]) => one === item)).map((item) => [item.slot ?? "Worn", item]);
    return [...known, ...others].map(([label, item]) => {
      const row = element("li", item ? "" : "free");
      row.dataset.key = item ? label + item.id : label;
      row.append(element("span", "name", label), " ");
      if (!item) row.append(element("span", "none", "nothing"));
      else row.append(menuButton(`${label}: ${item.name}`, this.#entries(item), { label: item.name, className: "what" }));
      return row;
    });
  }

  #carried(item) {
    const { id, name } = item;
    const [main, ...rest] = this.#entries(item);
    const shown = typeof main[1] === "string" ? [main] : [];
    const row = rowOf(name, shown, name, id);
    row.append(menuButton(`More: ${name}`, shown.length > 0 ? rest : [main, ...rest]));
    return row;
  }

  /** Returns the entries of an item's menu, the most useful first. */
  #entries(item) {
    const { name, commands } = item;
    const told = Array.isArray(commands) ? offered(commands) : this.#guessed(item);
    const entries = told.map(([label, command]) => (LOSES.includes(label) ? asking(label, name, command) : [label, command]));
    return [...entries, ...this.#give(item)];
  }

  /** Returns the commands of an item for a server that names none. */
  #guessed(item) {
    const words = key(item.name);
    const main = isWorn(item) ? [["Remove", `remove ${words}`]] : is(item, "W") ? [["Wear", `wear ${words}`]] : [];
    return [...main, ["Examine", `examine ${words}`], ...(isWorn(item) ? [] : [["Drop", `drop ${words}`]])];
  }

  /** Offers to give the item to each player here, while there is one. */
  #give(item) {
    const people = [...this.#present.people.keys()];
    if (people.length === 0 || isWorn(item)) return [];
    const entries = people.map((person) => [person, `give ${key(item.name)} to ${person}`]);
    return [["Give", { title: `Give ${item.name} to whom?`, entries: [...entries, ["Cancel", ""]] }]];
  }
}

