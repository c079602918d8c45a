// Whom a line was for, in the word that stands for a person without an account. The agent SDK reads it, so this file
// imports nothing.

/** The line calls somebody, and the host knows only a name for them. */
export const SOMEBODY = 'somebody';
