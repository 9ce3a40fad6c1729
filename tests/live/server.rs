//! Server process in its own temporary folder.

use crate::PATIENCE;
use crate::client::Client;
use crate::nats::Nats;
use crate::timing::until;
use deepwell::store::Store;
use deepwell::world::Snapshot;
use serde_json::Value;
use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader};
use std::marker::PhantomData;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::{self, JoinHandle};
use tempfile::TempDir;

/// Returns the path of the program under test: `DEEPWELL_PROGRAM`, or the program that was built for the tests.
pub(crate) fn program() -> PathBuf {
    let named = std::env::var_os("DEEPWELL_PROGRAM");
    named.map_or_else(|| env!("CARGO_BIN_EXE_deepwell").into(), |path| fs::canonicalize(path).unwrap())
}

/// Copies a program with its permissions. Another process writes: a descriptor of this one could be inherited by a program
/// that another test starts at this moment, and the copy would be busy.
pub(crate) fn copy_program(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg(from).arg(to).status().unwrap().success());
}

/// Marks the end of a process in the log.
const END: &str = "(end of the log)";

/// Lock shared by tests; tests that measure time hold it exclusively.
static MACHINE: RwLock<()> = RwLock::new(());

/// Shared or exclusive guard of [`MACHINE`].
#[expect(dead_code, reason = "held until it is dropped")]
enum Guard {
    Some(RwLockReadGuard<'static, ()>),
    All(RwLockWriteGuard<'static, ()>),
}

thread_local! {
    /// Number of servers of the test that this thread runs, and their guard. A second guard would wait for ever if an
    /// exclusive test waited in between.
    static HELD: RefCell<(usize, Option<Guard>)> = const { RefCell::new((0, None)) };
}

/// Share of a server in the guard of its test. It is dropped by the thread that took it.
struct Share(PhantomData<RwLockReadGuard<'static, ()>>);

impl Share {
    fn some() -> Self {
        Self::hold(|| Guard::Some(MACHINE.read().unwrap_or_else(PoisonError::into_inner)))
    }

    fn all() -> Self {
        Self::hold(|| Guard::All(MACHINE.write().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Takes a share in the guard of this test, or the guard if the test has none.
    fn hold(take: impl FnOnce() -> Guard) -> Self {
        HELD.with_borrow_mut(|(servers, guard)| {
            guard.get_or_insert_with(take);
            *servers += 1;
        });
        Self(PhantomData)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        HELD.with_borrow_mut(|(servers, guard)| {
            *servers -= 1;
            if *servers == 0 {
                *guard = None;
            }
        });
    }
}

/// Environment variables with their values.
pub(crate) type Environment = Vec<(&'static str, PathBuf)>;

/// Role of a server process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Serve,
    Gateway,
    Host,
}

impl Role {
    /// Returns the command, and the name of its ready file.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Serve => ("serve", "ready.json"),
            Self::Gateway => ("gateway", "gateway.json"),
            Self::Host => ("host", "ready.json"),
        }
    }
}

/// Running server; killed on drop.
pub(crate) struct Server {
    folder: Arc<TempDir>,
    role: Role,
    settings: Vec<String>,
    /// Limit on open files, unless inherited from the test process.
    files: Option<u32>,
    /// Additional environment variables of the next start.
    environment: Environment,
    running: Option<Running>,
    log: Arc<Log>,
    _share: Option<Share>,
}

struct Running {
    child: Child,
    /// Process id of the server; not that of the child if strace runs it.
    process: u32,
    reader: JoinHandle<()>,
    ready: Value,
}

/// Everything the server has written to standard error, over all runs.
#[derive(Default)]
struct Log {
    text: Mutex<String>,
    grown: Condvar,
}

/// Creates a temporary folder with content files, given as path and text.
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
    /// Starts a server in a new folder with additional environment variables.
    pub(crate) fn start_with_environment(environment: Environment) -> Self {
        let mut server = Self::prepare(TempDir::new().unwrap(), &[], Share::some());
        server.environment = environment;
        server.restart(&[]);
        server
    }

    /// Starts a server in a new folder with these settings (`section.key=value`) and waits until it is ready.
    pub(crate) fn start(settings: &[&str]) -> Self {
        Self::with(TempDir::new().unwrap(), settings, Share::some())
    }

    /// Like [`Server::start`], but runs alone: for tests that measure time.
    pub(crate) fn start_alone(settings: &[&str]) -> Self {
        Self::with(TempDir::new().unwrap(), settings, Share::all())
    }

    /// Like [`Server::start`], with a limit on open files.
    pub(crate) fn start_with_few_files(files: u32, settings: &[&str]) -> Self {
        let mut server = Self::prepare(TempDir::new().unwrap(), settings, Share::some());
        server.files = Some(files);
        server.restart(&[]);
        server
    }

    /// Like [`Server::start`], with content in which no creature wanders, so that all events are caused by the test.
    pub(crate) fn start_without_roamers(settings: &[&str]) -> Self {
        let mut server = Self::prepare_without_roamers(settings);
        server.restart(&[]);
        server
    }

    /// The same, without starting the server.
    pub(crate) fn prepare_without_roamers(settings: &[&str]) -> Self {
        let files = deepwell::catalog::BUILTIN.iter();
        // Invitations must not expire on a busy machine either.
        let still = |text: &str| {
            let text = text.replace("roamer_percent = 6", "roamer_percent = 0");
            text.replace("invite_secs = 120", "invite_secs = 7200")
        };
        let files = files.map(|(path, text)| ((*path).to_owned(), still(text))).collect();
        Self::prepare(folder_with(files), settings, Share::some())
    }

    /// Like [`Server::start`], with other content files, given as path and text.
    pub(crate) fn start_with_content(files: Vec<(String, String)>, settings: &[&str]) -> Self {
        Self::with(folder_with(files), settings, Share::some())
    }

    /// The same, without starting the server.
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
            folder: Arc::new(folder),
            role: Role::Serve,
            settings: settings.iter().map(|&setting| setting.to_owned()).collect(),
            files: None,
            environment: Vec::new(),
            running: None,
            log: Arc::default(),
            _share: Some(share),
        }
    }

    /// Starts a gateway and a host in one new folder; returns both.
    pub(crate) fn start_apart(settings: &[&str]) -> [Self; 2] {
        Self::start_apart_with(settings, [Vec::new(), Vec::new()])
    }

    /// The same, with additional environment variables for each.
    pub(crate) fn start_apart_with(settings: &[&str], environment: [Environment; 2]) -> [Self; 2] {
        let [of_gateway, of_host] = environment;
        let mut gateway = Self::prepare(TempDir::new().unwrap(), settings, Share::some());
        gateway.role = Role::Gateway;
        gateway.environment = of_gateway;
        let mut host = Self {
            folder: Arc::clone(&gateway.folder),
            role: Role::Host,
            settings: gateway.settings.clone(),
            files: None,
            environment: of_host,
            running: None,
            log: Arc::default(),
            _share: None,
        };
        host.start_host();
        gateway.restart(&[]);
        gateway.wait_for_log(0, "linked to the host");
        [gateway, host]
    }

    /// Returns a process of a cluster that is not running yet, in a new folder with these content files.
    fn prepare_in_cluster(
        role: Role,
        files: Vec<(String, String)>,
        settings: &[String],
        share: Option<Share>,
    ) -> Self {
        Self {
            folder: Arc::new(folder_with(files)),
            role,
            settings: settings.to_vec(),
            files: None,
            environment: Vec::new(),
            running: None,
            log: Arc::default(),
            _share: share,
        }
    }

    /// Returns a gateway and two hosts with these content files, each with its own folder. None runs yet.
    pub(crate) fn prepare_cluster(
        nats: &Nats,
        files: &[(String, String)],
        settings: &[&str],
    ) -> (Self, [Self; 2]) {
        let mut common = vec![format!("cluster.nats={}", nats.url())];
        common.extend(settings.iter().map(|&setting| setting.to_owned()));
        let gateway = Self::prepare_in_cluster(Role::Gateway, files.to_vec(), &common, Some(Share::some()));
        let hosts = ["one", "two"].map(|name| {
            let settings = [common.as_slice(), &[format!("cluster.host={name}")]].concat();
            Self::prepare_in_cluster(Role::Host, files.to_vec(), &settings, None)
        });
        (gateway, hosts)
    }

    /// Starts a gateway and two hosts; the first host leads.
    pub(crate) fn start_cluster(
        nats: &Nats,
        files: &[(String, String)],
        settings: &[&str],
    ) -> (Self, [Self; 2]) {
        let (mut gateway, [mut leader, mut standby]) = Self::prepare_cluster(nats, files, settings);
        Self::run_cluster(&mut gateway, &mut leader, &mut standby);
        (gateway, [leader, standby])
    }

    /// Starts the parts of a cluster, perhaps again, and waits until each has its role.
    pub(crate) fn run_cluster(gateway: &mut Self, leader: &mut Self, standby: &mut Self) {
        leader.start_host();
        leader.wait_for_role("leader");
        standby.start_host();
        standby.wait_for_role("standby");
        let before = gateway.log().len();
        gateway.restart(&[]);
        gateway.wait_for_log(before, "linked to the host");
    }

    /// Makes a stopped server the first host of a cluster; returns the other host and the gateway. None of them runs.
    pub(crate) fn join_cluster(&mut self, nats: &Nats, files: Vec<(String, String)>) -> (Self, Self) {
        self.settings.push(format!("cluster.nats={}", nats.url()));
        let with_name = |name: &str| [self.settings.as_slice(), &[format!("cluster.host={name}")]].concat();
        let gateway = Self::prepare_in_cluster(Role::Gateway, files.clone(), &self.settings, None);
        let other = Self::prepare_in_cluster(Role::Host, files, &with_name("two"), None);
        self.settings = with_name("one");
        self.role = Role::Host;
        (other, gateway)
    }

    /// Waits until the host has this role in its cluster.
    pub(crate) fn wait_for_role(&self, role: &str) {
        let deadline = std::time::Instant::now() + PATIENCE;
        loop {
            let output = self.control_command().args(["--json", "status"]).output().unwrap();
            let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            // A standby that begins to lead closes its sockets, and opens those of the game.
            let is_open = role != "leader" || self.ready_now().is_some_and(|ready| !ready["link"].is_null());
            if status["cluster"]["role"] == role && is_open {
                return;
            }
            assert!(std::time::Instant::now() < deadline, "not {role}, but {status}:\n{}", self.log());
            thread::yield_now();
        }
    }

    /// Starts a host again.
    pub(crate) fn start_host(&mut self) {
        self.restart(&[]);
    }

    /// Starts a host again with further arguments.
    pub(crate) fn start_host_with(&mut self, arguments: &[&str]) {
        let mut command = self.command(self.role.words().0);
        command.args(arguments);
        assert!(self.launch(command), "it ended at once:\n{}", self.log());
    }

    /// Starts the server, which ends because of a mistake; returns what it has logged.
    pub(crate) fn fail_to_start(&self, arguments: &[&str]) -> String {
        let (code, output) = self.exit_of_start(arguments);
        assert_eq!(code, Some(1), "{output}");
        output
    }

    /// Starts the server a second time, or with other settings, until it ends; returns the exit code and the log.
    pub(crate) fn exit_of_start(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output =
            self.command(self.role.words().0).args(arguments).stderr(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Starts another gateway of a cluster.
    pub(crate) fn start_gateway_beside(nats: &Nats, settings: &[&str]) -> Self {
        let mut all = vec![format!("cluster.nats={}", nats.url())];
        all.extend(settings.iter().map(|&setting| setting.to_owned()));
        let mut gateway = Self::prepare_in_cluster(Role::Gateway, Vec::new(), &all, Some(Share::some()));
        gateway.restart(&[]);
        gateway.wait_for_log(0, "linked to the host");
        gateway
    }

    /// Sets additional environment variables for all later starts.
    pub(crate) fn set_environment(&mut self, environment: Environment) {
        self.environment = environment;
    }

    /// Installs a program for this server alone, as operators do: by a rename.
    pub(crate) fn install(&self, program: &Path) {
        let copy = self.folder.path().join("deepwell.new");
        copy_program(program, &copy);
        fs::rename(copy, self.own_program()).unwrap();
    }

    fn own_program(&self) -> PathBuf {
        self.folder.path().join("deepwell")
    }

    /// Returns the server's folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Starts the server again in the same folder; `more` overrides the first start's settings.
    pub(crate) fn restart(&mut self, more: &[&str]) {
        let mut command = self.command(self.role.words().0);
        command.args(more.iter().flat_map(|setting| ["--set", setting]));
        assert!(self.launch(command), "it ended at once:\n{}", self.log());
    }

    /// Starts the server again; strace kills it at its nth system call of a kind, if one is given. Returns `false` if
    /// it was killed before it was ready.
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

    /// Starts the process and waits until it is ready; returns `false` if it ends before.
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
        let started = ["ready", "waiting to lead"];
        self.log.wait_for(before, &[started[0], started[1], END]);
        if !started.iter().any(|phrase| self.log()[before..].contains(phrase)) {
            child.wait().unwrap();
            reader.join().unwrap();
            return false;
        }
        // A standby that leads at once has no ready file for a moment.
        let deadline = std::time::Instant::now() + PATIENCE;
        let ready = loop {
            if let Some(ready) = self.ready_now() {
                break ready;
            }
            assert!(std::time::Instant::now() < deadline, "no ready file:\n{}", self.log());
            thread::yield_now();
        };
        let process = u32::try_from(ready["pid"].as_u64().unwrap()).unwrap();
        let is_traced = command.get_program() == "strace";
        assert!(is_traced || process == child.id(), "ready.json names another process");
        self.running = Some(Running { child, process, reader, ready });
        true
    }

    /// Sends SIGKILL and waits until the process is gone.
    pub(crate) fn kill(&mut self) {
        if let Some(mut running) = self.running.take() {
            // The server may have exited already; tests find that in the log. strace ends together with it.
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

    /// Starts the server and kills it immediately, while it opens its world.
    pub(crate) fn kill_at_start(&mut self) {
        let mut child = self.command("serve").stderr(Stdio::piped()).spawn().unwrap();
        // The first log line shows that the start has begun.
        let _ = BufReader::new(child.stderr.take().unwrap()).read_until(b'\n', &mut Vec::new());
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Starts a second server on the same world by removing the lock file; returns when it is ready.
    pub(crate) fn start_beside(&self) -> Child {
        fs::remove_file(self.state().join("lock")).unwrap();
        let mut child = self.command("serve").stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("ready telnet")), "it ended at once");
        // Its pipe must be drained.
        thread::spawn(move || lines.for_each(drop));
        child
    }

    /// Runs `deepwell control stop` and waits until the process has exited successfully.
    pub(crate) fn stop(&mut self) {
        self.control(&["stop"]);
        let mut running = self.running.take().unwrap();
        running.reader.join().unwrap();
        assert!(running.child.wait().unwrap().success(), "a stop that failed:\n{}", self.log());
        assert!(!self.state().join(self.role.words().1).exists(), "the ready file outlived the server");
    }

    /// Returns the telnet address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.port("telnet")
    }

    /// Returns the contents of the ready file, which a standby writes again when it leads.
    pub(crate) fn ready_now(&self) -> Option<Value> {
        serde_json::from_str(&fs::read_to_string(self.state().join(self.role.words().1)).ok()?).ok()
    }

    /// Returns an address from ready.json.
    pub(crate) fn port(&self, name: &str) -> SocketAddr {
        let ready = &self.running.as_ref().expect("it runs").ready;
        ready[name].as_str().unwrap_or_else(|| panic!("no {name} in {ready}")).parse().unwrap()
    }

    /// Returns the HTTP address, if `http.listen` is set.
    pub(crate) fn http(&self) -> SocketAddr {
        self.port("http")
    }

    /// Connects a client and waits for the name prompt.
    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address())
    }

