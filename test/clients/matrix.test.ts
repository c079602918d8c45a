// The committed matrix fits the rows and columns that would be tried today. Nothing is installed or started here.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COLUMN_NAMES } from './columns/column.ts';
import { COLUMNS } from './columns/columns.ts';
import { cellOf, matrixPage } from './page.ts';
import { MATRIX_PAGE, readResults } from './results.ts';
import { CLIENTS } from './rows/rows.ts';

const page = readFileSync(MATRIX_PAGE, 'utf8');
const results = readResults();
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('docs/runners/matrix.md', () => {
  it('is what the results make of it', () => {
    expect(page).toBe(matrixPage(CLIENTS, COLUMNS, results));
  });

  it('has a row for every client and a cell for every column', () => {
    const head = rows.findIndex(([first]) => first === 'client');
    expect(rows[head]).toEqual(['client', 'connected by', ...COLUMN_NAMES]);
    const listed = rows.slice(head + 2, head + 2 + CLIENTS.length);
    expect(listed.map(([, way]) => way)).toEqual(CLIENTS.map(({ way }) => way));
    for (const cells of listed) {
      expect(cells).toHaveLength(COLUMN_NAMES.length + 2);
      for (const cell of cells.slice(2))
        expect(cell).toMatch(/^(?:holds|cannot: .|\*\*fails\*\*: .|not tried: .)/);
    }
  });

  it('says why for every cell that a client cannot fill', () => {
    for (const client of CLIENTS)
      for (const column of COLUMNS) {
        const why = client.cannot?.[column.name] ?? column.cannot?.(client);
        const cell = cellOf(client, column.name, results);
        if (why !== undefined && cell.is !== 'not tried') expect(cell).toEqual({ is: 'cannot', why });
      }
  });
});

describe('the rows', () => {
  it('have names of their own, and so have their results', () => {
    const names = CLIENTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(results).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('are tried in every column, in order', () => {
    expect(COLUMNS.map(({ name }) => name)).toEqual([...COLUMN_NAMES]);
  });
});
