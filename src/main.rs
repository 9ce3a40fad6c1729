//! The `deepwell` program: arguments in, exit code out. What it does stands in the library.

use deepwell::server::cli::{self, Arguments};
use deepwell::server::logging;
use std::env;
use std::io;
use std::process::ExitCode;

/// Rooms and texts are made on one thread and freed on another, all day: glibc's allocator locks and keeps memory
/// where this one does neither (see docs/performance.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::read(env::args_os()).unwrap_or_else(|error| error.exit());
    match cli::run(arguments, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            logging::last_words(failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}
