//! A byte stream with its write buffer: detects peers that read too slowly and closes connections cleanly. The meaning
//! of the bytes is up to the caller.

use std::future::poll_fn;
use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Poll, ready};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::timeout;

use crate::net::ClientOutbox;
use crate::net::deflate::Deflate;

/// Maximum number of bytes read in one step.
const READ_BYTES: usize = 1_024;
/// Interval at which a stalled write checks the queue.
const LOOK_UP: Duration = Duration::from_secs(1);
/// Checks without progress after which the peer counts as gone.
const PATIENCE: u32 = 30;
/// Time limit for writing the last output.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Time limit for the peer to close the connection afterwards.
const LINGER: Duration = Duration::from_secs(1);
/// Capacity that an empty buffer keeps, in bytes.
const KEPT_BYTES: usize = 4_096;

/// A stream with its buffers.
#[derive(Debug)]
pub struct Wire<S> {
    stream: S,
    /// Output for the peer; the session renders into it.
    pub out: Vec<u8>,
    /// Bytes being written; `taken` is the number that the stream has accepted. They survive a cancelled write, so that
    /// none is lost or sent twice.
    sending: Vec<u8>,
    taken: usize,
    /// Compressor, if output is compressed.
    deflate: Option<Box<Deflate>>,
    written: WireCounts,
}

/// Byte counts since the stream was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WireCounts {
    /// Bytes that the stream has accepted.
    pub on_the_wire: u64,
    /// Compressed output, size before compression.
    pub packed_from: u64,
    /// Compressed output, size after compression.
    pub packed_to: u64,
}

