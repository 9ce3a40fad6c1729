//! Output to players: selection of recipients, and actions rendered for each viewer in a room.

use crate::effect::data::{Data, Package};
use crate::effect::{Class, CloseReason, Effect};
use crate::message::naming;
use crate::refusal::Refusal;
use crate::state::LimitedMessage;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId, RuleLimit, SessionId};
use deepwell_core::text::act::{NamedParticipant, Scene, Template};
use deepwell_core::text::{Markup, Style};
use std::sync::Arc;

/// Spoken message for several recipients: text, and data for clients with a chat window.
pub(crate) struct SpokenMessage {
    class: Class,
    line: Arc<Markup>,
    data: Option<Arc<Data>>,
}

/// Sends text to a character, if a player is connected to it. In the web builder the text is collected for the
/// response.
pub(crate) fn tell(turn: &mut Turn, who: CharacterId, class: Class, text: impl Into<Markup>) {
    if let Some(web_builder) = turn.web_builder.as_mut().filter(|web_builder| web_builder.who == who) {
        web_builder.heard.push(text.into().text().to_owned());
    } else if let Some(session) = turn.seated.get(&who) {
        turn.outbox.text(*session, class, &Arc::new(text.into()));
    }
}

/// Tells a character why the rules refuse, and counts a limit that is reached.
pub(crate) fn refuse(turn: &mut Turn, who: CharacterId, refusal: &Refusal) {
    turn.outbox.count_refusal(refusal);
    tell(turn, who, Class::Refusal, refusal.markup());
}

/// Sends text to all characters in a room except some.
pub(crate) fn tell_room(
    turn: &mut Turn,
    room: RoomId,
    except: &[CharacterId],
    class: Class,
    text: impl Into<Markup>,
) {
    let text = Arc::new(text.into());
    for who in turn.world.occupants(room) {
        if !except.contains(who)
            && let Some(session) = turn.seated.get(who)
        {
            turn.outbox.text(*session, class, &text);
        }
    }
}

/// Sends the other occupants of a room a line about a character: its name, followed by `does`.
pub(crate) fn tell_others(turn: &mut Turn, who: CharacterId, class: Class, does: &str) {
    let (room, line) = (turn.world.characters[who].room, naming::name_of(turn, who).and(does));
    tell_about(turn, who, room, &[who], class, line);
}

/// Sends a room a line about a character, subject to the line budget of the player. Characters who ignore the player do
/// not receive it.
pub(crate) fn tell_about(
    turn: &mut Turn,
    who: CharacterId,
    room: RoomId,
    except: &[CharacterId],
    class: Class,
    text: impl Into<Markup>,
) {
    if !may_tell(turn, who, room, class) {
        return;
    }
    let ignoring = turn.world.occupants(room).iter().copied();
    let mut except: Vec<CharacterId> =
        ignoring.filter(|other| turn.world.is_ignoring(*other, who)).chain(except.iter().copied()).collect();
    except.sort_unstable();
    except.dedup();
    tell_room(turn, room, &except, class, text);
}

/// Returns `true` if a room may receive a line about a character. Fights and creatures have no budget.
fn may_tell(turn: &mut Turn, who: CharacterId, room: RoomId, class: Class) -> bool {
    if class == Class::Combat || !turn.world.characters[who].is_player() || !has_audience(turn, room) {
        return true;
    }
    let deed = if class == Class::Movement { LimitedMessage::Passage } else { LimitedMessage::Act };
    let is_allowed = turn.player_limits.charge_message(who, room, deed, turn.now);
    if !is_allowed {
        turn.outbox.count_limit(RuleLimit::DeedLines);
    }
    is_allowed
}

