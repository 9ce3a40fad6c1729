//! Staff member who mutes, freezes, bans, ignores and reports players, in the game and over the control socket.

use super::known::{Known, Step, account};
use super::{Scene, Worker, builder};
use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Banned, Sanction, SanctionSentence, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

const NAME: &str = "Vigdis";
/// Players under sanctions.
const OTHERS: [&str; 3] = ["Loki", "Skadi", "Ulla"];
/// Player banned by operators only, because staff cannot lift such a ban.
const BY_OPERATORS: &str = OTHERS[2];
/// Maximum number of open reports.
const REPORTS: usize = 10;
const LINES: u32 = 6;

/// Creates the staff member and the players.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    for name in [NAME].into_iter().chain(OTHERS) {
        server.create(name);
    }
    server.login(builder::NAME).ask(&format!("promote {NAME} admin"));
    vec![Box::new(Warden { known: Known::default(), reports: BTreeMap::new(), next: 0 })]
}

/// State of sanctions, ignored players and reports.
#[derive(Clone, PartialEq, Debug, Default)]
struct Book {
    /// Reason of each sanction by kind and player; duplicates would be concatenated.
    laid: BTreeMap<(&'static str, &'static str), String>,
    ignored: BTreeSet<&'static str>,
    /// Open reports.
    reports: BTreeSet<String>,
}

struct Warden {
    known: Known<Book>,
    /// Report numbers by text.
    reports: BTreeMap<String, u32>,
    /// Number of the next reason.
    next: u32,
}

impl Worker for Warden {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        self.check_login(scene, OTHERS[dice.up_to(2) as usize])?;
        let mut client = scene.enter(NAME)?;
        loop {
            if dice.percent(20) {
                self.next += 1;
                let step = self.lay(self.known.told(), "ban", BY_OPERATORS);
                let words: Vec<&str> = step.line.split(' ').collect();
                let ask = || scene.control(words[0], &words[1..]).map(drop);
                self.known.change(scene, step.kind, step.then, ask)?;
            } else {
                let steps = self.next_steps(dice);
                self.known.carry_out(&mut client, scene, steps)?;
            }
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let mut book = Book::default();
        let mut lay = |what, name: &str, sentence: &SanctionSentence| {
            if let Some(name) = OTHERS.into_iter().find(|other| *other == name) {
                book.laid.entry((what, name)).or_default().push_str(&sentence.reason);
            }
        };
        for row in stored.accounts.values() {
            for (restraint, sentence) in &row.sentences {
                let what = if *restraint == Sanction::Mute { "mute" } else { "freeze" };
                lay(what, &row.name, sentence);
            }
        }
        for ban in stored.bans.values() {
            if let Banned::Account(id) = ban.banned {
                lay("ban", &stored.accounts[&id].name, &ban.sentence);
            }
        }
        let ignored = account(stored, NAME).ignored.values();
        book.ignored = OTHERS.into_iter().filter(|other| ignored.clone().any(|name| name == other)).collect();
        self.reports = stored.reports.values().map(|report| (report.text.clone(), report.id.0)).collect();
        assert_eq!(self.reports.len(), stored.reports.len(), "a report is there twice");
        book.reports = self.reports.keys().cloned().collect();
        self.known.compare(book, mismatches);
    }
}

impl Warden {
    /// Checks that a banned player cannot log in, and that any other can.
    fn check_login(&self, scene: &Scene<'_>, whom: &'static str) -> Result<(), Gone> {
        let mut client = Client::try_open(scene.address, ClientKind::Plain)?;
        client.send(&format!("connect {whom} {}", password(whom)));
        let refused = "You are banned";
        let kept_out = client.try_expect_any(&[refused, "> "])?.contains(refused);
        assert_eq!(kept_out, self.known.told().laid.contains_key(&("ban", whom)), "{whom} comes in, or not");
        Ok(())
    }

    fn next_steps(&mut self, dice: &mut Rng) -> Vec<Step<Book>> {
        let mut now = self.known.told().clone();
        let mut steps = Vec::new();
        for _ in 0..dice.between(1, LINES) {
            self.next += 1;
            let whom = OTHERS[dice.up_to(2) as usize];
            let step = match dice.up_to(4) {
                0 => self.lay(&now, "mute", whom),
                1 => self.lay(&now, "freeze", whom),
                2 if whom != BY_OPERATORS => self.lay(&now, "ban", whom),
                3 => ignore(&now, whom),
                _ => self.report(&now),
            };
            now = step.then.clone();
            steps.push(step);
        }
        steps
    }

    /// Imposes a sanction on a player, or lifts it.
    fn lay(&self, now: &Book, what: &'static str, whom: &'static str) -> Step<Book> {
        let mut then = now.clone();
        let is = match what {
            "mute" => "muted",
            "freeze" => "frozen",
            _ => "banned",
        };
        let (line, message) = if then.laid.remove(&(what, whom)).is_some() {
            (format!("un{what} {whom}"), format!("{whom} is {is} no more."))
        } else {
            let reason = format!("reason-{}", self.next);
            then.laid.insert((what, whom), reason.clone());
            (format!("{what} {whom} {reason}"), format!("{whom} is {is} until "))
        };
        Step { kind: what, line, told: message, then }
    }

    /// Files a report, or settles one.
    fn report(&self, now: &Book) -> Step<Book> {
        let mut then = now.clone();
        let known = now.reports.iter().find_map(|text| Some((text.clone(), *self.reports.get(text)?)));
        if let Some((text, number)) =
            known.filter(|_| now.reports.len() >= REPORTS || self.next.is_multiple_of(2))
        {
            then.reports.remove(&text);
            let message = format!("Report {number} is settled.");
            return Step { kind: "settle", line: format!("reports close {number}"), told: message, then };
        }
        if now.reports.len() >= REPORTS {
            return ignore(now, OTHERS[0]);
        }
        let text = format!("number {} of those", self.next);
        then.reports.insert(text.clone());
        let message = "Thank you. That is report ".to_owned();
        Step { kind: "report", line: format!("idea {text}"), told: message, then }
    }
}

fn ignore(now: &Book, whom: &'static str) -> Step<Book> {
    let mut then = now.clone();
    let (line, message) = if then.ignored.remove(whom) {
        (format!("unignore {whom}"), format!("You hear {whom} again."))
    } else {
        then.ignored.insert(whom);
        (format!("ignore {whom}"), format!("You no longer hear {whom}."))
    };
    Step { kind: "ignore", line, told: message, then }
}
