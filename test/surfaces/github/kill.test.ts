// kill -9 of a host that is on GitHub: people comment in issues and open new ones. GitHub tells an event once and never
// again, so whatever a dead host has missed must be found in the lists.
import { onTestFinished } from 'vitest';
import { keyIn } from '../../../src/surfaces/github/write.ts';
import type { Random } from '../../../src/runtime/random.ts';
import { type Held, killTest } from '../kill/kill.ts';
import { BOT, githubHub, type Hub, REPOSITORY, TOKEN, WEBHOOK_SECRET } from './hub.ts';

const CHANCE = { opens: 0.15 };
const issueId = (number: number): string => `issue:${number}`;

killTest('GitHub', async (now) => {
  const hub = await githubHub((end) => onTestFinished(end), now);
  const issues = [await hub.open('ada', 'The build'), await hub.open('bob', 'The docs')];
  const before = new Set(issues.map(issueId));
  const heard = new Map<string, PromiseWithResolvers<void>>();
  const waitFor = (id: string): PromiseWithResolvers<void> => {
    const known = heard.get(id) ?? Promise.withResolvers<void>();
    heard.set(id, known);
    return known;
  };
  const subject = {
    surface: 'github',
    config: `
agents: [{ id: lead }]
host: { limits: { retryBaseMs: 20, sendsPerMinute: 100000, unpromptedPerHour: 10000 } }
surfaces: [{ type: github, events: webhook, repositories: [${REPOSITORY}], apiUrl: "${hub.apiUrl}" }]
`,
    env: { GITHUB_TOKEN: TOKEN, GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET },
    proxy: hub.proxy,
    happened: () => undefined as void,
    reach: (url: string | undefined) =>
      hub.listen(url === undefined ? undefined : `${url}/v1/surfaces/github/events`),
    async say(text: string, asks: boolean, random: Random) {
      const who = random.next() < 0.5 ? 'ada' : 'bob';
      const body = asks ? `@${BOT} ${text}` : text;
      const number = issues[Math.floor(random.next() * issues.length)] ?? 1;
      const opens = random.next() < CHANCE.opens;
      const id = opens ? await hub.open(who, 'Another', body) : await hub.say(who, number, body);
      if (opens) issues.push(id);
      const named = opens ? issueId(id) : `comment:${id}`;
      return { id: named, heard: waitFor(named).promise };
    },
    held: async () => (await heldIn(hub, issues)).filter(({ id }) => !before.has(id)),
  };
  const { tells } = hub;
  hub.tells = (told) => {
    subject.happened();
    return tells(told);
  };
  hub.taken = ({ payload }) => {
    subject.happened();
    const { comment, issue } = payload as { comment?: { id: number }; issue: { number: number } };
    waitFor(comment === undefined ? issueId(issue.number) : `comment:${comment.id}`).resolve();
  };
  return subject;
});

async function heldIn(hub: Hub, issues: readonly number[]): Promise<Held[]> {
  const all = await Promise.all(
    issues.map(async (number) => {
      const { body } = await hub.call<{ body: string }>('ada', `GET /repos/${REPOSITORY}/issues/${number}`);
      const comments = await hub.comments(number);
      const said = comments.map((one) => {
        const key = one.user.login === BOT ? keyIn(one.body) : undefined;
        return { id: `comment:${one.id}`, text: one.body, ...(key !== undefined && { key }) };
      });
      return [{ id: issueId(number), text: body }, ...said];
    }),
  );
  return all.flat();
}
