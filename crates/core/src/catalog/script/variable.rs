//! Variables of builders: their declarations in zones, types, values and reset rules.

use crate::base::listed;
use crate::data::{CatalogError, Position, Reader, definition};
use serde::{Deserialize, Serialize};
use std::fmt;

listed! {
    /// Object that has a value of its own for a variable.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum VariableScope {
        /// Each player's character.
        Character = "character",
        /// Each creature.
        Creature = "creature",
        /// Each item; not those that form stacks.
        Item = "item",
        /// Each room.
        Room = "room",
        /// Each branch of the dungeon.
        Branch = "branch",
        /// The zone of the declaration.
        Zone = "zone",
    }
}

listed! {
    /// Moment at which a variable returns to its default.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ResetRule {
        /// Never.
        #[default]
        Never = "never",
        /// At a defeat of the character.
        Death = "death",
        /// At midnight UTC.
        Daily = "daily",
        /// At the beginning of Monday UTC.
        Weekly = "weekly",
        /// At the end of the character's stay in the branch in which the value was set.
        Branch = "branch",
    }
}

listed! {
    /// Type of a variable.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum VariableType {
        /// Whole number.
        Number = "number",
        /// Yes or no.
        Flag = "flag",
        /// Text.
        Text = "text",
    }
}

/// Value of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum VariableValue {
    /// Whole number, between `-`[`NUMBER_MAX`](Self::NUMBER_MAX) and that.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// Text on one line.
    Text(String),
}

/// Declaration of a variable, by its name in a zone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VariableDeclaration {
    /// Object that has the value.
    pub of: VariableScope,
    /// Value of an object for which none is set. Determines the type.
    pub default: VariableValue,
    /// Reset rule.
    #[serde(default, skip_serializing_if = "crate::base::rare::is_default")]
    pub reset: ResetRule,
}

listed! {
    /// Comparison of a variable to a value.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Comparison {
        /// Equal.
        Equal = "=",
        /// Not equal.
        Unequal = "!=",
        /// Less; false for texts and flags.
        Below = "<",
        /// Less or equal; false for texts and flags.
        AtMost = "<=",
        /// Greater; false for texts and flags.
        Above = ">",
        /// Greater or equal; false for texts and flags.
        AtLeast = ">=",
    }
}

/// Use of a variable in a script, with its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableUse<'s> {
    /// The value is shown or reset.
    Read(&'s str),
    /// The value is compared to another one.
    Compare(&'s str, Comparison, &'s str),
    /// The value is set to a text, in which slots are filled in first.
    Set(&'s str, &'s str),
    /// A number is added to the value.
    Add(&'s str),
}

impl<'s> VariableUse<'s> {
    /// Returns the name of the variable.
    pub const fn name(self) -> &'s str {
        match self {
            Self::Read(name) | Self::Compare(name, ..) | Self::Set(name, _) | Self::Add(name) => name,
        }
    }

    /// Returns the reason why a variable of this type cannot be used in this way; `None` if it can.
    pub fn mismatch(self, kind: VariableType) -> Option<String> {
        match self {
            Self::Add(_) if kind != VariableType::Number => {
                Some(format!("is a {}, not a number", kind.name()))
            }
            Self::Compare(_, sign, value) => {
                let is_ordered = !matches!(sign, Comparison::Equal | Comparison::Unequal);
                match kind.parse(value) {
                    Err(fit) => Some(format!("is compared to {value}, and is {fit}")),
                    Ok(_) if is_ordered && kind != VariableType::Number => {
                        Some(format!("is a {}, which has no order", kind.name()))
                    }
                    Ok(_) => None,
                }
            }
            Self::Set(_, value) if !value.contains('{') => {
                kind.parse(value).err().map(|fit| format!("is set to {value}, and is {fit}"))
            }
            Self::Set(..) | Self::Read(_) | Self::Add(_) => None,
        }
    }
}

impl VariableType {
    /// Returns the default of a variable for which none is declared.
    pub const fn empty(self) -> VariableValue {
        match self {
            Self::Number => VariableValue::Number(0),
            Self::Flag => VariableValue::Flag(false),
            Self::Text => VariableValue::Text(String::new()),
        }
    }

    /// Parses a value of this type.
    ///
    /// # Errors
    /// The form that was expected.
    pub fn parse(self, text: &str) -> Result<VariableValue, &'static str> {
        let text = text.trim();
        match self {
            Self::Number => {
                let number = text.parse().ok();
                let fits = |number: &i64| number.abs() <= VariableValue::NUMBER_MAX;
                number
                    .filter(fits)
                    .map(VariableValue::Number)
                    .ok_or("a whole number of at most fifteen figures")
            }
            Self::Flag => match text {
                "yes" | "true" => Ok(VariableValue::Flag(true)),
                "no" | "false" => Ok(VariableValue::Flag(false)),
                _ => Err("yes or no"),
            },
            Self::Text => Ok(VariableValue::Text(text.to_owned())),
        }
    }
}

