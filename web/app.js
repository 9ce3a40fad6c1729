// Entry point of the web client: creates its parts and passes on messages from the server and input from the player.
// Each part is in a separate file and independent of the others.

import { Actions } from "./actions.js";
import { Alerts } from "./alerts.js";
import { plain } from "./ansi.js";
import { Atlas } from "./atlas.js";
import { Chart } from "./chart.js";
import { Connection } from "./connection.js";
import { Door, Stay } from "./door.js";
import { Guide } from "./guide.js";
import { Hud } from "./hud.js";
import { Input } from "./input.js";
import { Lines, unseen } from "./lines.js";
import { Log } from "./log.js";
import { Macros } from "./macros.js";
import { commandsOf, Menu } from "./menu.js";
import { Here, Party, Talk } from "./panels.js";
import { Search } from "./search.js";
import { Seats } from "./seat.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { Sheets } from "./sheets.js";
import { Sounds } from "./sounds.js";
import { lasting, passing } from "./store.js";
import { Ways } from "./ways.js";

/** GMCP modules that the client requests. Sounds are added for players who turn them on. */
const MODULES = [
  "Char 1", "Char.Items 1", "Char.Actions 1", "Char.Enemies 1", "Char.Afflictions 1", "Char.Defences 1", "Char.Skills 1",
  "Char.Quests 1", "Char.Macros 1", "Char.Mail 1", "Char.Guide 1", "Room 1", "Room.Map 1", "Room.Puzzle 1", "Room.Wares 1", "Room.Branches 1",
  "Room.Notes 1", "World.Time 1", "Comm.Channel 1", "Party 1",
];
const SOUND = ["Client.Media 1"];

/** Maximum milliseconds between leaving and opening the page for it to count as a reload. */
const RELOAD_MAX = 10_000;

const LAST_LINES = "replay 20";
const REPLAY_BEGINS = /^The last (?:message|.* messages, the oldest first):$|^Nothing of that kind is remembered\./;
const REPLAY_ENDS = /^That was the replay\.$|^Nothing of that kind is remembered\./;

/** Line about a resumed session, which the page tells by itself. */
const RESUMED = /^You take hold of your body again\.$/;

/** Number of links of the story from which a command is completed. */
const LINKS_MAX = 200;

/** Lines of the greeting about logging in by command. */
const TYPED_LOGIN = /^Type guest to look around|^Type connect NAME|^who, help, and quit/;

const find = (id) => document.getElementById(id);

/** State of one login; reset on each connection. */
let lines = new Lines();
let playing = false;
/** Set while incoming lines are the response to player input, or to a login. */
let answering = false;
/** Set by a prompt since the last line was sent. One alone may belong to what others do meanwhile. */
let prompted = false;
/** Set if the player has been in the game in this tab before: the last lines are then requested again. */
let returning = passing.get("name", "") !== "";

let unread = 0;
/** Replayed lines, of which only those missing from the scrollback are shown; `null` if no replay is expected. */
let replayed = null;
/** Lines since a session was resumed in this tab, held back until the room is known; `null` otherwise. */
let resumed = null;
/** Set from a lost connection until the player is back in the game, or at the login prompt. */
let linkLost = false;
/** Set if the page was left within `RELOAD_MAX`. */
const reloaded = Date.now() - passing.get("left", 0) < RELOAD_MAX;
window.addEventListener("pagehide", () => passing.set("left", Date.now()));
/** Set after a reload by a guest without a stored session: the client logs in as a guest again automatically. */
let visits = reloaded && passing.get("guest", false) === true;
/** Set during an automatic guest login, until the server answers. */
let visiting = false;
/** Lines typed while disconnected; sent in order as soon as the same character is back. */
let waiting = [];
/** Maximum number of queued lines; further lines stay in the command line. */
const WAITING_MAX = 20;

