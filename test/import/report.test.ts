// The report: its numbers are those of the replay, its examples have reasons, and nothing in an export can be more in it
// than text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attentionSettingsSchema } from '../../src/attention/settings.ts';
import { barsOf } from '../../src/cli/report/chart.ts';
import { html } from '../../src/cli/report/html.ts';
import { percent } from '../../src/cli/report/numbers.ts';
import { reportPage } from '../../src/cli/report/page.ts';
import { createReport } from '../../src/cli/report/report.ts';
import { spreadOf } from '../../src/cli/report/spread.ts';
import { EXAMPLES, examplesOf } from '../../src/cli/report/tally.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import { earshot } from '../replay/fake-io.ts';
import { hostileExport } from './hostile-export.ts';
import { newFolder, zipped } from './made-export.ts';

let lines = 0;
function said(text: string, more: Partial<ChatEvent> = {}): ChatEvent {
  lines++;
  return {
    type: 'message',
    eventId: `e${lines}`,
    at: Date.UTC(2026, 9, 1) + lines * 60_000,
    platform: 'slack',
    workspaceId: 'T1',
    conversation: { id: 'C1', kind: 'channel', title: '#general' },
    author: { id: 'U1', kind: 'human', displayName: 'Ada' },
    text,
    ...more,
  } as ChatEvent;
}

function counted(events: readonly ChatEvent[], ...agents: string[]) {
  const settings = attentionSettingsSchema.parse({ agents: agents.map((id) => ({ id })) });
  const report = createReport(settings);
  for (const event of events) report.feed(event);
  return report.tally;
}

const page = (tally: ReturnType<typeof counted>): string =>
  reportPage({ source: 'acme.zip', tally, chosen: [], caveats: [], account: [] });

describe('the count', () => {
  const tally = counted(
    [
      said('@lead is the build green?'),
      said('@lead thanks!'),
      said('lunch?', { author: { id: 'U2', kind: 'human' } }),
      said('@builder please look'),
      said('the build is green', { author: { id: 'lead', kind: 'agent' } }),
      said('in a thread', { conversation: { id: 't1', kind: 'thread', parentId: 'C1' } }),
    ],
    'lead',
    'builder',
  );
  const [lead] = tally.agents;

  it('has turns spent beside those of simpler agents, for each agent and room', () => {
    expect(lead).toMatchObject({ id: 'lead', posts: 1, mentionsSpared: 1, unmentioned: 0 });
    expect(lead?.totals).toMatchObject({ messages: 5, turns: 1, mentionTurns: 2, everythingTurns: 5 });
    expect([...(lead?.rooms ?? [])]).toMatchObject([['C1', { messages: 5, turns: 1 }]]);
    expect([...(lead?.woken ?? [])]).toEqual([['mention', 1]]);
    expect([...(lead?.wokenBy ?? [])]).toEqual([['U1', 1]]);
    expect(Object.fromEntries(lead?.quiet ?? [])).toMatchObject({ thanks: 1, addressed_elsewhere: 1 });
  });

  it('has each day once, whatever the number of agents', () => {
    expect([...tally.days]).toMatchObject([['2026-10-01', { messages: 6, turns: 2, mentionTurns: 3 }]]);
  });

  it('leaves out what another agent is told in private', () => {
    const direct = { conversation: { id: 'D1', kind: 'dm' as const }, recipients: ['agent:lead'] };
    const [first, second] = counted([said('hello', direct)], 'lead', 'builder').agents;
    expect(first?.totals).toMatchObject({ messages: 1, turns: 1 });
    expect(second?.totals).toMatchObject({ messages: 0, everythingTurns: 0 });
    const alone = counted([said('hello', direct)], 'builder').agents[0];
    expect(alone?.totals).toMatchObject({ messages: 0, everythingTurns: 0 });
  });
});

