import { expect, it } from 'vitest';
import type { ShownDecision } from '../../protocol/operator-api.ts';
import { fitChips } from './fit-chips.ts';

const decided = (agent: string, decision: ShownDecision['decision']): ShownDecision =>
  ({ agent, decision, policy: 'may_respond', mode: 'buffered', reason: 'ambient' }) as ShownDecision;

const ALL = [decided('docs', 'observe'), decided('lead', 'engage'), decided('ops', 'denied')];
const agents = (width: number): string[] =>
  fitChips(ALL, width).shown.map(({ decision, short }) => (short ? `(${decision.agent})` : decision.agent));

it('puts those that were woken first and shortens the others', () => {
  expect(agents(2_000)).toEqual(['lead', 'ops', 'docs']);
  expect(agents(600)).toEqual(['lead', '(ops)', '(docs)']);
});

it('counts what does not fit, and always shows one', () => {
  expect(fitChips(ALL, 500)).toMatchObject({ more: 1 });
  expect(fitChips(ALL, 10)).toMatchObject({ shown: [{ decision: { agent: 'lead' } }], more: 2 });
  expect(fitChips([], 500)).toEqual({ shown: [], more: 0 });
});
