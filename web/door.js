// Login form: an introduction, the players online, and one form to play as a guest, log in or create a character. Players
// who prefer to type can switch to the login prompt.

import { drawBranch } from "./branch.js";

const PAUSE = 300;

/** Milliseconds without an answer after which a request may be sent again. */
const ANSWER_MAX = 5000;

/** Password limits, equal to the server's. */
const PASSWORD_CHARS_MIN = 6;
const PASSWORD_BYTES_MAX = 128;

const FORGOTTEN = "Forgotten? Choose Text only, then type recover and your name.";

/** Uses of the login form: the label of its button, which sends the message of this name. */
const MODES = { Visit: "Play as a guest", Connect: "Log in", Create: "Create a character" };

const NUMBERS = ["", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

export function passwordFlaw(name, password) {
  if ([...password].length < PASSWORD_CHARS_MIN) return "At least six characters.";
  if (new TextEncoder().encode(password).length > PASSWORD_BYTES_MAX) return "That is too long: 128 letters at most.";
  if (password.toLowerCase() === name.toLowerCase()) return "Your name is the first thing anybody would try.";
  return "";
}

export function playersWords(count, names) {
  if (count === 0) return "Nobody is playing just now: the well is yours.";
  const more = count - names.length;
  const listed = more > 0 ? [...names, `${more} more`] : names;
  const last = listed.at(-1);
  const whole = listed.length > 1 ? `${listed.slice(0, -1).join(", ")} and ${last}` : last;
  return `${NUMBERS[count] ?? count} ${count === 1 ? "plays" : "play"} now: ${whole}.`;
}

/** Fields for a name and a password, checked while the player types. */
class Credentials {
  #form;
  #send;
  #timer = 0;
  #usual;
  /** Whether a character is created, whose password is checked. */
  isNew = true;

  /**
   * @param {HTMLFormElement} form with the fields `username` and `password`, each with a hint below
   * @param {(name: string, body: unknown) => boolean} send sends structured data
   */
  constructor(form, send) {
    this.#form = form;
    this.#send = send;
    this.#usual = this.#hintOf(form.elements.username).textContent;
    form.elements.username.addEventListener("input", () => this.#nameTyped());
    form.elements.password.addEventListener("input", () => this.checkPassword());
  }

  reset() {
    window.clearTimeout(this.#timer);
    this.#form.reset();
    this.#hint(this.#form.elements.username, "");
    this.checkPassword();
  }

  /** Takes the server's answer about a name. Returns false if it is about another name than the one in the field. */
  checked(body) {
    const { username } = this.#form.elements;
    if (body?.name !== username.value.trim()) return false;
    this.#hint(username, body.flaw ?? "That name is free.", body.flaw !== null);
    return true;
  }

  known() {
    this.#hint(this.#form.elements.username, "Log in with your password.");
  }

  #nameTyped() {
    const field = this.#form.elements.username;
    window.clearTimeout(this.#timer);
    this.#hint(field, "");
    const name = field.value.trim();
    if (name.length < 2) return;
    this.#timer = window.setTimeout(() => this.#send("Deepwell.Door.Check", { name }), PAUSE);
  }

  checkPassword() {
    const { username, password } = this.#form.elements;
    const flaw = this.isNew && password.value !== "" ? passwordFlaw(username.value.trim(), password.value) : "";
    const words = password.value === "" ? "At least six characters." : "That password will do.";
    this.#hint(password, flaw || (this.isNew ? words : FORGOTTEN), flaw !== "");
  }

  #hintOf(field) {
    return document.getElementById(`${field.id}-hint`);
  }

  #hint(field, words, wrong = false) {
    this.#hintOf(field).textContent = words || this.#usual;
    field.setAttribute("aria-invalid", String(wrong));
  }
}

/** Returns the data of a file of the server; an empty object if it cannot be read. */
const read = (file) => fetch(file).then((answer) => answer.json()).catch(() => ({}));

function readForm(form, isNew) {
  const { username, password } = form.elements;
  const name = username.value.trim();
  if (name === "") return { field: username, flaw: "Type a name." };
  const flaw = isNew ? passwordFlaw(name, password.value) : password.value === "" && "Type your password.";
  if (flaw) return { field: password, flaw };
  return { body: { name, password: password.value } };
}

export class Stay {
  #parts;
  #fields;

  /**
   * @param {Record<string, HTMLElement>} parts of the page: `button`, `dialog`, `form`, `told`, `later`
   * @param {(name: string, body: unknown) => boolean} send sends structured data
   */
  constructor(parts, send) {
    this.#parts = parts;
    this.#fields = new Credentials(parts.form, send);
    parts.button.addEventListener("click", () => parts.dialog.showModal());
    parts.later.addEventListener("click", () => parts.dialog.close());
    parts.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { body, field, flaw } = readForm(parts.form, true);
      parts.told.textContent = flaw ?? "";
      if (body) send("Deepwell.Door.Join", body);
      else field.focus();
    });
  }

  set guest(guest) {
    this.#parts.button.hidden = !guest;
    if (guest) return;
    this.#parts.dialog.close();
    this.#fields.reset();
  }

  /** Takes structured data. Returns true if it was for the registration of a guest. */
  receive(name, body) {
    if (name === "Deepwell.Door.Guest") this.guest = body?.guest === true;
    else if (!this.#parts.dialog.open) return false;
    else if (name === "Deepwell.Door.Refused") this.#parts.told.textContent = String(body?.message ?? "");
    else if (name === "Deepwell.Door.Queued") this.#parts.told.textContent = String(body?.message ?? "");
    else if (name === "Deepwell.Door.Name") this.#fields.checked(body);
    else return false;
    return true;
  }
}

