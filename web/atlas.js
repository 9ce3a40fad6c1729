// What the player has seen of the world, by areas: rooms with their places and exits, from `Room.Info`. Draws nothing.

import { DIRECTIONS, stateOf, wordOf } from "./directions.js";

/** What one tab remembers: areas, the one entered last at the end, and rooms in each. */
const AREAS_MAX = 12;
const ROOMS_MAX = 1500;

/** What one knew as unexplored and now turns out to lead to a room: the server tells only of the room one is in. */
function learn(from, to) {
  for (const exit of from.exits) {
    const way = DIRECTIONS[exit.name];
    if (exit.num >= 0 || !way || from.z + way.up !== to.z) continue;
    if (from.x + way.east !== to.x || from.y + way.north !== to.y) continue;
    exit.num = to.num;
    exit.state = to.exits.some((back) => back.num === from.num) ? "open" : "one_way";
  }
}

/** Rooms by area. */
export class Atlas {
  /** @type {Map<string, Map<number, object>>} */
  #areas = new Map();
  /** The room one stands in. */
  here = null;

  /**
   * Takes the body of a `Room.Info`. What is no room on a map leaves the atlas as it is, and one stands nowhere.
   * @returns {boolean} whether one stands on the map
   */
  arrive(info) {
    const before = this.here;
    this.here = null;
    const { num, area, coord } = info ?? {};
    if (!Number.isInteger(num) || num < 1 || !area || !coord) return false;
    const rooms = this.#areas.get(area) ?? new Map();
    // What was entered last is forgotten last.
    this.#areas.delete(area);
    this.#areas.set(area, rooms);
    while (this.#areas.size > AREAS_MAX) this.#areas.delete(this.#areas.keys().next().value);
    const exits = Object.entries(info.exitsv2 ?? {}).map(([name, exit]) => ({
      name,
      num: exit.num,
      state: exit.state ?? "open",
      back: exit.back === true,
      command: exit.cmd ?? wordOf(name),
    }));
    this.here = {
      num,
      area,
      name: info.name ?? "",
      x: coord.x,
      y: coord.y,
      z: coord.z,
      floor: info.floor ?? 0,
      details: Array.isArray(info.details) ? info.details : [],
      clear: info.clear !== false,
      exits,
    };
    rooms.delete(num);
    rooms.set(num, this.here);
    while (rooms.size > ROOMS_MAX) rooms.delete(rooms.keys().next().value);
    if (before?.area === area) learn(before, this.here);
    for (const exit of exits) {
      const other = rooms.get(exit.num);
      if (other && exit.state !== "one_way") learn(other, this.here);
    }
    return true;
  }

  /** Forgets all rooms. */
  forget() {
    this.#areas.clear();
    this.here = null;
  }

  /** A room of the area one stands in, if it has been seen. */
  room(num) {
    return this.#areas.get(this.here?.area)?.get(num);
  }

  /** All rooms seen of the floor one stands on. Where two lie at one place, the one seen later. */
  floor() {
    if (!this.here) return [];
    const places = new Map();
    for (const room of this.#areas.get(this.here.area).values()) {
      if (room.z === this.here.z) places.set(`${room.x},${room.y}`, room);
    }
    return [...places.values()];
  }

  /** Where one is, in a line: the area and floor. */
  title() {
    if (!this.here) return "";
    const [theme, branch] = this.here.area.split("/");
    const floor = this.here.floor > 0 ? `, dungeon level ${this.here.floor}` : "";
    return `${theme}${branch ? `, ${branch}` : ""}${floor}`;
  }

  /** The map in words: where one is, how much is known, and the ways out. */
  describe() {
    if (!this.here) return "There is no map of this place.";
    const known = this.floor();
    const count = known.length === 1 ? "1 room seen" : `${known.length} rooms seen`;
    const ways = this.here.exits.map((exit) => {
      const state = stateOf(exit);
      const to = this.room(exit.num)?.name;
      const more = [to ? `to ${to}` : "", state].filter(Boolean).join(", ");
      return more ? `${wordOf(exit.name)} (${more})` : wordOf(exit.name);
    });
    const out = ways.length === 0 ? "No way out." : `Ways out: ${ways.join("; ")}.`;
    return `Map of ${this.title()}: ${count}. You are in ${this.here.name}. ${out}`;
  }

  /** A value that JSON can hold, and back. */
  toJSON() {
    return [...this.#areas].map(([area, rooms]) => [area, [...rooms.values()]]);
  }

  static from(value) {
    const atlas = new Atlas();
    if (!Array.isArray(value)) return atlas;
    try {
      for (const [area, rooms] of value) {
        atlas.#areas.set(area, new Map(rooms.map((room) => [room.num, room])));
      }
    } catch {
      return new Atlas();
    }
    return atlas;
  }
}
