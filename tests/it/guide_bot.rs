//! Newcomers who type what the guide says, and nothing else: at any hour, from any start room, alone and among others,
//! with any creature beside them, first or tenth into a branch. They are never refused, and reach the end alive.

use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Span;
use deepwell::game::{Class, GameConfig};
use deepwell::world::{GuideState, RoomKind};
use std::fmt::Write as _;

/// Maximum number of times that a newcomer asks the guide.
const ASKS: u32 = 400;

/// Real time of an hour in the game.
const HOUR: Span = Span::mins(5);

fn guided(seed: u64) -> Table {
    let mut table = Table::new(GameConfig { guidance: true, ..seeded(seed) });
    table.checks_every(50);
    table
}

/// Result of following the guide for a while.
#[derive(Default)]
struct Walk {
    /// Text that was read.
    read: String,
    /// Complaint about the guide.
    wrong: Option<String>,
    /// Set if the newcomer was defeated.
    fell: bool,
    /// Keys of the steps that were shown.
    steps: Vec<String>,
}

/// Returns the commands that the guide tells a player to type.
fn commands(read: &str) -> Vec<&str> {
    let commands = read.lines().filter_map(|line| {
        line.strip_prefix("Type: ")
            .or_else(|| line.strip_prefix("Then type: "))
            .or_else(|| line.strip_prefix("Guide: Type: "))
    });
    commands.collect()
}

/// Types what the guide says until its end, or until it has been asked `asks` times.
fn follow(table: &mut Table, name: &str, asks: u32) -> Walk {
    let mut walk = Walk::default();
    for _ in 0..asks {
        if table.body(name).guide.state == GuideState::Done {
            return walk;
        }
        let read = table.types(name, "guide");
        let _ = writeln!(walk.read, "> guide\n{read}");
        let step = CATALOG.guide.steps.iter().find(|step| read.contains(step.words.text()));
        walk.steps.extend(step.map(|step| step.key.clone()).filter(|key| walk.steps.last() != Some(key)));
        for line in commands(&read) {
            if line == "guide skip" {
                walk.wrong = Some("the guide does not know what to type".to_owned());
                return walk;
            }
            let heard = table.types_messages(name, line);
            let _ = writeln!(walk.read, "> {line}");
            for message in &heard {
                let _ = writeln!(walk.read, "{}", message.text);
            }
            if let Some(refusal) = heard.iter().find(|message| message.class == Class::Refusal) {
                walk.wrong = Some(format!("{line:?} is refused: {}", refusal.text));
                return walk;
            }
            if is_in_fight(table, name) {
                break;
            }
        }
        table.waits(Span::secs(3));
        let heard = table.hears(name);
        walk.read.push_str(&heard);
        if walk.read.contains("The dark closes over you") {
            walk.fell = true;
            return walk;
        }
    }
    walk
}

/// A typed list of steps ends when a fight begins.
fn is_in_fight(table: &Table, name: &str) -> bool {
    let (who, body) = (table.id(name), table.body(name));
    let here = table.world().occupants(body.room).iter();
    body.target.is_some() || here.copied().any(|other| table.world().characters[other].target == Some(who))
}

/// Requires that a newcomer has reached the end alive, by every step that is not explained by another.
fn require_end(case: &str, table: &Table, name: &str, walk: &Walk, steps: &[&str]) {
    let failure = walk.wrong.as_deref().or_else(|| walk.fell.then_some("the newcomer fell"));
    let unfinished = (table.body(name).guide.state != GuideState::Done).then_some("the guide does not end");
    if let Some(failure) = failure.or(unfinished) {
        panic!("{case}: {failure}\n{}", walk.read);
    }
    for step in steps {
        assert!(
            walk.steps.iter().any(|command| command == step),
            "{case}: {step} was not shown\n{}",
            walk.read
        );
    }
}

const TOWN: [&str; 8] = ["look", "walk", "exits", "get", "wear", "shop", "score", "down"];
const BELOW: [&str; 4] = ["exit", "weigh", "fight", "home"];

/// At each hour of the day, in worlds of their own.
#[test]
fn guide_is_followed_to_its_end_at_every_hour() {
    for hour in 0..24 {
        let mut table = guided(u64::try_from(hour).unwrap() + 1);
        table.waits(Span(HOUR.0 * hour));
        table.sit("Olad");
        let walk = follow(&mut table, "Olad", ASKS);
        require_end(&format!("hour {hour}"), &table, "Olad", &walk, &[&TOWN[..], &BELOW].concat());
    }
}

