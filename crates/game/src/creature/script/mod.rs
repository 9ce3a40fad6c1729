//! Scripts of builders: the hooks that they are attached to, their conditions, and their runs.

pub(crate) mod costs;
pub(crate) mod deeds;
pub(crate) mod event;
pub(crate) mod run;
pub(crate) mod scene;
pub(crate) mod call;
pub(crate) mod conditions;
pub(crate) mod hooks;
