// The message behind a link of GitHub: `https://github.com/acme/app/issues/12#issuecomment-345`.
import type { SurfacePlace } from '../surface.ts';
import { conversationOf, issueId, messageId, PLATFORM } from './place.ts';

const PATH = /^\/([\w.-]+\/[\w.-]+)\/(?:issues|pull)\/(\d+)(?:\/(?:files|changes))?\/?$/;
const HASHES = [
  [/^#issuecomment-(\d+)$/, 'comment'],
  [/^#discussion_r(\d+)$/, 'review_comment'],
  [/^#r(\d+)$/, 'review_comment'],
  [/^#pullrequestreview-(\d+)$/, 'review'],
] as const;

/** Undefined: it is no link to an issue or pull request there. A link to a review comment does not say in which thread. */
export function messageAt(
  link: string,
  workspaceId: string,
): { place: SurfacePlace; platformId: string } | undefined {
  const url = URL.parse(link);
  const [, repository, digits] = PATH.exec(url?.pathname ?? '') ?? [];
  if (url === null || repository === undefined || url.hostname !== workspaceId) return undefined;
  const number = Number(digits);
  for (const [pattern, kind] of HASHES) {
    const id = pattern.exec(url.hash)?.[1];
    if (id === undefined) continue;
    const review = kind === 'review_comment' ? Number(id) : undefined;
    return { place: placeOf({ repository, number, review }), platformId: messageId(kind, Number(id)) };
  }
  if (url.hash !== '' && !/^#issue-\d+$/.test(url.hash)) return undefined;
  return { place: placeOf({ repository, number }), platformId: issueId(number) };

  function placeOf(where: Parameters<typeof conversationOf>[0]): SurfacePlace {
    const { id, parentId = '' } = conversationOf(where);
    return { platform: PLATFORM, workspaceId, conversationId: id, parentId };
  }
}
