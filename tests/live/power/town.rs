//! Workers in the town: pairs who trade, a builder, and a moderator.

use super::cast::{Deed, Person, Work};
use super::tale::{Facts, Tale, Value};
use crate::client::{ClientKind, Gone};
use crate::pair::{Pair, SHOP, character};
use deepwell::base::Dice as _;
use deepwell::world::{Banned, Snapshot};
use std::collections::BTreeMap;

/// Two players who trade, give, put, wear, form parties and change their settings.
pub(super) struct Couple {
    names: [&'static str; 2],
    now: Option<Pair>,
}

impl Couple {
    pub(super) const NAMES: [[&'static str; 2]; 6] = [
        ["Gora", "Hebe"],
        ["Adwin", "Berit"],
        ["Edda", "Falk"],
        ["Gesa", "Hauke"],
        ["Kerstin", "Olaf"],
        ["Peer", "Solveig"],
    ];

    pub(super) fn new(names: [&'static str; 2]) -> Self {
        Self { names, now: None }
    }

    fn key(names: [&str; 2]) -> String {
        format!("{} and {}", names[0], names[1])
    }
}

impl Person for Couple {
    fn begin(&mut self, stored: &Snapshot, _: &mut Tale) {
        let now = Pair::stored(stored, self.names);
        assert!(self.now.is_some() || now.people.iter().all(|person| person.room == SHOP), "{now:?}");
        self.now = Some(now);
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut clients =
            [work.log_in(self.names[0], ClientKind::Plain)?, work.log_in(self.names[1], ClientKind::Plain)?];
        loop {
            let mut deeds = self.now.as_ref().expect("it has begun").deeds(work.dice.between(0, 999));
            work.dice.shuffle(&mut deeds);
            let deed = deeds.pop().expect("there is always one");
            let then = vec![(Self::key(self.names), Value::Is(format!("{:?}", deed.then)))];
            let deed_now = Deed { kind: kind_of(&deed.line), line: &deed.line, told: &deed.told, then };
            work.perform(&mut clients[deed.who], deed_now)?;
            self.now = Some(deed.then);
        }
    }
}

/// Returns the kind of a pair's command.
fn kind_of(line: &str) -> &'static str {
    const KINDS: [(&str, &str); 12] = [
        ("north", "move"),
        ("south", "move"),
        ("give", "give"),
        ("put", "put"),
        ("get", "get"),
        ("buy", "buy"),
        ("sell", "sell"),
        ("wear", "wear"),
        ("remove", "wear"),
        ("party", "party"),
        ("alias", "alias"),
        ("config", "setting"),
    ];
    KINDS.iter().find(|(word, _)| line.starts_with(word)).map_or("bank", |(_, kind)| kind)
}

/// Digs a chain of rooms, describes them, and destroys others next to them.
#[derive(Default)]
pub(super) struct Mason {
    /// Number of the last room attempted.
    last: u32,
    /// Starting room.
    at: String,
}

impl Mason {
    pub(super) const NAME: &'static str = "Sondra";
}

impl Person for Mason {
    fn begin(&mut self, stored: &Snapshot, _: &mut Tale) {
        let marks =
            stored.rooms.values().filter_map(|room| room.sheet.name.strip_prefix("Mark ")?.parse().ok());
        self.last = marks.max().unwrap_or_default();
        self.at.clone_from(&stored.rooms[&character(stored, Self::NAME).room].sheet.name);
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut client = work.log_in(Self::NAME, ClientKind::Plain)?;
        let stands = || format!("{} stands in", Self::NAME);
        if self.last > 0 && self.at != format!("Mark {}", self.last) {
            let (line, room) = (format!("goto Mark {}", self.last), format!("Mark {}", self.last));
            let then = vec![(stands(), Value::is(&room))];
            work.perform(&mut client, Deed { kind: "move", line: &line, told: &room, then })?;
        }
        loop {
            self.last += 1;
            let (room, folly) = (format!("Mark {}", self.last), format!("Folly {}", self.last));
            let mut deed = |kind, line: String, message: &str, about: String, value| {
                let then = vec![(about, value)];
                work.perform(&mut client, Deed { kind, line: &line, told: message, then })
            };
            let (dug, there) = (format!("You dig {room}, room "), Value::is("1 room, 2 ways"));
            deed("dig", format!("dig {room} = onward,back"), &dug, room.clone(), there.clone())?;
            deed("move", "onward".into(), &room, stands(), Value::is(&room))?;
            let description = format!("A bare room. On the wall stands the number {}.", self.last);
            let about = format!("description of {room}");
            deed(
                "describe",
                format!("describe here = {description}"),
                "It is written.",
                about,
                Value::Is(description),
            )?;
            let dug = format!("You dig {folly}, room ");
            deed("dig", format!("dig {folly} = side{},back", self.last), &dug, folly.clone(), there)?;
            let gone = format!("{folly} is gone, and every exit that led there.");
            deed("destroy", format!("destroy {folly}"), &gone, folly, Value::IsNot)?;
        }
    }
}

/// Mutes, freezes, bans and promotes a player, and files and settles reports.
#[derive(Default)]
pub(super) struct Steward {
    /// Set if Ulf is already ignored at the start.
    is_deaf: bool,
}

impl Steward {
    pub(super) const NAME: &'static str = "Bertram";
    /// Player under sanctions.
    pub(super) const TROUBLE: &'static str = "Ulf";
}

impl Person for Steward {
    fn begin(&mut self, stored: &Snapshot, _: &mut Tale) {
        let own = stored.accounts.values().find(|account| account.name == Self::NAME);
        self.is_deaf = !own.expect("it was made").ignored.is_empty();
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut client = work.log_in(Self::NAME, ClientKind::Plain)?;
        let trouble = Self::TROUBLE;
        // Pairs of opposite commands. A repeated command is refused, so each pair starts with the one that is always
        // accepted.
        let orders = [
            ("moderation", "mute", "unmute", "muted", "mute"),
            ("moderation", "freeze", "unfreeze", "frozen", "freeze"),
            ("moderation", "ban", "unban", "banned", "ban"),
        ];
        loop {
            for (kind, order, lift, state, about) in orders {
                let about = format!("{about} of {trouble}");
                for (line, message, value) in [
                    (order, format!("{trouble} is {state} "), Value::is("laid on")),
                    (lift, format!("{trouble} is {state} no more."), Value::IsNot),
                ] {
                    let (line, then) = (format!("{line} {trouble}"), vec![(about.clone(), value)]);
                    work.perform(&mut client, Deed { kind, line: &line, told: &message, then })?;
                }
            }
            for role in ["helper", "builder", "player"] {
                let (line, message) =
                    (format!("promote {trouble} {role}"), format!("{trouble} is a {role} now."));
                let then = vec![(format!("role of {trouble}"), Value::is(role))];
                work.perform(&mut client, Deed { kind: "role", line: &line, told: &message, then })?;
            }
            let ignoring = [
                ("ignore", format!("You no longer hear {trouble}."), Value::is(trouble)),
                ("unignore", format!("You hear {trouble} again."), Value::IsNot),
            ];
            for (line, message, value) in ignoring.into_iter().skip(std::mem::take(&mut self.is_deaf).into())
            {
                let (line, then) =
                    (format!("{line} {trouble}"), vec![(format!("{} ignores", Self::NAME), value)]);
                work.perform(&mut client, Deed { kind: "setting", line: &line, told: &message, then })?;
            }
        }
    }
}

/// Adds the stored facts about these workers.
pub(super) fn add_facts(stored: &Snapshot, facts: &mut Facts) {
    let is_there = |name: &&str| stored.characters.values().any(|body| body.name == *name);
    for names in Couple::NAMES.into_iter().filter(|names| names.iter().all(is_there)) {
        facts.insert(Couple::key(names), format!("{:?}", Pair::stored(stored, names)));
    }
    let mut dug = BTreeMap::<&str, (u32, u32)>::new();
    for room in stored.rooms.values().filter(|room| room.branch.is_none()) {
        if room.sheet.name.starts_with("Mark ") || room.sheet.name.starts_with("Folly ") {
            if room.sheet.description.starts_with("A bare room") {
                facts.insert(format!("description of {}", room.sheet.name), room.sheet.description.clone());
            }
            dug.entry(&room.sheet.name).or_default().0 += 1;
        }
    }
    // The exits to a room and back.
    let way = |exit: &deepwell::world::Exit| match exit.name.as_str() {
        "back" => stored.rooms.get(&exit.room),
        name if name == "onward" || name.starts_with("side") => stored.rooms.get(&exit.to?),
        _ => None,
    };
    for room in stored.exits.values().filter_map(way) {
        if let Some((_, ways)) = dug.get_mut(room.sheet.name.as_str()) {
            *ways += 1;
        }
    }
    for (name, (rooms, ways)) in dug {
        let plural = if rooms == 1 { "" } else { "s" };
        facts.insert(name.to_owned(), format!("{rooms} room{plural}, {ways} ways"));
    }
    for body in stored.characters.values().filter(|body| body.name == Mason::NAME) {
        facts.insert(format!("{} stands in", Mason::NAME), stored.rooms[&body.room].sheet.name.clone());
    }
    for account in stored.accounts.values() {
        let name = &account.name;
        let bodies = stored.characters.values().filter(|body| body.account == Some(account.id)).count();
        let plural = if bodies == 1 { "" } else { "s" };
        facts.insert(format!("account {name}"), format!("{bodies} character{plural}"));
        facts.insert(format!("role of {name}"), account.role.name().to_owned());
        facts.insert(format!("password of {name}"), account.credential.clone());
        if let Some(code) = &account.recovery {
            facts.insert(format!("recovery code of {name}"), code.clone());
        }
        for restraint in account.sentences.keys() {
            let what = if restraint.name() == "muted" { "mute" } else { "freeze" };
            facts.insert(format!("{what} of {name}"), "laid on".into());
        }
        if stored.bans.values().any(|ban| ban.banned == Banned::Account(account.id)) {
            facts.insert(format!("ban of {name}"), "laid on".into());
        }
        if !account.ignored.is_empty() {
            let ignored: Vec<&str> = account.ignored.values().map(String::as_str).collect();
            facts.insert(format!("{name} ignores"), ignored.join(", "));
        }
    }
}
