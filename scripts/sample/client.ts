/** A client of a Dossier server: JSON over HTTP. It repeats a request that the server refuses for now. */

export interface Client {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
}

/** A refusal of the server, with its message. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refused';
    this.status = status;
  }
}

const mostAttempts = 5;
const patient: ReadonlySet<number> = new Set([429, 503]);

/** @param headers sent with every request, such as credentials */
export function makeClient(base: string, headers: Readonly<Record<string, string>>): Client {
  const send = async <T>(path: string, init: RequestInit): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(new URL(path, base), { ...init, headers: { ...headers, ...init.headers } });
      if (answer.ok) return (await answer.json()) as T;
      if (!patient.has(answer.status) || attempt === mostAttempts)
        throw new Refused(answer.status, await reasonOf(answer));
      await answer.body?.cancel();
      await pause(Number(answer.headers.get('retry-after') ?? 1));
    }
  };
  return {
    get: (path) => send(path, {}),
    post: (path, body) =>
      send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  };
}

const pause = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1000));

async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { message, err } = JSON.parse(text) as { message?: string; err?: string };
    return `${answer.status} ${message ?? ''}: ${err ?? ''}`;
  } catch {
    return `${answer.status} from a server that is not Dossier`;
  }
}
