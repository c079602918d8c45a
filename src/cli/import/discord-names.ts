// Who is who in a Discord export: learnt from the messages themselves, because no file of it lists the members.
import { EVENT_LIMITS } from '../../protocol/chat-event.ts';
import type { ChannelFile, DiscordMessage, DiscordUser } from './discord-message.ts';
import type { DiscordNames } from './discord-text.ts';
import { IMPORT_LIMITS } from './limits.ts';

export interface LearntNames extends DiscordNames {
  learnChannel(channel: ChannelFile['channel']): void;
  learnFrom(message: DiscordMessage): void;
  /** The apps that wrote among these messages. */
  appsIn(messages: readonly DiscordMessage[]): string[];
}

export function createDiscordNames(): LearntNames {
  const names = new Map<string, string>();
  const bots = new Set<string>();
  const learn = ({ id, name, nickname, isBot }: DiscordUser): void => {
    const shown = nickname || name;
    if (shown && names.size < IMPORT_LIMITS.names) names.set(id, shown.slice(0, EVENT_LIMITS.nameChars));
    if (isBot === true) bots.add(id);
  };
  return {
    nameOf: (id) => names.get(id),
    isBot: (id) => bots.has(id),
    learnChannel: ({ id, name }) => {
      if (name) names.set(id, name);
    },
    learnFrom({ author, mentions }) {
      learn(author);
      for (const one of mentions ?? []) learn(one);
    },
    appsIn: (messages) => [
      ...new Set(messages.flatMap(({ author }) => (author.isBot === true ? [author.id] : []))),
    ],
  };
}
