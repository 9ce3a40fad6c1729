// Definitions of a kind on the builder page, such as dialogues: a panel with the list, and a form for one. Variables and drafts,
// which are parts of zones, have the same panel. Each change is the line that would be typed in the game. A refusal is shown
// at its field, and what was written stays.

import { passing } from "../store.js";
import { mistakeOfKey } from "./fields.js";
import { Form, make } from "./form.js";

/** Depth of a tree below which lists are indented no further. */
const DEPTH_MAX = 12;

/** How a definition is made, where its shape says nothing else. */
const freshOf = ({ kind, fresh }) => fresh ?? {
  key: `Key of a new ${kind}`, second: "Like which one, if any", line: (key, like) => `make ${kind} ${key}${like && ` like ${like}`}`,
};

/** Returns the panel of a kind. */
function section(shape) {
  const { kind, prefix, title, about, isPart } = shape;
  const { key, second, choices } = freshOf(shape);
  const part = (name, of, attributes = {}, ...children) => make(name, { id: `${prefix}${of}`, ...attributes }, ...children);
  const button = (of, words, strong = "") => part("button", of, { type: "button", class: `button${strong}` }, words);
  const label = (of, words) => make("label", { for: `${prefix}${of}` }, words);
  const input = (of, more = {}) => part("input", of, { maxlength: "40", spellcheck: "false", autocapitalize: "none", ...more });
  return make(
    "section", { class: "card", id: `${prefix}panel`, "data-tab": title },
    part("h2", "head", { tabindex: "-1" }, title),
    make("p", { class: "note" }, isPart ? about : `${about} Made in the game:`),
    part("p", "none", { class: "note" }, "None."),
    part("ul", "made", { class: "plain" }),
    part("p", "more", { class: "note" }),
    part("details", "server", { hidden: true }, make("summary", {}, `${title} of the server`), part("ul", "others", { class: "plain" })),
    part(
      "form", "new", { class: "row", autocomplete: "off", hidden: true },
      label("key", key), input("key", { "aria-describedby": `${prefix}wrong` }),
      ...(second ? [label("like", second), choices ? part("select", "like") : input("like")] : []),
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
      part("pre", "told", { class: "told", role: "region", tabindex: "0", "aria-label": `What the game says about the ${kind}`, hidden: true }),
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
  /** Zone of the parts that are shown; empty for definitions, which belong to none. */
  #zone = "";

  /**
   * @param {{kind: string, prefix: string, title: string, about: string, isPart?: boolean, isOfZone?: boolean,
   *   groupsOf: Function, treeOf?: Function, fresh?: object, additions: object[]}} shape kind of the definitions or parts;
   *   parts of the zone shown are others in each zone; heading and text of the panel, how one is made, and the shape of the
   *   form
   * @param {(request: object) => Promise<any>} ask sends a request; its result is undefined if it failed
   * @param {{typed(lines: string[]): Promise<{words: string, refused: boolean}[] | undefined>, state(words: string): void,
   *   alarm(words: string): void, certain(sure: object, line: string): Promise<boolean>, changed(): Promise<void>,
   *   zone(): string, enter(zone: string): Promise<void>, shown?(definition: object): void}} tell callbacks of the page;
   *   `changed`: there is a definition more, or less; `enter`: the builder edits a draft or a zone from now on
   */
  constructor(shape, ask, tell) {
    this.#shape = shape;
    this.#ask = ask;
    this.#tell = tell;
    document.getElementById("definitions").append(section(shape));
    this.#form = new Form(
      { fields: this.#part("fields"), adding: this.#part("adding"), lost: this.#part("lost") },
      { written: () => this.#written(), enter: tell.enter, line: (line, sure, done) => this.#single(line, sure, done) },
      shape,
    );
    this.#part("save").addEventListener("click", () => this.#save());
    this.#part("drop").addEventListener("click", () => this.#form.drop());
    this.#part("new").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#make();
    });
  }

  /** Id of the panel. */
  get id() {
    return `${this.#shape.prefix}panel`;
  }

  #part(name) {
    return document.getElementById(`${this.#shape.prefix}${name}`);
  }

  /** Sends a request about all, or about one by its key. */
  #request(key = undefined) {
    const { kind, isPart } = this.#shape;
    const what = `${isPart ? "part" : "definition"}${key === undefined ? "s" : ""}`;
    return this.#ask({ [what]: { kind, key } });
  }

  /** Shows the list, and continues with edits that were unsaved before the page was loaded again, or the zone changed. */
  async show() {
    if (this.#shape.isOfZone && this.#zone !== this.#tell.zone()) {
      this.#zone = this.#tell.zone();
      this.#shut();
    }
    const told = await this.#request();
    if (!told) return;
    this.#known = told.fields;
    this.#part("new").hidden = !told.may;
    const words = freshOf(this.#shape).choices?.(told.fields) ?? [];
    const { options } = this.#part("like") ?? {};
    if (options?.length === 0) this.#part("like").append(...words.map((word) => make("option", {}, word)));
    const rows = (made) => told.list.filter((one) => one.made === made).map((one) => this.#row(one));
    this.#part("made").replaceChildren(...rows(true));
    this.#part("others").replaceChildren(...rows(false));
    this.#part("server").hidden = told.list.every((one) => one.made);
    this.#part("none").hidden = told.list.some((one) => one.made);
    this.#part("more").textContent = told.more > 0 ? `${told.more} more are not shown.` : "";
    const kept = passing.get(this.#shape.kind, null)?.[this.#zone];
    if (kept && !this.#form.subject) await this.open(kept.key, kept.edits);
    else await this.refresh();
  }

  #keep(edits) {
    const { kind } = this.#shape;
    passing.set(kind, { ...passing.get(kind, {}), [this.#zone]: edits });
  }

  /** Forgets the open definition and what was written. */
  close() {
    passing.set(this.#shape.kind, {});
    this.#shut();
  }

  #shut() {
    this.#form.close();
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
    this.#part("bar").hidden = !told.may || this.#known.length === 0;
    this.#answer("");
    this.#form.open(told, {}, edits ?? []);
    this.#draw(told);
    this.#tell.shown?.(told);
    this.#written();
    if (edits === null) this.#part("title").focus();
  }

  /** Returns the present state of a definition. */
  async #asked(key) {
    const told = await this.#request(key);
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

  #row({ key, words = "" }) {
    const button = make("button", { type: "button", class: "link" }, key);
    button.addEventListener("click", () => this.open(key));
    return make("li", {}, button, words && `: ${words}`);
  }

  /** Shows what the game says about the open definition. */
  #answer(words) {
    this.#part("told").textContent = words;
    this.#part("told").hidden = words === "";
  }

  #written() {
    const { kept, subject } = this.#form;
    for (const name of ["save", "drop"]) this.#part(name).setAttribute("aria-disabled", String(kept.length === 0));
    this.#keep(subject && kept.length > 0 ? { key: subject.key, edits: kept } : undefined);
  }

  async #make() {
    const { kind } = this.#shape;
    const input = this.#part("key");
    const wrong = this.#part("wrong");
    const key = input.value.trim();
    const second = this.#part("like");
    const mistake = mistakeOfKey(key);
    const line = freshOf(this.#shape).line(key, second?.value.trim());
    const told = mistake ? { refused: true, words: mistake } : (await this.#tell.typed([line]))?.[0];
    if (!told) return;
    wrong.textContent = told.refused ? told.words : "";
    input.setAttribute("aria-invalid", String(told.refused));
    if (told.refused) return;
    this.#part("new").reset();
    await this.#tell.changed();
    await this.show();
    await this.open(key);
    if (freshOf(this.#shape).isEntered) await this.#tell.enter(this.#form.subject.key);
    this.#tell.state(`There is a ${kind} ${key} now.`);
  }

  /** Sends one line immediately. Returns its refusal, if it was refused. */
  async #single(line, sure, done = () => {}) {
    if (sure && !(await this.#tell.certain(sure, line))) return "";
    this.#saving = true;
    const told = (await this.#tell.typed([line]))?.[0];
    this.#saving = false;
    if (!told) return "";
    if (!told.refused) done();
    this.#tell.state(told.refused ? "Not saved." : told.words.split("\n")[0]);
    this.#tell.alarm(told.refused ? told.words : "");
    if (this.#shape.isPart) this.#answer(told.words);
    if (sure && !told.refused) {
      this.#keep(undefined);
      this.#shut();
      await this.#tell.changed();
      await this.show();
      if (document.activeElement === document.body) this.#part("head").focus();
      return "";
    }
    await this.show();
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
    await this.show();
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
