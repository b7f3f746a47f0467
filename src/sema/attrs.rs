//! Attributes that change types or layout, and `#pragma pack`. Not built yet.
