//! Couples of the town, who trade, keep company and change their settings and passwords: after each kill what is stored
//! is what they were told, or that and the one line that was not answered.

use super::{Life, Worker};
use crate::client::{Client, Gone, Manners};
use crate::pair::{Pair, SHOP};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use std::net::SocketAddr;

const COUPLES: [[&str; 2]; 1] = [["Gora", "Hebe"]];

/// Makes them and brings them to the shop.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let begin = |names: [&'static str; 2]| -> Box<dyn Worker> {
        for name in names {
            server.create(name).ask("west");
        }
        Box::new(Couple { names, told: None, pending: None, passwords: vec![password(names[0])], changed: 0 })
    };
    COUPLES.into_iter().map(begin).collect()
}

/// Two at their work.
struct Couple {
    names: [&'static str; 2],
    /// What they were told; nothing before what is stored has been read once.
    told: Option<Pair>,
    /// What is so if the line that was not answered was carried out.
    pending: Option<Pair>,
    /// What the first one's password may be: the one that was told, and the one that was being changed to.
    passwords: Vec<String>,
    /// Passwords that were changed.
    changed: u32,
}

impl Worker for Couple {
    fn work(&mut self, life: &Life<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let second = log_in(life.address, self.names[1], &password(self.names[1]))?;
        let mut clients = [self.let_in(life.address)?, second.expect("it was made")];
        loop {
            if dice.percent(2) {
                self.change_password(&mut clients[0])?;
                life.note("password");
                continue;
            }
            let mut deeds = self.told.as_ref().expect("it was compared").deeds(dice.between(0, 999));
            dice.shuffle(&mut deeds);
            let deed = deeds.pop().expect("there is always one");
            self.pending = Some(deed.then.clone());
            let answer = clients[deed.who].try_ask(&deed.line);
            let (Ok(told) | Err(Gone(told))) = &answer;
            if told.lines().any(|line| line.starts_with(&deed.told)) {
                self.told = Some(deed.then);
                self.pending = None;
                life.note(kind(&deed.line));
            } else if answer.is_ok() {
                panic!("{} typed {:?} and read:\n{told}", self.names[deed.who], deed.line);
            }
            answer?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        let found = Pair::stored(stored, self.names);
        let pending = self.pending.take();
        match &self.told {
            None => assert!(found.people.iter().all(|one| one.room == SHOP && one.purse > 0), "{found:?}"),
            Some(told) if found != *told && Some(&found) != pending.as_ref() => {
                wrong.push(format!("a couple was told {told:?}, perhaps {pending:?}; stored is {found:?}"));
            }
            Some(_) => {}
        }
        self.told = Some(found);
    }
}

impl Couple {
    /// The first one comes in by one of the passwords that it may have, and keeps that one.
    fn let_in(&mut self, address: SocketAddr) -> Result<Client, Gone> {
        for tried in self.passwords.clone() {
            if let Some(client) = log_in(address, self.names[0], &tried)? {
                self.passwords = vec![tried];
                return Ok(client);
            }
        }
        panic!("neither the password that was told nor the new one lets {} in", self.names[0]);
    }

    fn change_password(&mut self, client: &mut Client) -> Result<(), Gone> {
        let (old, new) = (self.passwords[0].clone(), format!("new-and-secret-{}", self.changed));
        self.passwords.push(new.clone());
        for (line, question) in [("password", "now: "), (&old, "new password: "), (&new, "same password: ")] {
            client.send(line);
            client.try_expect(question)?;
        }
        client.send(&new);
        client.try_expect("Your password is changed.")?;
        self.passwords.remove(0);
        self.changed += 1;
        Ok(())
    }
}

/// What a line counts as: its first word, but for ways and for things and money, which are other halves of the rules.
fn kind(line: &str) -> &'static str {
    const KINDS: [&str; 13] = [
        "alias", "buy", "config", "deposit", "get", "give", "party", "put", "remove", "sell", "wear",
        "withdraw", "pay",
    ];
    let word = if line.contains(" copper to ") { "pay" } else { line.split(' ').next().unwrap_or_default() };
    KINDS.into_iter().find(|kind| *kind == word).unwrap_or("move")
}

/// Logs in; none if the password is another.
fn log_in(address: SocketAddr, name: &str, password: &str) -> Result<Option<Client>, Gone> {
    let mut client = Client::try_open(address, Manners::Plain)?;
    client.send(&format!("connect {name} {password}"));
    let (refused, prompt) = ("do not belong together", "> ");
    let answer = client.try_expect_any(&[refused, prompt])?;
    Ok((!answer.contains(refused)).then_some(client))
}
