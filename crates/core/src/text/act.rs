//! Sentences about an action, rendered from the perspective of the actor, the target or an onlooker.
//!
//! A [`Template`] is checked when it is compiled, so rendering cannot fail. The caller decides which viewers perceive
//! an action, and under which name they know each participant.
//!
//! | in a template | Olad reads | others read |
//! |---|---|---|
//! | `{actor}`, `{target}`, `{object}` | you | Olad |
//! | `{actor's}` | your | Olad's |
//! | `{actor.they}` `.them` `.their` `.theirs` `.themself` | you, your .. | they, their, it, its .. |
//! | `{hits\|hit}`, `{target:falls\|fall}` | hit | hits; hit after *they* |
//!
//! Names and pronouns at the start of a sentence are capitalised.

use super::{Markup, Style, grammar};
use std::borrow::Cow;

/// Checked template. Declare built-in templates as `const`, so that a mistake is a compile error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Template(Cow<'static, str>);

/// Mistake in a template read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplateMistake {
    /// Unbalanced brace.
    Unpaired,
    /// Unknown placeholder, with the text between the braces.
    Unknown(String),
}

/// Pronouns of a participant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pronouns {
    /// they, them, their: players.
    #[default]
    They,
    /// it, its: creatures and items.
    It,
}

/// Participant of a scene, as known to one viewer.
#[derive(Clone, Copy, Debug)]
pub struct NamedParticipant<'a> {
    /// Name with its article, if it has one: `Olad`, `a goblin`, `someone`.
    pub name: &'a str,
    /// Style of the name.
    pub style: Style,
    /// Pronouns.
    pub pronouns: Pronouns,
    /// Set if the participant is the viewer.
    pub is_viewer: bool,
}

impl<'a> NamedParticipant<'a> {
    /// Creates a player character.
    pub const fn player(name: &'a str) -> Self {
        Self { name, style: Style::Player, pronouns: Pronouns::They, is_viewer: false }
    }

    /// Creates a creature.
    pub const fn creature(name: &'a str) -> Self {
        Self { name, style: Style::Creature, pronouns: Pronouns::It, is_viewer: false }
    }

    /// Creates an item.
    pub const fn item(name: &'a str) -> Self {
        Self { name, style: Style::Item, pronouns: Pronouns::It, is_viewer: false }
    }

    /// Sets whether the participant is the viewer.
    #[must_use]
    pub const fn seen_by_self(mut self, is_viewer: bool) -> Self {
        self.is_viewer = is_viewer;
        self
    }
}

/// Participants of one sentence.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    actor: NamedParticipant<'a>,
    target: NamedParticipant<'a>,
    object: NamedParticipant<'a>,
}

impl<'a> Scene<'a> {
    /// Creates a scene with an actor. A target or object that the template uses but the scene lacks is shown as
    /// `someone` or `something`.
    pub const fn of(actor: NamedParticipant<'a>) -> Self {
        let target = NamedParticipant { style: Style::Plain, ..NamedParticipant::player("someone") };
        let object = NamedParticipant { style: Style::Plain, ..NamedParticipant::item("something") };
        Self { actor, target, object }
    }

    /// Sets the target.
    #[must_use]
    pub const fn target(mut self, target: NamedParticipant<'a>) -> Self {
        self.target = target;
        self
    }

    /// Sets the object.
    #[must_use]
    pub const fn object(mut self, object: NamedParticipant<'a>) -> Self {
        self.object = object;
        self
    }

    const fn role(&self, role: ParticipantRole) -> &NamedParticipant<'a> {
        match role {
            ParticipantRole::Actor => &self.actor,
            ParticipantRole::Target => &self.target,
            ParticipantRole::Object => &self.object,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ParticipantRole {
    Actor,
    Target,
    Object,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PronounForm {
    Name,
    Owner,
    They,
    Them,
    Their,
    Theirs,
    Themself,
}

/// Parsed placeholder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Placeholder {
    Who(ParticipantRole, PronounForm),
    /// Two verb forms: start of the first form and position of the bar, as byte offsets.
    Verb(ParticipantRole, usize, usize),
}

impl Template {
    /// Creates a template.
    ///
    /// # Panics
    /// On an unknown placeholder or an unbalanced brace; in a `const` that is a compile error.
    pub const fn new(source: &'static str) -> Self {
        assert!(is_valid(source.as_bytes()), "the template has a placeholder that is not known");
        Self(Cow::Borrowed(source))
    }

    /// Parses a template from a file.
    ///
    /// # Errors
    /// The first unknown placeholder, or an unbalanced brace.
    pub fn parse(source: &str) -> Result<Self, TemplateMistake> {
        let mut rest = source;
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, after) = after.split_once('}').ok_or(TemplateMistake::Unpaired)?;
            if before.contains('}') || inside.contains('{') {
                return Err(TemplateMistake::Unpaired);
            }
            if placeholder(inside.as_bytes()).is_none() {
                return Err(TemplateMistake::Unknown(inside.to_owned()));
            }
            rest = after;
        }
        if rest.contains('}') { Err(TemplateMistake::Unpaired) } else { Ok(Self(source.to_owned().into())) }
    }