    /// Connects a client, creates a character and turns off line wrapping.
    pub(crate) fn create(&self, name: &str) -> Client {
        let mut client = self.connect();
        client.enter("create", name, &password(name));
        client.ask("config width off");
        client
    }

    /// Logs a client in to a character created by [`Server::create`].
    pub(crate) fn login(&self, name: &str) -> Client {
        let mut client = self.connect();
        client.enter("connect", name, &password(name));
        client
    }

    /// Runs `deepwell control` and returns its JSON result; panics if it fails.
    pub(crate) fn control(&self, arguments: &[&str]) -> Value {
        let output = self.control_command().arg("--json").args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "control {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs `deepwell control`; returns its error text if it fails.
    pub(crate) fn try_control(&self, arguments: &[&str]) -> Result<(), String> {
        let output = self.control_command().args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(text) }
    }

    /// Runs `deepwell control`; returns its exit code and all that it says.
    pub(crate) fn exit_of_control(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.control_command().args(arguments).stderr(Stdio::piped()).output().unwrap();
        let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.code(), texts.concat())
    }

    /// Runs another command of the program with the settings of the server; returns its output, also if it fails.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments[0]).args(&arguments[1..]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the command `deepwell control` for the role.
    fn control_command(&self) -> Command {
        let mut command = self.command_of(program(), "control");
        command.args((self.role == Role::Gateway).then_some("--gateway"));
        command
    }

    /// Sends a signal, by its name for `kill`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.process().to_string()).status();
        assert!(sent.unwrap().success());
        if name == "STOP" {
            // Each thread runs until it next enters the kernel.
            until("all threads to stop", || self.threads().all(|state| state == "T"));
        }
    }

    /// Returns the state of each thread, as a letter.
    fn threads(&self) -> impl Iterator<Item = String> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.process())).expect("a process");
        tasks.filter_map(|task| {
            let stat = fs::read_to_string(task.ok()?.path().join("stat")).ok()?;
            Some(stat.rsplit_once(") ")?.1.split(' ').next()?.to_owned())
        })
    }

    /// Waits until the log contains the text after position `from`.
    pub(crate) fn wait_for_log(&self, from: usize, phrase: &str) {
        self.log.wait_for(from, &[phrase]);
    }

    /// Runs `deepwell check` on the folder.
    pub(crate) fn check(&self) -> Output {
        self.check_with(&[])
    }

    /// Runs `deepwell check` with additional settings.
    pub(crate) fn check_with(&self, more: &[&str]) -> Output {
        let more = more.iter().flat_map(|setting| ["--set", setting]);
        self.command("check").args(more).output().unwrap()
    }

    /// Runs `deepwell restore` on the folder.
    pub(crate) fn restore(&self, arguments: &[&str]) -> Output {
        self.command("restore").args(arguments).stderr(Stdio::piped()).output().unwrap()
    }

    /// Returns the state folder.
    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("var")
    }

    /// Returns the path of the database file.
    pub(crate) fn database(&self) -> PathBuf {
        let files = files_below(&self.state());
        files.into_iter().find(|path| path.extension().is_some_and(|end| end == "db")).expect("a database")
    }

    /// Returns the log of all runs.
    pub(crate) fn log(&self) -> String {
        self.log.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the whole stored world; the server must not be running.
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

    /// Returns the resident memory of the process.
    pub(crate) fn memory_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Returns the process id.
    pub(crate) fn process(&self) -> u32 {
        self.running.as_ref().expect("it runs").process
    }

    /// Asserts that the text is in no file that the server wrote, nor in the log.
    pub(crate) fn assert_no_trace_of(&self, secret: &str) {
        for (place, bytes) in self.traces() {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret:?} stands in {}", place.display());
        }
    }

    /// Returns the log and all files in the folder: every place where private data could appear.
    fn traces(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = files_below(self.folder.path()).into_iter();
        let mut traces: Vec<_> =
            files.filter_map(|path| Some((path.clone(), fs::read(path).ok()?))).collect();
        traces.push((PathBuf::from("the log"), self.log().into_bytes()));
        traces
    }

    /// Asserts that no thread has panicked, according to the log.
    pub(crate) fn assert_sound(&self) {
        let log = self.log();
        assert!(!log.contains("panicked"), "something panicked:\n{log}");
    }

    fn command(&self, word: &str) -> Command {
        let own = Some(self.own_program()).filter(|own| own.exists());
        self.command_of(own.unwrap_or_else(program), word)
    }

    fn command_of(&self, program: PathBuf, word: &str) -> Command {
        let mut command = match self.files {
            None => Command::new(program),
            Some(files) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")]).arg(program);
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
            "--set",
            "gateway.ops_listen=off",
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

    /// Waits until the log contains one of the texts after position `from`.
    fn wait_for(&self, from: usize, phrases: &[&str]) {
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = |text: &mut String| !phrases.iter().any(|word| text[from..].contains(word));
        let waited = self.grown.wait_timeout_while(text, PATIENCE, missing);
        let (text, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "none of {phrases:?} in the log:\n{}", *text);
    }
}

/// Returns the password of a test character: long, and unlike any other text.
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
