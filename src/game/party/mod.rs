//! Parties: who goes together, who leads, and what members tell each other. How they walk, share, roll, and come
//! back by the rope stands in the files beside this one.
//!
//! ```text
//! (first invitation) -> party -> over: nobody awake, or alone with nobody asked
//! ```
//! A party outlives restarts and broken links. Whoever quits keeps the place for a while.

mod companion;
mod data;
mod follow;
mod roll;
mod rope;
mod scale;
mod share;
#[cfg(test)]
mod tests;

use crate::base::{CharacterId, GameTime, PartyId, RoomId, Span};
use crate::catalog::rules::Rules;
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::{Class, Game, Timer};
use crate::text::{Markup, Style, grammar};
use crate::world::{Channel, Character, LootRule, Party, Posture};
use std::collections::BTreeMap;

impl Game {
    /// Members of somebody's party in a room who are awake, oneself included; oneself alone without a party. Whoever
    /// is down is alive and counts. A companion counts as its master.
    pub(crate) fn companions_of(&self, who: CharacterId, room: RoomId) -> Vec<CharacterId> {
        let who = self.credited(who);
        let Some(party) = self.world.party_of(who) else { return vec![who] };
        let here =
            |id: &CharacterId| self.world.characters[*id].room == room && self.world.characters[*id].awake;
        self.world.parties[party].members.iter().copied().filter(here).collect()
    }

    /// The party somebody is in.
    fn own_party(&self, who: CharacterId) -> Result<&Party, Refusal> {
        let none =
            || Refusal::Because("You are in no party. Type party invite and a name to begin one.".into());
        self.world.party_of(who).map(|id| &self.world.parties[id]).ok_or_else(none)
    }

    /// The party somebody leads.
    fn led_by(&self, who: CharacterId) -> Result<PartyId, Refusal> {
        let party = self.own_party(who)?;
        if party.leader == who {
            return Ok(party.id);
        }
        let leader = &self.world.characters[party.leader].name;
        Err(Refusal::Because(format!("That is for {leader}, who leads your party.")))
    }

    /// A member of somebody's party by its name or the beginning of it, awake or not.
    pub(crate) fn member_named(&self, who: CharacterId, word: &str) -> Result<CharacterId, Refusal> {
        let (party, typed) = (self.own_party(who)?, word.to_lowercase());
        let named = |id: &&CharacterId, exact: bool| {
            let name = self.world.characters[**id].name.to_lowercase();
            if exact { name == typed } else { name.starts_with(&typed) }
        };
        let exact = party.members.iter().find(|id| named(id, true));
        let found = exact.or_else(|| party.members.iter().find(|id| named(id, false)));
        found.copied().ok_or_else(|| Refusal::Because(format!("Nobody in your party is called \"{word}\".")))
    }

    /// Tells every member something, but for some.
    fn tell_party(&mut self, id: PartyId, except: &[CharacterId], words: &Markup) {
        let Some(party) = self.world.parties.get(id) else { return };
        for member in party.members.clone() {
            if !except.contains(&member) {
                self.tell(member, Class::Notice, words.clone());
            }
        }
    }

