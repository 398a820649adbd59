/** The first admin: made once, only while there is no user, also when two callers come at once. */
import { plainEmail } from '../../email.ts';
import { conflict } from '../../errors.ts';
import { fromDatabase } from '../../models/database-errors.ts';
import { internalCollection, modelOf, mongo, ObjectId, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Services } from '../../services.ts';
import { commit } from '../../write/commit.ts';

const mark = 'first admin';
/** A mark without a user that is older than this was left by a crash. */
const abandonedAfter = 30_000;

export interface FirstAdmin {
  readonly email: string;
  readonly password: string;
  /** The name where `fields` has none. Only where the user model has names that are texts. */
  readonly name: string | undefined;
  /** Other fields of the user model, checked. */
  readonly fields?: Row;
}

/** @throws 409 when there is a user */
export async function requireSetup(registry: Registry): Promise<void> {
  if (!(await setupNeeded(registry))) throw conflict('there is a user already');
}

/** Whether there is no user at all, deleted or not. */
export async function setupNeeded(registry: Registry): Promise<boolean> {
  try {
    return (await modelOf(registry.internal('user')).collection.findOne({}, { projection: { _id: 1 } })) === null;
  } catch (error) {
    throw fromDatabase(error);
  }
}

type SetupServices = Pick<Services, 'registry' | 'passwords' | 'clock' | 'bus' | 'inTransaction'>;

/** Makes the first admin. @returns their id @throws 409 when there is a user, or somebody else is making one */
export async function makeFirstAdmin(services: SetupServices, given: FirstAdmin): Promise<string> {
  const { registry, passwords, clock } = services;
  await requireSetup(registry);
  const hash = await passwords.hash(given.password, mark);
  return whileSettingUp(registry, clock, async () => {
    // somebody else may have finished in the meantime
    await requireSetup(registry);
    const _id = new ObjectId();
    const model = registry.internal('user');
    const document = new (modelOf(model))({
      ...(model.schema.path('name')?.instance === 'String' ? { name: given.name } : {}),
      ...given.fields,
      _id,
      email: plainEmail(given.email),
      password: hash,
      admin: true,
      _owner_id: _id,
    });
    await commit({ services, user: undefined, silent: false }, { kind: 'save', model, document, event: 'post' });
    return _id.toHexString();
  });
}

/** Does what only one may do at once while there is no user, on all servers of the database. @throws 409 when somebody else is at it */
export async function whileSettingUp<T>(registry: Registry, clock: () => Date, work: () => Promise<T>): Promise<T> {
  await claim(registry, clock());
  try {
    return await work();
  } catch (error) {
    throw fromDatabase(error);
  } finally {
    // one that cannot be taken away is abandoned by and by
    await release(registry).catch(() => undefined);
  }
}

async function claim(registry: Registry, now: Date): Promise<void> {
  const collection = internalCollection(registry, '_setup');
  const abandoned = new Date(now.getTime() - abandonedAfter);
  try {
    await collection.updateOne({ _id: mark, at: { $lt: abandoned } } as Row, { $set: { at: now } }, { upsert: true });
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === 11000)
      throw conflict('another request is creating the first admin');
    throw fromDatabase(error);
  }
}

const release = async (registry: Registry): Promise<void> =>
  void (await internalCollection(registry, '_setup').deleteOne({ _id: mark } as Row));
