// Entry point of the builder page: log in, choose a zone and a room, edit, save. Every change to the world is a line
// that can also be typed in the game; the page shows the lines before it sends them. It polls the server for changes
// every few seconds.

import { afterPress } from "../draw.js";
import { passing } from "../store.js";
import { Connection } from "./connection.js";
import { Definitions } from "./definitions.js";
import { DIALOGUES } from "./dialogue.js";
import { DRAFTS } from "./draft.js";
import { ADDITIONS, groupsOf } from "./fields.js";
import { Form, make } from "./form.js";
import { KINDS } from "./kind.js";
import { Login } from "./login.js";
import { Packages } from "./packages.js";
import { Plan } from "./plan.js";
import { QUESTS } from "./quest.js";
import { Scripts } from "./scripts.js";
import { alarm, dress, state } from "./shell.js";
import { Tabs } from "./tabs.js";
import { Trial } from "./trial.js";
import { VARIABLES } from "./variable.js";

/** Milliseconds without typing before a dry run of the edits, and polling interval in milliseconds. */
const TRY_AFTER = 400;
const ASK_EVERY = 5000;

const find = (id) => document.getElementById(id);

const connection = new Connection("build");
const plan = new Plan(
  { holder: find("plan"), caption: find("plan-caption"), higher: find("higher"), lower: find("lower"),
    closer: find("closer"), wider: find("wider"), fit: find("fit") },
  (id) => open(id, true),
);
const form = new Form(
  { fields: find("fields"), adding: find("adding"), lost: find("lost") },
  { written, line: (line, sure, done) => single(line, sure, done) },
  { prefix: "", groupsOf, additions: ADDITIONS },
);

const login = new Login(connection, { title: "For builders", first: "zones", admit, left });
const { carefully } = login;
/** Sends a request. What its answer redraws waits for the end of a press, whose click would be lost. */
const answered = async (request) => {
  const told = await connection.ask(request);
  await new Promise((done) => afterPress(done, done));
  return told;
};
const ask = (request) => carefully(() => answered(request));
/** Sends a request about definitions: a draft has its own versions. */
const askInZone = (request) => {
  for (const about of Object.values(request)) about.zone ??= zone;
  return ask(request);
};
const scripts = new Scripts(askInZone, { line: async (line) => (await typed([line]))?.[0], state, alarm });
const trial = new Trial(() => find("who").textContent);
const tell = { typed, state, alarm, certain, changed: renew, zone: () => zone, enter: choose };
const definitions = [
  ...KINDS.map((shape) => new Definitions(shape, askInZone, tell)),
  new Definitions(DIALOGUES, askInZone, { ...tell, shown: (dialogue) => trial.show(dialogue) }),
  ...[QUESTS, VARIABLES, DRAFTS].map((shape) => new Definitions(shape, askInZone, tell)),
];
find("dialogue-one").append(find("trial"));
const packages = new Packages(ask, { state, alarm, changed: widen });
const tabs = new Tabs(find("tabs"), [...document.querySelectorAll("[data-tab]")], fill);

let zones = [];
let zone = "";
let map = { rooms: [] };
/** Revision of the map shown. */
let known = null;
/** Unsaved edits of rooms that are not open, by room number. */
let drafts = new Map(passing.get("drafts", []));
let trying = 0;
let tried = 0;
let saving = false;
/** Request for changes that is under way. */
let asking = null;

dress();
start();

function start() {
  find("zone").addEventListener("change", () => choose(find("zone").value));
  find("edited-other").addEventListener("click", (event) => choose(event.currentTarget.dataset.zone));
  find("save").addEventListener("click", () => save());
  find("drop").addEventListener("click", () => form.drop());
  find("undo").addEventListener("click", () => single("undo"));
  find("redo").addEventListener("click", () => single("redo"));
  find("check").addEventListener("toggle", () => find("check").open && look(true));
  for (const button of document.querySelectorAll("[data-line]")) {
    button.addEventListener("click", () => show(button.dataset.line));
  }
  window.setInterval(() => !document.hidden && !find("work").hidden && !asking && look(false), ASK_EVERY);
  login.start();
}

