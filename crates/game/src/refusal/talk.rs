//! Refusals about speaking, channels and ignoring.

use deepwell_core::base::Span;
use deepwell_core::world::Channel;
use thiserror::Error;

/// Reason why a message is not sent, or a player is not ignored.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum TalkRefusal {
    #[error("You are out of breath: shout again in {0}.")]
    OutOfBreath(Span),
    #[error("You have said so much to so many that your breath is gone. Say it again in a moment.")]
    TooMuch,
    #[error(
        "You do not listen to {name} just now. Type channel {name} on to hear it again.",
        name = .0.name()
    )]
    Muted(Channel),
    #[error("There is no channel \"{0}\".")]
    NoChannel(String),
    #[error("The channel \"{0}\" is not shared: bridge.channels names those that are.")]
    NotShared(String),
    #[error("The name of the speaker has no letters.")]
    NoSpeaker,
    #[error("The name of the bridge has no letters.")]
    NoBridge,
    #[error("You cannot help hearing yourself.")]
    IgnoresSelf,
    #[error("You do not ignore {0}.")]
    NotIgnored(String),
    #[error("Nobody here answers. The people of the town are in its houses.")]
    NobodyToTalkTo,
    #[error("Nobody here answers to \"{0}\". To speak to a climber, type say or tell.")]
    NobodyAnswers(String),
    #[error("{0} only answers questions: ask NAME about WORD.")]
    OnlyAnswers(String),
    #[error("{name} knows nothing about {about}.")]
    KnowsNothing { name: String, about: String },
    #[error("You are fighting.")]
    Fighting,
    #[error("You are talking with nobody.")]
    NoConversation,
    #[error("You and {0} have nothing more to say to each other just now.")]
    Over(String),
    #[error("{0} is too busy for that.")]
    TooBusy(String),
    #[error("There is no command \"{0}\". To speak, begin with say; commands lists what can be done.")]
    Unsaid(String),
    #[error(
        "Nobody called \"{0}\" is here. To show something in words of your own, type emote and those words."
    )]
    NobodyToSee(String),
    #[error("You can ignore {most} people and no more.")]
    IgnoresTooMany { most: u32 },
}
