//! Stand-in for a web service: records each request, and answers it as a test wants.

use crate::PATIENCE;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::Value;
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Request as it was received.
pub(crate) struct Received {
    /// Method and path.
    pub(crate) head: String,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Received {
    /// Returns a header.
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or_else(|| panic!("no header {name} in {:?}", self.headers), |(_, value)| value)
    }

    /// Returns the body.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Answer to a request.
pub(crate) enum Answer {
    /// Status and body.
    Now(u16, String),
    /// None: the connection stays open.
    Never,
}

impl Answer {
    pub(crate) fn status(status: u16) -> Self {
        Self::Now(status, String::new())
    }

    pub(crate) fn json(body: &Value) -> Self {
        Self::Now(200, body.to_string())
    }
}

type Handler = Box<dyn FnMut(&Received) -> Answer + Send>;

/// Running stand-in.
pub(crate) struct StandIn {
    pub(crate) address: SocketAddr,
    requests: Receiver<Received>,
    stopped: Arc<AtomicBool>,
    running: JoinHandle<()>,
}

impl StandIn {
    pub(crate) fn start(answer: impl FnMut(&Received) -> Answer + Send + 'static) -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), answer)
    }

    pub(crate) fn start_at(
        address: SocketAddr,
        answer: impl FnMut(&Received) -> Answer + Send + 'static,
    ) -> Self {
        Self::serve(address, Box::new(answer), None)
    }

    /// Serves over TLS. Returns the certificate, which is for `localhost`, as PEM.
    pub(crate) fn start_tls(answer: impl FnMut(&Received) -> Answer + Send + 'static) -> (Self, String) {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der()).into();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let address = "127.0.0.1:0".parse().unwrap();
        (Self::serve(address, Box::new(answer), Some(Arc::new(config))), cert.pem())
    }

    fn serve(address: SocketAddr, answer: Handler, tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, requests) = mpsc::channel();
        let stopped = Arc::new(AtomicBool::new(false));
        let (answer, is_stopped) = (Arc::new(Mutex::new(answer)), Arc::clone(&stopped));
        let running = thread::spawn(move || {
            for stream in listener.incoming() {
                if is_stopped.load(Ordering::SeqCst) {
                    return;
                }
                let (answer, sender, tls) = (Arc::clone(&answer), sender.clone(), tls.clone());
                thread::spawn(move || {
                    let stream = stream?;
                    stream.set_read_timeout(Some(PATIENCE))?;
                    match tls {
                        Some(tls) => {
                            let connection = ServerConnection::new(tls).map_err(io::Error::other)?;
                            answer_on(StreamOwned::new(connection, stream), &answer, &sender)
                        }
                        None => answer_on(stream, &answer, &sender),
                    }
                });
            }
        });
        Self { address, requests, stopped, running }
    }

    /// Waits for the next request.
    pub(crate) fn next(&self) -> Received {
        self.requests.recv_timeout(PATIENCE).expect("a request")
    }

    /// Returns the requests that have arrived.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.requests.try_iter().collect()
    }

    /// Closes the port, and returns it.
    pub(crate) fn stop(self) -> SocketAddr {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts.
        TcpStream::connect(self.address).unwrap();
        self.running.join().unwrap();
        self.address
    }
}

fn answer_on(
    stream: impl Read + Write,
    answer: &Mutex<Handler>,
    sender: &Sender<Received>,
) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let received = read(&mut stream)?;
    let answer = answer.lock().unwrap()(&received);
    let _ = sender.send(received);
    let Answer::Now(status, body) = answer else {
        // Until the client goes.
        return stream.read_to_end(&mut Vec::new()).map(|_| ());
    };
    let head =
        format!("HTTP/1.1 {status} Told\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    stream.get_mut().write_all(format!("{head}{body}").as_bytes())?;
    stream.get_mut().flush()
}

/// Reads a request with a body of known length.
fn read(stream: &mut impl io::BufRead) -> io::Result<Received> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let head = line.rsplit_once(' ').ok_or(io::ErrorKind::InvalidData)?.0.to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_owned(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let mut body = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap())];
    stream.read_exact(&mut body)?;
    Ok(Received { head, headers, body: String::from_utf8(body).unwrap() })
}
