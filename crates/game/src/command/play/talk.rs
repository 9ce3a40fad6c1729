//! Communication commands.

use crate::command::parse::{Actor, Argument, Count, PlayerArgument, SpeechArgument, Words, without_article};
use crate::command::play::replay::channel_history;
use crate::command::spec::{CommandSpec, Needs, run, show};
use crate::refusal::{self, Refusal, refuse};
use crate::speech::{dialogue, talk};
use crate::turn::Turn;
use deepwell_core::base::RuleLimit;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Channel;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "say",
        aliases: &["'"],
        summary: "Speaks to everybody in the room. An apostrophe does the same.",
        example: "'mind the lever: everybody here hears it.",
        teaches: Some(Lesson::Spoke),
        for_guests: true,
        run: run!(|turn, actor, words: SpeechArgument<'_>| talk::say(turn, actor.who, words.0)),
        ..SPEECH
    },
    CommandSpec {
        name: "emote",
        aliases: &[":"],
        summary: "Shows the room what you do. A colon does the same.",
        example: ":wrings out a sleeve. shows your name and those words.",
        run: run!(|turn, actor, words: SpeechArgument<'_>| talk::emote(turn, actor.who, words.0)),
        ..SPEECH
    },
    CommandSpec {
        name: "talk",
        syntax: "talk [to NAME]",
        summary: "Talks to somebody of the town or to a creature that talks. Their answers come with numbers: type one, or the words behind it. Some only tell about what they may be asked.",
        example: "talk to chandler: the chandler says what he can be asked about.",
        run: run!(talk_to),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "ask",
        syntax: "ask NAME about WORDS",
        summary: "Asks somebody about something. The people of the town also know who is below, and how deep.",
        example: "ask chandler about the well: he says what he has heard.",
        missing: "ask, a name, about, and a word: ask chandler about well",
        run: run!(ask),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "socials",
        summary: "Lists what you can be seen doing with one word, alone or to somebody.",
        example: "socials: applaud, bark, beam and so on. smile bera: Bera reads that you smile at her.",
        run: show!(socials),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "tell",
        aliases: &["whisper"],
        summary: "Speaks to one climber, wherever they are.",
        example: "tell bera take the east exit: only Bera hears it.",
        missing: "tell, a name, and what you want to say",
        run: run!(tell),
        ..SPEECH
    },
    CommandSpec {
        name: "reply",
        aliases: &["r"],
        summary: "Answers whoever told you something last.",
        example: "reply coming: the one who spoke to you hears it.",
        run: run!(|turn, actor, words: SpeechArgument<'_>| talk::reply(turn, actor.who, words.0)),
        ..SPEECH
    },
    CommandSpec {
        name: "ooc",
        summary: "Speaks to everybody who plays, out of character. ooc history tells what was said last.",
        example: "ooc good night: everybody hears it.",
        run: run!(|turn, actor, words: SpeechArgument<'_>| speak_on(turn, actor, Channel::Ooc, words)),
        ..SPEECH
    },
    CommandSpec {
        name: "newbie",
        aliases: &["question"],
        summary: "Asks, or answers, on the channel for questions. No question is too small for it.",
        example: "newbie where does one sell things? Everybody who listens hears it.",
        run: run!(|turn, actor, words: SpeechArgument<'_>| speak_on(turn, actor, Channel::Newbie, words)),
        ..SPEECH
    },
    CommandSpec {
        name: "shout",
        aliases: &["yell"],
        summary: "Speaks so loudly that the rooms near yours hear it too, and from where.",
        example: "shout the lever is here! Your companions a few rooms away hear it.",
        run: run!(|turn, actor, words: SpeechArgument<'_>| talk::shout(turn, actor.who, words.0)),
        ..SPEECH
    },
    CommandSpec {
        name: "channel",
        aliases: &["channels"],
        needs: Needs::Storage,
        syntax: "channel [NAME on | off | last [NUMBER]]",
        summary: "Lists the channels, turns one on or off for you, or tells what was said on it last.",
        example: "channel ooc off: you no longer hear it. channel ooc last 5: what was said there last.",
        missing: "channel, the name of a channel, and on or off, or last",
        run: run!(channel),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "ignore",
        needs: Needs::Storage,
        summary: "Keeps the words of a player from you, and most of what they do, or lets them through again; alone, it lists whom you ignore.",
        example: "ignore bera: you no longer hear Bera, nor read that she comes, goes, takes or drops. The same again ends it.",
        run: run!(ignore),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "unignore",
        needs: Needs::Storage,
        summary: "Lets the words of a player whom you ignore through again.",
        example: "unignore bera: you hear Bera again.",
        missing: "unignore and the name of somebody whom you ignore",
        run: run!(|turn, actor, PlayerArgument(who)| {
            let body = &turn.world.characters[who];
            let ignored = &turn.world.accounts[actor.account].ignored;
            if body.account.is_none_or(|account| !ignored.contains_key(&account)) {
                return Err(refuse!("You do not ignore {}.", body.name));
            }
            ignore(turn, actor, Some(PlayerArgument(who)))
        }),
        ..CommandSpec::PLAYER
    },
];

/// Defaults of commands that speak.
const SPEECH: CommandSpec = CommandSpec { needs: Needs::Nothing, takes_words: true, ..CommandSpec::PLAYER };

/// Speaks on a channel; `history` alone shows its last messages.
fn speak_on(
    turn: &mut Turn,
    actor: Actor,
    channel: Channel,
    SpeechArgument(speech): SpeechArgument<'_>,
) -> Result<(), Refusal> {
    if speech.eq_ignore_ascii_case("history") {
        return channel_history(turn, actor, channel, None);
    }
    talk::speak_on(turn, actor.who, channel, speech)
}

/// Action on a channel.
#[derive(Clone, Copy)]
enum Tuning {
    /// Listen.
    On,
    /// Do not listen.
    Off,
    /// Show the last messages, optionally this many.
    Last(Option<Count>),
}

/// Channel, and the action on it.
#[derive(Clone, Copy)]
struct Tuned {
    channel: Channel,
    tuning: Tuning,
}

impl Argument<'_> for Tuned {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (name, order) = words.keyword();
        let order = order.required()?;
        let known = Channel::ALL.iter().copied().find(|channel| channel.name() == name);
        let channel = known.ok_or_else(|| refuse!("There is no channel \"{name}\"."))?;
        let (state, number) = order.keyword();
        let tuning = match (state.as_str(), number.is_empty()) {
            ("last", _) => Tuning::Last(Option::read(turn, actor, number)?),
            ("on", true) => Tuning::On,
            ("off", true) => Tuning::Off,
            _ => return Err(words.missing()),
        };
        Ok(Self { channel, tuning })
    }
}

fn channel(turn: &mut Turn, actor: Actor, order: Option<Tuned>) -> Result<(), Refusal> {
    let mut settings = turn.world.accounts[actor.account].settings.clone();
    if let Some(Tuned { channel, tuning }) = order {
        match tuning {
            Tuning::Last(count) => return channel_history(turn, actor, channel, count),
            Tuning::On => settings.muted.remove(&channel),
            Tuning::Off => settings.muted.insert(channel),
        };
        turn.world.accounts.change(actor.account, |account| account.settings = settings.clone());
    }
    let mut list = Markup::styled(Style::Heading, "Channels");
    for &channel in Channel::ALL {
        let state = if settings.muted.contains(&channel) { "off" } else { "on" };
        list.line(Style::Command, channel.name());
        let shared = if turn.config.sharing.channels.contains(channel) { SHARED } else { "" };
        list.push(Style::Plain, &format!(": {state}, {}{shared}", channel.about()));
    }
    actor.answer(turn, list)
}

/// Note in the list of channels, for one that bridges share.
const SHARED: &str = "; it is also read and written outside of the game";

/// Number of words per line in the list of socials.
const SOCIALS_IN_A_LINE: usize = 9;

fn talk_to(turn: &mut Turn, actor: Actor, SpeechArgument(typed): SpeechArgument<'_>) -> Result<(), Refusal> {
    let name = typed.strip_prefix("to ").or_else(|| typed.strip_prefix("with ")).unwrap_or(typed);
    dialogue::talk(turn, actor.who, without_article(name))
}

/// Townsperson and topic of a question.
#[derive(Clone, Copy)]
struct TalkQuestion<'a> {
    name: &'a str,
    about: &'a str,
}

impl<'a> Argument<'a> for TalkQuestion<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let parted = words.around("about").or_else(|| words.around("for"));
        let (name, about) = parted.unwrap_or_else(|| words.first_word());
        Ok(Self { name: name.required()?.bare(), about: about.required()?.bare() })
    }
}

