//! Files that follow from the code and the content. With `WRITE_GENERATED=1` in the environment tests write those that do
//! not say what they should, and no others. Read the difference before you keep it.

use std::path::Path;
use std::{env, fs};

/// What to do if such a file is not what it should be.
pub(crate) const HOW: &str = "WRITE_GENERATED=1 cargo test writes it anew";

/// Whether a file, by its path from the root of the repository, says this; with the switch it does from now on.
pub(crate) fn stands(file: &str, text: &str) -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let stands = fs::read_to_string(&path).is_ok_and(|kept| kept == text);
    if !stands && env::var_os("WRITE_GENERATED").is_some() {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return true;
    }
    stands
}