let readerAsked = false;
/** Text received at the login prompt during an automatic login; shown only if the login fails. */
let unsaid = [];
/** Set when another connection of the same character has replaced this one. */
let displaced = false;
/** Lines about logging in by command, held back while the login form is open. */
let hints = [];
/** Set when the server offers a resume token to this browser; answered as soon as the character's name is known. */
let seatOffered = false;

const settings = new Settings(find("settings"), settingChanged);
const sounds = new Sounds();
/** Set while the player wants sounds. */
let listening = hears();
const log = new Log(find("log"), find("newer"), find("announcer"), send);
const input = new Input(
  { form: find("command"), field: find("line"), label: find("line-label"), prompt: find("prompt") },
  { submit, walk: send, words: () => log.recent(150), commands: offered, press: (number) => actions.press(number), log },
);
const atlas = new Atlas();
const chart = new Chart(
  {
    holder: find("map"),
    caption: find("map-caption"),
    legend: find("legend"),
    closer: find("zoom-in"),
    wider: find("zoom-out"),
    higher: find("level-up"),
    lower: find("level-down"),
  },
  atlas,
  walkTo,
);
const ways = new Ways(find("ways"), send);
const search = new Search(
  { dialog: find("search"), field: find("search-words"), count: find("search-count"), list: find("search-found") },
  { send: press, commands: offered, log },
);
const actions = new Actions(find("actions"), { send: press, say: (words) => log.say(words) });
const here = new Here(find("panel-here"), send);
const party = new Party(find("panel-party"), send);
const sheet = new Sheet(find("panel-you"), find("purse"), send);
const guide = new Guide(find("guide"), send);
const hud = new Hud(find("hud"), { send, creature: (id) => here.creature(id) });
const alerts = new Alerts(find("alerts"), {
  send,
  answer: (name) => {
    sheets.open("talk");
    talk.answer(name);
  },
  helpFor: (member) => party.helpFor(member),
  titled: () => title(),
  say: (words) => log.say(words),
  isRead: (channel) => talk.isRead(channel),
});
const talk = new Talk(
  {
    holder: find("panel-talk"), form: find("talk-form"), field: find("talk-line"), label: find("talk-label"),
    marks: [find("talk-unread")],
  },
  {
    send,
    unread: (count) => {
      unread = count;
      title();
    },
  },
);
const sheets = new Sheets(find("game"), find("thumb"), noteTalkSeen);
new Menu(find("menu"), press);
const macros = new Macros(
  {
    dialog: find("own"), told: find("own-told"), key: find("own-key"), line: find("own-line"), macros: find("own-macros"),
    words: find("own-words"), highlights: find("own-highlights"),
  },
  { send, keys: (names) => (input.macros = names) },
);
const parts = [here, sheet, guide, hud, actions, party, macros];

const address = new URL("ws", window.location.href);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
const connection = new Connection(address.href, { opened, text, data, taken: endAnswer, closed });

const seats = new Seats((name, body) => connection.sendData(name, body));
const door = new Door(
  {
    door: find("door"), who: find("door-who"), told: find("door-told"), back: find("door-back"),
    form: find("door-form"), secret: find("door-secret"), type: find("door-type"), branch: find("door-branch"),
  },
  {
    send: (name, body) => {
      asked();
      return connection.sendData(name, body);
    },
    connect: () => connection.open(),
    takeSeat: (name) => connection.isOpen && seats.take(name),
    forget: () => seats.names.forEach((name) => seats.forget(name)),
    names: () => seats.names,
    type: () => settings.change("forms", false),
  },
);

const stay = new Stay(
  {
    button: find("stay"), dialog: find("staying"), form: find("staying-form"), told: find("staying-told"),
    later: find("stay-later"),
  },
  (name, body) => connection.sendData(name, body),
);

log.announce = settings.get("announce");
input.arrows = settings.get("walk");
sounds.volume = Number(settings.get("volume"));
input.digits = settings.get("digits");
connectButtons();
if (settings.get("forms") && !comesBack() && !visits) door.open();
connection.open();
// On a phone the keyboard would cover the page before the player has read anything.
if (window.matchMedia("(hover: hover)").matches && !door.isOpen) input.focus();

