// What one is likely to do next, as buttons in reach of the thumb: for narrow screens, where the panels are called up
// only when they are wanted. Each sends a command that could as well be typed.

/** Of each kind there are at most so many. */
const MOST = 2;

/** What a place is good for, by a word among the details of its room: a label and a command. */
const OFFERS = {
  shop: ["What is for sale", "list"],
  merchant: ["What is for sale", "list"],
  healer: ["What healing costs", "heal"],
  bank: ["What lies in the bank", "balance"],
};

/**
 * What places of these details offer.
 * @param {string[]} details
 * @returns {[string, string[]][]} pairs of the detail and what it offers
 */
export function offersOf(details) {
  return details.filter((detail) => Object.hasOwn(OFFERS, detail)).map((detail) => [detail, OFFERS[detail]]);
}

/** Pairs of a label and a command, one for each name; of things with one name the first. */
function labelled(verb, named) {
  const first = named.filter(([name], at) => named.findIndex(([other]) => other === name) === at);
  return first.slice(0, MOST).map(([name, command]) => [`${verb} ${name}`, command]);
}

/**
 * What may be done where one is, as pairs of a label and a command.
 * @param {{enemy?: string, training?: number}} status
 * @param {string[][]} foes names of those who may be attacked, each with the command
 * @param {string[][]} things names of things that may be taken, each with the command
 * @param {string[][]} offers of the place
 */
export function actionsFor({ enemy, training }, foes, things, offers = []) {
  return [
    ...(enemy ? [["Flee", "flee"]] : []),
    ...(enemy ? [] : labelled("Attack", foes)),
    ...labelled("Take", things),
    ...offers,
    ...(training > 0 ? [["Train", "train"]] : []),
    ["Look", "look"],
  ];
}

/** The row of buttons on the page. */
export class Actions {
  #holder;
  #send;

  /**
   * @param {HTMLElement} holder
   * @param {(command: string) => void} send
   */
  constructor(holder, send) {
    this.#holder = holder;
    this.#send = send;
  }

  /** Shows these pairs of a label and a command. */
  show(actions) {
    const focused = document.activeElement?.dataset?.command;
    const buttons = actions.map(([label, command]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button";
      button.textContent = label;
      button.dataset.command = command;
      button.addEventListener("click", () => this.#send(command));
      return button;
    });
    const had = this.#holder.contains(document.activeElement);
    this.#holder.replaceChildren(...buttons);
    if (had) (buttons.find((button) => button.dataset.command === focused) ?? buttons[0])?.focus();
  }
}
