// Parts that share the space beside the story on phones and tablets: a button for each opens it and closes the others. On
// wide screens all parts are visible, and the buttons are not.

export class Sheets {
  #game;
  #buttons;
  #changed;

  /**
   * @param {HTMLElement} game gets the name of the open part as `data-open`
   * @param {HTMLElement} row its buttons have the name of their part as `data-sheet`
   * @param {() => void} changed
   */
  constructor(game, row, changed) {
    this.#game = game;
    this.#buttons = [...row.querySelectorAll("[data-sheet]")];
    this.#changed = changed;
    for (const button of this.#buttons) {
      const { sheet } = button.dataset;
      button.addEventListener("click", () => this.open(game.dataset.open === sheet ? "" : sheet));
    }
    new ResizeObserver(changed).observe(game);
  }

  /** Opens a part, or closes all with an empty name. */
  open(name) {
    this.#game.dataset.open = name;
    for (const button of this.#buttons) button.setAttribute("aria-pressed", String(button.dataset.sheet === name));
    this.#changed();
  }
}
