// Definitions of a kind on the builder page, such as dialogues: a section with the list, and a form for one. Each change is
// the line that would be typed in the game. A refusal is shown at its field, and what was written stays.

import { passing } from "../store.js";
import { mistakeOfKey } from "./fields.js";
import { Form, make } from "./form.js";

/** Depth of a tree below which lists are indented no further. */
const DEPTH_MAX = 12;

/** Returns the section of a kind. */
function section({ kind, prefix, title, about }) {
  const part = (name, of, attributes = {}, ...children) => make(name, { id: `${prefix}${of}`, ...attributes }, ...children);
  const button = (of, words, strong = "") => part("button", of, { type: "button", class: `button${strong}` }, words);
  const label = (of, words) => make("label", { for: `${prefix}${of}` }, words);
  const input = (of, more = {}) => part("input", of, { maxlength: "40", spellcheck: "false", autocapitalize: "none", ...more });
  return make(
    "section", { class: "card scripts", "aria-labelledby": `${prefix}head` },
    part("h2", "head", {}, title),
    make("p", { class: "note" }, `${about} Made in the game:`),
    part("p", "none", { class: "note" }, "None."),
    part("ul", "made", { class: "plain" }),
    part("p", "more", { class: "note" }),
    make("details", {}, make("summary", {}, `${title} of the server`), part("ul", "others", { class: "plain" })),
    part(
      "form", "new", { class: "row", autocomplete: "off", hidden: true },
      label("key", `Key of a new ${kind}`), input("key", { "aria-describedby": `${prefix}wrong` }),
      label("like", "Like which one, if any"), input("like"),
      make("button", { type: "submit", class: "button" }, `Make the ${kind}`),
      part("p", "wrong", { class: "wrong", role: "status" }),
    ),
    part(
      "div", "one", { hidden: true },
      part("h3", "title", { tabindex: "-1" }),
      part("p", "note", { class: "note" }),
      part("div", "lost", { class: "lost", role: "group", "aria-label": `Written for parts of the ${kind} that are gone`, hidden: true }),
      part("ul", "tree", { class: "tree", "aria-label": `The ${kind} as a tree`, hidden: true }),
      part("form", "fields", { class: "fields", autocomplete: "off" }),
      part("p", "bar", { class: "row save" }, button("save", `Save the ${kind}`, " strong"), " ", button("drop", `Drop changes of the ${kind}`)),
      part("div", "adding", { class: "adding" }),
    ),
  );
}

/** The definitions of one kind. */
export class Definitions {
  #shape;
  /** Fields that a definition of the kind may have, from the game. */
  #known = [];
  #ask;
  #tell;
  #form;
  #saving = false;

