// How the player is: hit points, experience, level, might, an opponent, and what has befallen one. Each as words and
// figures; the gauges only repeat them.

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** What may be meant to be a list, as one. */
export const list = (body) => (Array.isArray(body) ? body : []);

/** A share of a whole, as a gauge that screen readers pass over because the figures stand beside it. */
export function gauge(value, most, className = "") {
  const outer = element("span", `gauge ${className}`);
  outer.setAttribute("aria-hidden", "true");
  const inner = element("span", "fill");
  inner.style.width = `${Math.round((100 * Math.min(Math.max(value, 0), most)) / Math.max(most, 1))}%`;
  outer.append(inner);
  return outer;
}

/** The strip of vitals on the page. */
export class Vitals {
  #holder;
  #vitals = {};
  #status = {};
  /** What hangs on the body, by name: what does harm, and all else. */
  #hanging = { Afflictions: new Map(), Defences: new Map() };

  /** @param {HTMLElement} holder */
  constructor(holder) {
    this.#holder = holder;
  }

  /** Takes what a package says; tells whether it was one of ours. */
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

  /** Another character, or none: nothing is known any more. */
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
    // The short label is for the eye; what is spoken is whole words.
    name.setAttribute("aria-hidden", "true");
    item.append(element("span", "unseen", `${spoken}: `), name, element("span", "figures", figures));
    if (label === this.#status.enemy) name.removeAttribute("aria-hidden");
    if (share) item.append(gauge(...share));
    return item;
  }
}
