// The small texts of an event, without secrets: display names, names of attachments, titles, what an obligation's author
// will do, an eta. They are cleaned before the event is stored, so that no way out (deliveries, knocks, prompts, read
// tools, log pages, webhooks, MCP) can show one. The text of a message stays whole in the log, because the decision
// reads it; its spans are cut out wherever it is shown.
import { type ChatEvent, EVENT_LIMITS } from '../../protocol/chat-event.ts';
import { redact, type Spans } from './redact.ts';

/** The event without secrets in its small texts. The same object when there are none. */
export function withoutSecretNames(event: ChatEvent, find: (text: string) => Spans): ChatEvent {
  const texts = smallTexts(event);
  if (texts.every((text) => find(text).length === 0)) return event;
  return cleaned(event, texts, texts.map(find));
}

function smallTexts(event: ChatEvent): string[] {
  const { author, conversation } = event;
  const texts: string[] = [];
  const add = (text: string | undefined): void => {
    if (text !== undefined && text !== '') texts.push(text);
  };
  add(author.displayName);
  add(conversation.title);
  if ('attachments' in event) for (const { name } of event.attachments ?? []) add(name);
  if (event.type === 'message') add(event.obligation?.defaultAction);
  if (event.type === 'reaction') add(event.eta);
  return texts;
}

function cleaned(event: ChatEvent, texts: readonly string[], found: readonly Spans[]): ChatEvent {
  const clean = new Map(texts.map((text, index) => [text, redact(text, found[index] ?? [])]));
  const of = (text: string, chars: number): string => (clean.get(text) ?? text).slice(0, chars);
  const { nameChars, defaultActionChars } = EVENT_LIMITS;
  const next: ChatEvent = {
    ...event,
    author: withText(event.author, 'displayName', (name) => of(name, nameChars)),
    conversation: withText(event.conversation, 'title', (title) => of(title, nameChars)),
  };
  if ('attachments' in next && next.attachments !== undefined)
    next.attachments = next.attachments.map((one) => withText(one, 'name', (name) => of(name, nameChars)));
  if (next.type === 'message' && next.obligation !== undefined)
    next.obligation = withText(next.obligation, 'defaultAction', (text) => of(text, defaultActionChars));
  return next.type === 'reaction' ? withText(next, 'eta', (eta) => of(eta, nameChars)) : next;
}

function withText<T extends object>(value: T, key: keyof T, of: (text: string) => string): T {
  const text = value[key];
  return typeof text === 'string' ? { ...value, [key]: of(text) } : value;
}
