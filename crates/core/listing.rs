//! Lists of files that a program embeds, for build scripts.
//!
//! Requests a rebuild when a file is added to a folder, which cargo does not detect.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Returns the source of a list of all files in a folder: the relative path of each, and the macro that includes it.
pub(crate) fn list(folder: &Path, include: &str) -> io::Result<String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut source = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(folder).map_err(io::Error::other)?.display().to_string();
        let path = file.display().to_string();
        writeln!(source, "    ({name:?}, {include}!({path:?})),").map_err(io::Error::other)?;
    }
    source.push_str("]\n");
    Ok(source)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Skip hidden files (editors, git), as the server does when it reads a folder.
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        // Without the `scripts` feature, the embedded content omits the scripts.
        let is_left_out = path.extension().is_some_and(|kind| kind == "luau")
            && env::var_os("CARGO_FEATURE_SCRIPTS").is_none();
        if path.is_dir() {
            collect(&path, files)?;
        } else if !is_left_out {
            files.push(path);
        }
    }
    Ok(())
}
