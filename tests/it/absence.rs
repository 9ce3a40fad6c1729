//! Players who are not connected are told at their next login what others did to them. The table lists every
//! such effect; that none is missing is checked after each step of each test, by `tools::absence`.

use crate::table::{Table, seeded};
use deepwell::base::{CharacterId, Span};
use deepwell::game::GameConfig;
use deepwell::world::{Changes, Place, untold_changes};

/// Way in which Bera is absent.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Absence {
    /// She has quit.
    Quit,
    /// Her link is lost, and she is still in the world.
    LinkDead,
}

/// Effect on Bera while she is absent.
struct Effect {
    name: &'static str,
    /// Puts her where the effect will find her.
    before: fn(&mut Table),
    /// Lets Olad, the owner, or time do it.
    deed: fn(&mut Table),
    /// Part of the line that she reads.
    line: &'static str,
    ways: &'static [Absence],
}

const QUIT: &[Absence] = &[Absence::Quit];
const LINK_DEAD: &[Absence] = &[Absence::LinkDead];
const BOTH: &[Absence] = &[Absence::Quit, Absence::LinkDead];

fn types(table: &mut Table, name: &str, lines: &[&str]) {
    for line in lines {
        let answer = table.types(name, line);
        assert!(
            !answer.contains("There is no command") && !answer.starts_with("Type "),
            "{name}: {line}: {answer}"
        );
    }
}

fn below(table: &mut Table) {
    types(table, "Bera", &["down", "north"]);
}

/// Returns the command with which staff act on Bera's branch.
fn branch_order(table: &mut Table, order: &str) {
    let branch = table.branch("Bera").id;
    types(table, "Olad", &[&format!("branch {order} {branch}")]);
}

fn dig_shed(table: &mut Table) {
    types(table, "Olad", &["dig Shed = hatch, out"]);
    types(table, "Bera", &["hatch"]);
}

fn join_party(table: &mut Table) {
    types(table, "Olad", &["party invite bera"]);
    types(table, "Bera", &["party accept"]);
}

/// Starts a quest that Olad has made.
fn be_on_a_quest(table: &mut Table) {
    let lines = [
        "make quest tails = Tails",
        "set quest tails text = The cook counts tails.",
        "set quest tails steps = rats kill = \"rat\", text = \"Kill a rat.\"",
        "trigger say hunt = start tails",
    ];
    types(table, "Olad", &lines);
    let answer = table.types("Bera", "say hunt");
    assert!(answer.contains("Quest: Tails."), "{answer}");
}

fn send_lamp(table: &mut Table) {
    let who = table.id("Bera");
    give_lamp(table, who);
    types(table, "Bera", &["mail send olad lamp = For you."]);
}

fn give_lamp(table: &mut Table, who: CharacterId) {
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a world");
        let id = deepwell::base::ItemId(meta.next_item);
        meta.next_item += 1;
        meta.stock.entry("clay_lamp".to_owned()).or_default().made += 1;
        stored.items.insert(id, deepwell::world::Item::new(id, "clay_lamp", Place::Holder(who), meta.time));
    });
}

fn nothing(_: &mut Table) {}

