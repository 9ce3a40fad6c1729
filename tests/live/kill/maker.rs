//! Builder who creates, changes and deletes definitions of items, help pages and themes, exports them to files,
//! rewrites a room and saves it as a vault, and uses undo and redo.

use super::known::{Known, Step, UndoHistory, account};
use super::{Scene, Worker, builder};
use crate::client::{Client, Gone};
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::catalog::DefinitionKind;
use deepwell::world::{Definition, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

const NAME: &str = "Ragna";
const LAIR: &str = "Lair";
/// Maximum number of other workers' changes in between.
const PAUSE: u32 = 60;
/// Maximum number of commands sent in one write.
const LINES: u32 = 6;
/// Maximum number of definitions.
const DEFINITIONS: usize = 20;

/// Kind of definition, arguments of `make`, and the field changed afterwards.
struct Product {
    kind: DefinitionKind,
    like: &'static str,
    field: &'static str,
}

const PRODUCTS: [Product; 3] = [
    Product { kind: DefinitionKind::Item, like: "", field: "value" },
    Product { kind: DefinitionKind::Help, like: "", field: "title" },
    Product { kind: DefinitionKind::Theme, like: " like den", field: "lever_weight" },
];

impl Product {
    fn of(kind: DefinitionKind) -> &'static Self {
        PRODUCTS.iter().find(|known| known.kind == kind).expect("it makes such")
    }

    /// Returns the noun phrase used in acknowledgements.
    fn what(&self) -> String {
        let noun = self.kind.noun();
        if self.kind == DefinitionKind::Item { format!("kind of {noun}") } else { noun.to_owned() }
    }

    /// Returns the field's value in a definition's text.
    fn said(&self, text: &str) -> Option<String> {
        let value = |line: &str| {
            let line = line.strip_prefix(self.field)?;
            line.strip_prefix(" = ").or_else(|| line.strip_prefix(": ")).map(str::to_owned)
        };
        text.lines().find_map(value)
    }
}

/// Definitions by path, with the value of the field of each.
type Definitions = BTreeMap<String, Option<String>>;

/// Creates the builder and the zone.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let mut maker = server.create(NAME);
    server.login(builder::NAME).ask(&format!("promote {NAME} builder"));
    for line in ["goto lodge", "zone new lair", "dig Lair;lair = burrow,out", "goto lair", "zone set lair"] {
        maker.ask(line);
    }
    let made = server.state().join("made");
    vec![Box::new(Maker {
        known: Known::default(),
        undoing: UndoHistory::default(),
        written: Default::default(),
        made,
        next: 0,
    })]
}

/// State of the builder's work.
#[derive(Clone, PartialEq, Debug, Default)]
struct Made {
    definitions: Definitions,
    /// Description of the room.
    room: String,
    /// Description of the vault's room.
    vault: Option<String>,
}

struct Maker {
    known: Known<Made>,
    undoing: UndoHistory<Made>,
    /// Contents of the exported files, as acknowledged and with the export in flight; each file matches either.
    written: [Definitions; 2],
    /// Folder of the exported files.
    made: PathBuf,
    /// Number of the next definition or text.
    next: u32,
}

impl Worker for Maker {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = scene.enter(NAME)?;
        client.try_ask("goto lair")?;
        self.undoing = UndoHistory::default();
        loop {
            scene.pause(dice.up_to(PAUSE));
            let (mut now, mut steps) = (self.known.told().clone(), Vec::new());
            for _ in 0..dice.between(1, LINES) {
                let step = self.next_step(&now, dice);
                now = step.then.clone();
                steps.push(step);
            }
            self.known.carry_out(&mut client, scene, steps)?;
            if dice.percent(20) && !self.known.told().definitions.is_empty() {
                self.export(&mut client, scene)?;
            }
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let entry = |row: &Definition| (row.kind.path(&row.key), Product::of(row.kind).said(&row.text));
        let author = Some(account(stored, NAME).id);
        let own = stored.definitions.values().filter(|row| row.author == author);
        let definitions = own.map(entry).collect();
        let room = stored.rooms.values().find(|room| room.sheet.name == LAIR).expect("it was dug");
        let zones = &stored.meta.as_ref().expect("a world").zones;
        let vault = zones["lair"].vaults.get("lair").map(|vault| vault.rooms[0].content.description.clone());
        self.known.compare(Made { definitions, room: room.sheet.description.clone(), vault }, mismatches);
        self.compare_files(mismatches);
    }
}

