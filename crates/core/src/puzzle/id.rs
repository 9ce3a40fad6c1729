//! Ids of the elements of a board.

use serde::{Deserialize, Serialize};

/// Cell of a board: index in [`Board::cells`](super::Board::cells).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CellId(pub u16);

/// Gate of a board: index in [`Board::gates`](super::Board::gates). Both sides of a door share one gate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GateId(pub u16);

/// Switch, off at the start. Levers, plates and answers set switches; gates depend on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SwitchId(pub u16);

/// Key of a board: index in [`Board::keys`](super::Board::keys). Keys are shared by all players inside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(pub u16);
