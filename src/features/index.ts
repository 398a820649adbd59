/** The features, in the order in which the documentation lists what they add. */
import type { Feature } from '../core.ts';
import { accountHooks } from './account-hooks/index.ts';
import { aggregate } from './aggregate/index.ts';
import { audit } from './audit/index.ts';
import { backups } from './backups/index.ts';
import { batch } from './batch/index.ts';
import { bulk } from './bulk/index.ts';
import { cache } from './cache/index.ts';
import { call } from './call/index.ts';
import { modelReactions } from './changed/index.ts';
import { changes } from './changes/index.ts';
import { browserConsole } from './console/index.ts';
import { counts } from './counts/index.ts';
import { csv } from './csv/index.ts';
import { events } from './events/index.ts';
import { history } from './history/index.ts';
import { idempotency } from './idempotency/index.ts';
import { indexes } from './indexes/index.ts';
import { jobs } from './jobs/index.ts';
import { keys } from './keys/index.ts';
import { mcp } from './mcp/index.ts';
import { metrics } from './metrics/index.ts';
import { oauth } from './oauth/index.ts';
import { pages } from './pages/index.ts';
import { people } from './people/index.ts';
import { routes } from './routes/index.ts';
import { schedules } from './schedules/index.ts';
import { mfa } from './second-factor/index.ts';
import { server } from './server/index.ts';
import { dataSetup } from './setup-data/index.ts';
import { signUp } from './sign-up/index.ts';
import { views } from './views/index.ts';
import { webhooks } from './webhooks/index.ts';

export const features: readonly Feature[] = [
  keys,
  mfa,
  oauth,
  batch,
  aggregate,
  csv,
  cache,
  server,
  indexes,
  backups,
  metrics,
  bulk,
  call,
  schedules,
  routes,
  counts,
  views,
  people,
  jobs,
  events,
  webhooks,
  signUp,
  accountHooks,
  dataSetup,
  history,
  modelReactions,
  audit,
  changes,
  pages,
  browserConsole,
  mcp,
  idempotency,
];
