//! Two people of the town, who trade, keep company and change their settings and passwords: after each kill what is
//! stored is what they were told, or that and the one line that was not answered.

use crate::client::{Client, Gone, Manners};
use crate::kill::Deeds;
use crate::pair::{Pair, SHOP};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use std::net::SocketAddr;

/// The two, as they are called.
const NAMES: [&str; 2] = ["Gora", "Hebe"];

/// The two at their work.
pub(crate) struct Townsfolk {
    /// What they were told.
    told: Pair,
    /// What is so if the line that was not answered was carried out.
    pending: Option<Pair>,
    /// What the first one's password may be: the one that was told, and the one that was being changed to.
    passwords: Vec<String>,
    /// Lines by which something changed.
    pub(crate) done: usize,
    /// Passwords that were changed.
    pub(crate) changed: u32,
}

impl Townsfolk {
    /// Makes both and brings them to the shop.
    pub(crate) fn begin(server: &mut Server) -> Self {
        for name in NAMES {
            let mut client = server.create(name);
            client.ask("west");
        }
        // The database can be read while nobody has it open.
        server.stop();
        let told = Pair::stored(&server.stored(), NAMES);
        server.restart(&[]);
        assert!(told.people.iter().all(|person| person.room == SHOP && person.purse > 0), "{told:?}");
        let passwords = vec![password(NAMES[0])];
        Self { told, pending: None, passwords, done: 0, changed: 0 }
    }

    pub(crate) fn work(&mut self, address: SocketAddr, dice: &mut Rng, done: &Deeds) -> Result<(), Gone> {
        let second = password(NAMES[1]);
        let mut clients = [self.let_in(address)?, log_in(address, NAMES[1], &second)?.expect("it was made")];
        loop {
            if dice.percent(2) {
                self.change_password(&mut clients[0])?;
                continue;
            }
            let mut deeds = self.told.deeds(dice.between(0, 999));
            dice.shuffle(&mut deeds);
            let deed = deeds.pop().expect("there is always one");
            self.pending = Some(deed.then.clone());
            let answer = clients[deed.who].try_ask(&deed.line);
            let (Ok(told) | Err(Gone(told))) = &answer;
            if told.lines().any(|line| line.starts_with(&deed.told)) {
                self.told = deed.then;
                self.pending = None;
                self.done += 1;
                done.note();
            } else if answer.is_ok() {
                panic!("{} typed {:?} and read:\n{told}", NAMES[deed.who], deed.line);
            }
            answer?;
        }
    }

    /// The first one comes in by one of the passwords that it may have, and keeps that one.
    fn let_in(&mut self, address: SocketAddr) -> Result<Client, Gone> {
        for tried in self.passwords.clone() {
            if let Some(client) = log_in(address, NAMES[0], &tried)? {
                self.passwords = vec![tried];
                return Ok(client);
            }
        }
        panic!("neither the password that was told nor the new one lets {} in", NAMES[0]);
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

    /// What is stored, against what was told.
    pub(crate) fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        let found = Pair::stored(stored, NAMES);
        let pending = self.pending.take();
        if found != self.told && Some(&found) != pending.as_ref() {
            let told = &self.told;
            wrong.push(format!("the townsfolk were told {told:?}, perhaps {pending:?}; stored is {found:?}"));
        }
        self.told = found;
    }
}

/// Logs in; none if the password is another.
fn log_in(address: SocketAddr, name: &str, password: &str) -> Result<Option<Client>, Gone> {
    let mut client = Client::try_open(address, Manners::Plain)?;
    client.send(&format!("connect {name} {password}"));
    let (refused, prompt) = ("do not belong together", "> ");
    let answer = client.try_expect_any(&[refused, prompt])?;
    Ok((!answer.contains(refused)).then_some(client))
}
