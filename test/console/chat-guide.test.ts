// The guide's steps are done when what they tell of has happened, and not before.
import { describe, expect, it } from 'vitest';
import { checksOf, isDone } from '../../src/console/chat/guide/progress.ts';
import { isDemo } from '../../src/console/chat/guide/steps.ts';
import { GUIDE } from '../../src/demo/guide.ts';
import type { WebMention, WebMessage } from '../../src/protocol/web-chat.ts';
import { ADA, after, hello, said } from './messages.ts';

const agent = (id: string): WebMessage['author'] => ({ id, kind: 'agent', name: id });
const to = (...names: string[]): WebMention[] =>
  names.map((id) => ({ kind: id === 'oncall' ? 'role' : id === 'ada' ? 'human' : 'agent', id, name: id }));
const named = (id: string) => ({ id, name: id, aliases: [], roles: [], connected: true });
let n = 0;
const mine = (mentions: WebMention[], more: Partial<WebMessage> = {}): WebMessage =>
  said(++n, { author: ADA, mentions, ...more });
const by = (who: string, mentions: WebMention[] = [], more: Partial<WebMessage> = {}): WebMessage =>
  said(++n, { author: agent(who), mentions, ...more });
const seenBy = (who: string): Partial<WebMessage> => ({
  reactions: [{ signal: 'seen', glyph: 'x', by: [agent(who)] }],
});
const argument = Array.from({ length: 6 }, (_, at) =>
  by(at % 2 === 0 ? 'builder' : 'reviewer', to('builder')),
);

const PLAYED: Record<string, { done: WebMessage[]; not: Record<string, WebMessage[]> }> = {
  mention: {
    done: [mine(to('lead')), by('lead')],
    not: {
      'nobody answers': [mine(to('lead'))],
      'another joins in': [mine(to('lead')), by('lead'), by('builder')],
    },
  },
  fragments: {
    done: [mine(to('lead')), mine([]), mine([]), by('lead')],
    not: {
      'each line is answered': [mine(to('lead')), mine([]), mine([]), by('lead'), by('lead')],
      'there were two lines': [mine(to('lead')), mine([]), by('lead')],
    },
  },
  thanks: {
    done: [mine(to('lead'), seenBy('lead'))],
    not: {
      'no sign is there': [mine(to('lead'))],
      'it is answered': [mine(to('lead'), seenBy('lead')), by('lead')],
    },
  },
  role: {
    done: [mine(to('oncall'), { states: [{ agent: 'builder', state: 'answered' }] }), by('builder')],
    not: {
      'two answer': [mine(to('oncall')), by('builder'), by('reviewer')],
      'nobody does': [mine(to('oncall'))],
    },
  },
  loop: {
    done: [
      mine(to('builder', 'reviewer')),
      ...argument,
      by('reviewer', [], { text: 'Builder and Reviewer are stopped here.', notice: true }),
    ],
    not: {
      'they go on': [mine(to('builder', 'reviewer')), ...argument],
      'one of the two says something else': [mine(to('builder', 'reviewer')), ...argument, by('builder')],
    },
  },
  leave: {
    done: [mine(to('lead')), by('lead'), mine([]), mine(to('lead')), by('lead')],
    not: {
      'it speaks while it is away': [
        mine(to('lead')),
        by('lead'),
        mine([]),
        by('lead'),
        mine(to('lead')),
        by('lead'),
      ],
      'it does not come back': [mine(to('lead')), by('lead'), mine([]), mine(to('lead'))],
    },
  },
};

describe.each(GUIDE.map(({ id }) => id))('the step %s', (id) => {
  const { done, not } = PLAYED[id] ?? { done: [], not: {} };

  it('is done when it has happened', () => {
    expect(checksOf(id, { messages: done, me: 'ada' }).filter((check) => !check.done)).toEqual([]);
    expect(isDone(checksOf(id, { messages: done, me: 'ada' }))).toBe(true);
  });

  it('is not when nothing has happened, when others did it, or when it came out differently', () => {
    expect(isDone(checksOf(id, { messages: [], me: 'ada' }))).toBe(false);
    expect(isDone(checksOf(id, { messages: done, me: 'bob' }))).toBe(false);
    for (const [how, messages] of Object.entries(not)) {
      expect(isDone(checksOf(id, { messages, me: 'ada' })), how).toBe(false);
    }
  });
});

it('is offered only where everybody it mentions is', () => {
  const state = after([hello()]);
  expect(isDemo(state)).toBe(false);
  const agents = ['lead', 'builder', 'reviewer'].map(named);
  expect(isDemo(after([hello({ agents })]))).toBe(true);
  const asleep = agents.map((one) => ({ ...one, connected: one.id === 'lead' }));
  expect(isDemo(after([hello({ agents: asleep })]))).toBe(false);
});
