//! Names of files as the protocol writes them: `file:///home/a%20b.upc`.

use lsp_types::Uri;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

/// Bytes that a path keeps in a URI.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte)
}

/// Returns the URI of an absolute path. `None`: it is not UTF-8.
pub fn of_path(path: &Path) -> Option<Uri> {
    let mut text = "file://".to_owned();
    for byte in path.to_str()?.bytes() {
        if is_plain(byte) {
            text.push(byte as char);
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    Uri::from_str(&text).ok()
}

/// Returns the path of a URI. `None`: it does not name a file.
pub fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let Some((&first, after)) = left.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|code| u8::from_str_radix(str::from_utf8(code).ok()?, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                left = &after[2..];
            }
            None => {
                bytes.push(first);
                left = after;
            }
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris() {
        let path = Path::new("/tmp/a b/ä%+.upc");
        let uri = of_path(path).unwrap();
        assert_eq!(uri.as_str(), "file:///tmp/a%20b/%C3%A4%25%2B.upc");
        assert_eq!(to_path(&uri).as_deref(), Some(path));
        let host = Uri::from_str("file://localhost/x.upc").unwrap();
        assert_eq!(to_path(&host).as_deref(), Some(Path::new("/x.upc")));
        let other = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(to_path(&other), None);
    }
}
