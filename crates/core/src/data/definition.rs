//! A macro that declares a definition table as a struct, with the reader method of each field.

/// Declares a table of a definition file as a struct with a `read` function.
///
/// `name: Type = method(arguments)` calls that method of [`Reader`](super::Reader) with the field's name as the key.
/// `name: Type => |table| expression` is for fields that need more than one key. Fields are read in declaration order;
/// each may use the fields before it and the extra parameters declared with `with`. The doc comments are the help that
/// [`fields_of`](super::fields_of) gives.
macro_rules! definition {
    ($(#[$($about:tt)*])* $public:vis struct $name:ident $(with ($($extra:ident: $extra_kind:ty),*))? {
        $($(#[$($doc:tt)*])* $visible:vis $field:ident: $kind:ty
            $(= $method:ident($($argument:expr),*))? $(=> |$table:ident| $read:expr)?,)*
    }) => {
        $(#[$($about)*])*
        $public struct $name {$($(#[$($doc)*])* $visible $field: $kind,)*}

        impl $name {
            /// Reads the table; invalid keys are recorded as errors.
            pub(crate) fn read(
                reader: &mut $crate::data::Reader<'_>,
                $($($extra: $extra_kind,)*)?
            ) -> Self {
                reader.listed.set_about_table(concat!($($crate::data::doc_text!($($about)*)),*));
                $(
                    reader.about(concat!($($crate::data::doc_text!($($doc)*)),*));
                    $(let $field = reader.$method(stringify!($field), $($argument),*);)?
                    $(let $field = { let $table = &mut *reader; $read };)?
                )*
                Self {$($field,)*}
            }
        }
    };
}

/// Expands to the text of a doc comment, and to an empty text for any other attribute.
macro_rules! doc_text {
    (doc = $text:literal) => {
        $text
    };
    ($($other:tt)*) => {
        ""
    };
}

pub(crate) use definition;
pub(crate) use doc_text;
