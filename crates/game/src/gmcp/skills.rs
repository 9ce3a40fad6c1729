//! `Char.Skills`: abilities of a character, and those it may choose with a new level.

use super::package::PackageSpec;
use crate::character::abilities;
use crate::effect::data::{Data, Package, SKILLS, Skill, SkillGroup, SkillInfo, SkillList};
use crate::input::SkillsAsked;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, SessionId};
use deepwell_core::text::grammar;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Skills).at_prompt(&[skills]);

/// Lists learnt abilities first, then those on offer.
fn skills(turn: &Turn, who: CharacterId) -> Data {
    let learnt: Vec<Skill> = abilities::learnt(turn, who)
        .into_iter()
        .map(|ability| Skill {
            name: ability.key.clone(),
            desc: ability.gist.clone(),
            learnt: true,
            ready: abilities::remaining_cooldown(turn, who, &ability.key).is_none(),
            command: ability.key.clone(),
        })
        .collect();
    let open = turn.world.characters[who].trainings > 0;
    let offered = abilities::offered(turn, who).into_iter().filter(|_| open).map(|ability| Skill {
        name: ability.key.clone(),
        desc: ability.gist.clone(),
        learnt: false,
        ready: false,
        command: format!("train {}", ability.key),
    });
    Data::Skills(SkillList {
        group: SKILLS,
        list: learnt.iter().map(|skill| skill.name.clone()).collect(),
        descs: learnt.iter().map(|skill| skill.desc.clone()).collect(),
        skills: learnt.into_iter().chain(offered).collect(),
    })
}

/// Answers `Char.Skills.Get`. Nothing is sent about a group or an ability that the character does not have.
pub(super) fn tell(turn: &mut Turn, session: SessionId, asked: &SkillsAsked) {
    let Some(who) = turn.seats.get(&session).map(|seat| seat.character) else { return };
    let is_known = asked.group.as_deref().is_none_or(|group| group.eq_ignore_ascii_case(SKILLS));
    let learnt = abilities::learnt(turn, who);
    let data = match &asked.name {
        _ if !is_known => None,
        Some(name) => {
            let found = learnt.iter().find(|ability| ability.key.eq_ignore_ascii_case(name));
            found.map(|ability| {
                let (skill, info) = (ability.key.clone(), ability.gist.clone());
                Data::SkillInfo(SkillInfo { group: SKILLS, skill, info })
            })
        }
        None if asked.group.is_some() => Some(skills(turn, who)),
        None => {
            let rank = format!("{} learnt", grammar::number(learnt.len()));
            Some(Data::SkillGroups(vec![SkillGroup { name: SKILLS, rank }]))
        }
    };
    if let Some(data) = data {
        turn.outbox.data(session, data);
    }
}