/** The builder logs out. */
function left() {
  form.close();
  drafts = new Map();
  passing.set("drafts", []);
  scripts.close();
  for (const section of definitions) section.close();
  packages.close();
  shut("No room is open", "Choose one on the map.");
}

/** The builder has logged in. */
async function admit(told) {
  login.close(told.player);
  offer(told);
  const kept = passing.get("zone", "");
  const first = zones.find((one) => one.key === zone) ?? zones.find((one) => one.key === kept)
    ?? zones.find((one) => one.here) ?? zones.find((one) => one.may) ?? zones[0];
  if (form.subject) {
    await look(false);
    written();
    return;
  }
  if (first) await choose(first.key);
  const room = passing.get("room", 0);
  if (room && map.rooms.some((one) => one.id === room)) await open(room, false);
}

/** Shows the zones, and what can be placed in their rooms. */
function offer(told) {
  if (!told) return;
  zones = told.list;
  const option = (one) => make("option", { value: one.key, label: one.name });
  find("kinds").replaceChildren(...[...told.creatures, ...told.things].map(option));
  find("things").replaceChildren(...told.things.map(option));
  packages.allow(told.package_bytes);
  find("zone").replaceChildren(...zones.map(({ key, of }) => make("option", { value: key }, of ? `${key}, a draft of ${of}` : key)));
  if (zone) find("zone").value = zone;
  tellEdited();
}

/** A package has been taken in: shows its zones and definitions. */
async function widen() {
  await renew();
  await choose(zone);
}

/** Shows the zones as they are now. If that of the map is gone, shows the one of which it was a draft, or another. */
async function renew() {
  const former = zones.find((one) => one.key === zone);
  offer(await ask("zones"));
  if (!zone || zones.some((one) => one.key === zone)) return;
  if (form.subject?.zone === zone) shut("No room is open", "The zone of the room that was open is gone.");
  await choose((zones.find((one) => one.key === former?.of) ?? zones[0]).key);
}

/** Tells whether a draft is edited, or what players see, and leads to the other one. */
function tellEdited() {
  const { of, may } = zones.find((one) => one.key === zone) ?? {};
  const draft = zones.find((one) => one.of === zone)?.key;
  find("edited").hidden = !zone;
  find("edited").classList.toggle("draft", of !== undefined);
  const words = !may ? `You may look at ${zone} only: it is others'.`
    : of !== undefined ? `You edit a draft of ${of}: players do not see it.`
    : `You edit the zone ${zone}: players see each change at once.${draft ? " It has a draft." : ""}`;
  if (find("edited-words").textContent !== words) find("edited-words").textContent = words;
  const other = find("edited-other");
  other.dataset.zone = [of, draft].find((key) => zones.some((one) => one.key === key)) ?? "";
  other.hidden = other.dataset.zone === "";
  other.textContent = of === undefined ? "Edit the draft" : `Edit the zone ${of}`;
}

/** Shows the map of another zone. */
async function choose(key) {
  if (key !== zone) known = null;
  zone = key;
  passing.set("zone", key);
  find("zone").value = key;
  find("zone-words").textContent = zones.find((one) => one.key === key)?.words ?? "";
  tellEdited();
  await look(find("check").open);
  packages.show(key);
  await fill();
}

/** Shows the present state of what the chosen tab has. */
async function fill() {
  if (!zone) return;
  if (tabs.current === "scripts") await scripts.show(zone);
  await definitions.find((section) => section.id === tabs.current)?.show();
}

/** Asks for changes of the map and of the open room, after what is being asked. */
async function look(check) {
  while (asking) await asking;
  const wanted = zone;
  asking = lookNow(wanted, check).finally(() => {
    asking = null;
  });
  // The zone may have been a draft that is published now.
  if (!(await asking) && wanted === zone) await renew();
}

