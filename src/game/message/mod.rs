//! Messages: names in sentences, recipients, the rumours of the town, events for bridges, and the line editor for long
//! texts.

pub(crate) mod editor;
pub(crate) mod naming;
pub(crate) mod public;
pub(crate) mod rumours;
pub(crate) mod tell;
