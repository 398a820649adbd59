/** Exports what a table selects, or the chosen documents of it, as a file. */
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '../../api/fields.ts';
import { labelOfModel } from '../../api/labels.ts';
import type { OwnModel } from '../../api/models.ts';
import { documentsText } from '../../parts/count.ts';
import { useFocusBack } from '../../parts/use-focus-back.ts';
import { type ListState, optionsOf } from '../list-state.ts';
import { ExportProgress } from './export-progress.tsx';
import { countOf, type Selection } from './pieces.ts';
import { canChoose, chosenTarget, downloadTarget, type Target } from './target.ts';
import { fileOf, type Format, useExport } from './use-export.ts';

export interface ExportParts {
  readonly model: OwnModel;
  readonly state: ListState;
  /** The chosen documents; all that the table selects otherwise. */
  readonly ids?: readonly Id[];
}

/** Documents from which a file can be chosen, to which the browser writes as they come. */
const large = 10_000;

export default function ExportDialog({ model, state, ids, close }: ExportParts & { readonly close: () => void }) {
  useFocusBack();
  const [format, setFormat] = useState<Format>('csv');
  const [isShown, setShown] = useState(true);
  const { progress, start, stop, fail } = useExport();
  const selection: Selection = {
    model,
    options: ids === undefined ? optionsOf(state, model) : chosenOptions(ids, state),
    fields: isShown ? state.columns : undefined,
  };
  const count = useCount(selection, ids?.length);
  const isRunning = progress?.phase === 'running';
  const file = fileOf(model.name, format);
  const begin = async (target: Promise<Target | undefined>): Promise<void> => {
    const to = await target;
    if (to !== undefined) await start(format, selection, to);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={`Export ${labelOfModel(model)}`}
      closeOnEscape={!isRunning}
      closeOnClickOutside={!isRunning}
      withCloseButton={!isRunning}
    >
      <Stack>
        <Text size="sm">{ids === undefined ? countLine(count) : `${documentsText(ids.length)} chosen.`}</Text>
        <Choices {...{ format, setFormat, isShown, setShown }} isDisabled={isRunning} />
        {progress === undefined ? null : <ExportProgress {...{ progress, total: count.data, file: file.name }} />}
        <Group justify="flex-end">
          {isRunning ? (
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={close}>
                Close
              </Button>
              {canChoose() && (count.data ?? large) >= large ? (
                <Button variant="default" onClick={() => void begin(chosenTarget(file)).catch(fail)}>
                  Save as…
                </Button>
              ) : null}
              <Button onClick={() => void begin(Promise.resolve(downloadTarget(file)))}>Download</Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** In the order of the table, also those in the trash. */
const chosenOptions = (ids: readonly Id[], { sort }: ListState): Selection['options'] => ({
  filter: { _id: { $in: ids } },
  showDeleted: true,
  sort: sort ?? '_id',
});

interface Count {
  readonly data: number | undefined;
  readonly isPending: boolean;
}

function useCount(selection: Selection, known: number | undefined): Count {
  const { data, isPending } = useQuery({
    queryKey: ['export count', selection.model.name, selection.options],
    queryFn: async ({ signal }) => (await countOf(selection, signal)) ?? null,
    enabled: known === undefined,
    gcTime: 0,
  });
  return known === undefined ? { data: data ?? undefined, isPending } : { data: known, isPending: false };
}

const countLine = ({ data, isPending }: Count): string =>
  data !== undefined
    ? `${documentsText(data)}.`
    : isPending
      ? 'Counting the documents…'
      : 'The documents are not counted.';

interface ChoiceParts {
  readonly format: Format;
  readonly setFormat: (format: Format) => void;
  readonly isShown: boolean;
  readonly setShown: (isShown: boolean) => void;
  readonly isDisabled: boolean;
}

const Choices = ({ format, setFormat, isShown, setShown, isDisabled }: ChoiceParts) => (
  <>
    <Radio.Group label="Format" value={format} onChange={(value) => setFormat(value === 'json' ? 'json' : 'csv')}>
      <Radio mt={4} value="csv" label="CSV" description="For spreadsheets. Links are ids" disabled={isDisabled} />
      <Radio mt={4} value="json" label="JSON" description="A document on each line (NDJSON)" disabled={isDisabled} />
    </Radio.Group>
    <Radio.Group label="Fields" value={isShown ? 'shown' : 'all'} onChange={(value) => setShown(value === 'shown')}>
      <Radio mt={4} value="shown" label="The columns of the table" disabled={isDisabled} />
      <Radio mt={4} value="all" label="All fields that you may read" disabled={isDisabled} />
    </Radio.Group>
  </>
);
