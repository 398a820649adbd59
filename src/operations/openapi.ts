/** Serves the machine-readable description of the operations. */
import { openApi } from '../docs/openapi/document.ts';
import { baseUrl } from '../settings/public-url.ts';
import { json } from './answer.ts';
import { open, type OperationGroup, type PlainOperation, switchedOn } from './operation.ts';
import type { Described } from './source.ts';

export const description = ({ groups, interceptors }: Pick<Described, 'groups' | 'interceptors'>): OperationGroup => ({
  title: 'Description',
  isDescription: true,
  operations: [
    {
      name: 'openapi.get',
      http: { method: 'GET', path: '/openapi.json' },
      summary: 'Describes the endpoints in OpenAPI 3.1',
      access: open('describes only operations on which the caller has some right'),
      openToScopes: true,
      answers: { 200: { type: 'object' } },
      run: ({ services: { registry, settings }, principal }) =>
        json(
          openApi({
            groups: switchedOn(groups(), settings),
            interceptors,
            models: registry.served,
            principal,
            url: baseUrl(settings),
          }),
        ),
    },
  ] satisfies readonly PlainOperation[],
});
