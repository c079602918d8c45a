import { describe, expect, it } from 'vitest';
import { wireError } from '../../protocol/errors.ts';
import { toolRefusal, toolSuccess } from '../../protocol/tool.ts';
import { TOOLS } from '../../protocol/tools.ts';
import { VirtualClock } from '../../runtime/clock.ts';
import { CALL_KEY_LIMITS, createCallKeys } from './call-keys.ts';

const answer = {
  target: 'thread:T1',
  text: 'It is not blocked.',
  inReplyTo: 'evt_1',
  visibility: 'thread',
  directedness: 'to_me',
};
const { inReplyTo: _, ...unprompted } = answer;

function callKeys(agent = 'lead', clock = new VirtualClock(1_000_000_000)) {
  const made = createCallKeys(agent, clock);
  return {
    clock,
    made,
    key: (args: object) => made.attach('chat.send_message', { ...args })['idempotencyKey'],
    token: (args: object) => made.attach('chat.send_message', { ...args })['token'],
    claimed: (args: object, token: number) =>
      made.learn('chat.claim', { ...args }, toolSuccess({ status: 'claimed', token })),
  };
}

describe('the key of a send', () => {
  it('is the same for the same call, in any order of members, in any process', () => {
    const { key } = callKeys();
    const reversed = Object.fromEntries(Object.entries(answer).toReversed());
    expect(key(reversed)).toBe(key(answer));
    expect(callKeys().key(answer)).toBe(key(answer));
    expect(callKeys('lead', new VirtualClock(5)).key(answer)).toBe(key(answer));
  });

  it.each([
    { text: 'It is.' },
    { inReplyTo: 'evt_2' },
    { inReplyTo: undefined },
    { target: 'thread:T2' },
    { visibility: 'dm' },
    { mentions: ['agent:builder'] },
  ])('is another for another message: %j', (change) => {
    const { key } = callKeys();
    expect(key({ ...answer, ...change })).not.toBe(key(answer));
  });

  it("is another for another agent's, and one that the wire takes", () => {
    const { made, key } = callKeys();
    expect(callKeys('builder').key(answer)).not.toBe(key(answer));
    expect(TOOLS['chat.send_message'].input.safeParse(made.attach('chat.send_message', answer)).success).toBe(
      true,
    );
  });

  it('of what answers nothing lasts as long as a repeat counts as one, then the words are new again', () => {
    const { key, clock } = callKeys();
    const first = key(unprompted);
    clock.advance(CALL_KEY_LIMITS.sameSendMs - 1);
    expect(key(unprompted)).toBe(first);
    clock.advance(1);
    const second = key(unprompted);
    expect(second).not.toBe(first);
    clock.advance(CALL_KEY_LIMITS.sameSendMs - 1);
    expect(key(unprompted)).toBe(second);
  });
});

describe('the token of a claim', () => {
  it('goes with sends about its event, and is not shown', () => {
    const { claimed, token } = callKeys();
    expect(claimed({ inReplyTo: 'evt_1' }, 7)).toEqual(toolSuccess({ status: 'claimed' }));
    expect(token(answer)).toBe(7);
    expect(token({ ...answer, inReplyTo: 'evt_2' })).toBeUndefined();
    expect(token(unprompted)).toBeUndefined();
  });

  it('of a whole thread goes with every send there', () => {
    const { claimed, token } = callKeys();
    claimed({ target: 'thread:T1' }, 7);
    expect([token(answer), token(unprompted)]).toEqual([7, 7]);
    expect(token({ ...answer, target: 'thread:T2' })).toBeUndefined();
  });

  it('goes with renewing and releasing, and is gone when released', () => {
    const { claimed, made, token } = callKeys();
    claimed({ inReplyTo: 'evt_1' }, 7);
    const release = { inReplyTo: 'evt_1', op: 'release' };
    expect(made.attach('chat.claim', release)).toEqual({ ...release, token: 7 });
    made.learn('chat.claim', release, toolSuccess({ status: 'released' }));
    expect(token(answer)).toBeUndefined();
  });

  it.each([
    ['chat.send_message', answer, undefined],
    ['chat.resolve', { inReplyTo: 'evt_1' }, undefined],
    ['chat.react', { inReplyTo: 'evt_1', signal: 'done' }, undefined],
    ['chat.react', { inReplyTo: 'evt_1', signal: 'working' }, 7],
    ['chat.defer', { inReplyTo: 'evt_1', reason: 'later' }, 7],
  ] as const)('is what it should be after %s %j', (name, args, left) => {
    const { claimed, made, token } = callKeys();
    claimed({ inReplyTo: 'evt_1' }, 7);
    made.learn(name, args, toolRefusal(wireError('internal')));
    expect(token(answer)).toBe(7);
    made.learn(name, args, toolSuccess({}));
    expect(token(answer)).toBe(left);
  });

  it('is forgotten only when very many are newer', () => {
    const { claimed, token } = callKeys();
    claimed({ inReplyTo: 'evt_1' }, 7);
    for (let i = 0; i < CALL_KEY_LIMITS.remembered - 1; i++) claimed({ inReplyTo: `other_${i}` }, i);
    expect(token(answer)).toBe(7);
    claimed({ inReplyTo: 'one more' }, 1);
    expect(token(answer)).toBeUndefined();
  });
});
