/**
 * Named keys: credentials of users for programs, each with a name and, optionally, scopes, an expiry and addresses. Only digests
 * of their secrets are stored.
 */
import { type AddressRange, addressRange } from '../../adapters/address-ranges.ts';
import type { Actor, ClientAddress, StoredKeys, TokenKind } from '../../auth/contract.ts';
import { invalidToken, refuseUnverified, requireGenuine } from '../../auth/credentials/genuine.ts';
import type { FoundPrincipal } from '../../auth/credentials/principal-cache.ts';
import { commitWithEvent } from '../../auth/events/record-event.ts';
import { LastUse, latestByUser } from '../../auth/last-use.ts';
import { notices } from '../../auth/mails/mails.ts';
import {
  type AddedEvent,
  type AuthCore,
  changeRow,
  type Collection,
  commit,
  contested,
  digest,
  insertRow,
  internalCollection,
  type ModelEntry,
  type Mutation,
  ObjectId,
  type Principal,
  principalOf,
  removeRow,
  type Row,
  tooMany,
} from '../../core.ts';
import { credentialEnded } from '../../errors/errors.ts';
import type { KeyLimits, NamedKey, NewKey, VerifiedActor } from './contract.ts';
import { keyCreated, keyRemoved, keyRotated } from './events.ts';
import { keyAnswer, type KeyRow, scopesOf, storedLimits, worksUntil } from './key-row.ts';

/** With the id of its document. */
const namedKind: TokenKind = {
  name: 'named',
  prefix: 'dn_',
  hasId: true,
  method: 'key',
  refusal: 'the API key is not valid, has expired, or may not be used from this address',
};

/** Maximum keys of one user. */
const maxKeys = 100;
/** Maximum replaced secrets of a key that still work. */
const maxEarlier = 10;
const lastUseEveryMs = 60_000;

/** The named keys of a server. */
export const namedKeys = (core: AuthCore): NamedKeys => new NamedKeys(core);

class NamedKeys implements StoredKeys {
  readonly kind = namedKind;
  readonly #collection: Collection<KeyRow>;
  readonly #model: ModelEntry;
  readonly #uses: LastUse;
  /** The addresses from which principals of keys may be used; none for those without a restriction. */
  readonly #ranges = new WeakMap<Principal, readonly AddressRange[]>();

