//! A stream of bytes over messages that may be lost: each message has a number, a receiver acknowledges what it has
//! passed on, and silence ends the stream. A lost message ends it too, the last one included, because each sign of life
//! tells how many messages came before it; the link then connects again.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex, split};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_util::bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

/// Maximum number of bytes that the receiver has not acknowledged.
const WINDOW: usize = 1 << 20;
/// Maximum number of bytes in a message.
const CHUNK: usize = 64 << 10;
/// Time between two signs of life.
const BEAT: Duration = Duration::from_millis(300);
/// Time of silence after which the other side is taken for dead.
const SILENCE: Duration = Duration::from_millis(1_500);
/// Maximum number of messages that wait to be sent or read; those of a window, and some signs of life.
pub(in crate::server) const MESSAGES_MAX: usize = 1_024;

const DATA: u8 = 1;
const TAKEN: u8 = 2;
const ALIVE: u8 = 3;
const END: u8 = 4;

/// Opens a stream over messages. It ends when either side drops it, or the other one is silent.
pub(in crate::server) fn open(
    outgoing: mpsc::Sender<Bytes>,
    incoming: mpsc::Receiver<Bytes>,
) -> DuplexStream {
    let (near, far) = duplex(CHUNK);
    tokio::spawn(async move {
        let _ = Pipe { outgoing, sent: 0, counted: 0, taken: 0 }.run(far, incoming).await;
    });
    near
}

/// The other side is gone, or does not keep to the format.
struct LostPipe;

struct Pipe {
    outgoing: mpsc::Sender<Bytes>,
    /// Number of data messages sent.
    sent: u64,
    /// Number of data messages and acknowledgements sent, whose loss must be noticed.
    counted: u64,
    /// Bytes sent that the other side has not acknowledged.
    taken: usize,
}

impl Pipe {
    async fn run(
        mut self,
        stream: DuplexStream,
        mut incoming: mpsc::Receiver<Bytes>,
    ) -> Result<(), LostPipe> {
        let (mut reader, mut writer) = split(stream);
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let (mut received, mut counted, mut passed_on) = (0_u64, 0_u64, 0_usize);
        let (mut waiting, mut chunk) = (BytesMut::new(), vec![0; CHUNK]);
        loop {
            let room = WINDOW.saturating_sub(self.taken).min(CHUNK);
            tokio::select! {
                message = incoming.recv() => {
                    heard = Instant::now();
                    let mut message = message.ok_or(LostPipe)?;
                    match message.try_get_u8() {
                        Ok(DATA) if message.try_get_u64() == Ok(received) => {
                            received += 1;
                            counted += 1;
                            waiting.put(message);
                        }
                        Ok(TAKEN) => {
                            let bytes = usize::try_from(message.try_get_u64().map_err(|_| LostPipe)?);
                            self.taken = self.taken.saturating_sub(bytes.map_err(|_| LostPipe)?);
                            counted += 1;
                        }
                        // Programs before version 0.3 always send 0.
                        Ok(ALIVE) if message.try_get_u64().is_ok_and(|sent| sent <= counted) => {}
                        // The other side has ended the stream; what it sent before is still passed on.
                        Ok(END) if message.try_get_u64() == Ok(received) => {
                            let _ = timeout(SILENCE, writer.write_all_buf(&mut waiting)).await;
                            return Ok(());
                        }
                        _ => return Err(LostPipe),
                    }
                    if waiting.len() > 2 * WINDOW {
                        return Err(LostPipe);
                    }
                }
                written = writer.write_buf(&mut waiting), if !waiting.is_empty() => {
                    passed_on += written.map_err(|_| LostPipe)?;
                    if passed_on >= WINDOW / 4 {
                        self.send(TAKEN, passed_on as u64, &[]).await?;
                        self.counted += 1;
                        passed_on = 0;
                    }
                }
                read = reader.read(chunk.get_mut(..room).unwrap_or_default()), if room > 0 => {
                    let bytes = read.map_err(|_| LostPipe)?;
                    let data = chunk.get(..bytes).unwrap_or_default();
                    if data.is_empty() {
                        return self.send(END, self.sent, &[]).await;
                    }
                    self.send(DATA, self.sent, data).await?;
                    self.sent += 1;
                    self.counted += 1;
                    self.taken += bytes;
                }
                _ = beat.tick() => {
                    if heard.elapsed() > SILENCE {
                        return Err(LostPipe);
                    }
                    self.send(ALIVE, self.counted, &[]).await?;
                }
            }
        }
    }

