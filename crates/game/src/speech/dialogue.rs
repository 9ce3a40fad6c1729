//! Dialogues in play. A conversation belongs to one player; any number of players may talk with the same creature. It ends
//! when the player leaves the room, begins to fight or loses the link, and after a node without answers.

use crate::character::variables::Subjects;
use crate::creature::script::{conditions, hooks, run, scene};
use crate::effect::Class;
use crate::effect::data::{Data, DialogueChoice, DialogueNode, Package};
use crate::message::{naming, tell};
use crate::quest;
use crate::quest::QuestDeed;
use crate::refusal::{Refusal, refuse};
use crate::speech::townsfolk;
use crate::state::talks::{Partner, Talk};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::script::Script;
use deepwell_core::catalog::{CreatureEvent, Dialogue};
use deepwell_core::text::{Markup, Style, grammar, sanitise};
use std::sync::Arc;

/// Line at the first answers of a conversation.
const HINT: &str = "Type the number of an answer, or walk away.";

/// Returns the creature in the room of a player that a name means and that talks; an empty name matches any.
pub(crate) fn talker_here(turn: &Turn, who: CharacterId, name: &str) -> Option<CharacterId> {
    let room = turn.world.characters[who].room;
    let is_called = |creature: &CharacterId| {
        let name = name.to_lowercase();
        let body = &turn.world.characters[*creature];
        let full = body.name.to_lowercase();
        name.is_empty() || full == name || full.split(' ').any(|word| word == name)
    };
    let talks = |creature: &CharacterId| {
        dialogue_of(turn, *creature).is_some()
            || hooks::has_trigger(turn, *creature, |on| matches!(on, CreatureEvent::Ask(_)))
    };
    let creatures = turn.world.occupants(room).iter().copied();
    let mut creatures = creatures.filter(|creature| !turn.world.characters[*creature].is_player());
    creatures.find(|creature| talks(creature) && is_called(creature))
}

/// Returns the dialogue of a creature, by key.
fn dialogue_of(turn: &Turn, creature: CharacterId) -> Option<String> {
    prototypes::creature_prototype(turn, creature).and_then(|prototype| prototype.dialogue.clone())
}

/// Talks to a creature or a townsperson: begins their dialogue, or tells their greeting.
pub(crate) fn talk(turn: &mut Turn, who: CharacterId, name: &str) -> Result<(), Refusal> {
    if let Some(creature) = talker_here(turn, who, name) {
        let key = dialogue_of(turn, creature).ok_or_else(|| {
            refuse!("{} only answers questions: ask NAME about WORD.", naming::name_of(turn, creature).text())
        })?;
        return begin(turn, who, Partner::Creature(creature), &key, None);
    }
    let room = turn.world.characters[who].room;
    if let Some(key) = townsfolk::folk_here(turn, room, name).and_then(|folk| folk.dialogue.clone()) {
        return begin(turn, who, Partner::Folk(room), &key, None);
    }
    let answer = townsfolk::ask(turn, who, name, None)?;
    tell::tell(turn, who, Class::Reply, answer);
    Ok(())
}

/// Asks a creature or a townsperson about something.
pub(crate) fn ask(turn: &mut Turn, who: CharacterId, name: &str, about: &str) -> Result<(), Refusal> {
    let about = about.trim_end_matches(['?', '.', '!']);
    if let Some(creature) = talker_here(turn, who, name) {
        turn.require_writable()?;
        let heard = hooks::Heard::of(about);
        let is_asked =
            |on: &CreatureEvent| matches!(on, CreatureEvent::Ask(phrases) if heard.has_phrase(phrases));
        if hooks::run_creature_triggers(turn, creature, Some(who), about, is_asked) {
            return Ok(());
        }
        let name = naming::name_of(turn, creature).text().to_owned();
        let key = dialogue_of(turn, creature);
        let node = key.as_ref().and_then(|key| topic(turn, key, about));
        return match (key, node) {
            (Some(key), Some(node)) => begin(turn, who, Partner::Creature(creature), &key, Some(node)),
            _ => Err(refuse!("{name} knows nothing about {about}.")),
        };
    }
    let room = turn.world.characters[who].room;
    let key = townsfolk::folk_here(turn, room, name).and_then(|folk| folk.dialogue.clone());
    if let Some((key, node)) = key.and_then(|key| topic(turn, &key, about).map(|node| (key, node))) {
        return begin(turn, who, Partner::Folk(room), &key, Some(node));
    }
    let answer = townsfolk::ask(turn, who, name, Some(about))?;
    tell::tell(turn, who, Class::Reply, answer);
    Ok(())
}

