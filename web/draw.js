// Redraws parts of the page in place. The browser drops a click whose button was replaced or moved away between press and
// release, so redraws wait for the end of a press, and elements that stay are never replaced.

const PRESS_MAX = 2000;

/** Milliseconds after its release in which the click of a press may still come, as from touch screens. */
const CLICK_LATE = 300;

/** Timer that ends the current press; 0 if there is none. */
let press = 0;
/** Redraws that wait for the end of the press, by part. */
const due = new Map();

/** Runs a redraw of a part, after the press that is under way if there is one. Of several, the last is run. */
export function afterPress(part, work) {
  if (press) due.set(part, work);
  else work();
}

function hold(delay) {
  window.clearTimeout(press);
  press = window.setTimeout(release, delay);
}

function release() {
  window.clearTimeout(press);
  press = 0;
  const works = [...due.values()];
  due.clear();
  for (const work of works) work();
}

function begin(event) {
  const pressable = event.target.closest?.("button, a, summary, label, [data-send]");
  if (pressable && (event.type !== "keydown" || event.key === " ")) hold(PRESS_MAX);
}

for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, begin, true);
for (const type of ["pointerup", "pointercancel", "keyup"]) {
  document.addEventListener(type, () => press && hold(CLICK_LATE), true);
}
// The handlers of the click redraw immediately; the redraws that have waited run after them.
document.addEventListener("click", () => {
  if (!press) return;
  window.clearTimeout(press);
  press = 0;
  window.setTimeout(release);
}, true);

export function element(name, className = "", text = undefined) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Returns a button that sends a command. */
export function button(label, command, { name = "", className = "button small" } = {}) {
  const made = element("button", className, label);
  made.type = "button";
  if (name) made.setAttribute("aria-label", name);
  made.dataset.command = command;
  return made;
}

/** Handles the presses of all present and future buttons of a part. */
export function onPress(holder, send) {
  holder.addEventListener("click", ({ target }) => {
    const pressed = target.closest("button");
    if (pressed?.dataset.command && pressed.getAttribute("aria-disabled") !== "true") send(pressed.dataset.command);
  });
}

/** Identity of a node among its siblings: two nodes of one identity are the same element at different times. */
const identity = ({ nodeName, dataset = {} }) => [nodeName, dataset.key ?? dataset.command ?? ""].join(" ");

function update(node, other) {
  if (node.isEqualNode(other)) return;
  if (node.nodeType === Node.TEXT_NODE) {
    node.data = other.data;
    return;
  }
  for (const { name } of [...node.attributes]) if (!other.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of other.attributes) {
    // The page's policy forbids styles in attributes.
    if (name === "style") node.style.cssText = other.style.cssText;
    else node.setAttribute(name, value);
  }
  patch(node, [...other.childNodes]);
}

function patch(holder, children) {
  let at = holder.firstChild;
  const removeUntil = (end) => {
    while (at !== end) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
  };
  for (const child of children) {
    let same = at;
    while (same && identity(same) !== identity(child)) same = same.nextSibling;
    if (same) {
      removeUntil(same);
      at = same.nextSibling;
      update(same, child);
    } else holder.insertBefore(child, at);
  }
  removeUntil(null);
}

const nameOf = (node) => node.getAttribute("aria-label") ?? node.textContent;

/**
 * Changes the contents of a part to these. If the focused button is gone, the focus moves to one of the same name, or to
 * the part.
 */
export function redraw(holder, ...children) {
  const focused = document.activeElement;
  const held = holder !== focused && holder.contains(focused) ? nameOf(focused) : null;
  patch(holder, children);
  if (held === null || holder.contains(focused)) return;
  ([...holder.querySelectorAll("button")].find((one) => nameOf(one) === held) ?? holder).focus({ preventScroll: true });
}
