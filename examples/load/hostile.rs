//! Hostile clients, one of each kind, that run beside the honest players. Each has its own connections, and a PROXY
//! header gives it any source address.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// Number of source addresses of the silent connections.
const CROWD: u32 = 200;
/// Pause between attempts, so that each attacker is one client and does not saturate the loopback interface.
const PAUSE: Duration = Duration::from_millis(10);
/// Number of concurrent connections that guess passwords or create accounts.
const CONCURRENT: u32 = 60;

/// Connects with `source` as the client address in the PROXY header.
pub(crate) async fn call(address: SocketAddr, source: Ipv4Addr) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    stream.write_all(format!("PROXY TCP4 {source} 10.255.255.1 4321 4000\r\n").as_bytes()).await?;
    Ok(stream)
}

/// Returns a source address of a silent connection; four addresses share a network.
fn silent_address(n: u32) -> Ipv4Addr {
    let n = n % CROWD;
    Ipv4Addr::from(Ipv4Addr::new(198, 18, 0, 1).to_bits() + (n / 4) * 256 + n % 4)
}

/// Running attackers, on a separate thread.
pub(crate) struct Attack {
    stop: CancellationToken,
    thread: JoinHandle<std::io::Result<()>>,
}

impl Attack {
    /// Starts the attackers; `account` is the target of password guesses.
    pub(crate) fn begin(address: SocketAddr, account: &str) -> Self {
        let stop = CancellationToken::new();
        let (stopped, account) = (stop.clone(), Arc::<str>::from(account));
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut attackers = JoinSet::new();
                attackers.spawn(stay_silent(address));
                attackers.spawn(connect_and_vanish(address));
                attackers.spawn(guess(address, account));
                attackers.spawn(make_accounts(address));
                attackers.spawn(send_repeatedly(address, 1, all_byte_values()));
                attackers.spawn(send_repeatedly(address, 2, b"\xff\xfa\xc9Core.Hello ".repeat(100)));
                attackers.spawn(send_repeatedly(
                    address,
                    3,
                    b"\xff\xfd\x01\xff\xfe\x01\xff\xfb\x18\xff\xfc\x18".repeat(50),
                ));
                attackers.spawn(send_repeatedly(address, 4, gmcp_bomb()));
                attackers.spawn(log_in_and_flood(address, 5, b"look\r\n".repeat(50), true));
                attackers.spawn(log_in_and_flood(address, 6, b"commands\r\n".repeat(20), false));
                stopped.cancelled().await;
            });
            Ok(())
        });
        Self { stop, thread }
    }

    /// Stops the attackers.
    pub(crate) fn end(self) -> anyhow::Result<()> {
        self.stop.cancel();
        self.thread.join().map_err(|_| anyhow::anyhow!("an attacker broke down"))??;
        Ok(())
    }
}

/// Keeps a thousand silent connections from two hundred addresses open, and replaces those that the server closes.
async fn stay_silent(address: SocketAddr) {
    let mut silent = JoinSet::new();
    for n in 0.. {
        if let Ok(mut stream) = call(address, silent_address(n)).await {
            silent.spawn(async move {
                let mut bytes = [0; 1_024];
                while stream.read(&mut bytes).await.is_ok_and(|count| count > 0) {}
            });
        }
        while silent.len() >= 1_000 {
            silent.join_next().await;
        }
        while silent.try_join_next().is_some() {}
        sleep(PAUSE).await;
    }
}

/// Repeatedly connects, sends a login and disconnects before the answer.
async fn connect_and_vanish(address: SocketAddr) {
    for n in 0.. {
        if let Ok(mut stream) = call(address, Ipv4Addr::new(203, 0, 113, 77)).await {
            let _ =
                stream.write_all(format!("connect Nobody{} wrong-password\r\n", letters(n)).as_bytes()).await;
        }
        sleep(PAUSE).await;
    }
}

/// Guesses passwords of one account on many connections.
async fn guess(address: SocketAddr, account: Arc<str>) {
    let line = format!("connect {account} not-the-password\r\n");
    send_on_many_connections(address, Ipv4Addr::new(203, 0, 113, 78), move |_| line.clone()).await;
}

/// Creates accounts on many connections.
async fn make_accounts(address: SocketAddr) {
    send_on_many_connections(address, Ipv4Addr::new(203, 0, 113, 79), |n| {
        format!("create Weed{} a-long-password\r\n", letters(n))
    })
    .await;
}

async fn send_on_many_connections(address: SocketAddr, source: Ipv4Addr, line: impl Fn(u32) -> String) {
    let mut trying = JoinSet::new();
    for n in 0.. {
        let line = line(n);
        trying.spawn(async move {
            let Ok(mut stream) = call(address, source).await else { return };
            let _ = stream.write_all(line.as_bytes()).await;
            let mut bytes = [0; 4_096];
            let answered = async { while stream.read(&mut bytes).await.is_ok_and(|count| count > 0) {} };
            let _ = timeout(Duration::from_secs(2), answered).await;
        });
        if trying.len() >= CONCURRENT as usize {
            trying.join_next().await;
        }
        sleep(PAUSE).await;
    }
}

/// Sends the same bytes repeatedly on a connection that has not logged in, and reads the output.
async fn send_repeatedly(address: SocketAddr, who: u8, bytes: Vec<u8>) {
    loop {
        if let Ok(stream) = call(address, Ipv4Addr::new(203, 0, 113, who)).await {
            flood(stream, &bytes, true).await;
        }
        sleep(PAUSE).await;
    }
}

/// Logs in and sends the same lines repeatedly; `reads` decides whether it reads the output.
async fn log_in_and_flood(address: SocketAddr, who: u8, lines: Vec<u8>, reads: bool) {
    for n in 0.. {
        if let Ok(mut stream) = call(address, Ipv4Addr::new(192, 0, 2, who)).await {
            let word = if n == 0 { "create" } else { "connect" };
            let name = letters(who.into());
            let _ = stream.write_all(format!("{word} Flood{name} a-long-password\r\n").as_bytes()).await;
            sleep(Duration::from_millis(500)).await;
            flood(stream, &lines, reads).await;
        }
        sleep(Duration::from_secs(1)).await;
    }
}

async fn flood(stream: TcpStream, bytes: &[u8], reads: bool) {
    let (mut reader, mut writer) = stream.into_split();
    let mut answers = [0; 4_096];
    loop {
        tokio::select! {
            written = writer.write_all(bytes) => {
                if written.is_err() {
                    return;
                }
                sleep(PAUSE).await;
            }
            read = reader.read(&mut answers), if reads => {
                if !read.is_ok_and(|count| count > 0) {
                    return;
                }
            }
        }
    }
}

/// Returns all byte values in a pseudo-random order.
fn all_byte_values() -> Vec<u8> {
    (0..8_192_u32).map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap_or(0)).collect()
}

/// Returns a GMCP message of 8,000 nested arrays.
fn gmcp_bomb() -> Vec<u8> {
    [b"\xff\xfa\xc9Core.Supports.Set ".as_slice(), &b"[".repeat(8_000), b"\xff\xf0"].concat()
}

/// Encodes a number as letters that are not visually confusable.
pub(crate) fn letters(n: u32) -> String {
    format!("{n:05}").bytes().map(|digit| char::from(b"abefghkops"[usize::from(digit - b'0')])).collect()
}
