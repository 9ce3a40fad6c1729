//! Tests of the command line.

use super::*;
use crate::server::files::lock::ServerLock;
use clap::CommandFactory;
use std::fs;

pub(super) fn typed(line: &[&str]) -> (String, Result<(), CliFailure>) {
    let arguments = read(line).unwrap();
    let mut out = Vec::new();
    let result = run(arguments, &mut out);
    (String::from_utf8(out).unwrap(), result)
}

fn read(line: &[&str]) -> Result<CliArguments, clap::Error> {
    CliArguments::read(["deepwell"].iter().chain(line).map(OsString::from))
}

#[test]
fn clap_definition_is_consistent() {
    CliArguments::command().debug_assert();
}

#[test]
fn no_command_defaults_to_serve() {
    assert!(read(&[]).unwrap().command.is_none());
}

#[test]
fn wrong_usage_exits_with_2() {
    for line in
        [&["chekc"][..], &["backup"], &["control"], &["control", "stop", "--in", "soon"], &["check", "--set"]]
    {
        assert_eq!(read(line).unwrap_err().exit_code(), 2, "{line:?}");
    }
}

#[test]
fn set_is_accepted_before_and_after_the_command() {
    let (shown, result) =
        typed(&["config", "print", "--set", "game.round=7", "--set", "world.name=Deep Hole"]);
    result.unwrap();
    assert!(shown.contains("\nround = \"7s\" # --set game.round\n"), "{shown}");
    assert!(shown.contains("\nname = \"Deep Hole\" # --set world.name\n"), "{shown}");
    let (shown, _) = typed(&["--set", "game.round=7", "config", "print", "--set", "dungeon.window=9"]);
    assert!(shown.contains("\nround = \"7s\" # --set game.round\n"), "{shown}");
    assert!(shown.contains("\nwindow = \"9s\" # --set dungeon.window\n"), "{shown}");
    let arguments =
        read(&["control", "broadcast", "--set=ops.listen=off", "--", "--set", "your", "minds"]).unwrap();
    assert_eq!(arguments.settings.set, ["ops.listen=off"]);
}

#[test]
fn config_defaults_prints_the_shipped_file() {
    assert_eq!(typed(&["config", "defaults"]).0, include_str!("../../../config.toml"));
}

#[test]
fn changed_settings_are_printed_with_their_source() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "[game]\nround = \"3s\"\n[limits]\nguests = 2\n").unwrap();
    let path = file.path().display().to_string();
    let shown = typed(&["config", "print", "--changed", "--config", &path, "--set", "game.guidance=false"]).0;
    assert_eq!(
        shown,
        format!("[game]\nguidance = false # --set game.guidance\n\n[limits]\nguests = 2 # {path}:4\n")
    );
    fs::write(file.path(), "[game]\nround = \"3s\"\n").unwrap();
    let shown = typed(&["config", "print", "--changed", "--config", &path]).0;
    assert_eq!(shown, "# All settings are the defaults.\n");
}

#[test]
fn settings_of_another_file_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let state = format!("server.state_dir={}", path("state"));
    fs::write(folder.path().join("old.toml"), "[limits]\nguests = 2\n").unwrap();
    fs::write(folder.path().join("new.toml"), "[auth]\nslots = 2\n[limits]\nguests = 3\n").unwrap();
    let diff =
        |file: &str| typed(&["config", "diff", &path(file), "--config", &path("old.toml"), "--set", &state]);
    let (shown, result) = diff("new.toml");
    result.unwrap();
    let source = "compared with the settings that a start would use; no server is running";
    assert_eq!(
        shown,
        format!(
            "{source}\ntakes effect at a reload: limits.guests = 3, was 2\nneeds a restart: auth.slots = 2, was 1\n"
        )
    );
    assert_eq!(diff("old.toml").0, format!("{source}\nno setting differs\n"));
    fs::write(folder.path().join("wrong.toml"), "[limits]\nguests = \"many\"\n").unwrap();
    assert_eq!(diff("wrong.toml").1.unwrap_err().exit_code(), 1);
}

#[test]
fn invalid_settings_exit_with_1() {
    let failure = typed(&["config", "print", "--set", "game.ruond=7"]).1.unwrap_err();
    assert_eq!(failure.exit_code(), 1);
    assert_eq!(
        failure.to_string(),
        "--set game.ruond: unknown setting game.ruond, expected one of round, guidance, snoop_told, diagonals, did you mean `game.round`?"
    );
}

