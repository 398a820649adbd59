/** The route groups, in the order of the specification. */
import type { RouteGroup } from '../middleware/endpoint.ts';
import { documents } from './api.ts';
import { health } from './health.ts';
import { login } from './login.ts';
import { setup } from './setup.ts';

export const routeGroups: readonly RouteGroup[] = [documents, login, setup, health];
