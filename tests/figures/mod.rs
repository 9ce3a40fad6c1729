//! Results of long runs: one line each, printed and, with `WRITE_FIGURES=1`, stored for docs/develop/faults.md.

use std::path::Path;
use std::{env, fs, thread};

/// Reports the result of the current test.
pub(crate) fn tell(figures: &str) {
    let thread = thread::current();
    let test = thread.name().and_then(|path| path.rsplit("::").next()).expect("a test has a name");
    eprintln!("{test}: {figures}");
    if env::var_os("WRITE_FIGURES").is_some() {
        let kept =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/figures").join(format!("{test}.txt"));
        fs::write(&kept, format!("{figures}\n"))
            .unwrap_or_else(|error| panic!("{}: {error}", kept.display()));
    }
}
