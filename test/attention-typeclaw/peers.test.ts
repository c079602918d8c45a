// Peer bots: reachable by the same triggers as humans, without the courtesy of the solo-human rule.
import { describe, expect, it } from 'vitest';
import { agentSettingsSchema, limitsSchema } from '../../src/attention/settings.ts';
import { busy, credit, solo, toldTo } from './rooms.ts';

describe('a peer bot', () => {
  it('engages by DM [TC/peers/same-triggers]', () => {
    expect(solo({ kind: 'dm' }).say('agent:robo', 'hi').of('toto').reason).toBe('direct_message');
  });

  it('engages by mention, reply, credit and alias as a human does [TC/peers/same-triggers]', () => {
    for (const author of ['cat', 'agent:robo', 'lala']) {
      const r = busy({ agents: ['toto', 'lala'] });
      const said = r.say(author, 'hi', { mentions: ['toto'] });
      const ours = r.say('toto', 'hi', { inReplyTo: said });
      const reasons = [
        said,
        r.say(author, 'so', { replyTo: ours }),
        r.say(author, 'lol ok'),
        r.say(author, 'hey toto'),
      ];
      expect(reasons.map((outcome) => outcome.of('toto').reason)).toEqual([
        'mention',
        'reply',
        'sticky',
        'name',
      ]);
      expect(reasons.map((outcome) => toldTo(outcome))).toEqual(['engage', 'engage', 'engage', 'engage']);
    }
  });

  it('is never engaged by the solo-human rule, whoever else is here [TC/peers/no-solo-fallback]', () => {
    const r = solo({ agents: ['toto', 'lala'] });
    r.say('ann', '얘들아');
    expect(toldTo(r.say('lala', '안녕하세요, 라라입니다'))).toBe('observe');
    expect(toldTo(r.say('agent:robo', 'hello everybody'))).toBe('observe');
    expect(toldTo(solo({ membership: { humans: 0 } }).say('agent:robo', 'hello'))).toBe('observe');
  });

  it('has no setting of its own [TC/peers/no-bot-only-knob]', () => {
    const triggers = agentSettingsSchema.parse({ id: 'toto' }).triggers;
    expect(Object.keys(triggers)).toEqual(['dm', 'mention', 'reply']);
    const knobs = [...Object.keys(agentSettingsSchema.shape), ...Object.keys(limitsSchema.shape)];
    expect(knobs.filter((name) => /bot|peer/i.test(name))).toEqual([]);
    expect(agentSettingsSchema.safeParse({ id: 'toto', peerBotTriggers: ['mention'] }).success).toBe(false);
  });

  it('loses a trigger exactly when humans lose it [TC/peers/no-bot-only-knob]', () => {
    const agents = [{ id: 'toto', accounts: ['U7'], triggers: { mention: false } }];
    const r = busy({ agents });
    expect(toldTo(r.say('ann', 'hi', { mentions: ['U7'] }))).toBe('observe');
    expect(toldTo(r.say('agent:robo', 'hi', { mentions: ['U7'] }))).toBe('observe');
  });

  it('holds a credit of its own [TC/peers/same-triggers]', () => {
    const r = busy();
    credit(r, 'agent:robo');
    expect(toldTo(r.say('ann', 'hm'))).toBe('observe');
    expect(toldTo(r.say('agent:robo', 'hm'))).toBe('engage');
  });
});
