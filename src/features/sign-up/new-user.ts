/** Reads the values of a sign-up: those that the new user may set of themselves. */
import type { Actor, ModelActor } from '../../context.ts';
import { plainEmail } from '../../email.ts';
import { Failure, notUnique, validationFailed } from '../../errors.ts';
import { fromDatabase } from '../../models/database-errors.ts';
import { modelOf, ObjectId, type Row } from '../../models/mongoose.ts';
import { passwordFaults, withoutRepeated } from '../../models/mongoose/password-rules.ts';
import { principalOf } from '../../policy/principal.ts';
import type { ValuesIntent } from '../../write/intents.ts';
import { actorOn } from '../../write/model-actor.ts';
import { newRow } from '../../write/plan/new-document.ts';
import { valuesFrom } from '../../write/rules/body.ts';
import { checkLinks } from '../../write/rules/check-links.ts';
import { valueAt } from '../../write/rules/unique-index.ts';
import { type NewUser, signUps } from './sign-ups.ts';

/** A new user as the body of a sign-up gives them. */
export interface SignUpIntent extends ValuesIntent {
  readonly input: Row & Readonly<Record<'email' | 'password', string>>;
}

/**
 * What it does and how long it takes does not depend on whether the email is known.
 * @throws 400 for values that are not valid, 409 for unique values other than the email that exist already
 */
export async function newUserFrom(actor: Actor, intent: SignUpIntent): Promise<NewUser> {
  const { email: given, password, ...input } = intent.input;
  const { services, address } = actor;
  const email = plainEmail(given);
  const id = new ObjectId().toHexString();
  const itself = principalOf({ _id: id, id, email, admin: false, groups: [] });
  const inner = actorOn(actor, services.registry.internal('user'), itself);
  const values = await valuesFrom(inner, { ...intent, input }, 'new').catch((error: unknown) =>
    failWithout(error, { email, password }),
  );
  await checkLinks(inner, [values]);
  const faults = await passwordFaults(inner.model, { ...values, email, password });
  const fields = withoutRepeated(inner.model, { ...values, password }, values);
  const hash = await services.passwords.hash(password, address, { email });
  const row = await newRow(inner, { ...fields, _id: id, email, password: hash }, faults);
  await refuseTaken(inner, row, email);
  return { id, email, password: hash, fields };
}

/** Fails for other values only: those that are read by themselves were not missing. @throws the error, or what is left of it */
function failWithout(error: unknown, read: object): never {
  const faults = error instanceof Failure ? (error.errors ?? []) : [];
  const others = faults.filter(({ path }) => !Object.hasOwn(read, path));
  throw others.length > 0 && others.length < faults.length ? validationFailed(others) : error;
}

/** Checks the unique values besides the email. Those of a sign-up that waits for verification are not taken for its own address. */
async function refuseTaken({ model, services }: ModelActor, row: Row, email: string): Promise<void> {
  for (const [keys, { unique, partialFilterExpression, collation }] of model.schema.indexes) {
    const paths = Object.keys(keys);
    if (unique !== true || partialFilterExpression !== undefined || paths.includes('email')) continue;
    const values = paths.map((path) => [path, valueAt(row, path)] as const);
    if (values.some(([, value]) => value === undefined || value === null)) continue;
    const options = { projection: { email: 1 }, ...(collation === undefined ? {} : { collation }) };
    try {
      const taken = await modelOf(model).collection.findOne<Row>(equalTo(values), options);
      if (taken === null) continue;
      const isOwn = taken['email'] === email && (await services.of(signUps).mustVerifyEmail(String(taken['_id'])));
      if (!isOwn) throw notUnique(paths);
    } catch (error) {
      throw fromDatabase(error);
    }
  }
}

const equalTo = (values: readonly (readonly [path: string, value: unknown])[]): Row =>
  Object.fromEntries(values.map(([path, value]) => [path, { $eq: value }]));
