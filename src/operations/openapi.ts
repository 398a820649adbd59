/** The machine-readable description of the endpoints. */
import type { Context } from '../context.ts';
import { json, type Answer } from './answer.ts';
import { open, type RouteGroup } from './operation.ts';
import { openApi } from '../openapi/document.ts';
import { baseUrl } from '../settings/public-url.ts';

/** @param groups the endpoints that it describes */
export const description = (groups: readonly RouteGroup[]): RouteGroup => ({
  title: 'Description',
  endpoints: [
    {
      method: 'GET',
      path: '/openapi.json',
      access: open('describes only what the caller has some right to'),
      summary: 'Describes the endpoints in OpenAPI 3.1',
      run: ({ services, principal }: Context): Answer =>
        json(openApi({ groups, models: services.registry.served, principal, url: baseUrl(services.settings) })),
    },
  ],
});
