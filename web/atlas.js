// Rooms known to the player, by area, with their positions and exits. `Room.Map` has all known rooms of an area;
// `Room.Info` has the current room. Does not draw.

import { across, DIRECTIONS, stateOf, wordOf } from "./directions.js";
import { contentWords, signOf } from "./signs.js";

/** Limits of areas, and of rooms in each. The area entered last is at the end. */
const AREAS_MAX = 12;
const ROOMS_MAX = 1500;

const MARKED_MAX = 6;

/** Maximum number of steps of a walk. */
const STEPS_MAX = 60;

/** Returns the stored form of a room from `Room.Info` or `Room.Map`; null if it has no position on a map. */
function roomOf(info, area) {
  const { num, coord } = info ?? {};
  if (!Number.isInteger(num) || num < 1 || !area || !coord) return null;
  const clear = info.clear !== false;
  const exits = Object.entries(info.exitsv2 ?? {}).map(([name, exit]) => ({
    name,
    num: exit.num,
    state: exit.state ?? "open",
    back: exit.back === true,
    // The contents of the room block unexplored exits.
    blocked: exit.num < 0 && !clear,
    command: exit.cmd ?? wordOf(name),
  }));
  return {
    num,
    area,
    name: info.name ?? "",
    x: coord.x,
    y: coord.y,
    z: coord.z,
    floor: info.floor ?? 0,
    details: Array.isArray(info.details) ? info.details : [],
    clear,
    exits,
  };
}

/**
 * Links an unexplored exit of one room to another room. The server sends only the current room, so an exit is matched
 * by position, or by an exit back: stairs may end at another position on their level.
 */
function learn(from, to) {
  for (const exit of from.exits) {
    const way = DIRECTIONS[exit.name];
    if (exit.num >= 0 || !way) continue;
    const lies = from.x + way.east === to.x && from.y + way.north === to.y && from.z + way.up === to.z;
    if (!lies && !to.exits.some((back) => back.num === from.num && back.name === across(exit.name))) continue;
    exit.num = to.num;
    exit.blocked = false;
    exit.state = to.exits.some((back) => back.num === from.num) ? "open" : "one_way";
  }
}

/** Returns a relative position in words. */
function steps(east, north) {
  const sides = [[north, "north", "south"], [east, "east", "west"]].filter(([far]) => far !== 0);
  return sides.map(([far, one, other]) => `${Math.abs(far)} ${far > 0 ? one : other}`).join(", ") || "here";
}

export class Atlas {
  /** @type {Map<string, Map<number, object>>} */
  #areas = new Map();
  here = null;
  /** Contents of the rooms of the current puzzle, by room number. */
  #contents = new Map();

  /**
   * Takes the body of a `Room.Info`. A room without a position on a map changes nothing but the current room, which
   * becomes null.
   * @returns {boolean} whether the current room is on the map
   */
  arrive(info) {
    const before = this.here;
    this.here = roomOf(info, info?.area);
    if (!this.here) return false;
    const rooms = this.#open(this.here.area);
    this.#keep(rooms, this.here);
    if (before?.area === this.here.area) learn(before, this.here);
    for (const exit of this.here.exits) {
      const other = rooms.get(exit.num);
      if (other && exit.state !== "one_way") learn(other, this.here);
    }
    return true;
  }

  /** Takes the body of a `Room.Map`: rooms seen before. The current room is skipped, because more is known of it. */
  remember(body) {
    const told = Array.isArray(body?.rooms) ? body.rooms : [];
    const found = told.map((room) => roomOf(room, body.area)).filter((room) => room && room.num !== this.here?.num);
    if (found.length === 0) return;
    const rooms = this.#open(body.area);
    for (const room of found) this.#keep(rooms, room);
  }

  #open(area) {
    const rooms = this.#areas.get(area) ?? new Map();
    this.#areas.delete(area);
    this.#areas.set(area, rooms);
    while (this.#areas.size > AREAS_MAX) this.#areas.delete(this.#areas.keys().next().value);
    return rooms;
  }

  /**
   * Takes the body of a `Room.Puzzle.List`: contents of the puzzle's rooms.
   * @returns {boolean} whether the map has changed
   */
  furnish(body) {
    const told = (Array.isArray(body) ? body : []).filter((room) => Number.isInteger(room?.num) && Array.isArray(room.contents));
    if (told.length === 0 && this.#contents.size === 0) return false;
    this.#contents = new Map(told.map(({ num, contents }) => [num, contents.filter((one) => typeof one?.name === "string")]));
    for (const room of this.#areas.get(this.here?.area)?.values() ?? []) this.#fill(room);
    return true;
  }

  /** Sets the contents of a puzzle room. Rooms of a puzzle that the player has left have no known contents. */
  #fill(room) {
    room.contents = this.#contents.size > 0 ? this.#contents.get(room.num) ?? [] : null;
  }

  #keep(rooms, room) {
    this.#fill(room);
    rooms.delete(room.num);
    rooms.set(room.num, room);
    while (rooms.size > ROOMS_MAX) rooms.delete(rooms.keys().next().value);
  }

