//! Deliberate faults between the game and its storage, to prove that the harness can fail. The auditor must find each
//! fault by the named check, and the violation must include a command that reproduces it.

use deepwell::base::ItemId;
use deepwell::catalog::Catalog;
use deepwell::game::GameConfig;
use deepwell::game::input::recording::Recording;
use deepwell::tools::simulate::{
    Faithful, RunViolation, SimulatedStorage, SimulationPlan, is_given, replay_on, run_on, shrink_on,
};
use deepwell::world::{Changes, Item, Room, RoomFeature, RoomKind, Snapshot};
use std::sync::Arc;

/// Fault injected into a batch, given the stored world; the last argument holds rows back for a later batch.
type BatchFault = fn(&mut Changes, &Snapshot, &mut Changes);

/// Error in the game's settings.
type ConfigFault = fn(&mut GameConfig);

/// Storage with a fault.
struct Faulty {
    spoil: BatchFault,
    held: Changes,
    replies_early: bool,
    mistaken: Option<ConfigFault>,
}

impl Faulty {
    fn new(spoil: BatchFault) -> Self {
        Self { spoil, held: Changes::default(), replies_early: false, mistaken: None }
    }
}

impl SimulatedStorage for Faulty {
    fn write(&mut self, batch: &mut Changes, stored: &Snapshot) {
        (self.spoil)(batch, stored, &mut self.held);
    }

    fn lose(&mut self) {
        self.held = Changes::default();
    }

    fn forget(&self, config: &mut GameConfig) {
        if let Some(mistake) = self.mistaken {
            mistake(config);
        }
    }

    fn replies_early(&self) -> bool {
        self.replies_early
    }
}

fn violation(mut storage: Faulty, plan: &SimulationPlan, word: &str) -> RunViolation {
    match run_on(&mut storage, plan) {
        Ok(report) => panic!("the fault was not found:\n{report}"),
        Err(violation) => {
            assert!(violation.breach.0.contains(word), "the fault was found by other means: {violation}");
            *violation
        }
    }
}

fn assert_found_by(storage: Faulty, word: &str) {
    let violation = violation(storage, &SimulationPlan::new(12, 40, 5, 25), word);
    assert!(violation.again.contains("--seed 5") && !violation.moves.is_empty());
}

fn found(spoil: BatchFault, word: &str) {
    assert_found_by(Faulty::new(spoil), word);
}

/// Companions, corpses and gifts are rarer than combat, so these faults need more players.
fn assert_found_with_many_players(spoil: BatchFault, word: &str) {
    violation(Faulty::new(spoil), &SimulationPlan::new(40, 90, 6, 40), word);
}

/// Duplicates items of a batch under new ids.
fn double(batch: &mut Changes, which: impl Fn(&Item) -> bool) {
    let twice = batch.items.put.iter().filter(|row| which(row));
    let copies: Vec<Item> = twice.map(|row| Item { id: ItemId(row.id.0 | 1 << 40), ..row.clone() }).collect();
    batch.items.put.extend(copies);
}

/// Deleted rows remain: an expired branch reappears at the next start.
#[test]
fn finds_deleted_rows_that_remain() {
    let spoil: BatchFault = |batch, _, _| {
        batch.rooms.gone.clear();
        batch.exits.gone.clear();
        batch.branches.gone.clear();
    };
    found(spoil, "is back");
}

/// A cleared room is stored as not clear.
#[test]
fn finds_cleared_room_that_is_blocked_again() {
    let spoil: BatchFault = |batch, stored, _| {
        let not_yet = |row: &&mut Room| stored.rooms.get(&row.id).is_some_and(|r| !r.clear);
        batch.rooms.put.iter_mut().filter(not_yet).for_each(|row| row.clear = false);
    };
    found(spoil, "clear");
}

/// A moved item is written twice.
#[test]
fn finds_duplicated_items() {
    found(|batch, stored, _| double(batch, |row| stored.items.contains_key(&row.id)), "item");
}

