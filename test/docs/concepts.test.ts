// What the pictures and concepts.md say is what the code does: their scenes are folded, their figures compared.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RETURN_INTERVAL_MS, RETURNS_BEFORE_ESCALATION } from '../../src/attention/obligations.ts';
import { LADDER } from '../../src/attention/directedness.ts';
import { attentionSettingsSchema } from '../../src/attention/settings.ts';
import { MATRIX } from '../../src/attention/matrix.ts';
import { COMPOSE_DEFAULTS } from '../../src/compose/options.ts';
import { SEEN_LIMITS } from '../../src/host/read/seen-while-quiet.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { type Outcome, room } from '../attention/room.ts';
import { pingPong } from '../users/rooms.ts';

const concepts = readFileSync('docs/concepts.md', 'utf8').replaceAll(/\s+/g, ' ');
const faq = readFileSync('docs/faq.md', 'utf8').replaceAll(/\s+/g, ' ');
const { limits } = attentionSettingsSchema.parse({});
const { limits: hostLimits } = hostSettingsSchema.parse({});
const MINUTE = 60_000;

/** The lines of a picture, top to bottom as drawn. */
function drawn(name: string): string[] {
  const svg = readFileSync(`docs/pictures/${name}.svg`, 'utf8');
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, line = '']) => line);
}

describe('the pictures', () => {
  it.each(readdirSync('docs/pictures'))(
    '%s is small, has a title, fits dark and light, and fetches nothing',
    (name) => {
      const svg = readFileSync(`docs/pictures/${name}`, 'utf8');
      expect(svg.length).toBeLessThan(5_000);
      expect(svg).toMatch(/<title id="title">.{20,}<\/title>/);
      expect(svg).toContain('prefers-color-scheme: dark');
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /http|@import|font-face|<script|href/,
      );
    },
  );

  it('woken: the three agents decide as drawn, by so many rules and rows', () => {
    const lines = drawn('woken');
    expect(lines).toContain(`${LADDER.length} rules, the first wins`);
    expect(lines).toContain(`${MATRIX.length} rows, the first wins`);
    const r = room({ agents: ['lead', 'builder', 'reviewer'], membership: { humans: 2 } });
    const asked = r.say('ada', '@lead is the deploy blocked?', { mentions: ['lead'] });
    for (const agent of ['lead', 'builder', 'reviewer']) {
      const at = lines.indexOf(agent);
      const { trace, policy, mode } = asked.of(agent);
      const rung = LADDER.find(({ id }) => id === trace.rung);
      expect(lines[at + 1]).toMatch(new RegExp(`^rule ${rung?.number},`));
      expect(lines[at + 2]).toBe(policy);
      expect(lines[at + 3]).toMatch(new RegExp(`^${mode}:`));
    }
  });

  it('exchange: every line goes where it is drawn to go', () => {
    const lines = drawn('exchange');
    const r = room({ agents: ['nova', 'otto'], membership: { humans: 2 } });
    r.say('bob', 'morning');
    let last: Outcome | undefined;
    let drawnLines = 0;
    for (const [index, line] of lines.entries()) {
      const [, author = '', said = ''] = /^(Ada|Bob|nova): (.*)$/.exec(line) ?? [];
      if (said === '' || /^(mention|her|may)/.test(said)) continue;
      drawnLines++;
      if (author === 'nova') {
        r.say('nova', said, { ...(last && { inReplyTo: last }) });
        continue;
      }
      const tag = /@(\w+)/.exec(said)?.[1];
      last = r.say(author.toLowerCase(), said, tag === undefined ? {} : { mentions: [tag] });
      const goes = lines[index + 1] ?? '';
      const must = goes === 'nobody' || goes.includes('may answer') ? [] : [goes.split(':')[0]];
      expect([line, last.who('must_respond')]).toEqual([line, must]);
      const may = goes.includes('may answer') ? [goes.split(':')[0]] : [];
      expect([line, last.who('may_respond')]).toEqual([line, may]);
    }
    expect(drawnLines).toBe(7);
  });

  it('loops: advice from the fifth, a stop at the tenth', () => {
    const r = room({ agents: ['nova', 'otto'] });
    r.say('ann', 'hello all');
    const turns = pingPong(r, 20, (round) => `what do you think about part ${round} of the plan?`);
    const policies = turns.map((turn, round) => turn.of(round % 2 === 0 ? 'otto' : 'nova').policy);
    expect(policies.indexOf('may_respond') + 1).toBe(limits.loopAdviceTurns);
    expect(policies.indexOf('must_not_respond') + 1).toBe(limits.loopStopTurns);
    const numbered = drawn('loops').filter((line) => /^\d+$/.test(line));
    expect(numbered.at(-1)).toBe(String(limits.loopStopTurns));
    const echo = pingPong(room({ agents: ['nova', 'otto'] }), 20, () => 'please look at the export');
    const counted = echo.map(({ decisions }) => Object.values(decisions)[0]?.trace.facts['loopCount'] ?? 1);
    expect(counted.slice(-2)).toEqual([7, limits.loopStopTurns]);
    expect(drawn('loops').join(' ')).toContain('thrown back counts 3, asked again after its answer 2');
  });

  it('offer, fragments and obligation: the figures are the defaults', () => {
    expect(drawn('offer')).toContain(`${hostLimits.offerMs / 1_000} s, or declined`);
    expect(drawn('offer').join(' ')).toContain(`lapses after ${limits.claimTtlMs / MINUTE} min`);
    const { quietMs, typingMs, maxWindowMs } = COMPOSE_DEFAULTS;
    expect(drawn('fragments').join(' ')).toContain(`${quietMs / 1_000} s of silence`);
    expect(drawn('fragments').join(' ')).toContain(
      `${typingMs / 1_000} s a sign. ${maxWindowMs / 1_000} s after the first line`,
    );
    expect(RETURNS_BEFORE_ESCALATION).toBe(3);
    expect(drawn('obligation')).toContain('comes back three times,');
    expect(drawn('obligation')).toContain(`every ${RETURN_INTERVAL_MS.buffered / MINUTE} min, as a knock`);
  });
});

