// Drafts of zones on the builder page: the lines that begin, publish and discard one. The game tells what each would do before
// it is done. Independent of the page.

/** Returns the group of actions of a draft, as `groupsOf` does for a room. */
function groupsOf({ key, fields: { of } }) {
  const [publish, discard] = [`zone publish ${key}`, `zone discard ${key}`];
  return [{
    title: "This draft", key: "draft", fields: [],
    notes: [`It is a draft of the zone ${of}. Players see none of it until it is published.`],
    actions: [
      { words: "Edit this draft", enter: key },
      { words: "See what publishing would do", line: publish },
      { words: `Publish draft ${key}`, line: `${publish} now`, sure: true, before: publish },
    ],
    remove: { words: `Discard draft ${key}`, line: `${discard} now`, sure: true, before: discard },
  }];
}

/** What the page knows of drafts, for `Definitions`. */
export const DRAFTS = {
  kind: "draft", prefix: "draft-", title: "Drafts", isPart: true, groupsOf,
  about: "Copies of zones in which you build unseen. There are:",
  fresh: { key: "Zone that gets a draft, or the key of a new zone", line: (zone) => `zone draft ${zone}`, isEntered: true },
  additions: [],
};