/// The exits of new rooms are not written.
const LOSE_EXITS: BatchFault = |batch, stored, _| {
    let rooms = batch.rooms.put.iter().map(|room| room.id);
    let new: Vec<_> = rooms.filter(|id| !stored.rooms.contains_key(id)).collect();
    batch.exits.put.retain(|exit| exit.back || !new.contains(&exit.room));
};

#[test]
fn finds_lost_exits() {
    found(LOSE_EXITS, "unexplored");
}

/// A player who enters a branch is not stored as its member.
#[test]
fn finds_lost_membership() {
    let spoil: BatchFault = |batch, stored, _| {
        for row in batch.characters.put.iter_mut().filter(|row| row.is_player()) {
            row.branch = stored.characters.get(&row.id).and_then(|old| old.branch);
        }
    };
    found(spoil, "(E43)");
}

/// An executed tick of a start room is not written, and is repeated.
#[test]
fn finds_repeated_ticks() {
    let spoil: BatchFault = |batch, stored, _| {
        batch.start_tasks.put.retain(|row| !stored.start_tasks.contains_key(&row.room));
    };
    found(spoil, "due again");
}

/// Gained experience is not written.
#[test]
fn finds_lost_experience() {
    let spoil: BatchFault = |batch, stored, _| {
        for row in &mut batch.characters.put {
            row.xp = stored.characters.get(&row.id).map_or(row.xp, |old| old.xp);
        }
    };
    found(spoil, "experience");
}

/// The last table of a batch is written only with the next batch.
#[test]
fn finds_torn_batches() {
    // The first violation found differs by seed; for one of these seeds it is that the ledger misses a character's row.
    let spoil: BatchFault = |batch, _, held| std::mem::swap(&mut batch.characters, &mut held.characters);
    let by_the_books = |seed| {
        let violation = violation(Faulty::new(spoil), &SimulationPlan::new(12, 40, seed, 25), "");
        violation.breach.0.contains("(D8)")
    };
    assert!((13..23).any(by_the_books), "the books miss nothing");
}

/// Clients are sent messages before the batch is committed.
#[test]
fn finds_replies_before_the_commit() {
    // A crash undoes what was sent only between reply and commit, so it takes many crashes.
    let storage = Faulty { replies_early: true, ..Faulty::new(|_, _, _| {}) };
    let found = violation(storage, &SimulationPlan::new(12, 40, 5, 200), "");
    // A login, or what was sent of a character or of a room: whichever the crash undoes first.
    assert!(["entered", "sent"].iter().any(|word| found.breach.0.contains(word)), "{found}");
}

/// Limits that the game does not enforce.
#[test]
fn finds_unenforced_limits() {
    let limits: [(ConfigFault, ConfigFault, &str); 3] = [
        (|it| it.limits.items_carried = 2, |it| it.limits.items_carried = u32::MAX, "things carried"),
        (|it| it.limits.items_in_room = 2, |it| it.limits.items_in_room = u32::MAX, "things in a room"),
        (
            |it| it.limits.rooms_per_branch = 10,
            |it| it.limits.rooms_per_branch = u32::MAX,
            "rooms of a branch",
        ),
    ];
    for (limit, forget, message) in limits {
        let mut plan = SimulationPlan::new(12, 40, 5, 25);
        limit(&mut plan.config);
        violation(Faulty { mistaken: Some(forget), ..Faulty::new(|_, _, _| {}) }, &plan, message);
    }
}

/// Ticks that run late.
#[test]
fn finds_late_ticks() {
    let deadlines: [(ConfigFault, &str); 2] = [
        (|it| it.dungeon.reset_interval.0 += 1_000, "reset (E46)"),
        (|it| it.dungeon.check_interval.0 += 1_000, "check (E47)"),
    ];
    for (mistake, message) in deadlines {
        assert_found_by(Faulty { mistaken: Some(mistake), ..Faulty::new(|_, _, _| {}) }, message);
    }
}

