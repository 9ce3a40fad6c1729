// Form of a room or a definition: draws its fields, stores unsaved edits, and shows beside each field its errors and changes by other
// builders. Edits are only removed by saving or discarding them.

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

/** Fields of the open room or definition, its subject. */
export class Form {
  #parts;
  #tell;
  #shape;
  #subject = null;
  #map = { rooms: [] };
  #fields = new Map();
  /** By field key: the edited value, and the value when the edit began. */
  #written = new Map();
  #wrong = new Map();
  /** Forms that add something, by title; they keep their state when the room changes. */
  #additions = new Map();
  /** Drop-down lists of those forms, with their fields. */
  #selects = [];

  /**
   * @param {{fields: HTMLElement, adding: HTMLElement, lost: HTMLElement}} parts
   * @param {{written(): void, enter?(zone: string): void,
   *   line(line: string, sure: {words: string, before?: string} | null, done?: () => void): Promise<string | undefined>}}
   *   tell callbacks of the form; `sure` has the question and a line that tells the consequences; the result of `line` is
   *   a refusal to show at the form that sent it
   * @param {{prefix: string, groupsOf(subject: object, map: object): object[], additions: object[]}} shape prefix of the
   *   ids, and what is shown of a subject and can be added to it
   */
  constructor(parts, tell, shape) {
    this.#parts = parts;
    this.#tell = tell;
    this.#shape = shape;
    parts.fields.addEventListener("submit", (event) => event.preventDefault());
  }

  get subject() {
    return this.#subject;
  }

