// Where the page begins: makes its parts and passes on what comes from the server and from the player. Each part is
// in a file of its own and knows nothing of the others.

import { plain } from "./ansi.js";
import { Atlas } from "./atlas.js";
import { Chart } from "./chart.js";
import { Connection } from "./connection.js";
import { Input } from "./input.js";
import { Lines } from "./lines.js";
import { Log } from "./log.js";
import { Here, Party, Tabs, Talk } from "./panels.js";
import { Settings } from "./settings.js";
import { lasting, passing } from "./store.js";
import { Vitals } from "./vitals.js";
import { Ways } from "./ways.js";

/** The structured data that this page shows; sounds are added for those who want to be told of them. */
const MODULES = [
  "Char 1", "Char.Items 1", "Char.Afflictions 1", "Char.Defences 1", "Room 1", "Comm.Channel 1", "Party 1",
];
const SOUND = ["Client.Media 1"];

/** What is asked for after the link was broken. */
const LAST_LINES = "replay 20";

/** The map is written down this long after it has changed, in milliseconds. */
const MAP_DELAY = 1000;

const find = (id) => document.getElementById(id);

/** What holds for one login; made anew with each link. */
let lines = new Lines();
let playing = false;
/** Whether lines that come now answer something the player sent. */
let answering = false;
/** Whether the player was in the game before, in this tab: then the last lines are asked for again. */
let returning = passing.get("name", "") !== "";

/** Whether this link has been told that the player listens. */
let readerAsked = false;
let mapTimer = 0;

const settings = new Settings(find("settings"), settingChanged);
const log = new Log(find("log"), find("newer"), find("announcer"), send);
const input = new Input(
  { form: find("command"), field: find("line"), label: find("line-label"), prompt: find("prompt") },
  { submit, walk: send, words: () => log.recent(150), log },
);
const atlas = Atlas.from(passing.get("atlas", null));
const chart = new Chart(
  { holder: find("map"), caption: find("map-caption"), closer: find("zoom-in"), wider: find("zoom-out") },
  atlas,
);
const ways = new Ways(find("ways"), send);
const vitals = new Vitals(find("vitals"));
const here = new Here(find("panel-here"), send);
const party = new Party(find("panel-party"));
const talk = new Talk(find("panel-talk"), [find("talk-unread"), find("around-unread")]);
const parts = [vitals, here, party];

const address = new URL("ws", window.location.href);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
const connection = new Connection(address.href, { opened, text, data, closed });

log.announce = settings.get("announce");
input.arrows = settings.get("arrows");
connectButtons();
connection.open();
// On a phone the keyboard would cover the page before anything has been read.
if (window.matchMedia("(hover: hover)").matches) input.focus();

/** Sends a command as if it had been typed. */
function send(command) {
  if (!connection.sendLine(command)) {
    log.add(["Not connected: that was not sent."], "note", true);
    return false;
  }
  if (settings.get("echo")) log.add([echoOf(command)], "echo");
  answering = true;
  log.toEnd();
  return true;
}

/** What is shown of a line that was sent. What was hidden, and passwords given in one line, never are. */
function echoOf(line) {
  if (playing) return `> ${line}`;
  return `${input.prompt} ${line.replace(/^(\s*(?:connect|create)\s+\S+\s+).*$/i, "$1(hidden)")}`;
}

function submit(line, hidden) {
  if (!hidden) {
    // For the browser's own keeper of passwords, which asks whose it is.
    if (!playing && /name:$/i.test(input.prompt)) find("account").value = line.trim();
    return send(line);
  }
  if (!connection.sendLine(line)) return false;
  log.add([`${input.prompt} (hidden)`], "echo");
  return true;
}

function opened() {
  lines = new Lines();
  state("Connected.", false);
  connection.sendData("Core.Hello", { client: "Deepwell page", version: "1" });
  connection.sendData("Core.Supports.Set", settings.get("sound") ? [...MODULES, ...SOUND] : MODULES);
}

function text(part) {
  const whole = lines.push(part);
  if (whole.length > 0) log.add(whole, "", answering);
}

function closed(wait) {
  if (playing) returning = true;
  leave();
  input.hidden = false;
  input.prompt = "";
  if (wait === null) {
    state("Not connected.", true);
    log.add(["You have left. Press Connect to come back."], "note", true);
  } else {
    state(wait < 1500 ? "Connecting again." : `Connecting again in ${Math.round(wait / 1000)} seconds.`, true);
    if (find("state").dataset.lost !== "true") {
      log.add(["The link is broken. Trying to connect again."], "note", true);
      find("state").dataset.lost = "true";
    }
  }
}

