/** Serves the machine-readable description of the operations. */
import { inSlices } from '../async/yield.ts';
import { openApi } from '../docs/openapi/document.ts';
import { type Principal, rightsKey } from '../policy/principal.ts';
import type { EncodedJson, ServerJson } from '../policy/shaped.ts';
import { answerFor } from '../read/encode.ts';
import type { Services } from '../services.ts';
import { bytes } from './answer.ts';
import { openAccess, type OperationGroup, type PlainOperation } from './operation.ts';
import type { ServerDescription } from './source.ts';
import { enabledGroups } from './switched-on.ts';

export const description = ({
  groups,
  interceptors,
}: Pick<ServerDescription, 'groups' | 'interceptors'>): OperationGroup => ({
  title: 'Description',
  isDescription: true,
  operations: [
    {
      name: 'openapi.get',
      http: { method: 'GET', path: '/openapi.json' },
      summary: 'Describes the endpoints in OpenAPI 3.1',
      access: openAccess('describes only operations on which the caller has some right'),
      openToScopes: true,
      answers: { 200: { type: 'object' } },
      async run({ services, principal }) {
        const { registry, settings } = services;
        const steps = (): Generator<undefined, ServerJson> =>
          openApi({
            groups: enabledGroups(groups(), settings),
            interceptors,
            models: registry.served,
            principal,
            url: settings.api_url,
          });
        return bytes({ body: await documentFor(services, principal, steps), headers: {} });
      },
    },
  ] satisfies readonly PlainOperation[],
});

/** Documents of a server that are kept: those of the rights that were last asked for. */
const maxDocuments = 16;
const documents = new WeakMap<Pick<Services, 'registry'>, Map<string, Promise<EncodedJson>>>();

/** The document for a caller's rights, which is made once: models and settings stay as they are while the server runs. */
function documentFor(
  services: Services,
  principal: Principal,
  steps: () => Generator<undefined, ServerJson>,
): Promise<EncodedJson> {
  const ofServer = documents.get(services) ?? new Map<string, Promise<EncodedJson>>();
  documents.set(services, ofServer);
  const key = rightsKey(principal);
  const known = ofServer.get(key) ?? encoded(steps());
  ofServer.delete(key);
  ofServer.set(key, known);
  const [oldest] = ofServer.keys();
  if (ofServer.size > maxDocuments && oldest !== undefined) ofServer.delete(oldest);
  return known;
}

async function encoded(steps: Generator<undefined, ServerJson>): Promise<EncodedJson> {
  const document = await inSlices(steps);
  const out = answerFor([], Infinity);
  out.json(await inSlices(jsonOf(document, levelOfSchemas)));
  return out.written;
}

/** The levels of objects above a schema, in `components.schemas`. */
const levelOfSchemas = 3;

/** JSON, written in steps: one for each value below some levels of objects. */
function* jsonOf(value: ServerJson, levels: number): Generator<undefined, string> {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    members.push(`${JSON.stringify(name)}:${yield* jsonOf(member, levels - 1)}`);
    yield;
  }
  return `{${members.join(',')}}`;
}
