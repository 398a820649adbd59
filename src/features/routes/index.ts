/** Routes: endpoints that a project defines in files of its own (docs/routes.md). */
import { type Feature, provide } from '../../core.ts';
import { projectCode } from '../ports.ts';
import { routesConfig } from './config.ts';
import { hasRoutes } from './files.ts';
import { projectRoutes } from './project.ts';

export const routes: Feature = {
  name: 'routes',
  config: routesConfig,
  provides: [provide(projectCode, hasRoutes)],
  ofProject: projectRoutes,
};
