//! Player who creates and deletes accounts: an acknowledged deletion removes all rows of the account and frees its
//! name.

use super::{Scene, Worker};
use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use std::collections::BTreeMap;

/// Maximum number of other workers' changes between two accounts.
const PAUSE: u32 = 60;

pub(super) fn begin(_: &Server) -> Vec<Box<dyn Worker>> {
    vec![Box::new(Leaver::default())]
}

/// Acknowledged state of an account.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Acknowledged {
    /// Created.
    Made,
    /// Deleted.
    Gone,
    /// Unknown: the last request is in flight.
    Nothing,
}

#[derive(Default)]
struct Leaver {
    accounts: BTreeMap<u32, Acknowledged>,
    /// Number of the next account.
    next: u32,
}

impl Worker for Leaver {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        loop {
            scene.pause(dice.between(1, PAUSE));
            // Sometimes reuse a freed name.
            let free = self.accounts.iter().rev().find(|(_, state)| **state == Acknowledged::Gone);
            let number = free.filter(|_| dice.percent(30)).map_or(self.next, |(number, _)| *number);
            self.next = self.next.max(number + 1);
            let name = name(number);
            self.accounts.insert(number, Acknowledged::Nothing);
            let mut client = Client::try_open(scene.address, ClientKind::Plain)?;
            scene.begin("account");
            client.send(&format!("create {name} {}", password(&name)));
            if client.try_expect_any(&["Welcome.", super::LOCKED])?.contains(super::LOCKED) {
                self.accounts.insert(number, Acknowledged::Gone);
                continue;
            }
            self.accounts.insert(number, Acknowledged::Made);
            scene.note("account");
            for (line, question) in
                [("delete account", "password now: "), (&password(&name), "name of your account: ")]
            {
                client.send(line);
                client.try_expect(question)?;
            }
            self.accounts.insert(number, Acknowledged::Nothing);
            scene.begin("delete");
            client.send(&name);
            client.try_expect("Your account is deleted")?;
            self.accounts.insert(number, Acknowledged::Gone);
            scene.note("delete");
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        for (number, state) in &mut self.accounts {
            let name = name(*number);
            let accounts: Vec<_> = stored.accounts.values().filter(|row| row.name == name).collect();
            let bodies = stored.characters.values().filter(|body| body.name == name).count();
            let as_told = match state {
                Acknowledged::Made => accounts.len() == 1,
                Acknowledged::Gone => accounts.is_empty(),
                Acknowledged::Nothing => accounts.len() <= 1,
            };
            if !as_told || bodies != accounts.len() {
                mismatches.push(format!(
                    "{name} was told: {state:?}; it is there {} times, with {bodies} bodies",
                    accounts.len()
                ));
            }
            // Continue from the stored state.
            *state = if accounts.is_empty() { Acknowledged::Gone } else { Acknowledged::Made };
        }
    }
}

fn name(number: u32) -> String {
    format!("Leaver{}", super::spell_number(number))
}
