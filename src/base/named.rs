//! Enumerations whose values have names in data and storage.

/// Declares an enumeration, each value with its name, once: gives `ALL` and `NAMES`, in the order of the values, and
/// `name`.
macro_rules! named {
    ($(#[$about:meta])* $public:vis enum $kind:ident {
        $($(#[$doc:meta])* $value:ident = $name:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $public enum $kind {$($(#[$doc])* $value,)*}

        impl $kind {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// The names used in data and storage.
            pub const NAMES: &'static [(&'static str, Self)] = &[$(($name, Self::$value),)*];

            /// The name used in data and storage.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)*
                }
            }
        }
    };
}

pub(crate) use named;
