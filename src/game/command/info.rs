//! Help, and who is there.

use crate::catalog::help::{Found, HelpTopic};
use crate::game::abilities;
use crate::game::command::actor::Actor;
use crate::game::command::argument::Name;
use crate::game::command::spec::{CommandSpec, KnownTo, Needs, WhenFrozen, run};
use crate::game::command::{find, syntax_of, table};
use crate::game::hearing;
use crate::game::locks;
use crate::game::refusal::{AccountRefusal, Refusal};
use crate::game::seats;
use crate::game::turn::Turn;
use crate::text::{Markup, Style, grammar};
use crate::world::Role;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "who",
        needs: Needs::Nothing,
        summary: "Lists who plays.",
        example: "who: the names of all climbers.",
        run: run!(who),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "help",
        aliases: &["?"],
        needs: Needs::Nothing,
        syntax: "help [TOPIC or COMMAND]",
        summary: "Explains a command or a topic; alone, it lists the topics.",
        example: "help branches: how companions find each other below.",
        is_protected: true,
        when_frozen: WhenFrozen::Done,
        run: run!(help),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "commands",
        needs: Needs::Nothing,
        summary: "Lists every command you may use, one a line.",
        example: "commands: each with what it does.",
        run: run!(commands),
        ..CommandSpec::PLAYER
    },
];

fn who(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    let mut list = seats::who(turn);
    if turn.world.accounts[actor.account].role > Role::Player && !turn.world.meta().locks.is_empty() {
        list.line(Style::Plain, &locks::words(turn));
    }
    actor.answer(turn, list)
}

fn commands(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    let role = turn.world.accounts[actor.account].role;
    let mut list = Markup::styled(Style::Heading, "Commands");
    list.line(Style::Plain, "Directions: north, east, south, west, up, down, or their first letters.");
    let knows = |spec: &&CommandSpec| {
        spec.role <= role
            && (spec.known_to == KnownTo::Everybody || abilities::known(turn, actor.who, spec.name).is_ok())
    };
    for spec in table().filter(knows) {
        list.line(Style::Command, spec.name);
        list.push(Style::Plain, &format!(": {}", spec.summary));
    }
    actor.answer(turn, list)
}

fn help(turn: &mut Turn, actor: Actor, about: Option<Name<'_>>) -> Result<(), Refusal> {
    let words = Name::or_nothing(about);
    let aloud = hearing::uses_screen_reader(turn, actor.account);
    let role = turn.world.accounts[actor.account].role;
    let word = words.to_lowercase();
    let page = if word.is_empty() {
        topics(turn)
    } else if let Some(spec) =
        find(&word, role).filter(|spec| spec.name == word || spec.aliases.contains(&word.as_str()))
    {
        // Where a command and a topic are called the same, both are told.
        let topic = turn.catalog.help.topic(&word).map(HelpTopic::page);
        let mut page = command_page(turn, actor, spec, aloud);
        if let Some(topic) = topic {
            page.push(Style::Plain, "\n\n");
            page.append(&topic);
        }
        page
    } else {
        match (turn.catalog.help.find(&word), find(&word, role)) {
            (Found::Topic(topic), _) | (Found::Nearest(topic), None) => topic.page(),
            (_, Some(spec)) => command_page(turn, actor, spec, aloud),
            (Found::Several(several), None) => {
                let names: Vec<&str> = several.iter().map(|topic| topic.key.as_str()).collect();
                Markup::plain(&format!("Which one do you mean: {}?", grammar::list(&names)))
            }
            (Found::Nothing, None) => {
                return Err(AccountRefusal::NoHelp(words.to_owned()).into());
            }
        }
    };
    actor.answer(turn, page)
}

fn topics(turn: &Turn) -> Markup {
    let mut list = Markup::styled(Style::Heading, "Help");
    list.line(Style::Plain, "Type ");
    list.push(Style::Command, "help");
    list.push(Style::Plain, " and one of these words, or the name of a command. Type ");
    list.push(Style::Command, "commands");
    list.push(Style::Plain, " for those.");
    for topic in turn.catalog.help.topics() {
        list.line(Style::Command, &topic.key);
        list.push(Style::Plain, &format!(": {}", topic.title));
    }
    list
}

/// The help of one command; what is typed is told without brackets and bars to who listens.
fn command_page(turn: &Turn, actor: Actor, spec: &CommandSpec, aloud: bool) -> Markup {
    let mut page = Markup::styled(Style::Heading, spec.name);
    page.line(Style::Plain, spec.summary);
    page.line(Style::Plain, "Type: ");
    if aloud {
        page.push(Style::Command, &spoken(syntax_of(spec)));
    } else {
        page.push(Style::Command, syntax_of(spec));
    }
    page.line(Style::Plain, &format!("Example: {}", spec.example));
    if !spec.aliases.is_empty() {
        page.line(Style::Plain, &format!("Also: {}", spec.aliases.join(", ")));
    }
    if let Some(ability) =
        turn.catalog.abilities.get(spec.name).filter(|_| spec.known_to == KnownTo::Learners)
    {
        page.line(Style::Plain, &format!("In numbers: {}", abilities::figures(turn, ability)));
        let words = match abilities::known(turn, actor.who, spec.name) {
            Ok(_) => {
                format!("You have learnt it; it is {}.", abilities::readiness(turn, actor.who, spec.name))
            }
            Err(_) => format!(
                "A new level may offer it, sooner to those who have {}. See help abilities.",
                ability.earned_by
            ),
        };
        page.line(Style::Plain, &words);
    }
    page
}

/// A syntax in words: "look [THING or DIRECTION]" as "look, and if you like THING or DIRECTION".
fn spoken(syntax: &str) -> String {
    let words = syntax.replace(" | ", " or ").replace('|', " or ");
    let words = words.replace(" [", ", and if you like ").replace(['[', '{', '}'], "");
    words.replace("] ", ", ").replace(']', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syntax_is_told_in_words() {
        for (written, said) in [
            ("look [THING or DIRECTION]", "look, and if you like THING or DIRECTION"),
            ("buy [NUMBER] THING", "buy, and if you like NUMBER, THING"),
            ("prompt [full | brief | off]", "prompt, and if you like full or brief or off"),
            ("channel [NAME on|off]", "channel, and if you like NAME on or off"),
        ] {
            assert_eq!(spoken(written), said);
        }
        for spec in table() {
            assert!(!spoken(syntax_of(spec)).contains(['[', ']', '|']), "{}", spec.name);
        }
    }
}
