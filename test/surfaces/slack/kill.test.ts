// kill -9 of a host that is on Slack, over Socket Mode: people write in a channel, in its threads and in direct messages.
import { onTestFinished } from 'vitest';
import type { Random } from '../../../src/runtime/random.ts';
import { killTest } from '../kill/kill.ts';
import { socketServer } from './socket-server.ts';
import {
  APP_TOKEN,
  BOT,
  BOT_TOKEN,
  BUILDER_APP_TOKEN,
  BUILDER_TOKEN,
  slackWorkspace,
  type Workspace,
} from './workspace.ts';

const ONE = {
  agents: `[{ id: lead, accounts: [${BOT}] }]`,
  logins: '',
  env: { SLACK_BOT_TOKEN: BOT_TOKEN, SLACK_APP_TOKEN: APP_TOKEN },
};
/** Both apps are in the channel, and each is told everything. */
const TWO = {
  agents: '[{ id: lead }, { id: builder }]',
  logins: `, logins: [{ agents: [lead], botToken: env:A, appToken: env:B }, { agents: [builder], botToken: env:C, appToken: env:D }]`,
  env: { A: BOT_TOKEN, B: APP_TOKEN, C: BUILDER_TOKEN, D: BUILDER_APP_TOKEN },
};

killTest('Slack', (now) => subjectOf(now, ONE));
killTest('Slack with an app for each of two agents', (now) => subjectOf(now, TWO));

async function subjectOf(now: () => number, { agents, logins, env }: typeof ONE | typeof TWO) {
  const slack = await slackWorkspace((end) => onTestFinished(end), now);
  if (logins !== '') await slack.invite('builder');
  const socket = await socketServer(slack, onTestFinished);
  const heard = new Map<string, PromiseWithResolvers<void>>();
  const waitFor = (ts: string): PromiseWithResolvers<void> => {
    const known = heard.get(ts) ?? Promise.withResolvers<void>();
    heard.set(ts, known);
    return known;
  };
  const rooms = [slack.channel, await slack.direct('ada'), await slack.direct('bob')];
  const roots: Place[] = [];
  const subject = {
    surface: 'slack',
    config: `
agents: ${agents}
host: { limits: { retryBaseMs: 20, sendsPerMinute: 100000, unpromptedPerHour: 10000 } }
surfaces: [{ type: slack, apiUrl: "${slack.apiUrl}"${logins} }]
`,
    env,
    proxy: slack.proxy,
    happened: () => undefined as void,
    reach: (url: string | undefined) => void (url === undefined && socket.drop()),
    async say(text: string, asks: boolean, random: Random) {
      const place = placeFor(random, rooms, roots);
      const who = random.next() < 0.5 ? 'ada' : 'bob';
      const ts = await slack.say(directedTo(place, who, rooms), asks ? `<@${BOT}> ${text}` : text, place);
      if (place.thread_ts === undefined) roots.push({ ...place, thread_ts: ts });
      return { id: ts, heard: waitFor(ts).promise };
    },
    held: () => heldIn(slack, rooms),
  };
  const { tells } = slack;
  slack.tells = (told, app) => {
    subject.happened();
    return tells(told, app);
  };
  socket.onAck = ({ event }) => {
    subject.happened();
    waitFor(String(event['ts'])).resolve();
  };
  return subject;
}

interface Place extends Record<string, unknown> {
  channel: string;
  thread_ts?: string;
}

/** A room, or a thread on something that was said before. */
function placeFor(random: Random, rooms: readonly string[], roots: readonly Place[]): Place {
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random.next() * all.length)];
  const thread = random.next() < 0.4 ? pick(roots.slice(-20)) : undefined;
  return thread ?? { channel: (random.next() < 0.7 ? rooms[0] : pick(rooms)) ?? '' };
}

/** Whoever else might speak: a direct message is of one person. */
function directedTo({ channel }: Place, who: 'ada' | 'bob', rooms: readonly string[]): 'ada' | 'bob' {
  if (channel === rooms[1]) return 'ada';
  return channel === rooms[2] ? 'bob' : who;
}

async function heldIn(slack: Workspace, rooms: readonly string[]) {
  const all = await Promise.all(rooms.map((room) => slack.shown(room)));
  return all.flat().map(({ ts, text, user, metadata }) => {
    const key = user === BOT ? metadata?.event_payload?.key : undefined;
    return { id: ts, text, ...(key !== undefined && { key }) };
  });
}
