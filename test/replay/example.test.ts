// The example chat is the first thing a newcomer sees: it has to show every kind of decision.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseEventLine } from '../../src/cli/event-lines.ts';
import { INBOUND_DECISIONS } from '../../src/protocol/vocabulary.ts';
import { EXAMPLE, EXAMPLE_CONFIG, earshot, rows } from './fake-io.ts';

const lines = readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n');
const json = ['replay', EXAMPLE, '--config', EXAMPLE_CONFIG, '--json'];

describe('examples/standup.jsonl', () => {
  it('shows all four inbound decisions and at least 15 reasons', async () => {
    const decisions = rows((await earshot(json)).out);
    expect(new Set(decisions.map(({ decision }) => decision))).toEqual(new Set(INBOUND_DECISIONS));
    expect(new Set(decisions.map(({ reason }) => reason)).size).toBeGreaterThanOrEqual(15);
  });

  it.each([
    ['e02', 'lead', 'mention'],
    ['e04', 'lead', 'exchange'],
    ['e06', 'lead', 'thanks'],
    ['e07', 'lead', 'edited_after_response'],
    ['e10', 'builder', 'fragment'],
    ['e12', 'builder', 'thread_question'],
    ['e13', 'docs', 'role_mention'],
    ['e13/claimed', 'docs', 'claimed'],
    ['e17', 'lead', 'addressed_elsewhere'],
    ['e18', 'lead', 'status'],
    ['e20', 'builder', 'mention'],
    ['e21', 'lead', 'name'],
    ['e25', 'builder', 'loop_stopped'],
    ['e26', 'docs', 'leave_request'],
    ['e27', 'docs', 'left'],
    ['e28', 'docs', 'mention'],
    ['e30', 'builder', 'deleted'],
    ['e32', 'lead', 'signal'],
    ['e34', 'lead', 'denied'],
    ['e35', 'docs', 'pairing'],
    ['e36', 'lead', 'direct_message'],
  ])('%s is for %s: %s', async (eventId, agent, reason) => {
    const decisions = rows((await earshot(json)).out);
    const found = decisions.find((row) => row.eventId === eventId && row.agent === agent);
    expect(found?.reason).toBe(reason);
  });

  it('tags every message for every agent but its author [TC/decision/every-inbound-is-tagged]', async () => {
    const decisions = rows((await earshot(json)).out);
    for (const [index, text] of lines.entries()) {
      const read = parseEventLine(text, index + 1);
      if (read.type !== 'event' || read.event.type !== 'message') continue;
      const { eventId, author } = read.event;
      const asked = decisions.filter((row) => row.eventId === eventId);
      const others = ['lead', 'builder', 'docs'].filter((id) => id !== author.id);
      expect(asked.map(({ agent }) => agent)).toEqual(others);
      for (const { decision } of asked) expect(INBOUND_DECISIONS).toContain(decision);
    }
  });

  it('shows every silence with its reason [TC/rules/silence-is-diagnosable]', async () => {
    const { out } = await earshot(json.slice(0, -1));
    const silent = rows((await earshot(json)).out).filter(({ decision }) => decision === 'observe');
    expect(silent.length).toBeGreaterThan(0);
    for (const { reason, trace } of silent) {
      expect(out).toContain(String(reason));
      expect(trace).toMatchObject({ rung: expect.any(String), row: expect.any(String) });
    }
  });

  it('is the same bytes twice, as text and as JSON', async () => {
    for (const argv of [json, json.slice(0, -1)]) {
      expect((await earshot(argv)).out).toBe((await earshot(argv)).out);
    }
  });
});
