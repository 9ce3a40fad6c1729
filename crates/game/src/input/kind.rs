//! Kinds of input: their names, and which of them have the session of a client.

use super::Input;
use deepwell_core::base::SessionId;

/// Declares the kinds of input that clients cause, and all others, each with its name.
macro_rules! kinds {
    (clients: [$($client:ident $client_name:literal,)+] others: [$($other:ident $other_name:literal,)+]) => {
        impl Input {
            /// Returns the name of the kind of input, for figures of operators.
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$client { .. } => $client_name,)+
                    $(Self::$other { .. } => $other_name,)+
                }
            }

            /// Returns the session of the client that caused the input, if any.
            pub const fn session(&self) -> Option<SessionId> {
                match self {
                    $(Self::$client { session, .. })|+ => Some(*session),
                    $(Self::$other { .. })|+ => None,
                }
            }
        }
    };
}

kinds! {
    clients: [
        Create "create", Visit "visit", Join "join", Login "login", NewPassword "new_password",
        Recovery "recovery", DeleteAccount "delete_account", OneTimeCode "one_time_code",
        Recovered "recovered", KeepSeat "keep_seat", TakeSeat "take_seat", Command "command", Lost "lost",
        Wants "wants", Asks "asks", UsesScreenReader "uses_screen_reader",
    ]
    others: [
        Credential "credential", OperatorCode "operator_code", Operator "operator", OpenWebBuilder "open_desk",
        CloseWebBuilder "close_desk", WebBuilder "desk", Broadcast "broadcast", Bridge "bridge", OwnerToken "owner_token",
        StorageReadOnly "storage_read_only", Settings "settings", Content "content",
        ContentRefused "content_refused", FilesWritten "files_written", FilesRead "files_read",
        PartRows "part_rows", WakeParts "wake_parts", Wake "timers",
    ]
}
