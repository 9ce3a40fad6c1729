//! Finds the running server from any folder: tries the places where its control socket may be, in order.

use crate::server::cli::{CliFailure, SettingArguments};
use crate::server::config::{Config, ConfigError, ConfigSources, ServerConfig, SettingOrigin};
use std::fmt::Display;
use std::io;
use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// Places of a packaged server: its configuration file, and its state folders.
#[derive(Clone, Copy, Debug)]
pub(in crate::server::cli) struct Packaged<'a> {
    pub(in crate::server::cli) config: &'a str,
    pub(in crate::server::cli) folders: &'a [&'a str],
}

/// Places that the packages and units use.
pub(in crate::server::cli) const PACKAGED: Packaged<'_> =
    Packaged { config: "/etc/deepwell/config.toml", folders: &["/var/lib/deepwell", "/run/deepwell"] };

/// Process whose socket is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server::cli) enum Process {
    /// `deepwell serve` or `deepwell host`.
    Server,
    /// `deepwell gateway`.
    Gateway,
}

impl Process {
    /// Returns the name of the process for operators.
    pub(in crate::server::cli) const fn words(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Gateway => "gateway",
        }
    }
}

/// Connection to a running process.
#[derive(Debug)]
pub(in crate::server::cli) struct ProcessConnection {
    pub(in crate::server::cli) process: Process,
    pub(in crate::server::cli) socket: PathBuf,
    pub(in crate::server::cli) stream: UnixStream,
}

impl ProcessConnection {
    /// Returns which process answers, in words.
    pub(in crate::server::cli) fn words(&self) -> String {
        format!("the running {} at {}", self.process.words(), self.socket.display())
    }
}

/// A place where the socket may be, and the reasons why earlier sources name none.
#[derive(Debug, Default)]
struct Places {
    /// State folders, each with the source that names it.
    folders: Vec<(PathBuf, String)>,
    /// Lines about sources that could not be read.
    unread: Vec<String>,
}

impl Places {
    fn add(&mut self, folder: impl Into<PathBuf>, source: impl Into<String>) {
        let folder = folder.into();
        if !self.folders.iter().any(|(known, _)| *known == folder) {
            self.folders.push((folder, source.into()));
        }
    }

    /// Adds the folder that the settings name. Returns `true` if `--set` or the environment names it.
    fn add_configured(&mut self, sources: &ConfigSources) -> Result<bool, Vec<ConfigError>> {
        let effective = sources.check()?;
        let (folder, origin) =
            (effective.config.server.state_dir.clone(), effective.origin("server.state_dir"));
        match origin {
            SettingOrigin::BuiltIn => self.add(folder, "the default"),
            origin => self.add(folder, origin.to_string()),
        }
        Ok(matches!(origin, SettingOrigin::Set(_) | SettingOrigin::Environment(_)))
    }
}

/// Lists the places to look in. Those that the command line or the environment name are the only ones; the file
/// `./config.toml` names the first of several.
fn places(settings: &SettingArguments, packaged: Packaged<'_>) -> Result<Places, CliFailure> {
    let mut places = Places::default();
    let named = settings.sources().map_err(|failure| match failure {
        CliFailure::Settings(mistakes) => mistakes,
        other => vec![ConfigError::new(&SettingOrigin::BuiltIn, other.to_string(), "")],
    });
    let is_named = match named.and_then(|sources| places.add_configured(&sources)) {
        // Folders of other programs have a config.toml, too.
        Err(mistakes) if settings.config.is_none() && is_in_file(&mistakes) => {
            places.unread.push(format!("./config.toml is not used: {}", mistakes[0]));
            places.add_configured(&ConfigSources::without_file(settings.set.clone()))
        }
        named => named,
    };
    if is_named.map_err(CliFailure::Settings)? || settings.config.is_some() {
        return Ok(places);
    }
    places.add(Config::default().server.state_dir, "the default");
    match packaged_state_dir(packaged.config) {
        Ok(Some(folder)) => places.add(folder, packaged.config),
        Ok(None) => {}
        Err(error) => places.unread.push(error.to_string()),
    }
    for folder in packaged.folders {
        places.add(*folder, "the place of packages");
    }
    Ok(places)
}

fn is_in_file(mistakes: &[ConfigError]) -> bool {
    mistakes.iter().all(|mistake| matches!(mistake.place, SettingOrigin::File(_)))
}

/// Reason why a configuration file is not used.
#[derive(Debug, thiserror::Error)]
#[error("{file} is not used: {why}")]
struct NotUsed {
    file: String,
    why: String,
}

/// Returns the state folder that the configuration file of a package sets, if there is one. A relative one would depend
/// on the working directory of the server.
fn packaged_state_dir(file: &str) -> Result<Option<PathBuf>, NotUsed> {
    let not_used = |why: &dyn Display| NotUsed { file: file.to_owned(), why: why.to_string() };
    if !Path::new(file).try_exists().map_err(|error| not_used(&error))? {
        return Ok(None);
    }
    let sources = ConfigSources::gather(Some(Path::new(file)), Vec::new());
    let sources = sources.map_err(|mistake| not_used(&mistake))?;
    let (effective, _) = ConfigSources { environment: Vec::new(), ..sources }.check_all();
    let folder = effective.config.server.state_dir;
    Ok(Some(folder).filter(|folder| folder.is_absolute()))
}

