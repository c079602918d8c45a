// The front door: one account, several agents. A mention of the account is for exactly one of them, or is offered.
import { describe, expect, it } from 'vitest';
import type { AccountFacts } from '../../src/protocol/log-record.ts';
import { explainDecision } from '../../src/attention/index.ts';
import { type Outcome, type Room, type RoomOptions, type SayOptions, room } from './room.ts';

const AGENTS = ['lead', 'builder', 'scout'];
const ACCOUNT: AccountFacts = { id: 'U1', agents: '*', name: 'Earshot' };
const CALL: SayOptions = {
  mentions: [{ kind: 'agent', id: 'U1' }],
  mentionsResolved: true,
  facts: { accounts: [ACCOUNT] },
};
const PLAIN: SayOptions = { mentionsResolved: true };

/** Who is called and how; `offered` with everybody to whom it is. */
function door({ decisions }: Outcome): Record<string, string[]> {
  const ways: Record<string, string[]> = {};
  for (const decision of Object.values(decisions)) {
    const way = decision?.trace.facts['door'];
    if (decision !== undefined && way !== undefined) (ways[String(way)] ??= []).push(decision.agent);
  }
  return ways;
}

function woken(said: Outcome): string[] {
  return [...said.who('must_respond'), ...said.who('may_respond')];
}

const open = (more: RoomOptions = {}): Room => room({ agents: AGENTS, ...more });
const direct = (more: RoomOptions = {}): Room => open({ kind: 'dm', ...more });

describe('a mention of an account that several agents share', () => {
  it.each([
    '@Earshot lead can you look?',
    '@Earshot lead: is it green?',
    '@Earshot, lead, is it green?',
    'hey @Earshot lead, is it green?',
    'lead @Earshot can you look?',
    'can you look, @Earshot lead?',
    'can you look @Earshot lead?',
    'can you look @Earshot, lead?',
    'is it green, lead? @Earshot',
    '<@U1> lead can you look?',
    '<@U1|Earshot> lead can you look?',
  ])('is for the one that is named beside it: %s [C2A-06-02/directedness/from-mentions]', (text) => {
    const r = open({ here: { defaultResponder: 'builder' } });
    const said = r.say('ann', text, CALL);
    expect(door(said)).toEqual({ named: ['lead'] });
    expect(said.who('must_respond')).toEqual(['lead']);
  });

  it('is read behind a tag that shows the account by another name', () => {
    expect(door(open().say('ann', '@Acme-bot lead can you look?', CALL))).toEqual({ named: ['lead'] });
    // Of two words that nobody told us, the second hides the name behind it.
    expect(door(open().say('ann', '@Acme Bot lead can you look?', CALL))).toEqual({ offered: AGENTS });
  });

  it('a name of several words is known', () => {
    const facts = { accounts: [{ ...ACCOUNT, name: 'Earshot of Acme' }] };
    const said = open().say('ann', '@Earshot of Acme lead can you look?', { ...CALL, facts });
    expect(door(said)).toEqual({ named: ['lead'] });
  });

  it('names two: both are called', () => {
    expect(door(open().say('ann', '@Earshot lead and scout: is it green?', CALL))).toEqual({
      named: ['lead', 'scout'],
    });
  });

  it('a name in the middle is talk about its bearer', () => {
    const said = open().say('ann', '@Earshot what did lead say about the build?', CALL);
    expect(door(said)).toEqual({ offered: AGENTS });
  });

  it('is for the one that the author talks with', () => {
    const r = open({ here: { defaultResponder: 'lead' } });
    const first = r.say('ann', '@Earshot builder is it green?', CALL);
    r.say('builder', 'It is.', { inReplyTo: first.eventId });
    expect(door(r.say('ann', '@Earshot and the tests?', CALL))).toEqual({ exchange: ['builder'] });
    expect(door(r.say('ben', '@Earshot and the tests?', CALL))).toEqual({ default: ['lead'] });
  });

  it('is for the one whose message it replies to', () => {
    const r = open({ here: { defaultResponder: 'lead' } });
    const said = r.say('builder', 'The build is green.');
    const reply = { ...CALL, replyTo: { eventId: said.eventId, to: 'U1' } };
    expect(door(r.say('ann', '@Earshot since when?', reply))).toEqual({ reply: ['builder'] });
  });

  it('is for the agent of the thread', () => {
    const r = open({ here: { defaultResponder: 'lead' } });
    const root = r.say('ann', 'the build', PLAIN);
    const thread = r.thread({ id: root.eventId, root });
    thread.say('scout', 'It is red.');
    expect(door(thread.say('ben', '@Earshot since when?', CALL))).toEqual({ thread: ['scout'] });
  });

  it('is for the default responder where nothing else tells, and else offered to one at a time', () => {
    const said = open({ here: { defaultResponder: 'scout' } }).say('ann', '@Earshot is it green?', CALL);
    expect([door(said), said.who('must_respond')]).toEqual([{ default: ['scout'] }, ['scout']]);
    const offered = open().say('ann', '@Earshot is it green?', CALL);
    expect(door(offered)).toEqual({ offered: AGENTS });
    expect(offered.of('lead')).toMatchObject({
      directedness: 'to_my_role',
      policy: 'may_respond',
      claimFirst: true,
      offer: 'one_at_a_time',
    });
  });

  it.each<[what: string, agents: NonNullable<RoomOptions['agents']>]>([
    ['is not bound here', ['lead', { id: 'builder', conversations: [] }]],
    ['does not talk with the author', ['lead', { id: 'builder', ignore: ['human:ann'] }]],
    ['wants no mentions', ['lead', { id: 'builder', triggers: { mention: false } }]],
  ])('passes by whoever %s', (_, agents) => {
    expect(door(open({ agents }).say('ann', '@Earshot is it green?', CALL))).toEqual({ only: ['lead'] });
  });

  it('passes by whoever has left, unless it is named or all have', () => {
    const r = open({ agents: ['lead', 'builder'], here: { defaultResponder: 'builder' } });
    r.mode('ann', 'left', 'builder');
    expect(door(r.say('ann', '@Earshot is it green?', CALL))).toEqual({ only: ['lead'] });
    expect(door(r.say('ben', '@Earshot builder is it green?', CALL))).toEqual({ named: ['builder'] });
    r.mode('ann', 'left', 'lead');
    r.mode('ann', 'left', 'builder');
    expect(door(r.say('eve', '@Earshot is it green?', CALL))).toEqual({ default: ['builder'] });
  });

  it('is only for those who speak through it', () => {
    const facts = { accounts: [{ ...ACCOUNT, agents: ['lead', 'scout'] }] };
    const said = open().say('ann', '@Earshot is it green?', { ...CALL, facts });
    expect(door(said)).toEqual({ offered: ['lead', 'scout'] });
    expect(said.of('builder').reason).toBe('addressed_elsewhere');
  });

  it('works with accounts of the configuration, also as the platform writes them in the text', () => {
    const agents = AGENTS.map((id) => ({ id, accounts: ['U1'] }));
    const r = open({ agents, here: { defaultResponder: 'lead' } });
    expect(door(r.say('ann', '<@U1> is it green?'))).toEqual({ default: ['lead'] });
    expect(door(r.say('ben', '<@U1> builder: is it green?'))).toEqual({ named: ['builder'] });
  });

  it('an assignment to the account is a call too', () => {
    const { mentions: _, ...more } = CALL;
    const said = open({ here: { defaultResponder: 'lead' } }).say('ann', 'the new ticket', {
      ...more,
      recipients: ['U1'],
      subtype: 'assigned',
    });
    expect(door(said)).toEqual({ default: ['lead'] });
  });

  it('thanks to the account wake nobody, and thanks in an exchange are for its agent', () => {
    const r = open();
    expect(woken(r.say('ann', '@Earshot thanks!', CALL))).toEqual([]);
    const first = r.say('ann', '@Earshot builder is it green?', CALL);
    r.say('builder', 'It is.', { inReplyTo: first.eventId });
    const thanks = r.say('ann', '@Earshot thanks!', CALL);
    expect([thanks.who('ack_only'), woken(thanks)]).toEqual([['builder'], []]);
  });

  it('the preset typeclaw offers nothing: the first one takes it', () => {
    const said = open({ preset: 'typeclaw', membership: { humans: 3 } }).say('ann', '@Earshot hm?', CALL);
    expect(door(said)).toEqual({ first: ['lead'] });
  });

  it('says in words how it was decided', () => {
    const r = open({ here: { defaultResponder: 'lead' } });
    const named = r.say('ann', '@Earshot builder is it green?', CALL).of('builder');
    expect(explainDecision(named).headline).toBe(
      'builder must answer: it is called at the front door: named beside it.',
    );
    expect(explainDecision(open().say('ann', '@Earshot hm?', CALL).of('lead')).headline).toBe(
      'lead may answer: it is called at the front door: offered to one agent at a time.',
    );
  });
});

