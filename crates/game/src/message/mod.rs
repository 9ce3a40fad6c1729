//! Messages: names in sentences, recipients, notices for absent players, the rumours of the town, events for bridges, and the line editor for long
//! texts.

pub(crate) mod editor;
pub(crate) mod editor_line;
pub(crate) mod naming;
pub(crate) mod notices;
pub(crate) mod public;
pub(crate) mod rumours;
pub(crate) mod tell;
