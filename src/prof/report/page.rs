//! The page: the template with its style, its script, and the data.

use super::Data;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use sha2::{Digest, Sha256};
use std::io::{self, Write};

const TEMPLATE: &str = include_str!("page/report.html");
const STYLE: &str = include_str!("page/report.css");

/// The script, by section. `page/main.js` comes last and starts the page.
#[rustfmt::skip]
const SCRIPTS: &[&str] = &[
    include_str!("page/data.js"),
    include_str!("page/place.js"),
    include_str!("page/draw.js"),
    include_str!("page/levels.js"),
    include_str!("page/timeline.js"),
    include_str!("page/flame.js"),
    include_str!("page/matrix.js"),
    include_str!("page/balance.js"),
    include_str!("page/source.js"),
    include_str!("page/distribution.js"),
    include_str!("page/findings.js"),
    include_str!("page/main.js"),
];

/// Writes the page.
///
/// # Errors
/// Those of `out`.
pub fn write(data: &Data, out: &mut dyn Write) -> io::Result<()> {
    let script = SCRIPTS.concat();
    let json = serde_json::to_string(data).map_err(io::Error::other)?;
    let (large, small): (Vec<_>, Vec<_>) = data.findings.iter().partition(|it| it.is_large);
    let values = context! {
        policy => policy(&script),
        style => STYLE,
        script => script,
        data => inert(&json),
        run => Serde(&data.run),
        findings => Serde(large),
        others => Serde(small),
        has_trace => data.timeline.is_some(),
        forecasts => Serde(&data.forecasts),
        difference => Serde(data.difference.as_ref().map(|of| of.shown())),
        scaling => Serde(&data.scaling),
        categories => Serde(&data.categories),
        facts => Serde(&data.facts),
        incomplete => Serde(&data.incomplete),
        version => env!("CARGO_PKG_VERSION"),
    };
    let mut environment = Environment::new();
    // The name's ending tells the engine to escape what it inserts.
    environment
        .add_template("report.html", TEMPLATE)
        .and_then(|()| environment.get_template("report.html")?.render(values))
        .map_err(io::Error::other)
        .and_then(|page| out.write_all(page.as_bytes()))
}

/// Returns JSON that cannot end the element that it is in: `<` occurs in its strings only.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Returns the content security policy: nothing is loaded, and this script and this style alone are used.
fn policy(script: &str) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(STYLE)
    )
}