  constructor(private readonly parts: AuthCore) {
    this.#model = parts.registry.internal('_key');
    this.#collection = internalCollection(parts.registry, '_key');
    this.#uses = new LastUse(
      (id, at) => this.#collection.updateOne({ _id: new ObjectId(id) }, { $max: { last_used_at: at } }),
      parts.clock,
      lastUseEveryMs,
    );
  }

  /** The user behind a key. @throws 401 when the key is not valid or may not be used from this address, 429 */
  async principalOf(key: string, from: ClientAddress): Promise<Principal> {
    const { principals, tokens } = this.parts;
    const principal = await principals.get('named', key, async () => {
      await requireGenuine(this.parts, this.kind, key, from.address);
      return this.#byDigest(tokens.idIn(this.kind, key), digest(key));
    });
    return this.#usedFrom(from, principal);
  }

  /** The same by the id of a key and the digest of its secret. */
  async principalBy(id: string, secret: string, from: ClientAddress): Promise<Principal> {
    const found = this.parts.principals.get('named by digest', secret, () => this.#byDigest(id, secret));
    return this.#usedFrom(from, await found);
  }

  /** @throws 401 when the key may not be used from this address */
  #usedFrom({ ip }: ClientAddress, principal: Principal): Principal {
    const ranges = this.#ranges.get(principal);
    if (ranges !== undefined && !ranges.some((range) => range.contains(ip))) throw invalidToken(this.kind);
    if (principal.key !== undefined) this.#uses.record(principal.key);
    return principal;
  }

  /** @throws 400 when the user has too many keys, 401 when the epoch of the caller has just ended */
  async create({ epoch, ...by }: VerifiedActor, name: string, limits: KeyLimits): Promise<NewKey> {
    const { user } = by;
    const now = await this.parts.reconcileAccount(user);
    // a key would outlive a recovery that has ended the credential of the caller
    if (now?.epoch !== epoch) throw credentialEnded();
    const _id = new ObjectId();
    const key = this.parts.tokens.newWithId(this.kind, _id.toHexString());
    const user_id = new ObjectId(user);
    const bound = { incarnation: now.user.incarnation, resets: now.resets };
    const fresh = { digest: digest(key), earlier: [], created_at: this.parts.clock(), last_used_at: null };
    const row: KeyRow = { _id, user_id, ...bound, name, ...fresh, ...storedLimits(limits) };
    await this.#commit(keyCreated, by, user, insertRow(this.#model, row));
    // counted afterwards, so that concurrent requests cannot exceed the limit
    if ((await this.#collection.countDocuments({ user_id })) > maxKeys) {
      const writer = { services: this.parts, user, silent: false };
      await commit(writer, removeRow(this.#model, { _id }));
      throw tooMany('keys of one user', maxKeys);
    }
    this.parts.notifier.notify(now.user.known, notices.newKey());
    return { ...keyAnswer(row, undefined), key };
  }

  /** The keys of a user, the oldest first. */
  async list(user: string): Promise<readonly NamedKey[]> {
    const now = await this.parts.reconcileAccount(user);
    if (now === undefined) return [];
    const bound = { user_id: new ObjectId(user), incarnation: now.user.incarnation, resets: now.resets };
    const rows = await this.#collection.find(bound).sort({ _id: 1 }).toArray();
    return rows.map((row) => keyAnswer(row, this.#uses.latest(row._id.toHexString(), row.last_used_at)));
  }

  async lastUses(users: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const filter = { user_id: { $in: users.map((user) => new ObjectId(user)) } };
    const rows = await this.#collection.find(filter, { projection: { user_id: 1, last_used_at: 1 } }).toArray();
    return latestByUser(
      rows.map((row) => [row.user_id.toHexString(), this.#uses.latest(row._id.toHexString(), row.last_used_at)]),
    );
  }

  /** Ends a key. @returns false when the user has no such key */
  async remove(user: string, id: string, by: Actor): Promise<boolean> {
    const own = { _id: new ObjectId(id), user_id: new ObjectId(user) };
    const removal = removeRow(this.#model, own);
    if ((await this.#commit(keyRemoved, by, user, removal)) === null) return false;
    this.#uses.drop(id);
    this.parts.principals.dropKey(id);
    return true;
  }

  /**
   * Replaces the secret. @param overlap seconds for which the earlier one still works
   * @returns undefined when the user has no such key @throws 409 for all but one of concurrent rotations
   */
  async rotate(by: Actor & { readonly user: string }, id: string, overlap: number): Promise<NewKey | undefined> {
    const { user } = by;
    const row = await this.#find(id);
    if (row === undefined || row.user_id.toHexString() !== user) return undefined;
    const key = this.parts.tokens.newWithId(this.kind, id);
    const replaced = await this.#commit(keyRotated, by, user, this.#replacement(row, key, overlap));
    // replacing the other request's secret would end a key that its caller has just received
    if (replaced === null) throw contested('this key is being rotated by another request');
    this.parts.principals.dropKey(id);
    return { ...keyAnswer(row, this.#uses.latest(id, row.last_used_at)), key };
  }

  #commit(what: AddedEvent, by: Actor, whom: string, mutation: Mutation): Promise<Row | null> {
    return commitWithEvent(this.parts, { what, whom, by }, mutation);
  }

  /** Matches nothing when another request has replaced the secret in the meantime. */
  #replacement({ _id, digest: before, earlier }: KeyRow, key: string, overlap: number): Mutation {
    const now = this.parts.clock();
    const valid = earlier.filter(({ until }) => until > now);
    const until = new Date(now.getTime() + overlap * 1000);
    const kept = overlap === 0 ? [] : [...valid, { digest: before, until }].slice(-maxEarlier);
    const update = { $set: { digest: digest(key), earlier: kept } };
    return changeRow(this.#model, { _id, digest: before }, update);
  }

  async #find(id: string): Promise<KeyRow | undefined> {
    return (await this.#collection.findOne({ _id: new ObjectId(id) })) ?? undefined;
  }

  /** @param secret its digest @throws 401 */
  async #byDigest(id: string, secret: string): Promise<FoundPrincipal> {
    const row = await this.#find(id);
    const until = row === undefined ? undefined : worksUntil(row, secret);
    if (row === undefined || until === undefined) throw invalidToken(this.kind);
    const now =
      until > this.parts.clock().getTime() ? await this.parts.reconcileAccount(String(row.user_id)) : undefined;
    const isBound = now?.user.incarnation === row.incarnation && now.resets === row.resets;
    if (now === undefined || !isBound) throw invalidToken(this.kind);
    refuseUnverified(now);
    const expires = until === Infinity ? undefined : new Date(until);
    const bound = { key: id, digest: secret, scopes: scopesOf(row) };
    const by = { method: 'key', ...bound, factor: now.factor, epoch: now.epoch, expires } as const;
    const principal = principalOf(now.user.known, by, now.user.own);
    if (row.addresses !== null)
      this.#ranges.set(
        principal,
        row.addresses.flatMap((text) => addressRange(text) ?? []),
      );
    return { principal, ...(expires === undefined ? {} : { credentialExpires: expires }) };
  }
}
