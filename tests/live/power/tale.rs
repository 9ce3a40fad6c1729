//! What somebody did line by line, and what is so since each of them was told; and from the record of what was sent, how
//! far each tale had come at any moment.

use super::record::Event;
use argon2::password_hash::PasswordVerifier as _;
use argon2::password_hash::phc::PasswordHash;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// What is stored, in words, by what it is about. What is not there is absent.
pub(super) type Facts = BTreeMap<String, String>;

/// What must be so of one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Is(String),
    IsNot,
    /// A number that may have grown without a word.
    AtLeast(i64),
    /// A hash of this password or code.
    Secret(String),
    /// Something was under way, and nobody knows what came of it.
    Unknown,
}

impl Value {
    pub(super) fn is(words: &(impl ToString + ?Sized)) -> Self {
        Self::Is(words.to_string())
    }

    fn of(found: Option<&String>) -> Self {
        found.map_or(Self::IsNot, Self::is)
    }

    fn fits(&self, found: Option<&String>, secrets: &mut Secrets) -> bool {
        match (self, found) {
            (Self::Unknown, _) | (Self::IsNot, None) => true,
            (Self::Is(words), Some(found)) => words == found,
            (Self::AtLeast(least), Some(found)) => found.parse().is_ok_and(|found: i64| found >= *least),
            (Self::Secret(secret), Some(hash)) => secrets.are_one(hash, secret),
            _ => false,
        }
    }
}

/// Which secrets fit which hashes: a hash is dear.
#[derive(Default)]
pub(super) struct Secrets(BTreeMap<(String, String), bool>);

impl Secrets {
    fn are_one(&mut self, hash: &str, secret: &str) -> bool {
        *self.0.entry((hash.to_owned(), secret.to_owned())).or_insert_with(|| {
            let hash = PasswordHash::new(hash).expect("what is stored is a hash");
            argon2::Argon2::default().verify_password(secret.as_bytes(), &hash).is_ok()
        })
    }
}

/// What a line changes, whole or not at all.
pub(super) type Then = Vec<(String, Value)>;

/// A line that was answered.
pub(super) struct Note {
    /// The port of the client that typed it, and how many of its lines had been answered before.
    pub(super) port: u16,
    pub(super) fence: u32,
    /// The words that told of it.
    pub(super) words: String,
    pub(super) kind: &'static str,
    /// What it changed of what is the teller's own, whole or not at all.
    pub(super) then: Then,
    /// What is so besides from now on. It may have been so before.
    pub(super) also: Then,
}

/// One who does one thing after the other.
#[derive(Default)]
pub(super) struct Tale {
    /// What it was told before this record, and all that was stored when that began.
    before: BTreeMap<String, Value>,
    stored: Arc<Facts>,
    notes: Vec<Note>,
    /// What the line would change that was never answered.
    unanswered: Then,
    /// At the moment that the record has come to: what was told, by how many notes, and since when nothing was.
    told: BTreeMap<String, Value>,
    count: usize,
}

impl Tale {
    /// Something that is so when it begins.
    pub(super) fn know(&mut self, about: impl Into<String>, value: Value) {
        self.before.insert(about.into(), value);
    }

    pub(super) fn note(&mut self, note: Note) {
        self.notes.push(note);
        self.unanswered.clear();
    }

    /// A line is being typed.
    pub(super) fn begin(&mut self, then: Then) {
        self.unanswered = then;
    }

    pub(super) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Everything that it was told of, or that is under way, is as it is found; a new record begins.
    pub(super) fn begin_anew(&mut self, facts: &Arc<Facts>, secrets: &mut Secrets) {
        let mut now = std::mem::take(&mut self.told);
        for (about, value) in &now.clone() {
            // A fact that still holds is kept as it was told: a password is not in what is stored.
            if *value == Value::Unknown || !value.fits(facts.get(about), secrets) {
                now.insert(about.clone(), Value::of(facts.get(about)));
            }
        }
        for (about, value) in self.next() {
            if value.fits(facts.get(about), secrets) {
                let found =
                    if *value == Value::Unknown { Value::of(facts.get(about)) } else { value.clone() };
                now.insert(about.clone(), found);
            }
        }
        *self = Self { before: now, stored: Arc::clone(facts), ..Self::default() };
    }

    /// What must be so when a tale goes on.
    pub(super) fn secret_of(&self, about: &str) -> Option<&str> {
        match self.before.get(about) {
            Some(Value::Secret(secret)) => Some(secret),
            _ => None,
        }
    }

    /// What the line changes that was typed next, or never answered.
    fn next(&self) -> &Then {
        self.notes.get(self.count).map_or(&self.unanswered, |note| &note.then)
    }

    fn rewind(&mut self) {
        (self.told, self.count) = (self.before.clone(), 0);
    }

    fn advance(&mut self) {
        let Note { then, also, .. } = &self.notes[self.count];
        self.told.extend(then.iter().chain(also).cloned());
        self.count += 1;
    }

