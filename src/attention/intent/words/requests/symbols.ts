// Emoji that are requests by themselves, the same in every language.
// With words they go along.

import type { RequestWords } from './shape.ts';

export const symbols: RequestWords = {
  halt: '🛑',
  hush: '🤫, 🤐, 🔇',
  around: '👋, 😄, 😊, 🙏, 😅',
};
