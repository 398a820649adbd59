/** The second factor: setting it up, switching it off, and signing in by its codes. */
import {
  actorOf,
  adminOnly,
  type Answer,
  badBody,
  type Context,
  data,
  json,
  openAccess,
  type OperationGroup,
  ownCheck,
  parametersNamed,
  shapes,
  signedInAccess,
  success,
} from '../../core.ts';
import { factorRequired } from '../../errors/errors.ts';
import { castId } from '../../models/fields/values/ids-and-dates.ts';
import { fieldsOf } from '../../operations/fields.ts';
import { sessionClientOf } from '../../operations/session-client.ts';
import { secondFactor } from './second-factor.ts';

const path = '/login/mfa';
/** Values that are not strings are wrong passwords or codes, and count as failed logins. */
const proof = shapes.object({}, { password: ownCheck(shapes.text), code: ownCheck(shapes.text) });

export const factorOperations: OperationGroup = {
  title: 'Second factor',
  after: 'Passwords',
  secret: true,
  operations: [
    {
      name: 'factor.prepare',
      http: { method: 'POST', path },
      summary: 'Creates a secret for an authenticator app',
      access: signedInAccess,
      worksWithoutFactor: true,
      input: { body: { schema: proof } },
      answers: { 200: shapes.object({ data: shapes.object({ secret: shapes.text, otpauth_url: shapes.text }) }) },
      run: prepare,
    },
    {
      name: 'factor.confirm',
      http: { method: 'PUT', path },
      summary: 'Switches the second factor on by a code of the new secret',
      access: signedInAccess,
      tracksProgress: true,
      worksWithoutFactor: true,
      input: { body: { schema: shapes.object({ code: shapes.text }), refuse: () => badBody('send the code as text') } },
      conflicts: true,
      answers: {
        200: shapes.object({ ...shapes.message, data: shapes.object({ recovery_codes: shapes.listOf(shapes.text) }) }),
      },
      run: confirm,
    },
    {
      name: 'factor.remove',
      http: { method: 'DELETE', path },
      summary: 'Switches a second factor off',
      access: signedInAccess,
      worksWithoutFactor: true,
      input: { query: parametersNamed('user'), body: { schema: proof, optional: true } },
      conflicts: true,
      failures: [404],
      answers: { 200: shapes.successAnswer },
      run: remove,
    },
  ],
};

/** The login, after that by email and password. */
export const loginByCode: OperationGroup = {
  title: 'Login',
  after: 'sessions.login',
  operations: [
    {
      name: 'sessions.loginByCode',
      http: { method: 'POST', path: '/login/code' },
      summary: 'Signs in by a ticket of a login and a code of the second factor',
      access: openAccess('the operation itself verifies ticket and code'),
      hook: 'login',
      worksWithoutFactor: true,
      signsIn: true,
      input: {
        body: {
          schema: shapes.object({ ticket: shapes.text, code: shapes.text }),
          refuse: () => badBody('send ticket and code as text'),
        },
      },
      answers: { 200: shapes.session },
      run: signIn,
    },
  ],
};

async function signIn(context: Context): Promise<Answer> {
  const { services, principal, body, address } = context;
  const { ticket, code } = body as Readonly<Record<'ticket' | 'code', string>>;
  const found = await services.of(secondFactor).principalOfTicket({ ticket, code }, address, principal);
  return json(await services.auth.login(found, { ...sessionClientOf(context), method: 'code' }));
}

async function prepare({ services, principal, body, address }: Context): Promise<Answer> {
  return data(await services.of(secondFactor).prepare(principal, proofIn(body), address));
}

async function confirm({ services, principal, body, address, progress }: Context): Promise<Answer> {
  const { code } = body as { readonly code: string };
  const recovery_codes = await services.of(secondFactor).confirm(principal, code, { address, progress });
  return success('the second factor is on: keep the recovery codes, which are shown only once', {
    data: { recovery_codes },
  });
}

async function remove(context: Context): Promise<Answer> {
  const { services, principal, body, query, address, progress } = context;
  const { user } = principal;
  const id = query['user'] === undefined ? user?.id : String(castId('user', query['user']));
  if (id === user?.id || id === undefined) {
    await services.of(secondFactor).remove(principal, proofIn(body), { address, progress });
  } else {
    if (!principal.admin) throw adminOnly(principal, 'the second factor of another user');
    if (principal.factor === 'missing') throw factorRequired();
    await services.of(secondFactor).removeOf(id, actorOf(context));
  }
  return success('the second factor is off');
}

/** @throws 400 without a password */
function proofIn(body: unknown): Readonly<Record<'password' | 'code', unknown>> {
  const { password, code } = fieldsOf(body);
  if (password === undefined) throw badBody('send the password');
  return { password, code };
}