/** Returns `true` if everything was answered. */
function lookNow(wanted, check) {
  return carefully(async () => {
    const told = await answered({ zone: { zone: wanted, known, check } });
    if (wanted !== zone) return true;
    known = told.revision;
    if (told.map) showMap(told.map);
    if (told.remarks) showRemarks(told.remarks);
    if (!form.subject || saving) return true;
    const { id, revision } = form.subject;
    const room = await answered({ room: { room: id } });
    if (form.subject?.id !== id || saving) return true;
    if (room.revision !== revision) {
      state("Somebody has changed this room.");
      showRoom(room);
    } else if (told.map) {
      form.refresh(form.subject, map);
      judgeLater();
    }
    return true;
  });
}

function showMap(told) {
  map = told;
  plan.show(map);
  plan.mark(form.subject?.id ?? null);
  find("rooms").replaceChildren(...map.rooms.map((room) => make("li", {}, roomButton(room.id, `${room.name}, room ${room.id}`))));
}

function roomButton(id, words) {
  const button = make("button", { type: "button", class: "link" }, words);
  button.addEventListener("click", () => open(id, true));
  return button;
}

function showRemarks(remarks) {
  const mistakes = remarks.filter((one) => one.mistake).length;
  find("check-title").textContent = `Mistakes and doubts: ${mistakes} and ${remarks.length - mistakes}`;
  find("remarks").replaceChildren(...remarks.map((one) => {
    const words = `${one.mistake ? "Mistake" : "Doubt"}: ${one.name}, room ${one.room}: ${one.words}`;
    return make("li", {}, roomButton(one.room, words));
  }));
}

/** Opens a room; unsaved edits of the previous one are kept. */
async function open(id, focus) {
  alarm("");
  const room = await ask({ room: { room: id } });
  if (!room) return;
  keepDraft();
  passing.set("room", id);
  find("told").textContent = "";
  form.open(room, map, drafts.get(id) ?? []);
  showRoom(room);
  state("");
  if (!focus) return;
  tabs.show("editor");
  find("editor").focus({ preventScroll: true });
  find("bench").scrollIntoView();
}

function showRoom(room) {
  form.refresh(room, map);
  plan.mark(room.id);
  find("room-title").textContent = `${room.name}, room ${room.id}`;
  const { players, creatures, things } = room.here;
  const here = [...players, ...creatures, ...things];
  const rights = room.may ? "" : " You may look at it only: the zone is others'.";
  const kind = room.kind === "room" ? "" : ` It is a ${room.kind}.`;
  find("room-note").textContent = `Zone ${room.zone}.${kind} ${here.length > 0 ? `Here now: ${here.join(", ")}.` : "Nobody is here now."}${rights}`;
  for (const part of ["save-bar", "typed"]) find(part).hidden = !room.may;
  find("looking").hidden = false;
  written();
}

/** Closes the open room. */
function shut(title, words) {
  form.close();
  passing.set("room", 0);
  plan.mark(null);
  find("room-title").textContent = title;
  find("room-note").textContent = words;
  for (const part of ["save-bar", "typed"]) find(part).hidden = true;
  find("looking").hidden = true;
}

function keepDraft() {
  if (!form.subject) return;
  const kept = form.kept;
  if (kept.length > 0) drafts.set(form.subject.id, kept);
  else drafts.delete(form.subject.id);
  passing.set("drafts", [...drafts]);
}

/** The unsaved edits have changed. */
function written() {
  const lines = form.lines();
  find("lines").textContent = lines.map(({ line }) => line).join("\n") || "Nothing is changed.";
  find("save").textContent = lines.length === 0 ? "Save" : lines.length === 1 ? "Save 1 change" : `Save ${lines.length} changes`;
  for (const id of ["save", "drop"]) find(id).setAttribute("aria-disabled", String(lines.length === 0));
  keepDraft();
  judgeLater();
}

function judgeLater() {
  window.clearTimeout(trying);
  trying = window.setTimeout(judge, TRY_AFTER);
}

