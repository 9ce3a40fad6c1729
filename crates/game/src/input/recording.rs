//! Recordings of runs for replay: the initial world and every move with its time. The simulation writes one when it
//! finds a violation, the server when a rule panics. A file is JSON lines, the first of which is the header.

use crate::{Envelope, GameConfig};
use deepwell_core::base::GameTime;
use deepwell_core::catalog::Catalog;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Header of a recording.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordingHeader {
    /// Release that wrote the recording.
    pub deepwell: String,
    /// Digest of the content.
    pub content: String,
    /// Outcome of the run.
    pub ends: String,
    /// World before the first move.
    pub begins: Beginning,
    /// Configuration of the game.
    pub config: GameConfig,
}

/// World before the first move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beginning {
    /// Fresh world of the simulation.
    Fresh {
        /// Factor by which creatures deal more damage than the content says.
        ferocity: u32,
    },
    /// World stored at the last commit.
    Stored {
        /// Inputs that reattach the players who were connected.
        seated: Vec<Envelope>,
    },
}

/// Operation on a world and its storage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedMove {
    /// Input to the game.
    Input(Envelope),
    /// Commit of the pending changes to storage.
    Commit,
    /// Crash of the process and restart from storage.
    Crash,
}

/// Move and its time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recorded {
    /// Time of the move.
    pub at: GameTime,
    /// The move.
    pub what: RecordedMove,
}

/// Recorded run.
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    /// Header of the file.
    pub header: RecordingHeader,
    /// Moves in order.
    pub moves: Vec<Recorded>,
}

/// Parse error of a recording: the line number, from 1, and the cause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {0} is not of a recording: {1}")]
pub struct RecordingError(usize, String);

impl RecordingHeader {
    /// Creates a header for a run with this content and configuration.
    pub fn new(catalog: &Catalog, config: &GameConfig, begins: Beginning, ends: String) -> Self {
        let deepwell = env!("CARGO_PKG_VERSION").to_owned();
        Self { deepwell, content: catalog.digest().to_string(), ends, begins, config: config.clone() }
    }

    /// Describes the differences between the recorded release and content and the present ones, which may change the
    /// outcome of a replay.
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
    /// Parses the text of a recording.
    ///
    /// # Errors
    /// The first line that cannot be parsed.
    pub fn read(text: &str) -> Result<Self, RecordingError> {
        let mut lines = text.lines().zip(1..);
        let error_in = |number| move |error: serde_json::Error| RecordingError(number, error.to_string());
        let (first, number) = lines.next().unwrap_or(("", 1));
        let header = serde_json::from_str(first).map_err(error_in(number))?;
        let read = |(line, number)| serde_json::from_str(line).map_err(error_in(number));
        Ok(Self { header, moves: lines.map(read).collect::<Result<_, _>>()? })
    }

    /// Returns the text of the file.
    ///
    /// # Errors
    /// If serialisation fails. No known case: every value can be written as JSON.
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
            RecordedMove::Input(input) => format!("{input:?}"),
            RecordedMove::Commit => "what has changed is stored".into(),
            RecordedMove::Crash => "the process dies".into(),
        };
        let shown: String = what.chars().take(200).collect();
        write!(f, "{} {shown}", self.at.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use deepwell_core::base::SessionId;

    #[test]
    fn written_recording_is_read_back() {
        let session = SessionId(3);
        let moves = vec![
            RecordedMove::Input(Input::Command { session, line: "say \"a\"\\".into() }.into()),
            RecordedMove::Input(Input::Lost { session }.sent_from([192, 0, 2, 1].into())),
            RecordedMove::Input(Input::Wake.into()),
            RecordedMove::Commit,
            RecordedMove::Crash,
        ];
        let moves =
            moves.into_iter().zip(5..).map(|(what, at)| Recorded { at: GameTime(at), what }).collect();
        let seated = vec![Input::Wants { session, packages: [crate::Package::Room].into() }.into()];
        let config = GameConfig { name: "Oak".into(), ..GameConfig::default() };
        let header = RecordingHeader::new(
            &Catalog::default(),
            &config,
            Beginning::Stored { seated },
            "it fell".into(),
        );
        let recording = Recording { header, moves };
        let text = recording.text().unwrap();
        assert_eq!(Recording::read(&text), Ok(recording));
        assert!(text.ends_with("{\"at\":8,\"what\":\"commit\"}\n{\"at\":9,\"what\":\"crash\"}\n"), "{text}");
    }

    #[test]
    fn malformed_recording_is_refused_with_line() {
        let header = RecordingHeader::new(
            &Catalog::default(),
            &GameConfig::default(),
            Beginning::Fresh { ferocity: 1 },
            String::new(),
        );
        let text = Recording { header, moves: Vec::new() }.text().unwrap();
        for (text, place) in [("", "line 1 is"), ("{}", "line 1 is"), (&(text + "{\"at\":1}\n"), "line 2 is")]
        {
            let mistake = Recording::read(text).unwrap_err().to_string();
            assert!(mistake.starts_with(place), "{mistake}");
        }
    }

    #[test]
    fn other_release_and_content_are_reported() {
        let (catalog, begins) = (Catalog::default(), Beginning::Fresh { ferocity: 0 });
        let mut header = RecordingHeader::new(&catalog, &GameConfig::default(), begins, String::new());
        assert_eq!(header.differences(&catalog), [""; 0]);
        (header.deepwell, header.content) = ("0.0.0".into(), "0".into());
        assert_eq!(header.differences(&catalog).len(), 2);
    }
}
