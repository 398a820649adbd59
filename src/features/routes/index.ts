/** Routes: endpoints that a project defines in files of its own (docs/routes.md). */
import type { Feature } from '../feature.ts';
import { routesConfig } from './config.ts';
import { hasRoutes } from './files.ts';
import { projectRoutes } from './project.ts';

export const routes: Feature = { name: 'routes', ...routesConfig, ofProject: projectRoutes, runsCode: hasRoutes };