/** Returns true if the client resumes the session automatically: a character was played in this tab. */
function comesBack() {
  return returning && seats.names.includes(passing.get("name", ""));
}

/** Returns true during an automatic login: incoming text is then not a question to the player. */
function isComing() {
  return (seats.taking || visiting) && !playing;
}

/** Walks to a room that the player has pressed on the map. */
function walkTo({ num, name }) {
  const command = atlas.commandTo(num);
  if (command) send(command);
  else if (num !== atlas.here?.num) log.add([`You know no way to ${name}.`], "note", true);
}

function noteTalkSeen() {
  talk.seen = find("panel-talk").offsetParent !== null && !document.hidden;
}

function send(command) {
  if (connection.sendLine(command, playing)) return sent(command);
  if (returning && waiting.length < WAITING_MAX) return wait(command);
  log.add(["Not connected: that was not sent."], "note", true);
  return false;
}

/** Sends the command of a button. One that ends in a space is begun, for the player to write the rest. */
function press(command) {
  if (command.endsWith(" ")) input.begin(command);
  else send(command);
}

/** Returns the commands that the server offers now: for the exits, for what is here, and as links of the story. */
function offered() {
  const links = [...document.querySelectorAll("#log [data-send]")].slice(-LINKS_MAX).reverse();
  const presses = document.querySelectorAll("[data-command]:not([aria-disabled=true])");
  const menus = [...document.querySelectorAll("[data-menu]")].flatMap(({ dataset }) => commandsOf(JSON.parse(dataset.menu)));
  return [...presses, ...links].map(({ dataset }) => dataset.command ?? dataset.send).concat(menus);
}

function wait(line) {
  waiting.push(line);
  log.add([`Waiting for the link: ${line}`], "note", true);
  return true;
}

function dropWaiting() {
  if (waiting.length > 0) log.add(["Not sent:", ...waiting.map((line) => `> ${line}`)], "note", true);
  waiting = [];
}

function sent(command) {
  if (settings.get("echo")) log.add([echoOf(command)], "echo");
  asked();
  log.toEnd();
  return true;
}

/** Speaks what comes next as the answer to the player. A question that the player has answered is spoken no more. */
function asked() {
  if (!playing) log.hush();
  answering = true;
  prompted = false;
}

/** Ends the answer to the player, if the server has asked for the next line and confirmed all that were sent. */
function endAnswer() {
  if (playing && prompted && !connection.awaits) answering = false;
}

/** Returns the echo of a sent line. Hidden input, and passwords in a login command, are never echoed. */
function echoOf(line) {
  if (playing) return `> ${line}`;
  return `${input.prompt} ${line.replace(/^(\s*(?:connect|create)\s+\S+\s+).*$/i, "$1(hidden)")}`;
}

function submit(line, hidden) {
  if (isComing()) return false;
  if (!hidden) {
    // The browser's password manager needs to know the account name.
    if (!playing && /name:$/i.test(input.prompt)) find("account").value = line.trim();
    return send(line);
  }
  if (!connection.sendLine(line)) return false;
  log.add([`${input.prompt} (hidden)`], "echo");
  asked();
  return true;
}

function opened() {
  displaced = false;
  if (!returning) linkLost = false;
  hints = [];
  lines = new Lines();
  state("Connected.", false);
  connection.sendData("Core.Hello", { client: "Deepwell page", version: "1" });
  connection.sendData("Core.Supports.Set", hears() ? [...MODULES, ...SOUND] : MODULES);
  input.park();
  if (!door.isOpen && comesBack()) seats.take(passing.get("name", ""));
  else if (visits) visiting = connection.sendData("Deepwell.Door.Visit");
  else if (settings.get("forms")) door.open();
  visits = false;
  door.connected();
}

