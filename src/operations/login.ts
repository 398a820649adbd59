/** Sessions: signing in, going on and signing out; JWTs and API keys. */
import { bearerFrom, isBasic } from '../auth/methods.ts';
import { samePerson } from '../auth/same-person.ts';
import type { Context } from '../context.ts';
import { badBody, badCredentials, loginFailed } from '../errors.ts';
import { json, ok, type Answer } from './answer.ts';
import { open, signedIn, type RouteGroup } from './operation.ts';
import { fieldsOf } from './fields.ts';

export const login: RouteGroup = {
  title: 'Login',
  secret: true,
  endpoints: [
    {
      method: 'POST',
      path: '/login',
      access: open('this is where callers sign in'),
      hook: 'login',
      summary: 'Signs in by email and password',
      run: signIn,
    },
    {
      method: 'POST',
      path: '/refresh',
      access: open('the refresh token is verified by the row itself'),
      ownCredential: 'bearer',
      summary: 'New tokens for a refresh token',
      run: refresh,
    },
    {
      method: 'POST',
      path: '/login/refresh',
      access: open('the refresh token is verified by the row itself'),
      ownCredential: 'bearer',
      summary: 'The same as /refresh',
      run: refresh,
    },
    { method: 'GET', path: '/login/logout', access: signedIn, changes: true, summary: 'Signs out', run: signOut },
    {
      method: 'GET',
      path: '/logout',
      access: signedIn,
      changes: true,
      summary: 'The same as /login/logout',
      run: signOut,
    },
    { method: 'POST', path: '/login/apikey', access: signedIn, summary: 'A new API key', run: renewKey },
    {
      method: 'POST',
      path: '/login/getjwt',
      access: signedIn,
      summary: 'A JWT that signs in through a URL',
      run: jwtFor,
    },
    {
      method: 'POST',
      path: '/login/jwt',
      access: open('the JWT is verified by the row itself'),
      ownCredential: 'jwt parameter',
      hook: 'login',
      summary: 'Signs in by a JWT',
      run: signInByJwt,
    },
  ],
};

/** Email and password in the body, or the Basic header that the chain has verified. */
async function signIn({ services, principal, body, headers, address }: Context): Promise<Answer> {
  const { email, password } = fieldsOf(body);
  const inBody = email !== undefined || password !== undefined;
  if (!inBody && !isBasic(headers.authorization)) {
    if (principal.user !== undefined) throw badBody('send email and password');
    throw loginFailed();
  }
  const found = inBody ? await services.auth.byPassword(email, password, address) : principal;
  samePerson(principal, found.user?.id);
  return json(await services.auth.login(found));
}

async function refresh({ services, principal, headers, address }: Context): Promise<Answer> {
  const token = bearerFrom(headers.authorization);
  if (token === undefined || token === '') throw badCredentials('send the refresh token as Authorization: Bearer');
  return json(await services.auth.refresh(token, address, principal));
}

async function signInByJwt({ services, principal, body, query, address }: Context): Promise<Answer> {
  const { jwt } = fieldsOf(body);
  if (jwt !== undefined && query['jwt'] !== undefined) throw badBody('send one JWT');
  return json(await services.auth.loginByJwt(jwt ?? query['jwt'], address, principal));
}

async function signOut({ services, principal }: Context): Promise<Answer> {
  await services.auth.logout(principal);
  return ok('logged out');
}

async function renewKey({ services, principal }: Context): Promise<Answer> {
  return ok('this is your new API key', { apikey: await services.account.renewKey(principal) });
}

async function jwtFor({ services, principal, body }: Context): Promise<Answer> {
  const { email } = fieldsOf(body);
  return json({ status: 'ok', jwt: await services.account.jwtFor(principal, email) });
}
