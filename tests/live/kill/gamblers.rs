//! Two players who hunt together and roll for the loot: each item has one winner.

use super::content::{CATALOG, parse_item_count};
use super::fighter::next_line;
use super::{Scene, Worker, builder};
use crate::client::{Client, ClientKind, Gone};
use crate::pair::character;
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Place, Snapshot};
use std::collections::BTreeMap;

/// Commands that form a party with loot rolls, each with the index of the player.
pub(crate) const GATHERING: [(usize, &str); 8] = [
    (0, "config width off"),
    (1, "config width off"),
    (1, "goto saga"),
    (1, "party leave"),
    (0, "party leave"),
    (0, "party invite bragi"),
    (1, "party accept"),
    (0, "party loot roll"),
];
const NAMES: [&str; 2] = ["Saga", "Bragi"];
/// Number of items that a player carries before dropping all.
const HANDS: u32 = 40;

/// Creates the players, and the exit to their hunting ground.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let mut builder = server.login(builder::NAME);
    for name in NAMES {
        server.create(name);
        builder.ask(&format!("promote {name} builder"));
    }
    for line in ["goto lodge", "dig Hunt;hunt:start", "goto hunt", "open north:branch"] {
        builder.ask(line);
    }
    builder.ask("set north theme = den");
    server.login(NAMES[0]).ask("goto hunt");
    vec![Box::new(Gamblers::default())]
}

/// Counts of items by name.
type Items = BTreeMap<&'static str, u32>;

#[derive(Default)]
struct Gamblers {
    /// Items acknowledged as won by each player; `None` if unknown.
    got: [Option<Items>; 2],
    /// Number of open rolls.
    open: u32,
}

impl Worker for Gamblers {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let enter = |name| {
            let mut client = Client::try_open(scene.address, ClientKind::Mapper)?;
            client.send(&format!("connect {name} {}", password(name)));
            client.try_expect("> ")?;
            Ok(client)
        };
        let mut clients = [enter(NAMES[0])?, enter(NAMES[1])?];
        let hunted = self.hunt(&mut clients, scene, dice);
        // Messages to one player during the other's command count as well.
        for (who, client) in clients.iter_mut().enumerate() {
            self.hear(who, &client.last_words(), scene);
        }
        hunted
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let mut more = 0;
        for (who, name) in NAMES.into_iter().enumerate() {
            let body = character(stored, name);
            let mut found = Items::new();
            for item in stored.items.values().filter(|item| item.place == Place::Holder(body.id)) {
                *found.entry(&CATALOG.items[&item.prototype].with_article).or_default() += item.count;
            }
            let Some(known) = &self.got[who] else {
                (self.got[who], self.open) = (Some(found), u32::MAX);
                continue;
            };
            if known.iter().any(|(thing, count)| found.get(thing) < Some(count)) {
                mismatches.push(format!("{name} was told to have got {known:?}, and has {found:?}"));
            }
            more += found.values().sum::<u32>() - known.values().sum::<u32>().min(found.values().sum());
            self.got[who] = Some(found);
        }
        if more > self.open {
            mismatches.push(format!(
                "{NAMES:?} have {more} things that nobody told them of; {} were open",
                self.open
            ));
        }
        let parties = stored.parties.values();
        self.open = parties.map(|party| u32::try_from(party.rolls.len()).unwrap()).sum();
    }
}

impl Gamblers {
    fn hunt(&mut self, clients: &mut [Client; 2], scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        for (who, line) in GATHERING {
            self.ask(clients, who, line, scene)?;
        }
        let mut line = "look".to_owned();
        loop {
            let answer = self.ask(clients, 0, &line, scene)?;
            if answer.contains("Who gets ") {
                self.throw_dice(clients, scene, dice)?;
            }
            for who in 0..2 {
                if self.got[who].as_ref().is_some_and(|things| things.values().sum::<u32>() > HANDS) {
                    self.got[who] = None;
                    self.ask(clients, who, "drop all", scene)?;
                }
            }
            line = next_line(&clients[0], &answer, dice);
        }
    }

    /// Both players answer the rolls until none is open.
    fn throw_dice(
        &mut self,
        clients: &mut [Client; 2],
        scene: &Scene<'_>,
        dice: &mut Rng,
    ) -> Result<(), Gone> {
        const WORDS: [&str; 3] = ["roll need", "roll greed", "roll pass"];
        for _ in 0..self.open {
            for who in 0..2 {
                let command = dice.pick(&WORDS).expect("there are some");
                scene.begin("roll");
                self.ask(clients, who, command, scene)?;
            }
            // The first player has not read the outcome yet.
            self.ask(clients, 0, "", scene)?;
        }
        Ok(())
    }

    fn ask(
        &mut self,
        clients: &mut [Client; 2],
        who: usize,
        line: &str,
        scene: &Scene<'_>,
    ) -> Result<String, Gone> {
        let answer = clients[who].try_ask(line);
        let (Ok(text) | Err(Gone(text))) = &answer;
        self.hear(who, text, scene);
        answer
    }

    /// Records the messages to one player; messages sent to both count once.
    fn hear(&mut self, who: usize, text: &str, scene: &Scene<'_>) {
        for line in text.lines() {
            let ended = line.contains(" gets ") || line.starts_with("Nobody w");
            if who == 0 && line.starts_with("Who gets ") {
                self.open += 1;
            } else if who == 0 && ended {
                self.open = self.open.saturating_sub(1);
                scene.note("roll");
            }
            let won = line.split_once(&format!("{} gets ", NAMES[who])).map(|(_, thing)| thing);
            if line.starts_with("You take ") {
                // The player took loot without a roll.
                self.got[who] = None;
            }
            if let (Some(thing), Some(got)) = (won, &mut self.got[who]) {
                let (thing, count) = parse_item_count(thing.trim_end_matches('.'));
                *got.entry(thing).or_default() += count;
            }
        }
    }
}
