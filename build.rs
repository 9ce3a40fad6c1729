//! Generates lists of the embedded files: the database migrations and the web client. Packs the Mudlet package that the
//! server offers for download.

#[path = "crates/core/listing.rs"]
mod listing;

use listing::list;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use zip::write::{SimpleFileOptions, ZipWriter};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=clients/mudlet");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    pack_for_mudlet(&root.join("clients/mudlet"), &out.join("deepwell.mpackage"))?;
    fs::write(out.join("migrations.rs"), list(&root.join("migrations"), "include_str")?)?;
    fs::write(out.join("web.rs"), list(&root.join("web"), "include_bytes")?)
}

/// The scripts of the Mudlet package, in load order.
const SCRIPTS: [&str; 6] = ["fields", "atlas", "panel", "state", "fight", "deepwell"];

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