/// Returns the node of a dialogue for a question.
fn topic(turn: &Turn, key: &str, about: &str) -> Option<String> {
    let topics = &turn.catalog.dialogues.get(key)?.topics;
    let heard = hooks::Heard::of(about);
    let found = topics.iter().find(|topic| heard.has_phrase(&topic.words))?;
    Some(found.to.1.clone())
}

/// Begins a conversation at a node, or else where the dialogue begins for the player.
pub(crate) fn begin(
    turn: &mut Turn,
    who: CharacterId,
    partner: Partner,
    key: &str,
    node: Option<String>,
) -> Result<(), Refusal> {
    if partner != Partner::Trial {
        turn.require_writable()?;
    }
    let body = &turn.world.characters[who];
    if body.target.is_some() {
        return Err(refuse!("You are fighting."));
    }
    let catalog = Arc::clone(&turn.catalog);
    let Some(dialogue) = catalog.dialogues.get(key) else { return Err(townsfolk::no_answer()) };
    let name = name_of(turn, partner).unwrap_or_else(|| "Somebody".to_owned());
    let subjects = subjects(turn, who, partner);
    let node = node.or_else(|| {
        let mut starts = dialogue.starts.iter();
        let start = starts.find(|start| {
            start.only_if.as_ref().is_none_or(|condition| conditions::holds(turn, condition, subjects))
        });
        start.map(|start| start.to.1.clone()).or_else(|| Some(dialogue.nodes.first()?.key.clone()))
    });
    let is_new = turn.talks.of(who).is_none_or(|talk| talk.partner != partner);
    if is_new && partner != Partner::Trial {
        tell::tell_others(turn, who, Class::Notice, &format!(" talks with {}.", uncapitalised(&name)));
    }
    if partner != Partner::Trial {
        quest::note(turn, who, QuestDeed::Talked(key));
    }
    let talk = Talk { partner, name, dialogue: key.to_owned(), node: String::new(), choices: Vec::new() };
    turn.talks.set(who, talk);
    enter(turn, who, dialogue, &node.unwrap_or_default(), is_new);
    Ok(())
}

/// Returns a name as it stands within a sentence.
fn uncapitalised(name: &str) -> String {
    name.strip_prefix("The ").map_or_else(|| name.to_owned(), |rest| format!("the {rest}"))
}

/// Returns the name of a partner at the beginning of a sentence; `None` if the partner has gone.
fn name_of(turn: &Turn, partner: Partner) -> Option<String> {
    match partner {
        Partner::Creature(creature) => {
            turn.world.characters.get(creature).map(|_| naming::name_of(turn, creature).text().to_owned())
        }
        Partner::Folk(room) => {
            let folk = townsfolk::folk_here(turn, room, "")?;
            Some(grammar::capitalise(&folk.name).into_owned())
        }
        Partner::Trial => None,
    }
}

fn subjects(turn: &Turn, who: CharacterId, partner: Partner) -> Subjects {
    let room = turn.world.characters[who].room;
    let creature = if let Partner::Creature(creature) = partner { Some(creature) } else { None };
    Subjects { room, creature, item: None, target: Some(who) }
}

/// Runs lines of a dialogue. In a trial they are told instead.
fn run(turn: &mut Turn, who: CharacterId, partner: Partner, script: &Script) {
    if partner == Partner::Trial && !script.is_empty() {
        let mut page = Markup::plain("These lines would run, and do not in a test:");
        script.lines().iter().for_each(|line| page.line(Style::Command, &line.to_string()));
        tell::tell(turn, who, Class::Reply, page);
    } else if !script.is_empty() {
        let subjects = subjects(turn, who, partner);
        run::run_about(turn, script, subjects);
    }
}

