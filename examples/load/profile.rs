//! Profiles: the login dialogue of a line-based server, and the end of its answers.

use crate::client::End;
use anyhow::{Context as _, bail};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Password of every player.
pub(crate) const PASSWORD: &str = "a-long-password";

/// A file of `examples/load/profiles`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profile {
    /// Address and port of the server.
    pub(crate) address: String,
    /// Command that starts the server; `{folder}` is replaced with a temporary folder. Without it the server must be
    /// running.
    #[serde(default)]
    pub(crate) start: Vec<String>,
    /// Login dialogue, in order.
    login: Vec<Step>,
    /// Text that ends each answer.
    prompt: Option<String>,
    /// Text in each answer, for servers without a prompt.
    answer_contains: Option<String>,
    /// Lines to type in turn.
    #[serde(default)]
    pub(crate) lines: Vec<String>,
}

/// A question of the server and the answer to it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Text of the server to wait for.
    expect: String,
    /// Line to send; `{name}` and `{password}` are replaced.
    send: String,
}

impl Profile {
    /// Returns the profile of Deepwell.
    pub(crate) fn deepwell() -> anyhow::Result<Self> {
        Self::parse(include_str!("profiles/deepwell.toml"))
    }

    /// Reads a profile from a file.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let profile: Self = toml::from_str(text)?;
        profile.end()?;
        Ok(profile)
    }

    /// Returns the end of an answer.
    pub(crate) fn end(&self) -> anyhow::Result<End> {
        match (&self.prompt, &self.answer_contains) {
            (Some(prompt), None) => Ok(End::Prompt(prompt.clone().into_bytes())),
            (None, Some(text)) => Ok(End::Text(text.clone().into_bytes())),
            _ => bail!("either `prompt` or `answer_contains` is needed"),
        }
    }

    /// Returns the login dialogue of a player: pairs of expected text and line to send.
    pub(crate) fn dialogue(&self, name: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
        let filled = |text: &str| text.replace("{name}", name).replace("{password}", PASSWORD) + "\r\n";
        let step = |step: &Step| (step.expect.clone().into_bytes(), filled(&step.send).into_bytes());
        self.login.iter().map(step).collect()
    }
}
