// The scorer in everyday rooms: the dial, what is never lost to it, what it leaves alone, and what Why says of it.
import { describe, expect, it } from 'vitest';
import {
  ATTENTION,
  type AttentionSettingsInput,
  attentionSettingsSchema,
  bandOf,
  engagesFrom,
  explainDecision,
  rosterFor,
} from '../../src/attention/index.ts';
import { FEATURES } from '../../src/attention/scorer/feature-names.ts';
import { readLine, LINE_FORM } from '../../src/attention/scorer/line.ts';
import { likeness } from '../../src/attention/scorer/name-likeness.ts';
import { REASON_OF, reasonSentences } from '../../src/attention/scorer/reason-words.ts';
import { type Room, room } from './room.ts';

const dialsAt = (given: AttentionSettingsInput, id: string): number[] =>
  rosterFor(attentionSettingsSchema.parse(given), {
    platform: 'web',
    workspaceId: 'W1',
    conversation: { id, kind: 'channel' },
  }).agents.map(({ attention }) => attention);

describe('the dial', () => {
  it('says from which probability on an agent hears a line as its own', () => {
    expect(Object.values(ATTENTION).map(engagesFrom)).toEqual([800, 450, 200]);
    expect([150, 300, 600, 900].map((probability) => bandOf(probability, ATTENTION.keen))).toEqual([
      'not',
      'unsure',
      'unsure',
      'sure',
    ]);
    expect([300, 600, 900].map((probability) => bandOf(probability, ATTENTION.balanced))).toEqual([
      'not',
      'unsure',
      'sure',
    ]);
    expect([300, 600, 900].map((probability) => bandOf(probability, ATTENTION.quiet))).toEqual([
      'not',
      'not',
      'sure',
    ]);
    expect(bandOf(1_000, 0)).toBe('sure');
  });

  it('is set per agent, per conversation, and for an agent in a conversation', () => {
    const agents = [{ id: 'nova', attention: 'keen' as const }, { id: 'otto' }];
    const conversations = [
      { match: 'C1', attention: 'quiet' as const },
      { match: 'C2', attention: { nova: 35 } },
    ];
    expect(dialsAt({ agents, conversations }, 'C1')).toEqual([80, 20]);
    expect(dialsAt({ agents, conversations }, 'C2')).toEqual([35, 55]);
    expect(dialsAt({ agents, conversations }, 'C3')).toEqual([80, 55]);
    expect(() => dialsAt({ agents: [{ id: 'nova', attention: 101 }] }, 'C1')).toThrow('from 0 to 100');
  });
});

/** Four people, two conversations: ann has been helped by nova, and ben, cat and dan talk about something else. */
function busy(attention?: 'quiet' | 'balanced' | 'keen'): Room {
  const r = room({ agents: [{ id: 'nova', ...(attention && { attention }) }], stepMs: 20_000 });
  r.say('ben', 'anyone here who knows the billing export?');
  r.say('cat', 'ben: what is wrong with it?');
  const asked = r.say('ann', '@nova the login page shows a 401 after the token expires');
  r.say('nova', 'ann: which browser do you use for the login page?', { inReplyTo: asked });
  return r;
}

