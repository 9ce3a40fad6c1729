//! Fuzz target for stored rows: loading trusts none.

use super::{Draws, Target, fuzz, outcome};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Span;
use deepwell::game::{Effects, Game, Input};
use deepwell::world::Snapshot;
use serde_json::{Value, json};
use std::sync::Arc;

/// Maximum number of steps for a loaded world to run its overdue timers.
const STEPS: u32 = 1_000;

/// Returns a played world with branches, a fight, carried items, a party and builders' work, as JSON.
fn played_world() -> Value {
    let mut table = Table::new(seeded(11));
    for name in ["Olad", "Bera", "Cara"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types_all(
        "Olad",
        &["dig Cellar = hatch, out", "describe here = A wide place.", "alias k=kill $1", "config brief on"],
    );
    table.types_all("Bera", &["down", "east", "get all", "kill rat"]);
    table.types_all("Cara", &["party invite bera", "report Bera is rude.", "down", "west"]);
    table.waits(Span::secs(5));
    table.break_link("Cara");
    serde_json::to_value(table.stored()).expect("a snapshot is JSON")
}

/// Returns a nested value selected by the input.
fn nested_value<'v>(value: &'v mut Value, draws: &mut Draws<'_>) -> &'v mut Value {
    let inner = match value {
        Value::Object(fields) => fields.len(),
        Value::Array(values) => values.len(),
        _ => 0,
    };
    if inner == 0 || draws.byte().is_multiple_of(8) {
        return value;
    }
    let n = draws.below(inner);
    match value {
        Value::Object(fields) => nested_value(fields.values_mut().nth(n).expect("so many fields"), draws),
        other => nested_value(&mut other[n], draws),
    }
}

/// Replaces, removes or duplicates a value.
fn corrupt(value: &mut Value, draws: &mut Draws<'_>) {
    let number = value.as_i64();
    *value = match (draws.byte() % 20, &mut *value) {
        (0, _) => Value::Null,
        (1, _) => json!(0),
        (2, _) => json!(-1),
        (3, _) => json!(u64::MAX),
        (4, _) => json!(i64::MAX),
        (5, _) => json!(i32::MAX),
        (6, _) => json!(u32::MAX),
        (7, _) => json!(""),
        (8, _) => json!("\u{1b}[31m\n"),
        (9, _) => json!([]),
        (10, _) => json!({}),
        (11, _) => json!(true),
        (12, Value::Object(fields)) if !fields.is_empty() => {
            let n = draws.below(fields.len());
            let key = fields.keys().nth(n).cloned().unwrap_or_default();
            fields.shift_remove(&key);
            return;
        }
        (13, Value::Array(values)) if !values.is_empty() => {
            let n = draws.below(values.len());
            let again = values[n].clone();
            values.push(again);
            return;
        }
        (14, Value::Array(values)) => {
            values.pop();
            return;
        }
        (15, Value::String(text)) => json!(text.repeat(1 + usize::from(draws.byte()))),
        (17, _) => json!(number.unwrap_or(0).wrapping_neg()),
        (18, _) => json!(number.unwrap_or(0).saturating_add(1_000_000_000_000)),
        _ => json!(number.unwrap_or(1).wrapping_add(i64::from(draws.byte()) - 100)),
    };
}

/// A world of corrupted rows is rejected with a message or plays on with all invariants; what loads is stored again
/// unchanged.
#[test]
fn d6_corrupted_rows_are_rejected_or_harmless() {
    let world = played_world();
    let seeds = (0..=255).step_by(5).map(|n| vec![n, 1, n, 1, n, 1, 1, n, n]).collect();
    fuzz(&Target { name: "rows", runs: 600, seeds, words: vec![vec![1, 1], vec![0], vec![8; 4]] }, |input| {
        let (mut spoilt, mut draws) = (world.clone(), Draws(input));
        for _ in 0..3 {
            if !draws.is_empty() {
                corrupt(nested_value(&mut spoilt, &mut draws), &mut draws);
            }
        }
        let stored: Snapshot = match serde_json::from_value(spoilt) {
            Ok(stored) => stored,
            Err(error) => return outcome(error.to_string().split('`').next()),
        };
        let text = serde_json::to_string(&stored).unwrap();
        assert!(serde_json::from_str::<Snapshot>(&text).unwrap() == stored, "stored again it is another");
        let misplaced = stored.misplaced();
        let mut game = match Game::load(Arc::clone(&CATALOG), seeded(11), stored) {
            Ok(game) => {
                assert_eq!(misplaced, [""; 0], "loaded under the numbers of others");
                game
            }
            Err(error) => {
                let mistakes = error.mistakes();
                assert!(!mistakes.is_empty() && mistakes.iter().all(|mistake| !mistake.is_empty()));
                let message: String = mistakes[0].chars().filter(|c| !c.is_ascii_digit()).collect();
                return outcome(message);
            }
        };
        let mut effects = Effects::new();
        game.step(game.time(), Input::Wake, &mut effects);
        assert_eq!(game.check(), [""; 0]);
        let mut steps = 0;
        for hours in [1, 24, 24 * 30] {
            // Time jumps forward: overdue timers run, and no deadline stays in the past.
            let later = game.time() + Span::mins(60 * hours);
            while game.next_deadline().is_some_and(|due| due <= later) {
                game.step(later, Input::Wake, &mut effects);
                steps += 1;
                assert!(steps < STEPS, "it does not come to rest at {later:?}");
            }
            assert_eq!(game.check(), [""; 0]);
        }
        outcome(effects.len())
    });
}

#[test]
fn d6_row_with_mismatched_id_is_rejected_in_every_table() {
    let world = played_world();
    let tables = world.as_object().unwrap().iter().filter(|(_, rows)| {
        rows.as_object().is_some_and(|rows| rows.keys().all(|key| key.parse::<u64>().is_ok()))
    });
    let mut tried = 0;
    for (table, rows) in tables {
        let Some((number, row)) = rows.as_object().unwrap().iter().next_back() else { continue };
        let mut spoilt = world.clone();
        let moved = spoilt[table].as_object_mut().unwrap();
        moved.insert("999999".into(), row.clone());
        let stored: Snapshot = serde_json::from_value(spoilt).unwrap();
        let mistakes = Game::load(Arc::clone(&CATALOG), seeded(11), stored).unwrap_err().mistakes();
        assert_eq!(mistakes, [format!("{table} 999999: says of itself that it is {number}")]);
        tried += 1;
    }
    assert!(tried >= 8, "{tried}");
}
