/** A change stream that breaks: where it continues, and when events are missed. */
import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { Streams } from '../../../src/realtime/changes/stream.ts';

/** What one opened stream answers, in order: an event, nothing new (null), that it has been closed, or the error that breaks it. */
type Answers = readonly (string | null | typeof closed | Error)[];
const closed = Symbol('closed');

/** A stream over a database whose streams answer what the test says, until the last of them is read to its end. */
async function followed(opened: readonly Answers[]): Promise<readonly string[]> {
  const seen: string[] = [];
  const ended = new EventEmitter();
  const end = new Promise((resolve) => ended.once('end', resolve));
  let count = 0;
  const watch = (_pipeline: unknown, { resumeAfter }: { readonly resumeAfter?: { readonly _data: string } }) => {
    seen.push(`open ${resumeAfter?._data ?? 'now'}`);
    const answers = [...(opened[count] ?? [])];
    count += 1;
    return {
      closed: false,
      resumeToken: { _data: `place ${count}` },
      close: () => Promise.resolve(),
      tryNext() {
        const answer = answers.shift();
        if (answer === closed) {
          this.closed = true;
          // as the driver does, as often as it is asked
          return Promise.resolve(null);
        }
        if (answer instanceof Error) return Promise.reject(answer);
        if (answer !== undefined) return Promise.resolve(answer === null ? null : { _id: { _data: answer } });
        ended.emit('end');
        return new Promise(() => undefined);
      },
    };
  };
  const streams = new Streams({
    connection: { db: { watch } } as never,
    pipeline: [],
    withDocuments: false,
    broke: (error) => seen.push(`broke ${error instanceof Error ? error.message : ''}`),
    missed: () => seen.push('missed'),
  });
  const onEvent = (_event: unknown, token: string): undefined => void seen.push(`event ${token}`);
  void streams.follow(onEvent, (at) => Promise.resolve(void seen.push(`opened ${at}`)));
  await end;
  await streams.close();
  return seen;
}

const lost = Object.assign(new Error('lost'), { code: 286 });
const away = new Error('away');

const cases: readonly [string, readonly Answers[], readonly string[]][] = [
  [
    'at its last position, where it breaks later',
    [[null, '1', away], ['2']],
    ['open now', 'opened place 1', 'event 1', 'broke away', 'open 1', 'event 2', 'opened 2'],
  ],
  [
    'at its last position, where another part of the process has closed it',
    [['1', closed], ['2']],
    ['open now', 'event 1', 'opened 1', 'broke the change stream is closed', 'open 1', 'event 2', 'opened 2'],
  ],
  [
    'at another position, where it breaks before it has one',
    [[away], [null, '1']],
    ['open now', 'broke away', 'open now', 'missed', 'opened place 2', 'event 1'],
  ],
  [
    'at another position, where its history is gone, and reports that when it is open again',
    [[null, lost], [away], ['1']],
    ['open now', 'opened place 1', 'broke lost', 'open now', 'broke away', 'open now', 'event 1', 'missed', 'opened 1'],
  ],
];

test.each(cases)('it continues %s', async (_where, opened, seen) => {
  expect(await followed(opened)).toEqual(seen);
});
