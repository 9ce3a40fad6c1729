//! The server as a process in a folder of its own.

use crate::PATIENCE;
use crate::client::Client;
use deepwell::store::Store;
use deepwell::world::Snapshot;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::{self, JoinHandle};
use tempfile::TempDir;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_deepwell");

/// Stands in the log where a process has ended.
const END: &str = "(end of the log)";

/// Tests run side by side; those that measure time run alone. A test must not start a server while it holds another:
/// one that waits to be alone would come between the two, and both would wait for ever.
static MACHINE: RwLock<()> = RwLock::new(());

/// A share of the machine, or all of it.
#[expect(dead_code, reason = "held until it is dropped")]
enum Share {
    Some(RwLockReadGuard<'static, ()>),
    All(RwLockWriteGuard<'static, ()>),
}

impl Share {
    fn some() -> Self {
        Self::Some(MACHINE.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn all() -> Self {
        Self::All(MACHINE.write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A running server. Dropping it kills it.
pub(crate) struct Server {
    folder: TempDir,
    settings: Vec<String>,
    /// Files that it may have open, if not as many as the tests may.
    files: Option<u32>,
    /// What a start has in its environment besides.
    environment: Vec<(&'static str, PathBuf)>,
    running: Option<Running>,
    log: Arc<Log>,
    _share: Share,
}

struct Running {
    child: Child,
    /// The number of the server's process: that of the child, unless something traces it.
    process: u32,
    reader: JoinHandle<()>,
    ready: Value,
}

/// Everything the server said on standard error, over all its runs.
#[derive(Default)]
struct Log {
    text: Mutex<String>,
    grown: Condvar,
}

/// A fresh folder with content: texts by their paths.
fn folder_with(files: Vec<(String, String)>) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in files {
        let file = folder.path().join("content").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

impl Server {
    /// Starts a server in a fresh folder with these settings (`section.key=value`) and waits until it is ready.
    pub(crate) fn start(settings: &[&str]) -> Self {
        Self::with(TempDir::new().unwrap(), settings, Share::some())
    }

    /// The same while no other test has a server: for those that measure time.
    pub(crate) fn start_alone(settings: &[&str]) -> Self {
        Self::with(TempDir::new().unwrap(), settings, Share::all())
    }

    /// The same as a process that may have only so many files open.
    pub(crate) fn start_with_few_files(files: u32, settings: &[&str]) -> Self {
        let mut server = Self::prepare(TempDir::new().unwrap(), settings, Share::some());
        server.files = Some(files);
        server.restart(&[]);
        server
    }

    /// The same with content in which no creature wanders about, so that nothing happens unasked.
    pub(crate) fn start_without_roamers(settings: &[&str]) -> Self {
        let mut server = Self::prepare_without_roamers(settings);
        server.restart(&[]);
        server
    }

    /// The same, not started yet.
    pub(crate) fn prepare_without_roamers(settings: &[&str]) -> Self {
        let files = deepwell::catalog::BUILTIN.iter();
        // On a machine that is busy an invitation must not run out either.
        let still = |text: &str| {
            let text = text.replace("roamer_percent = 6", "roamer_percent = 0");
            text.replace("invite_secs = 120", "invite_secs = 7200")
        };
        let files = files.map(|(path, text)| ((*path).to_owned(), still(text))).collect();
        Self::prepare(folder_with(files), settings, Share::some())
    }

    /// The same with other content: texts by their paths.
    pub(crate) fn start_with_content(files: Vec<(String, String)>, settings: &[&str]) -> Self {
        Self::with(folder_with(files), settings, Share::some())
    }

    /// The same, not started yet.
    pub(crate) fn prepare_with_content(files: Vec<(String, String)>, settings: &[&str]) -> Self {
        Self::prepare(folder_with(files), settings, Share::some())
    }

    fn with(folder: TempDir, settings: &[&str], share: Share) -> Self {
        let mut server = Self::prepare(folder, settings, share);
        server.restart(&[]);
        server
    }

    fn prepare(folder: TempDir, settings: &[&str], share: Share) -> Self {
        Self {
            folder,
            settings: settings.iter().map(|&setting| setting.to_owned()).collect(),
            files: None,
            environment: Vec::new(),
            running: None,
            log: Arc::default(),
            _share: share,
        }
    }

    /// What every later start has in its environment besides.
    pub(crate) fn set_environment(&mut self, environment: Vec<(&'static str, PathBuf)>) {
        self.environment = environment;
    }

    /// The folder that it runs in, with all that it has.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Starts it again in the same folder; further settings win over those it was first started with.
    pub(crate) fn restart(&mut self, more: &[&str]) {
        let mut command = self.command("serve");
        command.args(more.iter().flat_map(|setting| ["--set", setting]));
        assert!(self.launch(command), "it ended at once:\n{}", self.log());
    }

    /// Starts it again; strace kills it at its nth call of a kind, if one is given. False if that was before it was ready.
    pub(crate) fn restart_to_be_killed_at(&mut self, call: Option<(&str, u32)>) -> bool {
        let serve = self.command("serve");
        let Some((call, nth)) = call else { return self.launch(serve) };
        let mut strace = Command::new("strace");
        strace.args(["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}")]);
        strace.args(["-e", &format!("inject={call}:signal=KILL:when={nth}")]);
        strace.arg(serve.get_program()).args(serve.get_args()).current_dir(self.folder.path());
        strace.stdin(Stdio::null()).stdout(Stdio::piped());
        self.launch(strace)
    }

    /// Waits until it is ready; false if it ended before.
    fn launch(&mut self, mut command: Command) -> bool {
        assert!(self.running.is_none(), "it runs already");
        let before = self.log().len();
        let environment = self.environment.iter().cloned();
        let mut child = command.envs(environment).stderr(Stdio::piped()).spawn().unwrap();
        let (log, lines) = (Arc::clone(&self.log), BufReader::new(child.stderr.take().unwrap()));
        let reader = thread::spawn(move || {
            for line in lines.split(b'\n').map_while(Result::ok) {
                log.push(&String::from_utf8_lossy(&line));
            }
            log.push(END);
        });
        self.log.wait_for(before, &["ready", END]);
        if !self.log()[before..].contains("ready") {
            child.wait().unwrap();
            reader.join().unwrap();
            return false;
        }
        let ready = fs::read_to_string(self.state().join("ready.json"))
            .unwrap_or_else(|error| panic!("no ready.json ({error}):\n{}", self.log()));
        let ready: Value = serde_json::from_str(&ready).unwrap();
        let process = u32::try_from(ready["pid"].as_u64().unwrap()).unwrap();
        let is_traced = command.get_program() == "strace";
        assert!(is_traced || process == child.id(), "ready.json names another process");
        self.running = Some(Running { child, process, reader, ready });
        true
    }

    /// SIGKILL. Returns when the process is gone.
    pub(crate) fn kill(&mut self) {
        if let Some(mut running) = self.running.take() {
            // It may have ended by itself; then the tests see that in the log. What traces it ends with it.
            if let Some(status) = running.child.try_wait().unwrap() {
                self.log.push(&format!("(it had ended before it was killed: {status})"));
            }
            let process = running.process.to_string();
            if running.process == running.child.id() {
                let _ = running.child.kill();
            } else {
                Command::new("kill").args(["-KILL", &process]).stderr(Stdio::null()).status().unwrap();
            }
            running.child.wait().unwrap();
            running.reader.join().unwrap();
        }
    }

    /// Starts it and kills it at once, while it opens its world.
    pub(crate) fn kill_at_start(&mut self) {
        let mut child = self.command("serve").stderr(Stdio::piped()).spawn().unwrap();
        // It has begun when it writes its first line.
        let _ = BufReader::new(child.stderr.take().unwrap()).read_until(b'\n', &mut Vec::new());
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Starts another server on the same world beside this one, as can be done once the lock is moved away; returns when it
    /// is ready.
    pub(crate) fn start_beside(&self) -> Child {
        fs::remove_file(self.state().join("lock")).unwrap();
        let mut child = self.command("serve").stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("ready telnet")), "it ended at once");
        // It writes on, and must find a reader.
        thread::spawn(move || lines.for_each(drop));
        child
    }

    /// `deepwell control stop`; waits until the process has ended well.
    pub(crate) fn stop(&mut self) {
        self.control(&["stop"]);
        let mut running = self.running.take().unwrap();
        running.reader.join().unwrap();
        assert!(running.child.wait().unwrap().success(), "a stop that failed:\n{}", self.log());
        assert!(!self.state().join("ready.json").exists(), "ready.json outlived the server");
    }

    /// Where it listens for players.
    pub(crate) fn address(&self) -> SocketAddr {
        self.port("telnet")
    }

    /// An address of ready.json.
    pub(crate) fn port(&self, name: &str) -> SocketAddr {
        let ready = &self.running.as_ref().expect("it runs").ready;
        ready[name].as_str().unwrap_or_else(|| panic!("no {name} in {ready}")).parse().unwrap()
    }

    /// Where it listens for browsers, if `http.listen` is set.
    pub(crate) fn http(&self) -> SocketAddr {
        self.port("http")
    }

    /// A client that stands at the name prompt.
    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address())
    }

    /// A client that has made a character, and gets its lines unwrapped.
    pub(crate) fn create(&self, name: &str) -> Client {
        let mut client = self.connect();
        client.enter("create", name, &password(name));
        client.ask("config width off");
        client
    }

    /// A client that has come back to a character made by [`Server::create`].
    pub(crate) fn login(&self, name: &str) -> Client {
        let mut client = self.connect();
        client.enter("connect", name, &password(name));
        client
    }

    /// Asks the running server over its control socket.
    pub(crate) fn control(&self, words: &[&str]) -> Value {
        let output = self.command("control").arg("--json").args(words).output().unwrap();
        assert!(output.status.success(), "control {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The same where the server may say no; gives what it said.
    pub(crate) fn try_control(&self, words: &[&str]) -> Result<(), String> {
        let output = self.command("control").args(words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    }

    /// Sends it a signal, by the name that `kill` knows.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.process().to_string()).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until words stand in the log behind a place in it.
    pub(crate) fn wait_for_log(&self, from: usize, words: &str) {
        self.log.wait_for(from, &[words]);
    }

    /// `deepwell check` on the folder.
    pub(crate) fn check(&self) -> Output {
        self.check_with(&[])
    }

    /// The same with further settings.
    pub(crate) fn check_with(&self, more: &[&str]) -> Output {
        let more = more.iter().flat_map(|setting| ["--set", setting]);
        self.command("check").args(more).output().unwrap()
    }

    /// The folder that the server writes in.
    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("var")
    }

    /// The database file.
    pub(crate) fn database(&self) -> PathBuf {
        let files = files_below(&self.state());
        files.into_iter().find(|path| path.extension().is_some_and(|end| end == "db")).expect("a database")
    }

    /// Everything it has logged.
    pub(crate) fn log(&self) -> String {
        self.log.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The whole stored world, read while no server runs.
    pub(crate) fn stored(&self) -> Snapshot {
        assert!(self.running.is_none(), "the server has the database open");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut store = Store::open(&self.database()).await.unwrap();
            let stored = store.load().await.unwrap();
            store.close().await.unwrap();
            stored
        })
    }

    /// Memory of the process that is really there.
    pub(crate) fn memory_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Its number as a process.
    pub(crate) fn process(&self) -> u32 {
        self.running.as_ref().expect("it runs").process
    }

    /// That these words stand nowhere in what the server wrote.
    pub(crate) fn assert_no_trace_of(&self, words: &str) {
        for (place, bytes) in self.traces() {
            let found = bytes.windows(words.len()).any(|window| window == words.as_bytes());
            assert!(!found, "{words:?} stands in {}", place.display());
        }
    }

    /// Everything it has logged and every file it has written: all places where something private could turn up.
    fn traces(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = files_below(self.folder.path()).into_iter();
        let mut traces: Vec<_> =
            files.filter_map(|path| Some((path.clone(), fs::read(path).ok()?))).collect();
        traces.push((PathBuf::from("the log"), self.log().into_bytes()));
        traces
    }

    /// A thread that panicked says so in the log, whatever became of it.
    pub(crate) fn assert_sound(&self) {
        let log = self.log();
        assert!(!log.contains("panicked"), "something panicked:\n{log}");
    }

    fn command(&self, word: &str) -> Command {
        let mut command = match self.files {
            None => Command::new(PROGRAM),
            Some(files) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\""), PROGRAM]);
                shell
            }
        };
        command.current_dir(self.folder.path()).arg(word).stdin(Stdio::null()).stdout(Stdio::piped());
        command.args([
            "--set",
            "telnet.listen=127.0.0.1:0",
            "--set",
            "http.listen=off",
            "--set",
            "ops.listen=off",
        ]);
        command.arg("--set").arg(format!("server.state_dir={}", self.state().display()));
        command.args(self.settings.iter().flat_map(|setting| ["--set", setting]));
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        if thread::panicking() {
            eprintln!("--- log of the server ---\n{}", self.log());
        }
    }
}

impl Log {
    fn push(&self, line: &str) {
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str(line);
        text.push('\n');
        self.grown.notify_all();
    }

    /// Waits until one of the words stands behind a place in the log.
    fn wait_for(&self, from: usize, words: &[&str]) {
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = |text: &mut String| !words.iter().any(|word| text[from..].contains(word));
        let waited = self.grown.wait_timeout_while(text, PATIENCE, missing);
        let (text, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "none of {words:?} in the log:\n{}", *text);
    }
}

/// The password of a character in these tests: long, and like no other text.
pub(crate) fn password(name: &str) -> String {
    format!("Xq7-{name}-zV9")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            files.extend(files_below(&entry.path()));
        } else if entry.file_type().unwrap().is_file() {
            files.push(entry.path());
        }
    }
    files
}
