import { expect, it } from 'vitest';
import { opinionFindings } from './opinion-findings.ts';

const HEALTH = { findings: [], stats: {}, aheadMs: 0, jumps: { forward: 0, back: 0 } };
const after = (inVain: number, last: 'answered' | 'late' | 'failed' | null) =>
  opinionFindings({ ...HEALTH, secondOpinion: { model: 'openai/small', asked: 7, inVain, last } });

it('is well after one answer in three, and says what to look at after three in vain', () => {
  expect(opinionFindings(HEALTH)).toEqual([]);
  expect(after(2, 'failed')).toEqual([{ what: 'opinion', ok: true, said: 'openai/small was asked 7 times' }]);
  const [failed] = after(3, 'failed');
  expect(failed).toMatchObject({ what: 'opinion', ok: false });
  expect(failed?.said).toContain('none of the last 3 questions to openai/small was answered in time');
  expect(failed?.fix).toContain('name, key and address of host.secondOpinion.model');
  const [late] = after(4, 'late');
  expect(late?.fix).toContain('timeoutMs');
});
