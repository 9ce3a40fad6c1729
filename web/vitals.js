// State of the player: hit points, experience, level, might, purse, an opponent, and affects. All are shown in words and
// numbers; the gauges only repeat them.

import { afterPress, element, redraw } from "./draw.js";

/** Returns the body if it is a list, else an empty list. */
export const list = (body) => (Array.isArray(body) ? body : []);

/** Returns a gauge for a share of a whole. Screen readers skip it, because the numbers are beside it. */
export function gauge(value, most, className = "") {
  const outer = element("span", `gauge ${className}`);
  outer.setAttribute("aria-hidden", "true");
  const inner = element("span", "fill");
  inner.style.width = `${Math.round((100 * Math.min(Math.max(value, 0), most)) / Math.max(most, 1))}%`;
  outer.append(inner);
  return outer;
}

/** Returns the word for hit points below a half or a quarter, which is also the class of its colour; empty above. */
export function danger(hp, maxhp) {
  if (hp * 4 < maxhp) return "critical";
  return hp * 2 < maxhp ? "low" : "";
}

const COINS = { platinum: 1000, gold: 100, silver: 10, copper: 1 };

/** Returns an amount of money in coins: pairs of a number and the coin's name. */
export function coins(amount) {
  const kinds = Object.entries(COINS).map(([name, value], at, all) => {
    const higher = all[at - 1]?.[1] ?? Infinity;
    return [Math.floor((amount % higher) / value), name];
  });
  const some = kinds.filter(([count]) => count > 0);
  return some.length > 0 ? some : [[0, "copper"]];
}

export class Vitals {
  #holder;
  #vitals = {};
  #status = {};
  /** Affects by name: harmful ones, and all others. */
  #hanging = { Afflictions: new Map(), Defences: new Map() };

  constructor(holder) {
    this.#holder = holder;
  }

  /** Takes the body of a package. Returns true if this part handles it. */
  receive(name, body) {
    if (name === "Char.Vitals") this.#vitals = body ?? {};
    else if (name === "Char.Status") this.#status = { ...this.#status, ...body };
    else if (!this.#hang(name, body)) return false;
    this.#show();
    return true;
  }

  #hang(name, body) {
    const [, kind, what] = name.match(/^Char\.(Afflictions|Defences)\.(List|Add|Remove)$/) ?? [];
    if (!kind) return false;
    if (what === "List") this.#hanging[kind] = new Map(list(body).map((one) => [one?.name, one]));
    else if (what === "Add") this.#hanging[kind].set(body?.name, body);
    else for (const one of list(body)) this.#hanging[kind].delete(one);
    return true;
  }

  clear() {
    this.#vitals = {};
    this.#status = {};
    for (const hanging of Object.values(this.#hanging)) hanging.clear();
    this.#holder.hidden = true;
  }

  #show() {
    afterPress(this, () => this.#draw());
  }

  #draw() {
    const { hp, maxhp, xp, nextxp, level, might } = this.#vitals;
    const items = [];
    if (maxhp !== undefined) {
      const word = danger(hp, maxhp);
      items.push(this.#item("Hit points", "HP", `${hp}/${maxhp} ${word}`.trim(), [hp, maxhp, "hp"], word));
    }
    if (level !== undefined) items.push(this.#item("Level", "Level", `${level}`));
    if (nextxp !== undefined) items.push(this.#item("Experience", "XP", `${xp}/${nextxp}`, [xp, nextxp, "xp"]));
    if (might !== undefined) items.push(this.#item("Might", "Might", `${might}`));
    if (this.#status.floor > 0) items.push(this.#item("Dungeon level", "Dungeon level", `${this.#status.floor}`));
    if (this.#status.training > 0) items.push(this.#item("Choices to train", "Train", `${this.#status.training}`));
    const { gold, enemy, enemypct } = this.#status;
    if (gold >= 0) {
      const purse = coins(gold);
      const words = purse.map(([count, name]) => `${count} ${name}`).join(", ");
      const item = this.#item(`Purse: ${words}`, "Purse", purse.map(([count, name]) => count + name[0]).join(" "));
      item.lastChild.setAttribute("aria-hidden", "true");
      items.push(item);
    }
    if (enemy) items.push(this.#item("Fighting", enemy, `${enemypct}%`, [enemypct, 100, "enemy"], "enemy"));
    for (const [kind, className] of [["Afflictions", "affliction"], ["Defences", "defence"]]) {
      for (const one of this.#hanging[kind].values()) items.push(element("li", className, one?.name ?? ""));
    }
    const rows = element("ul", "");
    rows.append(...items);
    redraw(this.#holder, rows);
    this.#holder.hidden = items.length === 0;
  }

  #item(spoken, label, figures, share, kind = "") {
    const item = element("li", `vital ${kind}`);
    item.dataset.key = spoken.split(":")[0];
    const name = element("span", "name", label);
    // The short label is visual only; screen readers get whole words.
    name.setAttribute("aria-hidden", "true");
    item.append(element("span", "unseen", `${spoken}: `), name, element("span", "figures", figures));
    if (label === this.#status.enemy) name.removeAttribute("aria-hidden");
    if (share) item.append(gauge(...share));
    return item;
  }
}
