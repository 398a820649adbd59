/** Serves the machine-readable description of the operations. */
import { openApi } from '../docs/openapi/document.ts';
import { type Principal, rightsKey } from '../policy/principal.ts';
import type { EncodedJson } from '../policy/shaped.ts';
import { answerFor } from '../read/encode.ts';
import type { Services } from '../services.ts';
import { baseUrl } from '../settings/public-url.ts';
import { bytes } from './answer.ts';
import { open, type OperationGroup, type PlainOperation } from './operation.ts';
import type { Described } from './source.ts';
import { switchedOn } from './switched-on.ts';

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
      run({ services, principal }) {
        const { registry, settings } = services;
        const make = (): string =>
          JSON.stringify(
            openApi({
              groups: switchedOn(groups(), settings),
              interceptors,
              models: registry.served,
              principal,
              url: baseUrl(settings),
            }),
          );
        return bytes({ body: keptDocument(services, principal, make), headers: {} });
      },
    },
  ] satisfies readonly PlainOperation[],
});

/** Documents of a server that are kept: those of the rights that were last asked for. */
const maxDocuments = 16;
const documents = new WeakMap<Pick<Services, 'registry'>, Map<string, EncodedJson>>();

/** The document for a caller's rights, which is made once: models and settings stay as they are while the server runs. */
function keptDocument(services: Services, principal: Principal, make: () => string): EncodedJson {
  const ofServer = documents.get(services) ?? new Map<string, EncodedJson>();
  documents.set(services, ofServer);
  const key = rightsKey(principal);
  const known = ofServer.get(key) ?? encoded(make());
  ofServer.delete(key);
  ofServer.set(key, known);
  const [oldest] = ofServer.keys();
  if (ofServer.size > maxDocuments && oldest !== undefined) ofServer.delete(oldest);
  return known;
}

function encoded(text: string): EncodedJson {
  const out = answerFor([], Infinity);
  out.json(text);
  return out.written;
}
