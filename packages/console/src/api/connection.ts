/** Whether the server answers. It is noted from all answers, so that the page can show that requests wait, and views can read again afterwards. */
export type Connection =
  | { readonly is: 'fine' }
  | { readonly is: 'unreachable' }
  /** The server refuses requests for now, which are sent again at a time in milliseconds since 1970. */
  | { readonly is: 'busy'; readonly until: number };

const fine: Connection = { is: 'fine' };
let now: Connection = fine;
/** Requests without an answer since the last answer. */
let lost = 0;
const listeners = new Set<() => void>();

export function onConnection(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export const connection = (): Connection => now;

function set(next: Connection): void {
  if (next.is === now.is && next.is !== 'busy') return;
  now = next;
  for (const listener of listeners) listener();
}

/** Seconds of a `Retry-After` without a number. */
const shortest = 1;

/** Whether the client sends a request again by itself. */
const isRepeated = ({ method = 'GET', headers }: RequestInit): boolean =>
  method === 'GET' || new Headers(headers).has('idempotency-key');

function noteAnswer({ status, headers }: Response, init: RequestInit): void {
  lost = 0;
  if ((status === 429 || status === 503) && isRepeated(init)) {
    const seconds = Number(headers.get('retry-after') ?? shortest);
    set({ is: 'busy', until: Date.now() + (Number.isFinite(seconds) ? seconds : shortest) * 1000 });
  } else if (now.is !== 'busy' || Date.now() >= now.until) set(fine);
}

/** One lost request may be that of a connection that was closed meanwhile, which is sent again at once. */
function noteLost(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted === true) return;
  lost += 1;
  if (lost > 1) set({ is: 'unreachable' });
}

/** A `fetch` whose answers are noted. */
export async function notedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    const answer = await fetch(url, init);
    noteAnswer(answer, init);
    return answer;
  } catch (error) {
    noteLost(init.signal);
    throw error;
  }
}
