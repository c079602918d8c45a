// What was said in a thread before, for the host's context. The body of the issue is handed over by itself.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { instantMs } from '../../protocol/log-record.ts';
import { withoutMarks } from '../../protocol/source-event.ts';
import type { HistoryRequest } from '../surface.ts';
import { readList } from './lists.ts';
import type { Login } from './login.ts';
import { reviewCommentSchema } from './payload.ts';
import { threadOf } from './place.ts';
import { type Known, readComment, readReviewComment } from './read-message.ts';

/** Older comments are no context for the host. */
const AGE_MS = 24 * 3_600_000;
const PAGES = 3;

export async function historyOf(
  login: Login,
  known: Known,
  { place, before, limit }: HistoryRequest,
): Promise<ChatEvent[]> {
  const thread = threadOf(place);
  const api = thread === undefined ? undefined : login.apiFor(thread.owner);
  if (thread === undefined || api === undefined) return [];
  const { owner, repo, number, review } = thread;
  const listed = await readList(api, {
    route: `GET /repos/{owner}/{repo}/${review === undefined ? 'issues' : 'pulls'}/{number}/comments`,
    args: { owner, repo, number },
    schema: reviewCommentSchema,
    since: before - AGE_MS,
    pages: PAGES,
  });
  if (!listed.ok) throw new Error(`GitHub did not tell the history: ${listed.failure.error}`);
  const where = { repository: `${owner}/${repo}`, number, review };
  // What is newer may be news that was missed, and is told as such.
  const until = Math.min(before, known.heardUntil(where.repository));
  return listed.value.items
    .filter(({ id, in_reply_to_id: first }) => review === undefined || (first ?? id) === review)
    .filter(({ created_at: at }) => instantMs(at) < until)
    .slice(-limit)
    .map((comment) =>
      withoutMarks((review === undefined ? readComment : readReviewComment)(comment, where, known)),
    );
}
