/** What model files call and the server does itself: it opens and closes the connection. The start names each call with its place. */
import { relative } from 'node:path';
import { framesOf } from '../../adapters/stack.ts';

export class LeftOutCalls {
  readonly #calls = new Set<string>();
  /** The calls that make connections, and the databases that they name. */
  readonly #connections = new Map<string, string | undefined>();
  /** The calls that return another database. */
  readonly #others = new Set<string>();

  /** @param call such as `mongoose.connect()` */
  note(call: string): void {
    this.#calls.add(withPlace(call));
  }

  /** @param database undefined where the files do not name it */
  noteConnection(call: string, database?: string): void {
    this.#connections.set(withPlace(call), database);
  }

  /** @param call such as `mongoose.connection.useDb()` */
  noteOther(call: string): void {
    this.#others.add(withPlace(call));
  }

  /** A sentence for each kind of call that there was. */
  get sentences(): readonly string[] {
    const calls = [...this.#calls].join(', ');
    const others = [...this.#others].join(', ');
    const connections = [...this.#connections.keys()].join(', ');
    const databases = new Set(this.#connections.values());
    const all = databases.size > 1 ? ` of ${[...databases].join(', ')}` : '';
    return [
      ...(calls === ''
        ? []
        : [
            `${calls} has no effect: the server opens and closes the connection itself, and MONGODB_URL names the database`,
          ]),
      ...(connections === ''
        ? []
        : [
            `${connections} opens no connection: the models${all} are served on the server's, and MONGODB_URL names the database`,
          ]),
      ...(others === ''
        ? []
        : [
            `${others} is another database, whose models are not served: mongoose.model() compiles those that are to be`,
          ]),
    ];
  }
}

function withPlace(call: string): string {
  const frame = framesOf(new Error('called')).find(({ owner }) => owner === 'project');
  return `${call} ${frame === undefined ? 'of a package' : `in ${relative('.', frame.file)}:${frame.line}`}`;
}

/** Calls a callback that is the last argument, as earlier versions of Mongoose do. */
export async function callBack(given: readonly unknown[], result: unknown): Promise<void> {
  await Promise.resolve();
  const callback = given.at(-1);
  if (typeof callback === 'function') Reflect.apply(callback, undefined, [null, result]);
}