    /// Somebody is asked into one's party; the first invitation begins it.
    pub(crate) fn invite(&mut self, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
        let name = self.world.characters[whom].name.clone();
        let no = |words: String| Err(Refusal::Because(words));
        if who == whom {
            return no("You are in your own company already.".into());
        }
        if !self.seated.contains_key(&whom) {
            return Err(Refusal::NotListening(name));
        }
        let own = self.world.party_of(who).map(|_| self.led_by(who)).transpose()?;
        if let Some(other) = self.world.party_of(whom).filter(|id| self.world.parties[*id].members.len() > 1)
        {
            let with = if Some(other) == own { "you" } else { "others" };
            return no(format!("{name} goes with {with} already."));
        }
        let most = self.catalog.rules.party.size_max as usize;
        if let Some(party) = own.map(|id| &self.world.parties[id]) {
            if party.invited.contains_key(&whom) {
                return no(format!("You have asked {name} already."));
            }
            if party.members.len() + party.invited.len() >= most {
                let most = grammar::number(self.catalog.rules.party.size_max);
                return no(format!("A party is {most} at most, and whoever has been asked counts."));
            }
        } else if most < 2 {
            return no("Everybody goes alone here.".into());
        }
        let asked = self.world.invitations(whom).count();
        if asked >= self.config.limits.party_invitations as usize {
            return no(format!("{name} has been asked by too many at once. Wait for an answer."));
        }
        let id = own.unwrap_or_else(|| self.found_party(who));
        let (time, until) = self.deadline(self.catalog.rules.party.invite_secs);
        self.world.invite(id, whom, until);
        self.timers.schedule(until, Timer::Party(id));
        self.tell(
            who,
            Class::Reply,
            Markup::plain("You ask ").with(Style::Player, &name).and(" into your party."),
        );
        let asks =
            self.name_of(who).and(" asks you into a party. Type ").with(Style::Command, "party accept");
        let asks = asks.and(" or ").with(Style::Command, "party decline");
        if !self.ignores(whom, who) {
            self.tell(whom, Class::Notice, asks.and(&format!(" within {time}.")));
            self.learns(whom, Lesson::Invited);
        }
        Ok(())
    }

    /// A time of the rules, and when it is over if it begins now.
    fn deadline(&self, secs: u32) -> (Span, GameTime) {
        let span = Rules::secs(secs);
        (span, self.now + span)
    }

    fn found_party(&mut self, leader: CharacterId) -> PartyId {
        let id = self.world.new_party_id();
        self.world.add_party(Party {
            id,
            leader,
            members: vec![leader],
            invited: BTreeMap::new(),
            loot: LootRule::default(),
            turn: 0,
            coin_turn: 0,
            rolls: Vec::new(),
            created_at: self.now,
        });
        self.show_party(id);
        id
    }

    /// The one party that asks somebody, or the one of them that a name means.
    fn invitation(&self, who: CharacterId, name: &str) -> Result<PartyId, Refusal> {
        let typed = name.to_lowercase();
        let meant = |id: &CharacterId| self.world.characters[*id].name.to_lowercase().starts_with(&typed);
        let asking: Vec<PartyId> = self
            .world
            .invitations(who)
            .filter(|id| self.world.parties[*id].members.iter().any(meant))
            .collect();
        match asking.as_slice() {
            [] if name.is_empty() => Err(Refusal::Because("Nobody has asked you into a party.".into())),
            [] => Err(Refusal::Because(format!("Nobody called \"{name}\" has asked you."))),
            [one] => Ok(*one),
            several => {
                let leader =
                    |id: &PartyId| self.world.characters[self.world.parties[*id].leader].name.clone();
                let names: Vec<String> = several.iter().map(leader).collect();
                let names = grammar::list(&names);
                Err(Refusal::Because(format!(
                    "{names} have asked you. Say whom you mean: party accept NAME."
                )))
            }
        }
    }

    /// Joins the party that has asked, and follows its leader from here on.
    pub(crate) fn accept(&mut self, who: CharacterId, name: &str) -> Result<(), Refusal> {
        let id = self.invitation(who, name)?;
        if let Some(own) = self.world.party_of(who) {
            if self.world.parties[own].members.len() > 1 {
                return Err(Refusal::Because("You are in a party; leave it first.".into()));
            }
            self.end_party(own, None);
        }
        let party = &self.world.parties[id];
        if party.members.len() >= self.catalog.rules.party.size_max as usize {
            return Err(Refusal::Because("That party is full by now.".into()));
        }
        let leader = party.leader;
        let others: Vec<String> =
            party.members.iter().map(|member| self.world.characters[*member].name.clone()).collect();
        self.world.join_party(id, who);
        if let Some(body) = self.world.characters.edit(who) {
            body.following = Some(leader);
        }
        self.tell_party(id, &[who], &self.name_of(who).and(" joins the party."));
        let words = Markup::plain(&format!("You go with {} now, and follow ", grammar::list(&others)));
        let words = words.with(Style::Player, &self.world.characters[leader].name).and(". Type ");
        self.tell(who, Class::Reply, words.with(Style::Command, "follow").and(" alone to stop following."));
        self.show_party(id);
        Ok(())
    }

