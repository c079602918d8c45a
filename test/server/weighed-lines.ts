// Lines that name nobody and may be for an agent, as the scorer weighs them: Ann asks lead, gets an answer, Bob says
// something to the room, and Ann says something. In the settings a line is no fragment of the one before, because nobody waits here.
// The lines come milliseconds apart or at once, and the scorer must weigh them alike: it gives this one .69 either way.
import { type Listening, message } from './up.ts';

export const WEIGHED_SETTINGS = 'agents:\n  - id: lead\nlimits:\n  composeMs: 0\n';
export const WEIGHED_LINE = 'the cache was cold this morning though';

/** Each round in a room of its own. Answers with the ids of the lines. */
export async function weighedLines(host: Listening, rounds: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < rounds; n++) {
    const conversation = { id: `room-${n}`, kind: 'channel' };
    const people = { conversation, membership: { humans: 4, agents: 1, complete: true } };
    const by = (id: string) => ({ ...people, author: { id, kind: 'human', displayName: id } });
    const asked = message('@lead is the deploy green?', by('ann'));
    const lead = { ...people, author: { id: 'lead', kind: 'agent' }, inReplyTo: asked.eventId };
    const answer = message('It is green.', lead);
    const line = message(WEIGHED_LINE, by('ann'));
    const aside = message('the build is slow today', by('bob'));
    await host.post([message('morning', by('bob')), asked, answer, aside, line]);
    ids.push(line.eventId);
  }
  return ids;
}
