//! Model of the disk under a recorded server, and the states that a power failure may leave. Synced writes are present.
//! Any part of the later writes may be: none, all, a prefix, some of the writes, or some of their sectors, in any
//! order. A created, renamed or removed name is durable once its folder has been synced; until then it may be either.

use super::record::Event;
use deepwell::base::{Dice as _, Rng};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Size of an atomic write.
const SECTOR: usize = 512;
/// `O_CREAT` and `O_TRUNC` on Linux.
const CREATE: i64 = 0o100;
const TRUNCATE: i64 = 0o1000;

/// Target of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    Folder,
    File(usize),
}

/// Maximum number of unsynced name changes for which every combination is tried.
const ALL_TRIED: usize = 4;

/// Names are paths relative to the recorded folder; the empty name is the folder itself.
type Names = BTreeMap<String, Node>;

/// Changes to names made by one system call: new target, or `None` if removed.
#[derive(Clone, Debug)]
pub(super) struct Naming(Vec<(String, Option<Node>)>);

#[derive(Clone, Copy, Debug)]
enum Change<'a> {
    Write(usize, &'a [u8]),
    Resize(usize),
}

#[derive(Default)]
struct Contents<'a> {
    durable: Vec<u8>,
    /// Changes since the last sync, oldest first.
    changes: Vec<Change<'a>>,
}

/// State of the disk at one moment.
#[derive(Default)]
pub(super) struct Disk<'a> {
    /// Recorded folder.
    root: String,
    contents: Vec<Contents<'a>>,
    /// Names as the server sees them.
    names: Names,
    durable: Names,
    namings: Vec<Naming>,
    open: BTreeMap<i32, (String, Node)>,
}

/// Part of the unsynced changes that survives.
#[derive(Clone, Copy, Debug)]
enum Left {
    Nothing,
    Everything,
    /// A prefix, whose last write is torn.
    First,
    /// Some of the calls.
    Some,
    /// Some sectors of some calls, in any order.
    Sectors,
}

const LEFT: [Left; 5] = [Left::Nothing, Left::Everything, Left::First, Left::Some, Left::Sectors];

impl<'a> Disk<'a> {
    /// Reads a folder as if everything in it had been synced. Only files below `below` belong to the server.
    pub(super) fn of(root: &Path, below: &str) -> Self {
        let mut disk = Self { root: format!("{}/", root.display()), ..Self::default() };
        disk.names.insert(String::new(), Node::Folder);
        disk.add(&root.join(below));
        disk.durable = disk.names.clone();
        disk
    }

    fn add(&mut self, path: &Path) {
        let name = self.name(&path.to_string_lossy());
        if path.is_dir() {
            self.names.insert(name, Node::Folder);
            for entry in fs::read_dir(path).unwrap() {
                self.add(&entry.unwrap().path());
            }
        } else if path.is_file() && !name.ends_with("-shm") {
            let node = self.make(fs::read(path).unwrap());
            self.names.insert(name, node);
        }
    }

    fn make(&mut self, durable: Vec<u8>) -> Node {
        self.contents.push(Contents { durable, changes: Vec::new() });
        Node::File(self.contents.len() - 1)
    }

    fn name(&self, path: &str) -> String {
        path.strip_prefix(&self.root).unwrap_or_default().trim_end_matches('/').to_owned()
    }

    /// Applies the server's next event.
    pub(super) fn take(&mut self, event: &Event<'a>) {
        match *event {
            Event::Opened { fd, flags, path } => self.open(fd, flags, self.name(path)),
            Event::Closed { fd } => drop(self.open.remove(&fd)),
            Event::Wrote { fd, at, bytes } => self.change(fd, Change::Write(at, bytes)),
            Event::Truncated { fd, length } => self.change(fd, Change::Resize(length)),
            Event::Synced { fd } => self.sync(fd),
            Event::Linked { from, to } => {
                let node = self.names.get(&self.name(from)).copied();
                self.call(vec![(self.name(to), node)]);
            }
            Event::Renamed { from, to } => {
                if let Some(node) = self.names.get(&self.name(from)).copied() {
                    self.call(vec![(self.name(from), None), (self.name(to), Some(node))]);
                }
            }
            Event::Removed { path } => self.call(vec![(self.name(path), None)]),
            Event::FolderMade { path } => self.call(vec![(self.name(path), Some(Node::Folder))]),
            Event::Accepted { .. } | Event::Sent { .. } => {}
        }
    }

    fn open(&mut self, fd: i32, flags: i64, name: String) {
        let node = match self.names.get(&name) {
            Some(node) => *node,
            None if flags & CREATE != 0 => {
                let node = self.make(Vec::new());
                self.call(vec![(name.clone(), Some(node))]);
                node
            }
            // Not a tracked file.
            None => return,
        };
        self.open.insert(fd, (name, node));
        if flags & TRUNCATE != 0 {
            self.change(fd, Change::Resize(0));
        }
    }

    fn change(&mut self, fd: i32, change: Change<'a>) {
        if let Some((_, Node::File(file))) = self.open.get(&fd) {
            self.contents[*file].changes.push(change);
        }
    }

