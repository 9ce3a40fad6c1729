//! How much one call of a program may do and bring.

/// The bounds of one call. The default costs at most about a millisecond, whatever a program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// Statements and expressions, each counted more often the more memory is in use.
    pub steps: u32,
    /// Bytes, all in all: nothing is ever given back during a call.
    pub memory_bytes: u32,
    /// Bytes of a text that is put together.
    pub text_bytes: u32,
    /// How deep tables lie in tables in what goes in and comes back.
    pub depth: u32,
    /// Values in what comes back, all in all.
    pub entries: u32,
    /// Bytes of the texts and keys in what comes back, all in all.
    pub result_bytes: u32,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            steps: 6_000,
            memory_bytes: 131_072,
            text_bytes: 800,
            depth: 8,
            entries: 1_500,
            result_bytes: 24_576,
        }
    }
}

impl ScriptLimits {
    /// Bytes of a file at most.
    pub const SOURCE_BYTES: usize = 32_768;
}
