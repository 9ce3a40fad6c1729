//! Bodies of `Char.Mail.List` and `Room.Notes.List`.

use serde::Serialize;

/// Mail in the mailbox of the character.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MailInfo {
    /// Number.
    pub number: u32,
    /// Origin in words, such as "from Bera".
    pub from: String,
    /// Unix time in seconds at which it was sent.
    pub at: i64,
    /// Set once it has been read.
    pub read: bool,
    /// Items that are attached, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<String>,
    /// Command that reads it.
    pub command: String,
}

/// Note on the board of the room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NoteInfo {
    /// Number.
    pub number: u32,
    /// Name of the author.
    pub from: String,
    /// Title.
    pub title: String,
    /// Unix time in seconds at which it was written.
    pub at: i64,
    /// Command that reads it.
    pub command: String,
}
