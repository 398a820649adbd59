/** Where webhooks may be sent to: to public addresses, and to those that `WEBHOOK_ALLOW` names. */
import { isIP } from 'node:net';
import { addressRange, isPublicAddress } from '../../adapters/address-ranges.ts';
import type { Settings } from '../../core.ts';

export interface AddressRules {
  /** What a URL that is refused must be, as far as it shows; undefined for one that is not. */
  ofUrl(text: string): string | undefined;
  /** Why an address that the host of a URL resolves to is refused. */
  ofAddress(host: string, address: string): string | undefined;
}

export function addressRules({ production, webhook: { allow = [] } }: Settings): AddressRules {
  const ranges = allow.flatMap((one) => addressRange(one) ?? []);
  const isAllowedHost = (host: string): boolean => allow.includes('*') || allow.includes(host);
  const ofAddress = (host: string, address: string): string | undefined => {
    const isAllowed =
      isAllowedHost(host) || isPublicAddress(address) || ranges.some((range) => range.contains(address));
    return isAllowed ? undefined : notPublic(address);
  };
  return {
    ofAddress,
    ofUrl(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return 'must be an https URL';
      if (production && url.protocol !== 'https:') return 'must be an https URL in production';
      if (url.username !== '' || url.password !== '') return 'must not contain credentials';
      const host = hostOf(url);
      const refusal =
        isIP(host) !== 0
          ? ofAddress(host, host)
          : /(^|\.)localhost$/.test(host) && !isAllowedHost(host)
            ? notPublic(host)
            : undefined;
      return refusal && `must lead to a public address: ${refusal}`;
    },
  };
}

const notPublic = (host: string): string => `${host} is not public, and WEBHOOK_ALLOW does not name it`;

/** The name or the address of a URL, without brackets and without the dot of the root. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
