//! Help and player list commands.

use crate::access::{audibility, draft_names, permissions};
use crate::account::{news, profile};
use crate::character::abilities;
use crate::command::parse::meaning::{Meaning, TypedLine};
use crate::command::parse::{Actor, Argument, NameArgument, Words, suggestion};
use crate::command::spec::{CommandSpec, KnownTo, Needs, WhenFrozen, run, show};
use crate::command::{syntax_of, table};
use crate::message::rumours;
use crate::refusal::{Refusal, refuse};
use crate::staff::lockdown;
use crate::turn::{Turn, time_of_day};
use deepwell_core::base::{Rights, Span};
use deepwell_core::catalog::help::{HelpGroup, HelpLookup, HelpTopic};
use deepwell_core::catalog::{AffectPrototype, DefinitionKind, Social};
use deepwell_core::text::act::{NamedParticipant, Scene};
use deepwell_core::text::{Markup, Style, grammar};

/// Age of the oldest event that `news` tells.
const NEWS_OF: Span = Span::days(7);

/// Maximum number of suggested pages for an unknown topic.
const NEAR_MOST: usize = 3;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "who",
        syntax: "who [NAME] [page NUMBER]",
        summary: "Lists who plays, or those of them whose names begin so, with title and level, a hundred to a page. config place on lets it tell others where you are.",
        example: "who: the names of all climbers. who be: Bera, with wet boots, level 3.",
        run: show!(who),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "help",
        aliases: &["?"],
        needs: Needs::Nothing,
        syntax: "help [TOPIC or COMMAND or all]",
        summary: "Explains a command or a topic; alone, it lists the topics, and help all says what each is about.",
        example: "help branches: how companions find each other below.",
        is_protected: true,
        when_frozen: WhenFrozen::Done,
        run: run!(help),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "time",
        summary: "Tells the hour in the town, and that of the server.",
        example: "time: In the town it is noon, day 112 of the year 1385.",
        run: show!(time),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "news",
        needs: Needs::Nothing,
        summary: "Tells what is new here, and what the town tells of the last week.",
        example: "news: what has changed lately, in a few lines.",
        run: run!(news),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "rules",
        summary: "Tells what is asked of everybody who plays here.",
        example: "rules: be somebody whom others are glad to meet below.",
        when_frozen: WhenFrozen::Done,
        run: show!(|turn, _, ()| page(turn, "rules")),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "commands",
        summary: "Lists every command you may use, one a line.",
        example: "commands: each with what it does.",
        run: show!(commands),
        ..CommandSpec::GUEST
    },
];

/// Beginning of the names to list, and the page.
struct Listed<'a> {
    name: &'a str,
    page: usize,
}

impl<'a> Argument<'a> for Listed<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (words, page) = words.split_page();
        let name = words.bare();
        // Several words are a question, as in "who is here".
        Ok(Self { name: if name.contains(' ') { "" } else { name }, page })
    }
}

fn who(turn: &Turn, actor: Actor, Listed { name, page }: Listed<'_>) -> Result<Markup, Refusal> {
    let mut list = profile::playing(turn, Some(actor.who), name, page);
    if actor.rights(turn) != Rights::NONE && !turn.world.meta().locks.is_empty() {
        list.line(Style::Plain, &lockdown::words(turn));
    }
    Ok(list)
}

fn time(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    let now = time_of_day::time_for(turn, Some(actor.who));
    let mut page = Markup::plain(&format!("In the town it is {}.", time_of_day::words(now)));
    let hour = time_of_day::hour_words(time_of_day::hour(now));
    page.push(Style::Plain, &format!(" The last hour that struck was {hour}."));
    page.line(
        Style::Plain,
        &format!("A day there lasts {}. The server's clock says {}.", time_of_day::DAY, turn.now.utc()),
    );
    Ok(page)
}

