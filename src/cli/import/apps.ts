// The apps of an export: who they are, how much they wrote, and how often people called them. From these the agents are
// chosen when no configuration names any.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { ChatExport } from './chat-export.ts';

export interface App {
  id: string;
  platform: string;
  workspaceId: string;
  name: string;
  posts: number;
  /** Mentions by people, and direct messages to it. */
  calls: number;
}

export interface AppCount {
  see(event: ChatEvent): void;
  /** The most called first, then the most talkative. */
  apps(): App[];
}

/** Slack's own voice, which nobody can replace. */
const PLATFORM_VOICES: ReadonlySet<string> = new Set(['USLACKBOT', 'slack']);

export function countApps(chat: Pick<ChatExport, 'nameOf' | 'isApp'>): AppCount {
  const found = new Map<string, App>();
  const appOf = (id: string, { platform, workspaceId }: ChatEvent): App => {
    const app = found.get(id) ?? { id, platform, workspaceId, name: '', posts: 0, calls: 0 };
    found.set(id, app);
    return app;
  };
  return {
    see(event) {
      if (event.type !== 'message') return;
      const { author, mentions, recipients, conversation } = event;
      if (author.kind !== 'human') {
        const app = appOf(author.id, event);
        app.posts++;
        app.name ||= author.displayName ?? '';
        return;
      }
      for (const { kind, id } of mentions ?? []) if (kind === 'agent') appOf(id, event).calls++;
      if (conversation.kind !== 'dm') return;
      for (const id of recipients ?? []) if (chat.isApp(id)) appOf(id, event).calls++;
    },
    apps: () =>
      [...found.values()]
        .filter(({ id }) => !PLATFORM_VOICES.has(id))
        .map((app) => ({ ...app, name: app.name || (chat.nameOf(app.id) ?? app.id) }))
        .toSorted((a, b) => b.calls - a.calls || b.posts - a.posts),
  };
}
