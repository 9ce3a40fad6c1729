// Packages on the builder page: the package of the zone is downloaded, and one from the builder's computer is taken in. The
// same is typed in the game as `zone pack` and `zone unpack`, with files of the server.

import { make } from "./form.js";

const find = (id) => document.getElementById(id);

/** Milliseconds for which a download may begin. */
const KEPT = 60_000;

const TOO_LARGE = "The file is too large for this page. Put it into the folder packages beside the data of the server, "
  + "and type zone unpack and its name in the game.";

/** Returns the key that the name of a file gives: mill for `C:\\Mill (1).zip`. */
export function nameOf(file) {
  const name = file.replace(/\.zip$/i, "").toLowerCase().replace(/[^a-z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
  return name.slice(0, 40) || "package";
}

/** Returns bytes as a text in Base64. */
export function encoded(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Returns the bytes of a text in Base64. */
export function decoded(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** The packages of the page. */
export class Packages {
  #ask;
  #tell;
  #zone = "";
  #largest = 0;

  /**
   * @param {(request: object) => Promise<any>} ask sends a request; its result is undefined if it failed
   * @param {{state(words: string): void, alarm(words: string): void, changed(): Promise<void>}} tell callbacks of the page
   */
  constructor(ask, tell) {
    this.#ask = ask;
    this.#tell = tell;
    find("pack").addEventListener("click", () => this.#download());
    find("unpack-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send(false);
    });
    find("unpack-now").addEventListener("click", () => this.#send(true));
  }

  /** Sets the largest file, in bytes. */
  allow(largest) {
    this.#largest = largest;
  }

  /** Sets the zone whose package is downloaded. */
  show(zone) {
    this.#zone = zone;
  }

  /** Forgets the file and what was told of it. */
  close() {
    find("unpack-form").reset();
    find("unpack-told").textContent = "";
  }

  async #download() {
    this.#tell.alarm("");
    this.#tell.state("Packing.");
    const told = await this.#ask({ pack: { zone: this.#zone } });
    this.#tell.state(told ? `The package ${told.name}.zip is downloaded.` : "");
    if (!told) return;
    const address = URL.createObjectURL(new Blob([decoded(told.package)], { type: "application/zip" }));
    const link = make("a", { href: address, download: `${told.name}.zip` });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(address), KEPT);
  }

  /** Sends the chosen file, to see what it would bring or to take it in. */
  async #send(now) {
    const [file] = find("unpack-file").files;
    const wrong = !file ? "Choose a file first." : file.size > this.#largest ? TOO_LARGE : "";
    this.#tell.alarm(wrong);
    if (wrong) {
      find("unpack-file").focus();
      return;
    }
    this.#tell.state(now ? "Taking it in." : "Reading.");
    const told = await this.#ask({ unpack: {
      name: nameOf(file.name),
      package: encoded(new Uint8Array(await file.arrayBuffer())),
      prefix: find("unpack-prefix").value.trim().toLowerCase(),
      now,
    } });
    this.#tell.state(!told ? "" : told.refused ? "The package cannot be taken in." : now ? "It is taken in." : "Nothing is changed yet.");
    find("unpack-told").textContent = told?.words.join("\n") ?? "";
    if (told && now && !told.refused) await this.#tell.changed();
  }
}
