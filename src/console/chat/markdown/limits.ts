// Every bound on the work that one message can cause. What is beyond one is still shown, as it was written.

/** A longer text is not read as Markdown. */
export const MARKDOWN_CHARS = 64_000;
/** Levels of lists and quotations. A block that is nested deeper is shown as it was written. */
export const NESTING_MAX = 40;
/** Emphasis within emphasis, and links within that. Deeper text is shown without the mark. */
export const INLINE_DEPTH_MAX = 8;
/** A table that may have more cells is shown as it was written. */
export const TABLE_CELLS_MAX = 2_000;
/** Elements of one message. Blocks after them are shown as they were written. */
export const ELEMENTS_MAX = 6_000;
/** Longer code has no colours. */
export const HIGHLIGHT_CHARS = 5_000;
/** A message with more than this is shown in part, with a button for the rest. */
export const SHOWN_CHARS = 4_000;
export const SHOWN_LINES = 40;