const EFFECTS: &[Effect] = &[
    Effect {
        name: "branch collapses",
        before: below,
        deed: |table| branch_order(table, "collapse"),
        line: "collapses into the dark",
        ways: BOTH,
    },
    Effect {
        name: "branch expires",
        before: below,
        deed: |table| table.waits(Span::mins(50)),
        line: "collapses into the dark",
        ways: QUIT,
    },
    Effect {
        name: "entrance closes",
        before: below,
        deed: |table| table.waits(Span::mins(20)),
        line: "The way in has closed",
        ways: QUIT,
    },
    Effect {
        name: "branch is reset",
        before: below,
        deed: |table| branch_order(table, "reset"),
        line: "laid anew",
        ways: BOTH,
    },
    Effect {
        name: "room is destroyed",
        before: dig_shed,
        deed: |table| types(table, "Olad", &["hatch", "destroy here"]),
        line: "folds up like paper",
        ways: BOTH,
    },
    Effect {
        name: "room is taken back",
        before: dig_shed,
        deed: |table| types(table, "Olad", &["undo"]),
        line: "is taken back",
        ways: BOTH,
    },
    Effect {
        name: "draft is discarded",
        before: |table| {
            let lines = ["zone new attic", "dig Loft = loft, out", "loft", "zone set attic", "zone draft"];
            types(table, "Olad", &lines);
            types(table, "Olad", &["zone invite bera"]);
            types(table, "Bera", &["rehearse attic"]);
        },
        deed: |table| types(table, "Olad", &["zone discard now"]),
        line: "The draft around you is no more",
        ways: BOTH,
    },
    Effect {
        name: "trial is closed",
        before: |table| {
            types(table, "Olad", &["puzzle test myhero seed=7"]);
            types(table, "Bera", &["in"]);
        },
        deed: |table| {
            types(table, "Olad", &["in", "puzzle close"]);
        },
        line: "The walls thin out like smoke",
        ways: BOTH,
    },
    Effect {
        name: "quest is destroyed",
        before: be_on_a_quest,
        deed: |table| types(table, "Olad", &["trigger say hunt = none", "destroy quest tails"]),
        line: "The quest Tails is no more.",
        ways: BOTH,
    },
    Effect {
        name: "quest is changed",
        before: be_on_a_quest,
        deed: |table| {
            let step = "set quest tails steps = rats kill = \"rat\", count = 5, text = \"Kill five rats.\"";
            types(table, "Olad", &[step]);
        },
        line: "The quest Tails has changed: type quest tails.",
        ways: BOTH,
    },
    Effect {
        name: "mail is returned",
        before: send_lamp,
        deed: |table| types(table, "Olad", &["mail return 1"]),
        line: "Your mail to Olad has come back.",
        ways: BOTH,
    },
    Effect {
        name: "mail is lost",
        before: send_lamp,
        deed: |table| {
            types(table, "Olad", &["mail return 1"]);
            table.waits(Span::mins(11));
        },
        line: "is gone with all that was in it",
        ways: QUIT,
    },
    Effect {
        name: "ban is ended",
        before: nothing,
        deed: |table| types(table, "Olad", &["ban bera", "unban bera"]),
        line: "You are banned no more.",
        ways: QUIT,
    },
    Effect {
        name: "ban is over",
        before: nothing,
        deed: |table| {
            types(table, "Olad", &["ban bera for 1h noise"]);
            table.waits(Span::mins(61));
        },
        line: "You are banned no more.",
        ways: QUIT,
    },
    Effect {
        name: "sanction is over",
        before: nothing,
        deed: |table| {
            types(table, "Olad", &["mute bera for 1h noise"]);
            table.waits(Span::mins(61));
        },
        line: "You are muted no more.",
        ways: QUIT,
    },
    Effect {
        name: "record is beaten",
        before: below,
        deed: |table| {
            // Of equal depths the earlier one is the higher place.
            table.waits(Span::secs(1));
            types(table, "Olad", &["down", "north"]);
            deepen(table, "Olad");
        },
        line: "your record of all time, of this week and behind Bottom of the Well, north is beaten",
        ways: BOTH,
    },
    Effect {
        name: "rank is changed",
        before: nothing,
        deed: |table| types(table, "Olad", &["promote bera builder"]),
        line: "You are a builder now.",
        ways: BOTH,
    },
    Effect {
        name: "right is granted",
        before: nothing,
        deed: |table| types(table, "Olad", &["grant bera dig"]),
        line: "You have a right more: dig.",
        ways: BOTH,
    },
    Effect {
        name: "right is revoked",
        before: |table| types(table, "Olad", &["grant bera dig"]),
        deed: |table| types(table, "Olad", &["revoke bera dig"]),
        line: "You have a right less: dig.",
        ways: BOTH,
    },
    Effect {
        name: "title is taken",
        before: |table| types(table, "Bera", &["title the brave"]),
        deed: |table| types(table, "Olad", &["untitle bera"]),
        line: "Staff have taken away the words behind your name.",
        ways: BOTH,
    },
    Effect {
        name: "zone is given",
        before: |table| {
            types(
                table,
                "Olad",
                &["promote bera builder", "zone new attic", "dig Loft = loft, out", "loft", "zone set attic"],
            );
        },
        deed: |table| types(table, "Olad", &["zone give bera"]),
        line: "You own the zone attic now.",
        ways: BOTH,
    },
    Effect {
        name: "note is removed",
        before: |table| types(table, "Bera", &["north", "board write Rope = Twenty fathoms."]),
        deed: |table| types(table, "Olad", &["north", "board remove 1"]),
        line: "Staff have taken your note off the board: Rope",
        ways: BOTH,
    },
    Effect {
        name: "party sends her away",
        before: join_party,
        deed: |table| types(table, "Olad", &["party kick bera"]),
        line: "sends you away: you are in no party any more.",
        ways: LINK_DEAD,
    },
    Effect {
        name: "party forgets her",
        before: join_party,
        deed: |table| table.waits(Span::mins(40)),
        line: "of the party no more",
        ways: QUIT,
    },
    Effect {
        name: "thing is given",
        before: |table| {
            let who = table.id("Olad");
            give_lamp(table, who);
        },
        deed: |table| types(table, "Olad", &["give lamp to bera"]),
        line: "Olad gave you something: you carry it.",
        ways: LINK_DEAD,
    },
    Effect {
        name: "money is given",
        before: nothing,
        deed: |table| types(table, "Olad", &["give 5 copper to bera"]),
        line: "Olad gave you something: you carry it.",
        ways: LINK_DEAD,
    },
    Effect {
        name: "creature defeats her",
        before: |table| {
            table.becomes("Bera", 1, 0);
            types(table, "Olad", &["dig Pit = pit, out", "pit", "set here fights = yes", "spawn troll"]);
            types(table, "Bera", &["pit", "kill troll"]);
        },
        deed: |table| table.waits(Span::secs(90)),
        line: "You come to at the start",
        ways: LINK_DEAD,
    },
    Effect {
        name: "script moves her",
        before: |table| {
            let lines = ["trigger say gong = wait 5; move town/lodge; tell Up you go."];
            types(table, "Olad", &lines);
            types(table, "Bera", &["say gong"]);
        },
        deed: |table| table.waits(Span::secs(20)),
        line: "You were taken to another place.",
        ways: LINK_DEAD,
    },
];

