//! Zone files that are compared or imported over several steps.

pub(crate) mod check;
pub(crate) mod import_run;
pub(crate) mod visit;
pub(crate) mod writing;

use crate::effect::files::FilePurpose;
use crate::state::file_work::check::FileCheck;
use crate::state::file_work::import_run::ImportRun;
use crate::state::file_work::visit::{VisitStage, ZoneVisit};
use crate::state::file_work::writing::ZoneText;
use deepwell_core::base::{Digest, JournalId, SessionId};
use deepwell_core::catalog::{Area, Catalog, CatalogError};
use deepwell_core::world::{FormerZones, PendingImport, ZoneDraft};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// Purpose of work on zone files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FileTask {
    /// Files are compared or imported.
    Files,
    /// A large zone is written to its file.
    Export,
    /// A large zone gets a draft.
    Draft,
    /// The draft with this key replaces its zone.
    Publish(String),
    /// The draft with this key is removed.
    Discard(String),
    /// A large zone is packed.
    Pack,
    /// The consequences of publishing the draft with this key are told.
    Preview(String),
    /// The rooms of a draft get the names of its versions of definitions.
    Localise,
    /// An import that took several steps is undone or done again: the entry of the journal with this id.
    Reverse(JournalId),
}

/// Zone file that is parsed in parts.
#[derive(Debug)]
pub(crate) struct ZoneReading {
    pub(crate) zone: String,
    pub(crate) text: Arc<str>,
    /// First byte that is not parsed yet.
    pub(crate) begin: usize,
    /// Number of lines above it.
    pub(crate) above: u32,
    /// Rooms so far.
    pub(crate) area: Option<Area>,
    /// Number of mistakes of the files before.
    pub(crate) found: usize,
    /// Digest of the text so far.
    pub(crate) digest: Digest,
}

/// Files of one request, and the results so far.
#[derive(Debug)]
pub(crate) struct FileWork {
    /// Session that is answered; `None` if the server was started since the request.
    pub(crate) asker: Option<SessionId>,
    pub(crate) purpose: FilePurpose,
    pub(crate) task: FileTask,
    /// Command as typed, for the journal; empty for that of an import.
    pub(crate) line: String,
    /// Digest of the text of the zone that gets a draft.
    pub(crate) since: String,
    /// Text that is being written.
    pub(crate) writing: Option<ZoneText>,
    /// Texts of the files by zone.
    pub(crate) texts: BTreeMap<String, Arc<str>>,
    /// Zone whose file was parsed last.
    last: Option<String>,
    /// Rooms that are being visited.
    pub(crate) visit: Option<ZoneVisit>,
    /// File that is being parsed in parts.
    pub(crate) reading: Option<ZoneReading>,
    /// Parsed files.
    pub(crate) areas: BTreeMap<String, Area>,
    /// Digests of files that were parsed in parts.
    pub(crate) digests: BTreeMap<String, Digest>,
    /// Mistakes of the files.
    pub(crate) found: Vec<CatalogError>,
    /// Sentences for the asker so far.
    pub(crate) lines: Vec<String>,
    /// Sentences about doubts, which are told last.
    pub(crate) doubts: Vec<String>,
    /// Set if the work is done in several steps.
    pub(crate) is_large: bool,
    /// Set if the files have been checked.
    pub(crate) is_checked: bool,
    /// Content as it will be with the files, if it changes with them.
    pub(crate) content: Option<Arc<Catalog>>,
    /// Check in progress that takes several steps. Builders change nothing from its begin to the end of the work.
    pub(crate) check: Option<FileCheck>,
    /// Zones before the import; `None` if they are not kept.
    pub(crate) former: Option<FormerZones>,
    /// Groups of zones that are still to be imported, in reverse order.
    pub(crate) groups: Vec<Vec<String>>,
    /// Import in progress that takes several steps.
    pub(crate) run: Option<ImportRun>,
}

