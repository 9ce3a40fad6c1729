//! Enumerations with a list of all their values.

/// Declares an enumeration and the list of all its values; if each value has a keyword, also the list of keywords.
#[macro_export]
macro_rules! listed {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$doc:meta])* $value:ident = $word:literal,)* }
    ) => {
        $crate::base::listed! {
            $(#[$meta])*
            pub enum $name { $($(#[$doc])* $value,)* }
        }

        impl $name {
            /// Keywords and their values.
            pub const NAMES: [(&'static str, Self); Self::ALL.len()] = [$(($word, Self::$value),)*];

            /// Returns the keyword.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)*
                }
            }

            /// Returns the value with this keyword.
            pub fn named(word: &str) -> Option<Self> {
                Self::NAMES.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$doc:meta])* $value:ident,)* }
    ) => {
        $(#[$meta])*
        pub enum $name { $($(#[$doc])* $value,)* }

        impl $name {
            /// All values, in declaration order.
            pub const ALL: [Self; [$(Self::$value),*].len()] = [$(Self::$value),*];
        }
    };
}
pub use listed;
