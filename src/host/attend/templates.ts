// The few sentences the host posts itself, for an agent: short, polite, and never the model's. Nothing else in the host
// speaks; everything else it tells is data.
import type { ConversationMode } from '../../protocol/vocabulary.ts';

type Template = 'leave' | 'stop' | 'mode';

const BY_MODE: Record<ConversationMode, string> = {
  auto: 'Okay, back to normal here.',
  follow: 'Okay, I will follow along here.',
  mention_only: 'Okay, I will only answer here when you mention me.',
  left: 'Okay, I am leaving this conversation. Mention me to bring me back.',
};

export const ACKNOWLEDGEMENTS: Record<Template, Record<ConversationMode, string>> = {
  leave: BY_MODE,
  stop: { ...BY_MODE, mention_only: 'Okay, stopping. Mention me when you need me.' },
  mode: BY_MODE,
};
