// Work claims: who may answer what several could. One holder at a time, for a time, with a fencing token.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentKey, mayAnswer, shortKey, startsTurn, wakeAt } from '../../src/attention/index.ts';
import { STATE_LIMITS } from '../../src/attention/state.ts';
import { MINUTE, type Outcome, type Room, room } from './room.ts';

const EIGHT = ['nova', 'otto', 'iris', 'juno', 'remy', 'sage', 'vera', 'zeno'];
const ops = (): Room => room({ agents: EIGHT.map((id) => ({ id, roles: ['ops'] })) });
const ask = (r: Room): Outcome => r.say('ann', '@ops the disk is full, who can look?');
const may = (r: Room, agent: string, event: { eventId: string }, token?: number) =>
  mayAnswer(r.state, agentKey(agent), shortKey(event.eventId), r.now, token);

describe('a claim', () => {
  it('is granted on a channel event with a token and an end [C2A-06-02/minimal/8-claiming]', () => {
    const r = ops();
    const said = ask(r);
    const { effects, record } = r.claim('nova', said);
    expect(effects).toEqual([
      {
        type: 'claim_granted',
        agent: 'nova',
        event: said.eventId,
        token: record.seq,
        until: record.at + 10 * MINUTE,
      },
    ]);
    expect(may(r, 'nova', said, record.seq)).toEqual({ ok: true });
  });

  it('comes before a substantive reply: until then there is a knock without content to claim by [C2A-06-02/claims/claim-before-reply]', () => {
    const r = ops();
    const said = ask(r);
    for (const agent of EIGHT) {
      expect(said.of(agent)).toMatchObject({
        policy: 'may_respond',
        mode: 'notify',
        claimFirst: true,
        context: 'none',
      });
    }
    const claimed = r.claim('nova', said).of('nova');
    expect(claimed).toMatchObject({ policy: 'may_respond', mode: 'buffered' });
    expect(claimed.claimFirst).toBeUndefined();
    expect(may(r, 'otto', said)).toEqual({ ok: false, why: 'claimed_by_other', holder: agentKey('nova') });
  });

  it('comes first on an open floor too, and nowhere else may an undirected channel event be answered [C2A-06-02/claims/claim-before-reply]', () => {
    const open = room({ here: { openFloor: true } }).say('ann', 'your move, everybody');
    expect(open.of('nova')).toMatchObject({
      policy: 'may_respond',
      mode: 'notify',
      claimFirst: true,
      offer: 'open',
      reason: 'open_floor',
    });
    expect(room().say('ann', 'your move, everybody').who('may_respond')).toEqual([]);
  });

  it('held by another forbids the answer, also to one that tried to claim [C2A-06-02/quiet/claimed-by-other, C2A-06-02/claims/owned-by-other, C2A-06-24/talk/claimed-stay-out]', () => {
    const r = ops();
    const said = ask(r);
    r.claim('nova', said);
    const tried = r.claim('otto', said);
    expect(tried.decisions).toEqual({});
    expect(tried.effects).toEqual([
      {
        type: 'claim_refused',
        agent: 'otto',
        event: said.eventId,
        why: 'held',
        holder: 'nova',
        until: r.state.claims[0]?.until,
      },
    ]);
    for (const agent of EIGHT.filter((id) => id !== 'nova')) expect(may(r, agent, said).ok).toBe(false);
    expect(may(r, 'nova', said).ok).toBe(true);
  });

  it('on the conversation makes what follows must_not_respond for the others, unless it is to them [C2A-06-02/quiet/claimed-by-other, C2A-06-24/talk/claimed-stay-out, C2A-06-02/claims/owned-by-other]', () => {
    const r = ops();
    r.claim('nova');
    const next = ask(r);
    expect(next.of('otto')).toMatchObject({
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'claimed_by_other',
      trace: { row: 'claimed_by_other' },
    });
    expect(next.of('nova')).toMatchObject({ policy: 'may_respond', mode: 'notify' });
    expect(r.say('ann', '@otto can you look?').of('otto').policy).toBe('must_respond');
  });

  it('ends with its TTL and the event is free again [C2A-06-02/claims/ttl]', () => {
    const r = ops();
    const said = ask(r);
    r.claim('nova', said, { ttlMs: 5 * MINUTE });
    expect(wakeAt(r.state)).toBe(r.now + 5 * MINUTE);
    expect(
      r
        .wait(4 * MINUTE)
        .claim('otto', said)
        .effect('claim_refused'),
    ).toHaveLength(1);
    const swept = r.tick(MINUTE);
    expect(swept.effects).toEqual([
      { type: 'claim_released', agent: 'nova', event: shortKey(said.eventId), why: 'expired' },
    ]);
    expect(wakeAt(r.state)).toBeUndefined();
    expect(may(r, 'otto', said)).toEqual({ ok: true });
    expect(r.claim('otto', said).of('otto')).toMatchObject({ mode: 'buffered', reason: 'claimed' });
  });

  it('that ran out is freed out loud by the next claim, if no tick came first [C2A-06-02/claims/ttl]', () => {
    const r = ops();
    const [first, second] = [ask(r), ask(r)];
    r.claim('nova', first, { ttlMs: MINUTE });
    const next = r.wait(2 * MINUTE).claim('otto', second);
    expect(next.effects.map(({ type }) => type)).toEqual(['claim_released', 'claim_granted']);
    expect(next.effect('claim_released')[0]).toMatchObject({ agent: 'nova', why: 'expired' });
  });

  it('is fenced: the token of one that ran out opens nothing, though the event is claimed again [C2A-06-02/claims/ttl]', () => {
    const r = ops();
    const said = ask(r);
    const old = r.claim('nova', said, { ttlMs: MINUTE }).effect('claim_granted')[0]?.token;
    r.tick(2 * MINUTE);
    expect(may(r, 'nova', said, old)).toEqual({ ok: false, why: 'stale_token', holder: '' });
    const again = r.claim('nova', said).effect('claim_granted')[0]?.token;
    expect(again).toBeGreaterThan(old ?? Infinity);
    expect(may(r, 'nova', said, old)).toEqual({ ok: false, why: 'stale_token', holder: agentKey('nova') });
    expect(may(r, 'nova', said, again)).toEqual({ ok: true });
  });

  it('repeated or renewed keeps its token and gets more time, and is no second event', () => {
    const r = ops();
    const said = ask(r);
    const [first] = r.claim('nova', said).effect('claim_granted');
    const again = r.wait(MINUTE).claim('nova', said);
    expect(again.decisions).toEqual({});
    expect(again.effect('claim_granted')[0]?.token).toBe(first?.token);
    const [renewed] = r
      .wait(MINUTE)
      .claim('nova', said, { op: 'renew', token: first?.token ?? 0 })
      .effect('claim_granted');
    expect(renewed).toMatchObject({ token: first?.token, until: r.now + 10 * MINUTE });
    expect(r.claim('nova', said, { op: 'renew', token: 999 }).effect('claim_refused')[0]?.why).toBe(
      'stale_token',
    );
  });

  it('is never made shorter by claiming less of it or for less long', () => {
    const r = ops();
    const said = ask(r);
    const [whole] = r.claim('nova', undefined, { ttlMs: 10 * MINUTE }).effect('claim_granted');
    const [part] = r.claim('nova', said, { ttlMs: 1 }).effect('claim_granted');
    expect(part).toMatchObject({ token: whole?.token, until: whole?.until });
    expect(r.wait(MINUTE).claim('otto', said).effect('claim_refused')[0]).toMatchObject({ holder: 'nova' });
  });

  it('given back is free at once; only the holder can give it back', () => {
    const r = ops();
    const said = ask(r);
    r.claim('nova', said);
    expect(r.claim('otto', said, { op: 'release' }).effect('claim_refused')[0]?.why).toBe('held');
    expect(r.claim('nova', said, { op: 'release' }).effects).toEqual([
      { type: 'claim_released', agent: 'nova', event: said.eventId, why: 'released' },
    ]);
    expect(r.claim('nova', said, { op: 'release' }).effect('claim_refused')[0]?.why).toBe('not_holder');
    expect(r.claim('otto', said).effect('claim_granted')).toHaveLength(1);
  });

  it('is settled by the answer, and what another has answered cannot be claimed', () => {
    const r = ops();
    const said = ask(r);
    r.claim('nova', said);
    r.say('nova', 'I have cleared the logs.', { inReplyTo: said });
    expect(r.state.claims).toEqual([]);
    expect(r.claim('otto', said).effect('claim_refused')[0]).toMatchObject({
      why: 'answered',
      holder: 'nova',
    });
  });

  it('is refused out loud at the limit, saying when one ends', () => {
    const r = ops();
    const events = Array.from({ length: STATE_LIMITS.claims + 1 }, () => ask(r));
    const outcomes = events.map((event, index) =>
      r.claim(EIGHT[index % 8] ?? '', event, { ttlMs: (index + 5) * MINUTE }),
    );
    expect(outcomes.slice(0, -1).every((outcome) => outcome.effect('claim_granted').length === 1)).toBe(true);
    expect(outcomes.at(-1)?.effects).toMatchObject([
      { type: 'claim_refused', why: 'limit', until: Math.min(...r.state.claims.map(({ until }) => until)) },
    ]);
  });

  it.each(['working', 'claimed'] as const)('is made by the reaction %s as well', (signal) => {
    const r = ops();
    const said = ask(r);
    const reacted = r.react('nova', said, signal);
    expect(reacted.effect('claim_granted')).toMatchObject([{ agent: 'nova', event: said.eventId }]);
    expect(reacted.of('nova')).toMatchObject({ mode: 'buffered', reason: 'claimed' });
    expect(r.react('otto', said, signal).effect('claim_refused')[0]?.why).toBe('held');
  });

  it('of an event is none of the conversation, and claiming that takes the event in', () => {
    const r = ops();
    const [mine, other] = [ask(r), ask(r)];
    r.claim('nova', mine);
    const whole = r.claim('nova').effect('claim_granted')[0];
    expect(whole?.event).toBe('');
    expect(r.claim('otto', other).effect('claim_refused')[0]).toMatchObject({ why: 'held', holder: 'nova' });
    expect(may(r, 'nova', mine, whole?.token)).toEqual({ ok: true });
    expect(r.claim('nova', undefined, { op: 'release' }).effect('claim_released')).toHaveLength(1);
    expect(r.claim('otto', mine).effect('claim_granted')).toHaveLength(1);
  });
});

