// What every store promises about search: words in any script, newest first, and nothing that was scrubbed.
import { expect, it } from 'vitest';
import type { Write } from '../../src/store/store.ts';
import type { Current } from './store-contract.ts';
import { keysOf, logRow, put } from './store-rows.ts';

function say(key: string, text: string, seq = 1): Write {
  return { table: 'log', row: logRow(key, { text, seq }) };
}

export function searchContract({ store }: Current): void {
  it('finds messages by words, newest first, whatever their case, accents or script', async () => {
    await put(store(), say('a', 'The DEPLOY is slow'), say('b', 'deploying: café, naïve', 2));
    await put(store(), say('c', '東京に行くdeploy', 3), say('d', '서버가 느려요', 4));
    const find = async (words: string, limit = 9) => keysOf(await store().search(words, limit));
    // The last word may be the beginning of a longer one, a single letter excepted.
    expect(await find('deploy')).toEqual(['c', 'b', 'a']);
    expect(await find('deployi')).toEqual(['b']);
    expect(await find('ploy')).toEqual([]);
    expect(await find('deploy naive')).toEqual([]);
    expect(await find('slow d')).toEqual([]);
    expect(await find('slow deploy')).toEqual(['a']);
    expect(await find('CAFE naive')).toEqual(['b']);
    expect(await find('東京')).toEqual(['c']);
    expect(await find('京東')).toEqual([]);
    expect(await find('서버')).toEqual(['d']);
    expect(await find('deploy', 1)).toEqual(['c']);
    expect(await find('" OR * ( - ')).toEqual([]);
    expect(await find('')).toEqual([]);
  });

  it('does not find scrubbed, removed or secret text', async () => {
    await put(
      store(),
      say('a', 'my tragic password'),
      say('b', 'tragic too', 2),
      say('c', 'tragic again', 3),
    );
    expect(keysOf(await store().search('tragic', 9))).toEqual(['c', 'b', 'a']);
    await put(store(), say('a', 'removed'), { table: 'log', remove: 'b' });
    const hidden = logRow('d', { text: 'key xyzzy end', seq: 4, secrets: [[4, 9]] });
    await put(store(), { table: 'log', row: hidden });
    expect(keysOf(await store().search('tragic', 9))).toEqual(['c']);
    expect(keysOf(await store().search('xyzzy', 9))).toEqual([]);
    expect(keysOf(await store().search('key end', 9))).toEqual(['d']);
  });
}
