/** Address ranges in CIDR notation (RFC 4632, RFC 4291, 2.3). The adapter of ipaddr.js. */
import ipaddr from 'ipaddr.js';

/** An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) has this many bits before the IPv4 address. */
const mappedBits = 96;

export interface AddressRange {
  /** The range in its shortest notation, such as `10.0.0.0/8`. */
  readonly text: string;
  contains(ip: string): boolean;
}

/** The range that a text denotes: an address or a network; undefined for any other text. */
export function addressRange(text: string): AddressRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const first = addressOf(address);
  if (first === undefined || rest.length > 0) return undefined;
  const width = address.includes(':') ? 128 : 32;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined;
  const isMapped = width === 128 && first.kind() === 'ipv4';
  const bits = (prefix === undefined ? width : Number(prefix)) - (isMapped ? mappedBits : 0);
  if (bits < 0 || bits > width - (isMapped ? mappedBits : 0)) return undefined;
  const network = networkOf(first, bits);
  return {
    text: `${network.toString()}/${bits}`,
    contains(ip) {
      const found = addressOf(ip);
      return found !== undefined && found.kind() === network.kind() && found.match(network, bits);
    },
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address as it is usually written; an IPv4-mapped IPv6 address is the IPv4 address. Undefined for any other text. */
function addressOf(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // a zone is known to one machine only (RFC 4007)
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.process(text);
}

/** The first address of a network. */
function networkOf(address: Address, bits: number): Address {
  const bytes = address
    .toByteArray()
    .map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - at * 8))) & 0xff);
  return ipaddr.fromByteArray(bytes);
}

/** Global unicast addresses of IPv6 (RFC 4291, 2.4). */
const globalUnicast = addressRange('2000::/3');

/** Whether an address is one of the public internet: not private, local, mapped, translated or reserved. */
export function isPublicAddress(ip: string): boolean {
  const address = addressOf(ip);
  if (address?.range() !== 'unicast') return false;
  // a mapped address is written as one of IPv6
  return (address.kind() === 'ipv4' && !ip.includes(':')) || globalUnicast?.contains(ip) === true;
}
