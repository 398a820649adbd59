/** Queries and pipelines in an editor, with their results. */
import { Button, Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { labelOfModel } from '../../api/labels.ts';
import { isReadable, type OwnModel, useModels } from '../../api/models.ts';
import { draftKey } from '../../drafts.ts';
import { Editor } from '../../parts/editor.tsx';
import { Failure } from '../../parts/failure.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { NoRights } from '../../parts/states.tsx';
import { useForm } from '../../parts/use-form.tsx';
import { change, usePlace } from '../../route.ts';
import { Results } from './results.tsx';
import { wordsFor } from './words.ts';

type Mode = 'query' | 'aggregate';
type Row = Readonly<Record<string, unknown>>;

const modes: Readonly<Record<Mode, { readonly label: string; readonly first: string }>> = {
  query: { label: 'Query', first: '{}' },
  aggregate: { label: 'Aggregation', first: '[\n  { "$match": {} },\n  { "$limit": 20 }\n]' },
};

const maxDocuments = 100;

export default function Queries() {
  const models = [...(useModels().data?.values() ?? [])].filter(
    (model) => isReadable(model) && (model.advanced_queries.query || model.advanced_queries.aggregate),
  );
  const { query } = usePlace();
  const model = models.find(({ name }) => name === query.get('model')) ?? models[0];
  if (model === undefined) return <NoRights title="Queries">There is no model that you may query.</NoRights>;
  const offered = (Object.keys(modes) as Mode[]).filter((mode) => model.advanced_queries[mode]);
  const mode = offered.find((one) => one === query.get('mode')) ?? offered[0] ?? 'query';
  return (
    <>
      <PageTitle>Queries</PageTitle>
      <Group mb="sm" align="flex-end">
        <NativeSelect
          label="Model"
          data={models.map((one) => ({ value: one.name, label: labelOfModel(one) }))}
          value={model.name}
          onChange={({ currentTarget }) => change({ model: currentTarget.value })}
        />
        <SegmentedControl
          aria-label="Kind"
          value={mode}
          onChange={(next) => change({ mode: next, text: undefined })}
          data={offered.map((one) => ({ value: one, label: modes[one].label }))}
        />
      </Group>
      <QueryForm key={`${model.name} ${mode}`} {...{ model, mode }} first={query.get('text') ?? modes[mode].first} />
    </>
  );
}

async function execute(model: string, mode: Mode, text: string): Promise<readonly Row[]> {
  const given: unknown = JSON.parse(text);
  const documents = client.model(model);
  if (mode === 'aggregate') return documents.aggregate(given as Row[]);
  return (await documents.query(given as Row, { limit: maxDocuments })).data;
}

interface FormParts {
  readonly model: OwnModel;
  readonly mode: Mode;
  readonly first: string;
}

function QueryForm({ model, mode, first }: FormParts) {
  const form = useForm(draftKey('query', model.name, mode, first), { text: first });
  const { text } = form.values;
  const [rows, setRows] = useState<readonly Row[]>();
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = (): void => {
    // also by its keys: an answer that comes late would be shown for another query
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    // the address has it
    form.end();
    change({ model: model.name, mode, text });
    execute(model.name, mode, text)
      .then(setRows, setFault)
      .finally(() => setBusy(false));
  };
  return (
    <Stack>
      {form.notice}
      <Editor
        label={modes[mode].label}
        value={text}
        set={(next) => form.set({ text: next })}
        words={wordsFor(model)}
        run={run}
      />
      <Group>
        <Button onClick={run} loading={isBusy} aria-keyshortcuts="Control+Enter">
          Run
        </Button>
      </Group>
      {fault === undefined ? null : <Failure error={fault} />}
      {rows === undefined || fault !== undefined ? null : <Results name={model.name} rows={rows} />}
    </Stack>
  );
}
