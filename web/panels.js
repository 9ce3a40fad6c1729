// The three panels beside the scrollback: contents of the room, party, and talk. Filled from structured data; their
// buttons send commands that players can also type.

import { fragment } from "./ansi.js";
import { actionsFor, offersOf } from "./actions.js";
import { afterPress, button, element, onPress, redraw } from "./draw.js";
import { passing } from "./store.js";
import { danger, gauge, list as listed } from "./vitals.js";

const COUNT = /^(an?|the|some|\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+/i;

const TALK_MAX = 200;

/** Returns a list; `title` identifies it among others. */
function rowsOf(title, rows, className = "rows") {
  const list = element("ul", className);
  list.dataset.key = title;
  list.append(...rows);
  return list;
}

/** Returns one line with buttons: pairs of a label and a command. `short` names the thing in their labels. */
function rowOf(text, actions, short = text, key = short) {
  const row = element("li");
  row.dataset.key = key;
  row.append(element("span", "what", text));
  for (const [label, command, begins = false] of actions) row.append(button(label, command, { name: `${label}: ${short}`, begins }));
  return row;
}

/** Tabs after the ARIA pattern: arrow keys move between tabs, the tab key moves into the panel. */
export class Tabs {
  #tabs;
  #chosen;

  /**
   * @param {HTMLElement} list
   * @param {(id: string) => void} chosen gets the id of the panel shown
   */
  constructor(list, chosen) {
    this.#tabs = [...list.querySelectorAll("[role=tab]")];
    this.#chosen = chosen;
    for (const tab of this.#tabs) tab.addEventListener("click", () => this.choose(tab));
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const at = this.#tabs.indexOf(document.activeElement);
      if (!step || at < 0) return;
      event.preventDefault();
      const tab = this.#tabs.at((at + step) % this.#tabs.length);
      this.choose(tab);
      tab.focus();
    });
  }

  choose(chosen) {
    for (const tab of this.#tabs) {
      const selected = tab === chosen;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !selected;
    }
    this.#chosen(chosen.id);
  }
}

