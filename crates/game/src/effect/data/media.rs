//! Bodies of `Client.Media`.

use serde::Serialize;

/// Body of `Client.Media.Play`: one sound, played once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MediaPlay {
    /// File name, relative to `url` or among the files of the client.
    pub name: String,
    /// Base URL of the file, ending in a slash, if the operator has set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `sound` or `music`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Tag common to all sounds of the server, so that a client can stop them.
    pub tag: &'static str,
    /// Volume, from 1 to 100.
    pub volume: u32,
    /// Number of loops; always 1.
    pub loops: u32,
    /// Priority from 1 to 100; a higher one takes precedence.
    pub priority: u32,
    /// Description of the sound for players who cannot hear it.
    pub caption: String,
}

/// Body of `Client.Media.Stop`: stops all sounds of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MediaStop {}
