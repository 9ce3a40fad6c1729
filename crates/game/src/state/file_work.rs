//! Zone files that are compared or imported over several steps.

use crate::effect::files::FilePurpose;
use deepwell_core::base::SessionId;
use deepwell_core::catalog::{Area, CatalogError};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Files of one request, and the results so far.
#[derive(Debug)]
pub(crate) struct FileWork {
    pub(crate) asker: SessionId,
    pub(crate) purpose: FilePurpose,
    /// Texts of the files by zone.
    pub(crate) texts: BTreeMap<String, String>,
    /// Zone whose file was parsed last.
    last: Option<String>,
    /// Parsed files.
    pub(crate) areas: BTreeMap<String, Area>,
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
    /// Groups of zones that are still to be imported, in reverse order.
    pub(crate) groups: Vec<Vec<String>>,
}

impl FileWork {
    /// Creates the work on files of which none has been parsed.
    pub(crate) const fn new(
        asker: SessionId,
        purpose: FilePurpose,
        texts: BTreeMap<String, String>,
        is_large: bool,
    ) -> Self {
        Self {
            asker,
            purpose,
            texts,
            last: None,
            areas: BTreeMap::new(),
            found: Vec::new(),
            lines: Vec::new(),
            doubts: Vec::new(),
            is_large,
            is_checked: false,
            groups: Vec::new(),
        }
    }

    /// Returns the next file to parse, as zone and text.
    pub(crate) fn next(&mut self) -> Option<(String, String)> {
        let after = self.last.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let (zone, text) = self.texts.range::<str, _>((after, Bound::Unbounded)).next()?;
        let next = (zone.clone(), text.clone());
        self.last = Some(next.0.clone());
        Some(next)
    }
}
