import { describe, expect, it } from 'vitest';
import { TOKEN_KINDS } from './scopes.ts';
import { createAgentGate } from './agent-gate.ts';
import { createRedactor, REDACTED } from './redact.ts';
import { SECRETS } from './secrets.fixture.ts';

const [, TOKEN] = SECRETS['github classic token'] ?? ['', ''];
const gate = () => createAgentGate(createRedactor().findSecrets);

describe('the gate', () => {
  it('searches a field that nobody has told it about', () => {
    const payload = {
      inventedTomorrow: { deep: [{ label: `x ${TOKEN}` }] },
      text: TOKEN,
      list: [TOKEN, 'a'],
    };
    expect(JSON.stringify(gate().out(payload))).not.toContain(TOKEN.slice(4, 20));
  });
  it('returns the same object when there is nothing to cut', () => {
    const payload = { eventId: 'e1', content: [{ type: 'text', text: 'hello there' }], n: 1, none: null };
    expect(gate().out(payload)).toBe(payload);
  });
  it('gives an id an alias, the same each time, and takes it back', () => {
    const made = gate();
    const shown = made.out({ eventId: `m-${TOKEN}`, text: TOKEN });
    expect(shown).toEqual({
      eventId: expect.stringMatching(/^m-redacted-[0-9a-f]{8}$/) as string,
      text: REDACTED,
    });
    expect(gate().out({ eventId: `m-${TOKEN}` }).eventId).toBe(shown.eventId);
    expect(made.in({ inReplyTo: shown.eventId, eventIds: [shown.eventId] })).toEqual({
      inReplyTo: `m-${TOKEN}`,
      eventIds: [`m-${TOKEN}`],
    });
  });
  it('puts no secret into what the agent says', () => {
    const made = gate();
    const { eventId } = made.out({ eventId: TOKEN });
    expect(made.in({ text: eventId, attachments: [{ name: eventId, text: eventId }] })).toEqual({
      text: eventId,
      attachments: [{ name: eventId, text: eventId }],
    });
  });
  it('does not search again what was made of what has passed', () => {
    const made = gate();
    const passed = made.passed({ text: TOKEN });
    expect(made.out({ result: passed }).result).toBe(passed);
  });
});

it('every token that the host can mint is redacted', () => {
  for (const kind of TOKEN_KINDS) {
    const token = `ear_${kind.charAt(0)}_${'x'.repeat(43)}`;
    expect(createRedactor().clean(`use ${token}!`), kind).toBe(`use ${REDACTED}!`);
  }
});
