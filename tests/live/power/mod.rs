//! Power failures. A small library (`tap.c`) records the file operations and output of the real server. From the
//! recording, possible disk states at chosen moments are built, opened as at a start, and compared with the changes
//! acknowledged until then: acknowledged changes are present, the command in flight is stored completely or not at all,
//! nothing is duplicated. Play continues, life after life, on one of the disk states.

mod below;
mod cast;
mod copies;
mod disk;
mod record;
mod smith;
mod tale;
mod town;
mod well;

use crate::PATIENCE;
use crate::kill::content;
use crate::server::Server;
use cast::{Founder, Person, Work};
use deepwell::base::{Dice as _, Rng, Seed};
use deepwell::catalog::Catalog;
use deepwell::game::{Effects, Game, GameConfig, Input};
use deepwell::store::{Store, check};
use deepwell::world::Snapshot;
use disk::Disk;
use record::{Event, Tap, events};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::{env, fmt, fs, thread};
use tale::{Audience, Facts, Secrets, Tale};
use tempfile::TempDir;

/// Number of disk images, unless `DEEPWELL_IMAGES` is set.
const IMAGES: u32 = 40;
/// Acknowledged commands per image, for [`Cast::Town`] and [`Cast::Below`]. The latter has fewer workers, whose
/// commands do more.
const DEEDS: u32 = 90;
const DEEDS_BELOW: u32 = 30;
/// Images per recording, and per world: a growing world takes longer to load.
const EACH: u32 = 30;
const OF_WORLD: u32 = 200;
/// Number of worlds played concurrently.
const WORLDS: usize = 3;

/// Returns the text that marks the end of an answer.
fn fence(number: u32) -> String {
    format!("You know no way to \"fence{number}\".")
}

/// Fault through which a server would lose acknowledged changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// Files are never synced.
    NoSync,
    /// Folders are never synced.
    NoFolderSync,
    /// Messages are sent before the sync that they depend on.
    EarlyReply,
}

/// Workers and content of a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cast {
    /// Only the worker that creates accounts.
    Founder,
    /// Workers of the town and the well, with the shipped content.
    Town,
    /// Workers that build with undo, open branches, solve puzzles and roll for loot, with the content of the kill
    /// tests.
    Below,
}

/// Recorded server, and the workers that play on it.
struct Run {
    cast: Cast,
    server: Server,
    tap: Tap,
    people: Vec<Box<dyn Person>>,
    tales: Vec<Tale>,
    dice: Rng,
    secrets: Secrets,
    catalog: Arc<Catalog>,
    fault: Option<Fault>,
    figures: Figures,
    /// Last disk image, not yet opened, and its stored world.
    left: TempDir,
    stored: Arc<Snapshot>,
    /// Contradictions found in any image.
    wrong: Vec<String>,
}

/// Counts of the work done, which show that the test is effective.
#[derive(Default)]
struct Figures {
    images: u32,
    records: u32,
    writes: usize,
    syncs: usize,
    sent: usize,
    compared: usize,
    told: BTreeMap<&'static str, usize>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { images, records, writes, syncs, sent, compared, told } = self;
        let changes: usize = told.values().sum();
        let kinds: Vec<_> = told.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        write!(
            f,
            "{images} images of {records} records: {writes} writes, {syncs} syncs and {sent} sends recorded, {changes} \
             acknowledged changes ({}), {compared} facts compared",
            kinds.join(", ")
        )
    }
}