  forget() {
    this.#areas.clear();
    this.#contents.clear();
    this.here = null;
  }

  room(num) {
    return this.#areas.get(this.here?.area)?.get(num);
  }

  /** Returns the heights of known rooms of the area, in ascending order. */
  levels() {
    const rooms = this.#areas.get(this.here?.area)?.values() ?? [];
    return [...new Set([...rooms].map((room) => room.z))].sort((one, other) => one - other);
  }

  /**
   * Returns all known rooms at a height, by default that of the current room. Of two rooms at one position, the later
   * one.
   */
  level(height = this.here?.z) {
    const places = new Map();
    for (const room of this.#areas.get(this.here?.area)?.values() ?? []) {
      if (room.z === height) places.set(`${room.x},${room.y}`, room);
    }
    return [...places.values()];
  }

  title(height = this.here?.z) {
    if (!this.here) return "";
    const [theme, branch] = this.here.area.split("/");
    const floor = this.level(height)[0]?.floor ?? 0;
    const up = height - this.here.z;
    const level = floor > 0 ? `, dungeon level ${floor}` : up === 0 ? "" : `, ${Math.abs(up)} ${up > 0 ? "up" : "down"}`;
    return `${theme.replaceAll("_", " ")}${branch ? `, ${branch}` : ""}${level}`;
  }

  /** Returns the exits of the current room, each with the name of the room behind it, if known, and `unseen`. */
  ways() {
    return (this.here?.exits ?? []).map((exit) => {
      return { ...exit, to: this.room(exit.num)?.name ?? "", unseen: this.isUnseen(this.here, exit) };
    });
  }

  /** Returns true for an exit to a room of the dungeon that only other players have seen. */
  isUnseen(room, exit) {
    return room.floor > 0 && exit.num > 0 && !exit.back && exit.state !== "locked" && !this.room(exit.num);
  }

  /** Returns the map in words: the position, the number of known rooms, the exits, and the rooms with signs. */
  describe() {
    if (!this.here) return "There is no map of this place.";
    const known = this.level();
    const count = known.length === 1 ? "1 room seen" : `${known.length} rooms seen`;
    const ways = this.ways().map((exit) => {
      const more = [exit.to ? `to ${exit.to}` : "", stateOf(exit)].filter(Boolean).join(", ");
      return more ? `${wordOf(exit.name)} (${more})` : wordOf(exit.name);
    });
    const out = ways.length === 0 ? "No way out." : `Ways out: ${ways.join("; ")}.`;
    const signs = this.marked().map(({ words }) => words).join("; ");
    return `Map of ${this.title()}: ${count}. You are in ${this.here.name}. ${out}${signs ? ` Signs: ${signs}.` : ""}`;
  }

  /** Returns the rooms with a sign at this height, nearest first: each with its description and relative position. */
  marked() {
    if (!this.here) return [];
    const away = ({ x, y }) => Math.abs(x - this.here.x) + Math.abs(y - this.here.y);
    const marked = this.level().filter((room) => room !== this.here && signOf(room));
    return marked.sort((one, other) => away(one) - away(other)).slice(0, MARKED_MAX).map((room) => {
      const words = `${contentWords(room) || signOf(room)[0]} at ${room.name}`;
      return { room, words: `${words} (${steps(room.x - this.here.x, room.y - this.here.y)})` };
    });
  }

  /**
   * Returns the command that walks to a known room by known exits in the eight directions, up and down; null if there is no
   * such way, or it is too long.
   */
  commandTo(num) {
    const before = new Map([[this.here?.num, null]]);
    const queue = [this.here?.num];
    for (const at of queue) {
      if (at === num) break;
      for (const exit of this.room(at)?.exits ?? []) {
        const leads = DIRECTIONS[exit.name] && exit.state !== "locked" && !exit.blocked && this.room(exit.num);
        if (!leads || before.has(exit.num)) continue;
        before.set(exit.num, [at, exit.name]);
        queue.push(exit.num);
      }
    }
    const names = [];
    for (let step = before.get(num); step; step = before.get(step[0])) names.unshift(step[1]);
    return names.length > 0 && names.length <= STEPS_MAX ? `go ${names.join(" ")}` : null;
  }
}
