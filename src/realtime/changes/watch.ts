/** Follows changes of some documents by a separate change stream, without the documents. */
import type { Log } from '../../adapters/log.ts';
import type { ChangeStreamDocument, Connection } from '../../models/mongoose.ts';
import { Streams, type StreamsParts } from './stream.ts';

/** The stages of the stream and the handlers of its events. */
export interface Watch {
  readonly pipeline: StreamsParts['pipeline'];
  readonly changed: (event: ChangeStreamDocument) => void;
  /**
   * Called when unknown changes have been missed, because the database's history does not reach back to where the stream broke.
   */
  readonly missed: () => void;
}

/** Follows until the returned function is called. A stream that breaks is opened again at the same place. */
export function watch(connection: Connection, log: Log, { pipeline, changed, missed }: Watch): () => Promise<void> {
  let isBroken = false;
  const streams = new Streams({
    connection,
    pipeline,
    withDocuments: false,
    missed,
    broke(error) {
      // opening is retried each second: one log line is enough
      if (!isBroken) log.error('the change stream over logins broke', error);
      isBroken = true;
    },
  });
  const receive = (event: ChangeStreamDocument): undefined => {
    changed(event);
    return undefined;
  };
  const opened = (): Promise<void> => {
    isBroken = false;
    return Promise.resolve();
  };
  void streams.follow(receive, opened);
  return () => streams.close();
}
