//! Scripts of builders: the hooks that they are attached to, their conditions, and their runs.

pub(crate) mod call;
pub(crate) mod conditions;
pub(crate) mod hooks;
pub(crate) mod script_charge;
pub(crate) mod script_deeds;
pub(crate) mod script_event;
pub(crate) mod script_run;
pub(crate) mod script_scene;
