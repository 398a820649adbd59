/** Server-Sent Events by `fetch` (WHATWG HTML, 9.2), which can send a token where `EventSource` cannot. */
import { DossierError } from '../error.ts';
import { pathOf } from '../path.ts';
import { filterPairs, queryOf } from '../query.ts';
import type { Transport } from '../transport.ts';
import type { Delivery, Subscription } from './delivery.ts';
import type { Change } from './watch.ts';

export async function* eventStream<Document>(
  transport: Transport,
  { model, id, filter, since, signal }: Subscription,
): AsyncGenerator<Delivery<Document>> {
  const pairs = filterPairs(filter);
  if (pairs === undefined)
    throw new DossierError(400, { message: 'Bad filter', err: 'this filter needs a WebSocket, which there is not' });
  const path = pathOf(['events', model, ...(id === undefined ? [] : [id])]) + queryOf({ since }, pairs);
  // the loop of the watch repeats it
  const response = await transport.send({ method: 'GET', path, signal, repeat: 'once' });
  yield { kind: 'open' };
  for await (const block of blocksOf(response)) {
    const { event, data, id: position } = fieldsOf(block);
    if (event === 'ended')
      throw new DossierError(400, { ...(JSON.parse(data) as object), err: 'the filter is too costly' });
    if (data !== '') yield { kind: 'change', change: JSON.parse(data) as Change<Document> };
    else if (position !== '') yield { kind: 'position', position };
  }
}

/** The part of a stream's reader that is used, alike in all declarations of the platform. */
interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(): Promise<void>;
}

/** The blocks of a stream, which empty lines separate, until it ends or is cut. An incomplete block is dropped. */
async function* blocksOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader() as Reader | undefined;
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      yield* blocks;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The server writes each field on one line. */
function fieldsOf(block: string): Readonly<Record<'event' | 'data' | 'id', string>> {
  const fields = { event: '', data: '', id: '' };
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
    if (name in fields) fields[name as keyof typeof fields] = value;
  }
  return fields;
}
