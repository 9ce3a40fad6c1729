//! Compressed output of a connection: one zlib stream (RFC 1950) for MCCP2. Negotiation and socket I/O are elsewhere.
//!
//! A zlib compressor takes 95 to 300 KiB, and most connections are idle. All connections of a thread therefore share one
//! compressor: a connection keeps only the last bytes of its output, from which the compressor restores its window
//! before each batch. The blocks that it writes continue the stream, because their back-references reach no further.

use adler2::Adler32;
use flate2::{Compress, CompressError, Compression, FlushCompress, Status};
use std::cell::RefCell;

/// Compression level; zlib's default. Output is short, and time per batch matters more than the last percent of size.
const LEVEL: u32 = 6;
/// Window size of 8 KiB, as a power of two. Each connection keeps as much of its output, so a larger window costs memory.
const WINDOW_BITS: u8 = 13;
/// Number of bytes of a stream that a back-reference can reach.
const WINDOW: usize = 1 << WINDOW_BITS;
/// Header of a zlib stream with this window and level; the last five bits make it a multiple of 31 (RFC 1950, 2.2).
const HEADER: [u8; 2] = [(WINDOW_BITS - 8) << 4 | 8, 0x85];
/// Minimum free output space in bytes. With fewer than six bytes left zlib flushes twice.
const ROOM: usize = 64;

thread_local! {
    /// Compressor of raw blocks for all connections of this thread.
    static COMPRESSOR: RefCell<Compress> =
        RefCell::new(Compress::new_with_window_bits(Compression::new(LEVEL), false, WINDOW_BITS));
}

/// State of one stream; about 8 KiB.
#[derive(Debug, Default)]
pub struct Deflate {
    /// End of the output so far, at most [`WINDOW`] bytes.
    window: Vec<u8>,
    /// Checksum of the output so far; `None` before the first output.
    checksum: Option<Adler32>,
}

impl Deflate {
    /// Compresses a batch so that the peer can decode it completely (`Z_SYNC_FLUSH`). An empty batch produces no
    /// output.
    pub fn pack(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), CompressError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.run(bytes, out, FlushCompress::Sync)?;
        let last = &bytes[bytes.len().saturating_sub(WINDOW)..];
        self.window.drain(..(self.window.len() + last.len()).saturating_sub(WINDOW));
        // Doubling the capacity, as `extend` does, would waste up to half of the memory.
        self.window.reserve_exact(last.len());
        self.window.extend_from_slice(last);
        Ok(())
    }

    /// Compresses a batch and ends the stream (`Z_FINISH`). Some clients disconnect at the end of a stream, so it is
    /// only sent when the connection closes or the client has asked for it.
    pub fn finish(mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), CompressError> {
        self.run(bytes, out, FlushCompress::Finish)?;
        out.extend(self.checksum.take().unwrap_or_default().checksum().to_be_bytes());
        Ok(())
    }

    fn run(&mut self, bytes: &[u8], out: &mut Vec<u8>, flush: FlushCompress) -> Result<(), CompressError> {
        if self.checksum.is_none() {
            out.extend(HEADER);
        }
        self.checksum.get_or_insert_default().write_slice(bytes);
        COMPRESSOR.with_borrow_mut(|stream| {
            stream.reset();
            if !self.window.is_empty() {
                stream.set_dictionary(&self.window)?;
            }
            loop {
                let taken = usize::try_from(stream.total_in()).unwrap_or(usize::MAX);
                let rest = bytes.get(taken..).unwrap_or_default();
                out.reserve(rest.len() / 4 + ROOM);
                let status = stream.compress_vec(rest, out, flush)?;
                let all_taken = stream.total_in() == bytes.len() as u64;
                // Free space left means that zlib holds no more output.
                let flushed = all_taken && out.len() < out.capacity() && flush == FlushCompress::Sync;
                if flushed || status == Status::StreamEnd {
                    return Ok(());
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Decompress, FlushDecompress};
    use proptest::prelude::*;

    /// Decompresses as far as possible; also returns whether the stream has ended.
    fn unpacked(packed: &[u8]) -> (Vec<u8>, bool) {
        let mut stream = Decompress::new(true);
        let mut bytes = Vec::with_capacity(packed.len() * 1_100 + 1_024);
        let status = stream.decompress_vec(packed, &mut bytes, FlushDecompress::Sync).unwrap();
        (bytes, status == Status::StreamEnd)
    }

    #[test]
    fn protocols_5_11_each_batch_can_be_decoded_immediately() {
        let mut deflate = Deflate::default();
        let mut packed = Vec::new();
        let mut sent = Vec::new();
        for batch in ["The Well", "", "Exits: up, north", "> "] {
            deflate.pack(batch.as_bytes(), &mut packed).unwrap();
            sent.extend_from_slice(batch.as_bytes());
            assert_eq!(unpacked(&packed), (sent.clone(), false), "{batch}");
        }
        assert_eq!(packed[0], 0x58, "a zlib stream, and not a bare one, with a window of 8 KiB");
        deflate.finish(b"Farewell.", &mut packed).unwrap();
        sent.extend_from_slice(b"Farewell.");
        assert_eq!(unpacked(&packed), (sent, true));
    }

    #[test]
    fn n5_game_output_compresses_to_a_third() {
        let mut deflate = Deflate::default();
        let (mut packed, mut sent) = (Vec::new(), 0);
        for n in 0..200 {
            let line = format!("A cave goblin (number {n}) hits you with its rusty knife.\r\nHP:{n}/200> ");
            sent += line.len();
            deflate.pack(line.as_bytes(), &mut packed).unwrap();
        }
        assert!(packed.len() * 3 < sent, "{sent} bytes became {}", packed.len());
        assert!(
            deflate.window.capacity() <= WINDOW,
            "a connection keeps {} bytes",
            deflate.window.capacity()
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn compressed_batches_round_trip(
            batches in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..300), 0usize..40), 0..20),
        ) {
            let mut deflate = Deflate::default();
            let (mut packed, mut sent) = (Vec::new(), Vec::new());
            for (batch, times) in batches {
                let batch = batch.repeat(times);
                deflate.pack(&batch, &mut packed).unwrap();
                sent.extend(batch);
                prop_assert_eq!(unpacked(&packed).0, sent.clone());
            }
            deflate.finish(b"", &mut packed).unwrap();
            prop_assert_eq!(unpacked(&packed), (sent, true));
        }
    }
}
