// Emoji that say something by themselves, the same in every language. All others are decoration and are stripped.
// Skin tones and variation selectors are dropped before the lookup.

import type { IntentWords } from './shape.ts';

export const symbols: IntentWords = {
  thanks: '🙏, 🙇, 💐',
  ack: '👌, ✅, ✔, ☑, 🫡, 👀, 🆗, 💯',
  praise: '🎉, 🥳, 👏, 🙌, ❤, 💙, 💚, 💜, 🧡, 💛, 🔥, 🚀, 😍, 🤩, 😊, 💪',
  yes: '👍, 👌, ✅, 🆗',
  no: '👎, ❌, 🙅, 🚫',
  stop: '🛑, 🤫, 🤐',
  urgent: '🚨, 🆘',
  filler: '😀, 😂, 🤣, 😅, 🙂, 😉',
};