impl VariableValue {
    /// Largest number, so that sums cannot overflow and scripts in Luau represent every number exactly.
    pub const NUMBER_MAX: i64 = 999_999_999_999_999;

    /// Returns the type.
    pub const fn kind(&self) -> VariableType {
        match self {
            Self::Number(_) => VariableType::Number,
            Self::Flag(_) => VariableType::Flag,
            Self::Text(_) => VariableType::Text,
        }
    }

    /// Compares the value to a typed one. A value of another type is not equal.
    pub fn compares(&self, comparison: Comparison, typed: &str) -> bool {
        let Ok(other) = self.kind().parse(typed) else { return comparison == Comparison::Unequal };
        let numbers = match (self, &other) {
            (Self::Number(own), Self::Number(other)) => Some((own, other)),
            _ => None,
        };
        let ordered = |holds: fn(&i64, &i64) -> bool| numbers.is_some_and(|(own, other)| holds(own, other));
        match comparison {
            Comparison::Equal => *self == other,
            Comparison::Unequal => *self != other,
            Comparison::Below => ordered(i64::lt),
            Comparison::AtMost => ordered(i64::le),
            Comparison::Above => ordered(i64::gt),
            Comparison::AtLeast => ordered(i64::ge),
        }
    }

    /// Returns the size of a text in bytes; 0 for other types.
    pub const fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Number(_) | Self::Flag(_) => 0,
        }
    }
}

/// Formats the value as it is typed.
impl fmt::Display for VariableValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Flag(yes) => f.write_str(if *yes { "yes" } else { "no" }),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Formats the declaration as it is typed: `number 3 of character reset daily`.
impl fmt::Display for VariableDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, of) = (self.default.kind(), self.of.name());
        f.write_str(kind.name())?;
        if self.default != kind.empty() {
            write!(f, " {}", self.default)?;
        }
        write!(f, " of {of}")?;
        if self.reset == ResetRule::Never { Ok(()) } else { write!(f, " reset {}", self.reset.name()) }
    }
}

/// Error in a typed declaration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DeclarationMistake {
    /// The type is unknown.
    #[error("`{0}` is no type; a type is number, flag or text")]
    NoType(String),
    /// The default does not fit the type.
    #[error("`{0}` does not fit as the default; it has to be {1}")]
    NoDefault(String, &'static str),
    /// No object with values has this name.
    #[error("`{0}` has no variables; a variable is of a character, creature, item, room, branch or zone")]
    NoScope(String),
    /// The reset rule is unknown.
    #[error("`{0}` is no reset rule; it is never, death, daily, weekly or branch")]
    NoReset(String),
    /// The reset rule applies to characters only.
    #[error("only the variables of a character are reset at death or with the branch")]
    ResetOfOther,
}

impl VariableDeclaration {
    /// Largest number that can be a default.
    pub const NUMBER_MAX: i32 = 1_000_000_000;

    /// Parses a declaration such as `number 3 of character reset daily`. A variable is of a character unless the text says
    /// otherwise.
    ///
    /// # Errors
    /// The first mistake.
    pub fn parse(typed: &str) -> Result<Self, DeclarationMistake> {
        let typed = typed.trim();
        let (typed, reset) = split_last(typed, "reset");
        let (typed, of) = split_last(typed, "of");
        let (kind, default) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        let kind = VariableType::named(kind).ok_or_else(|| DeclarationMistake::NoType(kind.to_owned()))?;
        let default = match default.trim() {
            "" => kind.empty(),
            typed => match kind.parse(typed) {
                Ok(VariableValue::Number(number)) if number.abs() > Self::NUMBER_MAX.into() => {
                    return Err(DeclarationMistake::NoDefault(typed.to_owned(), "at most 1000000000"));
                }
                Ok(default) => default,
                Err(fit) => return Err(DeclarationMistake::NoDefault(typed.to_owned(), fit)),
            },
        };
        let of = of.map_or(Ok(VariableScope::Character), |of| {
            VariableScope::named(of).ok_or_else(|| DeclarationMistake::NoScope(of.to_owned()))
        })?;
        let reset = reset.map_or(Ok(ResetRule::Never), |reset| {
            ResetRule::named(reset).ok_or_else(|| DeclarationMistake::NoReset(reset.to_owned()))
        })?;
        let read = Self { of, default, reset };
        if read.is_reset_fit() { Ok(read) } else { Err(DeclarationMistake::ResetOfOther) }
    }

    /// Returns `true` if objects of the scope can be reset by the rule.
    fn is_reset_fit(&self) -> bool {
        let is_characters = matches!(self.reset, ResetRule::Death | ResetRule::Branch);
        !is_characters || self.of == VariableScope::Character
    }
}

