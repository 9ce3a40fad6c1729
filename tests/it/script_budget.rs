//! The worst rooms that builders may make: each kind of line, of each owner of triggers, as often as the limits allow. The
//! scripts of a room share their budgets, so that a step stays short.

use crate::table::{Table, changed_content, seeded};
use deepwell::base::{CharacterId, RuleLimit, Span};
use deepwell::catalog::Script;
use deepwell::world::{Character, OwnTrigger, Snapshot, Trigger, TriggerEvent};
use std::fmt::Write as _;
use std::time::Instant;

/// Functions that use a call as far as its limits allow.
const WORST: &str = "local M = {}
function M.spin() for i = 1, 1400 do local x = i end end
function M.chatter(event)
  local lines = {}
  for i = 1, 55 do lines[i] = `tell {string.rep(\"word \", 75)}` end
  return lines
end
function M.hoard() local t = {} for i = 1, 300 do t[i] = string.rep(\"x\", 200) end end
function M.fails() error(\"on purpose\") end
return M
";

/// Quest that is over as soon as it has begun.
const LOOP: &str = "name = \"Loop\"
text = \"Round and round.\"
repeat = \"always\"
experience = 1
items = [\"honey_cake\"]
lines = [\"tell Round.\"]

[[steps]]
key = \"first\"
text = \"Begin.\"
script = true
";

/// Lines of a script, for each verb one that costs much.
fn lines_of(verb: &str) -> Vec<String> {
    let long = "word ".repeat(75);
    let line = match verb {
        "tell" | "others" | "room" | "say" | "emote" => format!("{verb} {}", long.trim_end()),
        "harm" => "harm 1".into(),
        "bruise" | "heal" | "experience" => format!("{verb} 1"),
        "affect" => "affect poisoned".into(),
        "spawn" | "despawn" => return vec!["spawn rat".into(), "despawn rat".into()],
        "part" => "part rat".into(),
        "item" => "item club".into(),
        "open" | "shut" => return vec!["open south".into(), "shut south".into()],
        "give" | "take" => return vec!["give 100 club".into(), "take 100 club".into()],
        "move" => "move 1".into(),
        "count" | "reset" => format!("{verb} rings"),
        "set" => format!("set mood = {long}"),
        "add" => "add mood 1".into(),
        "clear" => "clear mood".into(),
        "start" | "finish" => return vec!["start loop".into(), "finish loop".into()],
        "advance" => return vec!["start loop".into(), "advance loop first".into()],
        "call" => {
            return ["spin", "chatter", "hoard", "fails"].map(|name| format!("call worst {name}")).into();
        }
        "wait" => return vec!["tell Now.".into(), "wait 1s".into(), format!("room {long}")],
        "join" | "stop" | "once" | "alone" => verb.into(),
        _ => panic!("no line for the verb {verb}"),
    };
    vec![line]
}

/// Returns all verbs, from the message about one that does not exist.
fn verbs() -> Vec<String> {
    let mistakes = Script::parse(["dance"]).expect_err("no verb");
    let text = format!("{mistakes:?}");
    let (_, names) = text.split_once("one of ").expect("a list of verbs");
    let (names, _) = names.split_once('"').expect("the end of the list");
    let letters = |c: char| c.is_ascii_lowercase();
    let names =
        names.split(", ").map(|name| name.split(|c| !letters(c)).next().unwrap_or_default().to_owned());
    names.take_while(|name| !name.is_empty()).collect()
}

/// Owners of the triggers of the worst room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Room,
    RoomAndCreatures,
}

/// Maximum time of a step in milliseconds, in a release build.
const STEP_MILLIS: u128 = 10;

/// Lines of each trigger.
const LINES: usize = 14;

/// A room with three players, to be filled with scripts.
struct Stage {
    table: Table,
    /// World without scripts.
    bare: Snapshot,
}

impl Stage {
    fn new() -> Self {
        let content = changed_content(&[("scripts/worst.luau", WORST), ("quests/loop.toml", LOOP)]);
        let mut table = Table::with_content(seeded(5), &content);
        table.sit("Olad");
        table.make_owner("Olad");
        table.types_all("Olad", &["north", "zone set town", "variable new mood = text"]);
        for name in ["Bera", "Cato"] {
            table.sit(name);
            table.types(name, "north");
        }
        let bare = table.stored().clone();
        Self { table, bare }
    }

    /// Gives the room as many triggers as may be, and perhaps as many creatures with as many triggers, each of many such
    /// lines.
    fn fill(&mut self, lines: &[String], owner: Owner) {
        let limits = self.table.game().config().limits.clone();
        let many: Vec<String> = lines.iter().cycle().take(LINES).cloned().collect();
        let room = self.table.room("Olad").id;
        let most = self.table.game().catalog().rules.roaming.creatures_in_room;
        let creatures = if owner == Owner::Room { 0 } else { most };
        let bare = self.bare.clone();
        self.table.edit_stored(|stored| {
            *stored = bare;
            let trigger = |number| Trigger {
                name: format!("n{number}"),
                on: TriggerEvent::Say("go;now".into()),
                lines: many.clone(),
            };
            let row = stored.rooms.get_mut(&room).expect("the room");
            row.triggers = (0..limits.triggers_per_room).map(trigger).collect::<Vec<_>>().into();
            for _ in 0..creatures {
                let meta = stored.meta.as_mut().expect("a meta row");
                let id = CharacterId(meta.next_character);
                meta.next_character += 1;
                let own = OwnTrigger { on: "say go;now".into(), lines: many.clone() };
                let body = Character {
                    prototype: Some("rat".to_owned()),
                    awake: true,
                    hp: 4,
                    max_hp: 4,
                    triggers: vec![own; limits.triggers_per_room as usize].into(),
                    ..Character::new(id, "rat".to_owned(), room, meta.time)
                };
                stored.characters.insert(id, body);
            }
        });
        self.table.checks_every(1_000);
        self.table.waits(Span::secs(2));
    }
}

/// A8: no room, with any lines and owners of its scripts, makes a step that is longer than the budgets of
/// scripts allow (checked by the table at each step), or tells a player more than they allow, at once or in a second.
#[test]
#[expect(clippy::disallowed_methods, reason = "the release build measures the time of a step")]
fn a8_worst_room_stays_within_the_budgets_of_scripts() {
    let mut report = String::new();
    let verbs = verbs();
    assert!(verbs.len() > 30, "{verbs:?}");
    let mut stage = Stage::new();
    for owner in [Owner::Room, Owner::RoomAndCreatures] {
        for verb in &verbs {
            stage.fill(&lines_of(verb), owner);
            let table = &mut stage.table;
            let limits = table.game().config().limits.clone();
            let most_told = limits.script_told_bytes as usize + 6_000;
            let names = ["Olad", "Bera"];
            for name in names {
                table.hears(name);
            }
            table.takes_largest_work();
            let begun = Instant::now();
            table.types("Olad", "say go now");
            let took = begun.elapsed();
            let work = table.takes_largest_work();
            let lengths = names.map(|name| table.hears(name).len());
            let _ = writeln!(report, "{owner:?} {verb}: {work} units of work, {lengths:?} bytes, {took:?}");
            assert!(cfg!(debug_assertions) || took.as_millis() <= STEP_MILLIS, "{report}");
            assert!(lengths.iter().all(|length| *length <= most_told), "{report}");
            let mut total = 0;
            for _ in 0..20 {
                table.types("Bera", "say go now");
                total += table.takes_largest_work();
            }
            let length = table.hears("Bera").len();
            let most = 4 * u64::from(limits.script_work) + 20 * 2_000 + 10_000;
            assert!(total <= most, "{total} units of work in a second\n{report}");
            assert!(length <= 4 * most_told + 20_000, "{length} bytes in a second\n{report}");
            table.waits(Span::secs(3));
        }
    }
    println!("{report}");
}

/// A8: what does not fit is skipped, is counted for the operator, and is told to the builder once for each command. A
/// moment later all runs again.
#[test]
fn a8_scripts_beyond_a_budget_are_skipped_and_reported() {
    for (verb, limit, setting) in [
        ("count", RuleLimit::TriggerLines, "limits.trigger_lines"),
        ("room", RuleLimit::ScriptToldBytes, "limits.script_told_bytes"),
        ("call", RuleLimit::ScriptWork, "limits.script_work"),
    ] {
        let lines = if verb == "call" { vec!["call worst spin".to_owned()] } else { lines_of(verb) };
        let mut stage = Stage::new();
        stage.fill(&lines, Owner::RoomAndCreatures);
        let table = &mut stage.table;
        table.limits_reached();
        let answer = table.types("Olad", "say go now");
        let reports = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(reports.matches(&format!("than {setting} allows")).count(), 1, "{reports}");
        assert_eq!(table.limits_reached(), [limit]);
    }
}

/// A8: a room that has used up its second does not keep others from running their scripts, and has a new one then.
#[test]
fn a8_room_has_its_budget_again_after_a_second() {
    let mut stage = Stage::new();
    stage.fill(&["count rings".to_owned()], Owner::Room);
    let mut table = stage.table;
    let rings = |table: &Table| table.room("Olad").counters.get("rings").copied().unwrap_or_default();
    for _ in 0..10 {
        table.types("Olad", "say go now");
    }
    let rung = rings(&table);
    assert!((1_150..=1_200).contains(&rung), "{rung} lines in a second");
    table.types_all("Bera", &["south"]);
    table.types_all("Olad", &["dig shed = in, out", "in", "trigger say go = tell Here it works."]);
    assert!(table.types("Olad", "say go").contains("Here it works."), "another room");
    table.waits(Span::secs(1));
    table.types_all("Olad", &["out", "say go now"]);
    assert_eq!(rings(&table), rung + 300);
}
