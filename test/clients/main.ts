// `npm run test:clients [-- CLIENT… [--only COLUMN]]`: tries real programs, one cell at a time, and writes
// docs/runners/matrix.json and matrix.md after each cell. Not part of the gate: it downloads, and takes minutes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from './client.ts';
import { COLUMNS } from './columns/columns.ts';
import { install, type Installed } from './install.ts';
import { matrixPage } from './page.ts';
import { type Cell, MATRIX_PAGE, readResults, writeResults } from './results.ts';
import { CLIENTS } from './rows/rows.ts';
import { tryCell } from './try-cell.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true }, log: { type: 'boolean' } },
});
const unknown = positionals.filter((name) => !CLIENTS.some((client) => client.name === name));
if (unknown.length > 0) {
  console.error(`no client ${unknown.join(', ')}; there are ${CLIENTS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const columns = COLUMNS.filter(({ name }) => values.only === undefined || values.only.includes(name));
const chosen = CLIENTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

let failed = 0;
for (const client of chosen) await tryClient(client);
writePage();
process.exit(failed > 0 ? 1 : 0);

async function tryClient(client: Client): Promise<void> {
  let installed: Installed | undefined;
  try {
    installed = await installedOf(client);
  } catch (error) {
    console.log(`${client.name}: it did not install: ${String(error).slice(0, 500)}`);
    for (const { name } of columns)
      keep(client, undefined, name, { is: 'not tried', why: 'it did not install here' });
    return;
  }
  const home = mkdtempSync(join(tmpdir(), 'earshot-client-home-'));
  for (const column of columns) {
    const { cell, log, ms } = await tryCell(client, column, { home, installed });
    if (cell.is === 'fails') failed++;
    const detail = 'why' in cell ? `: ${cell.why}` : '';
    console.log(`${client.name} · ${column.name}: ${cell.is}${detail} (${Math.round(ms / 1_000)} s)`);
    if (cell.is === 'fails' || values.log === true) console.log(log.replaceAll(/^/gm, '    '));
    keep(client, installed, column.name, cell);
  }
  rmSync(home, { recursive: true, force: true });
}

async function installedOf(client: Client): Promise<Installed | undefined> {
  return client.install === undefined ? undefined : install(client.install, client);
}

function keep({ name }: Client, installed: Installed | undefined, column: string, cell: Cell): void {
  const results = readResults();
  const cells = { ...results[name]?.cells, [column]: cell };
  const on = new Date().toISOString().slice(0, 10);
  writeResults({
    ...results,
    [name]: { ...(installed === undefined ? {} : { version: installed.version }), on, cells },
  });
  writePage();
}

function writePage(): void {
  writeFileSync(MATRIX_PAGE, matrixPage(CLIENTS, COLUMNS, readResults()));
}
