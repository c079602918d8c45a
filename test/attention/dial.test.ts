// The dial as people move it in the chat: one notch a request, bounded at the ends, for one agent in one conversation.
// The last change wins, whether it was made in the chat or in the settings.
import { describe, expect, it } from 'vitest';
import {
  attend,
  attentionSettingsSchema,
  decodeState,
  encodeState,
  emptyState,
  explainDecision,
  rosterFor,
} from '../../src/attention/index.ts';
import { nextNotch } from '../../src/attention/dial.ts';
import { ATTENTION } from '../../src/attention/scorer/bands.ts';
import { STATE_LIMITS, agentKey } from '../../src/attention/state.ts';
import { MINUTE, type Outcome, type Room, room } from './room.ts';

const dialOf = (r: Room, agent = 'nova') =>
  r.state.agents.find(({ key }) => key === agentKey(agent))?.dial ?? null;
const moves = (outcome: Outcome) => outcome.effect('dial').map(({ notch }) => notch);
const told = (outcome: Outcome) => outcome.effect('acknowledge').map(({ dial }) => dial);

/** Four people; ann was helped by nova, and others talk too. What `ann` adds now is neither surely for it nor surely not. */
function unsureLine(r: Room): ReturnType<Outcome['of']> {
  r.wait(5 * MINUTE).say('ben', 'anyone here who knows the billing export?');
  const asked = r.say('ann', '@nova the login page shows a 401 after the token expires');
  r.say('nova', 'ann: which browser do you use for the login page?', { inReplyTo: asked });
  r.say('cat', 'ben: what is wrong with it?');
  r.say('ben', 'cat: the totals are wrong');
  r.say('cat', 'ben: since when?');
  return r.say('ann', 'it happens in both of them').of('nova');
}

describe('a notch', () => {
  it('is the next from any number, and none beyond the ends', () => {
    const down = [100, 80, 70, 55, 30, 20, 5].map((from) => nextNotch(from, 'quieter'));
    expect(down).toEqual(['keen', 'balanced', 'balanced', 'quiet', 'quiet', undefined, undefined]);
    const up = [0, 20, 30, 55, 70, 80, 100].map((from) => nextNotch(from, 'keener'));
    expect(up).toEqual(['quiet', 'balanced', 'balanced', 'keen', 'keen', undefined, undefined]);
  });

  it('is moved by each request, with one acknowledgement and no turn, and back', () => {
    const r = room();
    const first = r.say('ann', '@nova be quieter here');
    expect(first.of('nova')).toMatchObject({
      policy: 'ack_only',
      mode: 'silent',
      trace: { row: 'mode_request', facts: { dial: 'quieter' } },
    });
    expect(first.effects).toEqual([
      { type: 'dial', agent: 'nova', notch: 'quiet', by: 'ann' },
      {
        type: 'acknowledge',
        agent: 'nova',
        eventId: first.eventId,
        template: 'dial',
        mode: 'auto',
        dial: { move: 'quieter', atEnd: false },
        language: 'en',
      },
    ]);
    expect(dialOf(r)).toEqual({ notch: 'quiet', from: ATTENTION.balanced });
    const end = r.say('ann', '@nova be quieter here');
    expect([moves(end), told(end)]).toEqual([[], [{ move: 'quieter', atEnd: true }]]);
    expect(moves(r.say('ben', '@nova speak up more'))).toEqual(['balanced']);
    expect(dialOf(r)).toBeNull(); // that is what the settings say
    expect(moves(r.say('ben', '@nova chime in more often here'))).toEqual(['keen']);
    expect(told(r.say('ben', '@nova chime in more often here'))).toEqual([{ move: 'keener', atEnd: true }]);
    expect(dialOf(r)?.notch).toBe('keen');
  });

  it('is for this agent in this conversation alone', () => {
    const r = room();
    const thread = r.thread();
    r.say('ann', '@nova be quieter here');
    expect(dialOf(r, 'otto')).toBeNull();
    expect(dialOf(thread)).toBeNull();
  });

  it('is what the scorer then goes by, and Why says so', () => {
    const asItIs = unsureLine(room({ agents: [{ id: 'nova', attention: 'keen' }] }));
    const r = room({ agents: [{ id: 'nova', attention: 'keen' }] });
    r.say('ann', '@nova be quieter here');
    r.say('ann', '@nova be quieter here');
    const quiet = unsureLine(r);
    expect(asItIs.trace.facts['from']).toBe(200);
    expect(quiet.trace.facts).toMatchObject({ from: 800, notch: 'quiet' });
    expect(explainDecision(quiet).steps.join('\n')).toContain(
      'the agent’s dial, which somebody here set to quiet, hears it from 80 % on',
    );
    expect(explainDecision(asItIs).steps.join('\n')).not.toContain('somebody here set');
  });
});

