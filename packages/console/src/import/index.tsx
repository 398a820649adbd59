/** Imports a file of documents into a model: `#/import/film`. */
import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { labelOfModel } from '../api/labels.ts';
import { type OwnModel, useModels } from '../api/models.ts';
import type { ViewParts } from '../layout/view-parts.ts';
import { Failure } from '../parts/failure.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { NoModel, NoRights } from '../parts/states.tsx';
import { hrefOf } from '../route.ts';
import { Columns } from './columns-table.tsx';
import { Outcome } from './outcome.tsx';
import { Preview } from './preview.tsx';
import { useImport } from './use-import.ts';

export default function ImportView({ path: [name = ''] }: ViewParts) {
  const model = useModels().data?.get(name);
  if (model === undefined) return <NoModel title="Import" name={name} />;
  if (model.rights.rows.c === 'none')
    return <NoRights title="Import">You may not create documents of {labelOfModel(model)}.</NoRights>;
  return <Import key={name} model={model} />;
}

function Import({ model }: { readonly model: OwnModel }) {
  const state = useImport(model);
  const { sample, phase, error, choose, again, reset } = state;
  return (
    <>
      <PageTitle>{`Import into ${labelOfModel(model)}`}</PageTitle>
      <Stack>
        <Anchor size="sm" href={hrefOf(['documents', model.name])}>
          All documents of {labelOfModel(model)}
        </Anchor>
        {sample === undefined ? <Choose choose={choose} /> : null}
        {error === undefined ? null : <Failure error={error} />}
        {sample === undefined ? null : (
          <>
            <Group>
              <Text>
                {sample.file.name}, {sizeText(sample.file.size)}
              </Text>
              <Button
                size="xs"
                variant="default"
                disabled={phase === 'running'}
                onClick={() => {
                  again();
                  reset();
                }}
              >
                Another file
              </Button>
            </Group>
            {phase === 'ready' ? (
              <>
                {state.notice}
                <Columns {...{ model, sample, state }} />
                <Preview {...{ model, sample, plan: state.plan }} />
              </>
            ) : null}
            <Outcome {...{ model, state }} />
          </>
        )}
      </Stack>
    </>
  );
}

const sizeText = (bytes: number): string =>
  bytes < mega ? `${Math.ceil(bytes / kilo)} kB` : `${(bytes / mega).toFixed(1)} MB`;
const [kilo, mega] = [1000, 1_000_000];

function Choose({ choose }: { readonly choose: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) choose(file);
  };
  return (
    <Stack
      className={isOver ? 'drop target' : 'drop'}
      align="center"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Text ta="center">
        Drop a CSV, JSON or NDJSON file here, in UTF-8. The first line of a CSV names the columns.
      </Text>
      <FileButton accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl" onChange={(file) => file && choose(file)}>
        {(parts) => <Button {...parts}>Choose a file</Button>}
      </FileButton>
    </Stack>
  );
}
