// A line that calls nobody is for one agent at most, however likely it is for several.
import { describe, expect, it } from 'vitest';
import { explainDecision, startsTurn } from '../../src/attention/index.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { seeds } from '../long.ts';
import { type Outcome, type Room, room } from './room.ts';

const AGENTS = ['lead', 'builder', 'scout'] as const;
const heardBy = (said: Outcome): string[] =>
  AGENTS.filter((agent) => said.of(agent).directedness === 'to_me' && startsTurn(said.of(agent)));

/** Eve has talked with scout, and then called builder, which answers her. */
function betweenTwo(): Room {
  const r = room({ agents: AGENTS, stepMs: 30_000 });
  for (const [agent, question, answer] of [
    ['scout', 'when is the release?', 'builder, can you check that?'],
    ['scout', 'is it green by then?', 'scout: is it green?'],
    ['builder', 'is it green?', 'builder, can you check that?'],
  ] as const) {
    const asked = r.say('eve', `@${agent} ${question}`);
    r.say(agent, answer, { inReplyTo: asked });
  }
  r.say('ada', 'lunch was good');
  return r;
}

describe('a line that is likely for two agents', () => {
  const said = betweenTwo().say('eve', 'is it green?');

  it('is heard by the likelier alone', () => {
    expect(heardBy(said)).toEqual(['builder']);
  });

  it('is explained to the other as what it is', () => {
    const { probability, from, likelier } = said.of('scout').trace.facts;
    expect(Number(probability)).toBeGreaterThanOrEqual(Number(from));
    expect(likelier).toBe('builder');
    const { steps } = explainDecision(said.of('scout'));
    expect(steps).toContain('builder is likelier, and a line that calls nobody is for one.');
  });
});

const LINES = [
  'is it green?',
  'lunch was good',
  'can you look again?',
  'and when is it done?',
  'the build takes an hour',
  'which branch was it?',
];

/** A room in which everybody talks with everybody: by whom each line that calls nobody was heard. */
function drawnRoom(seed: number): { text: string; heard: string[] }[] {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
  const r = room({ agents: AGENTS, stepMs: 5_000 + Math.floor(random.next() * 60_000) });
  const found: { text: string; heard: string[] }[] = [];
  for (let n = 0; n < 40; n++) {
    const [by, text, called] = [pick(['ada', 'ben', 'eve']), pick(LINES), pick([...AGENTS, '', '', ''])];
    const said = r.say(by, called === '' ? text : `@${called} ${text}`);
    const heard = heardBy(said);
    if (called === '') found.push({ text, heard });
    for (const agent of heard) r.say(agent, pick(LINES), { inReplyTo: said });
  }
  return found;
}

it('in drawn rooms a line that calls nobody never starts turns of two agents', () => {
  const heard = seeds(50, 2_000).flatMap((seed) => drawnRoom(seed).map((line) => ({ seed, ...line })));
  expect(heard.filter(({ heard: agents }) => agents.length > 1)).toEqual([]);
  expect(heard.filter(({ heard: agents }) => agents.length === 1).length).toBeGreaterThan(heard.length / 10);
});
