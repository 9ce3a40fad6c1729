//! Limits of one script call, and what a call has used of them.

/// Limits of one script call. With the defaults a call takes at most about a millisecond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// Maximum number of statements and expressions. Each costs more as memory use grows.
    pub steps: u32,
    /// Maximum number of bytes allocated; memory is never freed during a call.
    pub memory_bytes: u32,
    /// Maximum length of a text built at run time, in bytes.
    pub text_bytes: u32,
    /// Maximum nesting of tables in arguments and results.
    pub depth: u32,
    /// Maximum number of values in a result.
    pub entries: u32,
    /// Maximum total size of texts and keys in a result, in bytes.
    pub result_bytes: u32,
}

/// Resources that a call has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptCost {
    /// Steps.
    pub steps: u32,
    /// Bytes allocated.
    pub memory_bytes: u32,
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
    /// Maximum size of a script file in bytes.
    pub const SOURCE_BYTES: usize = 32_768;
}
