// Notices about danger and messages: over the top of the story, and in the title of the document. Each can be answered by a
// press. They never take the focus, and never cover the command line.

import { afterPress, button, element, redraw } from "./draw.js";
import { condition, list } from "./figures.js";

/** Maximum number of notices on the page. The oldest one without a lasting cause is dropped first. */
const SHOWN_MAX = 2;

/** Milliseconds for which a notice without a lasting cause is shown while the page is in view. */
const SHOWN_FOR = 15_000;

export class Alerts {
  #holder;
  #host;
  /** Notices by key, oldest first. */
  #alerts = new Map();
  #invited = new Set();
  #unread = 0;
  #down = new Set();
  #isAttacked = false;
  #isHurt = false;
  player = "";

  /**
   * @param {HTMLElement} holder
   * @param {{send(command: string): void, answer(name: string): void, helpFor(member: object): string[][], titled(): void,
   *   say(text: string): void, isRead(channel: string): boolean}} host `titled` is called when the title of the document changes
   */
  constructor(holder, host) {
    this.#holder = holder;
    this.#host = host;
    holder.addEventListener("click", ({ target }) => {
      const pressed = target.closest("button");
      const alert = target.closest("li");
      if (!pressed || !alert) return;
      this.#drop(alert.dataset.key);
      const { command, answer } = pressed.dataset;
      if (command) host.send(command);
      else if (answer) host.answer(answer);
    });
    document.addEventListener("visibilitychange", () => this.#expireLater());
  }

  /** Text of the latest notice, for the title; empty if there is none. */
  get title() {
    return [...this.#alerts.values()].at(-1)?.title ?? "";
  }

  /**
   * Takes the body of a package.
   * @param {boolean} answering whether it answers the player's own command
   */
  receive(name, body, answering) {
    if (name === "Party.Invitations") this.#invitations(list(body));
    else if (name === "Comm.Channel.Text") this.#tell(body ?? {});
    else if (name === "Char.Mail.Status") this.#mail(Number(body?.unread) || 0);
    else if (name === "Party.Info") this.#members(list(body?.members));
    else if (name === "Party.Update") this.#member(body);
    else if (name === "Char.Enemies.List") this.#enemies(list(body), answering);
    else if (name === "Char.Vitals") this.#vitals(body ?? {});
  }

  clear() {
    this.#alerts.clear();
    this.#invited.clear();
    this.#down.clear();
    this.#unread = 0;
    this.#isAttacked = this.#isHurt = false;
    this.#show();
  }

  #invitations(invitations) {
    const told = invitations.filter((one) => typeof one?.from === "string");
    for (const from of this.#invited) if (!told.some((one) => one.from === from)) this.#drop(`invitation ${from}`);
    for (const { from, accept, decline } of told) {
      const presses = [["Accept", accept], ["Decline", decline]].filter(([, command]) => typeof command === "string");
      if (this.#invited.has(from)) continue;
      this.#raise(`invitation ${from}`, `${from} invites you into a party.`, presses, { lasts: true });
    }
    this.#invited = new Set(told.map((one) => one.from));
  }

  #tell({ channel, talker, text }) {
    if (!/^tell\b/.test(channel) || !talker || talker === this.player || this.#host.isRead(channel)) return;
    const title = `${talker} tells you something`;
    this.#raise(`tell ${talker}`, String(text ?? ""), [["Answer", null, String(talker)]], { title });
  }

  #mail(unread) {
    if (unread > this.#unread) this.#raise("mail", `You have mail: ${unread} unread.`, [["Read", "mail"]]);
    if (unread === 0) this.#drop("mail");
    this.#unread = unread;
  }

  #members(members) {
    for (const name of this.#down) if (!members.some((one) => one?.name === name)) this.#recover(name);
    members.forEach((one) => this.#member(one));
  }

  #member(member) {
    const { name, state, place } = member ?? {};
    if (typeof name !== "string" || name === this.player) return;
    if (state !== "down") this.#recover(name);
    else if (!this.#down.has(name)) {
      this.#down.add(name);
      const where = place ? ` in ${place}` : "";
      this.#raise(`down ${name}`, `${name} is down${where}.`, this.#host.helpFor(member), { danger: true, lasts: true });
    }
  }

  #recover(name) {
    this.#down.delete(name);
    this.#drop(`down ${name}`);
  }

  /** An attack that answers the player's own command is no news. */
  #enemies(enemies, answering) {
    const attacker = enemies.find((one) => one?.target === "you");
    if (attacker && !this.#isAttacked && !answering) {
      this.#raise("attacked", `${capital(String(attacker.name))} attacks you.`, [], { danger: true });
    }
    this.#isAttacked = Boolean(attacker);
    if (!attacker) this.#drop("attacked");
  }

  #vitals({ hp, maxhp }) {
    const isHurt = maxhp > 0 && condition(hp, maxhp).className === "critical";
    const words = `You are badly hurt: ${hp} of ${maxhp} hit points.`;
    if (isHurt && !this.#isHurt) {
      this.#raise("hurt", words, [], { danger: true, title: "You are badly hurt" });
      this.#host.say(words);
    } else if (isHurt) this.#reword("hurt", words);
    else this.#drop("hurt");
    this.#isHurt = isHurt;
  }

  /** Shows a notice. `presses` are a label and a command, or a label, null and the name of a player to answer. */
  #raise(key, text, presses, { danger = false, lasts = false, title = text } = {}) {
    this.#alerts.delete(key);
    this.#alerts.set(key, { text, presses, danger, lasts, title: danger ? `! ${title}` : title });
    if (this.#alerts.size > SHOWN_MAX) {
      const older = [...this.#alerts].slice(0, -1);
      const [dropped] = older.find(([, alert]) => !alert.lasts) ?? older[0];
      this.#alerts.delete(dropped);
    }
    this.#show();
    this.#expireLater();
  }

  #reword(key, text) {
    const alert = this.#alerts.get(key);
    if (!alert) return;
    alert.text = text;
    this.#show();
  }

  #drop(key) {
    if (this.#alerts.delete(key)) this.#show();
  }

  /** Starts the time of notices while the page is in view: a player who looks elsewhere has not read them. */
  #expireLater() {
    for (const [key, alert] of this.#alerts) {
      window.clearTimeout(alert.timer);
      if (alert.lasts || document.hidden) continue;
      alert.timer = window.setTimeout(() => this.#alerts.get(key) === alert && this.#drop(key), SHOWN_FOR);
    }
  }

  #show() {
    this.#host.titled();
    afterPress(this, () => this.#draw());
  }

  #draw() {
    redraw(this.#holder, ...[...this.#alerts].reverse().map(([key, { text, presses, danger }]) => {
      const made = element("li", danger ? "danger" : "");
      made.dataset.key = key;
      made.append(element("span", "what", text));
      for (const [label, command, answer] of presses) {
        const press = button(label, command ?? "", { className: "button small strong" });
        if (answer) press.dataset.answer = answer;
        made.append(press);
      }
      const close = element("button", "button small", "\u00d7");
      close.type = "button";
      close.setAttribute("aria-label", `Close: ${text}`);
      made.append(close);
      return made;
    }));
    this.#holder.hidden = this.#alerts.size === 0;
  }
}

const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);
