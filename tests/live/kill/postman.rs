//! Two players who send each other mail with coins, take the coins, and return and delete mail.

use super::known::{Known, Step};
use super::{Scene, Worker};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Character, Mail, Place, Snapshot};

const SENDER: &str = "Posta";
const RECEIVER: &str = "Bodil";
/// Maximum number of mails in the mailbox.
const MAILS_MAX: usize = 20;

/// Creates the two players.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    for name in [SENDER, RECEIVER] {
        server.create(name);
    }
    vec![Box::new(Postman { known: Known::default(), next: 0 })]
}

/// Mail, as both players know it.
#[derive(Clone, PartialEq, Debug)]
struct Letter {
    number: u32,
    text: String,
    copper: i64,
    returned: bool,
}

/// Known state of the two mailboxes and purses, the sender's first.
#[derive(Clone, PartialEq, Debug)]
struct Post {
    boxes: [Vec<Letter>; 2],
    purses: [i64; 2],
}

struct Postman {
    known: Known<Post>,
    /// Number of mails sent.
    next: u32,
}

impl Worker for Postman {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut clients = [scene.enter(SENDER)?, scene.enter(RECEIVER)?];
        loop {
            let (who, step) = self.next_step(dice);
            self.known.carry_out(&mut clients[who], scene, vec![step])?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        self.known.compare(Post::stored(stored), mismatches);
    }
}

impl Postman {
    /// Returns a random step, and the player who types it.
    fn next_step(&mut self, dice: &mut Rng) -> (usize, Step<Post>) {
        let mut then = self.known.told().clone();
        let who = dice.up_to(1) as usize;
        let open = then.boxes[who].first().cloned();
        let may_send = who == 0 && then.boxes[1].len() < MAILS_MAX && then.purses[0] >= 2;
        match open.filter(|_| !may_send || dice.percent(50)) {
            Some(letter) if letter.copper > 0 && (letter.returned || dice.percent(70)) => {
                then.purses[who] += letter.copper;
                then.boxes[who][0].copper = 0;
                let message = "You take two copper coins out of mail".to_owned();
                (
                    who,
                    Step { kind: "mail", line: format!("mail take {}", letter.number), told: message, then },
                )
            }
            Some(letter) if letter.copper > 0 => {
                let number = then.boxes[0].last().map_or(1, |last| last.number + 1);
                then.boxes[who].remove(0);
                then.boxes[0].push(Letter { number, returned: true, ..letter.clone() });
                let message = format!("Mail {} goes back to {SENDER}.", letter.number);
                (
                    who,
                    Step {
                        kind: "mail",
                        line: format!("mail return {}", letter.number),
                        told: message,
                        then,
                    },
                )
            }
            Some(letter) => {
                then.boxes[who].remove(0);
                let message = format!("Mail {} is gone.", letter.number);
                (
                    who,
                    Step {
                        kind: "mail",
                        line: format!("mail delete {}", letter.number),
                        told: message,
                        then,
                    },
                )
            }
            None => {
                self.next += 1;
                let (text, copper) = (format!("letter {}", self.next), 2);
                let number = then.boxes[1].last().map_or(1, |last| last.number + 1);
                then.purses[0] -= copper;
                then.boxes[1].push(Letter { number, text: text.clone(), copper, returned: false });
                let line = format!("mail send {RECEIVER} 2 copper = {text}");
                (0, Step { kind: "mail", line, told: format!("Your mail to {RECEIVER} is sent"), then })
            }
        }
    }
}

impl Post {
    fn stored(stored: &Snapshot) -> Self {
        let body = |name: &str| -> &Character {
            stored.characters.values().find(|body| body.name == name).expect("it was made")
        };
        let both = [SENDER, RECEIVER].map(body);
        let copper = |mail: &Mail| {
            let attached = stored.items.values().filter(|item| item.place == Place::Mail(mail.id));
            attached.map(deepwell::world::Item::money).sum()
        };
        let of = |who: &Character| {
            let mails = stored.mails.values().filter(|mail| mail.to == who.id);
            let mut all: Vec<Letter> = mails
                .map(|mail| Letter {
                    number: mail.number,
                    text: mail.text.clone(),
                    copper: copper(mail),
                    returned: mail.returned,
                })
                .collect();
            all.sort_by_key(|letter| letter.number);
            all
        };
        Self { boxes: both.map(of), purses: both.map(|body| body.money.purse) }
    }
}