    /// Returns `true` if the template uses a role: `actor`, `target` or `object`.
    pub fn names(&self, role: &str) -> bool {
        self.0.split('{').skip(1).any(|rest| {
            let named = rest.strip_prefix(role);
            named.is_some_and(|rest| rest.starts_with(['}', '\'', '.', ':']))
        })
    }

    /// Returns the sentence as the viewer of this scene reads it.
    pub fn render(&self, scene: &Scene<'_>) -> Markup {
        let mut sentence = Markup::new();
        // Per role: set if the last mention takes a plural verb, as "they" does.
        let mut several = [false; 3];
        let mut rest: &str = &self.0;
        while let Some((before, after)) = rest.split_once('{') {
            sentence.push(Style::Plain, before);
            let Some((inside, after)) = after.split_once('}') else { break };
            match placeholder(inside.as_bytes()) {
                Some(Placeholder::Who(role, form)) => {
                    let who = scene.role(role);
                    if matches!(form, PronounForm::Name | PronounForm::They) {
                        let they = form == PronounForm::They && who.pronouns == Pronouns::They;
                        several[role as usize] = who.is_viewer || they;
                    }
                    push_word(&mut sentence, who, form);
                }
                Some(Placeholder::Verb(role, from, bar)) => {
                    let agrees = several[role as usize] || scene.role(role).is_viewer;
                    sentence.push(Style::Plain, if agrees { &inside[bar + 1..] } else { &inside[from..bar] });
                }
                None => {}
            }
            rest = after;
        }
        sentence.push(Style::Plain, rest);
        sentence
    }
}

/// Appends the word for a participant, capitalised at the start of a sentence.
fn push_word(sentence: &mut Markup, who: &NamedParticipant<'_>, form: PronounForm) {
    let (style, word) = match (form, who.is_viewer) {
        (PronounForm::Name | PronounForm::Owner, false) => (who.style, who.name),
        (PronounForm::Name | PronounForm::They | PronounForm::Them, true) => (Style::Plain, "you"),
        (PronounForm::Owner | PronounForm::Their, true) => (Style::Plain, "your"),
        (PronounForm::Theirs, true) => (Style::Plain, "yours"),
        (PronounForm::Themself, true) => (Style::Plain, "yourself"),
        (_, false) => (Style::Plain, pronoun(form, who.pronouns)),
    };
    if begins_sentence(sentence.text()) {
        sentence.push(style, &grammar::capitalise(word));
    } else {
        sentence.push(style, word);
    }
    if form == PronounForm::Owner && !who.is_viewer {
        sentence.push(Style::Plain, "'s");
    }
}

const fn pronoun(form: PronounForm, pronouns: Pronouns) -> &'static str {
    match (form, pronouns) {
        (PronounForm::Them, Pronouns::They) => "them",
        (PronounForm::Their | PronounForm::Owner, Pronouns::They) => "their",
        (PronounForm::Theirs, Pronouns::They) => "theirs",
        (PronounForm::Themself, Pronouns::They) => "themself",
        (PronounForm::They | PronounForm::Name, Pronouns::They) => "they",
        (PronounForm::Their | PronounForm::Theirs | PronounForm::Owner, Pronouns::It) => "its",
        (PronounForm::Themself, Pronouns::It) => "itself",
        (PronounForm::They | PronounForm::Them | PronounForm::Name, Pronouns::It) => "it",
    }
}

fn begins_sentence(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '"', '(']);
    before.is_empty() || before.ends_with(['.', '!', '?', '\n'])
}

// The functions below run at compile time for `Template::new`, so they walk bytes.

const fn is_valid(source: &[u8]) -> bool {
    let mut at = 0;
    while at < source.len() {
        match source[at] {
            b'}' => return false,
            b'{' => {
                let mut end = at + 1;
                while end < source.len() && source[end] != b'}' {
                    end += 1;
                }
                if end == source.len() || placeholder(part(source, at + 1, end)).is_none() {
                    return false;
                }
                at = end + 1;
            }
            _ => at += 1,
        }
    }
    true
}

const fn placeholder(inside: &[u8]) -> Option<Placeholder> {
    let (role, named) = match inside {
        [b'a', b'c', b't', b'o', b'r', ..] => (ParticipantRole::Actor, 5),
        [b't', b'a', b'r', b'g', b'e', b't', ..] => (ParticipantRole::Target, 6),
        [b'o', b'b', b'j', b'e', b'c', b't', ..] => (ParticipantRole::Object, 6),
        _ => return verb(ParticipantRole::Actor, inside, 0),
    };
    let form = match part(inside, named, inside.len()) {
        b"" => PronounForm::Name,
        b"'s" => PronounForm::Owner,
        b".they" => PronounForm::They,
        b".them" => PronounForm::Them,
        b".their" => PronounForm::Their,
        b".theirs" => PronounForm::Theirs,
        b".themself" => PronounForm::Themself,
        [b':', ..] => return verb(role, inside, named + 1),
        // A verb that only starts like a role: `{targets|target}`.
        _ => return verb(ParticipantRole::Actor, inside, 0),
    };
    Some(Placeholder::Who(role, form))
}

