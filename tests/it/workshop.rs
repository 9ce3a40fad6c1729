//! Test harness for builders: a game with the server's folder of zone files.

use crate::table::{Table, seeded};
use deepwell::base::{Digest, SessionId, Span};
use deepwell::catalog::DefinitionKind;
use deepwell::game::{Declined, Effect, ExportFile, FileStore, Input};
use std::collections::BTreeMap;

/// Game with the server's folder of zone files.
pub(crate) struct Workshop {
    pub(crate) table: Table,
    /// Zone files by zone.
    pub(crate) files: BTreeMap<String, String>,
    /// Files of definitions made in the game, by path.
    pub(crate) made: BTreeMap<String, String>,
    /// Packages of zones as the JSON of their archives, by path.
    pub(crate) packages: BTreeMap<String, String>,
}

impl FileStore for Workshop {
    fn location(&self, path: &str) -> String {
        path.to_owned()
    }

    fn write(&mut self, path: &str, file: &ExportFile) -> Result<(), Declined> {
        let (folder, name) = self.place(path);
        let there = folder.get(name).map(|there| Digest::of_text(there).to_string());
        if there.is_some_and(|there| !file.known.contains(&there)) {
            return Err(Declined::Reason(format!("{path} has been changed by somebody else")));
        }
        folder.insert(name.to_owned(), file.text.clone());
        Ok(())
    }

    fn read(&mut self, path: &str) -> Result<String, Declined> {
        let (folder, name) = self.place(path);
        folder.get(name).cloned().ok_or_else(|| Declined::Reason("No such file".into()))
    }

    fn definitions(&self) -> Result<Vec<String>, Declined> {
        Ok(self.made.keys().cloned().collect())
    }
}

impl Workshop {
    /// Creates a game with Olad (owner) in the lodge of the town.
    pub(crate) fn open() -> Self {
        let mut table = Table::new(seeded(5));
        table.sit("Olad");
        table.make_owner("Olad");
        table.types("Olad", "north");
        Self::beside(table)
    }

    /// Wraps a game, with an empty folder.
    pub(crate) fn beside(table: Table) -> Self {
        Self { table, files: BTreeMap::new(), made: BTreeMap::new(), packages: BTreeMap::new() }
    }

    /// Creates a mill of four rooms with a variety of content; Olad is on its floor.
    pub(crate) fn with_mill() -> Self {
        let mut shop = Self::open();
        for line in [
            "zone new mill",
            "dig Mill Floor;mill = in;mill door, out",
            "in",
            "zone set mill",
            "describe here = Flour lies on everything, and on the flour lie \"footprints\".",
            "describe out = A low door; mind the \\ beam.",
            "set here environment = wood",
            "set on_enter = tell A sack slides off the heap.; 20% harm 1",
            "tunnel up = Mill Loft",
            "tunnel down = Wheel Pit:start",
            "dig Guard Room = hatch;trapdoor, hatch",
            "down",
            "open north;n:branch",
            "set north max_unexplored_exits = 6",
            "set here reset_interval = 60",
            "set here theme = well",
            "up",
        ] {
            let answer = shop.table.types("Olad", line);
            assert!(!answer.contains("There is no"), "{line}: {answer}");
        }
        assert_eq!(shop.table.room("Olad").sheet.name, "Mill Floor");
        shop
    }

    /// Types a line and performs the file operations it requests; returns the output.
    pub(crate) fn types(&mut self, name: &str, line: &str) -> String {
        let session = self.table.session(name);
        self.table.hears(name);
        let mut effects = self.table.results_of(Input::Command { session, line: line.into() });
        effects.reverse();
        while let Some(effect) = effects.pop() {
            let Some(input) = self.carry_out(&effect) else {
                self.table.deliver(effect);
                continue;
            };
            let came = self.table.results_of(input);
            effects.extend(came.into_iter().rev());
        }
        self.table.read_parts();
        self.table.hears(name)
    }