describe('the examples', () => {
  const many = Array.from({ length: 400 }, (_, n) =>
    said(n % 20 === 0 ? `@lead is ${n} green?` : n % 50 === 7 ? '@lead thanks!' : `line ${n}`, {
      author: { id: `U${n % 97}`, kind: 'human' },
    }),
  );
  const tally = counted(many, 'lead');
  const [lead] = tally.agents;
  if (lead === undefined) throw new Error('one agent was counted');

  it('are ten of each side, of every reason that there was, in the order of time', () => {
    for (const side of ['woken', 'quiet'] as const) {
      const chosen = examplesOf(lead, side);
      expect(chosen).toHaveLength(EXAMPLES);
      expect(new Set(chosen.map(({ event }) => event.eventId)).size).toBe(EXAMPLES);
      const times = chosen.map(({ event }) => Number(event.at));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
    const reasons = new Set(examplesOf(lead, 'quiet').map(({ decision }) => decision.reason));
    expect(reasons).toEqual(new Set(lead.quiet.keys()));
  });

  it('say why in words', () => {
    const text = page(tally);
    expect(text.match(/<div class="example">/g)).toHaveLength(2 * EXAMPLES);
    expect(text).toContain('<span class="chip woken">it is mentioned</span>');
    expect(text).toContain('<span class="chip quiet">this is thanks or an acknowledgement</span>');
    expect(text).toContain('<li>What decided: the message mentions this agent');
  });

  it.each(['claim-7K2M-Q9XZ', 'ｃｌａｉｍ-7K2M-Q9XZ', 'ghp_7K2Mefghijklmnopqrstuvwxyz0123456789'])(
    'do not show %s',
    (secret) => {
      const text = page(counted([said(`@lead can you use ${secret} now?`)], 'lead'));
      expect(text).toContain('@lead can you use');
      expect(text).not.toContain('7K2M');
    },
  );
});

it('keeps a few of many, spread over all of them', () => {
  const spread = spreadOf<number>(10);
  for (let n = 0; n < 10_000; n++) spread.offer(n);
  const kept = spread.kept();
  expect(kept).toHaveLength(10);
  for (const [index, n] of kept.entries()) {
    expect(n).toBeGreaterThanOrEqual(index * 800);
    expect(n).toBeLessThan((index + 1) * 1_100);
  }
});

describe('the chart', () => {
  const day = { messages: 1, turns: 0, mentionTurns: 0, everythingTurns: 0 };
  it.each([
    ['2026-10-31', 'day', 31],
    ['2027-03-31', 'week', 26],
    ['2029-09-30', 'month', 36],
  ])('until %s has a bar for each %s, empty ones too', (last, unit, count) => {
    const made = barsOf(
      new Map([
        ['2026-10-01', day],
        [last, day],
      ]),
    );
    expect([made.unit, made.bars.length]).toEqual([unit, count]);
    expect(made.bars.reduce((sum, { messages }) => sum + messages, 0)).toBe(2);
  });
});

it.each([
  [0, 0, '0 %'],
  [1, 1_000, 'under 1 %'],
  [999, 1_000, 'over 99 %'],
  [10, 10, '100 %'],
  [1, 3, '33 %'],
])('writes %i of %i as %s', (part, whole, text) => {
  expect(percent(part, whole)).toBe(text);
});

it('escapes every value of a template, in text and in attributes', () => {
  const evil = `"><script>alert(1)</script>'&`;
  expect(html`<p title="${evil}">${[evil, html`<b>${evil}</b>`]}</p>`.text).toBe(
    `<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;">&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;<b>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;</b></p>`,
  );
});

it('a hostile export is only text in the report', async () => {
  const report = join(newFolder(), 'report.html');
  const { code, err } = await earshot([
    'import',
    'slack',
    zipped(hostileExport()),
    '--report',
    report,
    '--agent',
    'Evil<img src=x onerror=pwned()>',
  ]);
  expect([code, err]).toEqual([0, '']);
  const text = readFileSync(report, 'utf8');
  const tags = new Set([...text.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag));
  for (const tag of ['script', 'img', 'iframe', 'object', 'link', 'base', 'form'])
    expect([...tags]).not.toContain(tag);
  expect(text).not.toMatch(/<[^>]*\son\w+=/i);
  expect(text).not.toMatch(/(?:src|href)="(?!#)/);
  expect(text).toContain('&lt;script&gt;');
  expect(text).toContain(`content="default-src &#39;none&#39;`);
});
