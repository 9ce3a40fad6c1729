// What the player has seen of the world, by areas: rooms with their places and exits. The server tells all that it
// remembers of an area with `Room.Map`, and each room that one comes to with `Room.Info`. Draws nothing.

import { across, DIRECTIONS, stateOf, wordOf } from "./directions.js";
import { contentWords, signOf } from "./signs.js";

/** What one page keeps: areas, the one entered last at the end, and rooms in each. */
const AREAS_MAX = 12;
const ROOMS_MAX = 1500;

/** So many rooms with a sign are named where the map is told in words. */
const MARKED_MAX = 6;

/** A room as it is kept, from the body of a `Room.Info` or out of a `Room.Map`; null for what is none on a map. */
function roomOf(info, area) {
  const { num, coord } = info ?? {};
  if (!Number.isInteger(num) || num < 1 || !area || !coord) return null;
  const clear = info.clear !== false;
  const exits = Object.entries(info.exitsv2 ?? {}).map(([name, exit]) => ({
    name,
    num: exit.num,
    state: exit.state ?? "open",
    back: exit.back === true,
    // What stands in a room bars the ways that nobody has taken.
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
 * What one knew as unexplored and now turns out to lead to a room: the server tells only of the room one is in. A way leads
 * where it lies, or where a way back is: stairs may end elsewhere on their level.
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

/** How far something lies to which sides, in words. */
function steps(east, north) {
  const sides = [[north, "north", "south"], [east, "east", "west"]].filter(([far]) => far !== 0);
  return sides.map(([far, one, other]) => `${Math.abs(far)} ${far > 0 ? one : other}`).join(", ") || "here";
}

/** Rooms by area. */
export class Atlas {
  /** @type {Map<string, Map<number, object>>} */
  #areas = new Map();
  /** The room one stands in. */
  here = null;
  /** Contents of the rooms of the puzzle one is in, by room number. */
  #contents = new Map();

  /**
   * Takes the body of a `Room.Info`. What is no room on a map leaves the atlas as it is, and one stands nowhere.
   * @returns {boolean} whether one stands on the map
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

  /** Takes the body of a `Room.Map`: rooms that were seen before. Of the one that one is in more is known already. */
  remember(body) {
    const told = Array.isArray(body?.rooms) ? body.rooms : [];
    const found = told.map((room) => roomOf(room, body.area)).filter((room) => room && room.num !== this.here?.num);
    if (found.length === 0) return;
    const rooms = this.#open(body.area);
    for (const room of found) this.#keep(rooms, room);
  }

  /** The rooms of an area, which is forgotten last. */
  #open(area) {
    const rooms = this.#areas.get(area) ?? new Map();
    this.#areas.delete(area);
    this.#areas.set(area, rooms);
    while (this.#areas.size > AREAS_MAX) this.#areas.delete(this.#areas.keys().next().value);
    return rooms;
  }

  /**
   * Takes the body of a `Room.Puzzle.List`: what the rooms of the puzzle hold.
   * @returns {boolean} whether anything on the map has changed
   */
  furnish(body) {
    const told = (Array.isArray(body) ? body : []).filter((room) => Number.isInteger(room?.num) && Array.isArray(room.contents));
    if (told.length === 0 && this.#contents.size === 0) return false;
    this.#contents = new Map(told.map(({ num, contents }) => [num, contents.filter((one) => typeof one?.name === "string")]));
    for (const room of this.#areas.get(this.here?.area)?.values() ?? []) this.#fill(room);
    return true;
  }

  /** Notes what a room of a puzzle holds; the rooms of a puzzle that has been left hold nothing known. */
  #fill(room) {
    room.contents = this.#contents.size > 0 ? this.#contents.get(room.num) ?? [] : null;
  }

  #keep(rooms, room) {
    this.#fill(room);
    rooms.delete(room.num);
    rooms.set(room.num, room);
    while (rooms.size > ROOMS_MAX) rooms.delete(rooms.keys().next().value);
  }

  /** Forgets all rooms. */
  forget() {
    this.#areas.clear();
    this.#contents.clear();
    this.here = null;
  }

  /** A room of the area one stands in, if it has been seen. */
  room(num) {
    return this.#areas.get(this.here?.area)?.get(num);
  }

  /** The heights at which rooms of the area have been seen, from the lowest up. */
  levels() {
    const rooms = this.#areas.get(this.here?.area)?.values() ?? [];
    return [...new Set([...rooms].map((room) => room.z))].sort((one, other) => one - other);
  }

  /** All rooms seen at a height; where one stands unless said otherwise. Where two lie at one place, the one seen later. */
  level(height = this.here?.z) {
    const places = new Map();
    for (const room of this.#areas.get(this.here?.area)?.values() ?? []) {
      if (room.z === height) places.set(`${room.x},${room.y}`, room);
    }
    return [...places.values()];
  }

  /** Where one is, or where another height of the area is, in a line. */
  title(height = this.here?.z) {
    if (!this.here) return "";
    const [theme, branch] = this.here.area.split("/");
    const floor = this.level(height)[0]?.floor ?? 0;
    const up = height - this.here.z;
    const level = floor > 0 ? `, dungeon level ${floor}` : up === 0 ? "" : `, ${Math.abs(up)} ${up > 0 ? "up" : "down"}`;
    return `${theme.replaceAll("_", " ")}${branch ? `, ${branch}` : ""}${level}`;
  }

  /** The ways out of where one stands, each with the name of the room behind it, where that has been seen. */
  ways() {
    return (this.here?.exits ?? []).map((exit) => ({ ...exit, to: this.room(exit.num)?.name ?? "" }));
  }

  /** The map in words: where one is, how much is known, the ways out, and where the signs are. */
  describe() {
    if (!this.here) return "There is no map of this place.";
    const known = this.level();
    const count = known.length === 1 ? "1 room seen" : `${known.length} rooms seen`;
    const ways = this.ways().map((exit) => {
      const more = [exit.to ? `to ${exit.to}` : "", stateOf(exit)].filter(Boolean).join(", ");
      return more ? `${wordOf(exit.name)} (${more})` : wordOf(exit.name);
    });
    const out = ways.length === 0 ? "No way out." : `Ways out: ${ways.join("; ")}.`;
    return `Map of ${this.title()}: ${count}. You are in ${this.here.name}. ${out}${this.#marked()}`;
  }

  /** The rooms with a sign at this height, the nearest first, and how they lie from where one stands. */
  #marked() {
    const away = ({ x, y }) => Math.abs(x - this.here.x) + Math.abs(y - this.here.y);
    const marked = this.level().filter((room) => room !== this.here && signOf(room));
    const told = marked.sort((one, other) => away(one) - away(other)).slice(0, MARKED_MAX).map((room) => {
      return `${contentWords(room) || signOf(room)[0]} at ${room.name} (${steps(room.x - this.here.x, room.y - this.here.y)})`;
    });
    return told.length === 0 ? "" : ` Signs: ${told.join("; ")}.`;
  }
}
