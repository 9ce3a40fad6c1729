// What the builder page and the staff page share: the theme, their messages, and errors of requests.

import { lasting } from "../store.js";
import { Declined } from "./connection.js";

/** Applies the theme chosen in the game client, or that of the device. */
export function dress() {
  const light = window.matchMedia("(prefers-color-scheme: light)");
  const wear = () => {
    const theme = lasting.get("settings", {})?.theme;
    const chosen = theme === "dark" || theme === "light" ? theme : light.matches ? "light" : "dark";
    document.documentElement.dataset.theme = chosen;
  };
  light.addEventListener("change", wear);
  wear();
}

/** Shows an error, unless it is shown already: a screen reader would read it again. */
export function alarm(words) {
  const shown = document.getElementById("alarm");
  if (shown.textContent !== words) shown.textContent = words;
}

/** Shows the state of the page. */
export function state(words) {
  document.getElementById("state").textContent = words;
}

/**
 * Returns a function that runs a request and shows its error. A message about a missing answer stays until the server
 * answers. `door` shows the login form with a message.
 */
export function careful(connection, door) {
  /** Last message that the server does not answer. */
  let lost = "";
  return async (work) => {
    try {
      const done = await work();
      if (lost && document.getElementById("alarm").textContent === lost) alarm("");
      lost = "";
      return done;
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      if (error.closed) {
        connection.forget();
        // The login form already shows a message.
        if (document.getElementById("door").hidden) door(error.message);
      } else {
        alarm(error.message);
        lost = error.lost ? error.message : "";
      }
      return undefined;
    }
  };
}
