//! Bodies of `Client.Media`.

use serde::Serialize;

/// The body of `Client.Media.Play`: one sound, played once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MediaPlay {
    /// The file, below `url` or among the files of the client.
    pub name: String,
    /// Where the client may fetch it, if the operator has set that; it ends in a slash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `sound` or `music`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What all of ours have in common, so that a client can stop them.
    pub tag: &'static str,
    /// From 1 to 100.
    pub volume: u32,
    /// Always 1: nothing plays without end.
    pub loops: u32,
    /// From 1 to 100: what matters more goes before what matters less.
    pub priority: u32,
    /// What it sounds like, for those who do not hear it.
    pub caption: String,
}

/// The body of `Client.Media.Stop`: everything of ours is to be silent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MediaStop {}
