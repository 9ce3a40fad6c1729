// The action bar, from `Char.Actions.List`: what the player can do now, the most urgent first, but for actions that the player
// keeps on a key. Each action sends a command that players can also type.

import { afterPress, button, element, onPress, redraw } from "./draw.js";
import { Countdown, duration, list, secondsUntil, timeAfter } from "./figures.js";
import { menuButton } from "./menu.js";
import { lasting } from "./store.js";

/** Number of actions with a key, and in the row of a phone. */
const KEYS = 9;
const ROW = 5;

/** Milliseconds within which a key still presses the action that had it before a change: the player saw that one. */
const SEEN_LATE = 300;

/**
 * Returns the actions of a message, with the time at which each is ready; `null` if the time is unknown. The command of one
 * that the player's own words follow ends in a space.
 */
function readActions(body) {
  const told = list(body).filter((one) => typeof one?.label === "string" && typeof one.command === "string");
  return told.map(({ kind, label, command, ready, secs, about, asks }) => {
    const time = ready === false ? timeAfter(secs) : null;
    const does = asks === true ? { label: `${label}\u2026`, command: `${command} ` } : { label, command };
    return { kind: String(kind ?? ""), ...does, ready: ready !== false, time, about: String(about ?? "") };
  });
}

/** Returns the keys, from 0 on, of the commands that the player keeps there. */
function keptKeys() {
  const kept = Object.entries(lasting.get("keys", {}) ?? {});
  return new Map(kept.filter(([, at]) => Number.isInteger(at) && at >= 0 && at < KEYS));
}

/** Returns the actions with those that are kept in their places, as far as there are enough actions. */
function arrange(actions, kept) {
  const arranged = new Array(actions.length).fill(null);
  const others = actions.filter((action) => {
    const at = kept.get(action.command);
    if (!(at < arranged.length) || arranged[at]) return true;
    arranged[at] = action;
    return false;
  });
  return arranged.map((action) => action ?? others.shift());
}

const isReady = ({ ready, time }) => ready || (time !== null && time <= Date.now());

/** Returns the seconds until an action is ready as a text; empty if it is ready, or the time is unknown. */
const waitOf = (action) => (!isReady(action) && action.time ? duration(secondsUntil(action.time)) : "");

export class Actions {
  #holder;
  #host;
  #actions = [];
  #before = [];
  #changedAt = 0;
  #kept = keptKeys();
  #countdown = new Countdown(() => this.#show());

  /**
   * @param {HTMLElement} holder
   * @param {{send(command: string): void, say(text: string): void}} host `say` tells a screen reader why a key did nothing
   */
  constructor(holder, host) {
    this.#holder = holder;
    this.#host = host;
    onPress(holder, host.send);
    holder.addEventListener("contextmenu", (event) => this.#keep(event));
    this.#show();
  }

  receive(name, body) {
    if (name !== "Char.Actions.List") return;
    this.#before = this.#actions;
    this.#changedAt = Date.now();
    this.#actions = arrange(readActions(body), this.#kept);
    this.#show();
  }

  clear() {
    this.#actions = this.#before = [];
    this.#show();
  }

  /** Presses the action of a key. Returns false if there is none. */
  press(number) {
    const shown = Date.now() - this.#changedAt < SEEN_LATE ? this.#before : this.#actions;
    const action = shown[number - 1] ?? this.#actions[number - 1];
    if (!action) return false;
    if (isReady(action)) this.#host.send(action.command);
    else this.#host.say(`${action.label}: not ready. ${waitOf(action)}`);
    return true;
  }

  /** Keeps an action on the key that it has, or no longer: a press of the second button, a long one, or the menu key. */
  #keep(event) {
    const at = this.#actions.findIndex(({ command }) => command === event.target.closest(".action")?.dataset.command);
    if (at < 0 || at >= KEYS) return;
    event.preventDefault();
    const { command, label } = this.#actions[at];
    const isKept = this.#kept.delete(command);
    if (!isKept) {
      for (const [other, key] of this.#kept) if (key === at) this.#kept.delete(other);
      this.#kept.set(command, at);
    }
    lasting.set("keys", Object.fromEntries(this.#kept));
    this.#host.say(isKept ? `${label}: kept on no key.` : `${label}: kept on key ${at + 1}.`);
    this.#show();
  }

  #show() {
    afterPress(this, () => this.#draw());
    this.#countdown.follow(this.#actions.map(({ time }) => time));
  }

  #draw() {
    const buttons = this.#actions.map((action, at) => this.#button(action, at));
    const rest = this.#actions.slice(ROW).filter(isReady).map(({ label, command }) => [label, command]);
    const more = rest.length > 0 ? [menuButton("More actions", rest, { className: "button more" })] : [];
    redraw(this.#holder, ...buttons, ...more);
  }

  #button(action, at) {
    const { kind, label, command, about } = action;
    const made = button("", command, { className: `button action ${kind === "answer" ? "strong" : ""}` });
    made.append(element("span", "label", label));
    made.dataset.kind = kind;
    const isKept = this.#kept.get(command) === at;
    made.classList.toggle("kept", isKept);
    made.title = [isKept ? `Kept on key ${at + 1}.` : "", about].filter(Boolean).join(" ");
    if (at < KEYS) made.setAttribute("aria-keyshortcuts", String(at + 1));
    if (isReady(action)) return made;
    made.setAttribute("aria-disabled", "true");
    const wait = waitOf(action);
    if (wait) made.append(element("span", "wait", wait));
    return made;
  }
}
