//! Generates lists of the embedded files: the content (fallback for a missing `content/` folder), the database
//! migrations and the web client. Packs the Mudlet package that the server offers for download.
//!
//! Requests a rebuild when a file is added to these folders, which cargo does not detect.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use zip::write::{SimpleFileOptions, ZipWriter};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=content");
    println!("cargo:rerun-if-changed=web");
    println!("cargo:rerun-if-changed=clients/mudlet");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    pack_for_mudlet(&root.join("clients/mudlet"), &out.join("deepwell.mpackage"))?;
    fs::write(out.join("migrations.rs"), list(&root.join("migrations"), "include_str")?)?;
    fs::write(out.join("content.rs"), list(&root.join("content"), "include_str")?)?;
    fs::write(out.join("web.rs"), list(&root.join("web"), "include_bytes")?)
}

/// Returns the source of a list of all files in a folder: the relative path of each, and the macro that includes it.
fn list(folder: &Path, include: &str) -> io::Result<String> {
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

/// The scripts of the Mudlet package, in load order.
const SCRIPTS: [&str; 3] = ["atlas", "panel", "deepwell"];

/// Writes the Mudlet package: a zip archive of its settings and an XML file with the scripts. Entries have no
/// timestamps, so that the same source gives the same bytes.
fn pack_for_mudlet(source: &Path, package: &Path) -> io::Result<()> {
    let mut scripts = String::new();
    for name in SCRIPTS {
        let script = fs::read_to_string(source.join(name).with_extension("lua"))?;
        let script = script.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = write!(
            scripts,
            "<Script isActive=\"yes\" isFolder=\"no\">\n<name>Deepwell: {name}</name>\n\
             <packageName></packageName>\n<script>{script}</script>\n<eventHandlerList />\n</Script>\n"
        );
    }
    let scripts = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE MudletPackage>\n\
         <MudletPackage version=\"1.001\">\n<ScriptPackage>\n{scripts}</ScriptPackage>\n</MudletPackage>\n"
    );
    let mut archive = ZipWriter::new(fs::File::create(package)?);
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, text) in
        [("config.lua", fs::read_to_string(source.join("config.lua"))?), ("deepwell.xml", scripts)]
    {
        archive.start_file(name, stored)?;
        archive.write_all(text.as_bytes())?;
    }
    archive.finish()?;
    Ok(())
}
