// The six guided steps, each played as it stands in the guide against the real host with the demo's agents, under the
// virtual clock: turns, visible messages, signals, claims, inbox. Then all of them in a row, twice.
import { afterEach, describe, expect, it } from 'vitest';
import { GUIDE, type GuideStep } from '../../src/demo/guide.ts';
import type { TestHost } from '../../src/testing/index.ts';
import { demoHost, playStep } from './stage.ts';

let host: TestHost;
afterEach(() => host.close());

const AGENTS = ['lead', 'builder', 'reviewer'] as const;

function stepCalled(id: string): GuideStep {
  const step = GUIDE.find((one) => one.id === id);
  if (step === undefined) throw new Error(`the guide has no step "${id}"`);
  return step;
}

async function played(id: string): Promise<string[]> {
  host = await demoHost();
  return playStep(host, stepCalled(id));
}

const said = (): string[] =>
  host.visible().flatMap(({ by, kind, text }) => (kind === 'agent' ? [`${by}: ${text}`] : []));
const turns = (): number[] => AGENTS.map((id) => host.turns(id));

describe('the guide', () => {
  it('mention: one answer by the one who was asked', async () => {
    const [asked = ''] = await played('mention');
    expect(said()).toEqual(['lead: Nothing blocks the deploy: the build is green.']);
    expect(turns()).toEqual([1, 0, 0]);
    expect(await host.why(asked, 'lead')).toMatchObject({ policy: 'must_respond', disposition: 'responded' });
    for (const id of ['builder', 'reviewer'])
      expect(await host.why(asked, id)).toMatchObject({ policy: 'must_not_respond' });
    expect(await host.inbox()).toEqual([]);
  });

  it('fragments: three messages, one turn, and the answer says so', async () => {
    await played('fragments');
    expect(said()).toEqual([
      'lead: I read three messages as one. Nothing blocks the deploy: the build is green.',
    ]);
    expect(turns()).toEqual([1, 0, 0]);
  });

  it('thanks: a signal and no turn', async () => {
    const [thanks = ''] = await played('thanks');
    expect(said()).toEqual([]);
    expect(turns()).toEqual([0, 0, 0]);
    expect(host.reactions()).toMatchObject([{ by: 'lead', signal: 'seen', on: thanks }]);
  });

  it('role: one claims, one answers, and the next time the other one', async () => {
    const [asked = ''] = await played('role');
    const first = host.visible().at(-1);
    expect(said()).toHaveLength(1);
    expect(first?.text).toMatch(/^I have claimed this, so nobody else answers\. /);
    expect(['builder', 'reviewer']).toContain(first?.by);
    const other = first?.by === 'builder' ? 'reviewer' : 'builder';
    expect([host.turns('lead'), host.turns(other)]).toEqual([0, 0]);
    expect(await host.why(asked, first?.by ?? '')).toMatchObject({
      directedness: 'to_my_role',
      disposition: 'claimed',
    });
    await playStep(host, stepCalled('role'));
    expect(host.visible().at(-1)?.by).toBe(other);
    expect(await host.inbox()).toEqual([]);
  });

  it('loop: a notice, a stop, and one person is told, once', async () => {
    await played('loop');
    const lines = said();
    expect(lines.slice(0, 2)).toEqual([
      'builder: @reviewer Tabs: one key, one character. Why press more?',
      'reviewer: @builder Spaces: who likes ragged columns?',
    ]);
    expect(lines.filter((line) => line.includes('I was told that I may stop here'))).toHaveLength(5);
    // The tenth is shown, and wakes nobody. One line says so in the room.
    expect(host.visible('builder').length + host.visible('reviewer').length).toBe(11);
    expect(lines.at(-1)).toBe(
      'builder: Reviewer and Builder kept asking each other and nothing was answered, so they are stopped here. Mention one of them to let them go on.',
    );
    expect(host.visible('lead')).toEqual([]);
    const held = host.visible('reviewer').at(-1)?.eventId ?? '';
    expect(await host.why(held, 'builder')).toMatchObject({
      policy: 'must_not_respond',
      reason: 'loop_stopped',
    });
    const before = [said().length, turns()];
    await host.advance(3_600_000);
    expect([said().length, turns()]).toEqual(before);
    expect(await host.inbox()).toEqual([]);
  });

  it('leave: one line of acknowledgement, silence, and back when mentioned', async () => {
    const [, whileGone = ''] = await played('leave');
    expect(said()).toEqual([
      'lead: Okay, I am leaving this conversation. Mention me to bring me back.',
      'lead: I am here. I answer when I am addressed and am quiet otherwise.',
    ]);
    expect(turns()).toEqual([1, 0, 0]);
    expect(await host.why(whileGone, 'lead')).toMatchObject({ policy: 'must_not_respond', reason: 'left' });
  });

  it('is played from beginning to end, and again where the surface knows who is there, without a trace in the inbox', async () => {
    host = await demoHost(7);
    expect(GUIDE.map(({ id }) => id)).toEqual(['mention', 'fragments', 'thanks', 'role', 'loop', 'leave']);
    const rounds: string[][] = [];
    for (const more of [{}, { membership: { humans: 1, agents: 3, complete: true } }]) {
      const before = said().length;
      for (const step of GUIDE) await playStep(host, step, more);
      rounds.push(
        said()
          .slice(before)
          .filter((line) => !line.includes('claimed')),
      );
    }
    expect(rounds[0]).toHaveLength(15);
    expect(rounds[1]).toEqual(rounds[0]);
    expect(await host.inbox()).toEqual([]);
  });
});
