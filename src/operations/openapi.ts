/** Serves the machine-readable description of the operations. */
import { openApi } from '../docs/openapi/document.ts';
import { baseUrl } from '../settings/public-url.ts';
import { json } from './answer.ts';
import { open, type OperationGroup, type PlainOperation, switchedOn } from './operation.ts';

/** @param groups the operations that it describes */
export const description = (groups: readonly OperationGroup[]): OperationGroup => ({
  title: 'Description',
  operations: [
    {
      name: 'openapi.get',
      http: { method: 'GET', path: '/openapi.json' },
      summary: 'Describes the endpoints in OpenAPI 3.1',
      effect: 'read',
      access: open('describes only operations on which the caller has some right'),
      openToScopes: true,
      answers: { 200: { type: 'object' } },
      run: ({ services: { registry, settings }, principal }) =>
        json(
          openApi({
            groups: switchedOn(groups, settings),
            models: registry.served,
            principal,
            url: baseUrl(settings),
          }),
        ),
    },
  ] satisfies readonly PlainOperation[],
});