export class Door {
  #parts;
  #host;
  #fields;
  /** Last request, to send once there is a connection. */
  #waiting = null;
  /** Time at which a request without an answer was sent; `-Infinity` if there is none. */
  #askedAt = -Infinity;
  /** Name of the character that this tab has played until another connection took it; empty if there is none. */
  #displaced = "";

  #players = "";
  /** Sentence about the record of the week; null until it is known whether there is one. */
  #deepest = null;
  /** Promise of the map and the record of the week, which are requested once. */
  #game = null;
  /** Use of the form, and the use that the player has chosen for a name that is not known yet. */
  #mode = "Visit";
  #wish = "Visit";

  /**
   * @param {Record<string, HTMLElement>} parts of the page: `door`, `who`, `told`, `back`, `form`, `secret`,
   *   `type`, `branch`
   * @param {{send(name: string, body?: unknown): boolean, connect(): void, takeSeat(name: string): boolean, forget():
   *   void, names(): string[], type(): void}} host `send` returns whether there was a connection
   */
  constructor(parts, host) {
    this.#parts = parts;
    this.#host = host;
    const { door, form, type } = parts;
    this.#fields = new Credentials(form, host.send);
    form.addEventListener("submit", (event) => this.#submit(event));
    form.elements.username.addEventListener("input", () => {
      if (form.elements.username.value.trim() === "") this.#choose(this.#wish);
      else if (this.#mode === "Visit") this.#choose("Connect");
    });
    for (const other of door.querySelectorAll("[data-mode]")) other.addEventListener("click", () => this.#press(other.dataset.mode));
    type.addEventListener("click", () => host.type());
    this.#choose("Visit");
  }

  get isOpen() {
    return !this.#parts.door.hidden;
  }

  /** Shows the form, with the reason why the player has to log in, and the character that is now played elsewhere. */
  open(words = "", displaced = "") {
    this.#displaced = displaced;
    this.#parts.door.hidden = false;
    document.body.classList.add("at-door");
    this.#askedAt = -Infinity;
    this.#tell(words);
    this.#showNames();
    this.#host.send("Deepwell.Door.Who");
    this.#game ??= this.#showGame();
  }

  close() {
    this.#waiting = null;
    this.#parts.door.hidden = true;
    document.body.classList.remove("at-door");
    this.#wish = "Visit";
    this.#choose("Visit");
    this.#fields.reset();
  }

  connected() {
    const ask = this.#waiting;
    this.#waiting = null;
    this.#askedAt = -Infinity;
    if (this.isOpen) this.#host.send("Deepwell.Door.Who");
    if (ask) this.#ask(ask);
  }

  /** Takes structured data. Returns true if it was for the login form. */
  receive(name, body) {
    if (name === "Deepwell.Door.Refused") {
      this.#askedAt = -Infinity;
      this.#tell(String(body?.message ?? "That did not work."));
    } else if (name === "Deepwell.Door.Queued") {
      this.#tell(String(body?.message ?? ""));
    } else if (name === "Deepwell.Door.Name") {
      if (this.#fields.checked(body)) this.#choose(body.flaw === null ? "Create" : "Connect");
      // The message has no code for the kind of flaw.
      if (/taken/.test(body?.flaw)) this.#fields.known();
    } else if (name === "Deepwell.Door.Players") {
      this.#players = playersWords(Number(body?.count ?? 0), body?.names ?? []);
      this.#showWho();
    } else return false;
    return true;
  }

  /** Changes the use of the form: its fields, its button, and the buttons of the other uses. */
  #choose(mode) {
    this.#mode = mode;
    const { door, form, secret } = this.#parts;
    secret.hidden = mode === "Visit";
    form.querySelector("[type=submit]").textContent = MODES[mode];
    for (const other of door.querySelectorAll("[data-mode]")) other.hidden = other.dataset.mode === mode;
    this.#fields.isNew = mode === "Create";
    form.elements.password.autocomplete = this.#fields.isNew ? "new-password" : "current-password";
    this.#fields.checkPassword();
  }

  #press(mode) {
    if (mode === "Visit") {
      this.#ask(() => this.#host.send("Deepwell.Door.Visit"));
      return;
    }
    const { form } = this.#parts;
    this.#wish = mode;
    this.#choose(mode);
    if (readForm(form, mode === "Create").body) form.requestSubmit();
    else form.elements.username.focus();
  }

  #submit(event) {
    event.preventDefault();
    const mode = this.#mode;
    const { body, field, flaw } = mode === "Visit" ? {} : readForm(event.target, mode === "Create");
    if (flaw) {
      this.#tell(flaw);
      field.focus();
      return;
    }
    this.#ask(() => this.#host.send(`Deepwell.Door.${mode}`, body));
  }

  async #showGame() {
    const branch = await read("branch.json");
    if (branch.rooms) drawBranch(this.#parts.branch, branch);
    const { week } = await read("status.json");
    this.#deepest = week ? `Deepest this week: ${week.name}, depth ${week.depth}. ` : "";
    this.#showWho();
  }

  #showWho() {
    if (this.#players && this.#deepest !== null) this.#parts.who.textContent = this.#deepest + this.#players;
  }

  /** Sends a request, now or as soon as there is a connection. A press while one is unanswered does nothing. */
  #ask(ask) {
    const now = performance.now();
    if (now - this.#askedAt < ANSWER_MAX) return;
    this.#tell("");
    if (ask()) {
      this.#askedAt = now;
      return;
    }
    this.#tell("Connecting.");
    this.#waiting = ask;
    this.#host.connect();
  }

  #goOn(name) {
    if (this.#host.names().includes(name)) {
      this.#ask(() => this.#host.takeSeat(name));
      return;
    }
    // Another tab has logged out.
    this.#showNames();
    this.#tell("Type your password.");
  }

  #showNames() {
    const { back } = this.#parts;
    const here = (name) => name === this.#displaced;
    const names = this.#host.names().sort((one, other) => here(other) - here(one));
    back.hidden = names.length === 0;
    const buttons = names.map((name, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = at === 0 ? "button strong" : "button";
      button.textContent = here(name) ? "Play here" : `Continue as ${name}`;
      button.addEventListener("click", () => this.#goOn(name));
      return button;
    });
    const forget = document.createElement("button");
    forget.type = "button";
    forget.className = "button";
    forget.textContent = "Delete saved logins";
    forget.addEventListener("click", () => {
      this.#host.forget();
      this.#showNames();
      this.#parts.form.elements.username.focus();
    });
    back.replaceChildren(...buttons, forget);
  }

  #tell(words) {
    this.#parts.told.textContent = words;
  }
}
