//! Tables of definition files whose fields are declared once, each with how it is read.

/// Declares a table of a definition file: what its fields are, and how each is read. `name: Type = method(arguments)`
/// asks that method of [`Reader`](super::Reader) for the key of the field's own name; `name: Type => |table| expression`
/// is for all that is more than one key. Fields are read in their order, and each may use those before it, and what
/// `with` names besides.
macro_rules! definition {
    ($(#[$about:meta])* $public:vis struct $name:ident $(with ($($extra:ident: $extra_kind:ty),*))? {
        $($(#[$doc:meta])* $visible:vis $field:ident: $kind:ty
            $(= $method:ident($($argument:expr),*))? $(=> |$table:ident| $read:expr)?,)*
    }) => {
        $(#[$about])*
        $public struct $name {$($(#[$doc])* $visible $field: $kind,)*}

        impl $name {
            /// Reads the table; wrong keys are noted.
            pub(crate) fn read(
                reader: &mut $crate::data::Reader<'_>,
                $($($extra: $extra_kind,)*)?
            ) -> Self {
                $(
                    $(let $field = reader.$method(stringify!($field), $($argument),*);)?
                    $(let $field = { let $table = &mut *reader; $read };)?
                )*
                Self {$($field,)*}
            }
        }
    };
}

pub(crate) use definition;