describe('the figures in words', () => {
  const { immediate, buffered, notify } = RETURN_INTERVAL_MS;
  const minutes = [immediate, buffered, notify].map((ms) => ms / MINUTE);
  it.each<[string, string]>([
    ['an exchange that is owed', `for ${limits.owesMessages} messages of the room`],
    ['a follow-up', `for ${limits.followUpMessages} messages of others if the author did`],
    ['a question that follows up', `for ${limits.followUpQuestions} if the line is a question`],
    [
      'what was seen',
      `at most ${SEEN_LIMITS.events} messages of at most ${SEEN_LIMITS.ageMs / 3_600_000} hours, each cut at ${SEEN_LIMITS.textChars}`,
    ],
    ['returns', `every ${minutes[0]}, ${minutes[1]} or ${minutes[2]} minutes`],
    ['loops', `At ${limits.loopAdviceTurns} the model is told`],
    ['stops', `at ${limits.loopStopTurns} the two are stopped`],
  ])('concepts.md: %s', (_, words) => {
    expect(concepts).toContain(words);
  });

  it('faq.md: exchange, repeats, budget', () => {
    expect(faq).toContain(
      `for ${limits.owesMessages} messages of the room when it spoke last, for ${limits.followUpMessages} of others when you did`,
    );
    expect(faq).toContain(`The same text (over ${hostLimits.repeatTextChars} characters)`);
    expect(hostLimits.unpromptedPerHour).toBe(6);
    expect(faq).toContain('six per agent, conversation and hour');
    expect(limits.mentionedAgents).toBe(5);
    expect(faq).toContain('names more than five agents');
  });
});
