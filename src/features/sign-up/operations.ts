/** Sign-up of users, and the verification of their emails. */
import {
  type Actor,
  type Answer,
  badBody,
  type Context,
  Failure,
  json,
  type ModelActor,
  modelOf,
  ObjectId,
  openAccess,
  type OperationGroup,
  type PlainOperation,
  principalOf,
  type Row,
  shapes,
  signedInAccess,
  success,
} from '../../core.ts';
import { notUnique, validationFailed } from '../../errors/errors.ts';
import { loginNames } from '../../models/built-in/login-field.ts';
import { passwordFaults, withoutRepetitions } from '../../models/mongoose/password-rules.ts';
import { sessionClientOf } from '../../operations/session-client.ts';
import { refuseUser } from '../../operations/user-body.ts';
import { valuesIntent } from '../../operations/write-intents.ts';
import { passwordHashing } from '../../ports/core.ts';
import { plainEmail } from '../../text/email.ts';
import { refuseBeforeSetup } from '../../write/before-setup.ts';
import type { ValuesIntent } from '../../write/intents.ts';
import { actorOn } from '../../write/model-actor.ts';
import { fromWrite } from '../../write/mutation/mongoose-errors.ts';
import { newRow } from '../../write/plan/new-document.ts';
import { valuesFrom } from '../../write/rules/body.ts';
import { checkLinks } from '../../write/rules/check-links.ts';
import { valueAt } from '../../write/rules/unique-index.ts';
import { type NewUser, signUps } from './sign-ups.ts';
import { verification } from './verification.ts';

/** A new user as the body of a sign-up gives them. */
interface SignUpIntent extends ValuesIntent {
  readonly input: Row & { readonly email?: string; readonly password: string };
}

/**
 * What it does and how long it takes does not depend on whether the email is known.
 * @throws 400 for values that are not valid, 409 for unique values other than the email that exist already
 */
async function newUserFrom(actor: Actor, intent: SignUpIntent): Promise<NewUser> {
  const { services, address } = actor;
  const model = services.registry.internal('user');
  const field = services.settings.login_field;
  const { email: given, password, [field]: login, ...input } = intent.input;
  const email = given === undefined ? undefined : plainEmail(given);
  // the form in which it is stored; a value that its setters refuse is named by its validators
  const names = {
    [field]: loginNames(model, field)(String(login)) || login,
    ...(email === undefined ? {} : { email }),
  };
  const id = new ObjectId().toHexString();
  const itself = principalOf({ _id: id, id, email: email ?? '', admin: false, groups: [] });
  const inner = actorOn(actor, model, itself);
  const values = await valuesFrom(inner, { ...intent, input }, 'new').catch((error: unknown) =>
    failWithout(error, { ...names, password }),
  );
  await checkLinks(inner, [values]);
  const faults = await passwordFaults(inner.model, { ...values, ...names, password });
  const fields = withoutRepetitions(inner.model, { ...values, password }, values);
  const hash = await services.of(passwordHashing).hash(password, address, { names });
  const row = await newRow(inner, { ...fields, _id: id, ...names, password: hash }, faults);
  await refuseTaken(inner, row, email);
  return { id, email: email ?? '', names, password: hash, fields };
}

/** Fails for other values only: those that are read by themselves were not missing. @throws the error, or what is left of it */
function failWithout(error: unknown, read: object): never {
  const faults = error instanceof Failure ? (error.errors ?? []) : [];
  const others = faults.filter(({ path }) => !Object.hasOwn(read, path));
  throw others.length > 0 && others.length < faults.length ? validationFailed(others) : error;
}

/** Checks the unique values besides the email. Those of a sign-up that waits for verification are not taken for its own address. */
async function refuseTaken({ model, services }: ModelActor, row: Row, email: string | undefined): Promise<void> {
  for (const [keys, { unique, partialFilterExpression, collation }] of model.schema.indexes) {
    const paths = Object.keys(keys);
    if (unique !== true || partialFilterExpression !== undefined || paths.includes('email')) continue;
    const values = paths.map((path) => [path, valueAt(row, path)] as const);
    if (values.some(([, value]) => value === undefined || value === null)) continue;
    const options = { projection: { email: 1 }, ...(collation === undefined ? {} : { collation }) };
    const taken = await modelOf(model).collection.findOne<Row>(equalTo(values), options);
    if (taken === null) continue;
    const isOwn =
      email !== undefined &&
      taken['email'] === email &&
      (await services.of(signUps).mustVerifyEmail(String(taken['_id'])));
    if (!isOwn) throw notUnique(paths);
  }
}

const equalTo = (values: readonly (readonly [path: string, value: unknown])[]): Row =>
  Object.fromEntries(values.map(([path, value]) => [path, { $eq: value }]));

export const signUpOperations: OperationGroup = {
  title: 'Sign-up',
  after: 'Models',
  secret: true,
  operations: [
    {
      name: 'account.signUp',
      http: { method: 'POST', path: '/signup' },
      summary: 'Creates an account, where `SIGNUP` allows it',
      isOn: ({ signup }) => signup !== 'off',
      access: openAccess('this is where people sign up', ({ services }) => refuseBeforeSetup(services.registry)),
      namesUser: ({ signup }) => (signup === 'verified' ? 'required' : 'optional'),
      input: {
        body: {
          // the user model has further fields
          schema: { ...shapes.object({ email: shapes.email, password: shapes.text }), additionalProperties: true },
          refuse: refuseUser,
        },
      },
      conflicts: true,
      answers: { 201: shapes.session, 202: shapes.successAnswer },
      run: register,
    },
    {
      name: 'account.verifyEmail',
      http: { method: 'POST', path: '/login/verify' },
      summary: 'Verifies an email by the JWT of a mail, and signs in',
      access: openAccess('the operation itself verifies the JWT of the mail'),
      input: {
        body: { schema: shapes.object({ jwt: shapes.text }), refuse: () => badBody('send the jwt of the mail') },
      },
      conflicts: true,
      answers: { 200: shapes.session },
      run: async (context) => {
        const { jwt } = context.body as { readonly jwt: string };
        return json(await context.services.of(verification).verify(jwt, sessionClientOf(context)));
      },
    },
    {
      name: 'account.sendVerification',
      http: { method: 'POST', path: '/login/verify/send' },
      summary: "Sends a mail with a link to verify the caller's email",
      access: signedInAccess,
      conflicts: true,
      answers: { 200: shapes.successAnswer },
      run: async ({ services, principal, address: from }) => {
        await services.of(verification).send(principal, from);
        return success('a mail with a link to verify your email is on its way');
      },
    },
  ] satisfies readonly PlainOperation[],
};

async function register(context: Context): Promise<Answer> {
  const { services, address: from } = context;
  const input = context.body as SignUpIntent['input'];
  const user = await newUserFrom(context, { ...valuesIntent(context), input });
  if (services.settings.signup === 'verified') {
    services.of(signUps).verified(user, from);
    return json({ status: 'ok', message: 'a mail is on its way: open its link to verify your email' }, 202);
  }
  const created = services.of(signUps).open(user, sessionClientOf(context));
  const login = await created.catch((error: unknown) => {
    throw fromWrite(error);
  });
  return json(login, 201);
}
