import { expect, it } from 'vitest';
import { editsFor, fieldsOf } from './form-edits.ts';

const GIVEN = {
  agents: [
    { id: 'lead', roles: ['day'], respondTo: ['*'], aliases: [], attention: 'keen' },
    { id: 'builder', lead: 'lead', budget: { turnsPerDay: 5 }, roles: [], respondTo: ['*'], aliases: [] },
  ],
  conversations: [{ match: '*/*/builds', defaultResponder: 'builder' }],
  limits: { composeMs: 2_000 },
};

it('an untouched form means no change', () => {
  const fields = fieldsOf(GIVEN);
  expect(editsFor(GIVEN, fields, fields)).toEqual([]);
});

it('only what was changed is written, and removals come last, from the end', () => {
  const before = fieldsOf(GIVEN);
  const [lead, builder] = before.agents;
  if (lead === undefined || builder === undefined) throw new Error('there are two');
  const after = {
    ...before,
    agents: [
      { ...lead, roles: 'day, night ', attention: '35', isRemoved: false },
      { ...builder, turnsPerDay: '', lead: '', name: ' Bob ' },
    ],
    defaultResponder: 'lead',
    composeMs: 'soon',
  };
  expect(editsFor(GIVEN, before, after)).toEqual([
    { op: 'set', path: ['agents', 0, 'roles'], value: ['day', 'night'] },
    { op: 'set', path: ['agents', 0, 'attention'], value: 35 },
    { op: 'set', path: ['agents', 1, 'name'], value: 'Bob' },
    { op: 'remove', path: ['agents', 1, 'lead'] },
    { op: 'remove', path: ['agents', 1, 'budget', 'turnsPerDay'] },
    { op: 'add', path: ['conversations'], value: { match: '*', defaultResponder: 'lead' } },
    { op: 'set', path: ['limits', 'composeMs'], value: 'soon' },
  ]);
  const gone = { ...before, agents: before.agents.map((agent) => ({ ...agent, isRemoved: true })) };
  expect(editsFor(GIVEN, before, gone).map(({ path }) => path)).toEqual([
    ['agents', 1],
    ['agents', 0],
  ]);
});