impl Run {
    /// Prepares a server that has never run; `None` if its calls cannot be recorded.
    fn prepare(seed: Seed, cast: Cast, fault: Option<Fault>) -> Option<Self> {
        let left = TempDir::new().unwrap();
        let settings = [
            "world.seed=5",
            // Branches must not expire.
            "dungeon.reset_chance=0",
            "limits.commands_per_second=100000",
            "limits.commands_burst=100000",
            "auth.slots=2",
            "auth.accounts_per_hour=100000",
            "auth.guesses_per_minute=10000",
            "game.round=200ms",
        ];
        let (mut server, catalog) = match cast {
            Cast::Founder | Cast::Town => {
                (Server::prepare_without_roamers(&settings), Arc::new(Catalog::builtin()))
            }
            Cast::Below => {
                (Server::prepare_with_content(content::files(), &settings), Arc::clone(&content::CATALOG))
            }
        };
        let Some(tap) = Tap::build(server.folder()) else {
            eprintln!("skipped: there is no cc to build what records the calls of the server");
            return None;
        };
        server.set_environment(tap.environment(server.folder()));
        Some(Self {
            cast,
            server,
            tap,
            people: Vec::new(),
            tales: Vec::new(),
            dice: seed.named("power").rng(),
            secrets: Secrets::default(),
            catalog,
            fault,
            figures: Figures::default(),
            left,
            stored: Arc::default(),
            wrong: Vec::new(),
        })
    }

    /// Runs the first start in an empty folder, creates all workers and the first accounts.
    fn found(&mut self, images: u32) {
        let disk = Disk::of(self.server.folder(), "var");
        self.server.restart(&[]);
        self.people = match self.cast {
            Cast::Founder => Vec::new(),
            Cast::Town => cast::found(&self.server),
            Cast::Below => cast::create_workers_below(&self.server),
        };
        let (done, _) = mpsc::channel();
        let (mut founder, mut tale) = (Founder::default(), Tale::default());
        let dice = self.dice.clone();
        let mut work = Work { address: self.server.address(), dice, tale: &mut tale, done };
        (0..3).for_each(|_| drop(founder.make(&mut work).expect("the server runs")));
        self.people.push(Box::new(founder));
        self.tales.resize_with(self.people.len() - 1, Tale::default);
        self.tales.push(tale);
        self.server.kill();
        self.lose_power(disk, images);
    }

    /// Continues on the last image: all workers play until this many commands are acknowledged.
    fn live(&mut self, deeds: u32, images: u32) {
        let state = self.server.state();
        fs::remove_dir_all(&state).unwrap();
        copy_folder(&self.left.path().join("var"), &state);
        let check = self.server.check();
        assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
        let stored = Arc::clone(&self.stored);
        let facts = Arc::new(facts_of(&stored));
        for (person, tale) in self.people.iter_mut().zip(&mut self.tales) {
            tale.start_over(&facts, &mut self.secrets);
            person.begin(&stored, tale);
        }
        let disk = Disk::of(self.server.folder(), "var");
        self.server.restart(&[]);
        let address = self.server.address();
        let (done, answered) = mpsc::channel();
        thread::scope(|scope| {
            for (n, (person, tale)) in (0..).zip(self.people.iter_mut().zip(&mut self.tales)) {
                let dice = Seed(self.dice.up_to(u32::MAX).into()).numbered(n).rng();
                let work = Work { address, dice, tale, done: done.clone() };
                scope.spawn(move || person.work(work));
            }
            for n in 0..deeds {
                answered
                    .recv_timeout(PATIENCE)
                    .unwrap_or_else(|_| panic!("only {n} of {deeds} lines were answered"));
            }
            self.server.kill();
        });
        self.lose_power(disk, images);
    }

    /// Replays the recording, and builds and examines images of chosen moments. The last image is that of the very end.
    fn lose_power(&mut self, disk: Disk<'static>, images: u32) {
        let record = self.tap.take();
        let mut disk: Disk<'_> = disk;
        let events = spoilt(events(&record), self.fault);
        self.figures.count(&events, &self.tales);
        let moments = moments(&events, images, &mut self.dice);
        let mut tales = std::mem::take(&mut self.tales);
        let mut audience = Audience::of(&mut tales);
        for (n, event) in events.iter().enumerate() {
            disk.take(event);
            audience.take(event);
            for moment in moments.iter().filter(|moment| moment.0 == n) {
                self.lay_out(&disk, &audience, *moment);
            }
        }
        let unheard = audience.unsent_acknowledgements();
        assert!(unheard.is_empty(), "never sent, or in another order: {unheard:?}");
        self.tales = tales;
    }

