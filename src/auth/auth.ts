/** Who a credential belongs to, and what a login gives. */
import { principalOf, type KnownUser } from '../access/principal.ts';
import { badCredentials, loginFailed, signInFirst } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import type { Auth, Bus, Passwords } from '../services.ts';
import type { Settings } from '../settings/types.ts';
import { makeAccounts } from './accounts.ts';
import { makePrincipals } from './principals.ts';
import { makeSessions } from './sessions.ts';
import { looksLike } from './tokens.ts';
import { makeUsers } from './users.ts';

export interface AuthParts {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly secret: string;
  readonly passwords: Passwords;
  readonly bus: Bus;
  readonly clock: () => Date;
}

export function makeAuth({ registry, settings, secret, passwords, bus, clock }: AuthParts): Auth {
  const users = makeUsers(registry);
  const accounts = makeAccounts(registry, secret, clock);
  const sessions = makeSessions(registry, settings, clock);
  const principals = makePrincipals(clock);
  bus.subscribe((changes) => {
    if (changes.some(({ model }) => model.name === 'user')) principals.clear();
  });
  const userOr401 = async (id: string | undefined, reason: string): Promise<KnownUser> => {
    const user = id === undefined ? undefined : await users.byId(id);
    if (user === undefined) throw badCredentials(reason);
    return user.known;
  };
  return {
    async byPassword(email, password) {
      if (typeof email !== 'string' || typeof password !== 'string' || email === '' || password === '')
        throw loginFailed();
      return principals.of('password', `${email}\0${password}`, async () => {
        const user = await users.byEmail(email);
        if (!(await passwords.matches(password, user?.hash)) || user === undefined) throw loginFailed();
        return { principal: principalOf(user.known) };
      });
    },
    async byToken(token) {
      if (!looksLike('access', token)) throw badCredentials('the token is not valid');
      return principals.of('token', token, async () => {
        const session = await sessions.byToken(token);
        const user = await userOr401(session?.user, 'the token is not valid or has expired');
        return {
          principal: principalOf(user, session?.id),
          ...(session === undefined ? {} : { until: session.expires }),
        };
      });
    },
    async byKey(key) {
      if (!looksLike('key', key)) throw badCredentials('the API key is not valid');
      return principals.of('key', key, async () => ({
        principal: principalOf(await userOr401(await accounts.userByKey(key), 'the API key is not valid')),
      }));
    },
    async login(user) {
      const [apikey, session] = await Promise.all([accounts.keyOf(user.id), sessions.begin(user.id)]);
      principals.clear();
      return { user_id: user.id, apikey, ...session };
    },
    async logout(principal) {
      if (principal.user === undefined) throw signInFirst();
      await (principal.session === undefined ? sessions.endAll(principal.user.id) : sessions.end(principal.session));
      principals.clear();
    },
  };
}
