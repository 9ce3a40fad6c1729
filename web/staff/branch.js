// Map of a branch on the staff page: the rooms of a floor as squares, with the number of players in each. Independent of
// the page.

const SIDE = 44;
const GAP = 16;
const STEP = SIDE + GAP;
const SVG = "http://www.w3.org/2000/svg";

/** Returns the rooms of a floor with their places on the map. */
export function placesOf({ rooms }) {
  const west = Math.min(...rooms.map((room) => room.x));
  const north = Math.max(...rooms.map((room) => room.y));
  return rooms.map((room) => ({ ...room, left: (room.x - west) * STEP + GAP, top: (north - room.y) * STEP + GAP }));
}

/** Returns what the map shows, in words. */
export function wordsOf(places, isCut = false) {
  if (places.length === 0) return "This floor has no rooms.";
  const there = places.filter((place) => place.players.length > 0);
  const clear = places.filter((place) => place.clear).length;
  const all = isCut ? "The first " : "";
  const rooms = `${all}${places.length} ${places.length === 1 ? "room" : "rooms"}, ${clear} clear.`;
  return [rooms, ...there.map((place) => `${place.players.join(", ")}: ${place.name}, room ${place.num}.`)].join(" ");
}

function element(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Draws a floor. */
export function drawn(places) {
  const right = Math.max(...places.map((place) => place.left), 0) + STEP;
  const bottom = Math.max(...places.map((place) => place.top), 0) + STEP;
  const at = new Map(places.map((place) => [place.num, place]));
  const half = SIDE / 2;
  const ways = places.flatMap((place) =>
    place.to.filter((to) => at.has(to) && place.num < to).map((to) => {
      const end = at.get(to);
      return element("line", { class: "link", x1: place.left + half, y1: place.top + half, x2: end.left + half, y2: end.top + half });
    }),
  );
  const rooms = places.map((place) => {
    const kind = place.players.length > 0 ? "room there" : place.clear ? "room" : "room unclear";
    const count = place.players.length > 0 ? String(place.players.length) : "";
    return element(
      "g",
      { class: kind },
      element("title", {}, [place.name, ...place.players].join(", ")),
      element("rect", { x: place.left, y: place.top, width: SIDE, height: SIDE, rx: 6 }),
      element("text", { x: place.left + half, y: place.top + half + 4 }, count),
    );
  });
  const size = { width: right, height: bottom, viewBox: `0 0 ${right} ${bottom}` };
  return element("svg", { ...size, role: "img", "aria-label": "Map of the floor, told in words below" }, ...ways, ...rooms);
}
