//! Exit codes and suggested fixes: each way in which a start or a command can fail is caused, and ends with the code from
//! which a supervisor knows whether another attempt may succeed.

use crate::server::{Server, program};
use crate::syscalls::strace_works;
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, chown};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Codes of `docs/operate/operations.md`.
const MISTAKE: i32 = 1;
const USAGE: i32 = 2;
const FAILURE: i32 = 3;

/// A folder with a world, the resources that are in its way, and further arguments.
struct Scene {
    folder: TempDir,
    held: Vec<TcpListener>,
    arguments: Vec<String>,
}

impl Scene {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap(), held: Vec::new(), arguments: Vec::new() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn set(&mut self, setting: &str) {
        self.arguments.extend(["--set".to_owned(), setting.to_owned()]);
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Puts a world of this release into the state folder.
    fn with_world(&self) {
        fs::create_dir_all(self.path("var")).unwrap();
        block_on(async {
            let mut store =
                deepwell::store::Store::open(Path::new(&self.path("var/deepwell.db"))).await.unwrap();
            store.load().await.unwrap();
            store.close().await.unwrap();
        });
    }

    /// Changes the stored world.
    fn change(&self, statement: &'static str) {
        self.with_world();
        block_on(async {
            let options = SqliteConnectOptions::new().filename(self.path("var/deepwell.db"));
            let mut connection = options.connect().await.unwrap();
            sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        });
    }

