//! Tests the pages that show programs and what they print: the tutorial and the page about data races.
//! `UPDATE=1 cargo test --test tutorial` writes the answers into the pages.

#[path = "common/page.rs"]
mod page;

#[test]
fn the_tutorial_prints_what_it_says() {
    page::check("docs/tutorial.md");
}

#[test]
fn the_programs_with_races_draw_the_reports_that_the_page_shows() {
    page::check("docs/races.md");
}