/// Returns a help page that has its own command.
fn page(turn: &Turn, key: &str) -> Result<Markup, Refusal> {
    let page = turn.catalog.help.topic(key).map(HelpTopic::page);
    page.ok_or_else(|| no_page(key))
}

fn news(turn: &mut Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    news::mark_news_read(turn, actor.account);
    let mut page = page(turn, news::PAGE)?;
    let rumours = rumours::told_since(turn, actor.who, turn.now - NEWS_OF);
    if !rumours.is_empty() {
        page.line(Style::Heading, "Told in the town");
    }
    for sentence in rumours {
        page.line(Style::Plain, &sentence);
    }
    Ok(page)
}

fn commands(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    let rights = actor.rights(turn);
    let mut list = Markup::styled(Style::Heading, "Commands");
    list.line(Style::Plain, "Directions: north, east, south, west, up, down, or their first letters.");
    let knows = |spec: &&CommandSpec| {
        rights.allow(spec.right)
            && match spec.known_to {
                KnownTo::Everybody => true,
                KnownTo::Learners => abilities::known(turn, actor.who, spec.name).is_ok(),
                KnownTo::Staff => permissions::is_staff(turn, actor.account),
            }
    };
    for spec in table().filter(knows) {
        list.line(Style::Command, spec.name);
        list.push(Style::Plain, &format!(": {}", spec.summary));
    }
    Ok(list)
}

fn help(turn: &mut Turn, actor: Actor, about: Option<NameArgument<'_>>) -> Result<Markup, Refusal> {
    let subject = NameArgument::or_nothing(about);
    let aloud = audibility::uses_screen_reader(turn, actor.account);
    let word = subject.to_lowercase();
    let page = match word.as_str() {
        "" => short_list(turn, actor),
        "all" => full_list(turn, actor),
        _ => page_on(turn, actor, subject, aloud)?,
    };
    if matches!(turn.catalog.help.find(&word), HelpLookup::Topic(topic) if topic.key == news::PAGE) {
        news::mark_news_read(turn, actor.account);
    }
    Ok(page)
}

/// Returns the help page for a word: a command, a topic, a social, an affect, a hint for the word, or a prefix.
fn page_on(turn: &Turn, actor: Actor, subject: &str, aloud: bool) -> Result<Markup, Refusal> {
    let (catalog, rights) = (&turn.catalog, actor.rights(turn));
    let word = subject.to_lowercase();
    let meaning = TypedLine::of_word(catalog, rights, &word).meaning();
    if let Meaning::Command(spec) = meaning
        && spec.is_called(&word)
    {
        let mut page = command_page(turn, actor, spec, aloud);
        // If a command and a topic share a name, both are shown.
        if let Some(topic) = catalog.help.topic(&word).and_then(|topic| seen(turn, actor, topic)) {
            page.push(Style::Plain, "\n\n");
            page.append(&topic.page());
        }
        return Ok(page);
    }
    if let Some(topic) = catalog.help.named(&word).and_then(|topic| seen(turn, actor, topic)) {
        return Ok(topic.page());
    }
    if let Meaning::Social(social) = meaning
        && social.is_called(&word)
    {
        return Ok(social_page(social));
    }
    if let Some(affect) = catalog.affects.values().find(|affect| affect.name == word) {
        return Ok(affect_page(affect));
    }
    match (meaning, catalog.help.find(&word)) {
        (Meaning::Hint(hint), _) => Ok(hint.clone()),
        (_, HelpLookup::Topic(topic)) if seen(turn, actor, topic).is_some() => {
            Ok(seen(turn, actor, topic).unwrap_or(topic).page())
        }
        (Meaning::Command(spec), _) => Ok(command_page(turn, actor, spec, aloud)),
        (_, HelpLookup::Several(several)) => {
            let seen = several.iter().filter(|topic| seen(turn, actor, topic).is_some());
            let names = grammar::list(seen.map(|topic| &topic.key));
            Ok(Markup::plain(&format!("Which one do you mean: {names}?")))
        }
        (_, HelpLookup::Nothing | HelpLookup::Topic(_)) => Err(no_help(turn, actor, subject)),
    }
}

