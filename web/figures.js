// Figures that several parts show: shares of a whole, the condition of a body, money, and seconds that count down.

import { element } from "./draw.js";

/** Returns the body if it is a list, else an empty list. */
export const list = (body) => (Array.isArray(body) ? body : []);

/** Returns a gauge for a share of a whole. Screen readers skip it, because the numbers are beside it. */
export function gauge(value, most, className = "") {
  const outer = element("span", `gauge ${className}`);
  outer.setAttribute("aria-hidden", "true");
  const inner = element("span", "fill");
  inner.style.width = `${Math.round((100 * Math.min(Math.max(value, 0), most)) / Math.max(most, 1))}%`;
  outer.append(inner);
  return outer;
}

/** Returns the words for hit points below a half or a third, and the class of their colour; empty above. */
export function condition(hp, maxhp) {
  if (hp * 3 < maxhp) return { words: "badly hurt", className: "critical" };
  return hp * 2 < maxhp ? { words: "hurt", className: "low" } : { words: "", className: "" };
}

const COINS = { platinum: 1000, gold: 100, silver: 10, copper: 1 };

/** Returns an amount of money in coins: pairs of a number and the coin's name. */
export function coins(amount) {
  const kinds = Object.entries(COINS).map(([name, value], at, all) => {
    const higher = all[at - 1]?.[1] ?? Infinity;
    return [Math.floor((amount % higher) / value), name];
  });
  const some = kinds.filter(([count]) => count > 0);
  return some.length > 0 ? some : [[0, "copper"]];
}

/** Returns an element with an amount of money in short form, such as `5s 4c`, which screen readers read in words. */
export function money(amount) {
  const purse = coins(amount);
  const holder = element("span", "money");
  const short = element("span", "", purse.map(([count, name]) => count + name[0]).join(" "));
  short.setAttribute("aria-hidden", "true");
  holder.append(short, element("span", "unseen", purse.map(([count, name]) => `${count} ${name}`).join(", ")));
  return holder;
}

/** Returns the time at which a number of seconds from now has passed; `null` if there is no such number. */
export const timeAfter = (secs) => (secs > 0 ? Date.now() + secs * 1000 : null);

/** Returns the whole seconds until a time. */
export const secondsUntil = (time) => Math.max(0, Math.ceil((time - Date.now()) / 1000));

/** Returns seconds as a short text. */
export const duration = (secs) => (secs < 100 ? `${secs} s` : `${Math.round(secs / 60)} min`);

/** Repeats a redraw each second for as long as something counts down. */
export class Countdown {
  #timer = 0;
  #redraw;

  constructor(redraw) {
    this.#redraw = redraw;
  }

  /** Schedules the next redraw if one of these times is in the future. */
  follow(times) {
    window.clearTimeout(this.#timer);
    if (times.some((time) => time > Date.now())) this.#timer = window.setTimeout(this.#redraw, 1000);
  }
}
