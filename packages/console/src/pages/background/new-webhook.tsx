/** Creates a webhook. */
import { Alert, Button, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { textOf } from '../../api/client.ts';
import { useModels } from '../../api/models.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useText } from '../../parts/use-text.ts';

type Create = (body: object) => Promise<void>;

export const NewWebhook = ({ create }: { readonly create: Create }) => (
  <FormDialog title="New webhook">{(close) => <Form create={(body) => create(body).then(close)} />}</FormDialog>
);

const events = [
  { value: 'post', label: 'created' },
  { value: 'put', label: 'changed' },
  { value: 'del', label: 'deleted' },
];

function Form({ create }: { readonly create: Create }) {
  const names = [...(useModels().data?.keys() ?? [])];
  const url = useText();
  const description = useText();
  const [models, setModels] = useState<string[]>([]);
  const [chosen, setChosen] = useState<string[]>(events.map(({ value }) => value));
  const [fault, setFault] = useState('');
  const send = (): void => {
    const body = {
      url: url.value.trim(),
      models: models.length === 0 ? ['*'] : models,
      events: chosen,
      ...(description.value.trim() === '' ? {} : { description: description.value.trim() }),
    };
    create(body).catch((error: unknown) => setFault(textOf(error)));
  };
  return (
    <Stack>
      <TextInput label="Address" required placeholder="https://example.com/changes" {...url.input} />
      <MultiSelect
        label="Models"
        description="None means all. It sends what you may read."
        data={names}
        value={models}
        onChange={setModels}
        searchable
      />
      <MultiSelect label="Events" data={events} value={chosen} onChange={setChosen} />
      <TextInput label="Description" {...description.input} />
      {fault === '' ? null : (
        <Alert color="red" variant="outline" role="alert">
          {fault}
        </Alert>
      )}
      <Button onClick={send}>Create</Button>
    </Stack>
  );
}
