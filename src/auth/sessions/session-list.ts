/** Lists and ends the sessions of users, and drops what is cached of ended ones. */
import type { AuthCore } from '../core.ts';
import type { SessionList } from './contract.ts';

export const sessionList = ({ sessions, principals, reconcileAccount }: AuthCore): SessionList => ({
  async list(user) {
    const now = await reconcileAccount(user);
    return now === undefined ? [] : sessions.list(user, now.epoch);
  },
  lastUses: (users) => sessions.lastUses(users),
  async end(user, id) {
    const ended = await sessions.endOne(user, id);
    if (ended) principals.dropSession(id);
    return ended;
  },
  async endAll(user, except) {
    await (except === undefined ? sessions.endAll(user) : sessions.endOthers(user, except));
    principals.dropUser(user);
  },
});
