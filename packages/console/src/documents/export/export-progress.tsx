/** How far an export has come, and how it ended. */
import { Alert, Progress as Bar, Text } from '@mantine/core';
import { documentsText } from '../../parts/count.ts';
import { FailureText } from '../../parts/failure-text.tsx';
import { numberText } from '../../parts/numbers.ts';
import type { Progress } from './use-export.ts';

interface ProgressParts {
  readonly progress: Progress;
  /** Undefined where the documents are not counted. */
  readonly total: number | undefined;
  readonly file: string;
}

export function ExportProgress({ progress: { phase, documents, error }, total, file }: ProgressParts) {
  const isKnown = total !== undefined && total > 0;
  const soFar = isKnown ? `${numberText(documents)} of ${documentsText(total)}` : documentsText(documents);
  if (phase === 'failed')
    return (
      <Alert color="red" variant="outline" role="alert" title={`The export failed after ${soFar}`}>
        <FailureText error={error} />
        <div>No file is saved.</div>
      </Alert>
    );
  const percent = phase === 'done' ? 100 : isKnown ? Math.min(99, (100 * documents) / total) : 0;
  return (
    <>
      <Bar
        value={phase === 'running' && !isKnown ? 100 : percent}
        animated={phase === 'running'}
        aria-label="Progress of the export"
      />
      <Text size="sm" role="status" className="anywhere">
        {phase === 'done' ? `${documentsText(documents)} in ${file}.` : null}
        {phase === 'stopped' ? `Stopped after ${soFar}. No file is saved.` : null}
        {phase === 'running' ? `${soFar} so far.` : null}
      </Text>
    </>
  );
}