describe('a line without any sign', () => {
  it('that answers the agent which has just asked is heard as its own', () => {
    const r = busy();
    expect(r.say('ann', 'firefox, and the login page keeps the old token').of('nova')).toMatchObject({
      directedness: 'to_me',
      reason: 'exchange',
    });
  });

  it('that asks the agent which has just spoken is never lost, whatever the dial says', () => {
    const r = busy('quiet');
    expect(r.say('ann', 'why do you ask?').of('nova')).toMatchObject({
      policy: 'must_respond',
      reason: 'exchange',
    });
  });

  it('is heard more readily the keener the agent is, and Why tells how likely it was', () => {
    const heard = (['quiet', 'balanced', 'keen'] as const).map((notch) => {
      const r = busy(notch);
      r.say('ben', 'cat: the totals are off by one cent');
      r.say('cat', 'ben: rounding, then');
      r.say('dan', 'ann: did that login page ever work?');
      return r.say('ann', 'it did last week').of('nova');
    });
    const likely = heard.map(({ trace }) => trace.facts['probability']);
    expect(new Set(likely).size).toBe(1);
    const first = heard.findIndex(({ directedness }) => directedness === 'to_me');
    expect(
      heard.slice(Math.max(0, first)).every(({ directedness }) => (directedness === 'to_me') === first >= 0),
    ).toBe(true);
    expect(heard[0]?.trace.facts['from']).toBe(800);
  });

  it('is not judged for an agent that has withdrawn', () => {
    const r = busy();
    r.disengage('nova');
    expect(r.say('ann', 'firefox').of('nova').directedness).toBe('ambient');
  });

  it('is explained: how likely, what speaks for it and against it, and what would have tipped it', () => {
    const r = busy();
    const { trace, ...decision } = r.say('ann', 'firefox, and the login page keeps the old token').of('nova');
    const { steps } = explainDecision({ trace, ...decision });
    const told = steps.join('\n');
    expect(told).toMatch(/with a probability of \d+ %/);
    expect(told).toMatch(/For it: [^;]+; [^;]+; [^;]+\./);
    expect(told).toMatch(/Against it: [^;]+; [^;]+; [^;]+\./);
    expect(told).toMatch(/tipped it: but for “.+” it would (?:still )?have been \d+ %/);
    expect(told).not.toMatch(/=\d|undefined/);
  });
});

/** Features that may be less than nothing. */
const SIGNED: ReadonlySet<string> = new Set([
  'rule',
  'theirPartner',
  'theirTo',
  'ownTo',
  'ownToBefore',
  'rivalLead',
  'sharedMore',
  'partnerSince',
  'gap',
  'since',
  'pairLead',
  'rareMore',
  'theirTime',
]);

describe('the words of the scorer', () => {
  it('say every feature in a sentence, whatever its value', () => {
    for (const name of FEATURES) {
      for (const value of [...(SIGNED.has(name) ? [-1] : []), 0, 1, 2, 5, 40, 120]) {
        const [sentence = ''] = reasonSentences(`${name}=${value}`);
        expect(sentence, name).toMatch(/^[a-z0-9]/);
        expect(sentence, name).not.toMatch(/undefined|NaN/);
      }
    }
    expect(Object.keys(REASON_OF).toSorted()).toEqual([...FEATURES].toSorted());
    expect(reasonSentences('goneFeature=1')).toEqual([]);
  });
});

const has = (text: string, form: keyof typeof LINE_FORM): boolean =>
  (readLine(text, text).form & LINE_FORM[form]) !== 0;

describe('reading a line', () => {
  it.each([
    ['is it up?', 'asks'],
    ['so how do i restart it', 'asks'],
    ['hast du das gesehen?', 'you'],
    ['does anyone know', 'anybody'],
    ['danke dir', 'thanks'],
    ['nope', 'yesOrNo'],
    ['hello there', 'greets'],
    ['see https://example.org', 'link'],
    ['and then it broke', 'goesOn'],
    ['well...', 'trailsOff'],
    ['你好', 'greets'],
  ] as const)('finds in %j that it %s', (text, form) => {
    expect(has(text, form)).toBe(true);
  });

  it('takes a first word with a mark for a call, unless it is an everyday word', () => {
    expect(
      ['jnae: look', 'ok, look', 'https://x.y', 'look'].map((text) => readLine(text, text).head()),
    ).toEqual(['jnae', undefined, undefined, undefined]);
    expect(
      ['janet', 'jan', 'jnaet', 'jamet', 'janitor', 'bob'].map((word) => likeness(word, 'janet')),
    ).toEqual([3, 2, 2, 2, 0, 0]);
  });
});