    /// A sentence if what is stored is neither what was told nor that and all of the next line, of which several things may
    /// be told one after the other. Counts what it compares.
    fn compare(&self, facts: &Facts, secrets: &mut Secrets, compared: &mut usize) -> Option<String> {
        *compared += self.told.len();
        let mut done = BTreeMap::new();
        let mut wrong = self.first_wrong(&done, facts, secrets)?;
        let line = |note: &Note| (note.port, note.fence);
        let next = self.notes.get(self.count..).unwrap_or_default();
        let next = next.iter().take_while(|note| line(note) == line(&next[0])).map(|note| &note.then);
        let unanswered = if self.count == self.notes.len() { Some(&self.unanswered) } else { None };
        for then in next.chain(unanswered) {
            done.extend(then.iter().map(|(about, value)| (about, value)));
            wrong = self.first_wrong(&done, facts, secrets)?;
        }
        let (told, next, found) = (self.told.get(&wrong), self.next(), facts.get(&wrong));
        Some(format!("{wrong}: told {told:?}, perhaps {next:?}; stored is {found:?}"))
    }

    /// The first thing that is not as it was told, with what is done besides. What the next line changes and nobody has been
    /// told of yet is as it was stored before.
    fn first_wrong(
        &self,
        done: &BTreeMap<&String, &Value>,
        facts: &Facts,
        secrets: &mut Secrets,
    ) -> Option<String> {
        let told = self.told.iter().filter(|(about, _)| !done.contains_key(about));
        let mut known = told.chain(done.iter().map(|(about, value)| (*about, *value)));
        let wrong = known.find(|(about, value)| !value.fits(facts.get(*about), secrets));
        let untold = || {
            let mut next = self.next().iter().filter(|(about, value)| {
                *value != Value::Unknown && !self.told.contains_key(about) && !done.contains_key(about)
            });
            next.find(|(about, _)| self.stored.get(about) != facts.get(about)).map(|(about, _)| about)
        };
        wrong.map(|(about, _)| about).or_else(untold).cloned()
    }
}

/// The tales of all, held against the record of what was sent to whom.
pub(super) struct Audience<'t> {
    tales: &'t mut [Tale],
    /// Of each client, by its port: which notes are still to come, of which tales.
    ahead: BTreeMap<u16, VecDeque<(usize, u32, String)>>,
    clients: BTreeMap<i32, Hearing>,
}

/// What a client has heard since its last line was answered.
#[derive(Default)]
struct Hearing {
    port: u16,
    text: String,
    /// Up to where notes were looked for.
    seen: usize,
    fence: u32,
    skips: Skips,
}

impl<'t> Audience<'t> {
    pub(super) fn of(tales: &'t mut [Tale]) -> Self {
        let mut ahead = BTreeMap::<u16, VecDeque<_>>::new();
        for (n, tale) in tales.iter_mut().enumerate() {
            tale.rewind();
            for note in &tale.notes {
                ahead.entry(note.port).or_default().push_back((n, note.fence, note.words.clone()));
            }
        }
        Self { tales, ahead, clients: BTreeMap::new() }
    }

    /// What the server did next.
    pub(super) fn take(&mut self, event: &Event<'_>) {
        match *event {
            Event::Accepted { fd, port } => {
                self.clients.insert(fd, Hearing { port, ..Hearing::default() });
            }
            Event::Closed { fd } => drop(self.clients.remove(&fd)),
            Event::Sent { fd, bytes } => {
                let Some(hearing) = self.clients.get_mut(&fd) else { return };
                hearing.skips.add(bytes, &mut hearing.text);
                if let Some(ahead) = self.ahead.get_mut(&hearing.port) {
                    hearing.hear(ahead, |tale| self.tales[tale].advance());
                }
            }
            _ => {}
        }
    }

    /// A sentence for each tale that what is stored contradicts.
    pub(super) fn compare(&self, stored: &Facts, secrets: &mut Secrets, compared: &mut usize) -> Vec<String> {
        self.tales.iter().filter_map(|tale| tale.compare(stored, secrets, compared)).collect()
    }

    /// Notes whose words were never sent.
    pub(super) fn unheard(&self) -> Vec<&(usize, u32, String)> {
        self.ahead.values().flatten().collect()
    }
}

impl Hearing {
    /// Takes those notes that the text tells of now.
    fn hear(&mut self, ahead: &mut VecDeque<(usize, u32, String)>, mut told: impl FnMut(usize)) {
        loop {
            while let Some((tale, fence, words)) = ahead.front()
                && *fence == self.fence
                && let Some(at) = self.text[self.seen..].find(words.as_str())
            {
                self.seen += at + words.len();
                told(*tale);
                ahead.pop_front();
            }
            let end = super::fence(self.fence + 1);
            let Some(at) = self.text.find(&end) else { return };
            self.text.drain(..at + end.len());
            (self.seen, self.fence) = (0, self.fence + 1);
        }
    }
}

/// Leaves out of what is sent whatever is not text: telnet commands and colours.
#[derive(Default)]
struct Skips(State);

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Text,
    Command,
    Option,
    Sub,
    SubCommand,
    Escape,
}

impl Skips {
    fn add(&mut self, bytes: &[u8], text: &mut String) {
        let mut plain = Vec::new();
        for &byte in bytes {
            self.0 = match (self.0, byte) {
                (State::Text, 255) => State::Command,
                (State::Text, 0x1b) => State::Escape,
                (State::Text, _) => {
                    plain.push(byte);
                    State::Text
                }
                (State::Command, 250) => State::Sub,
                (State::Command, 251..=254) => State::Option,
                (State::Sub, 255) => State::SubCommand,
                (State::SubCommand, 240) | (State::Command | State::Option, _) | (State::Escape, b'm') => {
                    State::Text
                }
                (State::Sub | State::SubCommand, _) => State::Sub,
                (State::Escape, _) => State::Escape,
            };
        }
        text.push_str(&String::from_utf8_lossy(&plain));
    }
}
