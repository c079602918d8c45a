// Copies: made, rotated, put back, and made by themselves before older data is changed.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS, schemaVersion } from '../../src/store/sqlite/migrate.ts';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from './here.ts';
import { folder } from './up.ts';

const say = (data: string, text: string) => earshot(['say', text, '--wait', '0', '--data', data]);

describe('earshot backup --to', () => {
  it('names the files by the time, keeps the newest, and leaves other files alone', async () => {
    const host = await upHere();
    const to = join(folder(), 'copies');
    mkdirSync(to);
    const old = ['01', '02', '03'].map((day) => `earshot-202601${day}T030000Z.db`);
    for (const name of old) writeFileSync(join(to, name), 'old');
    writeFileSync(join(to, 'notes.db'), 'mine');
    const ran = await earshot(['backup', '--to', to, '--keep', '2', '--data', host.data, '--json']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    const { file, removed } = JSON.parse(ran.out) as { file: string; removed: string[] };
    expect(removed).toEqual(old.slice(0, 2));
    expect(readdirSync(to).toSorted()).toEqual([old[2], basename(file), 'notes.db']);
    expect(readFileSync(join(to, 'notes.db'), 'utf8')).toBe('mine');
    await host.stop();
  });

  it('says what is wrong with its flags', async () => {
    const data = folder();
    for (const [argv, words] of [
      [['backup', '--keep', '2'], '--keep goes with --to DIR'],
      [['backup', 'x.db', '--to', 'y'], 'name the file to write, or a folder'],
      [['backup', '--to', 'y', '--keep', 'all'], '"all" is no count'],
    ] as const) {
      const ran = await earshot([...argv, '--data', data]);
      expect([ran.code, ran.err.includes(words)]).toEqual([2, true]);
    }
  });
});

describe('earshot backup FILE', () => {
  it('that cannot be written is said in one line, beside a host and without one, and no copy is left behind', async () => {
    const host = await upHere();
    const file = join(folder(), `${'x'.repeat(300)}.db`);
    const back = () => earshot(['backup', file, '--data', host.data]);
    const refused = {
      code: 1,
      err: `earshot: ${file} cannot be written (ENAMETOOLONG): name a file in another folder\n`,
    };
    expect(await back()).toMatchObject(refused);
    expect(existsSync(join(host.data, 'backups'))).toBe(false);
    await host.stop();
    expect(await back()).toMatchObject(refused);
  });
});

describe('earshot restore', () => {
  it('puts a copy back, keeps what was there, and the host goes on with it', async () => {
    const host = await upHere();
    await say(host.data, 'before the copy');
    const copy = join(folder(), 'copy.db');
    await earshot(['backup', copy, '--data', host.data]);
    await say(host.data, 'after the copy');
    const refused = await earshot(['restore', copy, '--data', host.data]);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /another Earshot is using .*: stop it first, then restore; nothing was changed/,
    );
    await host.stop();

    const ran = await earshot(['restore', copy, '--data', host.data]);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toMatch(/earshot\.db is now .*copy\.db, with \d+ events\./);
    const aside = /What was there is in (.+)\./.exec(ran.out)?.[1] ?? '';
    expect(existsSync(join(aside, 'earshot.db'))).toBe(true);

    const again = await upHere({ data: host.data });
    const tail = await earshot(['tail', '--once', '--data', host.data]);
    expect(tail.out).toContain('before the copy');
    expect(tail.out).not.toContain('after the copy');
    await again.stop();
  });

  it('refuses what is no whole copy, and changes nothing', async () => {
    const host = await upHere();
    await say(host.data, 'precious');
    await host.stop();
    const before = readFileSync(join(host.data, 'earshot.db'));
    const place = folder();
    const text = join(place, 'text.db');
    writeFileSync(text, 'not a database, but long enough to be read as one, perhaps');
    const empty = join(place, 'empty.db');
    new DatabaseSync(empty).close();
    const newer = join(place, 'newer.db');
    const db = new DatabaseSync(newer);
    db.exec(`CREATE TABLE log (x); PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    db.close();
    const torn = join(place, 'torn.db');
    writeFileSync(torn, before.fill(7, 8_192, 16_384));
    for (const [name, words] of [
      [text, 'text.db'],
      [empty, 'is no store of Earshot'],
      [newer, 'or a newer one'],
      [torn, 'torn.db'],
      [join(place, 'none.db'), 'no such file'],
    ] as const) {
      const ran = await earshot(['restore', name, '--data', host.data]);
      expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(words)]);
      expect(ran.err.trim().split('\n')).toHaveLength(1);
    }
    const again = await upHere({ data: host.data });
    expect((await earshot(['tail', '--once', '--data', host.data])).out).toContain('precious');
    await again.stop();
  });
});

describe('earshot up on older data', () => {
  it('says what it changes and keeps a copy as it was', async () => {
    const data = folder();
    const fixture = new URL('../stored/store-ba0f669.db.gz', import.meta.url);
    writeFileSync(join(data, 'earshot.db'), gunzipSync(readFileSync(fixture)));
    const host = await upHere({ data });
    await host.stop();
    const [name = ''] = readdirSync(join(data, 'backups'));
    expect(name).toMatch(/^before-schema-\d+-\d{8}T\d{6}Z\.db$/);
    expect(host.err()).toContain(`is brought to ${MIGRATIONS.length}; as it was, it is in`);
    const copy = new DatabaseSync(join(data, 'backups', name), { readOnly: true });
    expect(schemaVersion(copy)).toBe(1);
    expect(copy.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok');
    copy.close();
    const now = await upHere({ data });
    await now.stop();
    expect(readdirSync(join(data, 'backups'))).toEqual([name]);
  });
});
