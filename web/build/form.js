// Form of a room: draws its fields, stores unsaved edits, and shows beside each field its errors and changes by other
// builders. Edits are only removed by saving or discarding them.

import { ADDITIONS, groupsOf } from "./fields.js";

/** Creates an element. Texts are never interpreted as markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Fields of the open room. */
export class Form {
  #parts;
  #tell;
  #room = null;
  #map = { rooms: [] };
  #fields = new Map();
  /** By field key: the edited value, and the value when the edit began. */
  #written = new Map();
  #wrong = new Map();
  /** Forms that add something, by title; they keep their state when the room changes. */
  #additions = new Map();

  /**
   * @param {{fields: HTMLElement, adding: HTMLElement, lost: HTMLElement}} parts
   * @param {{written(): void, line(line: string, sure: string | null): void}} tell callbacks of the form
   */
  constructor(parts, tell) {
    this.#parts = parts;
    this.#tell = tell;
    parts.fields.addEventListener("submit", (event) => event.preventDefault());
  }

  get room() {
    return this.#room;
  }

  /** Unsaved edits, to be stored across a reload. */
  get kept() {
    return [...this.#written];
  }

  /** Opens another room, with earlier unsaved edits of it. */
  open(room, map, kept = []) {
    this.#written = new Map(kept);
    this.#wrong.clear();
    this.#additions.clear();
    this.#parts.adding.replaceChildren();
    this.#show(room, map);
    this.#addForms();
  }

  /** Updates the open room to its current state. */
  refresh(room, map) {
    this.#show(room, map);
    for (const select of this.#parts.adding.querySelectorAll("select")) this.#fillRooms(select);
  }

  /** Closes the room. */
  close() {
    this.#room = null;
    this.#fields.clear();
    this.#written.clear();
    for (const part of Object.values(this.#parts)) part.replaceChildren();
    this.#parts.lost.hidden = true;
  }

  /** Discards all edits. */
  drop() {
    this.#written.clear();
    this.#wrong.clear();
    this.#show(this.#room, this.#map);
    this.#tell.written();
  }

  /** Returns the lines of all edits, each with the key of its field, in an order in which they can be executed. */
  lines() {
    const changed = [...this.#fields.values()].filter((field) => this.#written.has(field.key));
    const order = [...changed.filter((field) => !field.last), ...changed.filter((field) => field.last)];
    return order.flatMap((field) => field.lines(this.#written.get(field.key).value).map((line) => ({ key: field.key, line })));
  }

  /** Removes the edits of the given fields after their lines were executed. */
  saved(keys) {
    for (const key of keys) {
      this.#written.delete(key);
      this.#wrong.delete(key);
    }
  }

  /** Sets the errors by field key; all other fields have none. */
  judge(wrong) {
    this.#wrong = wrong;
    for (const field of this.#fields.values()) this.#mark(field);
  }

  #show(room, map) {
    const focus = this.#focus();
    [this.#room, this.#map] = [room, map];
    this.#fields.clear();
    const groups = groupsOf(room, map);
    for (const field of groups.flatMap((group) => group.fields)) this.#fields.set(field.key, field);
    for (const [key, written] of this.#written) {
      // Another builder has made the same change.
      if (this.#fields.get(key)?.value === written.value) this.#written.delete(key);
    }
    this.#parts.fields.replaceChildren(...groups.map((group) => this.#group(group)));
    this.#showLost();
    this.#focusAgain(focus);
  }

  #focus() {
    const at = document.activeElement;
    if (!at?.id?.startsWith("field-")) return null;
    return { id: at.id, from: at.selectionStart ?? null, to: at.selectionEnd ?? null };
  }

  #focusAgain(focus) {
    const element = focus && document.getElementById(focus.id);
    if (!element) return;
    element.focus({ preventScroll: true });
    if (focus.from !== null && element.setSelectionRange) element.setSelectionRange(focus.from, focus.to);
  }

  /** Shows edits of fields that no longer exist. */
  #showLost() {
    const lost = [...this.#written].filter(([key]) => !this.#fields.has(key));
    const { lost: place } = this.#parts;
    place.hidden = lost.length === 0;
    place.replaceChildren(...lost.map(([key, written]) => {
      const away = make("button", { type: "button", class: "button small" }, "Throw it away");
      away.addEventListener("click", () => {
        this.#written.delete(key);
        this.#showLost();
        this.#tell.written();
      });
      return make("p", {}, `You wrote this for ${written.group}, which is gone: `, String(written.value), " ", away);
    }));
  }

  #group(group) {
    const holder = make("fieldset", {}, make("legend", {}, group.title));
    for (const field of group.fields) holder.append(this.#field(field));
    if (this.#room.may && group.remove) {
      const { words, line, sure } = group.remove;
      const button = make("button", { type: "button", class: "button small" }, words);
      button.addEventListener("click", () => this.#tell.line(line, sure ? words : null));
      holder.append(make("p", { class: "row" }, button));
    }
    return holder;
  }

  #field(field) {
    const id = `field-${field.key.replace(/[^a-z0-9]/gi, (letter) => `_${letter.codePointAt(0)}`)}`;
    field.id = id;
    const value = this.#written.get(field.key)?.value ?? field.value;
    const input = this.#input(field, id, value);
    const label = make("label", { for: id }, field.label);
    field.node = make("div", { class: "field" }, ...(field.kind === "check" ? [input, " ", label] : [label, input]));
    field.input = input;
    field.wrong = make("p", { class: "wrong", id: `${id}-wrong` });
    field.there = make("div", { class: "there", hidden: true });
    field.node.append(field.wrong, field.there);
    input.addEventListener("input", () => this.#write(field));
    this.#mark(field);
    return field.node;
  }

  #input(field, id, value) {
    const usual = { id, "aria-describedby": `${id}-wrong`, spellcheck: field.kind === "text" ? "true" : "false" };
    const disabled = !this.#room.may;
    if (field.kind === "text") {
      const area = make("textarea", { ...usual, rows: "4", readonly: disabled });
      area.value = value;
      return area;
    }
    if (field.kind === "check") {
      const box = make("input", { id, type: "checkbox", "aria-describedby": `${id}-wrong`, disabled });
      box.checked = value;
      return box;
    }
    if (field.kind === "choice") {
      const select = make("select", { id, "aria-describedby": `${id}-wrong`, disabled });
      select.append(...field.choices.map(([key, words]) => make("option", { value: key, selected: key === value }, words)));
      return select;
    }
    const line = make("input", { ...usual, type: "text", readonly: disabled, list: field.list ?? null });
    line.value = value;
    return line;
  }

  #write(field) {
    const value = field.kind === "check" ? field.input.checked : field.input.value;
    const before = this.#written.get(field.key);
    if (value === field.value) this.#written.delete(field.key);
    else this.#written.set(field.key, { value, base: before?.base ?? field.value, group: field.group });
    this.#mark(field);
    this.#tell.written();
  }

  #mark(field) {
    const written = this.#written.get(field.key);
    const wrong = written ? this.#wrong.get(field.key) ?? [] : [];
    field.node.classList.toggle("changed", written !== undefined);
    field.wrong.textContent = wrong.join("\n");
    if (wrong.length > 0) field.input.setAttribute("aria-invalid", "true");
    else field.input.removeAttribute("aria-invalid");
    const other = written !== undefined && written.base !== field.value;
    field.there.hidden = !other;
    if (!other) return;
    const now = field.kind === "check" ? (field.value ? "yes" : "no") : String(field.value) || "nothing";
    const take = make("button", { type: "button", class: "button small" }, "Take theirs");
    take.addEventListener("click", () => {
      if (field.kind === "check") field.input.checked = field.value;
      else field.input.value = field.value;
      this.#write(field);
      field.input.focus();
    });
    const words = `Somebody else has written here meanwhile: ${now}`;
    field.there.replaceChildren(make("p", {}, words), make("p", {}, "Saving writes yours over it. "), take);
  }

  #addForms() {
    if (!this.#room.may) return;
    const forms = ADDITIONS.map((addition, at) => this.#addForm(addition, `add-${at}`));
    this.#parts.adding.replaceChildren(make("h3", {}, "Add something"), ...forms);
  }

  #addForm(addition, id) {
    const form = make("form", { id, autocomplete: "off", "aria-label": addition.title });
    const inputs = new Map();
    for (const field of addition.fields) {
      const of = `${id}-${field.name}`;
      const usual = { id: of, name: field.name, "aria-describedby": field.about ? `${of}-about` : null };
      const input = field.choice ? make("select", usual)
        : field.text ? make("textarea", { ...usual, rows: "3" })
        : make("input", { ...usual, type: "text", list: field.list ?? null, spellcheck: "false" });
      if (field.choice) this.#fillRooms(input);
      inputs.set(field.name, input);
      form.append(make("label", { for: of }, field.label), input);
      if (field.about) form.append(make("p", { class: "note", id: `${of}-about` }, field.about));
    }
    const wrong = make("p", { class: "wrong", role: "status" });
    form.append(make("div", { class: "field" }, wrong), make("p", { class: "row" }, make("button", { type: "submit", class: "button" }, addition.button)));
    const line = () => addition.line(Object.fromEntries([...inputs].map(([name, input]) => [name, input.value])));
    const filled = () => addition.fields.every((field) => !field.needed || inputs.get(field.name).value.trim());
    form.addEventListener("input", () => this.#tell.written());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (filled()) this.#tell.line(line(), null, () => form.reset());
      else wrong.textContent = "Fill in the first field.";
    });
    this.#additions.set(id, { line, filled, wrong });
    return make("details", {}, make("summary", {}, addition.title), form);
  }

  /** Returns the lines of unfinished additions, with functions that show their errors. */
  additions() {
    return [...this.#additions.values()].filter((one) => one.filled()).map(({ line, wrong }) => ({ line: line(), wrong }));
  }

  /** Clears the errors of unfinished additions. */
  clearAdditions() {
    for (const { wrong } of this.#additions.values()) wrong.textContent = "";
  }

  #fillRooms(select) {
    const before = select.value;
    const rooms = this.#map.rooms.map((room) => make("option", { value: `#${room.id}` }, `${room.name}, room ${room.id}`));
    select.replaceChildren(make("option", { value: "" }, "None"), ...rooms);
    select.value = before;
  }
}