#[test]
fn check_reports_all_mistakes_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let state = format!("server.state_dir={}", path("state"));
    let (shown, result) = typed(&["check", "--set", &state]);
    result.unwrap();
    assert!(shown.starts_with("no mistakes: "), "{shown}");
    assert!(!folder.path().join("state").exists());

    fs::write(folder.path().join("c.toml"), "[game]\nround = 0\n").unwrap();
    fs::create_dir_all(folder.path().join("content/items")).unwrap();
    fs::write(folder.path().join("content/items/lamp.toml"), "name = \n").unwrap();
    fs::create_dir(folder.path().join("state")).unwrap();
    fs::write(folder.path().join("state/deepwell.db"), "not a database").unwrap();
    let content = format!("server.content_dir={}", path("content"));
    let (shown, result) = typed(&["check", "--config", &path("c.toml"), "--set", &state, "--set", &content]);
    assert_eq!(result.unwrap_err().exit_code(), 1);
    let starts = [
        format!("{}:2:9: game.round is 0, expected 10ms to 1m", path("c.toml")),
        format!("{}:1:", path("content/items/lamp.toml")),
        format!("{}: not a database of this server", path("state/deepwell.db")),
    ];
    for start in starts {
        assert!(shown.lines().any(|line| line.starts_with(&start)), "{start} is not in\n{shown}");
    }
    assert_eq!(fs::read_dir(folder.path().join("state")).unwrap().count(), 1, "nothing was added");
}

#[test]
fn restore_requires_a_stopped_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let state = format!("server.state_dir={}", path("state"));
    fs::create_dir(folder.path().join("state")).unwrap();
    let failure = typed(&["backup", &path("copy"), "--set", &state]).1.unwrap_err().to_string();
    assert!(
        failure.starts_with("there is no database at ") && failure.contains("Specify the server's folder"),
        "{failure}"
    );
    let database = folder.path().join("state/deepwell.db");
    wait_for(async { crate::store::Store::open(&database).await?.close().await }).unwrap().unwrap();

    let (shown, result) = typed(&["backup", &path("copy"), "--set", &state]);
    result.unwrap();
    assert_eq!(shown, format!("copied to {}\n", path("copy")));
    let failure = typed(&["backup", &path("copy"), "--set", &state]).1.unwrap_err();
    assert!(matches!(failure, CliFailure::Store(StoreError::Exists(_))), "{failure}");

    let lock = ServerLock::take(&folder.path().join("state/lock")).unwrap();
    let failure = typed(&["restore", &path("copy"), "--set", &state]).1.unwrap_err();
    assert!(failure.to_string().starts_with("another server is running on this folder"), "{failure}");
    drop(lock);
    let (shown, result) = typed(&["restore", &path("copy"), "--set", &state]);
    result.unwrap();
    assert!(shown.contains("; the old database was moved to "), "{shown}");
    assert!(database.exists());
}

/// O5, O6: commands report that the next start upgrades an older database, and that a newer one is refused.
#[test]
fn older_schema_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let state = format!("server.state_dir={}", path("state"));
    fs::create_dir(folder.path().join("state")).unwrap();
    let packed = include_bytes!("../../../tests/data/worlds/schema-1.db.gz");
    let mut older = fs::File::create(path("older.db")).unwrap();
    io::copy(&mut flate2::read::GzDecoder::new(&packed[..]), &mut older).unwrap();

    let (shown, result) = typed(&["restore", &path("older.db"), "--set", &state]);
    result.unwrap();
    let note = "(schema 1, which the next start upgrades to ";
    assert!(shown.contains(note) && shown.contains(" restored to "), "{shown}");
    let (shown, result) = typed(&["check", "--set", &state]);
    result.unwrap();
    assert!(shown.starts_with("no mistakes: ") && shown.contains(note), "{shown}");
    let (_, result) = typed(&["backup", &path("copy.db"), "--set", &state]);
    result.unwrap();
    assert!(typed(&["restore", &path("copy.db"), "--set", &state]).0.contains(note));
}

/// C3: an impossible move is reported with its number, the mistake and the expected form; exit code 2.
#[test]
fn impossible_moves_are_reported() {
    for (moves, expected) in [
        ("1:e;1:(5,5)n", "move 2, 1:(5,5)n: there is no room at (5,5) on floor 1"),
        ("1:e;1;(1,0)n", "move 2, \"1\": expected such as 1:e, 1:(1,0)n or 2:(3,-1)d"),
        ("1:e;1:(1,0)w", "move 2, 1:(1,0)w: it leads to the room at (0,0) already"),
        ("2:(3,3)n", "move 1, 2:(3,3)n: the first move leads out of the start: 1:e"),
        ("e sideways", "move 2, \"sideways\": expected a direction such as e or down"),
        ("e w n", "move 3, n: that is another branch"),
    ] {
        for command in ["dump", "map"] {
            let (shown, result) = typed(&["dungeon", command, "--seed", "3", "--moves", moves]);
            let failure = result.unwrap_err();
            assert_eq!((failure.to_string().as_str(), failure.exit_code()), (expected, 2), "{moves}");
            assert_eq!(shown, "", "{moves}");
        }
    }
    let line = ["dungeon", "dump", "--seed", "3", "--moves", "e", "--rooms", "9"];
    assert_eq!(read(&line).unwrap_err().exit_code(), 2, "moves say how many rooms");
}