describe('eight agents in any interleaving', () => {
  const action = fc.record({
    agent: fc.constantFrom(...EIGHT),
    // -1: the whole conversation.
    event: fc.integer({ min: -1, max: 2 }),
    op: fc.constantFrom('claim', 'claim', 'claim', 'renew', 'release', 'tick', 'react'),
    ttlMs: fc.integer({ min: 1, max: 120_000 }),
    after: fc.integer({ min: 0, max: 90_000 }),
  });

  it('are never two holders of one event, and tokens only grow [C2A-06-02/claims/role-one-or-claim, C2A-06-02/claims/owned-by-other, C2A-06-24/talk/claimed-stay-out]', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 5, maxLength: 60 }), (actions) => {
        const r = room({ agents: EIGHT, stepMs: 1 });
        const events = [0, 1, 2].map((index) => r.say('ann', `task ${index} for whoever is free`));
        // What the agents believe, from the effects alone.
        let believed: { agent: string; event: string; until: number; token: number }[] = [];
        let highest = 0;
        for (const { agent, event, op, ttlMs, after } of actions) {
          const target = events[event];
          const outcome =
            op === 'tick'
              ? r.tick(after)
              : op === 'react'
                ? r.react(agent, target ?? 'e1', 'working', { after })
                : r.claim(agent, target, { op, ttlMs, after });
          const { at } = outcome.record;
          believed = believed.filter(({ until }) => until > at);
          for (const { agent: by, event: released } of outcome.effect('claim_released')) {
            believed = believed.filter((claim) => claim.agent !== by || claim.event !== released);
          }
          for (const granted of outcome.effect('claim_granted')) {
            const others = believed.filter((claim) => claim.agent !== granted.agent);
            const clash = others.filter(
              ({ event: held }) => held === granted.event || held === '' || granted.event === '',
            );
            expect(clash).toEqual([]);
            const own = believed.find(
              (claim) =>
                claim.agent === granted.agent && (claim.event === granted.event || claim.event === ''),
            );
            if (own === undefined) {
              expect(granted.token).toBeGreaterThan(highest);
              highest = granted.token;
            } else expect(granted.token).toBe(own.token);
            believed = believed.filter(
              (claim) =>
                claim.agent !== granted.agent || (claim.event !== granted.event && granted.event !== ''),
            );
            believed.push(
              own === undefined || own.event === granted.event ? granted : { ...granted, event: own.event },
            );
          }
          for (const { eventId } of events) {
            const able = EIGHT.filter((id) => {
              const claim = believed.find(
                (held) => held.agent === id && (held.event === eventId || held.event === ''),
              );
              return (
                claim !== undefined && mayAnswer(r.state, agentKey(id), shortKey(eventId), at, claim.token).ok
              );
            });
            expect(able.length).toBeLessThanOrEqual(1);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a mention of many', () => {
  it.each(['@here', '@channel', '@everyone'])(
    '%s wakes nobody among people [C2A-06-02/claims/one-default-responder, C2A-06-24/talk/one-responder]',
    (word) => {
      const r = room({ here: { defaultResponder: 'nova' } });
      r.say('ben', 'morning');
      const said = r.say('ann', `${word} can somebody look at the disk?`);
      expect(said.who('must_not_respond')).toEqual(['nova', 'otto', 'iris']);
    },
  );

  it.each(['@here', '@channel', '@everyone'])(
    '%s is for the room, also from somebody in an exchange',
    (word) => {
      const r = room({ membership: { humans: 3 } });
      const asked = r.say('ann', '@nova is the disk full?');
      r.say('nova', 'It is not.', { inReplyTo: asked });
      const said = r.say('ann', `${word} who comes along for lunch?`);
      expect(said.who('must_not_respond')).toEqual(['nova', 'otto', 'iris']);
      expect(r.say('ann', 'and how full is it?').of('nova').reason).toBe('exchange');
    },
  );

  it('of the channel by a human alone wakes the one default responder [C2A-06-02/claims/one-default-responder]', () => {
    const r = room({ here: { defaultResponder: 'otto' }, membership: { humans: 1 } });
    const said = r.say('ann', '@here can somebody look at the disk?');
    expect(Object.values(said.decisions).filter((decision) => decision && startsTurn(decision))).toHaveLength(
      1,
    );
    expect(said.of('otto')).toMatchObject({ policy: 'must_respond', reason: 'solo_human' });
  });

  it('of the channel, where that is set to mean a role, is offered to one at a time [C2A-06-02/claims/one-default-responder, C2A-06-02/claims/role-one-or-claim]', () => {
    const agents = EIGHT.map((id) => ({ id, roles: ['ops'] }));
    const said = room({ agents, here: { broadcastRole: 'ops' } }).say('ann', '@channel who can look?');
    for (const agent of EIGHT) {
      expect(said.of(agent)).toMatchObject({
        claimFirst: true,
        offer: 'one_at_a_time',
        reason: 'role_mention',
      });
    }
  });

  it('of a role waits for a claim: nobody holding it may answer without, nobody else may at all [C2A-06-02/claims/role-one-or-claim]', () => {
    const r = room({ agents: [{ id: 'nova', roles: ['ops'] }, { id: 'otto', roles: ['ops'] }, 'iris'] });
    const thread = r.thread();
    thread.say('iris', 'I have restarted the job.');
    const said = thread.say('ann', '@ops can you check the disk?');
    for (const agent of ['nova', 'otto'])
      expect(said.of(agent)).toMatchObject({ policy: 'may_respond', claimFirst: true });
    expect(said.of('iris')).toMatchObject({ policy: 'must_not_respond', reason: 'addressed_elsewhere' });
    thread.claim('otto', said);
    expect(may(thread, 'nova', said).ok).toBe(false);
  });

  it('naming six agents in one human message names nobody in particular [C2A-06-02/claims/one-default-responder]', () => {
    const said = room({ agents: EIGHT }).say(
      'ann',
      EIGHT.slice(0, 6)
        .map((id) => `@${id}`)
        .join(' ') + ' hello?',
    );
    expect(said.who('must_respond')).toEqual([]);
    const five = room({ agents: EIGHT }).say(
      'ann',
      EIGHT.slice(0, 5)
        .map((id) => `@${id}`)
        .join(' ') + ' hello?',
    );
    expect(five.who('must_respond')).toHaveLength(5);
  });
});

describe('chatter among workers', () => {
  const team = { agents: ['lead', { id: 'otto', lead: 'lead' }, { id: 'iris', lead: 'lead' }] };
  const owned = {
    agents: [{ id: 'lead', owns: { conversations: ['T1'], streams: [] } }, ...team.agents.slice(1)],
  };

  it.each([
    ['in a channel', (): Outcome => room(team).say('otto', 'can somebody check the schema?'), 'not_for_me'],
    ['to each other', (): Outcome => room(team).say('otto', '@iris can you check the schema?'), 'not_for_me'],
    [
      'in a thread the lead owns',
      (): Outcome => room(owned).thread().say('otto', 'I think the cache is stale'),
      'worker_thread',
    ],
    [
      'as status in a thread the lead owns',
      (): Outcome => room(owned).thread().say('otto', 'deploy finished'),
      'status',
    ],
    [
      'between them in a thread the lead has spoken in',
      (): Outcome => {
        const thread = room(team).thread();
        thread.say('lead', 'I have split the work.');
        thread.say('otto', '@iris can you check the schema?');
        return thread.say('iris', '@otto which of the two?');
      },
      'not_for_me',
    ],
  ])('%s is not injected into the lead [C2A-06-02/claims/worker-chatter]', (_where, said, row) => {
    const decision = said().of('lead');
    expect(decision).toMatchObject({ policy: 'must_not_respond', trace: { row } });
    expect(['tool_mailbox', 'digest']).toContain(decision.mode);
  });

  it('reaches the lead when it is addressed', () => {
    expect(room(team).say('otto', '@lead which schema do we take?').of('lead')).toMatchObject({
      policy: 'must_respond',
      mode: 'buffered',
    });
  });
});
