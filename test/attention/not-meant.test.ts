// "not you", "I was asking Bob": what an agent is told by a person for whom it was not starts no turn, and ends their
// exchange. An agent that has asked something, or still works on the author's words, hears it. So does one to whom they put
// right what they said ("no, I meant staging").
import { describe, expect, it } from 'vitest';
import { explainDecision, startsTurn } from '../../src/attention/index.ts';
import { decisionPhrase } from '../../src/attention/decision-phrase.ts';
import { type Outcome, type Room, room } from './room.ts';

const TOLD = 'The token had expired, it was renewed at six.';
const ASKED = 'Which of the two exports do you mean?';

/** Ben has spoken, Ann has asked nova, and nova has said this. */
function answered(answer: string): Room {
  const r = room({ agents: ['nova', 'otto'], stepMs: 15_000 });
  r.say('ben', 'morning');
  const asked = r.say('ann', '@nova why did the export fail last night?');
  r.say('nova', answer, { inReplyTo: asked });
  return r;
}
const after = (answer: string, text: string): Outcome => answered(answer).say('ann', text);

const NOT_YOU =
  'not you|not you, sorry|nova, not you|not you, nova|@nova not you|sorry nova, that was not for you|nobody asked you|' +
  'nicht du|nova, das war nicht für dich|no es para ti, nova|pas toi, nova|não era para você|novaさん、あなたじゃないです|' +
  'nova 너 말고|nova，不是问你';
const BEN = 'I was asking Ben|no, I meant ben|das war für Ben|je parlais à Ben|estaba hablando con Ben';
const HEARD =
  'no, I meant staging|I meant tomorrow|not yours, the other token|not you, but can you tell me who renewed it?|' +
  'nova, why not you?|I did not get that';

describe('an agent that is told that it was not meant', () => {
  it.each(NOT_YOU.split('|'))('runs no turn, and its exchange is over: %s', (text) => {
    const r = answered(TOLD);
    const decision = r.say('ann', text).of('nova');
    expect(decision).toMatchObject({
      directedness: 'to_me',
      policy: 'ack_only',
      trace: { facts: { notMeant: true } },
    });
    expect(startsTurn(r.say('ann', 'it was the one from monday').of('nova'))).toBe(false);
  });

  it('is told why in words', () => {
    const decision = after(TOLD, 'not you').of('nova');
    const { headline, steps } = explainDecision(decision);
    expect(headline).toBe(
      'nova does not answer; Earshot acknowledges for it: its author says that the agent is not meant.',
    );
    expect(decisionPhrase(decision)).toBe('only gives a sign · told that it is not meant');
    expect(steps.join('\n')).not.toMatch(/thanks and|read as/);
    expect(steps).toContainEqual(expect.stringContaining('gives a reaction at most, never an answer'));
  });

  it.each(BEN.split('|'))('leaves the line to whoever was: %s', (text) => {
    const r = answered(TOLD);
    expect(r.say('ann', text).of('nova').directedness).toBe('to_other');
    expect(startsTurn(r.say('ann', 'it was the one from monday').of('nova'))).toBe(false);
  });

  it('gives it to the agent that was', () => {
    const said = after(TOLD, 'nova, not you, I meant otto');
    expect(startsTurn(said.of('nova'))).toBe(false);
    expect(after(TOLD, 'I meant otto').of('otto')).toMatchObject({
      directedness: 'to_me',
      policy: 'may_respond',
    });
  });

  it.each(HEARD.split('|'))('is told from what goes on: %s', (text) => {
    expect(startsTurn(after(TOLD, text).of('nova'))).toBe(true);
  });

  it('may take it for the answer to what it has asked', () => {
    expect(after(ASKED, 'not you').of('nova').policy).toBe('may_respond');
    expect(after(ASKED, 'I meant ben').of('nova').directedness).toBe('to_me');
  });

  it('hears it while it works', () => {
    const r = room({ agents: ['nova', 'otto'] });
    r.say('ben', 'morning');
    r.say('ann', '@nova why did the export fail last night?');
    expect(startsTurn(r.say('ann', 'nova, not you').of('nova'))).toBe(true);
    expect(startsTurn(r.say('ann', 'I meant ben').of('nova'))).toBe(true);
  });

  it('is told nothing when another agent says so, and the one that is tagged beside it is meant', () => {
    const r = answered(TOLD);
    expect(r.say('otto', 'not you, nova').of('nova').trace.facts).not.toHaveProperty('notMeant');
    const both = answered(TOLD).say('ann', '@nova not you, I meant @otto');
    expect(startsTurn(both.of('nova'))).toBe(false);
    expect(both.of('otto').policy).toBe('must_respond');
    expect(answered(TOLD).say('ann', 'not you, nova, I meant @otto').of('otto').policy).toBe('must_respond');
  });

  it.each([
    'no, I meant staging',
    'I meant the other export',
    'ich meinte Staging',
    'je voulais dire staging',
  ])('hears what is put right, though others have spoken since: %s', (text) => {
    const working = room({ agents: ['nova', 'otto'], stepMs: 20_000 });
    for (const who of ['ben', 'cleo']) working.say(who, 'morning');
    working.say('ann', '@nova restart production');
    for (const r of [working, answered(TOLD)]) {
      r.say('ben', 'did anyone touch the db?');
      r.say('cleo', 'not me');
      expect(startsTurn(r.say('ann', text).of('nova'))).toBe(true);
    }
  });

  const ANEW =
    'no wait, staging|wait no, staging|no, wait: staging|scratch that, staging|nein warte, Staging|no, espera, staging|' +
    'non attends, staging|não, espera, staging|いや待って、ステージング|아니 잠깐, 스테이징|等等不对，staging';
  it.each(ANEW.split('|'))('hears what is said anew while it has not answered: %s', (text) => {
    const working = room({ agents: ['nova', 'otto'], stepMs: 20_000 });
    for (const who of ['ben', 'cleo']) working.say(who, 'morning');
    working.say('ann', '@nova restart production');
    working.say('ben', 'is it safe?');
    working.say('cleo', 'not sure');
    expect(startsTurn(working.say('ann', text).of('nova'))).toBe(true);
  });

  it('leaves it to the scorer once it has answered, and what only begins like it', () => {
    const done = answered(TOLD);
    done.say('ben', 'is it safe?');
    done.say('cleo', 'not sure');
    expect(done.say('ann', 'no wait, lunch is at twelve').of('nova').trace.facts).toHaveProperty(
      'probability',
    );
    const working = room({ agents: ['nova', 'otto'], stepMs: 20_000 });
    for (const who of ['ben', 'cleo']) working.say(who, 'morning');
    working.say('ann', '@nova restart production');
    working.say('ben', 'how long is the line at the bakery?');
    expect(startsTurn(working.say('ann', 'no wait times today').of('nova'))).toBe(false);
  });
});
