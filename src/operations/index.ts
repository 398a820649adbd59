/** All operations, in the order of the specification. */
import type { OperationGroup } from './operation.ts';
import { aggregates } from './aggregate.ts';
import { documents } from './documents.ts';
import { bulkWrites } from './bulk.ts';
import { caching } from './cache.ts';
import { calls } from './call.ts';
import { csvs } from './csv.ts';
import { events } from './events.ts';
import { health } from './health.ts';
import { login } from './login.ts';
import { oauth } from './oauth.ts';
import { description } from './openapi.ts';
import { pages } from './pages.ts';
import { passwords } from './passwords.ts';
import { models } from './model.ts';
import { queries } from './query.ts';
import { setupData } from './setup-data.ts';
import { setup } from './setup.ts';
import { userGroups } from './groups.ts';

/** All operations except the pages that describe them. */
const described: readonly OperationGroup[] = [
  documents,
  queries,
  aggregates,
  csvs,
  models,
  caching,
  bulkWrites,
  calls,
  events,
  login,
  passwords,
  oauth,
  userGroups,
  setup,
  setupData,
  health,
];

export const operationGroups: readonly OperationGroup[] = [...described, description(described), pages(described)];