/// A corpse is stored without its owner.
#[test]
fn finds_corpses_without_an_owner() {
    assert_found_with_many_players(
        |batch, _, _| batch.items.put.iter_mut().for_each(|row| row.owner = None),
        "owner",
    );
}

/// An item passed between players is stored for both.
#[test]
fn finds_items_given_twice() {
    assert_found_with_many_players(|batch, stored, _| double(batch, |row| is_given(stored, row)), "(D8)");
}

/// Companions get a share of the experience.
#[test]
fn finds_companions_that_gain_experience() {
    let spoil: BatchFault = |batch, _, _| {
        let companions = batch.characters.put.iter_mut().filter(|row| row.master.is_some());
        companions.for_each(|row| row.xp += 1);
    };
    assert_found_with_many_players(spoil, "creature's experience");
}

/// A changed purse is stored with one copper too many.
#[test]
fn finds_money_from_nowhere() {
    let spoil: BatchFault = |batch, stored, _| {
        for row in &mut batch.characters.put {
            let purse = stored.characters.get(&row.id).map_or(row.money.purse, |old| old.money.purse);
            row.money.purse += i64::from(row.money.purse != purse);
        }
    };
    found(spoil, "money");
}

/// Only a room with a gate may become ordinary: here a new ordinary room is stored as one with a gate, which disappears
/// when the room is written again.
#[test]
fn finds_rooms_that_change_kind() {
    found(
        |batch, stored, _| {
            let plain =
                |row: &&mut Room| row.sheet.kind == RoomKind::Dungeon && !row.clear && row.branch.is_some();
            let new = |row: &&mut Room| plain(row) && !stored.rooms.contains_key(&row.id);
            batch.rooms.put.iter_mut().filter(new).for_each(|row| {
                row.sheet.kind = RoomKind::Puzzle;
                row.challenge.feature = Some(RoomFeature::Gate { puzzle: 0 });
            });
        },
        "not the room that it was",
    );
}

/// Shrinks a faulty run to the moves it needs. It must fail in the same way again, also when read from its file.
fn shrunk(spoil: BatchFault, plan: &SimulationPlan, word: &str) -> (RunViolation, Recording) {
    let violation = violation(Faulty::new(spoil), plan, word);
    let recording = shrink_on(&mut Faulty::new(spoil), plan, &violation);
    let read = Recording::read(&recording.text().unwrap()).unwrap();
    let catalog = Arc::new(Catalog::builtin());
    let replayed = replay_on(&mut Faulty::new(spoil), &catalog, &read, Snapshot::default()).unwrap_err();
    assert_eq!((&replayed.breach.0, &replayed.moves), (&recording.header.ends, &recording.moves));
    assert_eq!(replayed.breach.kind(), violation.breach.kind());
    (violation, recording)
}

/// A lost exit shows at the next start, and only if one of the players has discovered it.
#[test]
fn failing_run_is_shrunk_to_a_few_moves() {
    let (violation, recording) = shrunk(LOSE_EXITS, &SimulationPlan::new(12, 40, 5, 1), "unexplored");
    let (all, kept) = (violation.moves.len(), recording.moves.len());
    assert!(all > 300 && kept < 20, "{kept} of {all}: {}", recording.text().unwrap());
    // Without the fault, the recording replays without violations.
    let catalog = Arc::new(Catalog::builtin());
    replay_on(&mut Faithful, &catalog, &recording, Snapshot::default()).unwrap();
}

#[test]
fn shrinking_is_deterministic() {
    let spoil: BatchFault = |batch, stored, _| {
        batch.start_tasks.put.retain(|row| !stored.start_tasks.contains_key(&row.room));
    };
    let plan = SimulationPlan::new(3, 40, 5, 25);
    let text = || shrunk(spoil, &plan, "due again").1.text().unwrap();
    assert_eq!(text(), text());
}
