//! What accounts and characters are permitted: permissions, sanctions, login policy, audibility, access to drafts, and the audit log.

pub(crate) mod audibility;
pub(crate) mod audit_log;
pub(crate) mod draft_names;
pub(crate) mod drafts;
pub(crate) mod login_policy;
pub(crate) mod permissions;
pub(crate) mod sanctions;
