//! Messages: names in sentences, recipients, the rumours of the town, and the line editor for long texts.

pub(crate) mod editor;
pub(crate) mod naming;
pub(crate) mod rumours;
pub(crate) mod tell;
