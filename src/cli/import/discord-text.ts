// Discord's text as people read it. Discord writes whom and what it means in angle brackets; DiscordChatExporter mostly
// writes the names already, and then nothing is left to do.
import { EVENT_LIMITS, type Mention } from '../../protocol/chat-event.ts';

export interface DiscordNames {
  /** Of a person, an app or a channel, by id. */
  nameOf(id: string): string | undefined;
  isBot(id: string): boolean;
}

const TOKEN = /<(@!?|@&|#|a?:\w+:|t:|\/[^:<>]+:)(\d+)(?::\w)?>/g;

/** `mentioned`: whom the export says it mentions, beside those in the text. */
export function readDiscordText(
  raw: string,
  mentioned: readonly string[],
  names: DiscordNames,
): { text: string; mentions: Mention[] } {
  const mentions = new Map<string, Mention>();
  const mention = (kind: Mention['kind'], id: string): void => {
    if (mentions.size < EVENT_LIMITS.mentions) mentions.set(`${kind}:${id}`, { kind, id });
  };
  const person = (id: string): void => mention(names.isBot(id) ? 'agent' : 'human', id);
  for (const id of mentioned) person(id);
  const text = raw.replaceAll(TOKEN, (_, kind: string, id: string) => {
    if (kind === '@' || kind === '@!') {
      person(id);
      return `@${names.nameOf(id) ?? id}`;
    }
    if (kind === '@&') {
      mention('role', id);
      return `@${names.nameOf(id) ?? id}`;
    }
    if (kind === '#') return `#${names.nameOf(id) ?? id}`;
    if (kind === 't:') return timeText(Number(id));
    // An emoji of the server, or a command.
    return kind.startsWith('/') ? kind.slice(0, -1) : kind.replace(/^a/, '');
  });
  return { text: text.slice(0, EVENT_LIMITS.textChars), mentions: [...mentions.values()] };
}

function timeText(seconds: number): string {
  const at = new Date(seconds * 1_000);
  return Number.isNaN(at.getTime()) ? String(seconds) : at.toISOString();
}