    fn lay_out(&mut self, disk: &Disk<'_>, audience: &Audience<'_>, moment: (usize, &str)) {
        self.left = TempDir::new().unwrap();
        disk.lay_out(&mut self.dice, self.left.path());
        // A start creates this folder as well.
        fs::create_dir_all(self.left.path().join("var")).unwrap();
        self.figures.images += 1;
        let mistakes = match self.examine() {
            Ok(stored) => {
                self.stored = Arc::new(stored);
                let facts = facts_of(&self.stored);
                audience.compare(&facts, &mut self.secrets, &mut self.figures.compared)
            }
            Err(mistake) => vec![mistake],
        };
        let image = format!("image {}, after event {}, {}", self.figures.images, moment.0, moment.1);
        self.wrong.extend(mistakes.into_iter().map(|mistake| format!("{image}: {mistake}")));
    }

    /// Opens a copy of an image as at a start, and checks its consistency.
    fn examine(&self) -> Result<Snapshot, String> {
        let copy = TempDir::new().unwrap();
        copy_folder(&self.left.path().join("var"), &copy.path().join("var"));
        let stored = open(&copy.path().join("var/deepwell.db"))?;
        let game = Game::load(Arc::clone(&self.catalog), GameConfig::default(), stored.clone());
        let mut game = game.map_err(|error| format!("it cannot be played: {error:?}"))?;
        game.step(game.time(), Input::Wake, &mut Effects::new());
        let broken = game.check();
        if broken.is_empty() { Ok(stored) } else { Err(broken.join("; ")) }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn open(database: &Path) -> Result<Snapshot, String> {
    let failed = |error: deepwell::store::StoreError| error.to_string();
    let mut store = Store::open(database).await.map_err(failed)?;
    let stored = store.load().await.map_err(failed)?;
    store.close().await.map_err(failed)?;
    let mistakes = check(database).await.map_err(failed)?;
    if mistakes.is_empty() { Ok(stored) } else { Err(mistakes.join("; ")) }
}

fn facts_of(stored: &Snapshot) -> Facts {
    let mut facts = Facts::new();
    town::add_facts(stored, &mut facts);
    smith::add_facts(stored, &mut facts);
    below::add_facts(stored, &mut facts);
    well::add_facts(stored, &mut facts);
    facts
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Returns the moments of power failure: the index of the event before, and a label. Most are just after a reply or
/// next to a sync, where any fault shows; one is the very end.
fn moments(events: &[Event<'_>], count: u32, dice: &mut Rng) -> Vec<(usize, &'static str)> {
    let all = |is: fn(&Event<'_>) -> bool, back| -> Vec<usize> {
        let found = events.iter().enumerate().filter(|(_, event)| is(event));
        found.map(|(n, _)| n.saturating_sub(back)).collect()
    };
    let is_sync = |event: &Event<'_>| matches!(event, Event::Synced { .. });
    let kinds = [
        ("just told", all(|event| matches!(event, Event::Sent { .. }), 0)),
        ("just synced", all(is_sync, 0)),
        ("about to be synced", all(is_sync, 1)),
        ("being written", all(|event| matches!(event, Event::Wrote { .. } | Event::Truncated { .. }), 0)),
        ("at any moment", (0..events.len()).collect()),
    ];
    let mut moments: Vec<_> = (1..count)
        .filter_map(|_| {
            let (kind, at) = dice.pick(&kinds)?;
            dice.pick(at).map(|at| (*at, *kind))
        })
        .collect();
    moments.push((events.len() - 1, "at the end"));
    moments.sort_unstable();
    moments
}

/// Returns the recording that a server with the fault would produce.
fn spoilt(events: Vec<Event<'_>>, fault: Option<Fault>) -> Vec<Event<'_>> {
    let Some(fault) = fault else { return events };
    let mut folders = Vec::new();
    let mut late = Vec::new();
    let mut spoilt = Vec::new();
    for event in events {
        match event {
            Event::Opened { fd, path, .. } if path.ends_with("/var") => folders.push(fd),
            Event::Opened { fd, .. } => folders.retain(|folder| *folder != fd),
            _ => {}
        }
        match (&event, fault) {
            (Event::Synced { fd }, Fault::NoSync) if !folders.contains(fd) => {}
            (Event::Synced { fd }, Fault::NoFolderSync) if folders.contains(fd) => {}
            (Event::Synced { .. }, Fault::EarlyReply) => late.push(event),
            (Event::Sent { .. }, _) => {
                spoilt.push(event);
                spoilt.append(&mut late);
            }
            _ => spoilt.push(event),
        }
    }
    spoilt
}

impl Figures {
    fn add(&mut self, other: Self) {
        self.images += other.images;
        self.records += other.records;
        self.writes += other.writes;
        self.syncs += other.syncs;
        self.sent += other.sent;
        self.compared += other.compared;
        for (kind, count) in other.told {
            *self.told.entry(kind).or_default() += count;
        }
    }

    fn count(&mut self, events: &[Event<'_>], tales: &[Tale]) {
        self.records += 1;
        for event in events {
            match event {
                Event::Wrote { .. } => self.writes += 1,
                Event::Synced { .. } => self.syncs += 1,
                Event::Sent { .. } => self.sent += 1,
                _ => {}
            }
        }
        for note in tales.iter().flat_map(Tale::notes) {
            *self.told.entry(note.kind).or_default() += 1;
        }
    }
}

fn number(name: &str, default: u32) -> u32 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Promise 1, D1 to D3, D7: after a power failure, acknowledged changes are present, and every other change is stored
/// completely or not at all. `DEEPWELL_IMAGES=2000 cargo test --test live power -- --nocapture` for more.
#[test]
fn acknowledged_changes_survive_power_failure() {
    let (images, seed) = (number("DEEPWELL_IMAGES", IMAGES), number("DEEPWELL_SEED", 1));
    // At least one world per cast.
    let count = images.div_ceil(OF_WORLD).max(2);
    let worlds: Vec<u32> = (0..count).collect();
    let play = |world: u32| {
        let cast = if world.is_multiple_of(2) { Cast::Town } else { Cast::Below };
        let images = images / count + u32::from(world < images % count);
        play(Seed(seed.into()).numbered(world.into()), cast, images)
    };
    let mut figures = Figures::default();
    for worlds in worlds.chunks(WORLDS) {
        thread::scope(|scope| {
            let played: Vec<_> = worlds.iter().map(|&world| scope.spawn(move || play(world))).collect();
            for played in played {
                figures.add(played.join().expect("what is wrong has been told"));
            }
        });
    }
    crate::figures::tell(&figures.to_string());
}

/// Plays in a new world until this many images have been examined.
fn play(seed: Seed, cast: Cast, images: u32) -> Figures {
    let Some(mut run) = Run::prepare(seed, cast, None) else { return Figures::default() };
    run.found((EACH / 2).min(images));
    while run.figures.images < images && run.wrong.is_empty() {
        let each = EACH.min(images - run.figures.images);
        run.live(each * if cast == Cast::Below { DEEDS_BELOW } else { DEEDS }, each);
        run.server.assert_sound();
    }
    assert!(run.wrong.is_empty(), "{seed:?}:\n{}", run.wrong.join("\n"));
    eprintln!("a world: {}", run.figures);
    run.figures
}

/// Reliability 10: checks that the harness detects the fault.
fn finds(fault: Fault) {
    let Some(mut run) = Run::prepare(Seed(1), Cast::Founder, Some(fault)) else { return };
    run.found(40);
    assert!(
        run.wrong.iter().any(|mistake| mistake.contains("account ")),
        "{fault:?} is not found: {:?}",
        run.wrong
    );
}

#[test]
fn unsynced_files_are_detected() {
    finds(Fault::NoSync);
}

#[test]
fn unsynced_file_names_are_detected() {
    finds(Fault::NoFolderSync);
}

#[test]
fn replies_before_the_sync_are_detected() {
    finds(Fault::EarlyReply);
}
