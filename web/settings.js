// Settings of the player: stored in the browser, changed in a dialog, applied immediately.

import { refreshColours } from "./palette.js";
import { lasting } from "./store.js";

const USUAL = Object.freeze({
  theme: "auto",
  size: "16",
  letters: "book",
  announce: "all",
  reader: false,
  walk: false,
  digits: true,
  echo: true,
  sound: false,
  volume: "0",
  forms: true,
});

export class Settings {
  #values;
  #dialog;
  #changed;
  #dark = window.matchMedia("(prefers-color-scheme: dark)");

  /**
   * @param {HTMLDialogElement} dialog
   * @param {(name: string, value: string | boolean) => void} changed gets each change made by the player
   */
  constructor(dialog, changed) {
    this.#dialog = dialog;
    this.#changed = changed;
    const kept = lasting.get("settings", {});
    this.#values = Object.fromEntries(
      Object.entries(USUAL).map(([name, usual]) => [name, typeof kept?.[name] === typeof usual ? kept[name] : usual]),
    );
    for (const field of this.#fields()) {
      const value = this.#values[field.name];
      if (field.type === "checkbox") field.checked = value;
      else field.value = value;
      field.addEventListener("change", () => this.#change(field));
    }
    this.#dark.addEventListener("change", () => this.#apply());
    this.#apply();
  }

  get(name) {
    return this.#values[name];
  }

  change(name, value) {
    const field = [...this.#fields()].find((field) => field.name === name);
    field.checked = value;
    this.#change(field);
  }

  open() {
    this.#dialog.showModal();
  }

  #fields() {
    return this.#dialog.querySelectorAll("select, input");
  }

  #change(field) {
    const value = field.type === "checkbox" ? field.checked : field.value;
    this.#values[field.name] = value;
    lasting.set("settings", this.#values);
    this.#apply();
    this.#changed(field.name, value);
  }

  #apply() {
    const root = document.documentElement;
    const { theme, size, letters } = this.#values;
    root.dataset.theme = theme === "auto" ? (this.#dark.matches ? "dark" : "light") : theme;
    root.dataset.letters = letters;
    root.style.setProperty("--size", `${Number(size) || USUAL.size}px`);
    refreshColours();
  }
}