    /// Runs a command of the program; returns its exit code and all that it says.
    fn run(&self, arguments: &[&str], before: &[&str]) -> (Option<i32>, String) {
        let program = program().display().to_string();
        let mut line = before.iter().map(|&word| word.to_owned()).chain([program]);
        let mut command = Command::new(line.next().unwrap());
        command.args(line).args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        for setting in
            ["telnet.listen=127.0.0.1:0", "http.listen=off", "ops.listen=off", "gateway.ops_listen=off"]
        {
            command.args(["--set", setting]);
        }
        let state = format!("server.state_dir={}", self.path("var"));
        let output = command.args(["--set", &state]).args(&self.arguments).output().unwrap();
        let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.code(), texts.concat())
    }
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Name of a mistake, what causes it, and what a start says about it.
type Cause = (&'static str, fn(&mut Scene), &'static str);

/// Mistakes that each role and `check` report alike, as long as the role reads what is wrong.
const MISTAKES: &[Cause] = &[
    ("unknown setting", |scene| scene.set("game.ruond=7"), "unknown setting game.ruond"),
    (
        "content",
        |scene| {
            scene.write("content/items/lamp.toml", "name = \n");
        },
        "content/items/lamp.toml:1:",
    ),
    ("content folder", |scene| scene.set("server.content_dir=none"), "none: cannot be read: No such file"),
    (
        "certificate",
        |scene| {
            let file = scene.write("cert.pem", "-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n");
            scene.set(&format!("tls.cert={file}"));
            scene.set(&format!("tls.key={file}"));
        },
        "cert.pem: is not valid PEM",
    ),
    (
        "size of the certificate",
        |scene| {
            let file = scene.write("cert.pem", &"-".repeat(2_000_000));
            scene.set(&format!("tls.cert={file}"));
            scene.set(&format!("tls.key={file}"));
        },
        "is larger than one megabyte; it should contain only PEM sections",
    ),
    (
        "token of a bridge",
        |scene| {
            scene.set("ops.listen=127.0.0.1:0");
            scene.set("bridge.token_file=none");
        },
        "bridge.token_file: cannot read none",
    ),
    ("page", |scene| scene.set("http.web_dir=none"), "http.web_dir: cannot read none"),
    (
        "length of the path",
        |scene| {
            let long = scene.path(&"v".repeat(120));
            scene.set(&format!("server.state_dir={long}"));
        },
        "is too long for a socket path",
    ),
    (
        "foreign database",
        |scene| {
            scene.write(
                "var/deepwell.db",
                "rubbish that is longer than the header of a database file, so that it is read. ......",
            );
        },
        "not a database of this server (",
    ),
    (
        "empty database",
        |scene| {
            scene.write("var/deepwell.db", "");
        },
        "the file is empty; restore a backup, or remove it to start a new world",
    ),
    (
        "log without its database",
        |scene| {
            scene.write("var/deepwell.db-wal", "changes");
        },
        "put the database back or restore a backup, or move that file away",
    ),
    (
        "later release",
        |scene| {
            scene.change("update _sqlx_migrations set version = 9000 where version = (select max(version) from _sqlx_migrations)");
        },
        "run the later release",
    ),
    (
        "row",
        |scene| {
            scene.change(
                "insert into accounts (id, name, skeleton, data) values (7, 'x', 'x', '{\"id\": 7}')",
            );
        },
        "table accounts, row 7: ",
    ),
    (
        "missing table",
        |scene| scene.change("pragma foreign_keys = off; drop table rooms"),
        "the database failed: ",
    ),
    (
        "damaged page",
        |scene| {
            scene.with_world();
            let path = scene.path("var/deepwell.db");
            let mut bytes = fs::read(&path).unwrap();
            bytes[4_096..].fill(0x5a);
            fs::write(path, bytes).unwrap();
        },
        "the database is damaged: ",
    ),
];

/// O2: a mistake ends a start of the game with code 1, in each role that reads it, and `check` finds it with the same words.
#[test]
fn o2_mistakes_exit_with_1_in_every_role_and_are_found_by_check() {
    for (name, cause, message) in MISTAKES {
        let mut scene = Scene::new();
        cause(&mut scene);
        for command in ["serve", "host", "check"] {
            // The page and the certificate are those of connections, which a host does not have.
            let is_of_gateway = name.contains("certificate") || *name == "page";
            let command = if is_of_gateway && command == "host" { "gateway" } else { command };
            let (code, output) = scene.run(&[command], &[]);
            assert!(output.contains(message), "{name}, {command}: {message:?} is not in\n{output}");
            assert_eq!(code, Some(MISTAKE), "{name}, {command}: {output}");
        }
    }
}

/// O2: what another attempt may overcome ends a start with code 3.
#[test]
fn o2_passing_troubles_exit_with_3() {
    let causes: &[Cause] = &[
        (
            "port",
            |scene| {
                let listener = TcpListener::bind("127.0.0.1:0").unwrap();
                scene.set(&format!("telnet.listen={}", listener.local_addr().unwrap()));
                scene.held.push(listener);
            },
            "telnet.listen: cannot listen on ",
        ),
        (
            "folder in the way",
            |scene| {
                scene.write("var/lock/file", "");
            },
            "cannot open the lock ",
        ),
    ];
    for (name, cause, message) in causes {
        let mut scene = Scene::new();
        cause(&mut scene);
        let (code, output) = scene.run(&["serve"], &[]);
        assert!(code == Some(FAILURE) && output.contains(message), "{name}: {code:?} {output}");
    }
    let server = Server::start(&[]);
    let (code, output) = server.exit_of_start(&[]);
    assert!(code == Some(FAILURE) && output.contains("another server is running on this folder"), "{output}");
}

/// O2: a folder of another user is named with the command that gives it to the server's user. Needs root.
#[test]
fn o2_folder_of_another_user_is_named_with_its_cure() {
    let scene = Scene::new();
    fs::set_permissions(scene.folder.path(), Permissions::from_mode(0o755)).unwrap();
    fs::DirBuilder::new().mode(0o700).create(scene.path("var")).unwrap();
    if chown(scene.path("var"), Some(1), Some(1)).is_err() {
        eprintln!("skipped: only root can give a folder away");
        return;
    }
    let others = ["setpriv", "--reuid=10001", "--regid=10001", "--clear-groups"];
    let (code, output) = scene.run(&["serve"], &others);
    assert_eq!(code, Some(FAILURE), "{output}");
    assert!(output.contains("belongs to user 1") && output.contains("chown -R 10001 "), "{output}");
}

/// O2: whichever read of the database the disk fails, a start and `check` blame the disk and not the database, and end with
/// code 3. Needs strace.
#[test]
fn o2_failing_disk_is_not_called_a_damaged_database() {
    if !strace_works() {
        return;
    }
    let scene = Scene::new();
    scene.with_world();
    for command in ["serve", "check"] {
        let mut failed = 0;
        for nth in 1..=12 {
            let inject = format!("inject=pread64:error=EIO:when={nth}+");
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pread64", "-e", &inject];
            // A server that starts is stopped.
            let strace: Vec<_> = ["timeout", "-s", "TERM", "5"].into_iter().chain(strace).collect();
            let (code, output) = scene.run(&[command], &strace);
            // An earlier line may tell that the database looks damaged, and is read once more.
            let last = output.lines().last().unwrap_or_default();
            assert!(
                !last.contains("restore a backup") && !last.contains("damaged"),
                "{command} {nth}: {output}"
            );
            // The loader of programs reads in this way, too.
            if matches!(code, Some(0 | 124 | 127)) {
                continue;
            }
            failed += 1;
            assert!(output.contains("check the disk"), "{command} {nth}: {code:?} {output}");
            assert_eq!(code, Some(FAILURE), "{command} {nth}: {output}");
        }
        assert!(failed > 2, "{command} reads the database {failed} times");
    }
}

/// O5: commands that copy or replace the database tell what is wrong with their file.
#[test]
fn o5_copies_and_restores_name_the_fix() {
    let scene = Scene::new();
    scene.with_world();
    let rubbish = scene.write("rubbish.db", "rubbish");
    let empty = scene.write("empty.db", "");
    let (copy, missing) = (scene.path("copy.db"), scene.path("missing.db"));
    for (arguments, expected, sentence) in [
        (&["backup", copy.as_str()][..], 0, "copied to "),
        (&["backup", &copy], FAILURE, "already exists; choose another file name"),
        (
            &["backup", &scene.path("none/copy.db")],
            FAILURE,
            "check the path: the file or its folder does not exist",
        ),
        (&["restore", &missing], FAILURE, "check the path: the file or its folder does not exist"),
        (&["restore", &rubbish], MISTAKE, "nothing has been changed: restore another copy"),
        (&["restore", &empty], MISTAKE, "this copy cannot be restored (it is empty)"),
        (&["restore"], USAGE, "backup.folder is \"off\": name the file to restore"),
        (&["restore", "--dry-run"], USAGE, "--dry-run"),
        (&["control", "who"], FAILURE, "no server answers:\n"),
        (&["restore", &copy], 0, "restored to "),
    ] {
        let (code, output) = scene.run(arguments, &[]);
        assert!(code == Some(expected) && output.contains(sentence), "{arguments:?}: {code:?} {output}");
    }
    fs::remove_dir_all(scene.path("var")).unwrap();
    let (code, output) = scene.run(&["backup", &scene.path("other.db")], &[]);
    assert!(code == Some(FAILURE) && output.contains("there is no database at "), "{output}");
}

/// Requests over the control socket that cannot be carried out end with code 3 and a sentence.
#[test]
fn refused_requests_exit_with_3() {
    let server = Server::start(&[]);
    for (arguments, sentence) in [
        (&["broadcast", " "][..], "the server refused: the message is empty"),
        (&["restart"], "only a host can restart while clients stay connected; run deepwell gateway"),
        (&["recover", "Nobody"], "there is no account or character named Nobody"),
        (&["backup", "/none/copy.db"], "cannot create the backup: /none/copy.db"),
        (&["backup"], "backup.folder"),
        (&["cluster", "status"], "this server is not part of a cluster"),
    ] {
        let (code, output) = server.exit_of_control(arguments);
        assert!(code == Some(FAILURE) && output.contains(sentence), "{arguments:?}: {code:?} {output}");
    }
}
