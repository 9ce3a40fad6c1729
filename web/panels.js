// Panels beside the scrollback: contents of the room, party, and talk. Filled from structured data; their buttons send
// commands that players can also type.

import { fragment } from "./ansi.js";
import { afterPress, button, element, onPress, redraw } from "./draw.js";
import { condition, gauge, list as listed, money } from "./figures.js";
import { is, key, offered, Present } from "./present.js";
import { rowOf, rowsOf, titled } from "./rows.js";
import { passing } from "./store.js";

const TALK_MAX = 200;

/** Maximum number of mails and notes that the panel lists. */
const POST_MAX = 5;

/** Words for the states of other players. */
const STATES = { asleep: "asleep", down: "down", fighting: "in a fight", "link-dead": "connection lost", resting: "resting" };

/** Channels that can be chosen before anything is said on them. */
const CHANNELS = ["say", "ooc"];

export class Here {
  #holder;
  #present = new Present();
  #companions = new Set();
  #wares = [];
  #gold = Infinity;
  #quests = [];
  #unread = 0;
  #mails = [];
  #notes = [];
  #branches = [];
  #dialogue = {};
  /** Places that the player can walk to: rows of a text, a command and a name. */
  #places = [];
  /** Set once any data has been received; before that an empty room cannot be told from missing data. */
  #told = false;

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} send
   */
  constructor(holder, send) {
    this.#holder = holder;
    onPress(holder, send);
    this.#show();
  }

  receive(name, body) {
    if (name === "Char.Status") this.#gold = body?.gold ?? this.#gold;
    else if (name === "Party.Info") this.#companions = new Set(listed(body?.members).map((one) => one?.name));
    else if (name === "Room.Wares.List") this.#wares = listed(body).filter((ware) => ware?.name && ware.command);
    else if (name === "Char.Quests.List") this.#quests = listed(body).filter((quest) => quest?.name && quest.about);
    else if (name === "Char.Mail.Status") this.#unread = Number(body?.unread) || 0;
    else if (name === "Char.Mail.List") this.#mails = listed(body).filter((mail) => mail?.command && !mail.read);
    else if (name === "Room.Notes.List") this.#notes = listed(body).filter((note) => note?.title && note.command);
    else if (name === "Room.Branches.List") this.#branches = listed(body).filter((branch) => branch?.exit);
    else if (name === "Char.Dialogue") this.#dialogue = body ?? {};
    else if (this.#present.receive(name, body)) this.#told = true;
    else return;
    this.#show();
  }

  /** Returns what is known of a creature in the room. */
  creature(id) {
    return this.#present.at("room").find((item) => item.id === id);
  }

  set places(places) {
    this.#places = places;
    this.#show();
  }

  clear() {
    this.#told = false;
    this.#companions.clear();
    this.#wares = [];
    this.#gold = Infinity;
    this.#quests = [];
    this.#unread = 0;
    this.#mails = [];
    this.#notes = [];
    this.#branches = [];
    this.#dialogue = {};
    this.#present.clear();
    this.#show();
  }

  #show() {
    afterPress(this, () => this.#draw());
  }

  #draw() {
    const room = this.#present.at("room");
    const alive = room.filter((item) => is(item, "m") && !is(item, "d"));
    const things = room.filter((item) => !alive.includes(item));
    const rows = [
      ...titled(`Your answer to ${this.#dialogue.name}`, this.#answers()),
      ...titled("Creatures", alive.map((item) => this.#creature(item))),
      ...titled("People", [...this.#present.people.values()].map((person) => this.#person(person))),
      ...titled("For sale", this.#wares.map((ware) => this.#ware(ware))),
      ...titled("Things", things.map((item) => this.#thing(item))),
      ...titled("Open branches", this.#branches.map((branch) => this.#branch(branch))),
      ...titled("On the board", this.#board()),
      ...titled("Mail", this.#mail()),
      ...titled("Quests", this.#quests.map((quest) => this.#quest(quest))),
      ...titled("On the map", this.#places.map(([text, command, name]) => rowOf(text, command ? [["Go", command]] : [], name))),
    ];
    const none = element("p", "note", this.#told ? "Nobody and nothing else." : "Not told yet. Type look.");
    redraw(this.#holder, ...(rows.length > 0 ? rows : [none]));
  }

  #answers() {
    const choices = listed(this.#dialogue.choices).filter((choice) => choice?.text && choice.command);
    return choices.map(({ text, command }) => rowOf(text, [["Say", command]]));
  }

  #branch({ exit, players }) {
    const names = listed(players).join(", ");
    return rowOf(`${exit}: ${names || "nobody is there"}`, [["Go", exit]], exit);
  }

  #board() {
    const rows = this.#notes.slice(0, POST_MAX).map(({ number, from, title, command }) => rowOf(`${from}: ${title}`, [["Read", command]], title, number));
    return rows.length > 0 ? [...rows, rowOf("All notes", [["List", "board"]])] : [];
  }

  #mail() {
    if (this.#unread === 0) return [];
    const rows = this.#mails.slice(0, POST_MAX).map(({ number, from, items, command }) => {
      return rowOf(`${number}, ${from}${items ? `, with ${items}` : ""}`, [["Read", command]], `mail ${number}`, number);
    });
    return [...rows, rowOf(`${this.#unread} unread`, [["Mail", "mail"]])];
  }

  #quest({ name, steps, about, abandon }) {
    const next = listed(steps).find((step) => step && !step.optional && step.count < step.of);
    const progress = next?.of > 1 ? ` ${next.count} of ${next.of}.` : "";
    const giveUp = abandon ? [["Give up", abandon]] : [];
    return rowOf(next ? `${name}: ${next.text}${progress}` : name, [["About", about], ...giveUp], name);
  }

  #ware({ name, price, cost, count, command }) {
    const row = rowOf(name, [], name);
    const dear = price > this.#gold;
    if (price >= 0) row.append(money(price));
    const buy = button("Buy", command, { name: `Buy: ${name}, ${cost}` });
    if (dear || count === 0) {
      row.classList.add("unavailable");
      buy.setAttribute("aria-disabled", "true");
      buy.setAttribute("aria-label", `${buy.getAttribute("aria-label")}, ${count === 0 ? "sold out" : "too dear"}`);
    }
    row.append(buy);
    return row;
  }

  #person({ name, fullname, commands, state }) {
    const all = Array.isArray(commands) ? offered(commands) : [["Look", `look ${name}`], ["Invite", `party invite ${name}`]];
    const apt = all.filter(([, command]) => !/^party invite /.test(command) || !this.#companions.has(name));
    const shown = fullname || name;
    const told = Object.hasOwn(STATES, state ?? "") ? `${shown} (${STATES[state]})` : shown;
    return rowOf(told, apt, shown);
  }

  #creature(item) {
    const { id, name, commands } = item;
    if (Array.isArray(commands)) return rowOf(name, offered(commands), name, id);
    // A companion, or any creature in a room without combat.
    const look = ["Examine", `examine ${key(name)}`];
    const fight = [["Attack", `kill ${key(name)}`], ["Consider", `consider ${key(name)}`]];
    return rowOf(name, is(item, "x") ? [look] : fight, name, id);
  }

  #thing(item) {
    const { id, name, commands } = item;
    if (Array.isArray(commands)) return rowOf(name, offered(commands), name, id);
    const look = ["Examine", `examine ${key(name)}`];
    return rowOf(name, is(item, "t") ? [["Take", `take ${key(name)}`], look] : [look], name, id);
  }
}

/** Party panel, from `Party.Info` and `Party.Update`. */
export class Party {
  #holder;
  #info = {};
  #invitations = [];
  player = "";

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} send
   */
  constructor(holder, send) {
    this.#holder = holder;
    onPress(holder, send);
    this.#show();
  }

  receive(name, body) {
    if (name === "Party.Info") this.#info = { ...body, members: listed(body?.members).filter((one) => one?.name) };
    else if (name === "Party.Invitations") this.#invitations = listed(body).filter((one) => one?.from);
    else if (name === "Party.Update") {
      const members = listed(this.#info.members);
      this.#info.members = members.map((member) => (member.name === body?.name ? body : member));
    } else return;
    this.#show();
  }

  clear() {
    this.#info = {};
    this.#invitations = [];
    this.#show();
  }

  /** Returns what the player can do for a member in the same room: pairs of a label and a command. */
  helpFor({ name, room, state }) {
    const me = listed(this.#info.members).find((one) => one.name === this.player);
    if (name === this.player || me?.room !== room) return [];
    return { down: [["Rescue", `rescue ${name}`]], fighting: [["Assist", `assist ${name}`]] }[state] ?? [];
  }

  #show() {
    afterPress(this, () => this.#draw());
  }

  #draw() {
    const members = listed(this.#info.members);
    const rows = members.map((member) => this.#member(member));
    const rule = this.#info.loot ? [element("p", "note", `Loot: ${this.#info.loot}.`)] : [];
    const hint = "You are in no party. Press Invite at a player, or type party invite and a name.";
    const none = rows.length > 0 ? [] : [element("p", "note", hint)];
    // Where the panel is always shown, it makes room while there is nothing in it.
    this.#holder.classList.toggle("empty", rows.length + this.#invitations.length === 0);
    redraw(this.#holder, ...titled("Invitations", this.#invited()), ...titled("Party", rows, "rows members"), ...rule, ...none);
  }

  #invited() {
    return this.#invitations.map(({ from, accept, decline }) => {
      const actions = [["Accept", accept], ["Decline", decline]].filter(([, command]) => typeof command === "string");
      return rowOf(`${from} invites you.`, actions, `invitation of ${from}`);
    });
  }

  #member(member) {
    const { name, hp, maxhp, level, state, place } = member;
    const row = rowOf(`${name}${member.leader ? ", leads" : ""}`, this.helpFor(member), name);
    const { words, className } = condition(hp, maxhp);
    if (className) row.classList.add(className);
    const told = [`${hp}/${maxhp} HP`, words, `level ${level}`, state, place].filter(Boolean).join(", ");
    row.append(element("span", "more", told), gauge(hp, maxhp, "hp"));
    return row;
  }
}

/** Returns the time of day of a message, as on the player's clock. */
function timeOf(at) {
  const made = element("time", "at", new Date(at).toTimeString().slice(0, 5));
  made.dateTime = new Date(at).toISOString();
  return made;
}

/** Talk panel, from `Comm.Channel.Text`: one channel or all of them, with a field that speaks on the shown one. */
export class Talk {
  #parts;
  #host;
  #player = "";
  #lines = [];
  #shown = "";
  #unread = 0;
  #seen = false;
  /** Commands that speak on channels, by channel name. */
  #commands = new Map();

  /**
   * @param {{holder: HTMLElement, form: HTMLFormElement, field: HTMLInputElement, label: HTMLElement, marks: HTMLElement[]}}
   *   parts `marks` show the number of unread messages
   * @param {{send(command: string): boolean, unread(count: number): void}} host gets what the player says, and changes of
   *   the number of unread messages
   */
  constructor(parts, host) {
    this.#parts = parts;
    this.#host = host;
    parts.holder.addEventListener("click", ({ target }) => {
      const { channel, answer } = target.closest("button")?.dataset ?? {};
      if (answer !== undefined) this.answer(answer);
      else if (channel !== undefined) this.#choose(channel);
    });
    parts.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const words = parts.field.value.trim();
      if (words !== "" && host.send(`${this.#begun()} ${words}`)) parts.field.value = "";
    });
    this.#show();
  }

  /** Name of the player's character. Its own messages count as read; its history survives a reload of the page. */
  get player() {
    return this.#player;
  }

  set player(name) {
    if (name === this.#player) return;
    this.#player = name;
    const kept = passing.get("talk", {});
    this.#lines = kept?.player === name ? listed(kept.lines).filter((line) => typeof line?.text === "string") : [];
    this.#show();
  }

  /** Takes the body of a package. Returns true for a message. */
  receive(name, body) {
    if (name === "Comm.Channel.List") {
      const told = listed(body).filter((one) => one?.name && one.command);
      this.#commands = new Map(told.map((one) => [one.name, one.command]));
    }
    if (name !== "Comm.Channel.Text") return false;
    const [channel, text, talker] = [body?.channel, body?.text, body?.talker].map((part) => String(part ?? ""));
    this.#lines = [...this.#lines, { channel, text, talker, at: Date.now() }].slice(-TALK_MAX);
    passing.set("talk", { player: this.#player, lines: this.#lines });
    if (!this.#seen && body?.talker !== this.player) this.#unread += 1;
    this.#show();
    return true;
  }

  set seen(seen) {
    this.#seen = seen;
    if (seen) this.#unread = 0;
    this.#mark();
  }

  /** Returns true if the player is looking at this channel alone, or writing. */
  isRead(channel) {
    return this.#seen && (this.#shown === channel || document.activeElement === this.#parts.field);
  }

  /** Begins an answer to a player. */
  answer(name) {
    this.#choose(`tell ${name}`);
    this.#parts.field.focus();
  }

  #choose(channel) {
    this.#shown = channel;
    this.#show();
  }

  #mark() {
    this.#host.unread(this.#unread);
    for (const mark of this.#parts.marks) {
      mark.hidden = this.#unread === 0;
      mark.replaceChildren(String(Math.min(this.#unread, 99)), element("span", "unseen", " not read"));
    }
  }

  /** Returns the command that speaks on the shown channel; on all channels, to the room. */
  #begun() {
    if (/^tell /.test(this.#shown)) return this.#shown;
    // Plain `party` has subcommands as well: invite, leave.
    if (this.#shown === "party") return "party say";
    return this.#commands.get(this.#shown) ?? (this.#shown || "say");
  }

  #show() {
    this.#mark();
    afterPress(this, () => this.#draw());
  }

  #draw() {
    const { holder, field, label } = this.#parts;
    const used = this.#lines.map(({ channel }) => channel);
    const chosen = this.#shown === "" ? [] : [this.#shown];
    const channels = [...new Set([...CHANNELS, ...used, ...chosen])].sort();
    const choice = element("div", "choice");
    choice.dataset.key = "channels";
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", "Channels");
    for (const channel of ["", ...channels]) {
      const made = element("button", "button small", channel || "all");
      made.type = "button";
      made.dataset.key = made.dataset.channel = channel;
      made.setAttribute("aria-pressed", String(channel === this.#shown));
      choice.append(made);
    }
    label.textContent = this.#shown === "" ? "Say to the room" : `Write on ${this.#shown}`;
    field.placeholder = label.textContent;
    const lines = this.#lines.filter(({ channel }) => this.#shown === "" || channel === this.#shown);
    const rows = lines.map((line) => this.#row(line));
    const follows = holder.scrollHeight - holder.scrollTop - holder.clientHeight < 60;
    const hint = "Nothing has been said here yet. On the command line, type say or ooc and your words.";
    const none = lines.length > 0 ? [] : [element("p", "note", hint)];
    redraw(holder, choice, ...none, rowsOf("talk", rows, "talk"));
    if (follows) holder.scrollTop = holder.scrollHeight;
  }

  #row({ channel, text, talker, at }) {
    const row = element("li");
    row.dataset.key = text + (at ?? "");
    if (at) row.append(timeOf(at), " ");
    row.append(fragment(text));
    if (!/^tell\b/.test(channel) || talker === "" || talker === this.#player) return row;
    const made = element("button", "button small", "Answer");
    made.type = "button";
    made.dataset.key = made.dataset.answer = talker;
    made.setAttribute("aria-label", `Answer ${talker}`);
    row.append(" ", made);
    return row;
  }
}
