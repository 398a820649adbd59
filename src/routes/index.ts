/** The route groups, in the order of the specification. */
import type { RouteGroup } from '../middleware/endpoint.ts';
import { aggregates } from './aggregate.ts';
import { documents } from './api.ts';
import { bulkWrites } from './bulkwrite.ts';
import { calls } from './call.ts';
import { csvs } from './csv.ts';
import { health } from './health.ts';
import { login } from './login.ts';
import { oauth } from './oauth.ts';
import { passwords } from './passwords.ts';
import { queries } from './query.ts';
import { setupData } from './setup-data.ts';
import { setup } from './setup.ts';
import { userGroups } from './user-groups.ts';

export const routeGroups: readonly RouteGroup[] = [documents, queries, aggregates, csvs, bulkWrites, calls, login, passwords, oauth, userGroups, setup, setupData, health];
