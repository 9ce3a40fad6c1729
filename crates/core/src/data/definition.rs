//! A macro that declares a definition table as a struct, with the reader method of each field.

/// Declares a table of a definition file as a struct with a `read` function.
///
/// `name: Type = method(arguments)` calls that method of [`Reader`](super::Reader) with the field's name as the key.
/// `name: Type => |table| expression` is for fields that need more than one key. Fields are read in declaration order;
/// each may use the fields before it and the extra parameters declared with `with`.
macro_rules! definition {
    ($(#[$about:meta])* $public:vis struct $name:ident $(with ($($extra:ident: $extra_kind:ty),*))? {
        $($(#[$doc:meta])* $visible:vis $field:ident: $kind:ty
            $(= $method:ident($($argument:expr),*))? $(=> |$table:ident| $read:expr)?,)*
    }) => {
        $(#[$about])*
        $public struct $name {$($(#[$doc])* $visible $field: $kind,)*}

        impl $name {
            /// Reads the table; invalid keys are recorded as errors.
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