    fn call(&mut self, naming: Vec<(String, Option<Node>)>) {
        let naming = Naming(naming);
        naming.apply(&mut self.names);
        self.namings.push(naming);
    }

    fn sync(&mut self, fd: i32) {
        match self.open.get(&fd) {
            Some((_, Node::File(file))) => {
                let Contents { durable, changes } = &mut self.contents[*file];
                changes.drain(..).for_each(|change| change.apply(durable));
            }
            Some((folder, Node::Folder)) => {
                let (folder, durable) = (folder.clone(), &mut self.durable);
                self.namings.retain(|naming| {
                    let is_in = naming.0.iter().any(|(name, _)| folder_of(name) == folder);
                    if is_in {
                        naming.apply(durable);
                    }
                    !is_in
                });
            }
            None => {}
        }
    }

    /// Writes a possible state after a power failure to a folder. Files in a folder whose name is not durable are lost.
    pub(super) fn lay_out(&self, dice: &mut Rng, into: &Path) {
        // Name changes cannot be torn.
        let left = *dice.pick(&LEFT[..4]).expect("there are some");
        self.write_image_with_names(&drawn(left, &self.namings, dice), dice, into);
    }

    /// Returns every combination of unsynced name changes that may survive; empty if there are too many to try.
    pub(super) fn unsynced_name_combinations(&self) -> Vec<Vec<Naming>> {
        let count = self.namings.len();
        if count > ALL_TRIED {
            return Vec::new();
        }
        let chosen = |choice: usize| {
            let is_there = |(n, _): &(usize, &Naming)| choice & (1 << n) != 0;
            self.namings.iter().enumerate().filter(is_there).map(|(_, naming)| naming.clone()).collect()
        };
        (0..1 << count).map(chosen).collect()
    }

    /// Writes a possible state with the given name changes; the surviving file contents are chosen at random.
    pub(super) fn write_image_with_names(&self, namings: &[Naming], dice: &mut Rng, into: &Path) {
        let mut names = self.durable.clone();
        for naming in namings {
            naming.apply(&mut names);
        }
        // Hard links are preserved.
        let mut laid_out = BTreeMap::new();
        for (name, node) in &names {
            let is_there = std::iter::successors(Some(folder_of(name)), |name| Some(folder_of(name)))
                .take_while(|name| !name.is_empty())
                .all(|folder| names.get(folder) == Some(&Node::Folder));
            match node {
                Node::Folder if is_there && !name.is_empty() => fs::create_dir(into.join(name)).unwrap(),
                Node::File(file) if is_there => match laid_out.insert(*file, name) {
                    Some(other) => fs::hard_link(into.join(other), into.join(name)).unwrap(),
                    None => fs::write(into.join(name), self.contents[*file].left(dice)).unwrap(),
                },
                _ => {}
            }
        }
    }
}

impl Contents<'_> {
    fn left(&self, dice: &mut Rng) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        let left = *dice.pick(&LEFT).expect("there are some");
        let changes = drawn(left, &self.changes, dice);
        let last = changes.len().saturating_sub(1);
        for (n, change) in changes.into_iter().enumerate() {
            let is_torn = matches!(left, Left::Sectors) || matches!(left, Left::First) && n == last;
            match change {
                Change::Write(at, written) if is_torn => {
                    for (at, sector) in sectors(at, written) {
                        if dice.percent(50) {
                            Change::Write(at, sector).apply(&mut bytes);
                        }
                    }
                }
                change => change.apply(&mut bytes),
            }
        }
        bytes
    }
}

/// Returns the calls that survive, at least in part.
fn drawn<T: Clone>(left: Left, calls: &[T], dice: &mut Rng) -> Vec<T> {
    let mut calls = calls.to_vec();
    match left {
        Left::Nothing => calls.clear(),
        Left::Everything => {}
        Left::First => calls.truncate(dice.up_to(u32::try_from(calls.len()).unwrap()) as usize),
        Left::Some => calls.retain(|_| dice.percent(50)),
        Left::Sectors => dice.shuffle(&mut calls),
    }
    calls
}

/// Splits a write at sector boundaries.
fn sectors(at: usize, mut bytes: &[u8]) -> Vec<(usize, &[u8])> {
    let mut pieces = Vec::new();
    let mut at = at;
    while !bytes.is_empty() {
        let (piece, rest) = bytes.split_at(bytes.len().min(SECTOR - at % SECTOR));
        pieces.push((at, piece));
        (at, bytes) = (at + piece.len(), rest);
    }
    pieces
}

impl Change<'_> {
    fn apply(self, file: &mut Vec<u8>) {
        match self {
            Self::Write(at, bytes) => {
                file.resize(file.len().max(at + bytes.len()), 0);
                file[at..at + bytes.len()].copy_from_slice(bytes);
            }
            Self::Resize(length) => file.resize(length, 0),
        }
    }
}

impl Naming {
    fn apply(&self, names: &mut Names) {
        for (name, node) in &self.0 {
            match node {
                Some(node) => drop(names.insert(name.clone(), *node)),
                None => drop(names.remove(name)),
            }
        }
    }
}

fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}