/// Connects to the first place where one of the processes answers; at each place, they are tried in order. A place other
/// than the first is named on standard error, so that the operator notices which server is meant.
///
/// # Errors
/// All places with the reason why each did not answer.
pub(in crate::server::cli) fn connect(
    settings: &SettingArguments,
    processes: &[Process],
    packaged: Packaged<'_>,
) -> Result<ProcessConnection, CliFailure> {
    let places = places(settings, packaged)?;
    let mut looked = places.unread;
    for (number, (folder, source)) in places.folders.into_iter().enumerate() {
        let server = ServerConfig { state_dir: folder, ..ServerConfig::default() };
        for process in processes {
            let socket = match process {
                Process::Server => server.control_socket(),
                Process::Gateway => server.gateway_control_socket(),
            };
            match UnixStream::connect(&socket) {
                Ok(stream) => {
                    if number > 0 {
                        let (process, socket) = (process.words(), socket.display());
                        let _ = writeln!(io::stderr(), "deepwell: asking the {process} at {socket}");
                    }
                    return Ok(ProcessConnection { process: *process, socket, stream });
                }
                Err(error) if is_busy(&error) => return Err(busy(&socket)),
                Err(error) => looked.push(format!("{} ({source}): {}", socket.display(), reason(&error))),
            }
        }
    }
    Err(CliFailure::NoServer(looked))
}

/// Returns `true` if a server listens, but its queue of connections is full.
pub(in crate::server::cli) fn is_busy(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Returns the failure for a server whose queue of connections is full.
pub(in crate::server::cli) fn busy(socket: &Path) -> CliFailure {
    CliFailure::Unanswered(format!(
        "the server at {} has no time for more requests; try again",
        socket.display()
    ))
}

/// Returns the reason why a socket does not answer, with the cure.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no socket".into(),
        io::ErrorKind::ConnectionRefused => "no server listens; a killed one left the socket behind".into(),
        io::ErrorKind::PermissionDenied => {
            "permission denied; run this command as the user of the server, such as with sudo -u deepwell"
                .into()
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::net::UnixListener;

    fn settings(set: &[&str], config: Option<PathBuf>) -> SettingArguments {
        SettingArguments { config, set: set.iter().map(|line| (*line).to_owned()).collect() }
    }

    fn folders(places: &Places) -> Vec<&str> {
        places.folders.iter().map(|(folder, _)| folder.to_str().unwrap()).collect()
    }

    #[test]
    fn folder_named_on_the_command_line_is_the_only_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c.toml");
        fs::write(&file, "[server]\nstate_dir = \"/srv/a\"\n").unwrap();
        assert_eq!(folders(&places(&settings(&[], Some(file.clone())), PACKAGED).unwrap()), ["/srv/a"]);
        let set = settings(&["server.state_dir=/srv/b"], Some(file));
        assert_eq!(folders(&places(&set, PACKAGED).unwrap()), ["/srv/b"]);
        assert_eq!(
            folders(&places(&settings(&["server.state_dir=/srv/b"], None), PACKAGED).unwrap()),
            ["/srv/b"]
        );
    }

    #[test]
    fn packaged_server_is_found_after_the_current_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("config.toml"), format!("[server]\nstate_dir = \"{}\"\n", path("state"))).unwrap();
        let (config, other) = (path("config.toml"), path("other"));
        let packaged = Packaged { config: &config, folders: &[&other] };
        let found = places(&settings(&[], None), packaged).unwrap();
        assert_eq!(folders(&found), ["var", path("state").as_str(), other.as_str()]);
        let here = Path::new("var/control.sock").exists();
        fs::create_dir(path("other")).unwrap();
        let _listens = UnixListener::bind(format!("{other}/control.sock")).unwrap();
        let any = [Process::Gateway, Process::Server];
        for processes in [&any[1..], &any] {
            let found = connect(&settings(&[], None), processes, packaged).unwrap();
            assert!(here || found.socket == Path::new(&other).join("control.sock"), "{found:?}");
        }
        assert!(connect(&settings(&[], None), &any[..1], packaged).is_err(), "that is another socket");
        let _gateway = UnixListener::bind(format!("{other}/gateway.sock")).unwrap();
        let found = connect(&settings(&[], None), &any, packaged).unwrap();
        assert!(here || found.words() == format!("the running gateway at {other}/gateway.sock"), "{found:?}");
    }

    #[test]
    fn every_place_is_reported_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for name in ["killed", "closed"] {
            fs::create_dir(path(name)).unwrap();
        }
        drop(UnixListener::bind(folder.path().join("killed/control.sock")).unwrap());
        let (killed, closed, absent) = (path("killed"), path("closed"), path("absent"));
        let packaged = Packaged { config: "/nonexistent/config.toml", folders: &[&killed, &closed, &absent] };
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let failure = connect(&settings(&[], None), &[Process::Gateway], packaged).unwrap_err();
        let message = failure.to_string();
        assert!(
            message.contains(&format!("{absent}/gateway.sock (the place of packages): no socket")),
            "{message}"
        );
        assert!(message.contains("Specify the server's folder") && failure.exit_code() == 3, "{message}");
        let failure =
            connect(&settings(&[&format!("server.state_dir={killed}")], None), &[Process::Server], PACKAGED);
        let message = failure.unwrap_err().to_string();
        assert!(
            message.contains("/killed/control.sock (--set server.state_dir): no server listens;"),
            "{message}"
        );
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert!(reason(&denied).contains("run this command as the user of the server"));
    }

    /// A full queue is no refusal: exit code 4.
    #[test]
    fn busy_server_has_not_refused() {
        assert!(is_busy(&io::Error::from(io::ErrorKind::WouldBlock)));
        assert_eq!(busy(Path::new("var/control.sock")).exit_code(), 4);
    }
}
