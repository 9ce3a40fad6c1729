//! Messages to players whose active quests have changed, gone or returned with the content.

use crate::effect::Class;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::quest::Quest;
use deepwell_core::world::{QuestProgress, QuestStatus};
use std::sync::Arc;

/// Tells a connected player which of their active quests have changed, gone or returned since they were last told.
pub(crate) fn announce_changes(turn: &mut Turn, who: CharacterId) {
    if turn.read_only {
        return;
    }
    let catalog = Arc::clone(&turn.catalog);
    let edition = |key: &String| catalog.quests.get(key).map_or(0, Quest::edition);
    let rows = turn.world.characters.get(who).into_iter().flat_map(|body| body.quests.iter());
    let is_changed = |(key, row): &(&String, &QuestProgress)| {
        row.status == QuestStatus::Active && row.edition != Some(edition(key))
    };
    let changed: Vec<(String, QuestProgress)> =
        rows.filter(is_changed).map(|(key, row)| (key.clone(), row.clone())).collect();
    for (key, row) in changed {
        let now = edition(&key);
        let old_name = if row.name.is_empty() { key.clone() } else { row.name };
        let (name, message) = match (catalog.quests.get(&key), row.edition) {
            (None, _) => (old_name.clone(), Some(format!("The quest {old_name} is no more."))),
            (Some(quest), Some(0)) => {
                (quest.name.clone(), Some(format!("The quest {} is back.", quest.name)))
            }
            (Some(quest), Some(_)) => {
                (quest.name.clone(), Some(format!("The quest {old_name} has changed: type quest {key}.")))
            }
            (Some(quest), None) => (quest.name.clone(), None),
        };
        turn.world.characters.change(who, |body| {
            if let Some(row) = body.quests.get_mut(&key) {
                (row.name, row.edition) = (name, Some(now));
            }
        });
        if let Some(message) = message {
            tell::tell(turn, who, Class::Notice, message);
        }
    }
}

/// Tells all connected players of changes to their quests, after a change of the content.
pub(crate) fn announce_to_all(turn: &mut Turn) {
    let seated: Vec<CharacterId> = turn.seated.keys().copied().collect();
    for who in seated {
        announce_changes(turn, who);
    }
}
