//! Secrets in files of their own, so that they are not in the settings, which are printed.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;

use crate::session::Secret;

/// Maximum size of a file in bytes.
const FILE_BYTES_MAX: u64 = 4_096;

/// Reads the secret in a file; white space around it is ignored.
pub(in crate::server) fn read(path: &Path, setting: &str) -> anyhow::Result<Secret> {
    let mut text = String::new();
    let opened = File::open(path).and_then(|file| file.take(FILE_BYTES_MAX).read_to_string(&mut text));
    opened.with_context(|| format!("{setting}: cannot read {}", path.display()))?;
    let read = Secret(text);
    Ok(Secret(read.0.trim().to_owned()))
}
