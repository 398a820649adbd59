/** Starts and stops an import, and lists what the server has refused. */
import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { labelOfModel } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { csvOf } from '../pages/queries/csv.ts';
import { Confirm } from '../parts/confirm.tsx';
import { documentsText } from '../parts/count.ts';
import { download } from '../parts/download.ts';
import { SimpleTable } from '../parts/simple-table.tsx';
import type { Refused } from './sending.ts';
import type { Import, Running } from './use-import.ts';

interface OutcomeParts {
  readonly model: OwnModel;
  readonly state: Pick<Import, 'phase' | 'plan' | 'running' | 'start' | 'stop' | 'undo'>;
}

/** Refused rows that are shown; the file has all. */
const maxShown = 100;

export function Outcome({ model, state: { phase, plan, running, start, stop, undo } }: OutcomeParts) {
  const isEmpty = Object.keys(plan.mapping).length === 0;
  return (
    <Stack>
      <Group>
        {phase === 'ready' || phase === 'stopped' ? (
          <Button onClick={start} disabled={isEmpty}>
            {phase === 'ready' ? 'Import' : 'Continue'}
          </Button>
        ) : null}
        {phase === 'running' ? (
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        ) : null}
        {running !== undefined && running.written > 0 && (phase === 'done' || phase === 'stopped') ? (
          <Undo {...{ model, running, undo }} />
        ) : null}
        {isEmpty ? <Text size="sm">Choose a field for at least one column.</Text> : null}
      </Group>
      {running === undefined && phase !== 'running' ? null : (
        <Progress value={running?.percent ?? 0} aria-label="Progress of the import" />
      )}
      {running === undefined ? null : <Counts {...{ phase, running }} />}
      {running === undefined || running.refused.length === 0 ? null : (
        <RefusedRows name={labelOfModel(model)} refused={running.refused} />
      )}
    </Stack>
  );
}

const verbs: Readonly<Record<string, string>> = { done: 'Done', stopped: 'Stopped', running: 'Sending' };
const undoingVerbs: Readonly<Record<string, string>> = {
  undone: 'Undone',
  undoing: 'Undoing',
  stopped: 'Undo stopped',
};

function Counts({ phase, running }: { readonly phase: string; readonly running: Running }) {
  const { created, changed, refused, undone } = running;
  return (
    <Text role="status">
      {phase === 'undoing' || undone !== undefined
        ? `${undoingVerbs[phase] ?? verbs[phase]}: ${undone?.deleted ?? 0} deleted, ${undone?.reverted ?? 0} reverted, ${undone?.kept ?? running.written} not undone.`
        : `${verbs[phase]}: ${created} created, ${changed} changed, ${refused.length} refused.`}
    </Text>
  );
}

interface UndoParts {
  readonly model: OwnModel;
  readonly running: Running;
  readonly undo: () => void;
}

function Undo({ model, running: { created, changed }, undo }: UndoParts) {
  const [isAsked, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        Undo the import
      </Button>
      <Confirm isOpen={isAsked} close={close} title="Undo the import?" action="Undo" act={undo}>
        {created === 0 ? null : <div>What the import has created is deleted: {documentsText(created)}.</div>}
        {changed === 0 ? null : (
          <div>
            {model.history === true
              ? `What it has changed is reverted: ${documentsText(changed)}.`
              : `What it has changed stays changed, since there is no history of it: ${documentsText(changed)}.`}
          </div>
        )}
        <div>Documents that were changed since stay as they are.</div>
      </Confirm>
    </>
  );
}

function RefusedRows({ name, refused }: { readonly name: string; readonly refused: readonly Refused[] }) {
  const columns = [...new Set(refused.flatMap(({ record }) => Object.keys(record.values)))];
  const save = (): void => {
    const rows = refused.map(({ record, reason }) => ({ ...record.values, [reasonColumn]: reason }));
    // the mark makes spreadsheets read it as UTF-8
    download(`${name} refused.csv`, 'text/csv', `\uFEFF${csvOf([...columns, reasonColumn], rows)}`);
  };
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Refused rows
        </Title>
        <Button size="xs" variant="default" onClick={save}>
          Download as CSV
        </Button>
      </Group>
      <Text size="sm">Correct them in that file, and import it: its last column has the reasons.</Text>
      <SimpleTable
        label="Refused rows"
        heads={['Line', 'Reason']}
        rows={refused.slice(0, maxShown).map(({ record, reason }) => [record.line, reason])}
      />
      {refused.length > maxShown ? <Text size="sm">The first {maxShown} are shown. The file has all.</Text> : null}
    </section>
  );
}

const reasonColumn = 'Reason of the refusal';
