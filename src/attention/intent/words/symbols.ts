// Emoji that have a meaning of their own, the same in every language. All others are decoration and are ignored.
// Skin tones and variation selectors are dropped before the lookup.

import type { IntentWords } from './shape.ts';

export const symbols: IntentWords = {
  thanks: '🙏, 🙇, 💐',
  ack: '👌, ✅, ✔, ☑, 🫡, 👀, 🆗, 💯',
  praise: '🎉, 🥳, 👏, 🙌, ❤, 💙, 💚, 💜, 🧡, 💛, 🔥, 🚀, 😍, 🤩, 😊, 💪',
  yes: '👍, 👌, ✅, 🆗',
  no: '👎, ❌, 🙅, 🚫',
  urgent: '🚨, 🆘',
  filler: '😀, 😂, 🤣, 😅, 🙂, 😉',
};
