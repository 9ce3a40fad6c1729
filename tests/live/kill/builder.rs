//! Builder who digs, describes and destroys rooms, and grants roles.

use super::{Scene, Worker};
use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use deepwell::base::Rng;
use deepwell::world::Snapshot;
use std::collections::BTreeMap;

pub(super) const NAME: &str = "Sondra";

/// Creates the builder and makes it the owner.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let token = server.control(&["owner-token"]);
    let mut builder = server.create(NAME);
    builder.ask(&format!("claim {}", token.as_str().unwrap()));
    builder.ask("goto lodge");
    vec![Box::new(Builder::default())]
}

/// Digs a chain of rooms, each with exits in both directions, and describes each.
#[derive(Default)]
struct Builder {
    /// Acknowledged rooms, by mark number.
    dug: BTreeMap<u32, String>,
    /// Marks whose descriptions are acknowledged.
    described: Vec<u32>,
    /// Current mark.
    next: u32,
    /// Rooms whose destruction is acknowledged.
    destroyed: Vec<String>,
    /// Last acknowledged role of one of the townsfolk, and whether a change of role is in flight.
    role: Option<&'static str>,
    promoting: bool,
}

impl Worker for Builder {
    fn work(&mut self, scene: &Scene<'_>, _: &mut Rng) -> Result<(), Gone> {
        let mut client = Client::try_open(scene.address, ClientKind::Plain)?;
        client.send(&format!("connect {NAME} {}", password(NAME)));
        let last = self.dug.last_key_value().map_or("lodge", |(_, room)| room.as_str()).to_owned();
        client.try_ask(&format!("goto {last}"))?;
        loop {
            self.next += 1;
            let next = self.next;
            let answer = client.try_ask(&format!("dig Mark {next} = onward,back"));
            let (Ok(text) | Err(Gone(text))) = &answer;
            if let Some((_, room)) = text.split_once(&format!("You dig Mark {next}, room ")) {
                self.dug.insert(next, format!("#{}", room.split_once('.').unwrap().0));
            }
            answer?;
            scene.note("dig");
            client.try_ask("onward")?;
            client.try_ask(&format!("describe here = {}", description(next)))?;
            self.described.push(next);
            scene.note("describe");
            self.dig_and_destroy_room(&mut client)?;
            scene.note("destroy");
            let role = if next.is_multiple_of(2) { "helper" } else { "player" };
            self.promoting = true;
            client.try_ask(&format!("promote hebe {role}"))?;
            (self.role, self.promoting) = (Some(role), false);
            scene.note("promote");
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        for folly in &self.destroyed {
            if stored.rooms.values().any(|room| room.sheet.name == *folly) {
                mismatches.push(format!("{folly} was told to be gone, and is there"));
            }
        }
        let hebe = stored.accounts.values().find(|account| account.name == "Hebe").expect("it was made");
        if let Some(role) = self.role.filter(|role| *role != hebe.role.name() && !self.promoting) {
            mismatches.push(format!("Hebe was told to be {role}, and is {}", hebe.role.name()));
        }
        for mark in 1..=self.next {
            let name = format!("Mark {mark}");
            let rooms: Vec<_> = stored.rooms.values().filter(|room| room.sheet.name == name).collect();
            let is_told = self.dug.contains_key(&mark);
            // An unacknowledged room may exist or not; only the last of each run can be unacknowledged.
            if rooms.len() > 1 || rooms.is_empty() && is_told {
                mismatches.push(format!("{name} was told: {is_told}; it is there {} times", rooms.len()));
            }
            let Some(room) = rooms.first() else { continue };
            let ways = stored.exits.values().filter(|exit| exit.room == room.id || exit.to == Some(room.id));
            let ways = ways.filter(|exit| (exit.to == Some(room.id)) == (exit.name == "onward")).count();
            if ways < 2 {
                mismatches.push(format!("{name} has {ways} ways"));
            }
            if self.described.contains(&mark) && room.sheet.description != description(mark) {
                mismatches.push(format!("{name} is described as {:?}", room.sheet.description));
            }
            // The next run starts from the stored rooms, acknowledged or not.
            self.dug.entry(mark).or_insert_with(|| format!("#{}", room.id));
        }
    }
}

impl Builder {
    /// Digs an adjoining room and destroys it.
    fn dig_and_destroy_room(&mut self, client: &mut Client) -> Result<(), Gone> {
        let (folly, side) = (format!("Folly {}", self.next), format!("side{}", self.next));
        client.try_ask(&format!("dig {folly} = {side},back"))?;
        let answer = client.try_ask(&format!("destroy {folly}"));
        let (Ok(text) | Err(Gone(text))) = &answer;
        if text.contains(" is gone, and every exit that led there.") {
            self.destroyed.push(folly);
        } else if answer.is_ok() {
            panic!("{folly} is not destroyed: {text}");
        }
        answer.map(drop)
    }
}

fn description(mark: u32) -> String {
    format!("A bare room. On the wall stands the number {mark}.")
}
