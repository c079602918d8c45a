import { describe, expect, it } from 'vitest';
import type { OutboundQuestion } from '../surface.ts';
import { askOf, choiceOf, decidedOf, type QuestionOptions } from './question.ts';

const OPTIONS: QuestionOptions = {
  markdown: true,
  markdownBlock: true,
  persona: true,
  nameOf: (id) => (id === 'U1' ? 'Ada' : undefined),
};

function question(more: Partial<OutboundQuestion> = {}): OutboundQuestion {
  return {
    idempotencyKey: 'lead/ack-approval:1',
    eventId: 'out_1',
    createdAt: 0,
    agent: 'lead',
    persona: { name: 'Lead', icon: ':robot:' },
    place: { platform: 'slack', workspaceId: 'T1', conversationId: '1.1', parentId: 'C1' },
    text: 'May I?',
    part: { number: 1, of: 1 },
    visibility: 'thread',
    mentions: [],
    choices: [
      { id: 'yes', label: 'Yes', style: 'primary' },
      { id: 'no', label: 'No' },
    ],
    ...more,
  };
}

interface Block {
  type: string;
  text?: { text: string } | string;
  elements?: { action_id?: string; text?: unknown }[];
}
const blocksOf = (args: Record<string, unknown> | undefined): Block[] => args?.['blocks'] as Block[];

describe('a question', () => {
  it('is a message with its text in a block and once more for notifications, and a button for each choice', () => {
    const args = askOf(question(), OPTIONS);
    expect(args).toEqual({
      channel: 'C1',
      thread_ts: '1.1',
      username: 'Lead',
      icon_emoji: ':robot:',
      metadata: { event_type: 'earshot', event_payload: { key: 'lead/ack-approval:1', agent: 'lead' } },
      text: 'May I?',
      blocks: [
        { type: 'markdown', text: 'May I?' },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              action_id: 'earshot:yes',
              text: { type: 'plain_text', text: 'Yes' },
              value: 'lead/ack-approval:1',
              style: 'primary',
            },
            {
              type: 'button',
              action_id: 'earshot:no',
              text: { type: 'plain_text', text: 'No' },
              value: 'lead/ack-approval:1',
            },
          ],
        },
      ],
    });
    expect([choiceOf('earshot:yes'), choiceOf('another')]).toEqual(['yes', undefined]);
  });

  it.each([true, false])('pings only whom it mentions (Markdown in blocks: %s)', (markdownBlock) => {
    const mentions = [{ identity: 'human:U1', name: 'U1', account: 'U1' }];
    const text = '@Ada <!channel> @here <@U2>: may I?';
    const args = askOf(question({ text, mentions }), { ...OPTIONS, markdownBlock });
    for (const shown of [JSON.stringify(args?.['blocks']), String(args?.['text'])]) {
      expect(shown.match(/<[@!][^>]*>/g)).toEqual(['<@U1>']);
      expect(shown).not.toMatch(/@here/);
    }
  });

  it('is cut between words where it goes into sections, and its buttons into rows', () => {
    const text = 'one & two '.repeat(700).trim();
    const choices = Array.from({ length: 30 }, (_, n) => ({ id: `c${n}`, label: 'x'.repeat(100) }));
    const blocks = blocksOf(askOf(question({ text, choices }), { ...OPTIONS, markdownBlock: false }));
    const sections = blocks.flatMap((block) => (typeof block.text === 'object' ? [block.text.text] : []));
    expect(sections.length).toBeGreaterThan(2);
    expect(Math.max(...sections.map(({ length }) => length))).toBeLessThanOrEqual(3_000);
    expect(sections.join(' ')).toBe(text.replaceAll('&', '&amp;'));
    const rows = blocks.flatMap(({ elements }) => (elements === undefined ? [] : [elements]));
    expect(rows.map(({ length }) => length)).toEqual([25, 5]);
    expect(rows[0]?.[0]?.text).toEqual({ type: 'plain_text', text: 'x'.repeat(75) });
  });

  it('that is too long for Slack is none', () => {
    expect(askOf(question({ text: 'x'.repeat(12_001) }), OPTIONS)).toBeUndefined();
  });

  it('has no buttons once it is decided, and a name in it pings nobody', () => {
    const args = decidedOf({ ...question(), platformId: '2.2', outcome: 'Approved by <!channel>.' }, OPTIONS);
    expect(args).toMatchObject({
      channel: 'C1',
      ts: '2.2',
      metadata: { event_payload: { key: 'lead/ack-approval:1' } },
    });
    expect(blocksOf(args).map(({ type }) => type)).toEqual(['markdown', 'context']);
    expect(JSON.stringify(args)).not.toContain('<!channel>');
    expect(args['text']).toMatch(/^May I\?\nApproved by /);
  });
});
