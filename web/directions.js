// Names of directions, their positions on a map, and their opposites.

/** Directions: word, button label, and step to the east, north and up. */
export const DIRECTIONS = {
  n: { word: "north", east: 0, north: 1, up: 0 },
  e: { word: "east", east: 1, north: 0, up: 0 },
  s: { word: "south", east: 0, north: -1, up: 0 },
  w: { word: "west", east: -1, north: 0, up: 0 },
  ne: { word: "northeast", east: 1, north: 1, up: 0 },
  se: { word: "southeast", east: 1, north: -1, up: 0 },
  sw: { word: "southwest", east: -1, north: -1, up: 0 },
  nw: { word: "northwest", east: -1, north: 1, up: 0 },
  u: { word: "up", east: 0, north: 0, up: 1 },
  d: { word: "down", east: 0, north: 0, up: -1 },
};

export function across(name) {
  const { east, north, up } = DIRECTIONS[name] ?? {};
  const faces = (other) => other.east === -east && other.north === -north && other.up === -up;
  return Object.keys(DIRECTIONS).find((other) => faces(DIRECTIONS[other]));
}

export const wordOf = (exit) => DIRECTIONS[exit]?.word ?? exit;

/** Returns the state of an exit in words; "" for an ordinary exit. */
export function stateOf({ state, back, blocked, unseen }) {
  const told = { unexplored: "unexplored", one_way: "one way only", locked: "locked" }[state] ?? "";
  const words = [told, blocked ? "blocked" : "", unseen ? "not seen by you" : "", back ? "the way back" : ""];
  return words.filter(Boolean).join(", ");
}