describe('a request is one for a mode where the dial counts nothing', () => {
  it.each([
    ['in a direct message', { kind: 'dm' as const }],
    ['with another stickiness', { agents: [{ id: 'nova', stickiness: 'one_shot' as const }] }],
  ])('%s', (_, options) => {
    const r = room(options);
    const asked = r.say('ann', '@nova be quieter', { recipients: ['nova'] });
    expect(asked.effect('mode').map(({ mode }) => mode)).toEqual(['mention_only']);
    expect(asked.effect('dial')).toEqual([]);
  });

  it('while it waits for mentions: to speak up more brings it back', () => {
    const r = room();
    r.say('ann', '@nova only answer when I mention you');
    expect(r.say('ann', '@nova chime in more').effect('mode')).toMatchObject([{ mode: 'auto' }]);
    expect(dialOf(r)).toBeNull();
  });

  it('and one that says when is a mode anyway', () => {
    const asked = room().say('ann', '@nova be quieter unless somebody mentions you');
    expect(asked.effect('mode').map(({ mode }) => mode)).toEqual(['mention_only']);
  });
});

const settings = (attention: 'quiet' | 'balanced' | 'keen' | 40) =>
  rosterFor(attentionSettingsSchema.parse({ agents: [{ id: 'nova', attention }] }), {
    platform: 'web',
    workspaceId: 'W1',
    conversation: { id: 'C1', kind: 'channel' },
  });

const agentOf = (state: Room['state']) => state.agents[0]?.dial;

describe('the last change wins', () => {
  it('the settings undo what was asked before, for good', () => {
    const r = room({ agents: [{ id: 'nova' }] });
    r.say('ann', '@nova be quieter here');
    const next = r.say('ann', 'morning');
    const again = (state: Room['state'], attention: Parameters<typeof settings>[0]) =>
      attend(state, next.record, settings(attention)).state;
    expect(agentOf(again(r.state, 'balanced'))).toMatchObject({ notch: 'quiet' });
    const changed = again(r.state, 40);
    expect(agentOf(changed)).toBeNull();
    expect(agentOf(again(changed, 'balanced'))).toBeNull();
  });

  it('a request after them counts from them', () => {
    const r = room({ agents: [{ id: 'nova', attention: 'keen' }] });
    expect(moves(r.say('ann', '@nova be quieter here'))).toEqual(['balanced']);
  });

  it.each(['@nova back to normal please', 'mode'])('back to normal is back to the settings: %s', (text) => {
    const r = room();
    r.say('ann', '@nova be quieter here');
    if (text === 'mode') r.mode('operator', 'auto', 'nova');
    else r.say('ann', text);
    expect(dialOf(r)).toBeNull();
  });
});

describe('the state', () => {
  it('gives the same when the log is folded again, cut at any place', () => {
    const r = room({ agents: [{ id: 'nova', attention: 'keen' }] });
    r.say('ann', '@nova be quieter here');
    unsureLine(r);
    r.say('ben', '@nova you can be less eager');
    unsureLine(r);
    let state = emptyState();
    for (const record of r.log) state = decodeState(encodeState(attend(state, record, r.roster).state));
    expect(state).toEqual(r.state);
  });

  it('keeps what was asked for, and refuses more than it can hold', () => {
    const agents = Array.from({ length: STATE_LIMITS.agents + 1 }, (_, i) => `a${i}`);
    const r = room({ agents });
    for (const agent of agents.slice(0, -1)) r.say('ann', `@${agent} be quieter here`);
    const refused = r.say('ann', `@${agents.at(-1)} be quieter here`);
    expect(refused.effect('refused')).toMatchObject([{ limit: STATE_LIMITS.agents }]);
    expect(refused.effect('acknowledge')).toEqual([]);
    expect(r.state.agents.filter(({ dial }) => dial?.notch === 'quiet')).toHaveLength(STATE_LIMITS.agents);
  });
});

describe('who may', () => {
  it('is whoever may ask for a mode: no agent, nobody who is denied', () => {
    const r = room({ agents: [{ id: 'nova', ignore: ['human:mallory'] }, 'otto'] });
    r.say('otto', '@nova be quieter here');
    r.say('mallory', '@nova be quieter here');
    expect(dialOf(r)).toBeNull();
    const first = r.say('ann', '@nova what time is it?');
    r.edit('ann', first, '@nova be quieter here');
    expect(dialOf(r)?.notch).toBe('quiet');
  });
});
