//! What the parts of a layout are called by.

use serde::{Deserialize, Serialize};

/// A cell of a layout: its place in [`Board::cells`](super::Board::cells).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CellId(pub u16);

/// A gate of a layout: its place in [`Board::gates`](super::Board::gates). The two sides of a door name the same gate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GateId(pub u16);

/// Something that is on or off, all off at the start. Levers, plates and answers turn switches; gates wait for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SwitchId(pub u16);

/// A key of a layout: its place in [`Board::keys`](super::Board::keys). Keys are shared by everybody inside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(pub u16);