function text(part) {
  const whole = lines.push(part).filter((line) => !replays(line));
  macros.hear(whole);
  if (resumed) resumed.push(...whole);
  else if (isComing()) unsaid.push(...whole);
  else if (door.isOpen && !playing) {
    const typed = (line) => TYPED_LOGIN.test(plain(line));
    hints.push(...whole.filter(typed));
    log.add(whole.filter((line) => !typed(line)), "", answering);
  } else if (whole.length > 0) log.add(whole, "", answering);
}

/**
 * Takes a line of the replay after a reload or a lost connection, and returns whether it was one. Lines missing from the
 * scrollback are shown when the replay ends.
 */
function replays(line) {
  if (!replayed) return false;
  const words = plain(line);
  if (replayed.length === 0 && !REPLAY_BEGINS.test(words)) return false;
  replayed.push(line);
  if (REPLAY_ENDS.test(words)) showMissed();
  return true;
}

function showMissed() {
  const missed = notRead(replayed.slice(1).filter((line) => !REPLAY_ENDS.test(plain(line))));
  replayed = null;
  if (missed.length === 0) return;
  log.add(["While you were cut off:"], "note");
  log.add(missed, "", answering);
}

/** Returns the lines that are not in the scrollback yet. */
function notRead(lines) {
  return unseen(lines.filter((line) => !RESUMED.test(plain(line))), log.recent(Infinity));
}

/** Shows the lines since the session was resumed: all of another room, what has changed of the same one. All are spoken. */
function showResumed(isSameRoom) {
  const held = resumed ?? [];
  resumed = null;
  log.add(isSameRoom ? notRead(held) : held);
  log.speak(held.map(plain).join("\n"));
}

function closed(wait, untaken) {
  if (playing) returning = true;
  // Sending these again could execute a command twice; only the player can tell whether the first took effect.
  if (wait !== null && untaken.length > 0) {
    log.add(["Perhaps not received, so look before you send it again:", ...untaken.map((line) => `> ${line}`)], "note", true);
  }
  if (wait === null) dropWaiting();
  seats.lost();
  unsaid = [];
  replayed = null;
  resumed = null;
  leave();
  input.hidden = false;
  input.prompt = "";
  if (wait === null) {
    const name = passing.get("name", "");
    const elsewhere = `${name} plays in another window or client now.`;
    if (settings.get("forms")) door.open(displaced ? elsewhere : "", displaced ? name : "");
    state("Not connected.", true);
    log.add([`${displaced ? elsewhere : "You have left."} ${wayBack()} to come back.`], "note", true);
    linkLost = displaced;
  } else {
    state(wait < 1500 ? "Connecting again." : `Connecting again in ${Math.round(wait / 1000)} seconds.`, true);
    if (!linkLost) log.add(["The link is broken. Trying to connect again."], "note", true);
    linkLost = true;
  }
}

/** Returns what the player has to do to come back, as shown on the page. */
function wayBack() {
  if (canPlayHere()) return "Press Play here";
  const name = passing.get("name", "");
  if (!settings.get("forms")) return seats.names.includes(name) ? "Press Connect" : "Press Connect and log in";
  return seats.names.includes(name) ? `Press Continue as ${name}` : "Log in again";
}

/** Returns true if one press brings a character back that is played elsewhere. */
function canPlayHere() {
  return displaced && seats.names.includes(passing.get("name", ""));
}

function state(words, broken) {
  find("state").textContent = words;
  find("state").classList.toggle("broken", broken);
  find("connect").textContent = canPlayHere() ? "Play here" : "Connect";
  // The login form connects by its own buttons.
  find("connect").hidden = !broken || door.isOpen;
}

