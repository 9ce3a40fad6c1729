// Charts of the load on the staff page: the last hour of some figures, as lines. Independent of the page.

/** Length of a chart in seconds. */
const HOUR = 3600;

const mebibytes = (bytes) => Math.round((bytes / 1048576) * 10) / 10;

/** Figures: the words, the name in a status and in its history, and the conversion for display. */
const FIGURES = [
  ["Players on", "playing", Number],
  ["Connections", "connections", Number],
  ["Requests waiting", "requests_waiting", Number],
  ["Commits waiting", "commits_waiting", Number],
  ["Write-ahead log, MiB", "wal_bytes", mebibytes],
];

/** Returns a chart for each figure: its words, and the points of a line in a box of 100 by 40. */
export function chartsOf(status, history) {
  return FIGURES.map(([name, key, converted]) => {
    const samples = [...history[key], status[key]].map(converted);
    return { words: wordsOf(name, samples, history.every_secs), points: pointsOf(samples, history.every_secs) };
  });
}

function pointsOf(samples, every) {
  const most = Math.max(...samples, 1);
  const step = (100 * every) / HOUR;
  const first = 100 - (samples.length - 1) * step;
  const point = (value, at) => `${(first + at * step).toFixed(1)},${(38 - (value / most) * 36).toFixed(1)}`;
  return samples.map(point).join(" ");
}

function wordsOf(name, samples, every) {
  const minutes = Math.ceil(((samples.length - 1) * every) / 60);
  const time = minutes >= 60 ? "hour" : minutes > 1 ? `${minutes} minutes` : "minute";
  return `${name}: ${samples.at(-1)} now, ${Math.max(...samples)} at most in the last ${time}.`;
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
