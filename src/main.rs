//! The `deepwell` program: arguments in, exit code out. What it does stands in the library.

use deepwell::server::cli::{self, Arguments};
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::read(env::args_os()).unwrap_or_else(|error| error.exit());
    match cli::run(arguments, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            // Nothing is left to do if standard error is closed, too.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