/// From each room of the town, and from each start room.
#[test]
fn guide_is_followed_to_its_end_from_every_room() {
    let rooms = Table::new(seeded(1));
    let rooms: Vec<_> =
        rooms.world().rooms.iter().map(|(id, room)| (id, room.sheet.name.clone(), room.sheet.kind)).collect();
    for (room, name, kind) in rooms {
        let mut table = guided(7);
        table.sit("Olad");
        let id = table.body("Olad").id;
        table.edit_stored(|stored| {
            stored.characters.get_mut(&id).expect("a stored body").room = room;
        });
        let walk = follow(&mut table, "Olad", ASKS);
        let steps = if kind == RoomKind::Start { &[][..] } else { &TOWN[..] };
        require_end(&name, &table, "Olad", &walk, &[steps, &BELOW].concat());
    }
}

/// Ten newcomers in turn take the same exit within its window: the later ones find what the earlier ones left.
#[test]
fn guide_is_followed_to_its_end_in_a_branch_that_others_have_emptied() {
    for seed in 1..=3 {
        let mut config = GameConfig { guidance: true, ..seeded(seed) };
        (config.dungeon.window, config.dungeon.reset_chance_permille) = (Span::mins(24 * 60), 0);
        let mut table = Table::new(config);
        table.checks_every(100);
        for name in ["Anna", "Bera", "Cato", "Dora", "Emil", "Fina", "Gesa", "Hugo", "Ilse", "Jost"] {
            table.sit(name);
            let walk = follow(&mut table, name, ASKS);
            require_end(&format!("seed {seed}, {name}"), &table, name, &walk, &BELOW);
            table.types(name, "down");
        }
    }
}

/// Five newcomers at the same time, each after the other's command.
#[test]
fn guide_is_followed_to_its_end_among_others() {
    let names = ["Anna", "Bera", "Cato", "Dora", "Emil"];
    for seed in 1..=4 {
        let mut table = guided(seed);
        for name in names {
            table.sit(name);
        }
        let mut walks: Vec<Walk> = names.iter().map(|_| Walk::default()).collect();
        for _ in 0..ASKS {
            for (name, walk) in
                names.iter().zip(&mut walks).filter(|(_, walk)| walk.wrong.is_none() && !walk.fell)
            {
                let next = follow(&mut table, name, 1);
                walk.read.push_str(&next.read);
                walk.steps.extend(next.steps);
                (walk.wrong, walk.fell) = (next.wrong, next.fell);
            }
        }
        for (name, walk) in names.iter().zip(&walks) {
            require_end(&format!("seed {seed}, {name}"), &table, name, walk, &["fight", "home"]);
        }
    }
}

/// With each creature that ships beside the newcomer: in the town it is no opponent, and below it is fought only if it
/// would probably lose. A newcomer whom a stronger one attacks may fall, which does not end the guide.
#[test]
fn no_creature_leads_the_guide_astray() {
    let mut failures = String::new();
    for (number, key) in CATALOG.creatures.keys().enumerate() {
        let mut table = guided(u64::try_from(number).unwrap());
        for name in ["Olad", "Wera"] {
            table.sit(name);
        }
        table.make_owner("Wera");
        table.types("Wera", &format!("spawn {key}"));
        let walk = follow(&mut table, "Olad", 8);
        if let Some(mistake) = &walk.wrong {
            let _ = writeln!(failures, "{key} in the square: {mistake}\n{}", walk.read);
        }
        if walk.steps != TOWN {
            let _ = writeln!(failures, "{key} in the square: the steps were {:?}", walk.steps);
        }
        table.types_all("Wera", &["down", "south"]);
        table.types_all("Olad", &["down", "south"]);
        table.types("Wera", &format!("spawn {key}"));
        let walk = follow(&mut table, "Olad", 60);
        if let Some(mistake) = &walk.wrong {
            let _ = writeln!(failures, "{key} in a branch: {mistake}\n{}", walk.read);
        }
        if walk.fell && walk.read.contains(&format!("> kill {}", CATALOG.creatures[key].name)) {
            let _ = writeln!(
                failures,
                "{key} in a branch: the guide sent the newcomer to a defeat\n{}",
                walk.read
            );
        }
        if walk.fell && table.body("Olad").guide.state == GuideState::Done {
            let _ = writeln!(failures, "{key} in a branch: a defeat ended the guide\n{}", walk.read);
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
