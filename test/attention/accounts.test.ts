// Accounts: by which ids the platform knows an agent. They are configured, or a surface has learnt them.
import { describe, expect, it } from 'vitest';
import type { Mention } from '../../src/protocol/chat-event.ts';
import type { AccountFacts } from '../../src/protocol/log-record.ts';
import { room } from './room.ts';

/** The rooms of these tests are on `web`, in the workspace W1. */
const QUALIFIED = { agents: [{ id: 'lead', accounts: ['web/W1/U1', 'slack/T1/U2', 'U3'] }, 'builder'] };
const learnt = (...accounts: AccountFacts[]) => ({ facts: { accounts } });
const U1: AccountFacts = { id: 'U1', agents: ['lead'], name: 'Leadbot' };

function mentioned(mention: Mention, options = {}): string[] {
  return room(QUALIFIED)
    .say('ann', 'is it green?', { mentions: [mention], ...options })
    .who('must_respond');
}

describe('a configured account', () => {
  it.each<[what: string, id: string, who: readonly string[]]>([
    ['qualified, in its workspace', 'U1', ['lead']],
    ['qualified, of another platform', 'U2', []],
    ['of any platform', 'U3', ['lead']],
    ['somebody else’s', 'U4', []],
  ])('%s [C2A-06-02/directedness/from-mentions]', (_, id, who) => {
    expect(mentioned({ kind: 'human', id })).toEqual(who);
    expect(mentioned({ kind: 'agent', id })).toEqual(who);
  });

  it('qualified, as the platform writes it in the text', () => {
    expect(room(QUALIFIED).say('ann', '<@U1> is it green?').who('must_respond')).toEqual(['lead']);
    expect(room(QUALIFIED).say('ann', '<@U2> is it green?').who('must_respond')).toEqual([]);
  });

  it('writes as its agent', () => {
    expect(room(QUALIFIED).say('agent:U1', 'It is green.').decisions['lead']).toBeUndefined();
  });
});

describe('an account that a surface has learnt', () => {
  const agents = ['lead', 'builder'];
  const say = (more: object, text = 'is it green?') => room({ agents }).say('ann', text, more);

  it('is its agent in a mention, as a recipient and in a reply', () => {
    const mention = say({ mentions: [{ kind: 'human', id: 'U1' }], ...learnt(U1) });
    expect(mention.who('must_respond')).toEqual(['lead']);
    expect(say({ recipients: ['U1'], ...learnt(U1) }).of('lead').reason).toBe('assignment');
    const reply = say({ replyTo: { eventId: 'x', to: 'U1' }, ...learnt(U1) });
    expect(reply.of('lead').reason).toBe('reply');
  });

  it('is nobody without that fact', () => {
    const { of } = say({ mentions: [{ kind: 'human', id: 'U1' }] });
    expect(of('lead').reason).toBe('addressed_elsewhere');
  });

  it('gives way to what is configured', () => {
    const r = room({ agents: ['lead', { id: 'builder', accounts: ['U1'] }] });
    const said = r.say('ann', 'is it green?', { mentions: [{ kind: 'human', id: 'U1' }], ...learnt(U1) });
    expect(said.who('must_respond')).toEqual(['builder']);
  });
});
