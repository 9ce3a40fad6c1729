// The three panels beside the scrollback: contents of the room, party, and talk. Filled from structured data; their
// buttons send commands that players can also type.

import { fragment } from "./ansi.js";
import { actionsFor, offersOf } from "./actions.js";
import { passing } from "./store.js";
import { gauge, list as listed } from "./vitals.js";

/** Article or number before the name of a thing. */
const COUNT = /^(an?|the|some|\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+/i;

/** Maximum number of lines of talk on the page. */
const TALK_MAX = 200;

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Replaces the contents of a panel. The focus stays on the same button, or on the panel if the button is gone. */
function refill(holder, ...children) {
  const at = document.activeElement;
  const held = holder !== at && holder.contains(at) ? (at.getAttribute("aria-label") ?? at.textContent) : null;
  holder.replaceChildren(...children);
  if (held === null) return;
  const same = [...holder.querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") ?? one.textContent) === held);
  (same ?? holder).focus({ preventScroll: true });
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

/** Players, creatures and things in the room, and the inventory. */
export class Here {
  #holder;
  #send;
  #suggest;
  #people = new Map();
  #items = new Map();
  #status = {};
  /** Keywords of the room's details. */
  #details = [];
  /** Members of the player's party. */
  #companions = new Set();
  /** Goods for sale here. */
  #wares = [];
  /** Abilities that are learnt or offered; `null` until the server has listed them. */
  #skills = null;
  /** Active quests, each with its steps. */
  #quests = [];
  /** Number of unread mails. */
  #unread = 0;
  /** Conversation with a creature or townsperson: name, text and choices. */
  #dialogue = {};
  #begin;
  /** Set once any data has been received; before that an empty room cannot be told from missing data. */
  #told = false;

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} send
   * @param {(actions: string[][]) => void} suggest gets likely next actions
   * @param {(begun: string) => void} begin puts the beginning of a command into the command line
   */
  constructor(holder, send, suggest, begin = () => {}) {
    this.#holder = holder;
    this.#send = send;
    this.#suggest = suggest;
    this.#begin = begin;
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
    const room = [...(this.#items.get("room")?.values() ?? [])];
    const is = (item, letter) => (item.attrib ?? "").includes(letter);
    const alive = room.filter((item) => is(item, "m") && !is(item, "d"));
    const things = room.filter((item) => !alive.includes(item));
    const inventory = [...(this.#items.get("inv")?.values() ?? [])];
    const foes = alive.filter((item) => !is(item, "x")).map((item) => [key(item.name), commandOf(item, "kill")]);
    const loose = things.filter((item) => is(item, "t")).map((item) => [key(item.name), commandOf(item, "get")]);
    const offers = offersOf(this.#details);
    this.#suggest(actionsFor(this.#status, foes, loose, offers.map(([, offer]) => offer)));
    const groups = [
      [`Your answer to ${this.#dialogue.name}`, this.#answers()],
      ["Mail", this.#unread > 0 ? [this.#row(`${this.#unread} unread`, [["Mail", "mail"]])] : []],
      ["Quests", this.#quests.map((quest) => this.#quest(quest))],
      ["This place", offers.map(([detail, offer]) => this.#row(detail, [offer]))],
      ["For sale", this.#wares.map((ware) => this.#row(`${ware.name}, ${ware.cost}`, [["Buy", ware.command]]))],
      ["Choices of a new level", this.#choices()],
      ["Abilities", this.#abilities()],
      ["People", [...this.#people.values()].map((person) => this.#person(person))],
      ["Creatures", alive.map((item) => this.#creature(item))],
      ["Things", things.map((item) => this.#thing(item, is(item, "t")))],
      ["You carry", inventory.map((item) => this.#carried(item, is))],
    ].filter(([, rows]) => rows.length > 0);
    if (groups.length === 0) {
      const words = this.#told ? "Nobody and nothing else." : "Not told yet. Type look.";
      refill(this.#holder, element("p", "note", words));
    } else {
      refill(this.#holder, ...groups.flatMap(([title, rows]) => {
        const list = element("ul", "rows");
        list.append(...rows);
        return [element("h2", "", title), list];
      }));
    }
  }

  /** Returns the answers on offer in a conversation. */
  #answers() {
    const choices = listed(this.#dialogue.choices).filter((choice) => choice?.text && choice.command);
    return choices.map(({ text, command }) => this.#row(text, [["Say", command]]));
  }

  /** Returns a quest with its next step. */
  #quest({ name, steps, about, abandon }) {
    const next = listed(steps).find((step) => step && !step.optional && step.count < step.of);
    const progress = next?.of > 1 ? ` ${next.count} of ${next.of}.` : "";
    const giveUp = abandon ? [["Give up", abandon]] : [];
    return this.#row(next ? `${name}: ${next.text}${progress}` : name, [["About", about], ...giveUp], name);
  }

  /** Returns the choices of a new level: abilities to learn, and training, listed by `train`. */
  #choices() {
    const { training, offer } = this.#status;
    if (!(training > 0)) return [];
    const words = typeof offer === "string" ? offer.split(/[,\s]+/).filter(Boolean) : [];
    const learn = words.map((word) => {
      const gist = this.#skills?.find(({ name }) => name === word)?.desc;
      return this.#row(gist ? `${word}: ${gist}` : word, [["About", `help ${word}`], ["Learn", `train ${word}`]], word);
    });
    return [...learn, this.#row("a number", [["Choose", "train"]])];
  }

  /** Returns learnt abilities, each with a button while it can be used. */
  #abilities() {
    return (this.#skills ?? []).filter(({ learnt }) => learnt === true).map(({ name, desc, ready, command }) => {
      const use = ready && typeof command === "string" ? [["Use", command]] : [];
      const told = `${name}${desc ? `: ${desc}` : ""}${ready ? "" : " (not ready)"}`;
      return this.#row(told, [["About", `help ${name}`], ...use], name);
    });
  }

  #person({ name, fullname, commands }) {
    if (Array.isArray(commands)) {
      const apt = commands.filter((command) => !/^party invite /.test(command) || !this.#companions.has(name));
      return this.#row(fullname || name, offered(apt));
    }
    const look = ["Look", `look ${name}`];
    const invite = ["Invite", `party invite ${name}`];
    return this.#row(fullname || name, this.#companions.has(name) ? [look] : [look, invite]);
  }

  #creature({ name, attrib, commands }) {
    if (Array.isArray(commands)) return this.#row(name, offered(commands));
    // A companion, or any creature in a room without combat.
    const spared = (attrib ?? "").includes("x");
    const look = ["Examine", `examine ${key(name)}`];
    const fight = [["Consider", `consider ${key(name)}`], ["Attack", `kill ${key(name)}`]];
    return this.#row(name, spared ? [look] : fight);
  }

  #thing({ name, commands }, takeable) {
    if (Array.isArray(commands)) return this.#row(name, offered(commands));
    const look = ["Examine", `examine ${key(name)}`];
    return this.#row(name, takeable ? [look, ["Take", `take ${key(name)}`]] : [look]);
  }

  #carried({ name, attrib, commands }, is) {
    const worn = is({ attrib }, "w") || is({ attrib }, "l");
    const told = worn ? `${name} (${is({ attrib }, "l") ? "wielded" : "worn"})` : name;
    const give = worn ? [] : this.#give(name);
    if (Array.isArray(commands)) return this.#row(told, [...offered(commands), ...give]);
    const other = worn ? ["Remove", `remove ${key(name)}`] : is({ attrib }, "W") ? ["Wear", `wear ${key(name)}`] : null;
    const look = ["Examine", `examine ${key(name)}`];
    return this.#row(told, [look, ...(other ? [other] : []), ...give]);
  }

  /** Begins `give` in the command line while another player is here; names the player if there is only one. */
  #give(name) {
    const people = [...this.#people.keys()];
    if (people.length === 0) return [];
    const begun = `give ${key(name)} to ${people.length === 1 ? people[0] : ""}`;
    return [["Give", () => this.#begin(begun)]];
  }

  /** Returns one line with buttons; each sends a command or calls a function. `short` names the thing in labels. */
  #row(text, actions, short = text) {
    const row = element("li", "");
    row.append(element("span", "what", text));
    for (const [label, command] of actions) {
      const button = element("button", "button small", label);
      button.type = "button";
      button.setAttribute("aria-label", `${label}: ${short}`);
      button.addEventListener("click", () => (typeof command === "function" ? command() : this.#send(command)));
      row.append(button);
    }
    return row;
  }
}

/** Labels of commands whose first word is not a good label. */
const LABELS = { kill: "Attack", get: "Take", "get all": "Take all", "talk to": "Talk", "party invite": "Invite" };

/** Returns buttons for whole commands, each labelled with its verb. */
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
  #send;
  #info = {};
  #invitations = [];

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} send
   */
  constructor(holder, send) {
    this.#holder = holder;
    this.#send = send;
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

  /** Returns the invitations, each with a button to accept and one to decline. */
  #invited() {
    const rows = this.#invitations.map(({ from, accept, decline }) => {
      const row = element("li", "");
      row.append(element("span", "what", `${from} invites you.`));
      const actions = [["Accept", accept], ["Decline", decline]].filter(([, command]) => typeof command === "string");
      for (const [label, command] of actions) {
        const button = element("button", "button small", label);
        button.type = "button";
        button.setAttribute("aria-label", `${label}: invitation of ${from}`);
        button.addEventListener("click", () => this.#send(command));
        row.append(button);
      }
      return row;
    });
    if (rows.length === 0) return [];
    const list = element("ul", "rows");
    list.append(...rows);
    return [list];
  }

  #show() {
    const members = listed(this.#info.members);
    if (members.length === 0) {
      refill(this.#holder, ...this.#invited(), element("p", "note", "You are in no party. Type: party invite, and a name."));
      return;
    }
    const list = element("ul", "rows members");
    for (const member of members) {
      const row = element("li", "");
      const name = element("span", "what", `${member.name}${member.leader ? ", leads" : ""}`);
      const told = `${member.hp}/${member.maxhp} HP, level ${member.level}, ${member.state}, ${member.place}`;
      row.append(name, element("span", "more", told), gauge(member.hp, member.maxhp, "hp"));
      list.append(row);
    }
    const rule = this.#info.loot ? [element("p", "note", `Loot: ${this.#info.loot}.`)] : [];
    refill(this.#holder, ...this.#invited(), list, ...rule);
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

  /** Sets whether the panel is visible to the player. */
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
    const channels = [...new Set(this.#lines.map(({ channel }) => channel))].sort();
    const how = element("p", "note", "Type say and your words to whoever is here, or ooc and your words to everybody who plays.");
    if (channels.length === 0) {
      this.#holder.replaceChildren(element("p", "note", "Nobody has said anything yet."), how);
      return;
    }
    const choice = element("div", "choice");
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", "Channels");
    for (const channel of ["", ...channels]) {
      const button = element("button", "button small", channel || "all");
      button.type = "button";
      button.setAttribute("aria-pressed", String(channel === this.#shown));
      button.addEventListener("click", () => {
        this.#shown = channel;
        this.#show();
        this.#holder.querySelector("[aria-pressed=true]")?.focus();
      });
      choice.append(button);
    }
    const begun = this.#begun();
    if (begun) {
      const write = element("button", "button small", "Write");
      write.type = "button";
      write.setAttribute("aria-label", `Write on ${this.#shown}`);
      write.addEventListener("click", () => this.#host.answer(begun));
      choice.append(write);
    }
    const list = element("ul", "talk");
    for (const { channel, text, talker } of this.#lines) {
      if (this.#shown !== "" && channel !== this.#shown) continue;
      const line = element("li", "");
      line.append(fragment(text));
      if (/^tell\b/.test(channel) && talker && talker !== this.#player) {
        const answer = element("button", "button small", "Answer");
        answer.type = "button";
        answer.setAttribute("aria-label", `Answer ${talker}`);
        answer.addEventListener("click", () => this.#host.answer(`tell ${talker} `));
        line.append(" ", answer);
      }
      list.append(line);
    }
    refill(this.#holder, choice, list, how);
    this.#holder.scrollTop = this.#holder.scrollHeight;
  }
}
