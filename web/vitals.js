// State of the player: hit points, experience, level, might, an opponent, and affects. All are shown in words and
// numbers; the gauges only repeat them.

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

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

/** Vitals bar of the page. */
export class Vitals {
  #holder;
  #vitals = {};
  #status = {};
  /** Affects by name: harmful ones, and all others. */
  #hanging = { Afflictions: new Map(), Defences: new Map() };

  /** @param {HTMLElement} holder */
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

  /** Clears all values, for another character or none. */
  clear() {
    this.#vitals = {};
    this.#status = {};
    for (const hanging of Object.values(this.#hanging)) hanging.clear();
    this.#holder.hidden = true;
  }

  #show() {
    const { hp, maxhp, xp, nextxp, level, might } = this.#vitals;
    const items = [];
    if (maxhp !== undefined) {
      const low = hp * 4 <= maxhp;
      items.push(this.#item(low ? "Hit points, low" : "Hit points", "HP", `${hp}/${maxhp}`, [hp, maxhp, "hp"], low));
    }
    if (level !== undefined) items.push(this.#item("Level", "Level", `${level}`));
    if (nextxp !== undefined) items.push(this.#item("Experience", "XP", `${xp}/${nextxp}`, [xp, nextxp, "xp"]));
    if (might !== undefined) items.push(this.#item("Might", "Might", `${might}`));
    if (this.#status.floor > 0) items.push(this.#item("Dungeon level", "Dungeon level", `${this.#status.floor}`));
    if (this.#status.training > 0) items.push(this.#item("Choices to train", "Train", `${this.#status.training}`));
    const { enemy, enemypct } = this.#status;
    if (enemy) items.push(this.#item("Fighting", enemy, `${enemypct}%`, [enemypct, 100, "enemy"]));
    for (const [kind, className] of [["Afflictions", "affliction"], ["Defences", "defence"]]) {
      for (const one of this.#hanging[kind].values()) items.push(element("li", className, one?.name ?? ""));
    }
    const rows = element("ul", "");
    rows.append(...items);
    this.#holder.replaceChildren(rows);
    this.#holder.hidden = items.length === 0;
  }

  #item(spoken, label, figures, share, low = false) {
    const item = element("li", low ? "vital low" : "vital");
    const name = element("span", "name", label);
    // The short label is visual only; screen readers get whole words.
    name.setAttribute("aria-hidden", "true");
    item.append(element("span", "unseen", `${spoken}: `), name, element("span", "figures", figures));
    if (label === this.#status.enemy) name.removeAttribute("aria-hidden");
    if (share) item.append(gauge(...share));
    return item;
  }
}
