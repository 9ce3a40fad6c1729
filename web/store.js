// Stores small values in the browser: settings permanently, the map and the last lines for this tab. Never a password.
// If storage is forbidden or full, values are lost without an error.

/** Prefix of all keys, because a host may serve other pages as well. */
const PREFIX = "deepwell.";

/** Values in one of the browser's two storage areas. */
class Store {
  #open;

  /** @param {() => Storage} open returns the storage area; it throws where storage is forbidden */
  constructor(open) {
    this.#open = open;
  }

  /** Returns the value of a key, or `otherwise` if there is no readable value. */
  get(name, otherwise) {
    try {
      const text = this.#open().getItem(PREFIX + name);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  }

  /** Stores a JSON value. Returns false on failure. */
  set(name, value) {
    try {
      this.#open().setItem(PREFIX + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}

/** Persists when the browser is closed. */
export const lasting = new Store(() => window.localStorage);

/** Persists for the lifetime of the tab, including reloads. */
export const passing = new Store(() => window.sessionStorage);
