// Charts of the load on the staff page: the last minutes of some figures, as lines. Independent of the page.

/** Number of samples that are kept of each figure. */
export const KEPT = 120;

/** Figures: the words, and the value in a status. */
export const FIGURES = [
  ["Players on", (status) => status.playing],
  ["Connections", (status) => status.connections],
  ["Requests waiting", (status) => status.requests_waiting],
  ["Commits waiting", (status) => status.commits_waiting],
  ["Write-ahead log, MiB", (status) => Math.round((status.wal_bytes / 1048576) * 10) / 10],
];

/** Appends the figures of a status to their series, and drops the oldest samples. */
export function sampled(series, status) {
  return FIGURES.map(([, value], at) => [...(series[at] ?? []), Number(value(status) ?? 0)].slice(-KEPT));
}

/** Returns the points of a line, in a box of 100 by 40, and the largest value. */
export function lineOf(samples) {
  const most = Math.max(...samples, 1);
  const step = 100 / (KEPT - 1);
  const first = KEPT - samples.length;
  const point = (value, at) => `${((first + at) * step).toFixed(1)},${(38 - (value / most) * 36).toFixed(1)}`;
  return { points: samples.map(point).join(" "), most };
}

/** Returns a figure in words. */
export function wordsOf(name, samples) {
  return `${name}: ${samples.at(-1) ?? 0} now, ${Math.max(...samples, 0)} at most.`;
}

/** Returns the state of the server in words. */
export function stateOf(status) {
  const hours = Math.floor(status.up_secs / 3600);
  const minutes = Math.floor((status.up_secs % 3600) / 60);
  const world = status.world ?? {};
  const problems = { read_only: "The world is read-only.", slow_storage: "The disk does not respond." };
  const wrong = (status.problems ?? []).map((problem) => problems[problem] ?? `Problem: ${problem}.`);
  return [
    ...wrong,
    `Up for ${hours} h ${minutes} min. ${world.accounts ?? 0} accounts, ${world.rooms ?? 0} rooms, ${world.branches ?? 0} branches, ${world.branches_asleep ?? 0} of them asleep.`,
  ].join(" ");
}
