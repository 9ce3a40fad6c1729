//! Somebody who makes accounts.

use super::{Life, Worker};
use crate::client::{Client, Gone, Manners};
use crate::server::{Server, password};
use deepwell::base::Rng;
use deepwell::world::Snapshot;

pub(super) fn begin(_: &Server) -> Vec<Box<dyn Worker>> {
    vec![Box::new(Founder::default())]
}

/// Makes accounts, one connection each.
#[derive(Default)]
struct Founder {
    /// Names it was told are made.
    made: Vec<String>,
    /// How many it has asked for.
    asked: u32,
}

impl Worker for Founder {
    fn work(&mut self, life: &Life<'_>, _: &mut Rng) -> Result<(), Gone> {
        if let Some(name) = self.made.last() {
            let mut client = Client::try_open(life.address, Manners::Plain)?;
            client.send(&format!("connect {name} {}", password(name)));
            client.try_expect("> ")?;
        }
        loop {
            let mut client = Client::try_open(life.address, Manners::Plain)?;
            let name = founded(self.asked);
            self.asked += 1;
            client.send(&format!("create {name} {}", password(&name)));
            client.try_expect("Welcome.")?;
            self.made.push(name);
            life.note("account");
        }
    }

    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        for name in (0..self.asked).map(founded) {
            let accounts: Vec<_> = stored.accounts.values().filter(|account| account.name == name).collect();
            let told = self.made.contains(&name);
            if accounts.len() > 1 || accounts.is_empty() && told {
                wrong.push(format!("{name} was told: {told}; it is there {} times", accounts.len()));
            }
            for account in &accounts {
                let bodies =
                    stored.characters.values().filter(|body| body.account == Some(account.id)).count();
                if bodies != 1 {
                    wrong.push(format!("{name} has {bodies} characters"));
                }
            }
        }
    }
}

/// A name for a number: its digits as letters, none of which looks like another.
fn founded(n: u32) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    let digits = format!("{n:05}").into_bytes().into_iter().map(letter);
    format!("Founded{}", digits.collect::<String>())
}
