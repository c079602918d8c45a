// `earshot explain`: one hypothetical event, told in words, alone or against the state a replay ended with.
import { describe, expect, it } from 'vitest';
import { EXAMPLE, EXAMPLE_CONFIG, earshot, file, rows } from './fake-io.ts';

const config = ['--config', EXAMPLE_CONFIG];
const explain = (event: unknown, ...more: string[]) =>
  earshot(['explain', ...config, '--event', JSON.stringify(event), ...more]);

describe('earshot explain', () => {
  it('tells a headline and the steps for every agent', async () => {
    const { code, out } = await explain({ text: '@lead can you look?' });
    expect(code).toBe(0);
    expect(out).toContain('lead must answer: it is mentioned.');
    expect(out).toContain('3. Rule 4 "mention" decided: the message mentions this agent.');
    expect(out).toContain('So lead must answer, and will see the full text after a short pause.');
    expect(out).toContain('builder stays silent: this is meant for somebody else.');
  });

  it('tells why an agent is silent [TC/rules/silence-is-diagnosable]', async () => {
    const { out } = await explain({ text: 'lunch?' }, '--agent', 'docs');
    expect(out).toMatch(/^docs stays silent: .*\n.*observe: .*\n {2}1\. /);
    expect(out).not.toContain('lead');
  });

  it('reads the event from standard input', async () => {
    const { out } = await earshot(['explain', ...config, '-'], '{"text":"builder, status?"}');
    expect(out).toContain('builder must answer: it is mentioned.');
  });

  it('asks against the state a replay wrote', async () => {
    const state = file('', '.state');
    expect((await earshot(['replay', EXAMPLE, ...config, '--json', '--state-out', state])).code).toBe(0);
    const conversation = { id: 'standup', kind: 'channel' };
    const follow = { text: 'how long will it take?', conversation, author: { id: 'U02', kind: 'human' } };
    const { out } = await explain(follow, '--state', state, '--agent', 'lead', '--json');
    const [alone] = rows((await explain(follow, '--agent', 'lead', '--json')).out);
    const [row] = rows(out);
    expect(row).toMatchObject({
      agent: 'lead',
      reason: 'exchange',
      headline: expect.any(String),
      steps: expect.any(Array),
    });
    expect(alone?.reason).not.toBe('exchange');
    const { code, err } = await explain({ eventId: 'e01', conversation }, '--state', state);
    expect(code).toBe(1);
    expect(err).toContain('"e01" is already in the state');
  });

  it.each<[string, object, string]>([
    ['its own author', { text: 'x', author: { id: 'lead', kind: 'agent' } }, 'lead wrote it'],
    ['an event that asks nobody', { type: 'typing' }, 'Nothing to decide'],
    ['history', { text: '@lead', origin: 'backfill' }, 'this is history'],
  ])('says why nobody is asked: %s', async (_, event, said) => {
    const { code, out } = await explain(event, '--agent', 'lead');
    expect(code).toBe(0);
    expect(out).toContain(said);
  });

  it.each<[string, string[], number, string]>([
    ['no event', [], 2, 'give the message with --event JSON'],
    ['no JSON', ['--event', 'hello'], 1, '--event: not valid JSON; write for example'],
    ['a list', ['--event', '[]'], 1, '--event: expected one JSON object'],
    ['a wrong field', ['--event', '{"text":3}'], 1, '--event: text: expected text'],
    ['a wrong state', ['--event', '{}', '--state', EXAMPLE], 1, `${EXAMPLE} is no state of this Earshot`],
    [
      'no state',
      ['--event', '{}', '--state', '/nowhere'],
      1,
      '/nowhere cannot be read (ENOENT); write it with',
    ],
    ['an agent not known', ['--event', '{}', '--agent', 'leed'], 2, 'did you mean "lead"?'],
  ])('says what is wrong: %s', async (_, argv, code, said) => {
    const ran = await earshot(['explain', ...config, ...argv]);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(said);
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
  });
});
