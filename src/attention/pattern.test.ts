import { expect, it } from 'vitest';
import { matches, patternOf } from './pattern.ts';

const place = (workspaceId: string, id: string, parentId?: string) => ({
  platform: 'slack',
  workspaceId,
  conversation: { id, ...(parentId === undefined ? {} : { parentId }) },
});

it.each([
  ['T1', 'C1'],
  ['T1', 'shop/web#12'],
  ['shop/web', 'C1'],
])('the pattern of %s, %s is for it and its threads, and for nothing beside it', (workspace, id) => {
  const pattern = patternOf(place(workspace, id));
  expect(matches(pattern, place(workspace, id))).toBe(true);
  expect(matches(pattern, place(workspace, 'thread', id))).toBe(true);
  expect(matches(pattern, place(workspace, 'other'))).toBe(false);
});

it('a pattern names a workspace, or any', () => {
  expect(matches('slack/T1/C1', place('T2', 'C1'))).toBe(false);
  for (const pattern of ['*', 'C1', '*/*/C1', 'slack/*/C1', 'slack/T2/*'])
    expect(matches(pattern, place('T2', 'C1'))).toBe(true);
});
