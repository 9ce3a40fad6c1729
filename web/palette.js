// Makes the server's colours readable on the page's background: keeps the hue and changes the lightness until the
// contrast meets WCAG AA. Each colour becomes a rule of a separate style sheet, because the page's Content Security
// Policy forbids inline styles.

/** Target contrast: slightly above the 4.5 of AA. */
const CONTRAST = 4.6;

/** Maximum number of colours with a rule; the game uses fewer than thirty. */
const COLOURS_MAX = 512;

const SIXTEEN = [
  [70, 84, 86], [205, 92, 82], [124, 178, 104], [201, 164, 84], [96, 148, 214], [182, 126, 198], [84, 180, 178],
  [206, 214, 210], [128, 144, 146], [240, 112, 98], [148, 214, 128], [240, 205, 106], [130, 178, 240],
  [214, 152, 228], [110, 214, 210], [240, 244, 242],
];

const STEPS = [0, 95, 135, 175, 215, 255];

/** Returns red, green and blue of a colour of the 256-colour palette. */
export function fromCube(number) {
  if (number < 16) return SIXTEEN[number];
  if (number >= 232) return Array(3).fill(Math.min(8 + 10 * (number - 232), 255));
  const at = number - 16;
  return [STEPS[Math.floor(at / 36)], STEPS[Math.floor(at / 6) % 6], STEPS[at % 6]];
}

/** Returns the relative luminance (WCAG 2). */
function luminance(rgb) {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2). */
export function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the colour nearest to `rgb` that is readable on `background`. */
export function readable(rgb, background) {
  const goal = luminance(background) > 0.18 ? 0 : 255;
  for (let step = 0; step <= 20; step += 1) {
    const mixed = rgb.map((part) => Math.round(part + ((goal - part) * step) / 20));
    if (contrast(mixed, background) >= CONTRAST) return mixed;
  }
  return [goal, goal, goal];
}

export function fromHex(text) {
  return [1, 3, 5].map((at) => Number.parseInt(text.trim().slice(at, at + 2), 16));
}

const known = new Map();
let sheet = null;

function background() {
  return fromHex(window.getComputedStyle(document.documentElement).getPropertyValue("--surface"));
}

function rule(name, rgb) {
  return `.${name} { color: rgb(${readable(rgb, background()).join(" ")}); }`;
}

export function colourClass(rgb) {
  const name = `rgb-${rgb.join("-")}`;
  if (known.has(name)) return name;
  if (known.size >= COLOURS_MAX) return "";
  if (!sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  known.set(name, rgb);
  sheet.insertRule(rule(name, rgb));
  return name;
}

export function refreshColours() {
  sheet?.replaceSync([...known].map(([name, rgb]) => rule(name, rgb)).join("\n"));
}
