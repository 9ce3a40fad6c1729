//! MCCP2 over real sockets: compressed output equals plain output, and the number of compressed connections is limited.

use crate::PATIENCE;
use crate::client::{Carrier, Client, ClientKind};
use crate::server::{Server, password};
use flate2::{Decompress, FlushDecompress, Status};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Announcement of the compression: all following bytes are compressed.
const START: [u8; 5] = [255, 250, 86, 255, 240];

/// Socket wrapper that inflates all bytes after the announcement.
struct Inflating {
    socket: TcpStream,
    stream: Option<Decompress>,
    /// Last uncompressed bytes, to detect the announcement across reads.
    recent: Vec<u8>,
    packed: Vec<u8>,
    /// Number of announcements seen.
    starts: Arc<AtomicU32>,
}

/// Connects a client that accepts compression, at the name prompt; also returns its number of announcements.
pub(crate) fn connect(address: SocketAddr) -> (Client, Arc<AtomicU32>) {
    let socket = TcpStream::connect(address).unwrap();
    let starts = Arc::new(AtomicU32::new(0));
    let inflating = Inflating {
        socket,
        stream: None,
        recent: Vec::new(),
        packed: Vec::new(),
        starts: Arc::clone(&starts),
    };
    let mut client = Client::over(inflating, ClientKind::Compressed);
    client.expect("name: ");
    (client, starts)
}

impl Carrier for Inflating {
    fn socket(&self) -> &TcpStream {
        &self.socket
    }
}

impl Read for Inflating {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(stream) = &mut self.stream {
                let (before_in, before_out) = (stream.total_in(), stream.total_out());
                let status = stream.decompress(&self.packed, into, FlushDecompress::Sync)?;
                self.packed.drain(..usize::try_from(stream.total_in() - before_in).unwrap());
                let count = usize::try_from(stream.total_out() - before_out).unwrap();
                if count > 0 {
                    return Ok(count);
                }
                if status == Status::StreamEnd {
                    self.stream = None;
                    continue;
                }
            }
            let mut buffer = [0; 4_096];
            let left = std::mem::take(&mut self.packed);
            let count = if left.is_empty() {
                let count = self.socket.read(&mut buffer)?;
                if count == 0 {
                    return Ok(0);
                }
                count
            } else {
                buffer[..left.len()].copy_from_slice(&left);
                left.len()
            };
            if self.stream.is_some() {
                self.packed.extend_from_slice(&buffer[..count]);
                continue;
            }
            for (at, byte) in buffer[..count].iter().enumerate() {
                self.recent.push(*byte);
                if self.recent.ends_with(&START) {
                    self.stream = Some(Decompress::new(true));
                    self.recent.clear();
                    self.starts.fetch_add(1, Ordering::Relaxed);
                    self.packed.extend_from_slice(&buffer[at + 1..count]);
                    into[..=at].copy_from_slice(&buffer[..=at]);
                    return Ok(at + 1);
                }
            }
            into[..count].copy_from_slice(&buffer[..count]);
            return Ok(count);
        }
    }
}

impl Write for Inflating {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

/// Protocols 14.13: ten thousand compressed lines arrive complete and in order while a second player is sent them
/// uncompressed; the stream is finished properly at the end.
#[test]
fn ten_thousand_lines_arrive_compressed() {
    let server = Server::start(&[
        "limits.commands_per_second=100000",
        "limits.commands_burst=100000",
        "limits.output_bytes=16777216",
    ]);
    let (mut olad, starts) = connect(server.address());
    olad.enter("create", "Olad", &password("Olad"));
    assert!(olad.look().contains("Exits:"));
    assert_eq!(count(&starts), 1, "it was not compressed");
    let mut tess = server.create("Tess");
    for hundred in 0..100 {
        let lines: Vec<String> = (0..100).map(|n| format!("say number {hundred}-{n}.\r\n")).collect();
        olad.send_bytes(lines.concat().as_bytes());
        for n in 0..100 {
            olad.expect(&format!("You say: number {hundred}-{n}.\n"));
        }
    }
    tess.expect("number 99-99.");
    olad.send("quit");
    assert!(olad.is_closed_properly());
    server.assert_sound();
}

/// N5: connections beyond the limit play uncompressed, and a released place is reused.
#[test]
fn n5_compressed_connections_are_limited() {
    let server = Server::start(&["limits.compressed_connections=1", "ops.listen=127.0.0.1:0"]);
    let (mut first, first_starts) = connect(server.address());
    first.enter("create", "Olad", &password("Olad"));
    let (mut second, second_starts) = connect(server.address());
    second.enter("create", "Tess", &password("Tess"));
    assert_eq!((count(&first_starts), count(&second_starts)), (1, 0));
    assert!(first.look().contains("Tess") && second.look().contains("Olad"));
    assert!(page(server.port("ops"), "metrics").contains("deepwell_connections_compressed 1\n"));
    first.send("quit");
    first.is_closed_properly();
    let asked = Instant::now();
    while !page(server.port("ops"), "metrics").contains("deepwell_connections_compressed 0\n") {
        assert!(asked.elapsed() < PATIENCE, "the place was not given back");
    }
    let (mut third, third_starts) = connect(server.address());
    third.enter("create", "Anno", &password("Anno"));
    assert_eq!(count(&third_starts), 1);
    let figures = page(server.port("ops"), "metrics");
    assert!(!figures.contains("deepwell_compressed_bytes_total 0\n"), "{figures}");
}

/// Protocols 5.11: a client may stop and restart compression without losing output.
#[test]
fn client_can_stop_and_restart_compression() {
    let server = Server::start(&[]);
    let (mut olad, starts) = connect(server.address());
    olad.enter("create", "Olad", &password("Olad"));
    for verb in [254, 253, 254, 253] {
        olad.send_bytes(&[255, verb, 86]);
        assert!(olad.look().contains("Exits:"));
    }
    assert_eq!(count(&starts), 3);
    server.assert_sound();
}

fn count(starts: &AtomicU32) -> u32 {
    starts.load(Ordering::Relaxed)
}

/// Fetches a page from the operators' port.
fn page(address: SocketAddr, name: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /{name} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}
