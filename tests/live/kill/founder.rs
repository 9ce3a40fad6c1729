//! Worker who creates accounts, and disables and enables their creation.

use super::known::Known;
use super::{Scene, Worker};
use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Account, LockdownSwitch, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of other workers' changes between two accounts.
const PAUSE: u32 = 40;

pub(super) fn begin(_: &Server) -> Vec<Box<dyn Worker>> {
    vec![Box::new(Founder::default())]
}

/// Creates accounts, each on a new connection.
#[derive(Default)]
struct Founder {
    /// Numbers of the acknowledged accounts.
    made: BTreeSet<u32>,
    /// Number of accounts requested.
    asked: u32,
    /// Set while new accounts are disabled.
    locked: Known<bool>,
}

impl Worker for Founder {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        if let Some(last) = self.made.last() {
            scene.enter(&founded(*last))?;
        }
        loop {
            scene.pause(dice.between(1, PAUSE));
            if *self.locked.told() {
                self.locked.change(scene, "unlock", false, || scene.control("unlock", &["accounts"]))?;
            } else if dice.percent(20) {
                self.locked.change(scene, "lock", true, || scene.control("lock", &["accounts"]))?;
                continue;
            }
            let mut client = Client::try_open(scene.address, ClientKind::Plain)?;
            let name = founded(self.asked);
            self.asked += 1;
            scene.begin("account");
            client.send(&format!("create {name} {}", password(&name)));
            client.try_expect("Welcome.")?;
            self.made.insert(self.asked - 1);
            scene.note("account");
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let mut by_name: BTreeMap<&str, Vec<&Account>> = BTreeMap::new();
        for account in stored.accounts.values() {
            by_name.entry(&account.name).or_default().push(account);
        }
        let owners = stored.characters.values().filter_map(|body| body.account);
        let mut bodies: BTreeMap<_, u32> = BTreeMap::new();
        owners.for_each(|owner| *bodies.entry(owner).or_default() += 1);
        for number in 0..self.asked {
            let (name, is_told) = (founded(number), self.made.contains(&number));
            let accounts = by_name.remove(name.as_str()).unwrap_or_default();
            if accounts.len() > 1 || accounts.is_empty() && is_told {
                mismatches.push(format!("{name} was told: {is_told}; it is there {} times", accounts.len()));
            }
            if accounts.iter().any(|account| bodies.get(&account.id) != Some(&1)) {
                mismatches.push(format!("{name} has not one character"));
            }
        }
        let locked = stored.meta.as_ref().is_some_and(|meta| meta.locks.contains(&LockdownSwitch::Accounts));
        self.locked.compare(locked, mismatches);
    }
}

fn founded(n: u32) -> String {
    format!("Founded{}", super::spell_number(n))
}
