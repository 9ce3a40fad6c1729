//! The `deepwell` binary: parses arguments and maps the outcome to an exit code. The library does the rest.

use deepwell::server::cli::{self, CliArguments};
use deepwell::server::logging;
use std::process::ExitCode;
use std::{env, io};

/// Rooms and texts are allocated on one thread and freed on another. In that pattern glibc's allocator takes locks and
/// retains memory; mimalloc does neither (see docs/develop/performance.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = CliArguments::read(env::args_os()).unwrap_or_else(|error| error.exit());
    match cli::run(arguments, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            logging::last_words(failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}
