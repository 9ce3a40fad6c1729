// Buttons for likely next actions, within reach of the thumb on narrow screens, where panels are hidden. Each button
// sends a command that players can also type.

/** Maximum number of buttons of each kind. */
const MOST = 2;

/** Actions offered by places, by a keyword among the room's details: a label and a command. */
const OFFERS = {
  shop: ["What is for sale", "list"],
  merchant: ["What is for sale", "list"],
  healer: ["What healing costs", "heal"],
  bank: ["What lies in the bank", "balance"],
};

/**
 * Returns the actions offered by rooms with these details.
 * @param {string[]} details
 * @returns {[string, string[]][]} pairs of the detail and its action
 */
export function offersOf(details) {
  return details.filter((detail) => Object.hasOwn(OFFERS, detail)).map((detail) => [detail, OFFERS[detail]]);
}

/** Returns pairs of a label and a command, one for each name; of things with the same name, the first. */
function labelled(verb, named) {
  const first = named.filter(([name], at) => named.findIndex(([other]) => other === name) === at);
  return first.slice(0, MOST).map(([name, command]) => [`${verb} ${name}`, command]);
}

/**
 * Returns the possible actions in the current room, as pairs of a label and a command.
 * @param {{enemy?: string, training?: number}} status
 * @param {string[][]} foes names of creatures that can be attacked, each with the command
 * @param {string[][]} things names of things that can be taken, each with the command
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

/** Row of action buttons. */
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

  /** Shows the given pairs of a label and a command. */
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
