//! Commands on the own account: settings, password, profile, data.

pub(crate) mod data;
pub(crate) mod friends;
pub(crate) mod guest;
pub(crate) mod highlight;
pub(crate) mod own;
pub(crate) mod password;
pub(crate) mod profile;
pub(crate) mod setting;
pub(crate) mod settings;
