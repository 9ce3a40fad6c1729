//! Guests who buy a few items and become characters: each is stored once, with its items, and not before.

use super::{Scene, Worker};
use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Place, Snapshot};
use std::collections::BTreeMap;

/// Maximum number of other workers' changes between two guests.
const PAUSE: u32 = 60;
/// Maximum number of items that a guest buys.
const THINGS: u32 = 4;

pub(super) fn begin(_: &Server) -> Vec<Box<dyn Worker>> {
    vec![Box::new(Visitor::default())]
}

#[derive(Default)]
struct Visitor {
    /// Guests who asked to become characters, by number: their number of items, and whether it was acknowledged.
    asked: BTreeMap<u32, (u32, bool)>,
    /// Number of the next guest.
    next: u32,
}

impl Worker for Visitor {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        if let Some((number, _)) = self.asked.iter().rev().find(|(_, (_, is_told))| *is_told) {
            scene.enter(&name(*number))?;
        }
        loop {
            scene.pause(dice.between(1, PAUSE));
            let mut client = Client::try_open(scene.address, ClientKind::Plain)?;
            client.send("guest");
            if client.try_expect_any(&["> ", super::LOCKED])?.contains(super::LOCKED) {
                continue;
            }
            client.try_ask("west")?;
            let things = dice.up_to(THINGS);
            for _ in 0..things {
                let answer = client.try_ask("buy shield")?;
                assert!(answer.contains("You buy "), "a guest buys: {answer}");
            }
            let number = self.next;
            self.next += 1;
            let name = name(number);
            for (line, question) in [
                ("join", "the name you want: "),
                (&name, "new password: "),
                (&password(&name), "same password: "),
            ] {
                client.send(line);
                client.try_expect(question)?;
            }
            self.asked.insert(number, (things, false));
            scene.begin("join");
            client.send(&password(&name));
            let answer =
                client.try_expect_any(&["You have a name and a password now", "You are a guest still"])?;
            if answer.ends_with("still") {
                assert!(answer.contains(super::LOCKED), "a guest is refused: {answer}");
                self.asked.remove(&number);
                continue;
            }
            self.asked.insert(number, (things, true));
            scene.note("join");
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        for (number, (things, is_told)) in &self.asked {
            let name = name(*number);
            let accounts: Vec<_> = stored.accounts.values().filter(|row| row.name == name).collect();
            if accounts.len() > 1 || accounts.is_empty() && *is_told {
                mismatches.push(format!("{name} was told: {is_told}; it is there {} times", accounts.len()));
            }
            let Some(account) = accounts.first() else { continue };
            let bodies: Vec<_> =
                stored.characters.values().filter(|body| body.account == Some(account.id)).collect();
            let [body] = bodies[..] else {
                mismatches.push(format!("{name} has {} bodies", bodies.len()));
                continue;
            };
            let is_had = |item: &&deepwell::world::Item| {
                item.place == Place::Holder(body.id) && item.prototype == "plank_shield"
            };
            let has: u32 = stored.items.values().filter(is_had).map(|item| item.count).sum();
            if account.guest || body.name != name || has != *things {
                let guest = account.guest;
                mismatches.push(format!(
                    "{name}, a guest: {guest}, is called {} and has {has} shields of {things}",
                    body.name
                ));
            }
        }
    }
}

fn name(number: u32) -> String {
    format!("Visitor{}", super::spell_number(number))
}
