/** Sessions: signing in, refreshing and signing out; JWTs and API keys. */
import { assertSameUser } from '../auth/credentials/identify.ts';
import { bearerFrom, isBasic } from '../auth/credentials/methods.ts';
import type { Context } from '../context.ts';
import { form, message, object, session, status, successAnswer, text, tokens } from '../docs/openapi/shapes.ts';
import { badBody, badCredentials, loginFailed } from '../errors/errors.ts';
import { ownAccount } from '../ports/core.ts';
import { type Answer, json, success } from './answer.ts';
import { fieldsOf } from './fields.ts';
import { openAccess, type OperationGroup, type PlainOperation, signedInAccess } from './operation.ts';
import { sessionClientOf } from './session-client.ts';

const refreshing = (
  name: PlainOperation['name'],
  path: string,
  summary = 'Exchanges a refresh token for new tokens',
): PlainOperation => ({
  name,
  http: { method: 'POST', path },
  summary,
  access: openAccess('the operation itself verifies the refresh token'),
  worksWithoutFactor: true,
  signsIn: true,
  ownCredential: 'bearer',
  answers: { 200: object(tokens) },
  run: refresh,
});

const ending = (name: PlainOperation['name'], path: string, summary = 'Signs out'): PlainOperation => ({
  name,
  http: { method: 'GET', path },
  summary,
  effect: 'write',
  access: signedInAccess,
  worksWithoutFactor: true,
  signsIn: true,
  answers: { 200: successAnswer },
  run: async ({ services, principal }) => {
    await services.auth.logout(principal);
    return success('logged out');
  },
});

export const login: OperationGroup = {
  title: 'Login',
  secret: true,
  operations: [
    {
      name: 'sessions.login',
      http: { method: 'POST', path: '/login' },
      summary: 'Signs in by email and password',
      access: openAccess('this is where callers sign in'),
      hook: 'login',
      worksWithoutFactor: true,
      signsIn: true,
      namesUser: () => 'none',
      // values that are not strings count as a failed login
      input: { body: { schema: form({}, { email: text, password: text }), optional: true } },
      answers: { 200: session },
      run: signIn,
    },
    refreshing('sessions.refresh', '/refresh'),
    refreshing(
      'sessions.refreshByLogin',
      '/login/refresh',
      'Exchanges a refresh token for new tokens, as /refresh does',
    ),
    ending('sessions.logoutByLogin', '/login/logout'),
    ending('sessions.logout', '/logout', 'Signs out, as /login/logout does'),
    {
      name: 'account.renewApiKey',
      http: { method: 'POST', path: '/login/apikey' },
      summary: 'Creates a new API key',
      access: signedInAccess,
      tracksProgress: true,
      conflicts: true,
      answers: { 200: object({ ...message, apikey: text }) },
      run: async ({ services, principal, address, progress }) =>
        success('this is your new API key', {
          apikey: await services.of(ownAccount).renewKey(principal, { address, progress }),
        }),
    },
    {
      name: 'sessions.createJwt',
      http: { method: 'POST', path: '/login/getjwt' },
      summary: 'Creates a JWT that signs in through a URL',
      access: signedInAccess,
      namesUser: () => 'none',
      tracksProgress: true,
      input: {
        body: {
          schema: object({ email: { ...text, pattern: '\\S' } }),
          refuse: () => badBody('send the email of a user'),
        },
      },
      failures: [404],
      answers: { 200: object({ status, jwt: text }) },
      run: jwtFor,
    },
    {
      name: 'sessions.loginByJwt',
      http: { method: 'POST', path: '/login/jwt' },
      summary: 'Signs in by a JWT',
      access: openAccess('the operation itself verifies the JWT'),
      ownCredential: 'jwt parameter',
      hook: 'login',
      worksWithoutFactor: true,
      signsIn: true,
      // the JWT may be in the query string
      input: { body: { schema: object({}, { jwt: text }) } },
      answers: { 200: session },
      run: signInByJwt,
    },
  ] satisfies readonly PlainOperation[],
};

/** Email and password in the body, or a Basic header, which is verified already. */
async function signIn(context: Context): Promise<Answer> {
  const { services, principal, body, headers, address } = context;
  const field = services.settings.login_field;
  const { [field]: login, password } = fieldsOf(body);
  const inBody = login !== undefined || password !== undefined;
  if (!inBody && !isBasic(headers.authorization)) {
    if (principal.user !== undefined) throw badBody(`send ${field} and password`);
    throw loginFailed(field);
  }
  const found = inBody ? await services.auth.byPassword(login, password, address) : principal;
  assertSameUser(principal, found.user?.id);
  return json(await services.auth.login(found, { ...sessionClientOf(context), method: inBody ? 'password' : 'basic' }));
}

async function refresh({ services, principal, headers, address }: Context): Promise<Answer> {
  const token = bearerFrom(headers.authorization);
  if (token === undefined || token === '') throw badCredentials('send the refresh token as Authorization: Bearer');
  return json(await services.auth.refresh(token, address, principal));
}

async function signInByJwt(context: Context): Promise<Answer> {
  const { services, principal, body, query } = context;
  const { jwt } = fieldsOf(body);
  if (jwt !== undefined && query['jwt'] !== undefined) throw badBody('send one JWT');
  return json(await services.auth.loginByJwt(jwt ?? query['jwt'], sessionClientOf(context), principal));
}

async function jwtFor({ services, principal, body, address, progress }: Context): Promise<Answer> {
  const login = String(fieldsOf(body)[services.settings.login_field]);
  return json({ status: 'ok', jwt: await services.of(ownAccount).jwtFor(principal, login, { address, progress }) });
}