/// Sends a player deeper into its branch than before. Guards are killed on the way.
fn deepen(table: &mut Table, name: &str) {
    let depth = |table: &Table| table.world().depth_records(table.id(name)).deepest.depth;
    let before = depth(table);
    table.becomes(name, 900, 200);
    for _ in 0..10 {
        let room = table.room(name).id;
        for _ in 0..30 {
            let others = table.world().occupants(room).iter().map(|who| &table.world().characters[*who]);
            let Some(foe) = others.filter(|body| !body.is_player()).map(|body| body.name.clone()).next()
            else {
                break;
            };
            table.types(name, &format!("kill {foe}"));
            table.waits(Span::secs(3));
        }
        let ways: Vec<String> =
            table.world().exits.of(room).filter(|exit| !exit.back).map(|exit| exit.name.clone()).collect();
        for way in ways {
            table.types(name, &way);
            if depth(table) > before {
                return;
            }
        }
    }
    panic!("{name} finds no deeper room");
}

/// Returns settings with which rows sleep, branches expire and mail returns within minutes.
fn hasty() -> GameConfig {
    let mut config = seeded(11);
    config.limits.absent_after = Span::mins(1);
    config.limits.mail_kept = Span::mins(10);
    config.dungeon.sleep_after = Span::mins(1);
    config.dungeon.reset_chance_permille = 1_000;
    config.dungeon.check_interval = Span::mins(10);
    config.dungeon.max_life = Span::mins(30);
    config
}

