//! Walking after somebody: through exits and stairs, from the same room, on one's feet and out of combat.

use crate::base::{CharacterId, ExitId, RoomId};
use crate::game::command::Refusal;
use crate::game::{Class, Game};
use crate::text::{Markup, Style};
use crate::world::{Exit, ExitKind, Posture};

impl Game {
    /// Goes where another one of the party goes, from here on.
    pub(crate) fn follow(&mut self, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
        if who == whom {
            return self.stop_following(who);
        }
        let name = &self.world.characters[whom].name;
        if self.world.characters[who].following == Some(whom) {
            return Err(Refusal::Because(format!("You follow {name} already.")));
        }
        if self.world.leads_to(whom, who) {
            let words = format!("{name} follows you; then nobody would go anywhere.");
            return Err(Refusal::Because(words));
        }
        self.stop_before(who);
        if let Some(body) = self.world.characters.edit(who) {
            body.following = Some(whom);
        }
        let words = Markup::plain("You follow ").with(Style::Player, &self.world.characters[whom].name);
        self.tell(who, Class::Reply, words.and("."));
        self.tell(whom, Class::Notice, self.name_of(who).and(" follows you."));
        Ok(())
    }

    /// Goes its own ways again.
    pub(crate) fn stop_following(&mut self, who: CharacterId) -> Result<(), Refusal> {
        if self.world.characters[who].following.is_none() {
            return Err(Refusal::Because(
                "You follow nobody. Type follow and the name of a companion.".into(),
            ));
        }
        self.stop_before(who);
        Ok(())
    }

    fn stop_before(&mut self, who: CharacterId) {
        let Some(ahead) = self.world.characters[who].following else { return };
        if let Some(body) = self.world.characters.edit(who) {
            body.following = None;
        }
        let words =
            Markup::plain("You do not follow ").with(Style::Player, &self.world.characters[ahead].name);
        self.tell(who, Class::Reply, words.and(" any more."));
        self.tell(ahead, Class::Notice, self.name_of(who).and(" does not follow you any more."));
    }

    /// Somebody has walked through an exit: whoever follows comes along, and is added to the train. Down the stairs the
    /// whole party goes with its leader. Those who cannot are told why, and so is whoever they follow.
    pub(crate) fn follow_along(
        &mut self,
        leader: CharacterId,
        from: RoomId,
        exit: ExitId,
        train: &mut Vec<CharacterId>,
    ) {
        let down = self.world.exits.get(exit).is_some_and(Exit::is_stairs_down);
        let party = self.world.party_of(leader).filter(|id| down && self.world.parties[*id].leader == leader);
        let follows = |id: &CharacterId| {
            let body = &self.world.characters[*id];
            let led = body.following == Some(leader) || body.master == Some(leader);
            led || (party.is_some() && self.world.party_of(*id) == party)
        };
        let followers: Vec<CharacterId> =
            self.world.occupants(from).iter().copied().filter(follows).collect();
        let to = self.world.characters[leader].room;
        for follower in followers {
            // Somebody may have come with another one already, or have gone with the branch that has just ended.
            if self.world.characters.get(follower).is_none_or(|body| body.room != from) {
                continue;
            }
            match self.comes_along(follower, exit, to) {
                Ok(()) => {
                    train.push(follower);
                    self.follow_along(follower, from, exit, train);
                }
                Err((theirs, yours)) => {
                    let words = self.name_of(follower).and(&format!(" {theirs} and stays behind."));
                    self.tell(leader, Class::Movement, words);
                    let words = self.name_of(leader).and(&format!(" goes on without you: {yours}"));
                    self.tell(follower, Class::Movement, words);
                }
            }
        }
    }

    /// Why a follower stays, as others and as it itself reads it.
    fn what_holds(
        &self,
        follower: CharacterId,
        way: &Exit,
        to: RoomId,
    ) -> Option<(&'static str, &'static str)> {
        let body = &self.world.characters[follower];
        let why = match body.posture {
            _ if body.target.is_some() => ("is in a fight", "you are in a fight."),
            Posture::Down => ("lies on the floor", "you lie on the floor."),
            Posture::Resting => ("sits and rests", "you sit and rest."),
            Posture::Asleep => ("is asleep", "you are asleep."),
            Posture::Standing if body.link_dead_until.is_some() => {
                ("stares into the dark", "you stare into the dark.")
            }
            Posture::Standing if self.is_held(follower) => ("is held fast", "you are held fast."),
            Posture::Standing if way.is_stairs_down() && body.trainings > 0 => {
                ("has to choose what to train first", "choose what to train before you go deeper.")
            }
            // Through a start exit a follower would open another branch where the rope bears only the one ahead.
            Posture::Standing
                if way.kind == ExitKind::Branch
                    && way.to != Some(to)
                    && self.rope_room(follower, way) != Some(to) =>
            {
                ("has no rope to go by", "the rope does not bear you.")
            }
            Posture::Standing => return None,
        };
        Some(why)
    }

    fn comes_along(
        &mut self,
        follower: CharacterId,
        exit: ExitId,
        to: RoomId,
    ) -> Result<(), (String, String)> {
        let gone = || ("finds the way gone".to_owned(), "the way is gone.".to_owned());
        let way = self.world.exits.get(exit).cloned().ok_or_else(gone)?;
        if let Some((theirs, yours)) = self.what_holds(follower, &way, to) {
            return Err((theirs.into(), yours.into()));
        }
        let refused = |refusal: Refusal| ("cannot come along".to_owned(), refusal.markup().text().to_owned());
        self.step_through(follower, exit).map_err(refused)
    }
}
