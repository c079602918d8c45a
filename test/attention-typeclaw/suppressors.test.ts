// Suppressors keep the agent out of what is clearly aimed elsewhere; they touch the solo-human rule only.
import { describe, expect, it } from 'vitest';
import { solo, toldTo } from './rooms.ts';

describe('a message aimed elsewhere in a lone human’s channel', () => {
  it('is observed when it tags others and not us [TC/suppressors/mentions-others]', () => {
    const said = solo().say('ann', 'look', { mentions: ['ben'] });
    expect(said.of('toto')).toMatchObject({ decision: 'observe', reason: 'addressed_elsewhere' });
    expect(said.of('toto').trace.facts).toEqual({ by: 'mention' });
  });

  it('is engaged when it tags others and us [TC/suppressors/mentions-us-too]', () => {
    expect(toldTo(solo().say('ann', 'look', { mentions: ['ben', 'toto'] }))).toBe('engage');
    expect(toldTo(solo().say('ann', 'look', { mentions: ['toto', 'ben'] }))).toBe('engage');
  });

  it('is observed when it replies to a message that is not ours [TC/suppressors/reply-to-other]', () => {
    const r = solo();
    const said = r.say('system:ci', 'build failed');
    expect(r.say('ann', 'again', { replyTo: said }).of('toto').trace.facts).toEqual({ by: 'reply' });
    expect(toldTo(r.say('ann', 'again', { replyTo: { eventId: 'old', to: 'ben' } }))).toBe('observe');
  });

  it('is engaged as such a reply once we have sent into the thread [TC/suppressors/bot-in-thread]', () => {
    const thread = solo().thread({ membership: { humans: 1 } });
    const root = thread.say('ann', 'look at this', { mentions: ['toto'] });
    expect(toldTo(thread.say('ann', 'more', { replyTo: root }))).toBe('observe');
    thread.say('toto', 'looking', { inReplyTo: root });
    expect(toldTo(thread.say('ann', 'even more', { replyTo: root }))).toBe('engage');
    expect(toldTo(thread.say('ann', 'and more', { replyTo: root }))).toBe('engage');
  });

  it.each(['Robo what is left', 'was robo right', 'roboter', 'ROBO!'])(
    'is observed when its text has a peer bot’s display name: %j [TC/suppressors/peer-bot-named]',
    (text) => {
      const r = solo();
      r.say('agent:b7', 'beep', { displayName: 'Robo' });
      expect(r.say('ann', text).of('toto').trace.facts).toEqual({ by: 'peer_name' });
    },
  );

  it('is observed when it names another agent of this host [TC/suppressors/peer-bot-named]', () => {
    const r = solo({ agents: ['toto', 'lala'] });
    const said = r.say('ann', 'lala what is left');
    expect([toldTo(said, 'toto'), toldTo(said, 'lala')]).toEqual(['observe', 'engage']);
  });

  it('knows peers by their having spoken here, as bots [TC/suppressors/peer-names-observed]', () => {
    const r = solo();
    r.say('agent:b7', 'beep', { displayName: '라라' });
    r.say('system:ci', 'ok', { displayName: 'Builder' });
    expect(toldTo(r.say('ann', '라라아 봐줘'))).toBe('observe');
    expect(toldTo(r.say('ann', 'ask builder'))).toBe('engage');
    const elsewhere = solo({ id: 'C2' });
    expect(toldTo(elsewhere.say('ann', '라라아 봐줘'))).toBe('engage');
  });

  it('knows a peer by the name it last spoke under [TC/suppressors/peer-names-observed]', () => {
    const r = solo();
    r.say('agent:b7', 'beep', { displayName: 'Robo' });
    r.say('agent:b7', 'beep', { displayName: 'Mecha' });
    expect(toldTo(r.say('ann', 'mecha?'))).toBe('observe');
    expect(toldTo(r.say('ann', 'robo?'))).toBe('engage');
  });

  it('finds a long display name although state keeps its beginning only [TC/suppressors/peer-names-observed]', () => {
    const r = solo();
    r.say('agent:b7', 'beep', { displayName: 'Deployment Assistant of the Platform Team' });
    expect(toldTo(r.say('ann', 'hey deployment assistant of the platform team'))).toBe('observe');
    expect(toldTo(r.say('ann', 'the deployment is slow'))).toBe('engage');
  });

  it('slips through before the peer has spoken, and never after [TC/suppressors/unseen-peer-slips]', () => {
    const r = solo();
    expect(toldTo(r.say('ann', 'robo, look'))).toBe('engage');
    r.say('agent:robo', 'on it');
    expect(toldTo(r.say('ann', 'robo, look'))).toBe('observe');
    for (let i = 0; i < 20; i++) r.say('ann', 'hm');
    expect(toldTo(r.say('ann', 'robo, look'))).toBe('observe');
  });

  it.each([
    ['a tag', { mentions: ['ben'] }, 'look'],
    ['a reply', { replyTo: { eventId: 'old', to: 'ben' } }, 'look'],
    ['a peer’s name', {}, 'robo look'],
  ])('silences for one message only: %s [TC/suppressors/one-message-only]', (_what, options, text) => {
    const r = solo();
    r.say('agent:robo', 'beep');
    const before = r.say('ann', 'one').of('toto');
    expect(toldTo(r.say('ann', text, options))).toBe('observe');
    const after = r.say('ann', 'two').of('toto');
    expect({ ...after, eventId: '' }).toEqual({ ...before, eventId: '' });
  });

  it.each([
    ['a mention', { mentions: ['ben', 'toto'] }, 'robo, look'],
    ['a reply', { mentions: ['ben'], replyTo: { eventId: 'e1', to: 'toto' } }, 'robo, look'],
    ['an alias', { mentions: ['ben'] }, 'toto or robo, look'],
  ])('does not keep %s from engaging [TC/suppressors/triggers-unaffected]', (_what, options, text) => {
    const r = solo();
    r.say('agent:robo', 'beep');
    r.say('ben', 'hi');
    expect(toldTo(r.say('ann', text, options))).toBe('engage');
  });

  it('does not keep a DM from engaging [TC/suppressors/triggers-unaffected]', () => {
    expect(toldTo(solo({ kind: 'dm' }).say('ann', 'tell @ben', { mentions: ['ben'] }))).toBe('engage');
  });
});
