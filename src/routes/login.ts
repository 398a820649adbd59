/** Logging in and out. */
import type { Context } from '../context.ts';
import { loginFailed } from '../errors.ts';
import { json, ok, type Answer } from '../middleware/answer.ts';
import { open, signedIn, type RouteGroup } from '../middleware/endpoint.ts';

export const login: RouteGroup = {
  title: 'Login',
  secret: true,
  endpoints: [
    {
      method: 'POST',
      path: '/login',
      access: open('this is where callers sign in'),
      hook: 'login',
      summary: 'Signs in',
      run: signIn,
    },
    { method: 'GET', path: '/login/logout', access: signedIn, summary: 'Signs out', run: signOut },
    { method: 'GET', path: '/logout', access: signedIn, summary: 'The same as /login/logout', run: signOut },
  ],
};

/** Email and password in the body, or the Basic header that the chain has verified. */
async function signIn({ services, principal, body }: Context): Promise<Answer> {
  const { email, password } = (typeof body === 'object' && body !== null ? body : {}) as {
    email?: unknown;
    password?: unknown;
  };
  const given = email !== undefined || password !== undefined || principal.user === undefined;
  const { user } = given ? await services.auth.byPassword(email, password) : principal;
  if (user === undefined) throw loginFailed();
  return json(await services.auth.login(user));
}

async function signOut({ services, principal }: Context): Promise<Answer> {
  await services.auth.logout(principal);
  return ok('logged out');
}
