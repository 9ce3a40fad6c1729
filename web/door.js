// Login form: an introduction, the players online, and forms to log in or register. Players who prefer to type can
// switch to the login prompt.

/** Milliseconds without typing before a name is checked. */
const PAUSE = 300;

/** Password limits, equal to the server's. */
const PASSWORD_CHARS_MIN = 6;
const PASSWORD_BYTES_MAX = 128;

/** Returns the flaw of a new password as a sentence; empty if there is none. */
export function passwordFlaw(name, password) {
  if ([...password].length < PASSWORD_CHARS_MIN) return "At least six characters.";
  if (new TextEncoder().encode(password).length > PASSWORD_BYTES_MAX) return "That is too long: 128 letters at most.";
  if (password.toLowerCase() === name.toLowerCase()) return "Your name is the first thing anybody would try.";
  return "";
}

/** Returns the players online as a sentence. */
export function playersWords(count, names) {
  if (count === 0) return "Nobody is playing just now: the well is yours.";
  const more = count - names.length;
  const listed = more > 0 ? [...names, `${more} more`] : names;
  const last = listed.at(-1);
  const whole = listed.length > 1 ? `${listed.slice(0, -1).join(", ")} and ${last}` : last;
  return `Playing now: ${whole}.`;
}

/** Fields for a new name and password, checked while the player types. */
class NewName {
  #form;
  #send;
  #timer = 0;

  /**
   * @param {HTMLFormElement} form with the fields `username` and `password`, each with a hint below
   * @param {(name: string, body: unknown) => boolean} send sends structured data
   */
  constructor(form, send) {
    this.#form = form;
    this.#send = send;
    form.elements.username.addEventListener("input", () => this.#nameTyped());
    form.elements.password.addEventListener("input", () => this.#passwordTyped());
  }

  /** Clears the fields. */
  reset() {
    window.clearTimeout(this.#timer);
    this.#form.reset();
    this.#hint(this.#form.elements.username, "");
    this.#hint(this.#form.elements.password, "");
  }

  /** Takes the server's answer about a name. */
  checked(body) {
    const { username } = this.#form.elements;
    if (body?.name === username.value.trim()) this.#hint(username, body.flaw ?? "That name is free.", body.flaw !== null);
  }

  #nameTyped() {
    const field = this.#form.elements.username;
    window.clearTimeout(this.#timer);
    this.#hint(field, "");
    const name = field.value.trim();
    if (name.length < 2) return;
    this.#timer = window.setTimeout(() => this.#send("Deepwell.Door.Check", { name }), PAUSE);
  }

  #passwordTyped() {
    const { username, password } = this.#form.elements;
    const flaw = passwordFlaw(username.value.trim(), password.value);
    this.#hint(password, flaw || "That password will do.", flaw !== "");
  }

  /** Shows a hint below a field; the default hint if none is given. */
  #hint(field, words, wrong = false) {
    const hint = document.getElementById(`${field.id}-hint`);
    hint.textContent = words || hint.dataset.usual;
    field.setAttribute("aria-invalid", String(wrong));
  }
}

/** Returns the values of a form, or its first invalid field with the flaw. */
function readForm(form, isNew) {
  const { username, password } = form.elements;
  const name = username.value.trim();
  if (name === "") return { field: username, flaw: "Type a name." };
  const flaw = isNew ? passwordFlaw(name, password.value) : password.value === "" && "Type your password.";
  if (flaw) return { field: password, flaw };
  return { body: { name, password: password.value } };
}

/** Registration of a guest: a button, and a dialog with one form. */
export class Stay {
  #parts;
  #fields;

  /**
   * @param {Record<string, HTMLElement>} parts of the page: `button`, `dialog`, `form`, `told`, `later`
   * @param {(name: string, body: unknown) => boolean} send sends structured data
   */
  constructor(parts, send) {
    this.#parts = parts;
    this.#fields = new NewName(parts.form, send);
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

  /** Sets whether the player is a guest. */
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

/** Login form of the page. */
export class Door {
  #parts;
  #host;
  #fields;
  /** Last request, to send once there is a connection. */
  #waiting = null;

  /**
   * @param {Record<string, HTMLElement>} parts of the page: `door`, `who`, `told`, `back`, `fresh`, `known`, `look`,
   *   `type`
   * @param {{send(name: string, body?: unknown): boolean, connect(): void, takeSeat(name: string): boolean, forget():
   *   void, names(): string[], type(): void}} host `send` returns whether there was a connection
   */
  constructor(parts, host) {
    this.#parts = parts;
    this.#host = host;
    const { fresh, known, look, type } = parts;
    fresh.addEventListener("submit", (event) => this.#submit(event, "Create"));
    known.addEventListener("submit", (event) => this.#submit(event, "Connect"));
    this.#fields = new NewName(fresh, host.send);
    look.addEventListener("click", () => this.#ask(() => host.send("Deepwell.Door.Visit")));
    type.addEventListener("click", () => host.type());
  }

  /** True if the form is shown. */
  get isOpen() {
    return !this.#parts.door.hidden;
  }

  /** Shows the form, with the reason why the player has to log in. */
  open(words = "") {
    this.#parts.door.hidden = false;
    document.body.classList.add("at-door");
    this.#tell(words);
    this.#showNames();
    this.#host.send("Deepwell.Door.Who");
  }

  /** Hides the form and clears its fields. */
  close() {
    this.#waiting = null;
    this.#parts.door.hidden = true;
    document.body.classList.remove("at-door");
    this.#fields.reset();
    this.#parts.known.reset();
  }

  /** Sends the pending request after a reconnect. */
  connected() {
    const ask = this.#waiting;
    this.#waiting = null;
    if (this.isOpen) this.#host.send("Deepwell.Door.Who");
    ask?.();
  }

  /** Takes structured data. Returns true if it was for the login form. */
  receive(name, body) {
    if (name === "Deepwell.Door.Refused") {
      this.#tell(String(body?.message ?? "That did not work."));
    } else if (name === "Deepwell.Door.Queued") {
      this.#tell(String(body?.message ?? ""));
    } else if (name === "Deepwell.Door.Name") {
      this.#fields.checked(body);
    } else if (name === "Deepwell.Door.Players") {
      this.#parts.who.textContent = playersWords(Number(body?.count ?? 0), body?.names ?? []);
    } else return false;
    return true;
  }

  #submit(event, form) {
    event.preventDefault();
    const { body, field, flaw } = readForm(event.target, form === "Create");
    if (!body) {
      this.#tell(flaw);
      field.focus();
      return;
    }
    this.#ask(() => this.#host.send(`Deepwell.Door.${form}`, body));
  }

  /** Sends a request, now or as soon as there is a connection. */
  #ask(ask) {
    this.#tell("");
    if (ask()) return;
    this.#tell("Connecting.");
    this.#waiting = ask;
    this.#host.connect();
  }

  #showNames() {
    const { back } = this.#parts;
    const names = this.#host.names();
    back.hidden = names.length === 0;
    const buttons = names.map((name, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = at === 0 ? "button strong" : "button";
      button.textContent = `Go on as ${name}`;
      button.addEventListener("click", () => this.#ask(() => this.#host.takeSeat(name)));
      return button;
    });
    const forget = document.createElement("button");
    forget.type = "button";
    forget.className = "button";
    forget.textContent = "Forget me here";
    forget.addEventListener("click", () => {
      this.#host.forget();
      this.#showNames();
      this.#parts.known.elements.username.focus();
    });
    back.replaceChildren(...buttons, forget);
  }

  #tell(words) {
    this.#parts.told.textContent = words;
  }
}
