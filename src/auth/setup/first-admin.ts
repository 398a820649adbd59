/**
 * Makes the first admin of a server, and guards the setup: it refuses pages of other origins and, in production on a public address, callers without the token.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { conflict, contested, forbidden } from '../../errors/errors.ts';
import { modelOf, ObjectId, type Row } from '../../models/mongoose.ts';
import { refusePassword, withoutRepetitions } from '../../models/mongoose/password-rules.ts';
import type { Registry } from '../../models/registry.ts';
import type { Origin } from '../../policy/principal.ts';
import { accountRecorder, passwordHashing } from '../../ports/core.ts';
import type { Services } from '../../services.ts';
import { isOwnOrigin } from '../../settings/own-host.ts';
import type { SharedState } from '../../shared/contract.ts';
import { setupNeeded } from '../../write/before-setup.ts';
import { commit } from '../../write/commit.ts';
import type { Writer } from '../../write/mutation/writer.ts';
import { transaction } from '../../write/transaction.ts';
import { digest } from '../credentials/tokens.ts';

const leaseKey = 'first admin';
/** Milliseconds after which another request may set up when a server has crashed. */
const leaseMs = 30_000;

export interface FirstAdmin {
  /** The email and what the admin signs in with, by the names of the fields. */
  readonly names: Row;
  readonly password: string;
  /** The name, if `fields` has none. Only if the user model has a name that is a string. */
  readonly name: string | undefined;
  /** Other fields of the user model, checked. */
  readonly fields?: Row;
}

/** @throws 409 when there is a user */
export async function requireSetup(registry: Registry): Promise<void> {
  if (!(await setupNeeded(registry))) throw conflict('a user already exists');
}

type SetupServices = Pick<Services, 'of' | 'registry' | 'shared' | 'clock' | 'bus' | 'inTransaction' | 'recorders'>;

/**
 * Creates the first admin.
 * @param origin where the request comes from @param progress which writes of the request have been sent
 * @returns their id
 * @throws 409 when a user exists, or another request is creating one
 */
export async function makeFirstAdmin(
  services: SetupServices,
  given: FirstAdmin,
  origin: Origin = {},
  progress?: Writer['progress'],
): Promise<string> {
  const { registry, shared } = services;
  await requireSetup(registry);
  const { names, password, fields = {} } = given;
  await refusePassword(registry.internal('user'), { ...fields, ...names, password });
  const hash = await services.of(passwordHashing).hash(password, leaseKey, { names });
  return whileSettingUp(shared, async () => {
    // another request may have finished meanwhile
    await requireSetup(registry);
    const _id = new ObjectId();
    const model = registry.internal('user');
    const made = {
      ...(model.schema.declared.get('name')?.typeName === 'String' ? { name: given.name } : {}),
      ...withoutRepetitions(model, { ...fields, password }, fields),
      ...names,
      _id,
      password: hash,
      admin: true,
      _owner_id: _id,
    };
    await transaction({ services, user: undefined, origin, silent: false, progress }, async (inner) => {
      services.of(accountRecorder).record(inner.unit, { what: 'setup', whom: _id, ...origin });
      const document = new (modelOf(model))(made);
      await commit(inner, { kind: 'insert', model, document, event: 'post' });
    });
    return _id.toHexString();
  });
}

/**
 * Runs work that only one request may do at a time during setup, over all servers of the database.
 * @throws 409 while another request does it
 */
export async function whileSettingUp<T>(shared: Pick<SharedState, 'lease'>, work: () => Promise<T>): Promise<T> {
  const lease = await shared.lease(leaseKey, leaseMs);
  if (lease === undefined) throw contested('another request is creating the first admin');
  try {
    return await work();
  } finally {
    await lease.release();
  }
}

/** @param apiUrl the setting `API_URL` @throws 403 for a request from a page of another origin */
export function checkOrigin({ origin, host }: IncomingHttpHeaders, apiUrl: string | undefined): void {
  if (origin !== undefined && !isOwnOrigin(origin, host, apiUrl))
    throw forbidden('setup is refused from other origins; set API_URL to allow the host name of this server');
}

/** @param token the one that is required; undefined for none @throws 403 without it in `x-setup-token` */
export function checkSetupToken({ 'x-setup-token': given }: IncomingHttpHeaders, token: string | undefined): void {
  if (token === undefined) return;
  if (typeof given !== 'string' || !timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(token))))
    throw forbidden('setup requires the header x-setup-token');
}