export class Here {
  #holder;
  #suggest;
  #people = new Map();
  #items = new Map();
  #status = {};
  #details = [];
  #companions = new Set();
  #wares = [];
  /** Abilities that are learnt or offered; `null` until the server has listed them. */
  #skills = null;
  #quests = [];
  #unread = 0;
  #dialogue = {};
  /** Commands that help members of the party here, with labels. */
  #help = [];
  /** Set once any data has been received; before that an empty room cannot be told from missing data. */
  #told = false;

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} send
   * @param {(actions: string[][]) => void} suggest gets likely next actions
   * @param {(begun: string) => void} begin puts the beginning of a command into the command line
   */
  constructor(holder, send, suggest, begin) {
    this.#holder = holder;
    this.#suggest = suggest;
    onPress(holder, send, begin);
    this.#show();
  }

  /** Takes the body of a package. Returns true if only this panel handles it. */
  receive(name, body) {
    if (name === "Char.Status") {
      this.#status = { ...this.#status, ...body };
      this.#show();
      return false;
    }
    if (name === "Party.Info") {
      this.#companions = new Set(listed(body?.members).map((one) => one?.name));
      this.#show();
      return false;
    }
    if (name === "Room.Wares.List") {
      this.#wares = listed(body).filter((ware) => ware?.name && ware.command);
    } else if (name === "Char.Skills.List") {
      this.#skills = listed(body).filter((skill) => typeof skill?.name === "string" && skill.name !== "");
    } else if (name === "Char.Quests.List") {
      this.#quests = listed(body).filter((quest) => quest?.name && quest.about);
    } else if (name === "Char.Mail.Status") {
      this.#unread = Number(body?.unread) || 0;
    } else if (name === "Char.Dialogue") {
      this.#dialogue = body ?? {};
    } else if (name === "Room.Players") {
      this.#people = new Map(listed(body).filter((one) => one?.name).map((one) => [one.name, one]));
    } else if (name === "Room.AddPlayer") {
      if (body?.name) this.#people.set(body.name, body);
    } else if (name === "Room.RemovePlayer") this.#people.delete(body);
    else if (name === "Char.Items.List") {
      const named = listed(body?.items).filter((item) => item?.name);
      this.#items.set(body?.location, new Map(named.map((item) => [item.id, item])));
    } else if (name === "Char.Items.Add" || name === "Char.Items.Update") {
      const place = this.#items.get(body?.location) ?? new Map();
      if (body?.item?.name) place.set(body.item.id, body.item);
      this.#items.set(body?.location, place);
    } else if (name === "Char.Items.Remove") {
      // Some servers send the whole item, others only its number.
      this.#items.get(body?.location)?.delete(body?.item?.id ?? body?.item);
    } else return false;
    this.#told = true;
    this.#show();
    return true;
  }

  /** The player has entered a room with these details. */
  arrive(details) {
    this.#details = details;
    this.#show();
  }

  set help(help) {
    this.#help = help;
    this.#show();
  }

  clear() {
    this.#told = false;
    this.#details = [];
    this.#companions.clear();
    this.#wares = [];
    this.#skills = null;
    this.#quests = [];
    this.#unread = 0;
    this.#dialogue = {};
    this.#people.clear();
    this.#items.clear();
    this.#status = {};
    this.#show();
  }

  #show() {
    afterPress(this, () => this.#draw());
  }

  #draw() {
    const room = [...(this.#items.get("room")?.values() ?? [])];
    const is = (item, letter) => (item.attrib ?? "").includes(letter);
    const alive = room.filter((item) => is(item, "m") && !is(item, "d"));
    const things = room.filter((item) => !alive.includes(item));
    const inventory = [...(this.#items.get("inv")?.values() ?? [])];
    const foes = alive.filter((item) => !is(item, "x")).map((item) => [key(item.name), commandOf(item, "kill")]);
    const loose = things.filter((item) => is(item, "t")).map((item) => [key(item.name), commandOf(item, "get")]);
    const offers = offersOf(this.#details);
    const potions = inventory.filter(({ icon }) => icon === "potion").map((item) => [key(item.name), commandOf(item, "use")]);
    const abilities = (this.#skills ?? []).filter(({ learnt, ready, command }) => learnt && ready && command);
    this.#suggest(actionsFor(this.#status, foes, loose, offers.map(([, offer]) => offer), {
      answers: this.#choicesOfTalk().map(({ text, command }) => [text, command]),
      abilities: abilities.map(({ name, command }) => [name, command]),
      potions,
      help: this.#help,
    }));
    const groups = [
      [`Your answer to ${this.#dialogue.name}`, this.#answers()],
      ["Mail", this.#unread > 0 ? [rowOf(`${this.#unread} unread`, [["Mail", "mail"]])] : []],
      ["Quests", this.#quests.map((quest) => this.#quest(quest))],
      ["This place", offers.map(([detail, offer]) => rowOf(detail, [offer]))],
      ["For sale", this.#wares.map((ware) => rowOf(`${ware.name}, ${ware.cost}`, [["Buy", ware.command]]))],
      ["Choices of a new level", this.#choices()],
      ["Abilities", this.#abilities()],
      ["People", [...this.#people.values()].map((person) => this.#person(person))],
      ["Creatures", alive.map((item) => this.#creature(item))],
      ["Things", things.map((item) => this.#thing(item, is(item, "t")))],
      ["You carry", inventory.map((item) => this.#carried(item, is))],
    ].filter(([, rows]) => rows.length > 0);
    if (groups.length === 0) {
      const words = this.#told ? "Nobody and nothing else." : "Not told yet. Type look.";
      redraw(this.#holder, element("p", "note", words));
    } else {
      redraw(this.#holder, ...groups.flatMap(([title, rows]) => {
        const heading = element("h2", "", title);
        heading.dataset.key = title;
        return [heading, rowsOf(title, rows)];
      }));
    }
  }

  #choicesOfTalk() {
    return listed(this.#dialogue.choices).filter((choice) => choice?.text && choice.command);
  }

  #answers() {
    return this.#choicesOfTalk().map(({ text, command }) => rowOf(text, [["Say", command]]));
  }

  #quest({ name, steps, about, abandon }) {
    const next = listed(steps).find((step) => step && !step.optional && step.count < step.of);
    const progress = next?.of > 1 ? ` ${next.count} of ${next.of}.` : "";
    const giveUp = abandon ? [["Give up", abandon]] : [];
    return rowOf(next ? `${name}: ${next.text}${progress}` : name, [["About", about], ...giveUp], name);
  }

  /** Returns the choices of a new level: abilities to learn, and training, listed by `train`. */
  #choices() {
    const { training, offer } = this.#status;
    if (!(training > 0)) return [];
    const words = typeof offer === "string" ? offer.split(/[,\s]+/).filter(Boolean) : [];
    const learn = words.map((word) => {
      const gist = this.#skills?.find(({ name }) => name === word)?.desc;
      return rowOf(gist ? `${word}: ${gist}` : word, [["About", `help ${word}`], ["Learn", `train ${word}`]], word);
    });
    return [...learn, rowOf("a number", [["Choose", "train"]])];
  }

  #abilities() {
    return (this.#skills ?? []).filter(({ learnt }) => learnt === true).map(({ name, desc, ready, command }) => {
      const use = ready && typeof command === "string" ? [["Use", command]] : [];
      const told = `${name}${desc ? `: ${desc}` : ""}${ready ? "" : " (not ready)"}`;
      return rowOf(told, [["About", `help ${name}`], ...use], name);
    });
  }

  #person({ name, fullname, commands }) {
    if (Array.isArray(commands)) {
      const apt = commands.filter((command) => !/^party invite /.test(command) || !this.#companions.has(name));
      return rowOf(fullname || name, offered(apt));
    }
    const look = ["Look", `look ${name}`];
    const invite = ["Invite", `party invite ${name}`];
    return rowOf(fullname || name, this.#companions.has(name) ? [look] : [look, invite]);
  }

  #creature({ id, name, attrib, commands }) {
    if (Array.isArray(commands)) return rowOf(name, offered(commands), name, id);
    // A companion, or any creature in a room without combat.
    const spared = (attrib ?? "").includes("x");
    const look = ["Examine", `examine ${key(name)}`];
    const fight = [["Consider", `consider ${key(name)}`], ["Attack", `kill ${key(name)}`]];
    return rowOf(name, spared ? [look] : fight, name, id);
  }

  #thing({ id, name, commands }, takeable) {
    if (Array.isArray(commands)) return rowOf(name, offered(commands), name, id);
    const look = ["Examine", `examine ${key(name)}`];
    return rowOf(name, takeable ? [look, ["Take", `take ${key(name)}`]] : [look], name, id);
  }

  #carried({ id, name, attrib, commands }, is) {
    const worn = is({ attrib }, "w") || is({ attrib }, "l");
    const told = worn ? `${name} (${is({ attrib }, "l") ? "wielded" : "worn"})` : name;
    const give = worn ? [] : this.#give(name);
    if (Array.isArray(commands)) return rowOf(told, [...offered(commands), ...give], told, id);
    const other = worn ? ["Remove", `remove ${key(name)}`] : is({ attrib }, "W") ? ["Wear", `wear ${key(name)}`] : null;
    const look = ["Examine", `examine ${key(name)}`];
    return rowOf(told, [look, ...(other ? [other] : []), ...give], told, id);
  }

  /** Begins `give` in the command line while another player is here; names the player if there is only one. */
  #give(name) {
    const people = [...this.#people.keys()];
    if (people.length === 0) return [];
    const begun = `give ${key(name)} to ${people.length === 1 ? people[0] : ""}`;
    return [["Give", begun, true]];
  }
}

/** Labels of commands whose first word is not a good label. */
const LABELS = { kill: "Attack", get: "Take", "get all": "Take all", "talk to": "Talk", "party invite": "Invite" };

export function offered(commands) {
  return commands.filter((command) => typeof command === "string" && command.trim() !== "").map((command) => {
    const verb = /^(?:party \w+|get all|talk to|\S+)/.exec(command.trim())[0];
    return [Object.hasOwn(LABELS, verb) ? LABELS[verb] : verb[0].toUpperCase() + verb.slice(1), command];
  });
}

/** Returns the command of a thing that begins with this verb, as offered by the server. */
function commandOf({ name, commands }, verb) {
  const told = listed(commands).find((command) => String(command).startsWith(`${verb} `) && !/^get all /.test(command));
  return told ?? `${verb} ${key(name)}`;
}

/** Returns the name of a thing for use in commands: without article and number. */
export function key(name) {
  return String(name).replace(COUNT, "").replace(/\s*\(.*\)$/, "");
}

/** Party panel, from `Party.Info` and `Party.Update`. */
export class Party {
  #holder;
  #info = {};
  #invitations = [];
  #helps;
  player = "";

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} send
   * @param {(help: string[][]) => void} helps gets the commands that help members, with labels
   */
  constructor(holder, send, helps = () => {}) {
    this.#holder = holder;
    this.#helps = helps;
    onPress(holder, send);
    this.#show();
  }

  /** Takes the body of a package. Returns true if this panel handles it. */
  receive(name, body) {
    if (name === "Party.Info") this.#info = { ...body, members: listed(body?.members).filter((one) => one?.name) };
    else if (name === "Party.Invitations") this.#invitations = listed(body).filter((one) => one?.from);
    else if (name === "Party.Update") {
      const members = listed(this.#info.members);
      this.#info.members = members.map((member) => (member.name === body?.name ? body : member));
    } else return false;
    this.#show();
    return true;
  }

  clear() {
    this.#info = {};
    this.#invitations = [];
    this.#show();
  }

  #invited() {
    const rows = this.#invitations.map(({ from, accept, decline }) => {
      const actions = [["Accept", accept], ["Decline", decline]].filter(([, command]) => typeof command === "string");
      return rowOf(`${from} invites you.`, actions, `invitation of ${from}`);
    });
    return rows.length > 0 ? [rowsOf("Invitations", rows)] : [];
  }

  /** Returns what the player can do for a member in the same room. */
  #helpFor({ name, room, state }) {
    const me = listed(this.#info.members).find((one) => one.name === this.player);
    if (name === this.player || me?.room !== room) return [];
    return { down: [["Rescue", `rescue ${name}`]], fighting: [["Assist", `assist ${name}`]] }[state] ?? [];
  }

  #show() {
    const help = listed(this.#info.members).flatMap((member) => this.#helpFor(member));
    this.#helps(help.map(([label, command]) => [`${label} ${command.split(" ")[1]}`, command]));
    afterPress(this, () => this.#draw());
  }

  #draw() {
    const members = listed(this.#info.members);
    if (members.length === 0) {
      redraw(this.#holder, ...this.#invited(), element("p", "note", "You are in no party. Type: party invite, and a name."));
      return;
    }
    const rows = members.map((member) => {
      const row = rowOf(`${member.name}${member.leader ? ", leads" : ""}`, this.#helpFor(member), member.name);
      const word = danger(member.hp, member.maxhp);
      if (word) row.classList.add(word);
      const told = [`${member.hp}/${member.maxhp} HP`, word, `level ${member.level}`, member.state, member.place].filter(Boolean).join(", ");
      row.append(element("span", "more", told), gauge(member.hp, member.maxhp, "hp"));
      return row;
    });
    const rule = this.#info.loot ? [element("p", "note", `Loot: ${this.#info.loot}.`)] : [];
    redraw(this.#holder, ...this.#invited(), rowsOf("Members", rows, "rows members"), ...rule);
  }
}

/** Talk panel, from `Comm.Channel.Text`: one channel or all of them. */
export class Talk {
  #holder;
  #marks;
  #host;
  #player = "";
  #lines = [];
  #shown = "";
  #unread = 0;
  #seen = false;
  /** Commands that speak on channels, by channel name. */
  #commands = new Map();

  /**
   * @param {HTMLElement} holder
   * @param {HTMLElement[]} marks show the number of unread messages
   * @param {{answer(begun: string): void, unread(count: number): void}} host begins an answer in the command line, and
   *   gets changes of the number of unread messages
   */
  constructor(holder, marks, host = { answer() {}, unread() {} }) {
    this.#holder = holder;
    this.#marks = marks;
    this.#host = host;
    onPress(holder, () => {}, (begun) => host.answer(begun));
    holder.addEventListener("click", ({ target }) => {
      const { channel } = target.closest("button")?.dataset ?? {};
      if (channel === undefined) return;
      this.#shown = channel;
      this.#show();
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


  /** Takes the body of a package. Returns true if this panel handles it. */
  receive(name, body) {
    if (name === "Comm.Channel.List") {
      const told = listed(body).filter((one) => one?.name && one.command);
      this.#commands = new Map(told.map((one) => [one.name, one.command]));
      return true;
    }
    if (name !== "Comm.Channel.Text") return false;
    const [channel, text, talker] = [body?.channel, body?.text, body?.talker].map((part) => String(part ?? ""));
    this.#lines = [...this.#lines, { channel, text, talker }].slice(-TALK_MAX);
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

  #mark() {
    this.#host.unread(this.#unread);
    for (const mark of this.#marks) {
      mark.hidden = this.#unread === 0;
      mark.replaceChildren(String(Math.min(this.#unread, 99)), element("span", "unseen", " not read"));
    }
  }

  /**
   * Returns the beginning of a line that speaks on the shown channel; empty for all channels. A tell is to one player.
   */
  #begun() {
    if (/^tell /.test(this.#shown)) return `${this.#shown} `;
    // Plain `party` has subcommands as well: invite, leave.
    if (this.#shown === "party") return "party say ";
    const command = this.#commands.get(this.#shown);
    return command ? `${command} ` : "";
  }

  #show() {
    this.#mark();
    afterPress(this, () => this.#draw());
  }

  #draw() {
    const channels = [...new Set(this.#lines.map(({ channel }) => channel))].sort();
    const how = element("p", "note", "Type say and your words to whoever is here, or ooc and your words to everybody who plays.");
    if (channels.length === 0) {
      redraw(this.#holder, element("p", "note", "Nobody has said anything yet."), how);
      return;
    }
    const choice = element("div", "choice");
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", "Channels");
    for (const channel of ["", ...channels]) {
      const made = element("button", "button small", channel || "all");
      made.type = "button";
      made.dataset.key = made.dataset.channel = channel;
      made.setAttribute("aria-pressed", String(channel === this.#shown));
      choice.append(made);
    }
    const begun = this.#begun();
    if (begun) choice.append(button("Write", begun, { name: `Write on ${this.#shown}`, begins: true }));
    const lines = this.#lines.filter(({ channel }) => this.#shown === "" || channel === this.#shown);
    const rows = lines.map(({ channel, text, talker }) => {
      const line = element("li");
      line.dataset.key = text;
      line.append(fragment(text));
      const answers = /^tell\b/.test(channel) && talker && talker !== this.#player;
      if (answers) line.append(" ", button("Answer", `tell ${talker} `, { name: `Answer ${talker}`, begins: true }));
      return line;
    });
    redraw(this.#holder, choice, rowsOf("talk", rows, "talk"), how);
    this.#holder.scrollTop = this.#holder.scrollHeight;
  }
}