  /** Unsaved edits, to be stored across a reload. */
  get kept() {
    return [...this.#written];
  }

  /** Opens another subject, with earlier unsaved edits of it. */
  open(subject, map, kept = []) {
    this.#written = new Map(kept);
    this.#wrong.clear();
    this.#additions.clear();
    this.#selects = [];
    this.#parts.adding.replaceChildren();
    this.#show(subject, map);
    this.#addForms();
  }

  /** Updates the open subject to its current state. */
  refresh(subject, map) {
    this.#show(subject, map);
    for (const { select, field } of this.#selects) this.#fill(select, field);
  }

  /** Closes the subject. */
  close() {
    this.#subject = null;
    this.#fields.clear();
    this.#written.clear();
    for (const part of Object.values(this.#parts)) part.replaceChildren();
    this.#parts.lost.hidden = true;
  }

  /** Discards all edits. */
  drop() {
    this.#written.clear();
    this.#wrong.clear();
    this.#show(this.#subject, this.#map);
    this.#tell.written();
  }

  /** Returns the lines of all edits, each with the keys of its fields, in an order in which they can be executed. */
  lines() {
    const changed = [...this.#fields.values()].filter((field) => this.#written.has(field.key));
    const order = [...changed.filter((field) => !field.last), ...changed.filter((field) => field.last)];
    const keys = new Map();
    for (const field of order) {
      for (const line of field.lines(this.#value(field.key), (key) => this.#value(key))) {
        keys.set(line, [...(keys.get(line) ?? []), field.key]);
      }
    }
    return [...keys].map(([line, keys]) => ({ keys, line }));
  }

  /** Returns the value of a field, with its edit. */
  #value(key) {
    return this.#written.has(key) ? this.#written.get(key).value : this.#fields.get(key)?.value;
  }

  /** Returns the edits that no line can express, as errors by field key. */
  mistakes() {
    const wrong = new Map();
    for (const field of this.#fields.values()) {
      const words = this.#written.has(field.key) && field.mistake?.(this.#value(field.key), (key) => this.#value(key));
      if (words) wrong.set(field.key, [words]);
    }
    return wrong;
  }

  /** Returns the key of the field of a line that a refusal is about: one whose value it quotes or names, else the first. */
  blame(keys, words) {
    const parts = (key) => String(this.#value(key) ?? "").split(/[;,\n]/).map((part) => part.trim()).filter((part) => part.length > 1);
    const named = (marks) => keys.find((key) => parts(key).some((part) => marks.some((mark) => words.includes(`${mark}${part}${mark}`))));
    return named(["`", '"']) ?? named([" "]) ?? keys[0];
  }

  /** Moves the cursor to a field. */
  focus(key) {
    this.#fields.get(key)?.input.focus();
  }

  /** Removes the edits whose lines were all executed, by the results of the lines. Returns `true` if some are left. */
  saved(lines, told) {
    const open = new Set(lines.filter((_, at) => told[at]?.refused !== false).flatMap(({ keys }) => keys));
    for (const key of lines.flatMap(({ keys }) => keys).filter((key) => !open.has(key))) {
      this.#written.delete(key);
      this.#wrong.delete(key);
    }
    return open.size > 0;
  }

  /** Shows a refused line at its field, by the results of the lines. Returns the key of that field, if one was refused. */
  refused(lines, told) {
    const at = told.findIndex((one) => one.refused);
    if (at < 0) return null;
    const key = this.blame(lines[at].keys, told[at].words);
    this.judge(new Map([[key, told[at].words.split("\n")]]));
    return key;
  }

  /** Sets the errors by field key; all other fields have none. */
  judge(wrong) {
    this.#wrong = wrong;
    for (const field of this.#fields.values()) this.#mark(field);
  }

  #show(subject, map) {
    const focus = this.#focus();
    [this.#subject, this.#map] = [subject, map];
    this.#fields.clear();
    const groups = this.#shape.groupsOf(subject, map);
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
    if (!at?.id?.startsWith(`${this.#shape.prefix}field-`)) return null;
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
    for (const words of group.notes ?? []) holder.append(make("p", { class: "note" }, words));
    for (const field of group.fields) holder.append(this.#field(field));
    const actions = [...(group.actions ?? []), group.remove].filter(Boolean);
    if (this.#subject.may && actions.length > 0) {
      holder.append(make("p", { class: "row" }, ...actions.map((action) => this.#action(group, action))));
    }
    return holder;
  }

  #action(group, { words, line, sure, before, enter }) {
    const button = make("button", { type: "button", class: "button small", id: this.#id(`${group.key}/${words}`) }, words);
    button.addEventListener("click", () => (enter ? this.#tell.enter(enter) : this.#tell.line(line, sure ? { words, before } : null)));
    return button;
  }

  #id(key) {
    return `${this.#shape.prefix}field-${key.replace(/[^a-z0-9]/gi, (letter) => `_${letter.codePointAt(0)}`)}`;
  }

  #field(field) {
    const id = this.#id(field.key);
    field.id = id;
    const value = this.#written.get(field.key)?.value ?? field.value;
    const input = this.#input(field, id, value);
    const label = make("label", { for: id }, field.label);
    field.node = make("div", { class: "field" }, ...(field.kind === "check" ? [input, " ", label] : [label, input]));
    field.input = input;
    field.wrong = make("p", { class: "wrong", id: `${id}-wrong` });
    field.there = make("div", { class: "there", hidden: true });
    if (field.about) field.node.append(make("p", { class: "note", id: `${id}-about` }, field.about));
    field.node.append(field.wrong, field.there);
    input.addEventListener("input", () => this.#write(field));
    this.#mark(field);
    return field.node;
  }

  #input(field, id, value) {
    const described = field.about ? `${id}-about ${id}-wrong` : `${id}-wrong`;
    const usual = { id, "aria-describedby": described, spellcheck: field.kind === "text" ? "true" : "false" };
    const disabled = !this.#subject.may;
    if (field.kind === "text") {
      const area = make("textarea", { ...usual, rows: "4", readonly: disabled });
      area.value = value;
      return area;
    }
    if (field.kind === "check") {
      const box = make("input", { id, type: "checkbox", "aria-describedby": described, disabled });
      box.checked = value;
      return box;
    }
    if (field.kind === "choice") {
      const select = make("select", { id, "aria-describedby": described, disabled });
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
    if (!this.#subject.may || this.#shape.additions.length === 0) return;
    const forms = this.#shape.additions.map((addition, at) => this.#addForm(addition, `${this.#shape.prefix}add-${at}`));
    this.#parts.adding.replaceChildren(make("h3", {}, "Add something"), ...forms);
  }

  #addForm(addition, id) {
    const form = make("form", { id, autocomplete: "off", "aria-label": addition.title });
    const inputs = new Map();
    for (const field of addition.fields) {
      const of = `${id}-${field.name}`;
      const usual = { id: of, name: field.name, "aria-describedby": field.about ? `${of}-about` : null };
      const input = field.choices ? make("select", usual)
        : field.text ? make("textarea", { ...usual, rows: "3" })
        : make("input", { ...usual, type: "text", list: field.list ?? null, spellcheck: "false" });
      if (field.choices) {
        this.#selects.push({ select: input, field });
        this.#fill(input, field);
      }
      inputs.set(field.name, input);
      form.append(make("label", { for: of }, field.label), input);
      if (field.about) form.append(make("p", { class: "note", id: `${of}-about` }, field.about));
    }
    const wrong = make("p", { class: "wrong", role: "status" });
    form.append(make("div", { class: "field" }, wrong), make("p", { class: "row" }, make("button", { type: "submit", class: "button" }, addition.button)));
    const values = () => Object.fromEntries([...inputs].map(([name, input]) => [name, input.value]));
    const line = () => addition.line(values(), this.#subject);
    const filled = () => addition.fields.every((field) => !field.needed || inputs.get(field.name).value.trim());
    form.addEventListener("input", () => this.#tell.written());
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const mistake = filled() ? addition.mistake?.(values(), this.#subject) : "Fill in the first field.";
      wrong.textContent = mistake || (await this.#tell.line(line(), null, () => form.reset())) || "";
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

  #fill(select, field) {
    const before = select.value;
    const choices = field.choices(this.#subject, this.#map);
    select.replaceChildren(...choices.map(([value, words]) => make("option", { value }, words)));
    if (choices.some(([value]) => value === before)) select.value = before;
  }
}
