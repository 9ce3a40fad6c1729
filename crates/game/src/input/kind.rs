//! Names of the kinds of input.

use super::Input;

impl Input {
    /// Returns the name of the kind of input, for figures of operators.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Create { .. } => "create",
            Self::Visit { .. } => "visit",
            Self::Join { .. } => "join",
            Self::Login { .. } => "login",
            Self::Credential { .. } => "credential",
            Self::NewPassword { .. } => "new_password",
            Self::Recovery { .. } => "recovery",
            Self::DeleteAccount { .. } => "delete_account",
            Self::OneTimeCode { .. } => "one_time_code",
            Self::Recovered { .. } => "recovered",
            Self::KeepSeat { .. } => "keep_seat",
            Self::TakeSeat { .. } => "take_seat",
            Self::OperatorCode { .. } => "operator_code",
            Self::Operator { .. } => "operator",
            Self::OpenDesk { .. } => "open_desk",
            Self::CloseDesk { .. } => "close_desk",
            Self::Desk { .. } => "desk",
            Self::Command { .. } => "command",
            Self::Lost { .. } => "lost",
            Self::Wants { .. } => "wants",
            Self::Asks { .. } => "asks",
            Self::UsesScreenReader { .. } => "uses_screen_reader",
            Self::Broadcast { .. } => "broadcast",
            Self::Bridge { .. } => "bridge",
            Self::OwnerToken { .. } => "owner_token",
            Self::StorageReadOnly(_) => "storage_read_only",
            Self::Settings(_) => "settings",
            Self::Content { .. } => "content",
            Self::ContentRefused { .. } => "content_refused",
            Self::FilesWritten { .. } => "files_written",
            Self::FilesRead { .. } => "files_read",
            Self::PartRows { .. } => "part_rows",
            Self::WakeParts { .. } => "wake_parts",
            Self::Wake => "timers",
        }
    }
}
