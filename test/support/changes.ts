/** The ways of changing a document that take a body of fields. */
import type { Answer } from './client.ts';
import type { TestServer } from './server.ts';

/** @param model the name of the model @param sent the fields */
export function changesOf(
  server: () => TestServer,
  model: string,
  sent: () => Readonly<Record<string, unknown>>,
): Readonly<Record<string, (id: string) => Promise<Answer>>> {
  const pathOf = (id: string): string => `/api/${model}/${id}`;
  const patch = (id: string, type: string, body: unknown): Promise<Answer> =>
    server().send('PATCH', pathOf(id), { headers: { 'content-type': type }, raw: JSON.stringify(body) });
  return {
    'PUT /api': (id) => server().put(pathOf(id), sent()),
    'PUT /update': (id) => server().put(`/update/${model}/${id}`, sent()),
    'PATCH with fields': (id) => patch(id, 'application/json', sent()),
    'PATCH with $set': (id) => patch(id, 'application/json', { $set: sent() }),
    'a merge patch': (id) => patch(id, 'application/merge-patch+json', sent()),
    'a JSON Patch': (id) =>
      patch(
        id,
        'application/json-patch+json',
        Object.entries(sent()).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
      ),
  };
}