    /// Says no to a party that has asked.
    pub(crate) fn decline(&mut self, who: CharacterId, name: &str) -> Result<(), Refusal> {
        let id = self.invitation(who, name)?;
        self.world.uninvite(id, who);
        let leader = self.world.parties[id].leader;
        self.tell(who, Class::Reply, "You decline.");
        self.tell(leader, Class::Notice, self.name_of(who).and(" does not want to come along."));
        self.thin_out(id);
        Ok(())
    }

    /// Leaves one's party; whatever is rolled for is for the others.
    pub(crate) fn leave_party(&mut self, who: CharacterId) -> Result<(), Refusal> {
        let id = self.own_party(who)?.id;
        self.tell(who, Class::Reply, "You leave the party.");
        self.part_from(id, who, " is no longer in the party.");
        Ok(())
    }

    /// The leader sends somebody away.
    pub(crate) fn kick(&mut self, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
        let id = self.led_by(who)?;
        if who == whom {
            return Err(Refusal::Because("Nobody sends oneself away; type party leave.".into()));
        }
        let name = &self.world.characters[whom].name;
        if self.world.parties[id].rolls.iter().any(|roll| roll.claims.contains_key(&whom)) {
            let words = format!("{name} has a part in what is rolled for; wait until it is settled.");
            return Err(Refusal::Because(words));
        }
        self.tell(
            whom,
            Class::Notice,
            self.name_of(who).and(" sends you away: you are in no party any more."),
        );
        self.part_from(id, whom, " is sent away from the party.");
        Ok(())
    }

    /// Takes somebody out of a party for good.
    fn part_from(&mut self, id: PartyId, who: CharacterId, how: &str) {
        self.give_up_rolls(id, who);
        self.world.leave_party(who);
        self.tell_party(id, &[], &self.name_of(who).and(how));
        self.outbox.parties.insert(who);
        self.show_party(id);
        self.thin_out(id);
    }

    /// The leader makes another one lead.
    pub(crate) fn pass_lead(&mut self, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
        let id = self.led_by(who)?;
        if who == whom {
            return Err(Refusal::Because("You lead already.".into()));
        }
        if !self.world.characters[whom].awake {
            return Err(Refusal::NotListening(self.world.characters[whom].name.clone()));
        }
        self.set_leader(id, whom);
        Ok(())
    }

    fn set_leader(&mut self, id: PartyId, leader: CharacterId) {
        if let Some(party) = self.world.parties.edit(id) {
            party.leader = leader;
        }
        self.tell_party(id, &[leader], &self.name_of(leader).and(" leads the party now."));
        self.tell(leader, Class::Notice, "You lead the party now.");
        self.show_party(id);
    }

    /// After somebody has gone, has fallen asleep or does not come: the party may be over, or need a leader.
    fn thin_out(&mut self, id: PartyId) {
        let Some(party) = self.world.parties.get(id) else { return };
        let awake = |member: &&CharacterId| self.world.characters[**member].awake;
        let first = party.members.iter().find(|member| self.seated.contains_key(*member));
        let next = first.or_else(|| party.members.iter().find(awake)).copied();
        let leads = party.members.contains(&party.leader) && awake(&&party.leader);
        match next {
            _ if party.members.len() < 2 && party.invited.is_empty() => {
                self.end_party(id, Some("The party is over: you are alone."));
            }
            None => self.end_party(id, None),
            Some(next) if !leads => self.set_leader(id, next),
            Some(_) => {}
        }
    }