  /**
   * @param {{kind: string, prefix: string, title: string, about: string, groupsOf: Function, treeOf?: Function,
   *   additions: object[]}} shape kind of the definitions, heading and text of the section, and the shape of the form
   * @param {(request: object) => Promise<any>} ask sends a request; its result is undefined if it failed
   * @param {{typed(lines: string[]): Promise<{words: string, refused: boolean}[] | undefined>, state(words: string): void,
   *   alarm(words: string): void, certain(words: string, line: string): Promise<boolean>, changed(): void,
   *   shown?(definition: object): void}} tell callbacks of the page; `changed`: there is a definition more, or less
   */
  constructor(shape, ask, tell) {
    this.#shape = shape;
    this.#ask = ask;
    this.#tell = tell;
    document.getElementById("definitions").append(section(shape));
    this.#form = new Form(
      { fields: this.#part("fields"), adding: this.#part("adding"), lost: this.#part("lost") },
      { written: () => this.#written(), line: (line, sure, done) => this.#single(line, sure, done) },
      shape,
    );
    this.#part("save").addEventListener("click", () => this.#save());
    this.#part("drop").addEventListener("click", () => this.#form.drop());
    this.#part("new").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#make();
    });
  }

  #part(name) {
    return document.getElementById(`${this.#shape.prefix}${name}`);
  }

  /** Shows the list, and continues with edits that were unsaved before the page was loaded again. */
  async show() {
    const { kind } = this.#shape;
    const told = await this.#ask({ definitions: { kind } });
    if (!told) return;
    this.#known = told.fields;
    this.#part("new").hidden = !told.may;
    const rows = (made) => told.list.filter((one) => one.made === made).map((one) => this.#row(one.key));
    this.#part("made").replaceChildren(...rows(true));
    this.#part("others").replaceChildren(...rows(false));
    this.#part("none").hidden = told.list.some((one) => one.made);
    this.#part("more").textContent = told.more > 0 ? `${told.more} more are not shown.` : "";
    const kept = passing.get(kind, null);
    if (kept && !this.#form.subject) await this.open(kept.key, kept.edits);
  }

  /** Forgets the open definition and what was written. */
  close() {
    this.#form.close();
    passing.set(this.#shape.kind, null);
    this.#part("one").hidden = true;
  }

  /** Opens a definition, with earlier unsaved edits of it. */
  async open(key, edits = null) {
    const { kind } = this.#shape;
    if (this.#form.kept.length > 0) {
      this.#tell.alarm(`The ${kind} ${this.#form.subject.key} has changes that are not saved. Save them or drop them first.`);
      return;
    }
    const told = await this.#asked(key);
    if (!told) return;
    this.#part("one").hidden = false;
    this.#part("title").textContent = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${told.key}`;
    this.#part("note").textContent = told.may ? "" : "You may look at it only: it belongs to somebody else or to the server.";
    this.#part("bar").hidden = !told.may;
    this.#form.open(told, {}, edits ?? []);
    this.#draw(told);
    this.#tell.shown?.(told);
    this.#written();
    if (edits === null) this.#part("title").focus();
  }

  /** Returns the present state of a definition. */
  async #asked(key) {
    const told = await this.#ask({ definition: { kind: this.#shape.kind, key } });
    return told && { ...told, known: this.#known };
  }

  /** Updates the open definition to its current state. */
  async refresh() {
    const { subject } = this.#form;
    if (!subject || this.#saving) return;
    const now = await this.#asked(subject.key);
    if (now && this.#form.subject === subject) this.#update(now);
  }

  #update(now) {
    const isNew = JSON.stringify(now) !== JSON.stringify(this.#form.subject);
    const active = document.activeElement;
    this.#form.refresh(now, {});
    if (isNew) this.#draw(now);
    if (isNew) this.#tell.shown?.(now);
    // The button that was pressed may be gone with what it removed.
    if (active !== document.body && document.activeElement === document.body) this.#part("title").focus();
    this.#written();
    return isNew;
  }

  /** Draws the tree of a definition that is one. */
  #draw(definition) {
    const rows = this.#shape.treeOf?.(definition) ?? [];
    const tree = this.#part("tree");
    tree.hidden = rows.length === 0;
    tree.replaceChildren();
    const lists = [tree];
    for (const { words, depth, field } of rows) {
      lists.length = Math.min(lists.length, depth + 1);
      if (lists.length === depth) {
        const list = make("ul", { class: depth > DEPTH_MAX ? "flat" : null });
        lists.at(-1).lastElementChild.append(list);
        lists.push(list);
      }
      const button = make("button", { type: "button", class: "link" }, words);
      button.addEventListener("click", () => this.#form.focus(field));
      lists.at(-1).append(make("li", {}, field ? button : words));
    }
  }

  #row(key) {
    const button = make("button", { type: "button", class: "link" }, key);
    button.addEventListener("click", () => this.open(key));
    return make("li", {}, button);
  }

  #written() {
    const { kept, subject } = this.#form;
    for (const name of ["save", "drop"]) this.#part(name).setAttribute("aria-disabled", String(kept.length === 0));
    passing.set(this.#shape.kind, subject && kept.length > 0 ? { key: subject.key, edits: kept } : null);
  }

  async #make() {
    const { kind } = this.#shape;
    const input = this.#part("key");
    const wrong = this.#part("wrong");
    const key = input.value.trim();
    const like = this.#part("like").value.trim();
    const mistake = mistakeOfKey(key);
    const line = `make ${kind} ${key}${like && ` like ${like}`}`;
    const told = mistake ? { refused: true, words: mistake } : (await this.#tell.typed([line]))?.[0];
    if (!told) return;
    wrong.textContent = told.refused ? told.words : "";
    input.setAttribute("aria-invalid", String(told.refused));
    if (told.refused) return;
    for (const part of ["key", "like"]) this.#part(part).value = "";
    this.#tell.state(`There is a ${kind} ${key} now.`);
    this.#tell.changed();
    await this.show();
    await this.open(key);
  }

  /** Sends one line immediately. Returns its refusal, if it was refused. */
  async #single(line, sure, done = () => {}) {
    if (sure && !(await this.#tell.certain(sure, line))) return "";
    this.#saving = true;
    const told = (await this.#tell.typed([line]))?.[0];
    this.#saving = false;
    if (!told) return "";
    if (!told.refused) done();
    this.#tell.state(told.refused ? "Not saved." : told.words);
    this.#tell.alarm(told.refused ? told.words : "");
    if (sure && !told.refused) {
      this.close();
      this.#tell.changed();
      await this.show();
      return "";
    }
    await this.refresh();
    return told.refused ? told.words : "";
  }

  async #save() {
    const form = this.#form;
    const lines = form.lines();
    if (lines.length === 0 || this.#saving) return;
    const mistakes = form.mistakes();
    if (mistakes.size > 0) {
      form.judge(mistakes);
      form.focus([...mistakes.keys()][0]);
      this.#tell.state("Not saved.");
      return;
    }
    this.#saving = true;
    this.#tell.state("Saving.");
    const told = await this.#send(lines);
    this.#saving = false;
    if (!told) {
      this.#tell.state("Not saved.");
      return;
    }
    const open = form.saved(lines, told);
    await this.refresh();
    const wrong = form.refused(lines, told);
    if (wrong) form.focus(wrong);
    this.#tell.state(open ? "Not everything was saved." : "Saved.");
  }

  /** Sends lines, unless the definition has been changed since it was shown. */
  async #send(lines) {
    const { kind } = this.#shape;
    const now = await this.#asked(this.#form.subject.key);
    if (!now) return undefined;
    if (this.#update(now)) {
      this.#tell.alarm(`Somebody has changed this ${kind} since it was shown. Nothing was saved. Look at it, and save again.`);
      return undefined;
    }
    return this.#tell.typed(lines.map(({ line }) => line));
  }
}
