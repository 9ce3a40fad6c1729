// Login of the builder page and of the staff page: makes the form, logs in and out, and shows either the form or the
// work of the page.

import { make } from "./form.js";
import { alarm, careful, state } from "./shell.js";

const find = (id) => document.getElementById(id);

/** Login form of a page, and the session that it opens. */
export class Login {
  #connection;
  #page;
  #name = make("input", {
    id: "name", name: "username", autocomplete: "username", autocapitalize: "words", spellcheck: "false", maxlength: "40",
  });
  #password = make("input", { id: "password", type: "password", name: "password", autocomplete: "current-password" });

  /**
   * @param {import("./connection.js").Connection} connection
   * @param {{title: string, first: unknown, admit(told: object): void | Promise<void>, left(): void}} page title of the
   *   form, first request of the page, and its callbacks for the answer and for a logout
   */
  constructor(connection, page) {
    this.#connection = connection;
    this.#page = page;
    /** Runs a request and shows its error; shows the form once the login has ended. */
    this.carefully = careful(connection, (words) => this.open(words));
    find("door").append(...this.#parts());
    find("leave").addEventListener("click", () => this.#leave());
  }

  #parts() {
    const form = make(
      "form",
      {},
      make("label", { for: "name" }, "Name"),
      this.#name,
      make("label", { for: "password" }, "Password"),
      this.#password,
      make("button", { type: "submit", class: "button strong" }, "Log in"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#enter();
    });
    const words = "Log in with the name and the password that you play with. Your character stays where it is, and may play on meanwhile.";
    const title = make("h2", { id: "door-title" }, this.#page.title);
    return [title, make("p", {}, words), form, make("p", {}, make("a", { href: "../" }, "To the game"))];
  }

  /** Resumes the login of this tab, or shows the form. */
  async start() {
    if (!this.#connection.known) return this.open("");
    const told = await this.carefully(() => this.#connection.ask(this.#page.first));
    if (told) await this.#page.admit(told);
    else if (find("door").hidden) this.open(find("alarm").textContent);
  }

  /** Shows the form, with a message. Unsaved edits are kept. */
  open(words) {
    this.#show(false, "");
    this.#name.value ||= this.#connection.name;
    alarm(words);
    (this.#name.value ? this.#password : this.#name).focus();
  }

  /** Shows the work of the page. */
  close(name) {
    this.#show(true, name);
  }

  #show(isIn, name) {
    find("door").hidden = isIn;
    find("work").hidden = !isIn;
    find("leave").hidden = !isIn;
    find("who").textContent = name;
  }

  async #enter() {
    const [name, password] = [this.#name.value.trim(), this.#password.value];
    this.#password.value = "";
    if (!name || !password) {
      alarm("Type your name and your password.");
      return;
    }
    alarm("");
    state("Logging in.");
    const told = await this.carefully(() => this.#connection.enter(name, password));
    state("");
    if (told) await this.#page.admit(told);
  }

  async #leave() {
    this.#page.left();
    await this.carefully(() => this.#connection.leave());
    this.open("");
    state("You are logged out.");
  }
}
