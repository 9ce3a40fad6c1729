//! Turns every statement and expression of compiled code into a counted step. Luau calls its interrupt handler only at
//! calls and at the ends of loops; a thousand expensive statements can be between two of those. However, the compiler
//! can mark each statement and expression for coverage tools. Each such mark is replaced by a backward jump of length
//! zero, which calls the handler.
//!
//! The same pass makes every `for` without `pairs` require an iterator function, because the order of a bare table may
//! depend on memory addresses. It also finds texts joined by `..`, whose size has no limit.

/// Opcodes of the bundled version of Luau.
const COVERAGE: u8 = 69;
const JUMP_BACK: u8 = 24;
const CONCAT: u8 = 49;
const FOR_PREPARE: u8 = 76;
const FOR_PREPARE_NEXT: u8 = 61;
/// Opcodes of instructions with a second word.
const WIDE_OPCODES: [u8; 30] = [
    7, 8, 12, 15, 16, 20, 27, 28, 29, 30, 31, 32, 53, 55, 58, 60, 66, 74, 75, 77, 78, 79, 80, 83, 84, 85, 86,
    87, 88, 90,
];

/// Result of the pass.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct MarkedCode {
    /// Number of marks in the script.
    pub(super) steps: usize,
    /// First line that contains `..`.
    pub(super) joined: Option<u32>,
    /// Set if a text constant exceeds the limit.
    pub(super) long_text: bool,
}

/// Marks the code of a file; `text_bytes` is the maximum length of text constants. `None` if the bytecode has an
/// unknown format; it must not be run then.
pub(super) fn mark(code: &mut [u8], text_bytes: usize) -> Option<MarkedCode> {
    let mut walk = CodeWalk { code, at: 0, text_bytes, found: MarkedCode::default() };
    walk.walk_file()?;
    Some(walk.found)
}

struct CodeWalk<'c> {
    code: &'c mut [u8],
    at: usize,
    text_bytes: usize,
    found: MarkedCode,
}

impl CodeWalk<'_> {
    fn read_byte(&mut self) -> Option<u8> {
        let byte = *self.code.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.at = self.at.checked_add(bytes).filter(|at| *at <= self.code.len())?;
        Some(())
    }

    /// Reads a variable-length number, seven bits in each byte.
    fn read_number(&mut self) -> Option<usize> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.read_byte()?;
            number |= usize::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    fn skip_numbers(&mut self, count: usize) -> Option<()> {
        (0..count).try_for_each(|_| self.read_number().map(drop))
    }

    fn walk_file(&mut self) -> Option<()> {
        let (version, types) = (self.read_byte()?, self.read_byte()?);
        if version != 9 || types != 3 {
            return None;
        }
        for _ in 0..self.read_number()? {
            let length = self.read_number()?;
            self.found.long_text |= length > self.text_bytes;
            self.skip(length)?;
        }
        while self.read_byte()? != 0 {
            self.read_number()?;
        }
        for _ in 0..self.read_number()? {
            self.walk_function()?;
        }
        self.read_number()?;
        (self.at == self.code.len()).then_some(())
    }

    fn walk_function(&mut self) -> Option<()> {
        // Frame sizes and flags.
        self.skip(5)?;
        let types = self.read_number()?;
        self.skip(types)?;
        let count = self.read_number()?;
        let begin = self.at;
        self.skip(count.checked_mul(4)?)?;
        let mut joined = None;
        self.mark_instructions(begin, count, &mut joined)?;
        for _ in 0..self.read_number()? {
            self.skip_constant()?;
        }
        let inner = self.read_number()?;
        self.skip_numbers(inner + 2)?;
        self.read_line_table(count, joined)?;
        if self.read_byte()? != 0 {
            for _ in 0..self.read_number()? {
                self.skip_numbers(3)?;
                self.skip(1)?;
            }
            let outer = self.read_number()?;
            self.skip_numbers(outer)?;
        }
        Some(())
    }

    /// Marks the instructions of a function and finds the first that joins texts.
    fn mark_instructions(&mut self, begin: usize, count: usize, joined: &mut Option<usize>) -> Option<()> {
        let mut at = 0;
        while at < count {
            let word = self.code.get_mut(begin + at * 4..begin + at * 4 + 4)?;
            let kind = *word.first()?;
            match kind {
                COVERAGE => {
                    word.copy_from_slice(&[JUMP_BACK, 0, 0, 0]);
                    self.found.steps += 1;
                }
                FOR_PREPARE => *word.first_mut()? = FOR_PREPARE_NEXT,
                CONCAT => *joined = joined.or(Some(at)),
                _ => {}
            }
            at += if WIDE_OPCODES.contains(&kind) { 2 } else { 1 };
        }
        Some(())
    }

    fn skip_constant(&mut self) -> Option<()> {
        match self.read_byte()? {
            // Nil, boolean, number, text, import, table shape, function.
            0 => Some(()),
            1 => self.skip(1),
            2 => self.skip(8),
            3 | 6 => self.read_number().map(drop),
            4 => self.skip(4),
            5 => {
                let keys = self.read_number()?;
                self.skip_numbers(keys)
            }
            8 => {
                let keys = self.read_number()?;
                (0..keys).try_for_each(|_| {
                    self.read_number()?;
                    self.skip(4)
                })
            }
            _ => None,
        }
    }

    /// Reads the line table: per instruction a byte to add to the previous one, and a base line per interval.
    fn read_line_table(&mut self, count: usize, joined: Option<usize>) -> Option<()> {
        if self.read_byte()? == 0 {
            return None;
        }
        let gap = u32::from(self.read_byte()?);
        let offsets = self.at;
        self.skip(count)?;
        let intervals = (count.checked_sub(1)?.checked_shr(gap)?) + 1;
        let lines = self.at;
        self.skip(intervals.checked_mul(4)?)?;
        let Some(joined) = joined.filter(|_| self.found.joined.is_none()) else { return Some(()) };
        let offset =
            self.code.get(offsets..=offsets + joined)?.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        let mut line = 0_i32;
        for interval in self.code.get(lines..lines + ((joined >> gap) + 1) * 4)?.chunks_exact(4) {
            line = line.wrapping_add(i32::from_le_bytes(interval.try_into().ok()?));
        }
        self.found.joined = u32::try_from(line + i32::from(offset)).ok();
        Some(())
    }
}