/// Reason why nothing more can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WireStuck {
    /// The connection was lost.
    Lost,
    /// The peer does not read.
    TooSlow,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Wire<S> {
    /// Creates a wire with empty buffers.
    pub fn new(stream: S) -> Self {
        Self {
            stream,
            out: Vec::new(),
            sending: Vec::new(),
            taken: 0,
            deflate: None,
            written: WireCounts::default(),
        }
    }

    /// Returns the bytes written so far.
    pub const fn written(&self) -> WireCounts {
        self.written
    }

    /// Waits for bytes from the peer and passes them to `take`; the slice is empty at the end of the stream. Cancel-safe.
    /// The buffer is on the stack, so that an idle connection has none.
    pub async fn read<T>(&mut self, mut take: impl FnMut(&[u8]) -> T) -> io::Result<T> {
        poll_fn(|context| {
            let mut bytes = [MaybeUninit::uninit(); READ_BYTES];
            let mut input = ReadBuf::uninit(&mut bytes);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut input))?;
            Poll::Ready(Ok(take(input.filled())))
        })
        .await
    }

    /// Writes all pending output. Fails if the peer accepts nothing for too long, or if the queue `behind`, which
    /// continues to fill, has overflowed. Cancel-safe: the next write continues where a cancelled one stopped.
    pub async fn write(&mut self, behind: &ClientOutbox) -> Result<(), WireStuck> {
        self.pack(false)?;
        let mut looks = 0;
        let mut flushed = self.sending.is_empty();
        while !flushed {
            // Usually the stream accepts everything at once, and no timer is needed.
            let stepped = match self.step().now_or_never() {
                Some(stepped) => Ok(stepped),
                None => timeout(LOOK_UP, self.step()).await,
            };
            match stepped {
                Ok(Err(_)) => return Err(WireStuck::Lost),
                Ok(Ok(0)) => flushed = true,
                Ok(Ok(count)) => {
                    self.taken += count;
                    self.written.on_the_wire += count as u64;
                    looks = 0;
                    // A peer that accepts single bytes must not keep an overflowed connection open.
                    if behind.overflowed() {
                        return Err(WireStuck::TooSlow);
                    }
                }
                Err(_) if looks + 1 >= PATIENCE || behind.overflowed() => return Err(WireStuck::TooSlow),
                Err(_) => looks += 1,
            }
        }
        self.taken = 0;
        self.sending.clear();
        self.sending.shrink_to(KEPT_BYTES);
        // Keeps the memory of one of the two buffers.
        std::mem::swap(&mut self.sending, &mut self.out);
        Ok(())
    }

    /// Writes all pending output uncompressed, and compresses everything after it.
    pub async fn compress(&mut self, behind: &ClientOutbox) -> Result<(), WireStuck> {
        self.write(behind).await?;
        self.deflate = Some(Box::default());
        Ok(())
    }

    /// Writes all pending output and ends the compression.
    pub async fn decompress(&mut self, behind: &ClientOutbox) -> Result<(), WireStuck> {
        self.pack(true)?;
        self.write(behind).await
    }

    /// Moves all pending output to `sending`, compressed if compression is on; `last` ends the compressed stream.
    fn pack(&mut self, last: bool) -> Result<(), WireStuck> {
        let Some(mut deflate) = self.deflate.take() else {
            if self.sending.is_empty() {
                std::mem::swap(&mut self.sending, &mut self.out);
            } else {
                self.sending.append(&mut self.out);
            }
            return Ok(());
        };
        let (plain, packed) = (self.out.len(), self.sending.len());
        let done = if last {
            deflate.finish(&self.out, &mut self.sending)
        } else {
            let done = deflate.pack(&self.out, &mut self.sending);
            self.deflate = Some(deflate);
            done
        };
        // After a partly compressed batch the peer could not decode further output.
        done.map_err(|_| WireStuck::Lost)?;
        self.written.packed_from += plain as u64;
        self.written.packed_to += (self.sending.len() - packed) as u64;
        self.out.clear();
        self.out.shrink_to(KEPT_BYTES);
        Ok(())
    }

    /// Writes as much as the stream accepts. Returns 0 once everything is written and flushed; a TLS stream does not
    /// flush automatically.
    async fn step(&mut self) -> io::Result<usize> {
        match self.sending.get(self.taken..) {
            Some(rest @ [_, ..]) => match self.stream.write(rest).await? {
                0 => Err(io::ErrorKind::WriteZero.into()),
                count => Ok(count),
            },
            _ => self.stream.flush().await.map(|()| 0),
        }
    }

    /// Writes all pending output, ends the compression and shuts down the write half; gives up after `LAST_WORDS`.
    pub async fn last_words(&mut self, behind: &ClientOutbox) {
        let farewell = async {
            if self.decompress(behind).await.is_ok() {
                // The peer may have disconnected already.
                let _ = self.stream.shutdown().await;
            }
        };
        let _ = timeout(LAST_WORDS, farewell).await;
    }

    /// Reads and discards input for up to `LINGER`: closing a socket with unread bytes resets the connection, and the
    /// reset can overtake the last output.
    pub async fn linger(&mut self) {
        let rest = async { while matches!(self.read(|bytes| !bytes.is_empty()).await, Ok(true)) {} };
        let _ = timeout(LINGER, rest).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Delivery;
    use deepwell_core::text::Markup;
    use std::sync::Arc;
    use tokio::io::{AsyncReadExt, BufWriter, duplex};
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn n4_peer_that_never_reads_times_out_after_thirty_seconds() {
        let (near, _far) = duplex(16);
        let mut wire = Wire::new(near);
        wire.out = vec![b'x'; 100];
        let before = Instant::now();
        assert_eq!(wire.write(&ClientOutbox::new(1_000)).await, Err(WireStuck::TooSlow));
        assert_eq!(before.elapsed(), Duration::from_secs(30));
        assert_eq!(wire.written().on_the_wire, 16);
    }

    #[tokio::test(start_paused = true)]
    async fn n4_slow_reader_stays_connected() {
        let (near, mut far) = duplex(16);
        let mut wire = Wire::new(near);
        wire.out = vec![b'x'; 100];
        let reader = tokio::spawn(async move {
            let mut buffer = [0; 16];
            let mut count = 0;
            while count < 100 {
                tokio::time::sleep(Duration::from_secs(20)).await;
                count += far.read(&mut buffer).await.unwrap();
            }
        });
        assert_eq!(wire.write(&ClientOutbox::new(1_000)).await, Ok(()));
        reader.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn n4_queue_overflow_ends_stalled_write() {
        let (near, _far) = duplex(16);
        let mut wire = Wire::new(near);
        wire.out = vec![b'x'; 100];
        let outbox = ClientOutbox::new(100);
        let before = Instant::now();
        let filling = async {
            tokio::time::sleep(LOOK_UP / 2).await;
            outbox.deliver(overflowing());
        };
        let (written, ()) = tokio::join!(wire.write(&outbox), filling);
        assert_eq!((written, before.elapsed()), (Err(WireStuck::TooSlow), LOOK_UP));
    }

    #[tokio::test(start_paused = true)]
    async fn n4_queue_overflow_ends_slow_write() {
        let (near, mut far) = duplex(16);
        let mut wire = Wire::new(near);
        wire.out = vec![b'x'; 1_000];
        let outbox = ClientOutbox::new(100);
        let trickle = async {
            loop {
                tokio::time::sleep(LOOK_UP / 2).await;
                outbox.deliver(overflowing());
                far.read_u8().await.unwrap();
            }
        };
        let before = Instant::now();
        tokio::select! {
            written = wire.write(&outbox) => assert_eq!(written, Err(WireStuck::TooSlow)),
            () = trickle => {}
        }
        assert_eq!(before.elapsed(), LOOK_UP / 2);
    }

    /// A delivery larger than a queue of 100 bytes.
    fn overflowing() -> Delivery {
        Delivery::Show(Arc::new(Markup::plain(&"y".repeat(200))))
    }

    #[tokio::test(start_paused = true)]
    async fn o1_peer_that_does_not_read_cannot_delay_shutdown() {
        let (near, _far) = duplex(16);
        let mut wire = Wire::new(near);
        wire.out = vec![b'x'; 100];
        let before = Instant::now();
        wire.last_words(&ClientOutbox::new(1_000)).await;
        wire.linger().await;
        assert_eq!(before.elapsed(), LAST_WORDS + LINGER);
    }

    #[tokio::test(start_paused = true)]
    async fn cancelled_write_continues_where_it_stopped() {
        let (near, mut far) = duplex(16);
        let mut wire = Wire::new(near);
        let outbox = ClientOutbox::new(1_000);
        wire.out = (0..40).collect();
        assert!(timeout(LOOK_UP / 2, wire.write(&outbox)).await.is_err());
        wire.out = (40..100).collect();
        let mut heard = vec![0; 100];
        let (written, read) = tokio::join!(wire.write(&outbox), far.read_exact(&mut heard));
        assert!(written.is_ok() && read.is_ok() && heard.into_iter().eq(0..100));
    }

    #[tokio::test(start_paused = true)]
    async fn protocols_5_11_compressed_output_survives_cancelled_writes() {
        let (near, mut far) = duplex(16);
        let mut wire = Wire::new(near);
        let outbox = ClientOutbox::new(10_000);
        let reader = tokio::spawn(async move {
            let mut heard = Vec::new();
            far.read_to_end(&mut heard).await.unwrap();
            heard
        });
        let mut sent = Vec::new();
        wire.out = b"plain".to_vec();
        wire.compress(&outbox).await.unwrap();
        for n in 0..50 {
            let line = format!("Line {n} of what is said. {}\n", n * n);
            sent.extend_from_slice(line.as_bytes());
            wire.out.extend_from_slice(line.as_bytes());
            // Every cancelled write is followed by another.
            if n % 3 > 0 {
                let _ = timeout(Duration::ZERO, wire.write(&outbox)).await;
            } else {
                wire.write(&outbox).await.unwrap();
            }
        }
        wire.decompress(&outbox).await.unwrap();
        wire.out = b"plain again".to_vec();
        wire.write(&outbox).await.unwrap();
        let written = wire.written();
        drop(wire);
        let heard = reader.await.unwrap();
        let packed = heard.strip_prefix(b"plain").unwrap().strip_suffix(b"plain again").unwrap();
        assert_eq!(unpacked(packed), sent);
        assert_eq!((written.packed_from, written.packed_to), (sent.len() as u64, packed.len() as u64));
        assert_eq!(written.on_the_wire, heard.len() as u64);
    }

    fn unpacked(packed: &[u8]) -> Vec<u8> {
        let mut stream = flate2::Decompress::new(true);
        let mut bytes = Vec::with_capacity(100_000);
        let status = stream.decompress_vec(packed, &mut bytes, flate2::FlushDecompress::None).unwrap();
        assert_eq!((status, stream.total_in()), (flate2::Status::StreamEnd, packed.len() as u64));
        bytes
    }

    #[tokio::test]
    async fn rule_10_compression_ends_with_last_output() {
        let (near, mut far) = duplex(1_024);
        let mut wire = Wire::new(near);
        let outbox = ClientOutbox::new(1_000);
        wire.compress(&outbox).await.unwrap();
        wire.out = b"Farewell.".to_vec();
        wire.last_words(&outbox).await;
        let mut heard = Vec::new();
        far.read_to_end(&mut heard).await.unwrap();
        assert_eq!(unpacked(&heard), b"Farewell.");
    }

    #[tokio::test]
    async fn buffered_stream_is_flushed() {
        let (near, mut far) = duplex(64);
        let mut wire = Wire::new(BufWriter::new(near));
        wire.out = b"Welcome.".to_vec();
        wire.write(&ClientOutbox::new(1_000)).await.unwrap();
        let mut heard = [0; 8];
        far.read_exact(&mut heard).await.unwrap();
        assert_eq!(&heard, b"Welcome.");
    }

    #[tokio::test]
    async fn last_output_arrives_before_end_of_stream() {
        let (near, mut far) = duplex(64);
        let mut wire = Wire::new(near);
        wire.out = b"Farewell.".to_vec();
        wire.last_words(&ClientOutbox::new(1_000)).await;
        let mut text = String::new();
        far.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "Farewell.");
    }
}