function data(name, body) {
  if (name === "Deepwell.Prompt") prompt(lines.prompt());
  else if (name === "Deepwell.Input") input.hidden = body?.hidden === true;
  else if (name === "Char.Name") enter(body?.name);
  else if (name === "Room.Info") arrive(body);
  else if (name === "Room.Map") remember(body);
  else if (name === "Room.Puzzle.List") furnish(body);
  else if (name === "Client.Media.Play") sound(body);
  else if (name === "Core.Goodbye") goodbye(body);
  else if (name === "Deepwell.Seat.Offer") offerSeat();
  else if (name === "Deepwell.Seat.Taken") seatTaken();
  else if (name === "Deepwell.Seat.Kept") seats.kept(passing.get("name", ""));
  else if (name === "Deepwell.Seat.Refused") seatRefused(body);
  else if (name === "Deepwell.Door.Refused" && visiting) refused(String(body?.message ?? ""));
  else if (name === "Deepwell.Door.Guest") passing.set("guest", stay.receive(name, body) && body?.guest === true);
  else if (stay.receive(name, body) || door.receive(name, body)) return;
  else {
    if (talk.receive(name, body) && !answering) log.speak(plain(String(body?.text ?? "")));
    for (const part of parts) part.receive(name, body);
    alerts.receive(name, body, answering);
  }
}

function prompt(raw) {
  const words = plain(raw);
  input.playing = playing;
  input.prompt = words;
  if (isComing()) return;
  // Before login a prompt is a question, and so is a password prompt.
  if (!playing || input.hidden) log.say(words);
  prompted = true;
  if (playing) return endAnswer();
  const name = passing.get("name", "");
  if (/name:\s*$/i.test(words) && returning && name && !door.isOpen) input.suggest(name);
  if (/name:\s*$/i.test(words) && settings.get("reader") && !readerAsked) {
    readerAsked = true;
    connection.sendLine("screenreader");
  }
}

function offerSeat() {
  seatOffered = !playing;
  if (playing) seats.offered();
}

/** The session has been resumed: subsequent text is from the game. */
function seatTaken() {
  seats.taken();
  unsaid = [];
  if (returning) resumed = [];
}

function seatRefused(body) {
  if (seats.refused(body?.forget === true)) return;
  refused(String(body?.message ?? ""));
}

/** Shows the login form, or the login prompt's text, with the reason why the automatic login failed. */
function refused(reason) {
  visiting = false;
  log.add(unsaid);
  unsaid = [];
  input.park();
  if (settings.get("forms")) door.open(reason);
  else prompt(input.prompt);
}

function enter(name) {
  if (playing && name) {
    // A guest has registered, or the player has switched to another character.
    passing.set("name", name);
    setPlayer(name);
  }
  if (playing || !name) return;
  playing = true;
  visiting = false;
  unsaid = [];
  input.playing = true;
  if (!answering) log.hush();
  answering = true;
  prompted = false;
  const atDoor = door.isOpen;
  door.close();
  input.unpark();
  if (atDoor && window.matchMedia("(hover: hover)").matches) input.focus();
  find("leaving").hidden = false;
  // Scrollback and history of this tab belong to the previous character.
  if (passing.get("name", name) !== name) {
    atlas.forget();
    passing.set("room", 0);
    dropWaiting();
  }
  passing.set("name", name);
  if (seatOffered) offerSeat();
  setPlayer(name);
  find("game").classList.remove("outside");
  for (const part of [...parts, alerts]) part.clear();
  noteTalkSeen();
  // The setting is stored in the account, so it is sent only once.
  if (hears() && lasting.get("sound", "") !== name) {
    connection.sendLine("config sound on");
    lasting.set("sound", name);
  }
  if (linkLost) log.add(["The link is back."], "note", true);
  linkLost = false;
  if (returning && connection.sendLine(LAST_LINES)) replayed = [];
  returning = false;
  const kept = waiting;
  waiting = [];
  kept.forEach(send);
}

function setPlayer(name) {
  talk.player = party.player = hud.player = sheet.player = alerts.player = name;
}

function leave() {
  playing = false;
  visiting = false;
  seatOffered = false;
  input.playing = false;
  find("leaving").hidden = true;
  stay.guest = false;
  passing.set("guest", false);
  readerAsked = false;
  answering = false;
  find("place").textContent = "";
  ways.show([]);
}

