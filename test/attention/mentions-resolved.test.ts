// Where the platform says whom a message mentions, that is all there is: an @name in the text wakes nobody. Names
// without an @ call as everywhere.
import { describe, expect, it } from 'vitest';
import type { Mention } from '../../src/protocol/chat-event.ts';
import { type Outcome, type RoomOptions, room } from './room.ts';

const AGENTS = [{ id: 'lead', roles: ['ops'] }, { id: 'smith' }];
const SMITH: Mention = { kind: 'human', id: 'U77' };

/** Every agent's rung. */
function rungs({ decisions }: Outcome): string[] {
  return Object.values(decisions).flatMap((decision) => decision?.trace.rung ?? []);
}

function woken(text: string, mentions: readonly Mention[], options: RoomOptions = {}): string[] {
  const said = room({ agents: AGENTS, ...options }).say('ann', text, { mentions, mentionsResolved: true });
  return [...said.who('must_respond'), ...said.who('may_respond')];
}

describe('with the platform’s own mentions', () => {
  it.each<[what: string, text: string, mentions: readonly Mention[]]>([
    ['a person of the same name', '@Lead Smith can you look?', [SMITH]],
    ['a person of the same name, at the end', 'can you look, @Lead Smith?', [SMITH]],
    ['a person of the same name, after a greeting', 'hey @Smith Lead, can you look?', [SMITH]],
    ['a person of the same name in turn, at the end', 'can you look, @Smith Lead?', [SMITH]],
    ['a name that was typed and pinged nobody', '@lead can you look?', []],
    ['the same at the end', 'can you look, @lead?', []],
    ['the same twice', 'can you look, @lead and @smith?', []],
    ['in code', 'run `@lead deploy` please', []],
    ['in a quotation', '> @lead deploy\nwho wrote that?', []],
    ['a role', '@ops can somebody look?', []],
    ['everyone', '@everyone can somebody look?', []],
    ['an account as another platform writes it', '<@lead> can you look?', []],
  ])('nobody is woken by %s [C2A-06-02/directedness/from-mentions]', (_, text, mentions) => {
    expect(woken(text, mentions)).toEqual([]);
  });

  it.each<[what: string, text: string, mentions: readonly Mention[], who: readonly string[]]>([
    ['a mention', '@Lead bot can you look?', [{ kind: 'agent', id: 'lead' }], ['lead']],
    ['a mention without a name in the text', 'can you look?', [{ kind: 'agent', id: 'smith' }], ['smith']],
    ['a plain name at the head', 'lead, can you look?', [], ['lead']],
    ['a plain name at the head beside a person', 'lead, can you ask @Bob Roe?', [SMITH], ['lead']],
    ['a plain name at the end', 'can you look, lead?', [], ['lead']],
    ['a plain name at the end after an address', 'can you look at jo@smith.example, lead?', [], ['lead']],
    ['a role', 'can somebody look?', [{ kind: 'role', id: 'ops' }], ['lead']],
  ])('%s counts [C2A-06-02/directedness/from-mentions]', (_, text, mentions, who) => {
    expect(woken(text, mentions)).toEqual(who);
  });

  it.each([
    ['@lead can you look?', []],
    ['can you ask @lead?', []],
    ['run `@lead deploy` please', []],
    ['lead can you look?', ['lead']],
    ['@Bob can you ask lead?', ['lead']],
  ])('in the preset typeclaw, where a name anywhere counts: %s', (text, who) => {
    expect(woken(text, [], { preset: 'typeclaw', membership: { humans: 3 } })).toEqual(who);
  });

  it('a broadcast that did ping is one, and one that was only typed is not', () => {
    const here = { broadcastRole: 'ops' };
    expect(woken('@here who looks?', [{ kind: 'broadcast', id: 'here' }], { here })).toEqual(['lead']);
    expect(woken('@here who looks?', [], { here })).toEqual([]);
  });

  it('an @name in an edit wakes nobody either', () => {
    const r = room({ agents: AGENTS });
    const first = r.say('ann', 'the deploy is red', { mentionsResolved: true });
    const edit = r.edit('ann', first, '@lead the deploy is red, can you look?', { mentionsResolved: true });
    expect([...edit.who('must_respond'), ...edit.who('may_respond')]).toEqual([]);
  });

  it('a tag that is nobody’s does not end an exchange', () => {
    const r = room({ agents: AGENTS });
    const first = r.say('ann', 'is it green?', {
      mentions: [{ kind: 'agent', id: 'lead' }],
      mentionsResolved: true,
    });
    r.say('lead', 'It is.', { inReplyTo: first.eventId });
    expect(rungs(r.say('ann', 'and the @types package?', { mentionsResolved: true }))[0]).toBe('exchange');
  });

  it('without the platform’s word the text is read', () => {
    const r = room({ agents: AGENTS });
    expect(r.say('ann', '@lead can you look?', { mentions: [] }).who('must_respond')).toEqual(['lead']);
  });
});
