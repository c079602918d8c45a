import { describe, expect, it } from 'vitest';
import { agentMayRead, isPrivate, mayQuote, mayRead, type ReadableRoom } from '../read/may-read.ts';
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

describe('mayQuote', () => {
  const thread = room({
    key: 'slack/T1/P1t',
    kind: 'thread',
    private: true,
    parent: { key: privateRoom.key, kind: 'channel' },
  });
  it.each([
    ['out of the open', room(), dm, true],
    ['within a DM', dm, dm, true],
    ['from a DM into its thread and back', dm, dmThread, true],
    ['from a private thread into its room', thread, privateRoom, true],
    ['from a DM into a channel', dm, room(), false],
    ['from a thread of a DM into a channel', dmThread, room(), false],
    ['from a private room into a DM', privateRoom, dm, false],
    ['from a private thread into another room', thread, room(), false],
  ])('%s', (_what, from, to, expected) => {
    expect(mayQuote(from, to).ok).toBe(expected);
  });
  it('needs a human’s agree', () => {
    expect(mayQuote(dm, room())).toMatchObject({
      needs: 'agree',
      reason: expect.stringContaining('private'),
    });
    expect(isPrivate(room())).toBe(false);
  });
});
