//! Somebody who makes accounts and deletes them: what was told to be gone is gone with all that it had, and its name is free.

use super::{Scene, Worker};
use crate::client::{Client, Gone, Manners};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use std::collections::BTreeMap;

/// Changes that others make between two accounts, at most.
const PAUSE: u32 = 60;

pub(super) fn begin(_: &Server) -> Vec<Box<dyn Worker>> {
    vec![Box::new(Leaver::default())]
}

/// What somebody was told of an account.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Told {
    /// It is made.
    Made,
    /// It is gone.
    Gone,
    /// Nothing, of what was asked for last.
    Nothing,
}

#[derive(Default)]
struct Leaver {
    accounts: BTreeMap<u32, Told>,
    /// The number of the next.
    next: u32,
}

impl Worker for Leaver {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        loop {
            scene.pause(dice.between(1, PAUSE));
            // A name that is free again, now and then.
            let free = self.accounts.iter().rev().find(|(_, told)| **told == Told::Gone);
            let number = free.filter(|_| dice.percent(30)).map_or(self.next, |(number, _)| *number);
            self.next = self.next.max(number + 1);
            let name = name(number);
            self.accounts.insert(number, Told::Nothing);
            let mut client = Client::try_open(scene.address, Manners::Plain)?;
            scene.begin("account");
            client.send(&format!("create {name} {}", password(&name)));
            if client.try_expect_any(&["Welcome.", super::LOCKED])?.contains(super::LOCKED) {
                self.accounts.insert(number, Told::Gone);
                continue;
            }
            self.accounts.insert(number, Told::Made);
            scene.note("account");
            for (line, question) in
                [("delete account", "password now: "), (&password(&name), "name of your account: ")]
            {
                client.send(line);
                client.try_expect(question)?;
            }
            self.accounts.insert(number, Told::Nothing);
            scene.begin("delete");
            client.send(&name);
            client.try_expect("Your account is deleted")?;
            self.accounts.insert(number, Told::Gone);
            scene.note("delete");
        }
    }

    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        for (number, told) in &mut self.accounts {
            let name = name(*number);
            let accounts: Vec<_> = stored.accounts.values().filter(|row| row.name == name).collect();
            let bodies = stored.characters.values().filter(|body| body.name == name).count();
            let as_told = match told {
                Told::Made => accounts.len() == 1,
                Told::Gone => accounts.is_empty(),
                Told::Nothing => accounts.len() <= 1,
            };
            if !as_told || bodies != accounts.len() {
                wrong.push(format!(
                    "{name} was told: {told:?}; it is there {} times, with {bodies} bodies",
                    accounts.len()
                ));
            }
            // It goes on from what is there.
            *told = if accounts.is_empty() { Told::Gone } else { Told::Made };
        }
    }
}

fn name(number: u32) -> String {
    format!("Leaver{}", super::spelt(number))
}
