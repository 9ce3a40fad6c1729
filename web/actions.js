// Buttons for likely next actions, within reach of the thumb on narrow screens, where panels are hidden. Each button
// sends a command that players can also type.

import { afterPress, button, onPress, redraw } from "./draw.js";

const MOST = 2;

const FLEE = ["Flee", "flee"];
/** Fixed, because a key for an attack that is pressed just after a fight has begun must not flee. */
const FLEE_KEY = 9;

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
 * @param {{answers?: string[][], abilities?: string[][], potions?: string[][], help?: string[][]}} more answers in a
 *   conversation, abilities and potions for a fight, and help for the party, as labels with commands
 */
export function actionsFor({ enemy, training }, foes, things, offers = [], { answers = [], abilities = [], potions = [], help = [] } = {}) {
  return [
    ...answers,
    ...(enemy ? [FLEE] : []),
    ...help,
    ...(enemy ? [...abilities.slice(0, MOST), ...labelled("Use", potions)] : labelled("Attack", foes)),
    ...labelled("Take", things),
    ...offers,
    ...(training > 0 ? [["Train", "train"]] : []),
    ["Look", "look"],
  ];
}

export class Actions {
  #holder;

  constructor(holder, send) {
    this.#holder = holder;
    onPress(holder, send);
  }

  show(actions) {
    let key = 0;
    const buttons = actions.map((action) => {
      const made = button(...action, { className: "button" });
      const number = action === FLEE ? FLEE_KEY : (key += 1);
      if (number < FLEE_KEY || action === FLEE) made.setAttribute("aria-keyshortcuts", String(number));
      return made;
    });
    afterPress(this, () => redraw(this.#holder, ...buttons));
  }

  /** Presses the button of a key. Returns false if there is none. */
  press(number) {
    const found = this.#holder.querySelector(`[aria-keyshortcuts="${number}"]`);
    found?.click();
    return Boolean(found);
  }
}