impl Maker {
    fn next_step(&mut self, now: &Made, dice: &mut Rng) -> Step<Made> {
        let again = match dice.up_to(9) {
            0 | 1 => self.undoing.take_back(),
            2 | 3 => self.undoing.redo_step(),
            _ => None,
        };
        again.unwrap_or_else(|| {
            self.next += 1;
            let step = self.deed(now, dice);
            self.undoing.note(now, &step.then);
            step
        })
    }

    /// Returns a step that changes the state.
    fn deed(&self, now: &Made, dice: &mut Rng) -> Step<Made> {
        let (mut then, number) = (now.clone(), self.next);
        let paths: Vec<&String> = now.definitions.keys().collect();
        let one = dice.pick(&paths).and_then(|path| DefinitionKind::of_path(path));
        let (kind, line, message) = match (dice.up_to(4), one) {
            (0 | 1, Some((kind, key))) => {
                let (noun, Product { field, .. }) = (kind.noun(), Product::of(kind));
                let value = match kind {
                    DefinitionKind::Help => format!("Rules of {number}"),
                    _ => (number % 1_000).to_string(),
                };
                let quote = if kind == DefinitionKind::Help { "\"" } else { "" };
                let message = format!("The {noun} {key}: {field} is {quote}{value}{quote} now.");
                let line = format!("set {} {key} {field} = {value}", kind.name());
                then.definitions.insert(kind.path(key), Some(value));
                ("make", line, message)
            }
            (3, _) => {
                then.room = format!("Straw lies {number} deep.");
                ("describe", format!("describe here = {}", then.room), "It is written.".to_owned())
            }
            (4, _) if now.vault.as_ref() != Some(&now.room) => {
                then.vault = Some(now.room.clone());
                ("vault", "vault save lair south".to_owned(), "lair is a vault now: ".to_owned())
            }
            (roll, Some((kind, key))) if roll == 2 || now.definitions.len() >= DEFINITIONS => {
                then.definitions.remove(&kind.path(key));
                let message = format!("There is no {} {key} any more.", Product::of(kind).what());
                ("make", format!("destroy {} {key}", kind.name()), message)
            }
            _ => {
                let of = dice.pick(&PRODUCTS).expect("there are products");
                let (key, kind) = (format!("crate_of_{number}"), of.kind);
                let title = (kind == DefinitionKind::Help).then(|| key.replace('_', " "));
                then.definitions.insert(kind.path(&key), title);
                let message = format!("There is a {} {key} now", of.what());
                ("make", format!("make {} {key}{}", kind.name(), of.like), message)
            }
        };
        Step { kind, line, told: message, then }
    }

    /// Exports all definitions to files.
    fn export(&mut self, client: &mut Client, scene: &Scene<'_>) -> Result<(), Gone> {
        let mut after = self.written[0].clone();
        after.extend(self.known.told().definitions.clone());
        self.written[1].clone_from(&after);
        scene.begin("export");
        client.send("zone export made");
        for path in self.known.told().definitions.keys() {
            client.try_expect(&format!("made/{path} holds the "))?;
        }
        self.written[0] = after;
        scene.note("export");
        Ok(())
    }

    /// Compares the files with the acknowledged exports, and continues from the files.
    fn compare_files(&mut self, mismatches: &mut Vec<String>) {
        let mut found = Definitions::new();
        let paths: BTreeSet<&String> = self.written.iter().flat_map(BTreeMap::keys).collect();
        for path in paths {
            let (kind, _) = DefinitionKind::of_path(path).expect("it makes such");
            let there =
                fs::read_to_string(self.made.join(path)).ok().map(|text| Product::of(kind).said(&text));
            let may = self.written.each_ref().map(|written| written.get(path).cloned());
            if !may.contains(&there) {
                mismatches.push(format!("{path} says {there:?}, and not one of {may:?}"));
            }
            found.extend(there.map(|text| (path.clone(), text)));
        }
        self.written = [found.clone(), found];
    }
}
