//! A test client over a WebSocket: the text of binary messages, without structured data and links.

use crate::client::{Carrier, Client, ClientKind};
use crate::web::WEB;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, client};

/// Socket wrapper that carries bytes in messages.
struct Framed {
    socket: WebSocket<TcpStream>,
    /// Received bytes that may begin with an incomplete link.
    received: Vec<u8>,
    /// Bytes without links that have not been read.
    unread: Vec<u8>,
}

/// Start and end of an escape sequence around a link.
const LINK: [&[u8]; 2] = [b"\x1b]", b"\x1b\\"];

/// Moves bytes without escape sequences of links; an incomplete one stays.
fn move_text(from: &mut Vec<u8>, into: &mut Vec<u8>) {
    let find = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).position(|part| part == text);
    while let Some(start) = find(from, LINK[0]) {
        into.extend(from.drain(..start));
        let Some(length) = find(from, LINK[1]) else { return };
        from.drain(..length + LINK[1].len());
    }
    // The next message may complete the start of a sequence.
    let end = from.len() - usize::from(from.ends_with(&LINK[0][..1]));
    into.extend(from.drain(..end));
}

/// Connects a client, at the name prompt.
pub(crate) fn connect(address: SocketAddr, kind: ClientKind) -> Client {
    let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
    request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(WEB));
    let (socket, _) = client(request, TcpStream::connect(address).unwrap()).unwrap();
    let mut client = Client::over(Framed { socket, received: Vec::new(), unread: Vec::new() }, kind);
    client.expect("name: ");
    client
}

fn error(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        error => io::Error::other(error),
    }
}

impl Carrier for Framed {
    fn socket(&self) -> &TcpStream {
        self.socket.get_ref()
    }
}

impl Read for Framed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.unread.is_empty() {
            match self.socket.read() {
                Ok(Message::Binary(bytes)) => {
                    self.received.extend_from_slice(&bytes);
                    move_text(&mut self.received, &mut self.unread);
                }
                Ok(Message::Close(_)) | Err(Error::ConnectionClosed | Error::AlreadyClosed) => return Ok(0),
                // The caller looks at the time, and reads again.
                Ok(_) => return Err(io::ErrorKind::Interrupted.into()),
                Err(cause) => return Err(error(cause)),
            }
        }
        let count = into.len().min(self.unread.len());
        into[..count].copy_from_slice(&self.unread[..count]);
        self.unread.drain(..count);
        Ok(count)
    }
}

impl Write for Framed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.send(Message::binary(bytes.to_vec())).map_err(error)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush().map_err(error)
    }
}