/// Returns the help page of an affect.
fn affect_page(affect: &AffectPrototype) -> Markup {
    let mut page = Markup::styled(Style::Heading, &affect.name);
    page.line(Style::Plain, &affect.description);
    let changes = [
        (affect.attack, "attack"),
        (affect.defence, "defence"),
        (affect.max_hp, "hit points at most"),
        (affect.hp_per_round, "hit points each round"),
    ];
    let changes = changes.into_iter().filter(|(by, _)| *by != 0).map(|(by, what)| format!("{by:+} {what}"));
    let holds = affect.holds.then(|| "you cannot leave the room".to_owned());
    let stuns = affect.stuns.then(|| "you strike no blows".to_owned());
    let all: Vec<String> = changes.chain(holds).chain(stuns).collect();
    if !all.is_empty() {
        page.line(Style::Plain, &format!("As long as it lasts: {}.", all.join(", ")));
    }
    page.line(Style::Plain, "See also: ");
    page.push(Style::Command, "help affects");
    page
}

/// Returns the help page of a social, with examples.
fn social_page(social: &Social) -> Markup {
    let mut page = Markup::styled(Style::Heading, &social.word);
    page.line(Style::Plain, "A social: something that you are seen doing. ");
    page.push(Style::Command, "help socials");
    page.push(Style::Plain, " tells how they are used.");
    let (you, friend) = (NamedParticipant::player("").seen_by_self(true), NamedParticipant::player("Bera"));
    for (behind, template) in [("", &social.alone), (" bera", &social.at), (" me", &social.oneself)] {
        page.line(Style::Command, &format!("{}{behind}", social.word));
        page.push(Style::Plain, ": ");
        page.append(&template.render(&Scene::of(you).target(friend)));
    }
    if !social.aliases.is_empty() {
        page.line(Style::Plain, &format!("Also: {}", social.aliases.join(", ")));
    }
    page
}

/// Returns the refusal for an unknown topic, with the nearest command by spelling and related topics by content.
fn no_help(turn: &Turn, actor: Actor, subject: &str) -> Refusal {
    let rights = actor.rights(turn);
    let (word, help) = (subject.to_lowercase(), &turn.catalog.help);
    let mut near: Vec<(&str, &str)> = Vec::new();
    if let Some(spec) = suggestion::nearest_command(rights, &word) {
        near.push((spec.name, spec.summary));
    }
    let hinted = suggestion::hinted(&turn.catalog, &word).into_iter().filter_map(|key| help.topic(key));
    let named = suggestion::named_after(&turn.catalog, &word).into_iter().filter_map(|key| help.topic(key));
    let found = named.chain(hinted).chain(help.near(&word, NEAR_MOST));
    for topic in found.filter(|topic| seen(turn, actor, topic).is_some()) {
        if near.len() < NEAR_MOST && near.iter().all(|(name, _)| *name != topic.key) {
            near.push((&topic.key, &topic.title));
        }
    }
    if near.is_empty() {
        return no_page(subject);
    }
    let mut answer = Markup::plain(&format!("There is no help on \"{subject}\". Nearest to it:"));
    for (name, about) in near {
        answer.push(Style::Plain, "\n");
        answer.push(Style::Command, &format!("help {name}"));
        answer.push(Style::Plain, &format!(": {about}"));
    }
    Refusal::Hint(answer)
}

/// Returns the topics of a group, in key order.
fn topics_of(turn: &Turn, actor: Actor, group: HelpGroup) -> impl Iterator<Item = &HelpTopic> {
    let topics = turn.catalog.help.topics().filter(move |topic| topic.group == group);
    topics.filter(move |topic| seen(turn, actor, topic).is_some())
}