describe('a message by an account that several agents share', () => {
  it('wakes none of them, and makes it nobody’s partner', () => {
    const r = open();
    const said = r.say('agent:U1', '@Earshot lead, can you look?', CALL);
    expect(woken(said)).toEqual([]);
    expect(AGENTS.map((agent) => said.of(agent).reason)).toEqual(['self', 'self', 'self']);
    expect(r.state.speakers).toEqual([]);
  });

  it('wakes agents that do not speak through it, as any bot’s does', () => {
    const facts = { accounts: [{ ...ACCOUNT, agents: ['lead', 'scout'] }] };
    const said = open().say('agent:U1', 'builder, can you look?', { ...PLAIN, facts });
    expect(woken(said)).toEqual(['builder']);
  });
});

describe('a direct message to an account that several agents share', () => {
  const TO: SayOptions = { mentionsResolved: true, recipients: ['U1'], facts: { accounts: [ACCOUNT] } };

  it('is for whoever is named, then talked with, then the default responder', () => {
    const r = direct({ here: { defaultResponder: 'scout' } });
    expect(r.say('ann', 'is it green?', TO).who('must_respond')).toEqual(['scout']);
    const named = direct();
    const first = named.say('ann', 'builder, is it green?', TO);
    expect(first.who('must_respond')).toEqual(['builder']);
    named.say('builder', 'It is.', { inReplyTo: first.eventId });
    expect(named.say('ann', 'and the tests?', TO).who('must_respond')).toEqual(['builder']);
    expect(named.say('ann', '@Earshot and the tests?', { ...TO, ...CALL }).who('must_respond')).toEqual([
      'builder',
    ]);
  });

  it('is offered where nothing tells, to those alone who speak through the account', () => {
    const facts = { accounts: [{ ...ACCOUNT, agents: ['lead', 'scout'] }] };
    const said = direct().say('ann', 'is it green?', { ...TO, facts });
    expect(said.who('may_respond')).toEqual(['lead', 'scout']);
    expect(said.of('builder').trace.facts['by']).toBe('direct_message');
  });

  it('stays one of two when the account itself has written there', () => {
    const r = direct({ here: { defaultResponder: 'lead' } });
    r.say('agent:U1', 'Welcome!', { ...PLAIN, facts: { accounts: [ACCOUNT] } });
    expect(r.say('ann', 'is it green?', TO).of('lead').reason).toBe('direct_message');
  });
});
