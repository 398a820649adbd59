/** All operations, in the order of the specification. */
import { aggregates } from './aggregate.ts';
import { audit } from './audit.ts';
import { batches } from './batch.ts';
import { bulkWrites } from './bulk.ts';
import { caching } from './cache.ts';
import { calls } from './call.ts';
import { csvs } from './csv.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { userGroups } from './groups.ts';
import { health } from './health.ts';
import { keys } from './keys.ts';
import { login } from './login.ts';
import { me } from './me.ts';
import { models } from './model.ts';
import { oauth } from './oauth.ts';
import { description } from './openapi.ts';
import type { OperationGroup } from './operation.ts';
import { pages } from './pages.ts';
import { passwords } from './passwords.ts';
import { queries } from './query.ts';
import { secondFactor } from './second-factor.ts';
import { server } from './server.ts';
import { sessions } from './sessions.ts';
import { setup } from './setup.ts';
import { setupData } from './setup-data.ts';
import { signUp } from './sign-up.ts';
import { tickets } from './tickets.ts';

const others: readonly OperationGroup[] = [
  queries,
  aggregates,
  csvs,
  models,
  caching,
  server,
  bulkWrites,
  calls,
  events,
  signUp,
  login,
  me,
  sessions,
  keys,
  tickets,
  passwords,
  secondFactor,
  oauth,
  userGroups,
  setup,
  setupData,
  audit,
  health,
];

/** All operations except the pages that describe them. */
export const describedGroups: readonly OperationGroup[] = [documents, batches([documents, ...others]), ...others];

export const operationGroups: readonly OperationGroup[] = [
  ...describedGroups,
  description(describedGroups),
  pages(describedGroups),
];
