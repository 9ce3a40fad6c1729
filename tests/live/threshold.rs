//! Clients connecting over TLS, through a proxy, or over IPv6.

use crate::client::{Carrier, Client, ClientKind};
use crate::server::{Server, password};
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use std::fs;
use std::net::{Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

const NAME: &str = "well.example";

impl Carrier for StreamOwned<ClientConnection, TcpStream> {
    fn socket(&self) -> &TcpStream {
        &self.sock
    }
}

/// Certificate of a server, in its own folder.
pub(crate) struct Certificate {
    folder: TempDir,
    made: CertifiedKey<KeyPair>,
}

impl Certificate {
    /// Creates a certificate.
    pub(crate) fn new() -> Self {
        let mut certificate = Self { folder: TempDir::new().unwrap(), made: made() };
        certificate.replace();
        certificate
    }

    /// Writes a new certificate to the same files.
    fn replace(&mut self) {
        self.made = made();
        fs::write(self.path("cert.pem"), self.made.cert.pem()).unwrap();
        fs::write(self.path("key.pem"), self.made.signing_key.serialize_pem()).unwrap();
    }

    fn path(&self, name: &str) -> impl AsRef<Path> + use<> {
        self.folder.path().join(name)
    }

    /// Returns the settings of a port with this certificate.
    pub(crate) fn settings(&self) -> Vec<String> {
        let path = |name| self.path(name).as_ref().display().to_string();
        vec![
            "telnet.tls_listen=127.0.0.1:0".to_owned(),
            format!("tls.cert={}", path("cert.pem")),
            format!("tls.key={}", path("key.pem")),
        ]
    }

    fn server(&self, more: &[&str]) -> Server {
        let settings = self.settings();
        Server::start(&settings.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>())
    }

    /// Connects a client that trusts only this certificate; `None` if the server uses another.
    pub(crate) fn connect(&self, stream: TcpStream) -> Option<Client> {
        let mut roots = RootCertStore::empty();
        roots.add(self.made.cert.der().clone()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from(NAME).unwrap();
        let session = ClientConnection::new(Arc::new(config), name).unwrap();
        let mut stream = StreamOwned::new(session, stream);
        stream.conn.complete_io(&mut stream.sock).ok()?;
        Some(Client::over(stream, ClientKind::Plain))
    }
}

fn made() -> CertifiedKey<KeyPair> {
    generate_simple_self_signed([NAME.to_owned()]).unwrap()
}

/// Opens a connection.
pub(crate) fn open(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).unwrap()
}

/// Protocols 9: a client logs in over TLS, plays with a plain telnet player, and is disconnected with a close
/// notification.
#[test]
fn client_plays_over_tls() {
    let certificate = Certificate::new();
    let server = certificate.server(&[]);
    let mut olad = certificate.connect(open(server.port("telnet_tls"))).unwrap();
    olad.expect("name: ");
    olad.enter("create", "Olad", &password("Olad"));
    let mut tess = server.create("Tess");
    assert!(tess.look().contains("Olad"));
    olad.send("say It is private here.");
    tess.expect("It is private here.");
    olad.send("quit");
    assert!(olad.is_closed_properly(), "no close_notify came");
    // A failed handshake does not affect other clients.
    let mut lost = Client::open(server.port("telnet_tls"), ClientKind::Plain);
    lost.send("connect Olad secret");
    lost.is_closed_properly();
    assert!(certificate.connect(open(server.port("telnet_tls"))).is_some());
    server.assert_sound();
}

/// Protocols 9: a new certificate is loaded without a restart, existing sessions stay connected, and an invalid
/// certificate changes nothing.
#[test]
fn certificate_is_reloaded_while_players_stay_connected() {
    let mut certificate = Certificate::new();
    let server = certificate.server(&[]);
    let address = server.port("telnet_tls");
    let mut olad = certificate.connect(open(address)).unwrap();
    olad.expect("name: ");
    olad.enter("create", "Olad", &password("Olad"));
    certificate.replace();
    assert!(certificate.connect(open(address)).is_none(), "nobody asked for the new one yet");
    server.control(&["reload"]);
    assert!(certificate.connect(open(address)).is_some());
    certificate.replace();
    let before = server.log().len();
    server.signal("HUP");
    server.wait_for_log(before, "certificate reloaded");
    assert!(certificate.connect(open(address)).is_some());
    fs::write(certificate.path("cert.pem"), "rubbish").unwrap();
    let refused = server.try_control(&["reload"]).unwrap_err();
    assert!(refused.contains("cert.pem: holds no certificate"), "{refused}");
    assert!(certificate.connect(open(address)).is_some(), "the old one is served on");
    assert!(olad.look().contains("Exits:"));
    assert!(server.log().contains("the old one stays in use"));
}

/// Reliability O2: `check` reports a certificate that would prevent a start.
#[test]
fn o2_invalid_certificate_is_reported_by_check() {
    let certificate = Certificate::new();
    let mut settings = certificate.settings();
    settings.pop();
    settings.push(format!("tls.key={}", certificate.path("cert.pem").as_ref().display()));
    let server = Server::start(&[]);
    let checked = server.check_with(&settings.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(checked.status.code(), Some(1));
    let output = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(output.contains("cert.pem: holds no private key"), "{output}");
}

/// Protocols 14.14: PROXY version 1, version 2, a health check and invalid headers before telnet; limits apply to the
/// address that the proxy reports.
#[test]
fn proxied_clients_are_limited_by_reported_address() {
    let server = Server::start(&[
        "telnet.proxy=on",
        "telnet.proxy_from=127.0.0.0/8",
        "limits.connections_per_address=1",
    ]);
    let call = |header: &[u8]| {
        let mut client = Client::open(server.address(), ClientKind::Plain);
        client.send_bytes(header);
        client
    };
    let mut first = call(b"PROXY TCP4 203.0.113.7 10.0.0.5 56324 4000\r\n");
    first.expect("name: ");
    call(&version_2(0x21, [203, 0, 113, 7])).expect("Too many connections from your address");
    let mut second = call(&version_2(0x21, [203, 0, 113, 8]));
    second.expect("name: ");
    for n in 0..2 {
        let mut health_check = call(&version_2(0x20, [0; 4]));
        health_check.expect("name: ");
        second.send(&format!("anybody{n}"));
    }
    for rubbish in
        ["connect Olad secret\r\n", "GET / HTTP/1.1\r\nHost: here\r\n\r\n", "PROXY TCP4 nobody\r\n"]
    {
        let mut client = call(rubbish.as_bytes());
        assert!(client.try_expect("e").is_err(), "{rubbish} was answered");
    }
    first.enter("create", "Olad", &password("Olad"));
    call(b"PROXY TCP4 203.0.113.7 10.0.0.5 56324 4000\r\n").expect("name: ");
    server.assert_sound();
}

/// Returns a PROXY version 2 header with a client address.
fn version_2(command: u8, caller: [u8; 4]) -> Vec<u8> {
    let mut block = b"\r\n\r\n\0\r\nQUIT\n".to_vec();
    block.extend([command, 0x11, 0, 12]);
    block.extend(caller);
    block.extend([10, 0, 0, 5, 0xdc, 0x04, 0x0f, 0xa0]);
    block
}

/// Protocols 9: the PROXY header precedes TLS.
#[test]
fn proxy_header_precedes_tls() {
    let certificate = Certificate::new();
    let server = certificate.server(&["telnet.proxy=on", "telnet.proxy_from=127.0.0.1"]);
    let mut stream = open(server.port("telnet_tls"));
    std::io::Write::write_all(&mut stream, b"PROXY TCP6 2001:db8::7 ::1 56324 4040\r\n").unwrap();
    let mut client = certificate.connect(stream).unwrap();
    client.expect("name: ");
    assert!(certificate.connect(open(server.port("telnet_tls"))).is_none());
}

/// Protocols 9: a proxy port accepts only configured proxies; elsewhere a PROXY header is an ordinary line.
#[test]
fn proxy_header_from_unknown_source_is_ignored() {
    let server = Server::start(&["telnet.proxy=on", "telnet.proxy_from=192.0.2.0/24"]);
    let mut stranger = Client::open(server.address(), ClientKind::Plain);
    stranger.send("PROXY TCP4 203.0.113.7 10.0.0.5 56324 4000");
    assert!(stranger.try_expect("e").is_err(), "a stranger was answered");
    drop(server);
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.send("PROXY TCP4 203.0.113.7 10.0.0.5 56324 4000");
    client.expect("name: ");
    client.enter("create", "Olad", &password("Olad"));
}

/// One socket accepts IPv4 and IPv6 clients.
#[test]
fn one_port_serves_ipv4_and_ipv6() {
    if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_err() {
        eprintln!("skipped: this machine has no IPv6");
        return;
    }
    let server = Server::start(&["telnet.listen=[::]:0", "limits.connections_per_address=1"]);
    let port = server.address().port();
    let mut by_six = Client::connect(SocketAddr::from((Ipv6Addr::LOCALHOST, port)));
    let mut by_four = Client::connect(SocketAddr::from(([127, 0, 0, 1], port)));
    by_six.enter("create", "Olad", &password("Olad"));
    by_four.enter("create", "Tess", &password("Tess"));
    assert!(by_six.look().contains("Tess"));
}
