//! Those who play while a server is recorded. Each line that is answered is noted with what is so since then.

use super::below::{Delver, Gamblers, Puzzler};
use super::smith::Smith;
use super::tale::{Note, Tale, Then, Value};
use super::town::{Couple, Mason, Steward};
use super::well::{Fighter, Walker};
use crate::client::{Client, Gone, Manners};
use crate::server::{Server, password};
use deepwell::base::Rng;
use deepwell::world::Snapshot;
use std::net::SocketAddr;
use std::sync::mpsc::Sender;

/// What somebody works with until the server is gone.
pub(super) struct Work<'a> {
    pub(super) address: SocketAddr,
    pub(super) dice: Rng,
    pub(super) tale: &'a mut Tale,
    /// Hears of each line that is answered.
    pub(super) done: Sender<()>,
}

/// A line, the words that tell that it has happened, and what is so then.
pub(super) struct Deed<'a> {
    pub(super) kind: &'static str,
    pub(super) line: &'a str,
    pub(super) told: &'a str,
    pub(super) then: Then,
}

/// Somebody who plays.
pub(super) trait Person: Send {
    /// Works until the server is gone.
    fn work(&mut self, work: Work<'_>) -> Result<(), Gone>;

    /// A new record begins with this world, of which the tale knows what it was told of and is there.
    fn begin(&mut self, _stored: &Snapshot, _tale: &mut Tale) {}
}

impl Work<'_> {
    pub(super) fn log_in(&self, name: &str, manners: Manners) -> Result<Client, Gone> {
        self.log_in_with(name, &password(name), manners)
    }

    pub(super) fn log_in_with(&self, name: &str, secret: &str, manners: Manners) -> Result<Client, Gone> {
        let mut client = Client::try_open(self.address, manners)?;
        client.send(&format!("connect {name} {secret}"));
        client.try_expect("> ")?;
        Ok(client)
    }

    /// Types a line whose answer can be foreseen.
    pub(super) fn perform(&mut self, client: &mut Client, deed: Deed<'_>) -> Result<(), Gone> {
        self.tale.begin(deed.then.clone());
        let fence = client.fences();
        let answer = client.try_ask(deed.line);
        let (Ok(told) | Err(Gone(told))) = &answer;
        if told.lines().any(|line| line.starts_with(deed.told)) {
            self.note(client, fence, deed.kind, deed.told, deed.then, Vec::new());
        } else if answer.is_ok() {
            panic!("{:?} was answered by:\n{told}", deed.line);
        }
        answer.map(drop)
    }

    /// A dialog, question by question, of which only the last words tell.
    pub(super) fn converse(
        &mut self,
        client: &mut Client,
        lines: &[(&str, &str)],
        kind: &'static str,
        then: Then,
    ) -> Result<(), Gone> {
        self.tale.begin(then.clone());
        let mut last = "";
        for (line, answer) in lines {
            client.send(line);
            client.try_expect(answer)?;
            last = answer;
        }
        self.note(client, client.fences(), kind, last, then, Vec::new());
        Ok(())
    }

    pub(super) fn note(
        &mut self,
        client: &Client,
        fence: u32,
        kind: &'static str,
        words: &str,
        then: Then,
        also: Then,
    ) {
        self.tale.note(Note { port: client.port(), fence, words: words.to_owned(), kind, then, also });
        // Nobody listens any more when enough has been done.
        let _ = self.done.send(());
    }
}

/// Lets others come to something, too, by so many looks.
pub(super) fn look_around(client: &mut Client, looks: u32) -> Result<(), Gone> {
    (0..looks).try_for_each(|_| client.try_ask("look").map(drop))
}

/// Looks around between two passwords.
const PAUSE: u32 = 30;

/// Makes everybody of the town but the founder; their tales begin with the next record.
pub(super) fn found(server: &Server) -> Vec<Box<dyn Person>> {
    let token = server.control(&["owner-token"]);
    let mut people: Vec<Box<dyn Person>> = Vec::new();
    for names in Couple::NAMES {
        for name in names {
            server.create(name).ask("west");
        }
        people.push(Box::new(Couple::new(names)));
    }
    for name in Walker::NAMES {
        server.create(name);
        people.push(Box::new(Walker::new(name)));
    }
    for name in Fighter::NAMES {
        server.create(name);
        people.push(Box::new(Fighter::new(name)));
    }
    server.create(Steward::NAME);
    server.create(Steward::TROUBLE);
    let mut mason = server.create(Mason::NAME);
    mason.ask(&format!("claim {}", token.as_str().unwrap()));
    mason.ask(&format!("promote {} admin", Steward::NAME));
    mason.ask("goto lodge");
    people.push(Box::new(Steward::default()));
    people.push(Box::new(Mason::default()));
    people.push(Box::new(Forgetful::default()));
    server.create(Forgetful::NAME);
    people
}

