//! Pairs of townsfolk who trade, form parties, and change their settings and passwords.

use super::known::{Known, Step};
use super::{Scene, Worker};
use crate::client::{Client, ClientKind, Gone};
use crate::pair::Pair;
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use std::net::SocketAddr;

const COUPLES: [[&str; 2]; 3] = [["Gora", "Hebe"], ["Runa", "Tove"], ["Asta", "Ylva"]];
/// Maximum number of commands sent in one write.
const LINES: u32 = 12;

/// Creates the pairs and moves them to the shop.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let begin = |names: [&'static str; 2]| -> Box<dyn Worker> {
        for name in names {
            server.create(name).ask("west");
        }
        Box::new(Couple { names, known: Known::default(), passwords: vec![password(names[0])], changed: 0 })
    };
    COUPLES.into_iter().map(begin).collect()
}

/// Two players who interact.
struct Couple {
    names: [&'static str; 2],
    known: Known<Pair>,
    /// Possible passwords of the first player: the acknowledged one, and the new one of a change in flight.
    passwords: Vec<String>,
    /// Number of password changes.
    changed: u32,
}

impl Worker for Couple {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let second = log_in(scene.address, self.names[1], &password(self.names[1]))?;
        let mut clients = [self.log_in_first(scene.address)?, second.expect("it was made")];
        loop {
            if dice.percent(5) {
                self.change_password(&mut clients[0], scene)?;
            }
            let (who, steps) = self.next_steps(dice);
            self.known.carry_out(&mut clients[who], scene, steps)?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        self.known.compare(Pair::stored(stored, self.names), mismatches);
    }
}

impl Couple {
    /// Returns random steps of one player, each valid after the previous ones.
    fn next_steps(&self, dice: &mut Rng) -> (usize, Vec<Step<Pair>>) {
        let (mut now, mut who, mut steps) = (self.known.told().clone(), None, Vec::new());
        for _ in 0..dice.between(1, LINES) {
            let mut deeds = now.deeds(dice.between(0, 999));
            deeds.retain(|deed| who.is_none_or(|who| who == deed.who));
            dice.shuffle(&mut deeds);
            let Some(deed) = deeds.pop() else { break };
            (now, who) = (deed.then.clone(), Some(deed.who));
            steps.push(Step { kind: kind(&deed.line), line: deed.line, told: deed.told, then: deed.then });
        }
        (who.expect("there is always something to do"), steps)
    }

    /// Logs in the first player with one of the possible passwords, and keeps the accepted one.
    fn log_in_first(&mut self, address: SocketAddr) -> Result<Client, Gone> {
        for tried in self.passwords.clone() {
            if let Some(client) = log_in(address, self.names[0], &tried)? {
                self.passwords = vec![tried];
                return Ok(client);
            }
        }
        panic!("neither the password that was told nor the new one lets {} in", self.names[0]);
    }

    fn change_password(&mut self, client: &mut Client, scene: &Scene<'_>) -> Result<(), Gone> {
        let (old, new) = (self.passwords[0].clone(), format!("new-and-secret-{}", self.changed));
        self.passwords.push(new.clone());
        for (line, question) in [("password", "now: "), (&old, "new password: "), (&new, "same password: ")] {
            client.send(line);
            client.try_expect(question)?;
        }
        scene.begin("password");
        client.send(&new);
        client.try_expect("Your password is changed.")?;
        self.passwords.remove(0);
        self.changed += 1;
        scene.note("password");
        Ok(())
    }
}

/// Returns the kind of a command: its first word; "pay" for gifts of money; "move" for anything else.
fn kind(line: &str) -> &'static str {
    const KINDS: [&str; 12] = [
        "alias", "buy", "config", "deposit", "get", "give", "party", "put", "remove", "sell", "wear",
        "withdraw",
    ];
    if line.contains(" copper to ") {
        return "pay";
    }
    KINDS.into_iter().find(|kind| line.starts_with(kind)).unwrap_or("move")
}

/// Logs in; returns `None` if the password is wrong.
pub(super) fn log_in(address: SocketAddr, name: &str, password: &str) -> Result<Option<Client>, Gone> {
    let mut client = Client::try_open(address, ClientKind::Plain)?;
    client.send(&format!("connect {name} {password}"));
    let (refused, prompt) = ("do not belong together", "> ");
    let answer = client.try_expect_any(&[refused, prompt])?;
    Ok((!answer.contains(refused)).then_some(client))
}
