//! Tales: each worker's commands with the facts their acknowledgements establish; and, from the recorded output, the
//! progress of each tale at any moment.

use super::record::Event;
use argon2::password_hash::PasswordVerifier as _;
use argon2::password_hash::phc::PasswordHash;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Stored facts as text, by subject; an absent object has no entry.
pub(super) type Facts = BTreeMap<String, String>;

/// Condition on one fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Is(String),
    IsNot,
    /// Number that may have grown without a message.
    AtLeast(i64),
    /// Hash of this password or code.
    Secret(String),
    /// The outcome of a change in flight is unknown.
    Unknown,
}

impl Value {
    pub(super) fn is(value: &(impl ToString + ?Sized)) -> Self {
        Self::Is(value.to_string())
    }

    fn of(found: Option<&String>) -> Self {
        found.map_or(Self::IsNot, Self::is)
    }

    fn fits(&self, found: Option<&String>, secrets: &mut Secrets) -> bool {
        match (self, found) {
            (Self::Unknown, _) | (Self::IsNot, None) => true,
            (Self::Is(value), Some(found)) => value == found,
            (Self::AtLeast(least), Some(found)) => found.parse().is_ok_and(|found: i64| found >= *least),
            (Self::Secret(secret), Some(hash)) => secrets.is_hash_of(hash, secret),
            _ => false,
        }
    }
}

/// Cached results of password verification, which is expensive.
#[derive(Default)]
pub(super) struct Secrets(BTreeMap<(String, String), bool>);

impl Secrets {
    fn is_hash_of(&mut self, hash: &str, secret: &str) -> bool {
        *self.0.entry((hash.to_owned(), secret.to_owned())).or_insert_with(|| {
            let hash = PasswordHash::new(hash).expect("what is stored is a hash");
            argon2::Argon2::default().verify_password(secret.as_bytes(), &hash).is_ok()
        })
    }
}

/// Facts changed by a command, atomically.
pub(super) type Then = Vec<(String, Value)>;

/// Acknowledged command.
pub(super) struct Note {
    /// Local port of the client, and the number of its commands answered before.
    pub(super) port: u16,
    pub(super) fence: u32,
    /// Text of the acknowledgement.
    pub(super) words: String,
    pub(super) kind: &'static str,
    /// Changed facts that only this worker affects; stored atomically.
    pub(super) then: Then,
    /// Further facts established now, which may have been true before.
    pub(super) also: Then,
}

/// Record of a worker that has one command in flight at a time.
#[derive(Default)]
pub(super) struct Tale {
    /// Facts acknowledged before this recording, and all facts stored at its start.
    before: BTreeMap<String, Value>,
    stored: Arc<Facts>,
    notes: Vec<Note>,
    /// Facts that the command in flight would change.
    unanswered: Then,
    /// At the current moment of the recording: acknowledged facts, and the number of acknowledged commands.
    told: BTreeMap<String, Value>,
    count: usize,
}

impl Tale {
    /// Adds a fact that is known at the start.
    pub(super) fn know(&mut self, about: impl Into<String>, value: Value) {
        self.before.insert(about.into(), value);
    }

    pub(super) fn note(&mut self, note: Note) {
        self.notes.push(note);
        self.unanswered.clear();
    }

    /// Records the facts of a command about to be sent.
    pub(super) fn begin(&mut self, then: Then) {
        self.unanswered = then;
    }

