//! Player who repeatedly loses the password and logs in with a recovery code, created in advance or by staff.

use super::known::account;
use super::townsfolk::log_in;
use super::{Scene, Worker, builder};
use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;

const NAME: &str = "Frigg";
/// Maximum number of other workers' changes between two codes.
const PAUSE: u32 = 60;
/// Staff member who creates codes.
const STAFF: &str = "Hilda";

/// Creates the player and the staff member.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    for name in [NAME, STAFF] {
        server.create(name);
    }
    server.login(builder::NAME).ask(&format!("promote {STAFF} admin"));
    vec![Box::new(Forgetful { passwords: vec![password(NAME)], code: Code::None, next: 0 })]
}

/// Knowledge about the recovery code.
enum Code {
    None,
    /// Acknowledged and valid.
    Told(String),
    /// Unknown: a request that creates or uses the code was not answered.
    Unclear,
}

struct Forgetful {
    /// Possible passwords: the acknowledged one, and the new one of a change in flight.
    passwords: Vec<String>,
    code: Code,
    /// Number of the next password.
    next: u32,
}

impl Worker for Forgetful {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = None;
        for tried in self.passwords.clone() {
            client = log_in(scene.address, NAME, &tried)?;
            if client.is_some() {
                self.passwords = vec![tried];
                break;
            }
        }
        let mut client = client.expect("one of the passwords that may be lets it in");
        let mut staff = scene.enter(STAFF)?;
        loop {
            scene.pause(dice.up_to(PAUSE));
            let code = match std::mem::replace(&mut self.code, Code::Unclear) {
                Code::Told(code) => code,
                Code::None | Code::Unclear => {
                    scene.begin("code");
                    if dice.percent(50) {
                        client.send("recovery");
                        client.try_expect("your password now: ")?;
                        client.send(&self.passwords[0]);
                        read_code(&mut client)?
                    } else {
                        staff.send(&format!("recover {NAME}"));
                        read_code(&mut staff)?
                    }
                }
            };
            self.code = Code::Told(code.clone());
            scene.note("code");
            client = self.recover(scene, &code)?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let is_there = account(stored, NAME).recovery.is_some();
        let as_told = match self.code {
            Code::None => !is_there,
            Code::Told(_) => is_there,
            Code::Unclear => true,
        };
        if !as_told {
            mismatches.push(format!("{NAME} has a recovery code: {is_there}, and was told otherwise"));
        }
    }
}

impl Forgetful {
    /// Logs in with the code and a new password.
    fn recover(&mut self, scene: &Scene<'_>, code: &str) -> Result<Client, Gone> {
        let mut client = Client::try_open(scene.address, ClientKind::Plain)?;
        let new = format!("forty fathoms {}", self.next);
        self.next += 1;
        for (line, question) in [
            (format!("recover {NAME}"), "code: "),
            (code.to_owned(), "password: "),
            (new.clone(), "same password: "),
        ] {
            client.send(&line);
            client.try_expect(question)?;
        }
        self.passwords.push(new.clone());
        self.code = Code::Unclear;
        scene.begin("recovery");
        client.send(&new);
        client.try_expect("Exits:")?;
        self.passwords.remove(0);
        self.code = Code::None;
        scene.note("recovery");
        Ok(client)
    }
}

/// Reads the line with a recovery code: four groups of five letters or digits.
fn read_code(client: &mut Client) -> Result<String, Gone> {
    let text = client.try_expect("works once")?;
    let code = text.lines().map(str::trim).find(|line| line.len() == 23 && line.matches('-').count() == 3);
    Ok(code.unwrap_or_else(|| panic!("no code in {text}")).to_owned())
}
