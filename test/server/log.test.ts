// Logs: JSON a line, readable on a terminal, never a secret.
import { expect, it } from 'vitest';
import { createRedactor } from '../../src/host/security/redact.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { createLog, type LogLevel } from '../../src/runtime/log.ts';

function logged(pretty: boolean, level: LogLevel = 'info') {
  const lines: string[] = [];
  const { clean } = createRedactor({ exact: ['correct-horse-battery'] });
  const clock = new VirtualClock(Date.parse('2026-06-02T09:00:00Z'));
  const log = createLog({ write: (line) => lines.push(line), level, pretty, clean, clock });
  return { log, lines };
}

it('is one JSON object a line, above its level', () => {
  const { log, lines } = logged(false, 'warn');
  log.info({}, 'quiet');
  log.warn({ agent: 'lead', count: 2 }, 'heard');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { level: 'warn', time: '2026-06-02T09:00:00.000Z', agent: 'lead', count: 2, msg: 'heard' },
  ]);
});

it('is one readable line on a terminal, whatever a text holds', () => {
  const { log, lines } = logged(true);
  log.error({ err: new Error('no\nway'), key: 'k1' }, 'it failed');
  expect(lines).toEqual(['09:00:00 error it failed (no way) key=k1\n']);
});

it('holds no secret: not by name, by shape, by value, in errors and their causes, or deep inside', () => {
  const { log, lines } = logged(false);
  const github = `ghp_${'a1B2'.repeat(9)}`;
  const error = new Error(`call with ${github} failed`, { cause: new Error('correct-horse-battery') });
  log.error(
    { err: error, token: 'x1', headers: { authorization: 'Bearer y2' }, list: [{ text: github }] },
    `at ${github}`,
  );
  const text = lines.join('');
  for (const secret of [github, 'correct-horse-battery', 'x1', 'Bearer y2'])
    expect(text).not.toContain(secret);
  expect(() => JSON.parse(text) as unknown).not.toThrow();
});

it('cuts what is too deep or too long, and takes what JSON cannot', () => {
  const { log, lines } = logged(false);
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  log.info({ loop, long: 'x'.repeat(10_000), big: 10n }, 'ok');
  expect(lines[0]?.length).toBeLessThan(6_000);
});
