//! Generates the list of the embedded content, which is the fallback for a missing `content/` folder.

mod listing;

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder =
        PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../content");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("content.rs"), listing::list(&folder, "include_str")?)
}
