import { describe, expect, it } from 'vitest';
import { createAddressOf, isProxyEntry } from './client-address.ts';

describe('whose address counts', () => {
  const trusting = createAddressOf(['loopback', '10.0.0.0/8', '2001:db8:ffff::/48']);
  it.each([
    ['a peer is itself', '203.0.113.5', undefined, '203.0.113.5', false],
    ['its claim is not read', '203.0.113.5', '198.51.100.7', '203.0.113.5', false],
    ['a proxy speaks for its client', '127.0.0.1', '198.51.100.7', '198.51.100.7', false],
    ['IPv4 in IPv6 is IPv4', '::ffff:127.0.0.1', '::ffff:198.51.100.7', '198.51.100.7', false],
    [
      'the nearest that is no proxy counts',
      '10.1.2.3',
      '6.6.6.6, 198.51.100.7, 10.9.9.9',
      '198.51.100.7',
      false,
    ],
    ['a port is left out', '10.1.2.3', '198.51.100.7:4711', '198.51.100.7', false],
    ['a customer has a /64', '::1', '2001:db8:0:1:2:3:4:5', '2001:db8:0:1', false],
    ['written in short', '::1', '2001:db8::5', '2001:db8:0:0', false],
    ['a bracketed one', '::1', '[2001:db8::5]:443', '2001:db8:0:0', false],
    ['a proxy of a network', '2001:db8:ffff::9', '198.51.100.7', '198.51.100.7', false],
    ['a proxy that says nothing is shared', '10.1.2.3', undefined, '10.1.2.3', true],
    ['or says nonsense', '10.1.2.3', 'unknown', '10.1.2.3', true],
    ['or only names proxies', '10.1.2.3', '10.0.0.1, 127.0.0.1', '10.1.2.3', true],
  ])('%s', (_, remote, forwarded, key, shared) => {
    expect(trusting(remote, forwarded)).toEqual({ key, shared });
  });

  it('this machine is shared, and not believed unless it is trusted', () => {
    const plain = createAddressOf([]);
    expect(plain('127.0.0.1', '198.51.100.7')).toEqual({ key: '127.0.0.1', shared: true });
    expect(plain(undefined)).toEqual({ key: '', shared: false });
  });

  it('entries that nobody could mean are refused', () => {
    expect(
      ['loopback', '10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'].filter((entry) => !isProxyEntry(entry)),
    ).toEqual([]);
    expect(
      ['', 'proxy.local', '10.0.0.0/33', '10.0.0.0/8/9', '10.0.0/8', 'fd00::/x'].filter(isProxyEntry),
    ).toEqual([]);
  });
});
