/** The discovered data of one OpenID provider: its addresses and its keys, fetched when a login needs them and kept for a while. */
import { SingleFlight } from 'dossier-store/single-flight';
import * as client from 'openid-client';

const metadataMs = 3_600_000;
const keysMs = 300_000;
/** Seconds after which openid-client fetches the keys again for a token whose key is unknown. */
const refetchSeconds = 61;

interface Fetched<T> {
  readonly value: T;
  readonly at: number;
}

export class Discovery {
  /** Whether the issuer is reached without TLS, which the check of the config allows for this machine only. */
  readonly isInsecure: boolean;
  #metadata: Fetched<client.ServerMetadata> | undefined;
  readonly #flight = new SingleFlight<client.ServerMetadata>();
  #keys: Fetched<client.JWKS> | undefined;

  constructor(
    private readonly issuer: URL,
    private readonly clock: () => Date,
  ) {
    this.isInsecure = issuer.protocol === 'http:';
  }

  /** The provider's metadata. Logins at the same time share one request; while the provider is down, old metadata stays in use. */
  async metadata(fetched: client.CustomFetch): Promise<client.ServerMetadata> {
    const known = this.#metadata;
    if (known !== undefined && this.#isFresh(known, metadataMs)) return known.value;
    return this.#flight
      .run(() => this.#discover(fetched))
      .catch((error: unknown) => {
        if (known === undefined) throw error;
        return known.value;
      });
  }

  /** The provider's keys, in a form with which openid-client fetches them again for an unknown key, as after a rotation. */
  keys(): client.ExportedJWKSCache | undefined {
    const known = this.#keys;
    if (known === undefined || !this.#isFresh(known, keysMs)) return undefined;
    return { jwks: known.value, uat: Math.floor(Date.now() / 1000) - refetchSeconds };
  }

  /** Keys without names are not kept: nothing would tell an unknown one, after a rotation. */
  keepKeys(found: client.ExportedJWKSCache | undefined): void {
    if (found?.jwks.keys.every(({ kid }) => typeof kid === 'string') !== true) return;
    // keys that were not fetched again keep their age
    const isSame = JSON.stringify(found.jwks) === JSON.stringify(this.#keys?.value) && this.keys() !== undefined;
    if (!isSame) this.#keys = { value: found.jwks, at: this.#now };
  }

  async #discover(fetched: client.CustomFetch): Promise<client.ServerMetadata> {
    const execute = this.isInsecure ? [client.allowInsecureRequests] : [];
    const found = await client.discovery(this.issuer, 'discovery', undefined, client.None(), {
      execute,
      [client.customFetch]: fetched,
    });
    const value = { ...found.serverMetadata() } as client.ServerMetadata;
    this.#metadata = { value, at: this.#now };
    return value;
  }

  #isFresh({ at }: Fetched<unknown>, ms: number): boolean {
    return Math.abs(this.#now - at) < ms;
  }

  get #now(): number {
    return this.clock().getTime();
  }
}
