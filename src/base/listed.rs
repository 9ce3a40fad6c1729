//! Enumerations that know all their values.

/// Declares an enumeration and the list of all its values; with a word for each value also those words.
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
            /// The words for all of them.
            pub const NAMES: [(&'static str, Self); Self::ALL.len()] = [$(($word, Self::$value),)*];

            /// The word for it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)*
                }
            }

            /// The one that a word stands for.
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
            /// All of them, in the order in which they are declared.
            pub const ALL: [Self; [$(Self::$value),*].len()] = [$(Self::$value),*];
        }
    };
}
pub(crate) use listed;
