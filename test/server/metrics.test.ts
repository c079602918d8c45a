// /metrics is Prometheus text, says what it promises, and is not open to others.
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { fixture, message, send } from './fixture.ts';

const SAMPLE = /^[a-z_][a-z0-9_]*(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*\})? (?:[0-9.e+-]+|\+Inf|NaN)$/;
const COMMENT = /^# (?:HELP [a-z_]+ .+|TYPE [a-z_]+ (?:counter|gauge|histogram))$/;

describe('/metrics', () => {
  it('every line parses, every sample has its TYPE, and the figures are there', async () => {
    const host = await fixture();
    const sent = message('@lead hello');
    await host.call('POST', '/v1/events', 'dev', [
      sent,
      message('just talking', { author: { id: 'bob', kind: 'human' } }),
      { bad: 1 },
    ]);
    await host.tool('lead', 'chat.send_message', send(sent.eventId));
    const { status, text, headers } = await host.call('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain; version=0.0.4');
    const lines = text.trimEnd().split('\n');
    expect(lines.filter((line) => !SAMPLE.test(line) && !COMMENT.test(line))).toEqual([]);
    const types = new Set(lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []));
    const names = lines.flatMap((line) =>
      line.startsWith('#') ? [] : (/^[a-z0-9_]+/.exec(line)?.[0] ?? []),
    );
    expect(
      names.filter((name) => !types.has(name.replace(/_(?:bucket|sum|count)$/, '')) && !types.has(name)),
    ).toEqual([]);
    for (const line of [
      'earshot_ingest_total{source="dev",status="accepted"} 2',
      'earshot_ingest_total{source="dev",status="refused"} 1',
      'earshot_decisions_total{policy="must_respond",reason="mention"} 1',
      // What several agents share is counted for each.
      'earshot_decisions_total{policy="must_not_respond",reason="ambient"} 2',
      'earshot_turns_total{outcome="started"} 1',
      'earshot_turns_total{outcome="saved"} 3',
      'earshot_deliveries_ended_total{state="settled",disposition="responded"} 1',
      'earshot_sessions 0',
      'earshot_delivery_lag_seconds 0',
    ]) {
      expect(lines).toContain(line);
    }
  });

  it('needs a token where others can reach it', async () => {
    const host = await fixture({ wide: true });
    expect((await host.call('GET', '/metrics')).status).toBe(401);
    expect((await host.call('GET', '/metrics', 'operator')).status).toBe(200);
  });
});

describe('the registry', () => {
  it('counts, escapes, bounds its labels and buckets', async () => {
    const metrics = createMetrics();
    const counter = metrics.counter('a_total', 'A\nb');
    counter.add({ what: 'x"\\\n' });
    counter.add({ what: 'x"\\\n' }, 2);
    for (let i = 0; i < 1_000; i++) counter.add({ what: `n${i}` });
    const histogram = metrics.histogram('b_seconds', 'B', [1, 5]);
    for (const value of [0.5, 1, 4, 9]) histogram.observe(value);
    const text = await metrics.text();
    expect(text).toContain('# HELP a_total A\\nb\n# TYPE a_total counter\na_total{what="x\\"\\\\\\n"} 3\n');
    expect(text).toContain('a_total{overflow="true"} 501\n');
    expect(text).toContain(
      'b_seconds_bucket{le="1"} 2\nb_seconds_bucket{le="5"} 3\nb_seconds_bucket{le="+Inf"} 4\nb_seconds_sum 14.5\nb_seconds_count 4\n',
    );
  });
});