    pub(super) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Takes over the stored values of acknowledged and in-flight facts, for a new recording.
    pub(super) fn start_over(&mut self, facts: &Arc<Facts>, secrets: &mut Secrets) {
        let mut now = std::mem::take(&mut self.told);
        for (about, value) in &now.clone() {
            // A fact that still holds keeps its acknowledged value: passwords cannot be read from their hashes.
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

    /// Returns the password or code acknowledged for a subject.
    pub(super) fn secret_of(&self, about: &str) -> Option<&str> {
        match self.before.get(about) {
            Some(Value::Secret(secret)) => Some(secret),
            _ => None,
        }
    }

    /// Returns the facts changed by the next command, or by the one in flight.
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

    /// Returns an error message unless the stored facts match the acknowledged ones, with or without the next command.
    /// If its changes are acknowledged one after the other, any prefix is allowed. Adds the number of compared facts to
    /// `compared`.
    fn compare(&self, facts: &Facts, secrets: &mut Secrets, compared: &mut usize) -> Option<String> {
        *compared += self.told.len();
        let mut done = BTreeMap::new();
        let mut fact = self.first_wrong(&done, facts, secrets)?;
        let line = |note: &Note| (note.port, note.fence);
        let next = self.notes.get(self.count..).unwrap_or_default();
        let next = next.iter().take_while(|note| line(note) == line(&next[0])).map(|note| &note.then);
        let unanswered = if self.count == self.notes.len() { Some(&self.unanswered) } else { None };
        for then in next.chain(unanswered) {
            done.extend(then.iter().map(|(about, value)| (about, value)));
            fact = self.first_wrong(&done, facts, secrets)?;
        }
        let (value, next, found) = (self.told.get(&fact), self.next(), facts.get(&fact));
        Some(format!("{fact}: told {value:?}, perhaps {next:?}; stored is {found:?}"))
    }

    /// Returns the first subject whose stored fact differs from the acknowledged one, assuming that `done` has been
    /// applied. A fact that only the next command changes must have its previous stored value.
    fn first_wrong(
        &self,
        done: &BTreeMap<&String, &Value>,
        facts: &Facts,
        secrets: &mut Secrets,
    ) -> Option<String> {
        let kept = self.told.iter().filter(|(about, _)| !done.contains_key(about));
        let mut known = kept.chain(done.iter().map(|(about, value)| (*about, *value)));
        let mismatch = known.find(|(about, value)| !value.fits(facts.get(*about), secrets));
        let untold = || {
            let mut next = self.next().iter().filter(|(about, value)| {
                *value != Value::Unknown && !self.told.contains_key(about) && !done.contains_key(about)
            });
            next.find(|(about, _)| self.stored.get(about) != facts.get(about)).map(|(about, _)| about)
        };
        mismatch.map(|(about, _)| about).or_else(untold).cloned()
    }
}

/// All tales, advanced by replaying the recorded output of each client.
pub(super) struct Audience<'t> {
    tales: &'t mut [Tale],
    /// Pending acknowledgements of each client, by port, with the index of their tales.
    ahead: BTreeMap<u16, VecDeque<(usize, u32, String)>>,
    clients: BTreeMap<i32, ClientOutput>,
}

/// Output sent to a client since its last answered command.
#[derive(Default)]
struct ClientOutput {
    port: u16,
    text: String,
    /// Number of bytes already searched for acknowledgements.
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

    /// Processes the server's next event.
    pub(super) fn take(&mut self, event: &Event<'_>) {
        match *event {
            Event::Accepted { fd, port } => {
                self.clients.insert(fd, ClientOutput { port, ..ClientOutput::default() });
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

    /// Returns an error message for each tale that the stored facts contradict.
    pub(super) fn compare(&self, stored: &Facts, secrets: &mut Secrets, compared: &mut usize) -> Vec<String> {
        self.tales.iter().filter_map(|tale| tale.compare(stored, secrets, compared)).collect()
    }

    /// Returns acknowledgements that were never sent.
    pub(super) fn unsent_acknowledgements(&self) -> Vec<&(usize, u32, String)> {
        self.ahead.values().flatten().collect()
    }
}

impl ClientOutput {
    /// Consumes the acknowledgements found in the new text.
    fn hear(&mut self, ahead: &mut VecDeque<(usize, u32, String)>, mut report: impl FnMut(usize)) {
        loop {
            while let Some((tale, fence, phrase)) = ahead.front()
                && *fence == self.fence
                && let Some(at) = self.text[self.seen..].find(phrase.as_str())
            {
                self.seen += at + phrase.len();
                report(*tale);
                ahead.pop_front();
            }
            let end = super::fence(self.fence + 1);
            let Some(at) = self.text.find(&end) else { return };
            self.text.drain(..at + end.len());
            (self.seen, self.fence) = (0, self.fence + 1);
        }
    }
}

/// Filter that removes telnet commands and colours from output.
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