    /// The end of a party. What is rolled for is settled as if the time were over.
    fn end_party(&mut self, id: PartyId, words: Option<&str>) {
        let Some(party) = self.world.parties.get(id) else { return };
        let (members, rolls) = (party.members.clone(), party.rolls.clone());
        for roll in rolls {
            self.settle(roll.item);
        }
        if let Some(words) = words {
            self.tell_party(id, &[], &Markup::plain(words));
        }
        self.outbox.parties.extend(members);
        self.world.remove_party(id);
    }

    /// A member has left the world, and keeps the place for a while.
    pub(crate) fn party_sleeps(&mut self, who: CharacterId) {
        let Some(id) = self.world.party_of(who) else { return };
        let (time, until) = self.deadline(self.catalog.rules.party.keep_secs);
        let words =
            self.name_of(who).and(&format!(" is asleep, and keeps the place in the party for {time}."));
        self.tell_party(id, &[who], &words);
        self.timers.schedule(until, Timer::Party(id));
        self.show_member(who);
        self.thin_out(id);
    }

    /// When a sleeping member loses the place.
    fn place_ends(&self, body: &Character) -> Option<GameTime> {
        (!body.awake).then(|| body.seen_at + Rules::secs(self.catalog.rules.party.keep_secs))
    }

    /// After a start: everything of parties that is still to come.
    pub(crate) fn schedule_parties(&mut self) {
        let mut dues: Vec<(PartyId, GameTime)> = Vec::new();
        for (id, party) in self.world.parties.iter() {
            let places = party.members.iter().filter_map(|id| self.place_ends(&self.world.characters[*id]));
            let rolls = party.rolls.iter().map(|roll| roll.until);
            let all = party.invited.values().copied().chain(rolls).chain(places);
            dues.extend(all.map(|due| (id, due)));
        }
        for (id, due) in dues {
            self.timers.schedule(due, Timer::Party(id));
        }
    }

    /// Something of a party is due: an invitation, a roll, or the place of somebody who has quit.
    pub(crate) fn party_due(&mut self, id: PartyId) {
        let Some(party) = self.world.parties.get(id) else { return };
        let (now, leader) = (self.now, party.leader);
        let rolls: Vec<_> = party.rolls.iter().filter(|r| r.until <= now).map(|r| r.item).collect();
        let silent: Vec<CharacterId> =
            party.invited.iter().filter(|(_, until)| **until <= now).map(|(who, _)| *who).collect();
        let lost =
            |id: &CharacterId| self.place_ends(&self.world.characters[*id]).is_some_and(|at| at <= now);
        let gone: Vec<CharacterId> = party.members.iter().copied().filter(lost).collect();
        for item in rolls {
            self.settle(item);
        }
        for who in &silent {
            self.world.uninvite(id, *who);
            self.tell(
                leader,
                Class::Notice,
                self.name_of(*who).and(" has not answered; the invitation is over."),
            );
            self.tell(*who, Class::Notice, self.name_of(leader).and(" waits no longer for your answer."));
        }
        for who in gone {
            if self.world.party_of(who) == Some(id) {
                self.part_from(id, who, " has slept too long, and is of the party no more.");
            }
        }
        if !silent.is_empty() {
            self.thin_out(id);
        }
    }

    /// To all of one's party, wherever they are.
    pub(crate) fn party_say(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let members = self.own_party(who)?.members.clone();
        self.must_hear(who, Channel::Party)?;
        let talker = self.world.characters[who].name.clone();
        let line =
            Markup::plain("[Party] ").with(Style::Player, &talker).and(": ").with(Style::Speech, &words);
        let said = self.said(Class::Channel, "party", &talker, line.clone());
        for member in members {
            let deaf = self.ignores(member, who) || self.has_muted(member, Channel::Party);
            if self.seated.contains_key(&member) && !deaf {
                self.keep_for_member(member, who, &line);
                self.hears(member, &said);
            }
        }
        Ok(())
    }