    async fn send(&self, kind: u8, number: u64, data: &[u8]) -> Result<(), LostPipe> {
        let mut message = BytesMut::with_capacity(9 + data.len());
        message.put_u8(kind);
        message.put_u64(number);
        message.put_slice(data);
        let sent = timeout(SILENCE, self.outgoing.send(message.freeze())).await;
        sent.map_err(|_| LostPipe)?.map_err(|_| LostPipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens both sides of a stream; each message for which `loses` returns `true` is lost.
    fn connect(mut loses: impl FnMut(&Bytes) -> bool + Send + 'static) -> (DuplexStream, DuplexStream) {
        let (out, mut lossy) = mpsc::channel(MESSAGES_MAX);
        let (passed, there) = mpsc::channel(MESSAGES_MAX);
        let (back, here) = mpsc::channel(MESSAGES_MAX);
        tokio::spawn(async move {
            while let Some(message) = lossy.recv().await {
                if !loses(&message) && passed.send(message).await.is_err() {
                    return;
                }
            }
        });
        (open(out, here), open(back, there))
    }

    #[tokio::test(start_paused = true)]
    async fn long_stream_arrives_in_order() {
        let (mut one, mut other) = connect(|_| false);
        let sent: Vec<u8> = (0_u32..1_000_000).flat_map(u32::to_be_bytes).collect();
        let expected = sent.clone();
        let writing = tokio::spawn(async move {
            one.write_all(&sent).await.unwrap();
            one
        });
        let mut received = vec![0; expected.len()];
        other.read_exact(&mut received).await.unwrap();
        assert!(received == expected);
        drop(writing.await.unwrap());
        assert_eq!(other.read(&mut [0]).await.unwrap(), 0, "the stream has ended");
    }

    #[tokio::test(start_paused = true)]
    async fn reader_that_does_not_read_holds_the_writer() {
        let (mut one, _other) = connect(|_| false);
        let written = timeout(Duration::from_mins(1), one.write_all(&vec![0; 8 << 20])).await;
        assert!(written.is_err(), "more than a window was taken");
    }

    #[tokio::test(start_paused = true)]
    async fn lost_message_ends_the_stream() {
        let mut count = 0;
        let (mut one, mut other) = connect(move |message| {
            count += usize::from(message.first() == Some(&DATA));
            message.first() == Some(&DATA) && count == 2
        });
        let writing = tokio::spawn(async move { one.write_all(&vec![7; 4 * CHUNK]).await });
        let mut received = Vec::new();
        let _ = other.read_to_end(&mut received).await;
        assert_eq!(received.len() % CHUNK, 0);
        assert!(received.len() < 4 * CHUNK, "{}", received.len());
        let _ = writing.await;
    }

    /// Carries requests of a size over a stream that loses one message in one direction, each answered by a few bytes.
    /// Returns `true` if all were answered; panics if the stream hangs.
    async fn converse_with_a_loss(kind: u8, number: usize, there: bool, size: usize) -> bool {
        let mut count = 0;
        let loses = move |message: &Bytes| {
            count += usize::from(message.first() == Some(&kind));
            message.first() == Some(&kind) && count == number
        };
        let (mut one, mut other) = connect(loses);
        if there {
            std::mem::swap(&mut one, &mut other);
        }
        let answering = tokio::spawn(async move {
            let mut request = vec![0; size];
            while other.read_exact(&mut request).await.is_ok() && other.write_all(b"done").await.is_ok() {}
        });
        let conversation = async {
            for _ in 0..6 {
                one.write_all(&vec![7; size]).await.ok()?;
                one.read_exact(&mut [0; 4]).await.ok()?;
            }
            Some(())
        };
        // A lost message leaves the peer silent for at most the time to the next sign of life.
        let ended = timeout(2 * SILENCE, conversation).await;
        let is_whole = ended.expect("the stream hangs").is_some();
        drop(one);
        timeout(2 * SILENCE, answering).await.expect("the other side hangs").unwrap();
        is_whole
    }

    #[tokio::test(start_paused = true)]
    async fn loss_of_any_message_ends_the_stream_or_harms_nothing() {
        let mut broken = 0;
        for kind in [DATA, TAKEN, ALIVE, END] {
            for number in 1..=9 {
                for there in [false, true] {
                    for size in [10, 2 * CHUNK + 1, WINDOW / 2] {
                        broken += usize::from(!converse_with_a_loss(kind, number, there, size).await);
                    }
                }
            }
        }
        assert!(broken > 40, "the losses were not noticed: {broken}");
    }

    /// Each lost acknowledgement would narrow the window of the sender for good.
    #[tokio::test(start_paused = true)]
    async fn lost_acknowledgements_end_the_stream_instead_of_narrowing_its_window() {
        let (mut one, mut other) = connect(|message| message.first() == Some(&TAKEN));
        std::mem::swap(&mut one, &mut other);
        let reading = tokio::spawn(async move { other.read_to_end(&mut Vec::new()).await });
        let before = Instant::now();
        let written = timeout(10 * SILENCE, one.write_all(&vec![7; 4 * WINDOW])).await;
        assert!(written.expect("the writer hangs").is_err());
        assert!(before.elapsed() < SILENCE, "{:?}", before.elapsed());
        let _ = reading.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn silence_ends_the_stream() {
        let (_one, mut other) = connect(|_| true);
        let before = Instant::now();
        assert_eq!(other.read(&mut [0]).await.unwrap(), 0);
        assert!(before.elapsed() < 2 * SILENCE);
    }
}
