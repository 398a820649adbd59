/**
 * The second factors of users, stored in their accounts: the encrypted secret, the step of the last code, and the digests of the
 * recovery codes. Every use is one atomic update, so that a code works once on all servers together.
 */
import { randomInt } from 'node:crypto';
import type { StoredSealer } from '../../adapters/sealing.ts';
import type { UserRef } from '../../auth/credentials/accounts.ts';
import {
  type ClientSession,
  type Collection,
  digest,
  inSession,
  internalCollection,
  ObjectId,
  type Registry,
  type Row,
} from '../../core.ts';
import { isCode, newSecret, stepOf } from './totp.ts';

/** Recovery codes, each of which replaces one code of a user who has lost the authenticator. */
const codesOfUser = 10;
/** Digits and letters without those that look alike: 32, so that a character has 5 bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 random bits: their plain digest cannot be reversed by search. */
const characters = 16;

/** New codes as shown once, such as `k3f9-0a2m-x7qp-41zt`. */
const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: codesOfUser }, () => {
    const text = Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join('');
    return text.replace(/.{4}(?=.)/g, '$&-');
  });

/** The stored form of a code, however it is spaced and capitalised. */
const digestOfRecovery = (code: string): string => digest(`recovery code:${plainCode(code)}`);

/** A code without what people add when they type it. */
const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();

const maxCodeLength = 100;

export class Factors {
  readonly #collection: Collection;

  constructor(
    registry: Registry,
    private readonly sealer: StoredSealer,
    private readonly clock: () => Date,
  ) {
    this.#collection = internalCollection(registry, '_account');
  }

  /** Whether a user has a second factor on. */
  async isOn(user: UserRef): Promise<boolean> {
    return (await this.#find(user))?.['factor'] !== undefined;
  }

  /** Stores a new secret, which a code has yet to confirm. Until then an earlier factor stays in force. @returns the secret */
  async prepare(user: UserRef): Promise<string> {
    const secret = newSecret();
    await this.#change(user, {}, { $set: { new_factor: this.sealer.seal(secret, ownerOf(user)) } });
    return secret;
  }

  /** Whether a new secret waits for a code. */
  async isPrepared(user: UserRef): Promise<boolean> {
    return (await this.#find(user))?.['new_factor'] !== undefined;
  }

  /**
   * Switches on the factor of the new secret, in place of any earlier one. Of concurrent requests with its code, one succeeds.
   * @returns the recovery codes; undefined for a wrong code
   */
  async confirm(user: UserRef, code: string, session?: ClientSession): Promise<readonly string[] | undefined> {
    const row = await this.#find(user);
    const new_factor = row?.['new_factor'];
    const used = this.#use(user, new_factor, plainCode(code));
    if (used === undefined) return undefined;
    const codes = newRecoveryCodes();
    const factor = { ...used, recovery: codes.map(digestOfRecovery) };
    const update = { $set: { factor }, $unset: { new_factor: '' } };
    return (await this.#change(user, { new_factor }, update, session)) ? codes : undefined;
  }

  /** Whether a code or a recovery code is right and not used; it stays unused. */
  async isRight(user: UserRef, code: unknown): Promise<boolean> {
    if (typeof code !== 'string' || code.length > maxCodeLength) return false;
    const factor = (await this.#find(user))?.['factor'] as Row | undefined;
    const plain = plainCode(code);
    if (!isCode(plain))
      return (factor?.['recovery'] as unknown[] | undefined)?.includes(digestOfRecovery(plain)) ?? false;
    const used = this.#use(user, factor?.['secret'], plain);
    return used !== undefined && Number(factor?.['step']) < used.step;
  }

  /** Uses up a code or a recovery code. @returns whether it was right and is used for the first time */
  async accept(user: UserRef, code: unknown): Promise<boolean> {
    if (typeof code !== 'string' || code.length > maxCodeLength) return false;
    const plain = plainCode(code);
    if (isCode(plain)) return this.#acceptCode(user, plain);
    const recovery = digestOfRecovery(plain);
    return this.#change(user, { 'factor.recovery': recovery }, { $pull: { 'factor.recovery': recovery } });
  }

  /** Switches the factor off. @returns false if it is off */
  remove(user: UserRef, session?: ClientSession): Promise<boolean> {
    return this.#change(user, { factor: { $exists: true } }, { $unset: { factor: '', new_factor: '' } }, session);
  }

  async #acceptCode(user: UserRef, code: string): Promise<boolean> {
    const factor = (await this.#find(user))?.['factor'] as Row | undefined;
    const used = this.#use(user, factor?.['secret'], code);
    if (used === undefined) return false;
    const unused = { 'factor.secret': factor?.['secret'], 'factor.step': { $lt: used.step } };
    return this.#change(user, unused, { $set: { 'factor.secret': used.secret, 'factor.step': used.step } });
  }

  /** The step of a code, and the secret as it is stored from now on; undefined for a wrong code. */
  #use(user: UserRef, sealed: unknown, code: string): { readonly secret: string; readonly step: number } | undefined {
    const opened = typeof sealed === 'string' ? this.sealer.open(sealed, ownerOf(user)) : undefined;
    const step = opened === undefined || !isCode(code) ? undefined : stepOf(code, opened.text, this.clock());
    return opened === undefined || step === undefined ? undefined : { secret: opened.current, step };
  }

  async #find(user: UserRef): Promise<Row | undefined> {
    const options = { projection: { factor: 1, new_factor: 1 } };
    return (await this.#collection.findOne(filterOf(user), options)) ?? undefined;
  }

  /** Changes the account of a user if it is still in a state. @returns whether it was */
  async #change(user: UserRef, state: Row, update: Row, session?: ClientSession): Promise<boolean> {
    const done = await this.#collection.updateOne({ ...filterOf(user), ...state }, update, inSession(session));
    return done.matchedCount === 1;
  }
}

const filterOf = ({ id, incarnation }: UserRef): Row => ({ _id: new ObjectId(id), incarnation });
const ownerOf = ({ id, incarnation }: UserRef): string => `${id} ${incarnation}`;