function arrive(info) {
  showResumed(info?.num === passing.get("room", 0));
  passing.set("room", info?.num ?? 0);
  atlas.arrive(info);
  drawMap();
  find("place").textContent = info?.name ?? "";
  title();
}

/** Sets the document title to the number of unread messages, the latest notice and the room. */
function title() {
  const parts = [alerts.title, find("place").textContent, "Deepwell"].filter(Boolean);
  document.title = `${unread > 0 ? `(${unread}) ` : ""}${parts.join(" - ")}`;
}

function drawMap() {
  chart.draw();
  ways.show(atlas.ways());
  here.places = atlas.marked().map(({ room, words }) => [words, atlas.commandTo(room.num), room.name]);
}

function remember(map) {
  atlas.remember(map);
  drawMap();
}

function furnish(contents) {
  if (atlas.furnish(contents)) drawMap();
}

/** Returns true if the player wants sounds, as words or as tones. */
function hears() {
  return settings.get("sound") || settings.get("volume") !== "0";
}

function sound(body) {
  sounds.play(body ?? {});
  if (settings.get("sound") && typeof body?.caption === "string") log.add([`Sound: ${body.caption}`], "note", true);
}

/**
 * The server closes the connection and gives a reason. The client reconnects after a restart of the server, but not
 * after the player was logged out.
 */
function goodbye(why) {
  if (!/server stops/i.test(String(why))) connection.endsHere();
  displaced = /another way/i.test(String(why));
  // The server has deleted its resume token as well.
  if (/^goodbye/i.test(String(why))) seats.forget(passing.get("name", ""));
}

function settingChanged(setting, value) {
  if (setting === "announce") log.announce = value;
  if (setting === "walk") input.arrows = value;
  if (setting === "digits") input.digits = value;
  if (setting === "forms" && !playing) {
    if (value) door.open();
    else door.close();
    if (!value) {
      log.add(hints);
      hints = [];
      input.focus();
    }
  }
  if (setting === "reader" && connection.isOpen) {
    if (playing) send(`config reader ${value ? "on" : "off"}`);
    else if (value) connection.sendLine("screenreader");
  }
  if (setting === "volume") sounds.volume = Number(value);
  if (["sound", "volume"].includes(setting) && hears() !== listening) {
    listening = hears();
    // The character whose account has the setting; for others it is sent when they log in.
    lasting.set("sound", playing && listening ? passing.get("name", "") : "");
    if (!connection.isOpen) return;
    connection.sendData(listening ? "Core.Supports.Add" : "Core.Supports.Remove", listening ? SOUND : ["Client.Media"]);
    if (playing) send(`config sound ${listening ? "on" : "off"}`);
  }
}

function saveText() {
  const text = log.recent(Infinity).reverse().join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text, "\n"], { type: "text/plain" }));
  link.download = `deepwell-${new Date().toISOString().slice(0, 10)}.txt`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href));
}

function connectButtons() {
  find("connect").addEventListener("click", () => {
    connection.open();
    input.focus();
  });
  find("open-settings").addEventListener("click", () => settings.open());
  find("open-search").addEventListener("click", () => {
    find("settings").close();
    search.open();
  });
  find("open-own").addEventListener("click", () => {
    find("settings").close();
    macros.open();
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "k" || !playing) return;
    event.preventDefault();
    search.open();
  });
  find("export").addEventListener("click", saveText);
  for (const [id, command] of [["log-out", "log out"], ["log-out-everywhere", "log out everywhere"]]) {
    find(id).addEventListener("click", () => {
      find("settings").close();
      send(command);
    });
  }
  document.addEventListener("visibilitychange", noteTalkSeen);
  // Without it, the page cannot be installed, and is the browser's own while the server cannot be reached.
  navigator.serviceWorker?.register("offline.js").catch(() => {});
  // If a phone's keyboard covers the page instead of resizing it, resize the page.
  const viewport = window.visualViewport;
  viewport?.addEventListener("resize", () => {
    document.documentElement.style.setProperty("--height", `${Math.round(viewport.height * viewport.scale)}px`);
  });
}
