//! Workers that play while a server is recorded. Each acknowledged command is recorded with the facts it establishes.

use super::below::{Delver, Gamblers, Puzzler};
use super::smith::Smith;
use super::tale::{Note, Tale, Then, Value};
use super::town::{Couple, Mason, Steward};
use super::well::{Fighter, Walker};
use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use deepwell::base::Rng;
use deepwell::world::Snapshot;
use std::net::SocketAddr;
use std::sync::mpsc::Sender;

/// Context of a worker during one life of the server.
pub(super) struct Work<'a> {
    pub(super) address: SocketAddr,
    pub(super) dice: Rng,
    pub(super) tale: &'a mut Tale,
    /// Signals each acknowledged command.
    pub(super) done: Sender<()>,
}

/// Command, the start of its acknowledgement, and the facts after it.
pub(super) struct Deed<'a> {
    pub(super) kind: &'static str,
    pub(super) line: &'a str,
    pub(super) told: &'a str,
    pub(super) then: Then,
}

/// Simulated player, or a few who play together.
pub(super) trait Person: Send {
    /// Works until the server is down.
    fn work(&mut self, work: Work<'_>) -> Result<(), Gone>;

    /// Prepares for a new recording that starts from this world. The tale already has the acknowledged facts that were
    /// found.
    fn begin(&mut self, _stored: &Snapshot, _tale: &mut Tale) {}
}

impl Work<'_> {
    pub(super) fn log_in(&self, name: &str, manners: ClientKind) -> Result<Client, Gone> {
        self.log_in_with(name, &password(name), manners)
    }

    pub(super) fn log_in_with(&self, name: &str, secret: &str, manners: ClientKind) -> Result<Client, Gone> {
        let mut client = Client::try_open(self.address, manners)?;
        client.send(&format!("connect {name} {secret}"));
        client.try_expect("> ")?;
        Ok(client)
    }

    /// Sends a command with a known acknowledgement.
    pub(super) fn perform(&mut self, client: &mut Client, deed: Deed<'_>) -> Result<(), Gone> {
        self.tale.begin(deed.then.clone());
        let fence = client.fences();
        let answer = client.try_ask(deed.line);
        let (Ok(text) | Err(Gone(text))) = &answer;
        if text.lines().any(|line| line.starts_with(deed.told)) {
            self.note(client, fence, deed.kind, deed.told, deed.then, Vec::new());
        } else if answer.is_ok() {
            panic!("{:?} was answered by:\n{text}", deed.line);
        }
        answer.map(drop)
    }

    /// Goes through a dialog, question by question; only the last answer acknowledges the change.
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
        text: &str,
        then: Then,
        also: Then,
    ) {
        self.tale.note(Note { port: client.port(), fence, words: text.to_owned(), kind, then, also });
        // The receiver is gone once enough commands are acknowledged.
        let _ = self.done.send(());
    }
}

/// Sends a number of `look` commands, to give the other workers a turn.
pub(super) fn look_around(client: &mut Client, looks: u32) -> Result<(), Gone> {
    (0..looks).try_for_each(|_| client.try_ask("look").map(drop))
}

/// Number of looks between two password changes.
const PAUSE: u32 = 30;

/// Creates all workers of the town except the founder. Their tales begin with the next recording.
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

/// Creates all workers of the world with the content of the kill tests.
pub(super) fn create_workers_below(server: &Server) -> Vec<Box<dyn Person>> {
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

/// Creates accounts, each on a new connection.
#[derive(Default)]
pub(super) struct Founder {
    made: u32,
}

impl Founder {
    /// Creates the next account.
    pub(super) fn make(&mut self, work: &mut Work<'_>) -> Result<Client, Gone> {
        let name = founded(self.made);
        self.made += 1;
        let then = vec![(format!("account {name}"), Value::is("1 character"))];
        work.tale.begin(then.clone());
        let mut client = Client::try_open(work.address, ClientKind::Plain)?;
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
            // Hashing a password is expensive.
            look_around(&mut client, PAUSE)?;
        }
    }
}

/// Returns a name for a number, spelt in letters none of which are confusable.
fn founded(n: u32) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    let digits = format!("{n:05}").into_bytes().into_iter().map(letter);
    format!("Founded{}", digits.collect::<String>())
}

/// Repeatedly changes the password, gets a recovery code, and logs in with it.
#[derive(Default)]
struct Forgetful {
    changes: u32,
}

impl Forgetful {
    const NAME: &'static str = "Tilda";

    /// Returns the facts after a password change, which invalidates the recovery code.
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
        let mut client = work.log_in_with(Self::NAME, &now, ClientKind::Plain)?;
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
    /// Requests a recovery code and logs in with it. The code is unknown until it is sent.
    fn recover(&mut self, work: &mut Work<'_>, mut client: Client, now: &mut String) -> Result<Client, Gone> {
        work.tale.begin(vec![(CODE.to_owned(), Value::Unknown)]);
        client.send("recovery");
        client.try_expect("now: ")?;
        client.send(now);
        let text = client.try_expect("The code works once.")?;
        let code =
            text.lines().map(str::trim).find(|line| line.matches('-').count() == 3 && line.len() == 23);
        let code = code.unwrap_or_else(|| panic!("no code in {text}")).to_owned();
        let kept = Value::Secret(code.replace('-', ""));
        work.note(&client, client.fences(), "recovery", &code, vec![(CODE.to_owned(), kept)], Vec::new());
        let new = self.secret();
        let mut client = Client::try_open(work.address, ClientKind::Plain)?;
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
