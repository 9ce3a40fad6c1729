//! Rebuilds when a migration or a content file is added: cargo sees neither by itself.
//! Writes the list of content files that is compiled in as the fallback for a missing `content/` folder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=content");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let mut files = Vec::new();
    collect(&root.join("content"), &mut files)?;
    files.sort();
    let mut source = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(root.join("content")).map_err(io::Error::other)?;
        writeln!(
            source,
            "    ({:?}, include_str!({:?})),",
            name.display().to_string(),
            file.display().to_string()
        )
        .map_err(io::Error::other)?;
    }
    source.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("content.rs"), source)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