/** Asks the server which of the edits it would refuse. */
async function judge() {
  const [lines, additions, id] = [form.lines(), form.additions(), form.subject?.id];
  tried += 1;
  const turn = tried;
  form.clearAdditions();
  if (!id || !form.subject.may || lines.length + additions.length === 0) {
    form.judge(new Map());
    find("mistakes").textContent = "";
    return;
  }
  const all = [...lines, ...additions].map(({ line }) => line);
  const told = await ask({ try: { room: id, lines: all } });
  if (!told || turn !== tried) return;
  const wrong = new Map();
  lines.forEach(({ keys }, at) => {
    if (told.mistakes[at].length === 0) return;
    const key = form.blame(keys, told.mistakes[at].join("\n"));
    wrong.set(key, [...(wrong.get(key) ?? []), ...told.mistakes[at]]);
  });
  form.judge(wrong);
  additions.forEach((one, at) => {
    one.wrong.textContent = told.mistakes[lines.length + at].join("\n");
  });
  const count = wrong.size;
  find("mistakes").textContent = count === 0 ? "" : count === 1 ? "One field would be refused." : `${count} fields would be refused.`;
}

/** Saves the edits, based on the revision of the room that was shown. */
async function save() {
  const lines = form.lines();
  if (lines.length === 0 || saving) return;
  state("Saving.");
  const told = await send(lines.map(({ line }) => line), form.subject.id, form.subject.revision);
  if (!told) return;
  const open = form.saved(lines, told.told);
  finish(told, open ? "" : "Saved.");
  form.refused(lines, told.told);
}

/** Sends one line immediately. */
async function single(line, sure = null, done = () => {}) {
  const place = form.subject ?? map.rooms[0];
  if (!place || saving) return;
  if (sure && !(await certain(sure, line))) return;
  const back = line === "undo" || line === "redo";
  const told = await send([line], place.id, back ? null : place.revision);
  if (!told) return;
  if (told.told.length > 0 && !told.told[0].refused) done();
  if (back) await renew();
  finish(told, told.told.map((one) => one.words).join(" "));
}

/** Asks whether a line shall be sent. If there is a line that tells its consequences, shows them. */
async function certain({ words, before }, line) {
  let consequences = `It is as if you typed: ${line}. Undo takes it back.`;
  if (before) {
    if (map.rooms.some(({ id }) => drafts.has(id))) {
      alarm("Rooms of this zone have changes that are not saved. Save them or drop them first.");
      return false;
    }
    const told = (await typed([before]))?.[0];
    if (told?.refused) alarm(told.words);
    if (!told || told.refused) return false;
    consequences = told.words;
  }
  const dialog = find("sure");
  find("sure-title").textContent = `${words}?`;
  find("sure-words").textContent = consequences;
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "yes";
}

/** Sends lines and returns their results, or nothing if the results are unknown. */
async function send(lines, room, revision) {
  saving = true;
  alarm("");
  const told = await ask({ build: { room, revision, lines } });
  saving = false;
  if (!told) state("Not saved.");
  return told;
}

/** Shows the resulting state of the room. */
function finish(told, words) {
  const refused = told.told.filter((one) => one.refused).map((one) => one.words);
  if (told.changed) alarm(told.changed);
  else alarm(refused.join("\n"));
  state(told.changed || refused.length > 0 ? "Not everything was done." : words);
  if (told.room && form.subject) showRoom(told.room);
  else if (form.subject) shut("No room is open", "The room that was open is gone. Undo brings it back.");
  look(find("check").open);
  fill();
}

/** Sends lines that are not about the room, and returns their results. */
async function typed(lines) {
  const place = form.subject?.zone === zone ? form.subject : map.zone === zone && map.rooms[0];
  if (!place) {
    alarm("A zone without rooms has no place to work from. Dig a room first.");
    return undefined;
  }
  return (await send(lines, place.id, null))?.told;
}

/** Shows the output of a read-only command. */
async function show(line) {
  const told = await ask({ build: { room: form.subject.id, lines: [line] } });
  if (told) find("told").textContent = told.told.map((one) => one.words).join("\n");
}