fn ask(turn: &mut Turn, actor: Actor, question: TalkQuestion<'_>) -> Result<(), Refusal> {
    dialogue::ask(turn, actor.who, question.name, question.about)
}

fn socials(turn: &Turn, _: Actor, (): ()) -> Result<Markup, Refusal> {
    let mut list = Markup::styled(Style::Heading, "Socials");
    // Short lines, so that screen reader users can follow.
    let words: Vec<&str> = turn.catalog.socials.iter().map(|social| social.word.as_str()).collect();
    for line in words.chunks(SOCIALS_IN_A_LINE) {
        for (at, word) in line.iter().enumerate() {
            if at == 0 {
                list.line(Style::Command, word);
            } else {
                list.push(Style::Plain, ", ");
                list.push(Style::Command, word);
            }
        }
        list.push(Style::Plain, ".");
    }
    list.line(Style::Plain, "Type one alone, or with the name of somebody here: ");
    list.push(Style::Command, "help socials");
    list.push(Style::Plain, " tells more.");
    Ok(list)
}

fn ignore(turn: &mut Turn, actor: Actor, whom: Option<PlayerArgument>) -> Result<(), Refusal> {
    let Some(PlayerArgument(who)) = whom else {
        let names = grammar::list_or("nobody", turn.world.accounts[actor.account].ignored.values());
        return actor.answer(turn, format!("You ignore {names}."));
    };
    let name = turn.world.characters[who].name.clone();
    let account = turn.world.characters[who].account.ok_or(Refusal::NotAllowed)?;
    if account == actor.account {
        return Err(refuse!("You cannot help hearing yourself."));
    }
    if turn.world.accounts.stop_ignoring(actor.account, account) {
        return actor.answer(turn, format!("You hear {name} again."));
    }
    let (limits, has) = (&turn.config.limits, turn.world.accounts[actor.account].ignored.len());
    refusal::require_below(limits, RuleLimit::Ignored, has, |most| {
        refuse!("You can ignore {most} people and no more.")
    })?;
    turn.world.accounts.ignore(actor.account, account, &name);
    actor.answer(turn, format!("You no longer hear {name}."))
}

fn tell(
    turn: &mut Turn,
    actor: Actor,
    (PlayerArgument(to), SpeechArgument(speech)): (PlayerArgument, SpeechArgument<'_>),
) -> Result<(), Refusal> {
    talk::tell_to(turn, actor.who, to, speech)
}