    /// The party, one line a member; and who has asked, for whoever is in none.
    pub(crate) fn party_list(&self, who: CharacterId) -> Markup {
        let Some(party) = self.world.party_of(who).map(|id| &self.world.parties[id]) else {
            return self.no_party(who);
        };
        let mut list = Markup::styled(Style::Heading, "Your party");
        list.line(Style::Plain, loot_words(party.loot));
        for member in &party.members {
            let body = &self.world.characters[*member];
            list.line(Style::Player, &body.name);
            let (hp, most) = (self.hp(*member), self.max_hp_of(*member));
            let place = self.place_words(*member);
            list.push(
                Style::Plain,
                &format!(": level {}, {hp} of {most} hit points, at {place}.", body.level),
            );
            if *member == party.leader {
                list.push(Style::Plain, " Leads.");
            }
            list.push(Style::Plain, state_words(self.standing_of(*member)));
        }
        for asked in party.invited.keys() {
            list.line(Style::Player, &self.world.characters[*asked].name);
            list.push(Style::Plain, " has been asked.");
        }
        for roll in &party.rolls {
            list.line(Style::Plain, &format!("Dice are out for {}.", self.thing(roll.item)));
        }
        list
    }

    fn no_party(&self, who: CharacterId) -> Markup {
        let mut list = Markup::plain("You are in no party. Type ").with(Style::Command, "party invite");
        list.push(Style::Plain, " and a name to begin one.");
        for id in self.world.invitations(who) {
            list.line(Style::Player, &self.world.characters[self.world.parties[id].leader].name);
            list.push(Style::Plain, " has asked you: ");
            list.push(Style::Command, "party accept");
            list.push(Style::Plain, " or ");
            list.push(Style::Command, "party decline");
            list.push(Style::Plain, ".");
        }
        list
    }

    /// The room that somebody is in, and which branch it belongs to.
    fn place_words(&self, who: CharacterId) -> String {
        let room = &self.world.rooms[self.world.characters[who].room];
        match room.branch {
            Some(branch) => format!("{}, branch {branch}", room.name),
            None => room.name.clone(),
        }
    }

    /// How somebody is, in one word.
    fn standing_of(&self, who: CharacterId) -> &'static str {
        let body = &self.world.characters[who];
        match body.posture {
            _ if !body.awake => "asleep",
            Posture::Down => "down",
            _ if body.link_dead_until.is_some() => "link-dead",
            _ if body.target.is_some() => "fighting",
            Posture::Resting => "resting",
            Posture::Asleep | Posture::Standing => "ready",
        }
    }

    /// What the leader decides, or what holds if no rule is named.
    pub(crate) fn party_loot(&mut self, who: CharacterId, rule: Option<LootRule>) -> Result<(), Refusal> {
        let Some(rule) = rule else {
            let words = loot_words(self.own_party(who)?.loot);
            self.tell(who, Class::Reply, words);
            return Ok(());
        };
        let id = self.led_by(who)?;
        if let Some(party) = self.world.parties.edit(id) {
            party.loot = rule;
        }
        self.tell_party(id, &[], &Markup::plain(loot_words(rule)));
        self.show_party(id);
        Ok(())
    }
}

const fn loot_words(rule: LootRule) -> &'static str {
    match rule {
        LootRule::RoundRobin => "Loot: each thing that is won goes to the next of you in turn.",
        LootRule::Free => "Loot: what is won lies there for whoever takes it.",
        LootRule::Roll => "Loot: for what is worth it you throw dice, need before greed.",
    }
}

fn state_words(state: &str) -> &'static str {
    match state {
        "asleep" => " Asleep.",
        "down" => " Lies on the floor and needs help.",
        "link-dead" => " Stares into the dark: the link is broken.",
        "fighting" => " In a fight.",
        "resting" => " Resting.",
        _ => "",
    }
}