fn two(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    table.sit("Bera");
    table
}

/// Each effect is told once, at the next login, also if the server was restarted in between.
#[test]
fn absent_player_reads_each_effect_at_the_next_login() {
    let mut mistakes = Vec::new();
    for effect in EFFECTS {
        for way in effect.ways {
            let mut table = two(hasty());
            (effect.before)(&mut table);
            match way {
                Absence::Quit => _ = table.types("Bera", "quit"),
                Absence::LinkDead => table.break_link("Bera"),
            }
            (effect.deed)(&mut table);
            table.crash();
            let text = table.comes_back("Bera");
            let lines: Vec<&str> = text.lines().filter(|line| line.contains(effect.line)).collect();
            if lines.len() != 1 {
                mistakes.push(format!("{}, {way:?}: {} lines: {text}", effect.name, lines.len()));
            }
            if table.comes_back("Bera").contains(effect.line) {
                mistakes.push(format!("{}, {way:?}: told twice", effect.name));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
}

/// A player whose room is gone is shown the exits that exist afterwards.
#[test]
fn moved_player_is_shown_the_exits_that_remain() {
    let mut moved = 0;
    for effect in EFFECTS {
        let mut table = two(hasty());
        (effect.before)(&mut table);
        table.hears("Bera");
        let from = table.body("Bera").room;
        (effect.deed)(&mut table);
        let heard = table.hears("Bera");
        let exits = |text: &str| text.lines().rfind(|line| line.starts_with("Exits:")).map(str::to_owned);
        if let Some(shown) = exits(&heard) {
            assert_eq!(Some(shown), exits(&table.types("Bera", "look")), "{}: {heard}", effect.name);
            moved += usize::from(table.world().rooms.get(from).is_none());
        }
    }
    assert!(moved >= 6, "{moved} effects delete the room");
}

/// A connected player is told at once, and not again later.
#[test]
fn connected_player_reads_of_a_collapse_once() {
    let mut table = two(seeded(11));
    below(&mut table);
    table.hears("Bera");
    branch_order(&mut table, "collapse");
    assert_eq!(table.hears("Bera").matches("collapses into the dark").count(), 1);
    table.types("Bera", "quit");
    assert!(!table.comes_back("Bera").contains("While you were away"));
}

/// A notice to one character waits while the player plays another of the same account.
#[test]
fn notice_waits_for_its_character() {
    let mut table = two(seeded(11));
    below(&mut table);
    table.types("Bera", "quit");
    branch_order(&mut table, "collapse");
    let (account, bera) = (table.account("Bera"), table.id("Bera"));
    table.types("Olad", "goto bera");
    let notices = &table.world().accounts[account].notices;
    assert_eq!(notices.iter().map(|notice| notice.to).collect::<Vec<_>>(), [Some(bera)]);
}

/// Notices that others can repeat do not evict the notices of staff.
#[test]
fn repeated_notices_leave_room_for_others() {
    let mut table = two(seeded(11));
    types(&mut table, "Bera", &["quit"]);
    types(&mut table, "Olad", &["mute bera for 1h noise"]);
    for _ in 0..30 {
        types(&mut table, "Olad", &["grant bera dig", "revoke bera dig"]);
    }
    let text = table.comes_back("Bera");
    assert!(text.contains("noise") && text.matches("You have a right more: dig.").count() == 1, "{text}");
}

/// The audit finds a change that is not told.
#[test]
fn audit_of_notices_finds_an_untold_change() {
    let mut table = two(seeded(11));
    types(&mut table, "Bera", &["quit"]);
    let stored = table.stored().clone();
    let mut moved = stored.characters[&table.id("Bera")].clone();
    moved.room = table.room("Olad").id;
    moved.home = deepwell::base::RoomId(2);
    moved.money.purse += 5;
    let mut changes = Changes::at(table.now());
    changes.characters.put.push(moved);
    let found = untold_changes(&stored, &changes, |_| false);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("purse"), "{found:?}");
    assert!(untold_changes(&stored, &changes, |_| true).is_empty());
}
