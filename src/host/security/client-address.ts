// Whose address a connection or request counts for. Behind a proxy every stranger has the proxy's address; a proxy that
// the settings trust says the real one in X-Forwarded-For. From anybody else that header is a claim and is not read.
import { BlockList, isIP, isIPv4 } from 'node:net';

export interface ClientAddress {
  /** Limits per address are counted by this. For IPv6 it is the network of 64 bits that one customer has. */
  key: string;
  /** Many may stand behind this address: this machine itself, or a proxy that does not say for whom it asks. */
  shared: boolean;
}

export type AddressOf = (remote: string | undefined, forwardedFor?: string | string[]) => ClientAddress;

/** The address hops in X-Forwarded-For that are looked at, from the nearest. */
const HOPS_MAX = 16;
const LOOPBACK = 'loopback';

/** `trusted` holds addresses, networks (`10.0.0.0/8`) and the word `loopback`. */
export function createAddressOf(trusted: readonly string[]): AddressOf {
  const proxies = new BlockList();
  for (const entry of trusted) addTo(proxies, entry);
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  return (remote, forwardedFor) => {
    const near = plain(remote ?? '');
    if (!isTrusted(near)) return { key: keyOf(near), shared: isLoopbackAddress(near) };
    const hops = (Array.isArray(forwardedFor) ? forwardedFor.join(',') : (forwardedFor ?? '')).split(',');
    const client = hops
      .slice(-HOPS_MAX)
      .map((hop) => plain(hop.trim()))
      .findLast((hop) => !isTrusted(hop));
    if (client === undefined || isIP(client) === 0) return { key: keyOf(near), shared: true };
    return { key: keyOf(client), shared: false };
  };
}

/** Whether an entry of `trustedProxies` can be read. */
export function isProxyEntry(entry: string): boolean {
  try {
    addTo(new BlockList(), entry);
    return true;
  } catch {
    return false;
  }
}

function addTo(list: BlockList, entry: string): void {
  if (entry === LOOPBACK) {
    list.addSubnet('127.0.0.0', 8, 'ipv4');
    list.addAddress('::1', 'ipv6');
    return;
  }
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    throw new Error('no address and no network');
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** An address without its zone, its port or the prefix of IPv4 in IPv6. */
function plain(address: string): string {
  const [, bare = address] =
    /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address) ?? [];
  return bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;

function keyOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [left = '', right] = address.toLowerCase().split('::');
  const start = left === '' ? [] : left.split(':');
  const end = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, GROUPS - start.length - end.length) }, () => '0');
  const groups = right === undefined ? start : [...start, ...zeros, ...end];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
