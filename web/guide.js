// The card of the guide: the step that it leads to, with presses for what it suggests and for the next step. The story has
// the same words, so the card announces nothing.

import { afterPress, button, element, onPress, redraw } from "./draw.js";
import { list } from "./figures.js";

export class Guide {
  #holder;

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} send
   */
  constructor(holder, send) {
    this.#holder = holder;
    onPress(holder, send);
  }

  receive(name, body) {
    if (name === "Char.Guide.Step") afterPress(this, () => this.#draw(body ?? {}));
  }

  clear() {
    this.#draw({});
  }

  #draw({ step, of, text, commands }) {
    this.#holder.hidden = !step;
    const [first] = list(commands).filter((command) => typeof command === "string");
    redraw(
      this.#holder,
      element("p", "", `Guide, step ${step} of ${of}: ${text}`),
      ...(first ? [button(`Do it: ${first}`, first, { className: "button strong" })] : []),
      button("Next", "guide skip", { name: "Next step of the guide", className: "button" }),
    );
  }
}
