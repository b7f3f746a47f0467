//! Values of options that `upcc` and `upcrun` share.

use super::optspec::Hit;
use super::settings::MAX_THREADS;
use crate::cli::Failure;
use crate::target::Pointers;

/// Reads a number of threads.
pub fn thread_count(hit: &Hit) -> Result<u32, Failure> {
    let count = hit
        .value
        .parse()
        .ok()
        .filter(|count| (1..=MAX_THREADS).contains(count));
    count.ok_or_else(|| {
        let typed = hit.typed.join(" ");
        Failure::usage(format!(
            "`{typed}`: the number of threads must be from 1 to {MAX_THREADS}"
        ))
    })
}

/// Reads `P,T,A`, the bits of phase, thread and address of a packed pointer-to-shared.
pub fn packed_bits(hit: &Hit) -> Result<Pointers, Failure> {
    let bits: Vec<u32> = hit.value.split(',').map_while(|n| n.parse().ok()).collect();
    match bits[..] {
        [phase @ 1..=30, thread @ 1..=20, address]
            if hit.value.split(',').count() == 3
                && address >= 20
                && address == 64 - phase - thread =>
        {
            Ok(Pointers::Packed { phase, thread })
        }
        _ => Err(Failure::usage(format!(
            "`{}`: give the bits of phase (1 to 30), thread (1 to 20) and address (20 or more), 64 together, such as 20,10,34",
            hit.typed.join(" ")
        ))),
    }
}

/// Reads a size of the shared heap as the runtime does: a number (of MB), optionally followed by K, M, G or T (and B,
/// iB), or a percentage.
pub fn heap_size(hit: &Hit) -> Result<String, Failure> {
    let digits = hit.value.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = hit.value.split_at(digits);
    let unit = unit.to_ascii_lowercase();
    let unit = unit
        .strip_suffix("ib")
        .or_else(|| unit.strip_suffix('b'))
        .unwrap_or(&unit);
    let known = ["", "k", "m", "g", "t", "%"].contains(&unit)
        && !(unit.is_empty() && hit.value.len() > digits);
    let positive = number
        .parse::<u64>()
        .is_ok_and(|number| number > 0 && (unit != "%" || number <= 100));
    if known && positive {
        return Ok(hit.value.clone());
    }
    let typed = hit.typed.join(" ");
    Err(Failure::usage(format!(
        "`{typed}`: give a size such as 64MB, 2GB or 50% (a plain number counts MB)"
    )))
}
