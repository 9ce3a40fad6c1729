// Entry point of the staff page: log in, watch players, reports, branches and load, and send commands of staff. Every
// change is a command that can also be typed in the game. The page polls the server every few seconds.

import { Connection } from "../build/connection.js";
import { make } from "../build/form.js";
import { Login } from "../build/login.js";
import { dress, state } from "../build/shell.js";
import { drawn, placesOf, wordsOf as mapInWords } from "./branch.js";
import { chartsOf, stateOf } from "./load.js";

/** Polling interval in milliseconds. */
const ASK_EVERY = 5000;

const SVG = "http://www.w3.org/2000/svg";
const find = (id) => document.getElementById(id);
const connection = new Connection("staff");
const login = new Login(connection, { title: "For staff", first: { staff: "overview" }, admit, left: close });

/** Number of the branch whose map is open. */
let open = null;
let asking = false;
/** What the server last told. */
let overview = null;
/** What each list shows, so that an unchanged list is not drawn again. */
const shown = new Map();

dress();
start();

function start() {
  const submits = (id, work) =>
    find(id).addEventListener("submit", (event) => {
      event.preventDefault();
      work();
    });
  submits("line-form", send);
  submits("audit-form", search);
  find("floor").addEventListener("change", () => look());
  find("people-words").addEventListener("input", showPeople);
  window.setInterval(() => !document.hidden && !find("work").hidden && look(), ASK_EVERY);
  login.start();
}

/** Sends a request; undefined if it is refused. */
function ask(request) {
  return login.carefully(() => connection.ask({ staff: request }));
}

/** The member of staff has logged in. */
function admit(now) {
  login.close(now.name);
  show(now);
  look();
  find("people").focus();
}

/** Reads everything again. */
async function look() {
  if (asking) return;
  asking = true;
  try {
    const now = await ask("overview");
    if (!now) return;
    show(now);
    if (open !== null) await lookAtBranch();
    if (!overview.rights.includes("server")) return;
    const load = await ask("load");
    if (load) showLoad(load);
  } finally {
    asking = false;
  }
}

/** Fills a list, unless it shows these entries already. The focus stays on the button with the same words. */
function list(id, entries, entry) {
  const text = JSON.stringify(entries);
  if (shown.get(id) === text) return;
  shown.set(id, text);
  const focused = find(id).contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  find(id).replaceChildren(...entries.map(entry));
  if (focused) find(id).querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** Returns a button that puts a command into the form. */
function puts(words, line, about) {
  const button = make("button", { type: "button", class: "button small", "aria-label": `${words} ${about}`, "data-key": `${words} ${about}` }, words);
  button.addEventListener("click", () => {
    find("line").value = line;
    find("line").focus();
  });
  return button;
}

/** Returns a button that does something at once, without a change to the world. */
function does(words, about, work) {
  const button = make("button", { type: "button", class: "button small", "aria-label": `${words} ${about}`, "data-key": `${words} ${about}` }, words);
  button.addEventListener("click", work);
  return button;
}

const counted = (count, one, several) => (count === 1 ? `One ${one}` : `${count} ${several}`);

/** Returns a sentence for a list that has only the first of all entries. */
const first = (entries, all) => (entries.length < all ? ` The first ${entries.length} are listed.` : "");

function show(now) {
  overview = now;
  const { reports, bans, locks, branches, rights } = overview;
  const may = (right) => rights.includes(right);
  state(overview.at);
  showPeople();
  find("reports").hidden = !reports;
  if (reports) {
    find("reports-note").textContent = reports.length === 0 ? "Nothing waits." : `${counted(reports.length, "report waits", "reports wait")}.`;
    list("reports-list", reports, entryOfReport);
  }
  find("branches").hidden = !branches;
  if (branches) {
    const all = counted(overview.open_branches, "branch is", "branches are");
    find("branches-note").textContent = branches.length === 0 ? "No branch is open." : `${all} open.${first(branches, overview.open_branches)}`;
    list("branches-list", branches, entryOfBranch);
    if (open !== null && !branches.some((branch) => branch.id === open)) close();
  }
  find("bans").hidden = !bans;
  if (bans) {
    find("locks").textContent = locks;
    list("bans-list", bans.length > 0 ? bans : ["Nobody is banned."], (line) => make("li", {}, line));
  }
  find("audit").hidden = !may("audit");
  find("load").hidden = !may("server");
}

/** Returns the row of a player. The heading of a column stands before its value where the columns do not fit. */
function rowOfPerson(person, may) {
  const { name, rank, level, room, area, since, idle, address, sanctions } = person;
  const verbs = may("moderate") ? ["kick", "mute", "freeze"] : [];
  const buttons = verbs.map((verb) => puts(verb[0].toUpperCase() + verb.slice(1), `${verb} ${name} `, name));
  const cell = (heading, ...parts) => make("td", { "data-heading": heading }, ...parts);
  const states = [person.is_away ? "disconnected" : "", ...sanctions].filter(Boolean);
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, make("span", { class: "name" }, name), ` ${rank}, level ${level}`),
    cell("Where", `${room}, ${area}`), cell("Here for", since ?? ""), cell("Idle for", idle ?? ""), cell("Address", address ?? ""),
    make("td", { "data-heading": "State", class: sanctions.length > 0 ? "wrong" : "" }, states.join(" ")),
    make("td", { class: "row" }, ...buttons),
  );
}

