// Trial of a dialogue on the builder page: what players read at each node, with the answers as buttons. Nothing is run,
// and conditions are named instead of checked.

import { beginnings, trialAt } from "./dialogue.js";
import { make } from "./form.js";

const find = (id) => document.getElementById(id);

/** The trial of the open dialogue. */
export class Trial {
  #player;
  #dialogue = null;

  /** @param {() => string} player returns the name of the builder's character */
  constructor(player) {
    this.#player = player;
    find("trial-form").addEventListener("submit", (event) => {
      event.preventDefault();
      find("trial-told").replaceChildren();
      this.#enter(find("trial-start").value);
    });
  }

  /** Shows where the dialogue can begin. */
  show(dialogue) {
    const before = this.#dialogue?.key === dialogue.key ? find("trial-start").selectedIndex : 0;
    this.#dialogue = dialogue;
    const options = beginnings(dialogue).map(([key, words]) => make("option", { value: key }, words));
    find("trial-start").replaceChildren(...options);
    find("trial-start").selectedIndex = Math.min(before, options.length - 1);
    find("trial-told").replaceChildren();
    find("trial-answers").replaceChildren();
  }

  /** Appends a node to what has been said, and offers its answers. */
  #enter(key) {
    const node = trialAt(this.#dialogue, key, this.#player());
    const say = (words, name = "p") => words && find("trial-told").append(make(name, {}, words));
    if (!node) {
      say("The talk ends: there is no such node.");
      return;
    }
    say(node.text);
    say(node.does);
    if (node.answers.length === 0) say("The talk ends.");
    find("trial-answers").replaceChildren(...node.answers.map((answer) => this.#answer(answer, say)));
    find("trial-answers").querySelector("button")?.focus();
  }

  #answer({ words, to, notes }, say) {
    const button = make("button", { type: "button", class: "link" }, words);
    button.addEventListener("click", () => {
      say(`You say: ${words.slice(words.indexOf(" ") + 1)}`);
      find("trial-answers").replaceChildren();
      if (to) {
        this.#enter(to);
      } else {
        say("The talk ends.");
      }
      if (find("trial-answers").childElementCount === 0) find("trial-begin").focus();
    });
    return make("li", {}, button, notes ? make("span", { class: "note" }, ` ${notes}`) : null);
  }
}
