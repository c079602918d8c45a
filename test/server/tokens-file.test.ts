// tokens.json: the file that the other commands find their tokens in. It is written when a token is made, and made anew
// when it cannot be read.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { upHere } from './here.ts';
import { folder, message } from './up.ts';

describe('tokens.json', () => {
  it('is left alone by a start that makes no token', async () => {
    const data = folder();
    const first = await upHere({ data });
    await first.stop();
    const file = join(data, 'tokens.json');
    const before = statSync(file, { bigint: true });
    const second = await upHere({ data });
    expect((await second.post(message('hello'))).status).toBe(202);
    const after = statSync(file, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  it.each([
    ['empty, as after a power cut', ''],
    ['cut off', '{"operator": "ear_o_'],
    ['of another shape', '[1, 2]'],
  ])('%s: the next start makes it anew and keeps the old one beside it', async (_, text) => {
    const data = folder();
    const first = await upHere({ data });
    const { operator } = first.tokens;
    await first.stop();
    const file = join(data, 'tokens.json');
    writeFileSync(file, text);
    const second = await upHere({ data });
    expect((await second.post(message('with a new token'))).status).toBe(202);
    expect(second.tokens.operator).not.toBe(operator);
    expect(second.err()).toContain('tokens.json was damaged and is made anew');
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // Harnesses that were given a token go on.
    expect((await second.call('GET', '/v1/agents', operator)).status).toBe(200);
  });

  it('leaves nothing half written behind', async () => {
    const host = await upHere();
    const half = join(host.data, `tokens.json.${process.pid}.partial`);
    expect(existsSync(half)).toBe(false);
  });
});