function state(words, broken) {
  find("state").textContent = words;
  find("state").classList.toggle("broken", broken);
  find("connect").hidden = !broken;
  if (!broken) find("state").dataset.lost = "false";
}

/** Structured data of any kind. */
function data(name, body) {
  if (name === "Deepwell.Prompt") prompt(lines.prompt());
  else if (name === "Deepwell.Input") input.hidden = body?.hidden === true;
  else if (name === "Char.Name") enter(body?.name);
  else if (name === "Room.Info") arrive(body);
  else if (name === "Client.Media.Play") caption(body?.caption);
  else if (name === "Core.Goodbye") goodbye(body);
  else if (talk.receive(name, body)) {
    if (!answering) log.speak(plain(String(body?.text ?? "")));
  } else parts.some((part) => part.receive(name, body));
}

function prompt(raw) {
  const words = plain(raw);
  input.playing = playing;
  input.prompt = words;
  // Before the game a prompt is a question, and so is one for a password.
  if (!playing || input.hidden) log.say(words);
  if (playing) {
    answering = false;
    return;
  }
  const name = passing.get("name", "");
  if (/name:\s*$/i.test(words) && returning && name) input.suggest(name);
  if (/name:\s*$/i.test(words) && settings.get("reader") && !readerAsked) {
    readerAsked = true;
    connection.sendLine("screenreader");
  }
}

function enter(name) {
  if (playing || !name) return;
  playing = true;
  input.playing = true;
  // What somebody else has seen in this tab is theirs.
  if (passing.get("name", name) !== name) atlas.forget();
  passing.set("name", name);
  talk.player = name;
  find("game").classList.remove("outside");
  for (const part of parts) part.clear();
  // The account keeps it; it is asked for once.
  if (settings.get("sound") && lasting.get("sound", "") !== name) {
    connection.sendLine("config sound on");
    lasting.set("sound", name);
  }
  if (returning) connection.sendLine(LAST_LINES);
  returning = false;
}

/** Whoever is not in the game is nowhere. */
function leave() {
  playing = false;
  input.playing = false;
  readerAsked = false;
  answering = false;
  find("place").textContent = "";
  ways.show([]);
}

function arrive(info) {
  atlas.arrive(info);
  chart.draw();
  ways.show(atlas.here?.exits ?? []);
  find("place").textContent = info?.name ?? "";
  document.title = info?.name ? `${info.name} - Deepwell` : "Deepwell";
  window.clearTimeout(mapTimer);
  mapTimer = window.setTimeout(() => passing.set("atlas", atlas), MAP_DELAY);
}

function caption(words) {
  if (settings.get("sound") && typeof words === "string") log.add([`Sound: ${words}`], "note", true);
}

/** The server closes, and says why. A server that stops will be back; whoever was sent away is not to try again. */
function goodbye(why) {
  if (!/server stops/i.test(String(why))) connection.endsHere();
}

function settingChanged(setting, value) {
  if (setting === "announce") log.announce = value;
  if (setting === "arrows") input.arrows = value;
  if (setting === "reader" && connection.isOpen) {
    if (playing) send(`config reader ${value ? "on" : "off"}`);
    else if (value) connection.sendLine("screenreader");
  }
  if (setting === "sound") {
    // Which account knows of it; another one is told when its character comes in.
    lasting.set("sound", playing && value ? passing.get("name", "") : "");
    if (!connection.isOpen) return;
    connection.sendData(value ? "Core.Supports.Add" : "Core.Supports.Remove", value ? SOUND : ["Client.Media"]);
    if (playing) send(`config sound ${value ? "on" : "off"}`);
  }
}

function connectButtons() {
  find("connect").addEventListener("click", () => {
    connection.open();
    input.focus();
  });
  find("open-settings").addEventListener("click", () => settings.open());
  const tabs = { current: "tab-here" };
  const showTalk = () => {
    const panel = find("panel-talk");
    talk.seen = tabs.current === "tab-talk" && panel.offsetParent !== null && !document.hidden;
  };
  new Tabs(document.querySelector("[role=tablist]"), (id) => {
    tabs.current = id;
    showTalk();
  });
  for (const [id, name] of [["show-map", "with-map"], ["show-panels", "with-panels"]]) {
    find(id).addEventListener("click", () => {
      const on = find("game").classList.toggle(name);
      find(id).setAttribute("aria-pressed", String(on));
      showTalk();
    });
  }
  document.addEventListener("visibilitychange", showTalk);
  // Where the keyboard of a phone covers the page instead of making it smaller, the page makes itself smaller.
  const viewport = window.visualViewport;
  viewport?.addEventListener("resize", () => {
    document.documentElement.style.setProperty("--height", `${Math.round(viewport.height)}px`);
  });
}