/// Says a node and offers its answers. A node without answers ends the conversation.
fn enter(turn: &mut Turn, who: CharacterId, dialogue: &Dialogue, key: &str, is_first: bool) {
    let Some((talk, node)) = turn.talks.of(who).cloned().zip(dialogue.node(key)) else {
        return end(turn, who);
    };
    let partner = talk.partner;
    let subjects = subjects(turn, who, partner);
    let text = scene::filled_about(turn, &node.text, subjects);
    let line = Markup::styled(Style::Creature, &talk.name).and(" says: ").with(Style::Speech, &text);
    tell::tell(turn, who, Class::Reply, line);
    run(turn, who, partner, &node.lines);
    // The lines may have moved the player or begun a fight.
    if turn.talks.of(who) != Some(&talk) {
        return;
    }
    let mut choices = Vec::new();
    for (at, choice) in node.choices.iter().enumerate() {
        if choice.only_if.as_ref().is_none_or(|condition| conditions::holds(turn, condition, subjects)) {
            choices.push((at, scene::filled_about(turn, &choice.text, subjects)));
        }
    }
    if choices.is_empty() {
        show(turn, who, DialogueNode { name: talk.name.clone(), text, choices: Vec::new() });
        turn.talks.end(who);
        return;
    }
    let mut page = Markup::new();
    for (number, (_, text)) in (1..).zip(&choices) {
        page.line(Style::Command, &number.to_string());
        page.push(Style::Plain, &format!(". {text}"));
    }
    if is_first {
        page.line(Style::Plain, HINT);
    }
    tell::tell(turn, who, Class::Reply, page);
    let offered = (1..).zip(&choices).map(|(number, (_, text))| DialogueChoice {
        number,
        text: text.clone(),
        command: number.to_string(),
    });
    show(turn, who, DialogueNode { name: talk.name.clone(), text, choices: offered.collect() });
    turn.talks.set(who, Talk { node: key.to_owned(), choices, ..talk });
}

/// Sends the state of the conversation to the client.
fn show(turn: &mut Turn, who: CharacterId, node: DialogueNode) {
    if let Some(session) = turn.seated.get(&who).copied()
        && turn.wants(session, Package::Character)
    {
        turn.outbox.data(session, Data::Dialogue(Box::new(node)));
    }
}

/// Returns the answer that a typed line means: its number from 1, as in `2` or `2.`, or its words.
pub(crate) fn choice_meant(turn: &Turn, who: CharacterId, line: &str) -> Option<usize> {
    let choices = &turn.talks.of(who)?.choices;
    let digits = line.trim().trim_end_matches(['.', ')']);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|number| is_number && (1..=choices.len()).contains(number));
    // A number with a sign is no answer in words either.
    let typed = sanitise::plain_words(line);
    let has_words = typed.contains(char::is_alphabetic);
    let worded = || choices.iter().position(|(_, text)| has_words && sanitise::plain_words(text) == typed);
    number.or_else(|| worded().map(|at| at + 1))
}

/// Gives an answer, by its number from 1.
pub(crate) fn choose(turn: &mut Turn, who: CharacterId, number: usize) -> Result<(), Refusal> {
    turn.require_writable()?;
    let catalog = Arc::clone(&turn.catalog);
    let Some(talk) = turn.talks.of(who).cloned() else { return Err(refuse!("You are talking with nobody.")) };
    let room = turn.world.characters[who].room;
    let is_here = match talk.partner {
        Partner::Creature(creature) => {
            turn.world.characters.get(creature).is_some_and(|body| body.room == room)
        }
        Partner::Folk(at) => at == room,
        Partner::Trial => true,
    };
    let dialogue = catalog.dialogues.get(&talk.dialogue);
    let node = dialogue.and_then(|dialogue| dialogue.node(&talk.node));
    let choice = number.checked_sub(1).and_then(|at| talk.choices.get(at));
    // The content may have been reloaded since.
    let meant = choice.and_then(|(at, text)| Some((node?.choices.get(*at)?, text)));
    let (Some(dialogue), Some((choice, text)), true) = (dialogue, meant, is_here) else {
        end(turn, who);
        return Err(refuse!("You and {} have nothing more to say to each other just now.", talk.name));
    };
    let own = Markup::plain("You say: ").with(Style::Speech, text);
    tell::tell(turn, who, Class::Reply, own);
    run(turn, who, talk.partner, &choice.lines);
    if turn.talks.of(who) != Some(&talk) {
        return Ok(());
    }
    match &choice.to {
        Some((_, to)) => enter(turn, who, dialogue, to, false),
        None => end(turn, who),
    }
    Ok(())
}

/// Ends the conversation of a player, if there is one.
pub(crate) fn end(turn: &mut Turn, who: CharacterId) {
    if turn.talks.end(who).is_some() {
        show(turn, who, DialogueNode::default());
    }
}