/// Parses two verb forms of letters and spaces, separated by one bar.
const fn verb(role: ParticipantRole, inside: &[u8], from: usize) -> Option<Placeholder> {
    let mut bar = None;
    let mut at = from;
    while at < inside.len() {
        match (inside[at], bar) {
            (b'|', None) if at > from && at + 1 < inside.len() => bar = Some(at),
            (b'a'..=b'z' | b'A'..=b'Z' | b' ' | b'\'' | b'-', _) => {}
            _ => return None,
        }
        at += 1;
    }
    match bar {
        Some(bar) => Some(Placeholder::Verb(role, from, bar)),
        None => None,
    }
}

const fn part(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    bytes.split_at(to).0.split_at(from).1
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLAD: NamedParticipant<'_> = NamedParticipant::player("Olad");
    const TESS: NamedParticipant<'_> = NamedParticipant::player("Tess");
    const GOBLIN: NamedParticipant<'_> = NamedParticipant::creature("a goblin");
    const CLUB: NamedParticipant<'_> = NamedParticipant::item("a club");

    /// Returns the sentence as read by actor, target and onlooker.
    fn views(template: &Template, actor: NamedParticipant<'_>, target: NamedParticipant<'_>) -> [String; 3] {
        [(true, false), (false, true), (false, false)].map(|(by_actor, by_target)| {
            let scene =
                Scene::of(actor.seen_by_self(by_actor)).target(target.seen_by_self(by_target)).object(CLUB);
            template.render(&scene).text().to_owned()
        })
    }

    #[test]
    fn each_viewer_gets_their_own_sentence() {
        const HIT: Template = Template::new("{actor} {hits|hit} {target} with {object}.");
        assert_eq!(
            views(&HIT, GOBLIN, OLAD),
            [
                "You hit Olad with a club.",
                "A goblin hits you with a club.",
                "A goblin hits Olad with a club."
            ]
        );
    }

    #[test]
    fn possessives_and_pronouns_agree() {
        const PARRY: Template = Template::new(
            "{actor} {raises|raise} {actor.their} shield. {target's} blow glances off {actor.them}, and {target.they} {target:stumbles|stumble}.",
        );
        assert_eq!(
            views(&PARRY, OLAD, TESS),
            [
                "You raise your shield. Tess's blow glances off you, and they stumble.",
                "Olad raises their shield. Your blow glances off them, and you stumble.",
                "Olad raises their shield. Tess's blow glances off them, and they stumble.",
            ]
        );
        assert_eq!(
            views(&PARRY, GOBLIN, GOBLIN)[2],
            "A goblin raises its shield. A goblin's blow glances off it, and it stumbles."
        );
    }

    #[test]
    fn verb_agrees_with_last_mention_of_its_subject() {
        const REST: Template = Template::new(
            "{actor} {sits|sit} down; {actor.they} {rests|rest} by {actor.themself}. {actor} {wakes|wake}.",
        );
        assert_eq!(
            views(&REST, OLAD, TESS),
            [
                "You sit down; you rest by yourself. You wake.",
                "Olad sits down; they rest by themself. Olad wakes.",
                "Olad sits down; they rest by themself. Olad wakes.",
            ]
        );
    }

    /// Text written by players is inserted verbatim.
    #[test]
    fn t2_names_are_inserted_verbatim() {
        const SAY: Template = Template::new("{actor} {calls|call} out to \"{target}\".");
        let sentence = SAY.render(&Scene::of(OLAD).target(NamedParticipant::item("{actor} dies. a")));
        assert_eq!(sentence.text(), "Olad calls out to \"{actor} dies. a\".");
        let runs: Vec<_> = sentence.runs().map(|(style, _)| style).collect();
        assert_eq!(runs, [Style::Player, Style::Plain, Style::Item, Style::Plain]);
    }

    #[test]
    fn missing_participant_is_someone() {
        const GIVE: Template = Template::new("{target} {target:takes|take} {object}.");
        assert_eq!(GIVE.render(&Scene::of(OLAD)).text(), "Someone takes something.");
    }

    #[test]
    fn invalid_templates_are_rejected() {
        for template in [
            "{actr}", "{actor", "actor}", "{actor.his}", "{hits|}", "{|hit}", "{a|b|c}", "{}",
            "{target:hit}", "{{}",
        ] {
            assert!(!is_valid(template.as_bytes()), "{template}");
        }
        assert!(is_valid(b"{targets|target} {object.theirs} {is not|are not}"));
        let mistake = |source| Template::parse(source).expect_err("a mistake");
        assert_eq!(mistake("{actor} {actr.their}"), TemplateMistake::Unknown("actr.their".into()));
        for unpaired in ["{actor", "actor}", "{actor} }", "{actor {target}}"] {
            assert_eq!(mistake(unpaired), TemplateMistake::Unpaired, "{unpaired}");
        }
        let poke = Template::parse("{actor} {pokes|poke} {target's} arm.").unwrap();
        assert_eq!(["actor", "target", "object"].map(|role| poke.names(role)), [true, true, false]);
    }
}
