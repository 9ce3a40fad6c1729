// Tabs of the builder page: one for each panel beside the map, generated from the panels.

import { passing } from "../store.js";
import { make } from "./form.js";

/** The tabs of the page. */
export class Tabs {
  #list;
  #shown;
  /** Panels with their tabs, in the order of the page. */
  #tabs = [];

  /**
   * @param {HTMLElement} list element that gets the tabs
   * @param {HTMLElement[]} panels elements with an id, and with the label of their tab in `data-tab`
   * @param {() => void} shown is called when another panel is shown
   */
  constructor(list, panels, shown) {
    this.#list = list;
    this.#shown = shown;
    for (const panel of panels) {
      const tab = make("button", { type: "button", class: "tab", role: "tab", id: `tab-${panel.id}`, "aria-controls": panel.id }, panel.dataset.tab);
      tab.addEventListener("click", () => this.show(panel.id));
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      this.#tabs.push({ panel, tab });
    }
    list.append(...this.#tabs.map(({ tab }) => tab));
    list.addEventListener("keydown", (event) => this.#step(event));
    this.#select(passing.get("tab", ""));
  }

  /** Id of the panel that is shown. */
  get current() {
    return this.#tabs.find(({ panel }) => !panel.hidden).panel.id;
  }

  /** Shows a panel. */
  show(id) {
    if (id === this.current) return;
    this.#select(id);
    passing.set("tab", id);
    this.#shown();
  }

  #select(id) {
    const chosen = this.#tabs.find(({ panel }) => panel.id === id) ?? this.#tabs[0];
    for (const one of this.#tabs) {
      one.panel.hidden = one !== chosen;
      one.tab.setAttribute("aria-selected", String(one === chosen));
      one.tab.tabIndex = one === chosen ? 0 : -1;
    }
    this.#list.scrollLeft = chosen.tab.offsetLeft - this.#list.offsetLeft - this.#list.clientWidth / 3;
  }

  /** Goes to another tab by a key. */
  #step(event) {
    const last = this.#tabs.length - 1;
    const at = this.#tabs.findIndex(({ tab }) => tab === event.target);
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    this.#tabs[to].tab.focus();
    this.show(this.#tabs[to].panel.id);
  }
}
