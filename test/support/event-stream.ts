/** An event stream that keeps what it receives, read as a browser would. */
import { until } from './waiting.ts';

type Json = Record<string, any>;

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Events received so far. */
  readonly received: readonly Json[];
  /** In short: event and title or id. */
  events(): readonly (readonly [string, unknown])[];
  /** The id that a browser would send to go on. */
  lastId(): string;
  /** The body, where it is no stream. */
  readonly refusal: Json | undefined;
  /** Waits until as many events have been received. */
  until(count: number): Promise<void>;
  when(holds: () => boolean): Promise<void>;
  /** How the server ended it, once it does. */
  ended(): Promise<'closed' | 'cut'>;
  close(): void;
}

export async function listen(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  const hangUp = new AbortController();
  const response = await fetch(url, { headers, signal: hangUp.signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const refusal = isStream ? undefined : ((await response.json()) as Json);
  const received: Json[] = [];
  let [id, end, text] = ['', undefined as 'closed' | 'cut' | undefined, ''];
  const take = (block: string): void => {
    const fields = block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
    id = fields.find(([name]) => name === 'id')?.[1] ?? id;
    const data = fields.find(([name]) => name === 'data')?.[1];
    if (data !== undefined) received.push(JSON.parse(data) as Json);
  };
  const read = async (): Promise<void> => {
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes as Uint8Array).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      blocks.forEach(take);
    }
  };
  if (isStream)
    void read().then(
      () => (end = 'closed'),
      () => (end = 'cut'),
    );
  const when = (holds: () => boolean): Promise<void> =>
    until(holds, () => `in vain; received ${JSON.stringify(received)}`);
  return {
    status: response.status,
    headers: response.headers,
    received,
    refusal,
    events: () => received.map(({ event, item }) => [event as string, item.title ?? item._id]),
    lastId: () => id,
    until: (count) => when(() => received.length >= count),
    when,
    async ended() {
      await when(() => end !== undefined);
      return end ?? 'cut';
    },
    close: () => hangUp.abort(),
  };
}