/// The same for a world with the content of the kills.
pub(super) fn found_below(server: &Server) -> Vec<Box<dyn Person>> {
    let token = server.control(&["owner-token"]);
    let mut owner = server.create("Sondra");
    owner.ask(&format!("claim {}", token.as_str().unwrap()));
    let [first, second] = Gamblers::NAMES;
    for name in [Smith::NAME, Delver::NAME, Puzzler::NAME, first, second] {
        server.create(name);
        owner.ask(&format!("promote {name} builder"));
    }
    for line in Smith::ROOM.iter().chain(&Delver::WAY).chain(&Puzzler::WAY).chain(&Gamblers::WAY) {
        owner.ask(line);
    }
    server.login(first).ask("goto hunt");
    vec![
        Box::new(Smith::default()),
        Box::new(Delver),
        Box::new(Puzzler::default()),
        Box::new(Gamblers::default()),
    ]
}

/// Makes accounts, one connection each.
#[derive(Default)]
pub(super) struct Founder {
    made: u32,
}

impl Founder {
    /// One more account.
    pub(super) fn make(&mut self, work: &mut Work<'_>) -> Result<Client, Gone> {
        let name = founded(self.made);
        self.made += 1;
        let then = vec![(format!("account {name}"), Value::is("1 character"))];
        work.tale.begin(then.clone());
        let mut client = Client::try_open(work.address, Manners::Plain)?;
        client.send(&format!("create {name} {}", password(&name)));
        client.try_expect("Welcome.")?;
        work.note(&client, 0, "account", "Welcome.", then, Vec::new());
        Ok(client)
    }
}

impl Person for Founder {
    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        loop {
            let mut client = self.make(&mut work)?;
            // A password is dear to hash.
            look_around(&mut client, PAUSE)?;
        }
    }
}

/// A name for a number: its digits as letters, none of which looks like another.
fn founded(n: u32) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    let digits = format!("{n:05}").into_bytes().into_iter().map(letter);
    format!("Founded{}", digits.collect::<String>())
}

/// Changes its password again and again, gets a code for the day it is forgotten, and comes in with that.
#[derive(Default)]
struct Forgetful {
    changes: u32,
}

impl Forgetful {
    const NAME: &'static str = "Tilda";

    /// Another password, with which no code is worth anything any more.
    fn changed_to(new: &str) -> Then {
        vec![(PASSWORD.to_owned(), Value::Secret(new.to_owned())), (CODE.to_owned(), Value::IsNot)]
    }

    fn secret(&mut self) -> String {
        self.changes += 1;
        format!("new-and-secret-{}", self.changes)
    }
}

impl Person for Forgetful {
    fn begin(&mut self, _: &Snapshot, tale: &mut Tale) {
        if tale.secret_of(PASSWORD).is_none() {
            tale.know(PASSWORD, Value::Secret(password(Self::NAME)));
        }
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut now = work.tale.secret_of(PASSWORD).expect("it is known").to_owned();
        let mut client = work.log_in_with(Self::NAME, &now, Manners::Plain)?;
        loop {
            let new = self.secret();
            work.converse(
                &mut client,
                &[
                    ("password", "now: "),
                    (&now, "new password: "),
                    (&new, "same password: "),
                    (&new, "Your password is changed."),
                ],
                "password",
                Self::changed_to(&new),
            )?;
            now = new;
            client = self.recover(&mut work, client, &mut now)?;
            look_around(&mut client, PAUSE)?;
        }
    }
}

const PASSWORD: &str = "password of Tilda";
const CODE: &str = "recovery code of Tilda";

impl Forgetful {
    /// Asks for a code and comes in with it. What the code is nobody knows before it is told.
    fn recover(&mut self, work: &mut Work<'_>, mut client: Client, now: &mut String) -> Result<Client, Gone> {
        work.tale.begin(vec![(CODE.to_owned(), Value::Unknown)]);
        client.send("recovery");
        client.try_expect("now: ")?;
        client.send(now);
        let told = client.try_expect("The code works once.")?;
        let code =
            told.lines().map(str::trim).find(|line| line.matches('-').count() == 3 && line.len() == 23);
        let code = code.unwrap_or_else(|| panic!("no code in {told}")).to_owned();
        let kept = Value::Secret(code.replace('-', ""));
        work.note(&client, client.fences(), "recovery", &code, vec![(CODE.to_owned(), kept)], Vec::new());
        let new = self.secret();
        let mut client = Client::try_open(work.address, Manners::Plain)?;
        client.try_expect("name: ")?;
        work.converse(
            &mut client,
            &[
                (&format!("recover {}", Self::NAME), "recovery code: "),
                (&code, "new password: "),
                (&new, "same password: "),
                (&new, "Exits:"),
            ],
            "recovery",
            Self::changed_to(&new),
        )?;
        *now = new;
        Ok(client)
    }
}
