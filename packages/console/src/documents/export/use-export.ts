/** The state of an export: what it has written, and how it ended. */
import { useEffect, useRef, useState } from 'react';
import { useUnsaved } from '../../leaving.ts';
import { csvPieces, jsonPieces, type Pieces, type Selection } from './pieces.ts';
import type { NamedFile, Target } from './target.ts';

export type Format = 'csv' | 'json';

interface Form {
  readonly pieces: Pieces;
  readonly ending: string;
  readonly type: string;
}

const forms: Readonly<Record<Format, Form>> = {
  csv: { pieces: csvPieces, ending: 'csv', type: 'text/csv' },
  json: { pieces: jsonPieces, ending: 'ndjson', type: 'application/x-ndjson' },
};

export const fileOf = (model: string, format: Format): NamedFile => ({
  name: `${model}.${forms[format].ending}`,
  type: forms[format].type,
});

/** How far an export has come. */
export interface Progress {
  readonly phase: 'running' | 'done' | 'stopped' | 'failed';
  readonly documents: number;
  readonly error?: unknown;
}

/** Milliseconds between two figures of a running export. */
const pause = 200;

export function useExport() {
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  useUnsaved(progress?.phase === 'running');
  useEffect(() => () => running.current?.abort(), []);

  const start = async (format: Format, selection: Selection, target: Target): Promise<void> => {
    const control = new AbortController();
    running.current = control;
    let documents = 0;
    const show = () => setProgress({ phase: 'running', documents });
    show();
    const shown = setInterval(show, pause);
    try {
      for await (const piece of forms[format].pieces(selection, control.signal)) {
        control.signal.throwIfAborted();
        await target.write(piece.content);
        ({ documents } = piece);
      }
      control.signal.throwIfAborted();
      await target.finish();
      setProgress({ phase: 'done', documents });
    } catch (error) {
      control.abort();
      // what has failed is shown, and not what that leaves behind
      await target.drop().catch(() => undefined);
      setProgress(
        error === control.signal.reason ? { phase: 'stopped', documents } : { phase: 'failed', documents, error },
      );
    } finally {
      clearInterval(shown);
    }
  };
  return {
    progress,
    start,
    stop: () => running.current?.abort(),
    fail: (error: unknown) => setProgress({ phase: 'failed', documents: 0, error }),
  };
}
