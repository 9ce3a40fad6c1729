//! `deepwell manual` and `deepwell completions`: manual pages and completions, generated from the command line's
//! declaration.

use super::{CliArguments, CliFailure, show};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Prints completions for a shell.
pub(super) fn completions(shell: Shell, out: &mut dyn Write) -> Result<(), CliFailure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut CliArguments::command(), "deepwell", &mut text);
    show(out, &String::from_utf8_lossy(&text))
}

/// Prints the page of the program, or writes the pages of all commands to a folder.
pub(super) fn manual(folder: Option<&Path>, out: &mut dyn Write) -> Result<(), CliFailure> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        let rendered = Man::new(declaration()).render(&mut page);
        rendered.map_err(|error| CliFailure::Io("the manual page".into(), error))?;
        return show(out, &String::from_utf8_lossy(&page));
    };
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(declaration(), folder));
    written.map_err(|error| CliFailure::Io(folder.display().to_string(), error))
}

/// Returns the command line without the pages of `help`, which repeat all others.
fn declaration() -> clap::Command {
    without_help(CliArguments::command())
}

fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

#[cfg(test)]
mod tests {
    use super::super::tests::typed;
    use super::*;
    use clap::ValueEnum;
    use std::collections::BTreeSet;
    use std::process::{Command, Stdio};

    /// Adds the names of a command's page and of those of its subcommands.
    fn names(command: &clap::Command, prefix: &str, found: &mut BTreeSet<String>) {
        let name = format!("{prefix}{}", command.get_name());
        for inner in command.get_subcommands() {
            names(inner, &format!("{name}-"), found);
        }
        found.insert(format!("{name}.1"));
    }

    #[test]
    fn every_subcommand_has_a_manual_page() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join("man1");
        typed(&["manual", pages.to_str().unwrap()]).1.unwrap();
        let entries = fs::read_dir(&pages).unwrap();
        let written: BTreeSet<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        let mut expected = BTreeSet::new();
        names(&CliArguments::command(), "", &mut expected);
        assert_eq!(written, expected);
        for name in ["deepwell.1", "deepwell-control-ban.1", "deepwell-dungeon-map.1", "deepwell-manual.1"] {
            assert!(written.contains(name), "{name} is missing in {written:?}");
        }
        let page = fs::read_to_string(pages.join("deepwell.1")).unwrap();
        assert_eq!(typed(&["manual"]).0, page);
        assert!(page.contains("Exit codes"), "{page}");
    }

    #[test]
    fn completions_name_every_command() {
        for shell in Shell::value_variants() {
            let script = typed(&["completions", &shell.to_string()]).0;
            for command in CliArguments::command().get_subcommands() {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
        }
    }

    #[test]
    fn bash_accepts_the_completions() {
        let script = typed(&["completions", "bash"]).0;
        let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
        bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(bash.wait().unwrap().success());
    }
}