/** Shows the players whose row has the words of the search. */
function showPeople() {
  const { people, players, rights } = overview;
  const wanted = find("people-words").value.trim().toLowerCase();
  const found = people.filter((person) => Object.values(person).flat().join(" ").toLowerCase().includes(wanted));
  const all = `${counted(players, "player is", "players are")} on.${first(people, players)}`;
  find("people-note").textContent = wanted ? `${all} ${found.length} with these words.` : all;
  list("people-list", found, (person) => rowOfPerson(person, (right) => rights.includes(right)));
}

function entryOfReport(report) {
  const about = report.about ? ` about ${report.about}` : "";
  return make(
    "li",
    {},
    make("p", {}, make("span", { class: "name" }, `Report ${report.id}`), `, ${report.kind}${about} by ${report.name}, ${report.ago} ago.`),
    make("p", {}, report.text),
    make(
      "p",
      { class: "row" },
      does("Read", `report ${report.id}`, () => run(`reports ${report.id}`)),
      puts("Close", `reports close ${report.id} `, `report ${report.id}`),
    ),
  );
}

function entryOfBranch(branch) {
  const members = branch.members.length > 0 ? branch.members.join(", ") : "nobody";
  const window_ = branch.window ? ` The exit leads there for ${branch.window}.` : " The exit is closed.";
  const owner = branch.expedition ? ` It belongs to the expedition ${branch.expedition}.` : "";
  const asleep = branch.is_asleep ? " It is asleep." : "";
  const map = branch.is_asleep ? [] : [does("Map", `of branch ${branch.id}`, () => openBranch(branch.id))];
  return make(
    "li",
    {},
    make("p", {}, make("span", { class: "name" }, `Branch ${branch.id}`), `, ${branch.name}, ${branch.theme}. Inside: ${members}.`),
    make("p", { class: "note" }, `${counted(branch.rooms, "room", "rooms")}, depth ${branch.deepest}.${window_} It expires in ${branch.expires} if nothing happens.${owner}${asleep}`),
    make("p", { class: "row" }, ...map, puts("Collapse", `branch collapse ${branch.id}`, `branch ${branch.id}`)),
  );
}

/** Opens the map of a branch. */
async function openBranch(id) {
  close();
  open = id;
  if (await lookAtBranch()) find("branch-title").focus();
}

function close() {
  open = null;
  find("branch").hidden = true;
}

/** Draws the open branch. Returns false if it is gone. */
async function lookAtBranch() {
  const floor = find("branch").hidden ? null : Number(find("floor").value);
  const map = await ask({ floor: { branch: open, floor } });
  if (!map) {
    close();
    return false;
  }
  find("floor").replaceChildren(...map.floors.map((one) => make("option", { value: String(one) }, String(one))));
  find("floor").value = String(map.floor);
  const places = placesOf(map);
  find("branch").hidden = false;
  find("branch-title").textContent = `Branch ${open}`;
  find("branch-map").replaceChildren(drawn(places));
  find("branch-words").textContent = mapInWords(places, map.is_cut);
  return true;
}

function showLoad({ status, history, log }) {
  find("load-note").textContent = stateOf(status);
  find("charts").replaceChildren(...chartsOf(status, history).map(chart));
  const lines = [...log].reverse().map(({ process, at, level, text }) => `${new Date(at * 1000).toISOString()} ${process} ${level} ${text}`);
  list("log", lines.length > 0 ? lines : ["None since the start."], (line) => make("li", {}, line));
}

function chart({ words, points }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 40");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "polyline");
  line.setAttribute("points", points);
  svg.append(line);
  return make("figure", {}, svg, make("figcaption", {}, words));
}

/** Sends the command in the form. */
async function send() {
  const line = find("line").value.trim();
  if (!line) return;
  if ((await run(line)) === true) find("line").value = "";
}

/** Runs a command and shows its answer. Returns true if it was not refused. */
async function run(line) {
  state("Sending.");
  const recover = /^recover\s+(\S+)$/i.exec(line);
  const done = recover ? await code(recover[1]) : await ask({ line: { line } });
  state("");
  if (!done) return false;
  find("told").textContent = done.words || "Done.";
  find("told").classList.toggle("wrong", done.refused);
  look();
  return !done.refused;
}

/** Makes a one-time code for a player; undefined if it is refused. */
async function code(name) {
  const made = await ask({ recover: { name } });
  return made && {
    words: `${made.code}\nThis is the code. It is shown only now, and works once, for an hour: whoever has it types recover ${name} when asked for a name, and chooses another password.`,
    refused: false,
  };
}

/** Searches the audit log. */
async function search() {
  const line = ["audit", find("audit-words").value.trim(), find("audit-page").value || "1"].filter(Boolean).join(" ");
  const done = await ask({ line: { line } });
  if (done) find("audit-told").textContent = done.words;
}