/// Returns a topic as a player sees it: in a draft, the version there. `None` for a topic that another draft has made.
fn seen<'t>(turn: &'t Turn, actor: Actor, topic: &'t HelpTopic) -> Option<&'t HelpTopic> {
    let (room, kind) = (turn.world.characters[actor.who].room, DefinitionKind::Help);
    let made_in = turn.world.definitions.find(kind, &topic.key).and_then(|row| row.draft.as_ref());
    if made_in.is_some_and(|draft| draft_names::draft_at(turn, room) != Some(draft.zone.as_str())) {
        return None;
    }
    turn.catalog.help.topic(&draft_names::key_at(turn, room, kind, &topic.key)).or(Some(topic))
}

/// Lists the topic words, one line per group.
fn short_list(turn: &Turn, actor: Actor) -> Markup {
    let mut list = Markup::styled(Style::Heading, "Help");
    list.line(Style::Plain, "Type ");
    list.push(Style::Command, "help");
    list.push(Style::Plain, " and one of these words, or the name of a command.");
    for group in HelpGroup::ALL {
        let keys: Vec<&str> = topics_of(turn, actor, group).map(|topic| topic.key.as_str()).collect();
        if !keys.is_empty() {
            list.line(Style::Heading, group.title());
            list.push(Style::Plain, &format!(": {}", keys.join(", ")));
        }
    }
    list.line(Style::Command, "help all");
    list.push(Style::Plain, " tells what each is about, ");
    list.push(Style::Command, "commands");
    list.push(Style::Plain, " and ");
    list.push(Style::Command, "socials");
    list.push(Style::Plain, " list what can be typed.");
    list
}

/// Lists all topics with their titles, by group.
fn full_list(turn: &Turn, actor: Actor) -> Markup {
    let mut list = Markup::styled(Style::Heading, "All pages of help");
    for group in HelpGroup::ALL {
        for (at, topic) in topics_of(turn, actor, group).enumerate() {
            if at == 0 {
                list.push(Style::Plain, "\n");
                list.line(Style::Heading, group.title());
            }
            list.line(Style::Command, &format!("help {}", topic.key));
            list.push(Style::Plain, &format!(": {}", topic.title));
        }
    }
    list
}

/// Returns the help page of one command. Screen readers get the syntax without brackets and bars.
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
        let sentence = match abilities::known(turn, actor.who, spec.name) {
            Ok(_) => {
                format!("You have learnt it; it is {}.", abilities::readiness(turn, actor.who, spec.name))
            }
            Err(_) => format!(
                "A new level may offer it, sooner to those who have {}. See help abilities.",
                ability.earned_by
            ),
        };
        page.line(Style::Plain, &sentence);
    }
    page
}

/// Spells out a syntax: "look [THING or DIRECTION]" as "look, and if you like THING or DIRECTION".
fn spoken(syntax: &str) -> String {
    let spelt = syntax.replace(" | ", " or ").replace('|', " or ");
    let spelt = spelt.replace(" [", ", and if you like ").replace(['[', '{', '}'], "");
    spelt.replace("] ", ", ").replace(']', "")
}

/// Returns the refusal of a word without a page of help.
fn no_page(word: &str) -> Refusal {
    refuse!("There is no help on \"{word}\", and nothing that comes near. Type help for the topics.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_is_spelt_out_for_screen_readers() {
        for (written, spelt) in [
            ("look [THING or DIRECTION]", "look, and if you like THING or DIRECTION"),
            ("buy [NUMBER] THING", "buy, and if you like NUMBER, THING"),
            ("prompt [full | brief | off]", "prompt, and if you like full or brief or off"),
            ("channel [NAME on|off]", "channel, and if you like NAME on or off"),
        ] {
            assert_eq!(spoken(written), spelt);
        }
        for spec in table() {
            assert!(!spoken(syntax_of(spec)).contains(['[', ']', '|']), "{}", spec.name);
        }
    }
}
