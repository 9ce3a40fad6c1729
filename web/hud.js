// Head-up display: the player's hit points and effects, companions, and the enemies of a fight. Its height is fixed, so that
// a fight does not move the story. Words and numbers say everything; bars and colours repeat it.

import { afterPress, element, onPress, redraw } from "./draw.js";
import { condition, Countdown, duration, gauge, list, secondsUntil, timeAfter } from "./figures.js";
import { commandOf } from "./present.js";

const KINDS = ["Afflictions", "Defences"];

const timed = (effect) => ({ ...effect, time: timeAfter(effect?.secs) });

/** Returns a bar with a name and a number; `unit` is the spoken name of the number. */
function bar(name, figures, share, { className = "", unit = "" } = {}) {
  const holder = element("span", `bar ${className}`);
  const label = element("span", "name", name);
  if (unit) {
    label.setAttribute("aria-hidden", "true");
    holder.append(element("span", "unseen", `${unit}: `));
  }
  holder.append(label, element("span", "figures", figures), gauge(...share, "hp"));
  return holder;
}

export class Hud {
  #holder;
  #host;
  #vitals = {};
  /** Unix time in seconds at which the branch collapses; 0 if none is announced. */
  #collapse = 0;
  #effects = { Afflictions: new Map(), Defences: new Map() };
  #enemies = [];
  #members = [];
  #countdown = new Countdown(() => this.#show());
  player = "";

  /**
   * @param {HTMLElement} holder
   * @param {{send(command: string): void, creature(id: string): object | undefined}} host `creature` returns what is known
   *   of a creature in the room
   */
  constructor(holder, host) {
    this.#holder = holder;
    this.#host = host;
    onPress(holder, host.send);
  }

  /** Takes the body of a package. */
  receive(name, body) {
    if (name === "Char.Vitals") this.#vitals = body ?? {};
    else if (name === "Char.Status") this.#collapse = Number(body?.collapse ?? this.#collapse) || 0;
    else if (name === "Char.Enemies.List") this.#enemies = list(body).filter((one) => typeof one?.name === "string");
    else if (name === "Party.Info") this.#members = list(body?.members).filter((one) => one?.name);
    else if (name === "Party.Update") this.#members = this.#members.map((one) => (one.name === body?.name ? body : one));
    else if (!this.#change(name, body)) return;
    this.#show();
  }

  /** Takes a change of effects. Returns false for other packages. */
  #change(name, body) {
    const [, kind, what] = name.match(/^Char\.(Afflictions|Defences)\.(List|Add|Remove)$/) ?? [];
    if (!kind) return false;
    const effects = this.#effects[kind];
    if (what === "List") {
      const named = list(body).filter((one) => one?.name);
      this.#effects[kind] = new Map(named.map((one) => [one.name, timed(one)]));
    } else if (what === "Remove") list(body).forEach((one) => effects.delete(one));
    else if (body?.name) effects.set(body.name, timed(body));
    return true;
  }

  clear() {
    this.#vitals = {};
    this.#collapse = 0;
    this.#enemies = [];
    this.#members = [];
    for (const kind of KINDS) this.#effects[kind].clear();
    this.#holder.hidden = true;
  }

  #show() {
    afterPress(this, () => this.#draw());
    const effects = KINDS.flatMap((kind) => [...this.#effects[kind].values()].map(({ time }) => time));
    this.#countdown.follow([this.#collapse * 1000, ...effects]);
  }

  #draw() {
    const { hp, maxhp } = this.#vitals;
    this.#holder.hidden = maxhp === undefined;
    if (maxhp === undefined) return;
    const companions = this.#members.filter(({ name }) => name !== this.player).map((one) => this.#companion(one));
    redraw(
      this.#holder,
      this.#self(hp, maxhp),
      this.#list("effects", "Effects", this.#chips()),
      this.#list("companions", "Companions", companions),
      this.#list("enemies", "Enemies", this.#enemies.map((one) => this.#enemy(one))),
    );
  }

  #list(className, label, rows) {
    const made = element("ul", className);
    made.dataset.key = className;
    made.setAttribute("aria-label", label);
    made.append(...rows);
    return made;
  }

  #self(hp, maxhp) {
    const { words, className } = condition(hp, maxhp);
    const made = bar("HP", `${hp}/${maxhp} ${words}`.trim(), [hp, maxhp], { className, unit: "Hit points" });
    made.id = "own-hp";
    const { might } = this.#vitals;
    if (might !== undefined) made.append(element("span", "might", `Might ${might}`));
    return made;
  }

  #chips() {
    const effects = KINDS.flatMap((kind) => [...this.#effects[kind].values()].map((effect) => this.#chip(effect, kind)));
    const desc = "If nothing stirs, this branch collapses then.";
    const collapse = { name: "collapse", desc, time: this.#collapse * 1000 };
    return this.#collapse > 0 ? [this.#chip(collapse, "Afflictions"), ...effects] : effects;
  }

  #chip({ name, desc, time }, kind) {
    const chip = element("li", kind === "Afflictions" ? "affliction" : "defence", name);
    chip.dataset.key = name;
    if (desc) chip.title = desc;
    const left = time ? secondsUntil(time) : 0;
    if (left > 0) chip.append(" ", element("span", "wait", duration(left)));
    return chip;
  }

  #companion({ name, hp, maxhp, state }) {
    const { words, className } = condition(hp, maxhp);
    const told = state === "down" ? "down" : words;
    const made = element("li", state === "down" ? "critical" : className);
    made.dataset.key = name;
    made.append(bar(name, `${hp}/${maxhp} ${told}`.trim(), [hp, maxhp]));
    return made;
  }

  /** Returns the frame of an enemy: a button that makes it the player's target. */
  #enemy({ id, name, pct, target, mine, announces }) {
    const made = element("li");
    made.dataset.key = id ?? name;
    const frame = element("button", `frame ${mine ? "mine" : ""}`);
    frame.type = "button";
    frame.dataset.command = commandOf(this.#host.creature(id) ?? { name }, "kill");
    if (mine) frame.setAttribute("aria-current", "true");
    const share = Number(pct) || 0;
    const line = bar(name, `${share}%`, [share, 100], { className: "enemy" });
    if (target) line.append(" ", element("span", "attacks", `attacks ${target}`));
    frame.append(line);
    if (announces) frame.append(" ", element("strong", "announces", announces));
    else if (mine) frame.append(" ", element("span", "attacks", "your target"));
    made.append(frame);
    return made;
  }
}
