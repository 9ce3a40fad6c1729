//! Files generated from code and content. With `WRITE_GENERATED=1` in the environment, tests rewrite the outdated ones.
//! Review the difference before you commit it.

use std::path::Path;
use std::{env, fs};

/// Advice for an outdated file.
pub(crate) const HOW: &str = "WRITE_GENERATED=1 cargo test writes it anew";

/// Returns `true` if a file, given by its path from the root of the repository, has this text. With `WRITE_GENERATED`
/// set, writes it first.
pub(crate) fn is_up_to_date(file: &str, text: &str) -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let stands = fs::read_to_string(&path).is_ok_and(|kept| kept == text);
    if !stands && env::var_os("WRITE_GENERATED").is_some() {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return true;
    }
    stands
}
