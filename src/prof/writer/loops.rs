//! Writes the blocks LOOPS and REMARKS.

use super::Writer;
use crate::prof::format::{BlockKind, LoopEntry, put_varint};

impl Writer<'_> {
    pub(super) fn loops(&mut self, file: &mut Vec<u8>) {
        let tables = &self.of.tables;
        let mut entries = Vec::new();
        for of in &tables.loops {
            let first = &tables.sites[of.first.0 as usize];
            let name = tables.text(first.file);
            entries.push(LoopEntry::File as u8);
            put_varint(&mut entries, name.len() as u64);
            entries.extend(name.as_bytes());
            entries.push(match tables.kind(of.kind).name.as_str() {
                "for loop" => LoopEntry::For,
                "while loop" => LoopEntry::While,
                _ => LoopEntry::Do,
            } as u8);
            for number in [first.line, first.column, of.last.0, of.last.1] {
                put_varint(&mut entries, number.into());
            }
        }
        if !entries.is_empty() {
            self.block(BlockKind::Loops, &entries, file);
        }
    }

    pub(super) fn remarks(&mut self, file: &mut Vec<u8>) {
        let tables = &self.of.tables;
        let mut entries = Vec::new();
        let put_text = |entries: &mut Vec<u8>, text: &str| {
            put_varint(entries, text.len() as u64);
            entries.extend(text.as_bytes());
        };
        for (&(of, line, column), &remark) in &tables.remarks {
            put_text(&mut entries, tables.text(of));
            put_varint(&mut entries, line.into());
            put_varint(&mut entries, column.into());
            put_text(&mut entries, tables.text(remark));
        }
        if !entries.is_empty() {
            self.block(BlockKind::Remarks, &entries, file);
        }
    }
}