/// Splits off the last two words, if the first of them is `keyword`. Returns the last word.
fn split_last<'t>(typed: &'t str, keyword: &str) -> (&'t str, Option<&'t str>) {
    let split = typed.rsplit_once(char::is_whitespace).and_then(|(before, last)| {
        let before = before.trim_end();
        let (head, word) = before.rsplit_once(char::is_whitespace)?;
        (word == keyword).then_some((head.trim_end(), Some(last)))
    });
    split.unwrap_or((typed, None))
}

definition! {
    /// A variable as declared in a zone file.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaVariable {
        /// Place of the definition.
        pub place: Position => |table| table.place(),
        /// Name, unique in the zone.
        pub name: (Position, String) => |table| name(table),
        /// Declaration.
        pub declaration: VariableDeclaration => |table| declaration(table),
    }
}

/// Maximum length of the name of a variable.
const NAME_CHARS_MAX: usize = 40;

/// Returns `true` for a valid name of a variable: small letters, figures and `_`.
pub fn is_variable_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (1..=NAME_CHARS_MAX).contains(&name.len()) && name.chars().all(fits)
}

fn name(table: &mut Reader<'_>) -> (Position, String) {
    let Some((place, name)) = table.text_if_any("name") else {
        table.missing("name", "the name of the variable");
        return Default::default();
    };
    if !is_variable_name(&name) {
        let mistake = format!("`{name}` is no name of a variable");
        table.note(CatalogError::new(&place, mistake, "at most 40 small letters, figures and _"));
    }
    (place, name)
}

fn declaration(table: &mut Reader<'_>) -> VariableDeclaration {
    table.about("Kind of object that has the value.");
    let of = table.choice_or("of", &VariableScope::NAMES, VariableScope::Character);
    table.about("Type of the value.");
    let kind = table.choice("type", &VariableType::NAMES).unwrap_or(VariableType::Number);
    table.about("Value of an object for which none is set; 0, `false` or an empty text if absent.");
    let default = match (table.has("default"), kind) {
        (false, _) => kind.empty(),
        (true, VariableType::Number) => {
            let most = VariableDeclaration::NUMBER_MAX;
            VariableValue::Number(table.signed_or("default", -most..=most, 0).into())
        }
        (true, VariableType::Flag) => VariableValue::Flag(table.bool_or("default", false)),
        (true, VariableType::Text) => VariableValue::Text(table.text("default")),
    };
    table.listed.record("default", || "value of the type".to_owned());
    table.about("Moment at which a value returns to the default; `death` and `branch` are for characters.");
    let reset = table.choice_or("reset", &ResetRule::NAMES, ResetRule::Never);
    let declaration = VariableDeclaration { of, default, reset };
    if !declaration.is_reset_fit() {
        table.record_mistake("reset", "is for the variables of characters", "`of = \"character\"`");
    }
    declaration
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declaration_text_round_trip_is_identical() {
        for text in [
            "number of character",
            "number 3 of room reset daily",
            "number -3 of character reset death",
            "flag of zone",
            "flag yes of creature reset weekly",
            "text a cup of tea of branch",
            "text of character reset branch",
        ] {
            assert_eq!(VariableDeclaration::parse(text).expect(text).to_string(), text);
        }
        assert_eq!(VariableDeclaration::parse("flag").expect("a flag").to_string(), "flag of character");
        for (typed, reason) in [
            ("", "`` is no type"),
            ("fraction", "`fraction` is no type"),
            ("number many", "`many` does not fit"),
            ("number 1000000000000000", "fifteen figures"),
            ("number 1000000001", "at most 1000000000"),
            ("flag maybe of room", "it has to be yes or no"),
            ("number of thing", "`thing` has no variables"),
            ("number reset hourly", "`hourly` is no reset rule"),
            ("number of room reset death", "only the variables of a character"),
        ] {
            let mistake = VariableDeclaration::parse(typed).expect_err(typed).to_string();
            assert!(mistake.contains(reason), "{typed}: {mistake}");
        }
    }

    #[test]
    fn values_compare_to_typed_ones_of_their_type() {
        use Comparison::{Above, AtLeast, AtMost, Below, Equal, Unequal};
        let (three, yes, glad) =
            (VariableValue::Number(3), VariableValue::Flag(true), VariableValue::Text("glad".into()));
        for (value, comparison, typed, holds) in [
            (&three, Equal, "3", true),
            (&three, Equal, "three", false),
            (&three, Unequal, "three", true),
            (&three, Below, "4", true),
            (&three, AtMost, "3", true),
            (&three, Above, "3", false),
            (&three, AtLeast, "-1", true),
            (&yes, Equal, "yes", true),
            (&yes, Unequal, "no", true),
            (&yes, AtLeast, "yes", false),
            (&glad, Equal, "glad", true),
            (&glad, Below, "sad", false),
        ] {
            assert_eq!(value.compares(comparison, typed), holds, "{value} {} {typed}", comparison.name());
        }
    }
}
