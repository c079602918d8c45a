import { describe, expect, it } from 'vitest';
import { agentMayRead, isPrivate, mayRead, type ReadableRoom } from '../read/may-read.ts';
import { type TokenIdentity, SCOPES_OF, type TokenKind } from '../security/scopes.ts';

function who(kind: TokenKind, subject: string): TokenIdentity {
  return { kind, subject, scopes: SCOPES_OF[kind].usual, key: 'k' };
}
function room(over: Partial<ReadableRoom> = {}): ReadableRoom {
  return {
    key: 'slack/T1/C1',
    kind: 'channel',
    surface: 'slack',
    bound: new Set(['lead', 'ops']),
    participants: new Set(['lead']),
    ...over,
  };
}
const dm = room({ key: 'slack/T1/D1', kind: 'dm' });
const privateRoom = room({ key: 'slack/T1/P1', private: true });
const dmThread = room({ key: 'slack/T1/D1t', kind: 'thread', parent: { key: dm.key, kind: 'dm' } });

describe('mayRead', () => {
  it.each([
    ['a bound agent, in the open', who('agent', 'ops'), room(), true],
    ['an agent that is not bound', who('agent', 'stranger'), room(), false],
    [
      'an unbound agent, though it once took part',
      who('agent', 'x'),
      room({ participants: new Set(['x']) }),
      false,
    ],
    ['a participant of a DM', who('agent', 'lead'), dm, true],
    ['a bound agent outside the DM', who('agent', 'ops'), dm, false],
    ['a bound agent outside a thread of the DM', who('agent', 'ops'), dmThread, false],
    ['a participant of a private room', who('agent', 'lead'), privateRoom, true],
    ['a bound agent outside a private room', who('agent', 'ops'), privateRoom, false],
    ['the surface it lives on', who('surface', 'slack'), dm, true],
    ['another surface', who('surface', 'discord'), room(), false],
    ['an operator, everything', who('operator', 'ana'), dm, true],
    [
      'an operator without the scope',
      { ...who('operator', 'ana'), scopes: ['operator:write'] as const },
      room(),
      false,
    ],
    ['an agent without the scope', { ...who('agent', 'lead'), scopes: [] }, room(), false],
    [
      'a surface without the scope',
      { ...who('surface', 'slack'), scopes: ['events:write'] as const },
      room(),
      false,
    ],
    ['a surface with an agent’s name', who('surface', 'lead'), room(), false],
  ])('%s', (_who, identity, where, expected) => {
    expect(mayRead(identity, where).ok).toBe(expected);
  });
  it('says why not', () => {
    expect(agentMayRead('stranger', dm)).toEqual({ ok: false, why: 'not_bound' });
    expect(agentMayRead('ops', dm)).toEqual({ ok: false, why: 'not_a_participant' });
  });
});

it('a direct message and its threads are private', () => {
  expect([dm, dmThread, privateRoom, room()].map(isPrivate)).toEqual([true, true, true, false]);
});
