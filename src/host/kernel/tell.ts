// Telling the news of a commit: deliveries made without their event at hand get it from the log first.
import type { HostContext, HostNews } from './context.ts';

export async function tellAll(context: HostContext, all: readonly HostNews[]): Promise<void> {
  for (const news of all) {
    if (news.type === 'deliver' && news.event === undefined) {
      context.bus.tell({ ...news, event: await context.store.get('log', news.delivery.source) });
    } else {
      context.bus.tell(news);
    }
  }
}
