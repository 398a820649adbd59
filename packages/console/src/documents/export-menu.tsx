/** Exports what a table selects, all pages of it. */
import { Button, Menu } from '@mantine/core';
import { client } from '../api/client.ts';
import type { OwnModel } from '../api/models.ts';
import { download } from '../parts/download.ts';
import { run } from '../parts/run.ts';
import { type ListState, optionsOf } from './list-state.ts';

interface ExportParts {
  readonly model: OwnModel;
  readonly state: ListState;
}

/** Documents of one request. */
const pageSize = 500;

async function csv({ model, state }: ExportParts): Promise<void> {
  const lines: string[] = [];
  let after: string | undefined;
  do {
    const options = { ...optionsOf(state, model), fields: state.columns, limit: pageSize };
    const page = await client
      .model(model.name)
      .list({ ...options, fields: ['_id'], ...(after === undefined ? {} : { after }) });
    const text = await client.model(model.name).csv({ ...options, ...(after === undefined ? {} : { after }) });
    lines.push(after === undefined ? text : text.replace(/^.*\r?\n/, ''));
    after = page.next_cursor;
  } while (after !== undefined);
  download(`${model.name}.csv`, 'text/csv', new Blob(lines, { type: 'text/csv' }));
}

async function json({ model, state }: ExportParts): Promise<void> {
  const lines: string[] = [];
  const options = { ...optionsOf(state, model), limit: pageSize };
  for await (const document of client.model(model.name).iterate(options)) lines.push(`${JSON.stringify(document)}\n`);
  download(`${model.name}.ndjson`, 'application/x-ndjson', new Blob(lines));
}

export const ExportMenu = (parts: ExportParts) => (
  <Menu position="bottom-start">
    <Menu.Target>
      <Button variant="default" size="xs">
        Export
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={() => run(() => csv(parts))}>CSV of these columns</Menu.Item>
      <Menu.Item onClick={() => run(() => json(parts))}>JSON, a document a line</Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
