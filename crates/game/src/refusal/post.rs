//! Refusals about mail and notes.

use thiserror::Error;

/// Reason why mail is not sent, taken or returned, or a note not written or removed. Names are those of the other
/// character.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum PostRefusal {
    #[error("You have no mail {0}. Type mail for the list.")]
    NoMail(String),
    #[error("A mail to yourself would say what you know.")]
    ToSelf,
    #[error("{0} takes no mail from you.")]
    Ignored(String),
    #[error("The mailbox of {0} is full. Nothing is sent.")]
    BoxFull(String),
    #[error(
        "As many of your mails as may lie about lie with others, who have not taken them. Nothing is sent."
    )]
    TooManySent,
    #[error("You have written as many mails and notes as one may in a day. Try again later.")]
    TooManyToday,
    #[error("The post has no room for more mail just now. Nothing is sent.")]
    PostFull,
    #[error("A mail may have {most} letters, and yours has {has}. Nothing is sent.")]
    TooLong { most: u32, has: usize },
    #[error("At most {most} things go with a mail.")]
    TooManyThings { most: u32 },
    #[error("The post does not come down here with things. Send and take them above.")]
    Below,
    #[error("Nothing is attached to mail {0}.")]
    NothingAttached(u32),
    #[error("There are things with mail {0}. Type mail take {0} first, or mail return {0}.")]
    HasThings(u32),
    #[error("Mail {0} has come back to you, and there is nobody to return it to.")]
    Returned(u32),
    #[error("Whoever sent mail {0} is gone, and there is nobody to return it to.")]
    SenderGone(u32),
    #[error("There is no board here.")]
    NoBoard,
    #[error("There is no note {0} on this board. Type board for the list.")]
    NoNote(String),
    #[error("Note {0} is not yours.")]
    NotYours(u32),
    #[error("That may have {most} letters, and has {has}. Nothing is written.")]
    NoteTooLong { most: u32, has: usize },
    #[error("There is no more room on the boards. Nothing is written.")]
    BoardsFull,
}