/// Creates a spoken message; `channel` is as in `Comm.Channel.Text`.
pub(crate) fn spoken_message(
    turn: &Turn,
    class: Class,
    channel: &str,
    talker: &str,
    line: Markup,
) -> SpokenMessage {
    let data = turn.wanted.contains(&Package::Channels).then(|| {
        let (channel, talker, text) = (channel.to_owned(), talker.to_owned(), line.text().to_owned());
        Arc::new(Data::ChannelText { channel, talker, text })
    });
    SpokenMessage { class, line: Arc::new(line), data }
}

/// Sends a spoken message to a character, if a player is connected to it.
pub(crate) fn send_spoken(turn: &mut Turn, who: CharacterId, message: &SpokenMessage) {
    let Some(session) = turn.seated.get(&who).copied() else { return };
    turn.outbox.text(session, message.class, &message.line);
    if let Some(data) = &message.data
        && turn.wants(session, Package::Channels)
    {
        turn.outbox.share(session, data);
    }
}

/// Shows an action to the actor's room, rendered for each viewer.
pub(crate) fn act(
    turn: &mut Turn,
    class: Class,
    template: &Template,
    actor: CharacterId,
    target: Option<CharacterId>,
    object: &str,
) {
    let room = turn.world.characters[actor].room;
    if !has_audience(turn, room) {
        return;
    }
    let for_onlookers = may_tell(turn, actor, room, class);
    let render = |turn: &Turn, viewer: Option<CharacterId>| {
        Arc::new(act_as_read(turn, template, (actor, target), object, viewer))
    };
    let mut shared = None;
    for who in turn.world.occupants(room) {
        let Some(session) = turn.seated.get(who) else { continue };
        let text = if *who == actor || Some(*who) == target {
            render(turn, Some(*who))
        } else if !for_onlookers || class != Class::Combat && turn.world.is_ignoring(*who, actor) {
            continue;
        } else {
            Arc::clone(shared.get_or_insert_with(|| render(turn, None)))
        };
        turn.outbox.text(*session, class, &text);
    }
}

/// Renders an action for one viewer; `None` is an onlooker.
pub(crate) fn act_as_read(
    turn: &Turn,
    template: &Template,
    (actor, target): (CharacterId, Option<CharacterId>),
    object: &str,
    viewer: Option<CharacterId>,
) -> Markup {
    let actor_name = naming::the(turn, actor);
    let target_name = target.map(|target| naming::the(turn, target));
    let mut scene = Scene::of(seen(turn, actor, &actor_name, viewer)).object(NamedParticipant::item(object));
    if let (Some(target), Some(name)) = (target, &target_name) {
        scene = scene.target(seen(turn, target, name, viewer));
    }
    template.render(&scene)
}

fn seen<'a>(
    turn: &Turn,
    who: CharacterId,
    name: &'a str,
    viewer: Option<CharacterId>,
) -> NamedParticipant<'a> {
    let named = if turn.world.characters[who].is_player() {
        NamedParticipant::player(name)
    } else {
        NamedParticipant::creature(name)
    };
    named.seen_by_self(viewer == Some(who))
}

/// Closes a session after its pending output.
pub(crate) fn close(turn: &mut Turn, session: SessionId, why: CloseReason) {
    turn.outbox.cancel_prompt(session);
    turn.outbox.push(Effect::Close { session, why });
}

/// Returns `true` if a connected player is in the room.
pub(crate) fn has_audience(turn: &Turn, room: RoomId) -> bool {
    turn.world.occupants(room).iter().any(|who| turn.seated.contains_key(who))
}

/// Returns text marked as from the server. Players cannot begin a line like this.
pub(crate) fn of_server(text: &str) -> Markup {
    Markup::styled(Style::System, &format!("Server: {text}"))
}

/// Sends server text to all connected players.
pub(crate) fn broadcast(turn: &mut Turn, text: &str) {
    let message = Arc::new(of_server(text));
    let sessions: Vec<SessionId> = turn.seats.keys().copied().collect();
    for session in sessions {
        turn.outbox.text(session, Class::System, &message);
    }
}
