/** Follows changes of some documents through a change stream of its own, without the documents. */
import type { Log } from '../../log.ts';
import type { ChangeStreamDocument, Connection } from '../../models/mongoose.ts';
import { Streams, type StreamsParts } from './stream.ts';

/** What is followed, and what becomes of it. */
export interface Watch {
  readonly pipeline: StreamsParts['pipeline'];
  readonly changed: (event: ChangeStreamDocument) => void;
  /** Changes were missed, and which ones is unknown: the database's history does not reach back to where the stream broke. */
  readonly missed: () => void;
}

/** Begins to follow, and goes on until the returned function is called. A stream that breaks is opened again where it was. */
export function watch(connection: Connection, log: Log, { pipeline, changed, missed }: Watch): () => Promise<void> {
  let isBroken = false;
  const streams = new Streams({
    connection,
    pipeline,
    withDocuments: false,
    broke(error, lost) {
      // it is tried again each second: one line is enough
      if (!isBroken) log.error('the change stream over logins broke', error);
      isBroken = true;
      if (lost) missed();
    },
  });
  const hear = (event: ChangeStreamDocument): undefined => {
    changed(event);
    return undefined;
  };
  const opened = (): Promise<void> => {
    isBroken = false;
    return Promise.resolve();
  };
  void streams.follow(hear, opened);
  return () => streams.close();
}
