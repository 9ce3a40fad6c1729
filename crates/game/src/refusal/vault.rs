//! Refusals to builders of vaults.

use thiserror::Error;

/// Reason why a vault cannot be created or changed. Texts are keys of vaults, rooms and zones.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum VaultRefusal {
    #[error("There is no vault {name} made in the game.{}", meant.as_ref().map_or(String::new(), |meant| format!(" Did you mean {meant}?")))]
    NoVault { name: String, meant: Option<String> },
    #[error("{0} is taken already. vault list tells all there are.")]
    Taken(String),
    #[error(
        "There are as many vaults made in the game as there may be: {0}. One that is a file of the content can be dropped."
    )]
    TooMany(u32),
    #[error("A vault has at most {most} rooms, and more than that hang together here.")]
    TooLarge { most: usize },
    #[error(
        "These rooms belong to no zone. zone new NAME makes one, and zone set NAME lets a room belong to it."
    )]
    NoZone,
    #[error("The exit {exit} of {room} has no way back, which a vault needs.")]
    OneWay { exit: String, room: String },
    #[error("The exits to {0} do not agree where it lies, so that it has no place on a grid.")]
    Crooked(String),
    #[error("This is no vault yet: {wrong}. It needs {expected}.")]
    Flawed { wrong: String, expected: String },
    #[error("There is no level type \"{name}\" with room for vaults. There are {}.", known.join(", "))]
    NoLevelType { name: String, known: Vec<String> },
    #[error("{name} does not come up in {level_type}.")]
    NotThere { name: String, level_type: String },
    #[error("{0} is no side. There are north, east, south and west.")]
    NoSide(String),
}
