// Keeps small values in the browser: settings for good, the map and the last lines for this tab. Never a password.
// A browser that forbids storage, or whose storage is full, only forgets.

/** Everything of ours begins with this, because a host may serve other pages too. */
const PREFIX = "deepwell.";

/** What is kept, under one of the browser's two stores. */
class Store {
  #open;

  /** @param {() => Storage} open gives the store; it throws where storage is forbidden */
  constructor(open) {
    this.#open = open;
  }

  /** The value under a name, or `otherwise` if there is none that can be read. */
  get(name, otherwise) {
    try {
      const text = this.#open().getItem(PREFIX + name);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  }

  /** Keeps a value that JSON can hold. Tells whether it could. */
  set(name, value) {
    try {
      this.#open().setItem(PREFIX + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}

/** Outlives the browser. */
export const lasting = new Store(() => window.localStorage);

/** Lives as long as the tab, and through a reload. */
export const passing = new Store(() => window.sessionStorage);
