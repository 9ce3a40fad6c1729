//! A run that is written down so that it can be played again: what it begins with, and what was done to the world, each
//! with its moment. The simulation writes one where it finds a violation, the server one where a rule panics. A file
//! is JSON lines, the first of which is the header.

use crate::base::GameTime;
use crate::catalog::Catalog;
use crate::game::{GameConfig, Input};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a run begins with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The release that wrote it.
    pub deepwell: String,
    /// The digest of the content.
    pub content: String,
    /// What became of the run.
    pub ends: String,
    /// The world before the first move.
    pub begins: Beginning,
    /// What the rules were told.
    pub config: GameConfig,
}

/// The world before the first move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beginning {
    /// A fresh one, of the simulation.
    Fresh {
        /// By how much creatures strike harder than the content says.
        ferocity: u32,
    },
    /// What was stored at the last commit.
    Stored {
        /// What attaches everybody who played then.
        seated: Vec<Input>,
    },
}

/// What can be done to a world with its storage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// The game takes an input.
    Input(Input),
    /// What has changed is handed to storage.
    Commit,
    /// The process dies, and starts again from storage at this moment.
    Crash,
}

/// A move and its moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recorded {
    /// When.
    pub at: GameTime,
    /// What.
    #[serde(flatten)]
    pub what: Move,
}

/// A run that is written down.
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    /// What it begins with.
    pub header: Header,
    /// What was done, in its order.
    pub moves: Vec<Recorded>,
}

/// Why a file is no recording: the number of the line, from 1, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {0} is not of a recording: {1}")]
pub struct NoRecording(usize, String);

impl Header {
    /// Of a run by this content and these settings.
    pub fn new(catalog: &Catalog, config: &GameConfig, begins: Beginning, ends: String) -> Self {
        let deepwell = env!("CARGO_PKG_VERSION").to_owned();
        Self { deepwell, content: catalog.digest().to_string(), ends, begins, config: config.clone() }
    }

    /// What is not here as it was where the run was written down, so that it may come out otherwise.
    pub fn differences(&self, catalog: &Catalog) -> Vec<String> {
        let (here, content) = (env!("CARGO_PKG_VERSION"), catalog.digest().to_string());
        let mut found = Vec::new();
        if self.deepwell != here {
            found.push(format!("it was written by release {}, and this is {here}", self.deepwell));
        }
        if self.content != content {
            found.push(format!("its content was {}, and this is {content}", self.content));
        }
        found
    }
}

impl Recording {
    /// Reads a file.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn read(text: &str) -> Result<Self, NoRecording> {
        let mut lines = text.lines().zip(1..);
        let wrong = |number| move |error: serde_json::Error| NoRecording(number, error.to_string());
        let (first, number) = lines.next().unwrap_or(("", 1));
        let header = serde_json::from_str(first).map_err(wrong(number))?;
        let read = |(line, number)| serde_json::from_str(line).map_err(wrong(number));
        Ok(Self { header, moves: lines.map(read).collect::<Result<_, _>>()? })
    }

    /// The text of a file.
    ///
    /// # Errors
    /// None that is known: everything in it can be written as JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(&self.header)? + "\n";
        for recorded in &self.moves {
            text += &serde_json::to_string(recorded)?;
            text.push('\n');
        }
        Ok(text)
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &self.what {
            Move::Input(input) => format!("{input:?}"),
            Move::Commit => "what has changed is stored".into(),
            Move::Crash => "the process dies".into(),
        };
        let shown: String = what.chars().take(200).collect();
        write!(f, "{} {shown}", self.at.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SessionId;

    #[test]
    fn what_is_written_is_read_again() {
        let session = SessionId(3);
        let moves = vec![
            Move::Input(Input::Command { session, line: "say \"a\"\\".into() }),
            Move::Input(Input::Lost { session }.from([192, 0, 2, 1].into())),
            Move::Input(Input::Wake),
            Move::Commit,
            Move::Crash,
        ];
        let moves =
            moves.into_iter().zip(5..).map(|(what, at)| Recorded { at: GameTime(at), what }).collect();
        let seated = vec![Input::Wants { session, packages: [crate::game::Package::Room].into() }];
        let config = GameConfig { name: "Oak".into(), ..GameConfig::default() };
        let header =
            Header::new(&Catalog::default(), &config, Beginning::Stored { seated }, "it fell".into());
        let recording = Recording { header, moves };
        let text = recording.text().unwrap();
        assert_eq!(Recording::read(&text), Ok(recording));
        assert!(text.ends_with("{\"at\":8,\"commit\":null}\n{\"at\":9,\"crash\":null}\n"), "{text}");
    }

    #[test]
    fn what_is_no_recording_is_refused_with_its_line() {
        let header = Header::new(
            &Catalog::default(),
            &GameConfig::default(),
            Beginning::Fresh { ferocity: 1 },
            String::new(),
        );
        let text = Recording { header, moves: Vec::new() }.text().unwrap();
        for (text, place) in [("", "line 1 is"), ("{}", "line 1 is"), (&(text + "{\"at\":1}\n"), "line 2 is")]
        {
            let wrong = Recording::read(text).unwrap_err().to_string();
            assert!(wrong.starts_with(place), "{wrong}");
        }
    }

    #[test]
    fn another_release_and_other_content_are_told() {
        let (catalog, begins) = (Catalog::default(), Beginning::Fresh { ferocity: 0 });
        let mut header = Header::new(&catalog, &GameConfig::default(), begins, String::new());
        assert_eq!(header.differences(&catalog), [""; 0]);
        (header.deepwell, header.content) = ("0.0.0".into(), "0".into());
        assert_eq!(header.differences(&catalog).len(), 2);
    }
}
