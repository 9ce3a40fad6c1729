//! A macro that declares a definition table as a struct, with the reader method of each field.

/// Declares a table of a definition file as a struct with a `read` function.
///
/// `name: Type = method(arguments)` calls that method of [`Reader`](super::Reader) with the field's name as the key.
/// `name: Type => |table| expression` is for fields that need more than one key. Fields are read in declaration order;
/// each may use the fields before it and the extra parameters declared with `with`. The doc comments are the help that
/// [`fields_of`](super::fields_of) gives.
///
/// With `written` after the name, the fields are also written in declaration order, by [`FileField`](super::FileField).
macro_rules! definition {
    ($(#[$($about:tt)*])* $public:vis struct $name:ident written {$($body:tt)*}) => {
        $crate::data::definition! { $(#[$($about)*])* $public struct $name {$($body)*} }
        $crate::data::written! { $name {$($body)*} }
    };
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

/// Adds a function that returns the fields of a definition as keys and TOML values.
macro_rules! written {
    ($name:ident {
        $($(#[$($doc:tt)*])* $visible:vis $field:ident: $kind:ty
            $(= $method:ident($($argument:expr),*))? $(=> |$table:ident| $read:expr)?,)*
    }) => {
        impl $name {
            /// Returns the fields of a file, without those that are not set and those with tables of their own.
            pub(crate) fn written(&self) -> Vec<$crate::data::WrittenField> {
                let mut fields = Vec::new();
                $($crate::data::FileField::write(&self.$field, stringify!($field), &mut fields);)*
                fields
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
pub(crate) use written;