    /// Lets time pass, and performs the file operations that timers request.
    pub(crate) fn waits(&mut self, span: Span) {
        self.table.waits(span);
        for request in std::mem::take(&mut self.table.files_asked) {
            let input = request.carry_out(self);
            self.table.step(input);
        }
    }

    /// Types lines, none of which may be refused.
    pub(crate) fn types_all(&mut self, name: &str, lines: &[&str]) {
        for line in lines {
            let answer = self.types(name, line);
            assert!(
                !answer.contains("Nothing is changed") && !answer.contains("There is no "),
                "{line}: {answer}"
            );
        }
    }

    /// Runs an operator command; returns its answer.
    pub(crate) fn operator_asks(&mut self, line: &str) -> Result<Vec<String>, Declined> {
        let asker = SessionId(u64::MAX);
        let effects = self.table.results_of(Input::Operator { asker, line: line.into(), by: None });
        let input = effects.iter().find_map(|effect| self.carry_out(effect));
        let effects = input.map_or(effects, |input| self.table.results_of(input));
        let answer = effects.into_iter().find_map(|effect| match effect {
            Effect::Answered { answer, .. } => Some(answer),
            _ => None,
        });
        answer.expect("an answer")
    }

    /// Returns the digest of the active content.
    pub(crate) fn digest(&self) -> String {
        self.table.game().catalog().digest().to_string()
    }

    /// Returns the stored text of a definition.
    pub(crate) fn definition(&self, kind: DefinitionKind, key: &str) -> &str {
        &self.table.world().definitions.find(kind, key).expect("it is made").text
    }

    /// Performs the file operation of an effect; returns the input that reports its result, if any.
    pub(crate) fn carry_out(&mut self, effect: &Effect) -> Option<Input> {
        if let Effect::Files(request) = effect { Some(request.carry_out(self)) } else { None }
    }

    /// Returns the folder of a file, and its name there.
    fn place<'a>(&mut self, path: &'a str) -> (&mut BTreeMap<String, String>, &'a str) {
        match path.strip_prefix("made/") {
            Some(name) => (&mut self.made, name),
            None if path.starts_with("packages/") => (&mut self.packages, path),
            None => (&mut self.files, path.trim_start_matches("zones/").trim_end_matches(".toml")),
        }
    }

    /// Replaces the first occurrence of a text in a zone file.
    pub(crate) fn edit(&mut self, zone: &str, from: &str, to: &str) {
        let text = self.files.get_mut(zone).expect("the file is there");
        assert!(text.contains(from), "`{from}` is not in\n{text}");
        *text = text.replacen(from, to, 1);
    }

    /// Replaces the first occurrence of each text in a zone file, in order.
    pub(crate) fn edit_all(&mut self, zone: &str, changes: &[(&str, &str)]) {
        for (from, to) in changes {
            self.edit(zone, from, to);
        }
    }

    /// Asserts that `answer` has an error for each line that contains the text, with its suggestion.
    pub(crate) fn assert_errors(&self, zone: &str, answer: &str, mistakes: &[(&str, &str)]) {
        for (part, cure) in mistakes {
            let line = self.files[zone].lines().position(|line| line.contains(part)).expect("a line") + 1;
            let place = format!("zones/{zone}.toml:{line}:");
            assert!(
                answer.lines().any(|line| line.starts_with(&place) && line.contains(cure)),
                "{place} {cure}\n{answer}"
            );
        }
    }

    /// Exports a zone and returns its text.
    pub(crate) fn exported(&mut self, zone: &str) -> String {
        let mut answer = self.types("Olad", &format!("zone export {zone}"));
        if answer.is_empty() {
            self.waits(Span::secs(60));
            answer = self.table.hears("Olad");
        }
        assert!(answer.contains(&format!("zones/{zone}.toml")), "{answer}");
        self.files[zone].clone()
    }
}