impl FileWork {
    /// Creates the work on files of which none has been parsed.
    pub(crate) fn new(
        asker: Option<SessionId>,
        purpose: FilePurpose,
        texts: impl IntoIterator<Item = (String, String)>,
        is_large: bool,
    ) -> Self {
        Self {
            asker,
            purpose,
            task: FileTask::Files,
            line: String::new(),
            since: String::new(),
            writing: None,
            texts: texts.into_iter().map(|(zone, text)| (zone, text.into())).collect(),
            last: None,
            visit: None,
            reading: None,
            areas: BTreeMap::new(),
            digests: BTreeMap::new(),
            found: Vec::new(),
            lines: Vec::new(),
            doubts: Vec::new(),
            is_large,
            is_checked: false,
            content: None,
            check: None,
            former: None,
            groups: Vec::new(),
            run: None,
        }
    }

    /// Creates the work of a task on a large zone.
    pub(crate) fn of_task(asker: SessionId, task: FileTask, line: &str, writing: Option<ZoneText>) -> Self {
        let none: [(String, String); 0] = [];
        let line = line.to_owned();
        Self { task, line, writing, ..Self::new(Some(asker), FilePurpose::Import, none, true) }
    }

    /// Creates the work of a task that changes no zone.
    pub(crate) fn of_reading_task(asker: SessionId, task: FileTask, zone: &str) -> Self {
        let work = Self::of_task(asker, task, "", Some(ZoneText::new(zone, zone)));
        Self { purpose: FilePurpose::Compare, ..work }
    }

    /// Creates the work that gives the rooms of a draft the names of its versions of definitions.
    pub(crate) fn localise(draft: &str) -> Self {
        let none: [(String, String); 0] = [];
        let visit = Some(ZoneVisit::new(draft, VisitStage::Localise));
        Self { task: FileTask::Localise, visit, ..Self::new(None, FilePurpose::Compare, none, true) }
    }

    /// Creates the work that undoes an import, or does it again, by an import of the former files.
    pub(crate) fn reverse(asker: SessionId, entry: JournalId, former: &FormerZones) -> Self {
        let none = || "rooms = []\n".to_owned();
        let texts = former.files.iter().map(|(zone, text)| (zone.clone(), text.clone().unwrap_or_else(none)));
        let task = FileTask::Reverse(entry);
        Self { task, ..Self::new(Some(asker), FilePurpose::ImportMany, texts, true) }
    }

    /// Creates the work on an import that had begun when the server ended.
    pub(crate) fn resumed(row: &PendingImport, draft: Option<ZoneDraft>, former: FormerZones) -> Self {
        let texts = row.files.iter().map(|(zone, text)| (zone.clone(), text.clone()));
        let mut run = ImportRun::new(Some(row.id));
        (run.draft, run.moves_rooms) = (row.draft.clone().zip(draft), row.moves_rooms);
        run.former = former;
        if row.files.is_empty() {
            run.leave_draft();
        }
        let task = row.reverses.map_or(FileTask::Files, FileTask::Reverse);
        Self { task, is_checked: true, run: Some(run), ..Self::new(None, FilePurpose::Import, texts, true) }
    }

    /// Returns `true` if builders must not change anything while the work is in progress.
    pub(crate) const fn is_exclusive(&self) -> bool {
        let is_always = matches!(self.task, FileTask::Reverse(_) | FileTask::Localise);
        self.check.is_some() || self.run.is_some() || self.writing.is_some() || is_always
    }

    /// Takes the files of an import that had begun when the server ended, once they are parsed again.
    pub(crate) fn areas_of_run(&mut self) -> BTreeMap<String, Area> {
        if self.asker.is_none() { std::mem::take(&mut self.areas) } else { BTreeMap::new() }
    }

    /// Returns the next file to parse, as zone and text.
    pub(crate) fn next(&mut self) -> Option<(String, Arc<str>)> {
        let after = self.last.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let (zone, text) = self.texts.range::<str, _>((after, Bound::Unbounded)).next()?;
        let next = (zone.clone(), Arc::clone(text));
        self.last = Some(next.0.clone());
        Some(next)
    }
}
