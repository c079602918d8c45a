// Sends that wait for a person: what the operator configured as sensitive, and quoting a private conversation elsewhere.
import { foldText } from '../attention/index.ts';
import type { HostContext } from './context.ts';
import type { ConversationState } from './conversation.ts';
import type { SendScene } from './send-rules.ts';

/** The reason a person must agree to first, if there is one. */
export function needsApproval(
  { settings }: Pick<HostContext, 'settings'>,
  scene: SendScene,
  conversation: ConversationState,
): string | undefined {
  const folded = foldText(scene.input.text);
  for (const rule of settings.sensitive) {
    const words = rule.words === undefined || rule.words.some((word) => folded.includes(foldText(word)));
    const agents = rule.agents === undefined || rule.agents.includes(scene.agent);
    const places =
      rule.conversations === undefined || rule.conversations.includes(conversation.place.conversation.id);
    if (words && agents && places) return rule.reason;
  }
  return quotesPrivately(scene) ? 'it answers a private conversation somewhere else' : undefined;
}

/** The answer to a direct message, sent to another place. */
function quotesPrivately({ answers, conversation }: SendScene): boolean {
  if (answers === undefined || answers.conversation === conversation) return false;
  return answers.record.event.conversation.kind === 'dm';
}
