//! Compressed output of a connection: one zlib stream (RFC 1950) for MCCP2 (protocols 5.11). Negotiation and socket I/O
//! are elsewhere.

use flate2::{Compress, CompressError, Compression, FlushCompress, Status};

/// Compression level; zlib's default. Output is short, and time per batch matters more than the last percent of size.
const LEVEL: u32 = 6;
/// Window size of 4 KiB, as a power of two. A larger window saves little on game output and costs far more memory for
/// the whole connection.
const WINDOW_BITS: u8 = 12;
/// Minimum free output space in bytes. With fewer than six bytes left zlib flushes twice.
const ROOM: usize = 64;

/// State of one stream; about 95 KiB of memory after first use.
#[derive(Debug)]
pub struct Deflate {
    stream: Compress,
}

impl Default for Deflate {
    fn default() -> Self {
        Self { stream: Compress::new_with_window_bits(Compression::new(LEVEL), true, WINDOW_BITS) }
    }
}

impl Deflate {
    /// Compresses a batch so that the peer can decode it completely (`Z_SYNC_FLUSH`). An empty batch produces no
    /// output.
    pub fn pack(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), CompressError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.run(bytes, out, FlushCompress::Sync)
    }

    /// Compresses a batch and ends the stream (`Z_FINISH`). Some clients disconnect at the end of a stream, so it is
    /// only sent when the connection closes or the client has asked for it.
    pub fn finish(mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), CompressError> {
        self.run(bytes, out, FlushCompress::Finish)
    }

    fn run(&mut self, bytes: &[u8], out: &mut Vec<u8>, flush: FlushCompress) -> Result<(), CompressError> {
        let start = self.stream.total_in();
        loop {
            let taken = usize::try_from(self.stream.total_in() - start).unwrap_or(usize::MAX);
            let rest = bytes.get(taken..).unwrap_or_default();
            out.reserve(rest.len() / 4 + ROOM);
            let status = self.stream.compress_vec(rest, out, flush)?;
            let all_taken = self.stream.total_in() - start == bytes.len() as u64;
            // Free space left means that zlib holds no more output.
            let flushed = all_taken && out.len() < out.capacity() && flush == FlushCompress::Sync;
            if flushed || status == Status::StreamEnd {
                return Ok(());
            }
        }
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
        assert_eq!(packed[0], 0x48, "a zlib stream, and not a bare one, with a window of 4 KiB");
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
