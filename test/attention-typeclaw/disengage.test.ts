// Clearing stickiness: an agent steps back, and the reply that says so does not bring it back in.
import { describe, expect, it } from 'vitest';
import { busy, credit, solo, toldTo } from './rooms.ts';

describe('disengaging', () => {
  it('drops every credit of the conversation [TC/disengage/drops-every-credit]', () => {
    const r = busy();
    credit(r, 'ann');
    credit(r, 'ben');
    expect(r.state.credits).toHaveLength(2);
    r.disengage('toto');
    expect(r.state.credits).toEqual([]);
    expect(toldTo(r.say('ann', 'and?'))).toBe('observe');
    expect(toldTo(r.say('ben', 'and?'))).toBe('observe');
  });

  it('drops the credits for this agent only [TC/disengage/drops-every-credit]', () => {
    const r = busy({ agents: ['toto', 'lala'] });
    credit(r, 'ann', 'toto');
    credit(r, 'ann', 'lala');
    r.disengage('toto');
    const said = r.say('ann', 'and?');
    expect([toldTo(said, 'toto'), toldTo(said, 'lala')]).toEqual(['observe', 'engage']);
  });

  it('leaves mention, reply and alias in force [TC/disengage/strict-rules-remain]', () => {
    const r = busy();
    const ours = credit(r, 'ann');
    r.disengage('toto');
    expect(r.say('ann', 'hey', { mentions: ['toto'] }).of('toto').reason).toBe('mention');
    expect(r.say('ann', 'hey', { replyTo: ours }).of('toto').reason).toBe('reply');
    expect(r.say('ann', 'hey toto').of('toto').reason).toBe('name');
  });

  it('leaves DMs in force [TC/disengage/strict-rules-remain]', () => {
    const r = solo({ kind: 'dm' });
    credit(r, 'ann');
    r.disengage('toto');
    expect(r.say('ann', 'hey').of('toto').reason).toBe('direct_message');
  });

  it('leaves the credits of another conversation alone [TC/disengage/one-conversation]', () => {
    const here = busy({ id: 'C1' });
    const there = busy({ id: 'C2' });
    credit(here, 'ann');
    credit(there, 'ann');
    here.disengage('toto');
    expect(toldTo(here.say('ann', 'and?'))).toBe('observe');
    expect(toldTo(there.say('ann', 'and?'))).toBe('engage');
  });

  it('is no mute: a reply in a later turn grants credits again [TC/disengage/not-a-mute]', () => {
    const r = busy();
    credit(r, 'ann');
    r.turn('toto', 'started');
    r.disengage('toto');
    r.turn('toto', 'ended');
    credit(r, 'ann');
    expect(toldTo(r.say('ann', 'and?'))).toBe('engage');
  });

  it('binds the acknowledging reply of the same turn [TC/disengage/same-turn]', () => {
    const r = busy();
    const asked = r.say('ann', 'toto, leave us alone');
    r.turn('toto', 'started');
    r.disengage('toto');
    r.say('toto', 'ok, backing off', { inReplyTo: asked });
    expect(r.state.credits).toEqual([]);
    expect(toldTo(r.say('ann', 'good'))).toBe('observe');
  });

  it('binds every reply of that turn, also one to somebody else [TC/disengage/same-turn]', () => {
    const r = busy();
    const bens = r.say('ben', 'toto?');
    const anns = r.say('ann', 'toto, leave us alone');
    r.turn('toto', 'started');
    r.disengage('toto');
    r.say('toto', 'bye', { inReplyTo: bens });
    r.say('toto', 'bye', { inReplyTo: anns });
    expect(r.state.credits).toEqual([]);
  });

  it('ends with its turn: the next turn’s reply grants [TC/disengage/next-turn-grants]', () => {
    const r = busy();
    const first = r.say('ann', 'toto, leave us alone');
    r.turn('toto', 'started');
    r.disengage('toto');
    r.say('toto', 'ok', { inReplyTo: first });
    r.turn('toto', 'ended');
    const next = r.say('ann', 'toto, one more thing');
    r.turn('toto', 'started');
    r.say('toto', 'yes', { inReplyTo: next });
    expect(r.state.credits.map(({ author }) => author)).toEqual(['ann']);
  });
});
